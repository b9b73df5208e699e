"""Short news at work: one day of 12,000 headlines by `event` and by the pipeline of the study; many items by `event`.

    python benchmarks/short_news.py --data DIR            measure, both in one run
    python benchmarks/short_news.py --write docs/results.md   only the table, from the results

day     headlines of the two Russian collections (benchmarks/sets.py), as if they were of one day, put into groups by
        `samestory find --events`, and by the pipeline with `--by-day`, since it takes a day for a corpus; two items are
        said to be one event when they are in one group. F1 is that of the judged pairs that `event` has not learned
        from. `semshort` is asked with several thresholds, and the best of them by these very pairs counts: more than
        anybody who uses it can know. `event` has its defaults.
many    the short items of the collection `scale`, without dates, by `event`

Seconds and memory are those of the whole command, with starting it and reading the file.
"""

import argparse
import gzip
import json
import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import record
from event_pairs import Pair, set_pairs
from measure import measure
from record import Row
from table import markdown, write

RESULTS = record.RESULTS / "short_news.jsonl"
SETS = ("paraphraser_ru", "ru_slugs")
ITEMS = 12_000
SPECS = (
    "event()",
    *(f"semshort(threshold={cut})" for cut in (0.6, 0.7)),
    *(f"semshort(space='distance_rows', threshold={cut})" for cut in (0.92, 0.95)),
)


def day(data: Path, folder: Path) -> tuple[Path, list[Pair]]:
    """The items in a file, and judged pairs among them."""
    pairs = [pair for name in SETS for pair in set_pairs(data, name, 1)]
    rows: list[Row] = []
    for name in SETS:
        with gzip.open(data / name / "docs.jsonl.gz", "rt") as lines:
            rows.extend(map(json.loads, lines))
    rows = rows[:ITEMS]
    known = {row["id"] for row in rows}
    path = folder / "day.jsonl"
    path.write_text("".join(json.dumps(row | {"published": "2020-05-25"}) + "\n" for row in rows))
    return path, [pair for pair in pairs if pair.left.id in known and pair.right.id in known]


def find(path: Path, *options: str) -> tuple[Row, dict[str, int]]:
    """What finding groups takes, and the group of every item."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "groups.jsonl"
        log = Path(folder) / "log"
        command = [sys.executable, "-m", "samestory.cli", "find", str(path), *options]
        cost = measure(command, out, log, dict(os.environ), 3600)
        if cost.exit_code != 0:
            raise SystemExit(f"{' '.join(options)}: {log.read_text()}")
        groups = [json.loads(line)["members"] for line in out.read_text().splitlines()]
    taken = {"seconds": cost.seconds, "peak_mb": cost.peak_mb, "groups": len(groups), "others": cost.others}
    return taken, {id: number for number, members in enumerate(groups) for id in members}


def f1(pairs: list[Pair], group: dict[str, int]) -> dict[str, float]:
    joined = [group[pair.left.id] == group[pair.right.id] for pair in pairs]
    both = sum(pair.same and found for pair, found in zip(pairs, joined, strict=True))
    precision, recall = both / max(1, sum(joined)), both / max(1, sum(pair.same for pair in pairs))
    return {"precision": precision, "recall": recall, "f1": 2 * precision * recall / max(1e-9, precision + recall)}


def measured(data: Path) -> Iterator[Row]:
    with tempfile.TemporaryDirectory() as folder:
        path, pairs = day(data, Path(folder))
        for spec in SPECS:
            how = ("--events",) if spec == "event()" else ("-d", spec, "--by-day")
            taken, group = find(path, *how)
            yield {"what": "day", "spec": spec, "items": len(group), "pairs": len(pairs)} | taken | f1(pairs, group)
    short = data / "scale" / "fi_short_news.jsonl.gz"
    taken, group = find(short, "--events")
    yield {"what": "many", "spec": "event()", "items": len(group)} | taken


def table(rows: list[Row]) -> str:
    """Of the last run: `event`, and of every kind of `semshort` the best."""
    last = [row for row in rows if row["date"] == rows[-1]["date"]]
    day = [row for row in last if row["what"] == "day"]
    own = next(row for row in day if row["spec"] == "event()")
    spaces = [
        [row for row in day if row["spec"].startswith("semshort") and ("rows" in row["spec"]) is rows]
        for rows in (False, True)
    ]
    best = [max(space, key=lambda row: row["f1"]) for space in spaces]
    head = ["items", "detector", "precision", "recall", "F1", "seconds", "times event", "items a second", "peak MB"]
    lines = [
        [
            f"{row['items']:,}",
            f"`{row['spec']}`",
            *(f"{row[name]:.3f}" if name in row else "" for name in ("precision", "recall", "f1")),
            f"{row['seconds']:.2f}",
            f"{row['seconds'] / own['seconds']:.1f}" if row["what"] == "day" else "",
            f"{row['items'] / row['seconds']:,.0f}",
            f"{row['peak_mb']:.0f}",
        ]
        for row in (own, *best, *(row for row in last if row["what"] == "many"))
    ]
    return markdown(head, lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, help="folder of the collections")
    parser.add_argument("--write", type=Path, metavar="FILE", help="only write the table into this file")
    args = parser.parse_args()
    if args.write:
        write(args.write, table(list(record.read(RESULTS))), "short-news")
        return
    if not args.data:
        parser.error("--data is needed to measure")
    about = {"machine": record.machine(), "date": record.now()}
    for row in measured(args.data):
        record.append(RESULTS, row | about)
        print(
            {key: row[key] for key in ("spec", "items", "seconds", "peak_mb", "f1", "groups") if key in row}, flush=True
        )
    print(table(list(record.read(RESULTS))))


if __name__ == "__main__":
    main()
