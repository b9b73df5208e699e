"""Compare the lines of two versions of samestory: every detector on the same files, with CPU seconds and peak memory.

    python benchmarks/compare_versions.py --old CHECKOUT --new CHECKOUT FILE ... [--detectors SPEC ...]
    python benchmarks/compare_versions.py --write docs/decisions/0026-what-the-restructuring-cost.md

A checkout has its native module in src/samestory. Relations are compared as pairs with kind and numbers, groups as
whole lines, without their number and whatever the direction of the weakest relation; the lines that differ go to
--differences. Rows go to results/versions.jsonl.
"""

import argparse
import json
import os
import subprocess
import sys
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import record
from detectors import QUADRATIC
from measure import measure
from record import Row
from table import markdown, write

RESULTS = record.RESULTS / "versions.jsonl"
TIMEOUT = 3600.0
#: Detectors that need a model or labelled data besides the articles.
NEED_MORE = ("fusion", "vectors")
Pair = tuple[str, str]


@dataclass(frozen=True)
class Lines:
    """What a version printed, in a form that does not depend on the order of lines or fields."""

    relations: dict[Pair, Any]
    groups: set[str]


def relation(line: str) -> tuple[Pair, Any]:
    """A relation in one direction, with what is known of the pair; the spec is left out, its defaults may be new."""
    values = json.loads(line)
    values.pop("detector", None)
    pair = values.pop("left"), values.pop("right")
    return pair, values


def read(relations: Path, groups: Path) -> Lines:
    lines = [json.loads(line) for line in groups.open()]
    for line in lines:
        line.pop("group", None)
        line["members"] = sorted(line["members"])
        weakest = line["weakest"]
        if weakest and weakest["left"] > weakest["right"]:
            turned = {"left": "right", "right": "left", "forward": "backward", "backward": "forward"}
            line["weakest"] = {name: weakest[other] for name, other in turned.items()}
    return Lines(dict(map(relation, relations.open())), {json.dumps(line, sort_keys=True) for line in lines})


def revision(checkout: Path) -> str:
    command = ["git", "-C", str(checkout), "rev-parse", "--short=8", "HEAD"]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def run(checkout: Path, file: Path, spec: str, threads: int) -> tuple[Row, Lines]:
    """Group a file by one version; raises SystemExit with its message if it fails."""
    with TemporaryDirectory() as folder:
        groups, relations, log = (Path(folder) / name for name in ("groups", "relations", "log"))
        command = [sys.executable, "-m", "samestory.cli", "find", str(file), "-d", spec]
        command += ["--relations", str(relations), "--quiet", "--threads", str(threads)]
        environment = {**os.environ, "PYTHONPATH": str(checkout / "src")}
        cost = measure(command, groups, log, environment, TIMEOUT)
        if cost.exit_code != 0:
            sys.exit(f"{spec}, {checkout}: exit {cost.exit_code}\n{log.read_text()}")
        lines = read(relations, groups)
    row = {"cpu_seconds": cost.cpu_seconds, "peak_mb": cost.peak_mb}
    return {**row, "relations": len(lines.relations), "groups": len(lines.groups)}, lines


@dataclass(frozen=True)
class Difference:
    """Numbers of lines that are in one version only; `changed`: relations of both, with another kind or number."""

    relations_old: int
    relations_new: int
    changed: int
    groups_old: int
    groups_new: int


def compare(old: Lines, new: Lines, out: Path | None) -> Difference:
    """Count the lines that differ, and write them to a file."""
    only_old, only_new = old.relations.keys() - new.relations.keys(), new.relations.keys() - old.relations.keys()
    changed = [
        pair for pair in old.relations.keys() & new.relations.keys() if old.relations[pair] != new.relations[pair]
    ]
    found = Difference(
        len(only_old), len(only_new), len(changed), len(old.groups - new.groups), len(new.groups - old.groups)
    )
    if out and any(asdict(found).values()):
        with out.open("w") as lines:
            for pair in sorted({*only_old, *only_new, *changed}):
                print(json.dumps([pair, old.relations.get(pair), new.relations.get(pair)]), file=lines)
            for sign, groups in (("-", old.groups - new.groups), ("+", new.groups - old.groups)):
                print(*(sign + line for line in sorted(groups)), sep="\n", file=lines)
    return found


def specs(arguments: argparse.Namespace) -> list[str]:
    """The specs to run: every detector of the new version with its defaults."""
    if arguments.detectors:
        return list(arguments.detectors)
    code = "from samestory.detectors import DETECTORS; print(*sorted(DETECTORS))"
    environment = {**os.environ, "PYTHONPATH": str(arguments.new / "src")}
    found = subprocess.run([sys.executable, "-c", code], env=environment, check=True, capture_output=True, text=True)
    return [f"{name}()" for name in found.stdout.split() if name not in NEED_MORE]


def table() -> str:
    """The last rows of all detectors, in sum by corpus; detectors whose lines differ have a row of their own."""
    rows = {(row["corpus"]["name"], row["spec"]): row["measures"] for row in record.read(RESULTS)}
    head = ["corpus", "detectors", "relations", "only before", "only now", "changed", "groups that differ"]
    head += ["CPU s before", "now", "peak MB before", "now"]
    lines = []
    for corpus in sorted({corpus for corpus, _ in rows}):
        own = {spec: row for (name, spec), row in rows.items() if name == corpus}
        equal = [row for row in own.values() if not any(row["differences"].values())]
        lines.append(summed(corpus, f"{len(equal)}, equal lines", equal))
        lines += [summed(corpus, f"`{spec}`", [row]) for spec, row in sorted(own.items()) if row not in equal]
    return markdown(head, lines)


def summed(corpus: str, detectors: str, rows: list[Row]) -> list[str]:
    """A line of the table: sums of lines and CPU seconds, the largest peak of memory."""
    differences = [row["differences"] for row in rows]
    numbers = [sum(row["new"]["relations"] for row in rows)]
    numbers += [sum(each[name] for each in differences) for name in ("relations_old", "relations_new", "changed")]
    numbers += [sum(each["groups_old"] + each["groups_new"] for each in differences)]
    costs = [f"{sum(row[version]['cpu_seconds'] for row in rows):.1f}" for version in ("old", "new")]
    costs += [f"{max(row[version]['peak_mb'] for row in rows):.0f}" for version in ("old", "new")]
    return [corpus, detectors, *(f"{number:,}" for number in numbers), *costs]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", type=Path, help="JSON lines of articles")
    parser.add_argument("--old", type=Path, help="checkout of the version before")
    parser.add_argument("--new", type=Path, help="checkout of the version now")
    parser.add_argument("--detectors", nargs="+", metavar="SPEC", help="only these (default: all)")
    parser.add_argument("--skip", nargs="+", default=[], metavar="SPEC", help="not these")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--differences", type=Path, metavar="FOLDER", help="where to write the lines that differ")
    parser.add_argument("--write", type=Path, metavar="PAGE", help="only write the table, from the results")
    arguments = parser.parse_args()
    if arguments.write:
        write(arguments.write, table(), "versions")
        return
    if arguments.differences:
        arguments.differences.mkdir(parents=True, exist_ok=True)
    versions = {"old": revision(arguments.old), "new": revision(arguments.new)}
    date = record.now()
    for file in arguments.files:
        corpus = {"name": file.stem, "sha256": sha256(file.read_bytes()).hexdigest()}
        for spec in specs(arguments):
            if spec in arguments.skip or (spec in QUADRATIC and file.stat().st_size > 2**24):
                continue
            old, new = (run(tree, file, spec, arguments.threads) for tree in (arguments.old, arguments.new))
            out = arguments.differences and arguments.differences / f"{file.stem} {spec}"
            differences = asdict(compare(old[1], new[1], out))
            measures = {"old": old[0], "new": new[0], "differences": differences}
            print(spec, file.stem, json.dumps(record.rounded(measures)), flush=True)
            row = {"what": "versions", "spec": spec, "version": versions, "corpus": corpus}
            record.append(RESULTS, {**row, "date": date, "machine": record.machine(), "measures": measures})


if __name__ == "__main__":
    main()
