"""A crowded day: news of years, dated as if it were of one day. Which articles of other days does a detector join?

    python benchmarks/crowded.py --data DIR [--detectors SPEC ...]    measures, and keeps a line for each
    python benchmarks/crowded.py --write docs/results.md              the table

Items are the headline and the beginning of stories of the collection `scale`, spread over all its years. Two that were
published more than two weeks apart are not one event, whatever their words, so every such pair in a group is wrong. It
is harder than any day: what recurs (a bank's rates, a league's matches) is there many times over.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from datetime import date
from itertools import combinations
from pathlib import Path
from typing import Any

import record
from event_pairs import rows
from quality import taught_mark
from record import Row
from table import markdown, write

from samestory import parse

RESULTS = record.RESULTS / "crowded.jsonl"
SETS = {"reuters_2006_2010": "en", "fi_short_news": "fi"}
ITEMS, WORDS, APART = 4000, 40, 14


def items(path: Path) -> list[Row]:
    """So many items, evenly spread over the collection."""
    every = list(rows(path))
    return every[:: max(1, len(every) // ITEMS)][:ITEMS]


def line(row: Row, number: int, language: str) -> str:
    title = row.get("title") or ""
    text = " ".join(f"{title} {row['text'].removeprefix(title)}".split()[:WORDS])
    return json.dumps({"id": str(number), "text": text, "lang": language, "published": "2020-01-01"}) + "\n"


def groups(path: Path, spec: str) -> list[list[int]]:
    command = [sys.executable, "-m", "samestory.cli", "find", "--quiet", "-d", spec, str(path)]
    lines = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
    return [[int(member) for member in json.loads(line)["members"]] for line in lines]


def measured(data: Path, specs: list[str]) -> Iterator[Row]:
    for name, language in SETS.items():
        some = items(data / "scale" / f"{name}.jsonl.gz")
        days = [date.fromisoformat(row["date"][:10]).toordinal() for row in some]
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "day.jsonl")
            path.write_text("".join(line(row, at, language) for at, row in enumerate(some)))
            for spec in specs:
                found = groups(path, spec)
                pairs = [pair for members in found for pair in combinations(members, 2)]
                wrong = [pair for pair in pairs if abs(days[pair[0]] - days[pair[1]]) > APART]
                yield {
                    "set": name,
                    "spec": spec,
                    "items": len(some),
                    "groups": len(found),
                    "largest": max(map(len, found)),
                    "pairs": len(pairs),
                    "wrong": len(wrong),
                    "items_in_wrong": len({item for pair in wrong for item in pair}),
                }


def table(every: list[Row]) -> str:
    """The latest row of every set and detector."""
    latest: dict[Any, Row] = {(row["set"], row["spec"]): row for row in every}
    head = ["collection", "detector", "items", "groups", "largest", "pairs", "wrong for sure", "items in those"]
    lines = [
        [
            f"`{name}`",
            f"`{spec}`{taught_mark(name, spec)}",
            *(f"{row[key]:,}" for key in ("items", "groups", "largest", "pairs", "wrong")),
            f"{row['items_in_wrong'] / row['items']:.0%}",
        ]
        for (name, spec), row in latest.items()
    ]
    return markdown(head, lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, help="folder of the collections")
    usual = ["event()", "event(threshold=0.9)", "reuse()"]
    parser.add_argument("--detectors", nargs="+", metavar="SPEC", default=usual)
    parser.add_argument("--write", type=Path, metavar="FILE", help="only write the table into this file")
    args = parser.parse_args()
    if args.write:
        write(args.write, table(list(record.read(RESULTS))), "crowded")
    elif args.data:
        about = {"date": record.now(), "machine": record.machine()}
        for row in measured(args.data, [str(parse(spec)) for spec in args.detectors]):
            print(row)
            record.append(RESULTS, about | row)
    else:
        parser.error("--data is needed to measure")


if __name__ == "__main__":
    main()
