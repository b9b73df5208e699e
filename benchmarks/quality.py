"""The quality table: all detectors on all labelled collections, with intervals, beside speed and memory.

    python benchmarks/quality.py [--data DIR] [--samestory COMMAND] [--detectors SPEC ...] [--sets NAME ...]
    python benchmarks/quality.py --write docs/results.md      only the tables, from the results

Every detector runs with its own threshold (what a user gets) and with the threshold that `samestory tune` chooses
on one half of the gold and reports on the other (what a user gets after an afternoon of judging).  Time and memory
are those of `samestory relate` on the collection.  A detector that cannot report what a gold is about has no figure
there.  Dates are withheld where they give the answers away (sets.py).  Each run appends a row to
benchmarks/results/quality.jsonl; a new detector needs nothing here.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import record
from measure import measure
from record import Row
from run import find_samestory, version_of
from sets import SETS, Set, was_taught
from table import markdown, write

from samestory import parse

REPEAT = 3
#: Who takes so many seconds is run once: what else the machine does weighs little then.
LONG = 30.0


def ask(command: str, words: list[str]) -> list[dict[str, Any]] | str:
    """The JSON lines of a command, or why there are none."""
    done = subprocess.run([command, *words, "--json"], capture_output=True, text=True, check=False)
    if done.returncode:
        return done.stderr.strip().splitlines()[0].removeprefix("samestory: ")
    return [json.loads(line) for line in done.stdout.splitlines()]


def short(figures: dict[str, dict[str, Any]]) -> dict[str, Any]:
    return {name: [f["value"], f["low"], f["high"]] for name, f in figures.items()}


def cost(command: str, spec: str, docs: Path) -> dict[str, float]:
    """Seconds (the median) and peak memory of relating the collection."""
    runs = []
    with tempfile.TemporaryDirectory() as folder:
        out, log = Path(folder) / "out", Path(folder) / "log"
        for _ in range(REPEAT):
            runs.append(measure([command, "relate", str(docs), "-d", spec], out, log, dict(os.environ), 3600))
            if runs[-1].exit_code:
                raise SystemExit(f"quality: {spec}: {log.read_text()}")
            if runs[-1].seconds > LONG:
                break
    return {"seconds": statistics.median(run.seconds for run in runs), "peak_mb": max(run.peak_mb for run in runs)}


#: What stands behind the figure of a detector that was taught on the collection.
TAUGHT = "†"


def one(command: str, spec: str, each: Set, data: Path, folder: Path) -> Row:
    gold, docs = each.judgements(data, folder), each.documents(data, folder)
    words = ["--gold", str(gold), "--docs", str(docs), "-d", spec, *each.options]
    found = ask(command, ["evaluate", *words])
    row: Row = {"what": spec, "set": each.name, "digest": each.digest(data), "dates": dates(each)}
    if isinstance(found, str):
        return {**row, "failed": found.replace(f"{gold}: ", "")}
    row |= {"judged": found[0]["judged"], "relation": found[0]["relation"]}
    row |= {"own": short(found[1]["figures"]), "unjudged": found[1]["unjudged"], **cost(command, spec, docs)}
    if found[1]["threshold"] is not None:
        tuned = ask(command, ["tune", *words])
        if isinstance(tuned, str):
            row["untuned"] = tuned
        else:
            row |= {"tuned": short(tuned[0]["figures"]), "tuned_spec": tuned[0]["detector"]}
    return row


def dates(each: Set) -> str:
    return "withheld" if each.withheld else "given"


def latest(rows: list[Row]) -> dict[tuple[str, str], Row]:
    """The last row of every detector on every collection, dates withheld where they give answers away."""
    withheld = {each.name for each in SETS if each.withheld}
    return {
        (row["set"], row["what"]): row
        for row in rows
        if row["set"] not in withheld or row.get("dates") == "withheld" or "failed" in row
    }


def taught_mark(name: str, what: str) -> str:
    """The mark of a detector that was taught on the collection of this name."""
    return TAUGHT if was_taught(name, what) else ""


def marks(row: Row) -> str:
    """What stands behind a figure: whether the detector was taught there, and how many pairs are unjudged."""
    unjudged = f" +{row['unjudged']:,}" if next(iter(row["own"])).startswith("pair") else ""
    return f"{taught_mark(row['set'], row['what'])}{unjudged}"


def known(command: str) -> list[str]:
    """The detectors that there are, with their defaults."""
    listed = subprocess.run([command, "detectors", "--json"], capture_output=True, text=True, check=True).stdout
    return [f"{json.loads(line)['name']}()" for line in listed.splitlines()]


def figure(values: list[float | None] | None) -> str:
    if not values or values[0] is None:
        return "–"
    if values[1] is None or values[2] is None:
        return f"{values[0]:.3f}"
    return f"{values[0]:.3f} ({values[1]:.3f}–{values[2]:.3f})"


def main_of(figures: dict[str, Any]) -> list[float | None]:
    """The main measure stands first."""
    return next(iter(figures.values()))  # type: ignore[no-any-return]


def tables(rows: list[Row]) -> str:
    """One table for every collection, of the latest row for every detector on it."""
    last = latest(rows)
    parts = []
    for each in SETS:
        there = [row for (name, _), row in last.items() if name == each.name]
        if not there:
            continue
        measured = next((row for row in there if "own" in row), None)
        names = list(measured["own"]) if measured else []
        short_names = [name.replace("(unjudged='out')", "").replace("()", "") for name in names[:3]]
        head = ["detector", *short_names, "unjudged", f"tuned {short_names[0]}" if names else "", "s", "MB"]
        lines = []
        there.sort(key=lambda row: -((main_of(row["own"])[0] or 0) if "own" in row else -1))
        for row in there:
            if "failed" in row:
                lines.append([f"`{row['what']}`", *["–"] * len(short_names), "–", "–", "", ""])
                continue
            tuned = row.get("tuned")
            lines.append(
                [
                    f"`{row['what']}`{taught_mark(each.name, row['what'])}",
                    *(figure(row["own"][name]) for name in names[:3]),
                    f"{row['unjudged']:,}",
                    f"{figure(main_of(tuned))} `{row['tuned_spec']}`" if tuned else "–",
                    f"{row['seconds']:.2f}",
                    f"{row['peak_mb']:.0f}",
                ]
            )
        judged = f", {measured['judged']:,} judged" if measured else ""
        undated = "; dates withheld" if each.withheld else ""
        parts.append(f"### {each.name}\n\n{each.about}{judged}{undated}\n\n{markdown(head, lines)}")
    return "\n\n".join(parts)


def brief(rows: list[Row]) -> str:
    """The detectors that were measured on every collection: the main measure and the unjudged pairs."""
    last = latest(rows)
    sets = [each for each in SETS if not each.language and any(name == each.name for name, _ in last)]
    whats = [w for w in dict.fromkeys(what for _, what in last) if all((each.name, w) in last for each in sets)]

    def cell(each: Set, what: str) -> str:
        row = last.get((each.name, what), {})
        if "own" not in row:
            return "–"
        return f"{figure(main_of(row['own']))}{marks(row)}"

    def measured(each: Set) -> str:
        row = next(row for (name, _), row in last.items() if name == each.name and "own" in row)
        return str(next(iter(row["own"]))).partition("(")[0]

    names = [f"{each.name}, no dates" if each.withheld else each.name for each in sets]
    lines = [[name, measured(each), *(cell(each, w) for w in whats)] for name, each in zip(names, sets, strict=True)]
    return markdown(["collection", "measure", *(f"`{what}`" for what in whats)], lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    beside = Path(__file__).resolve().parents[2] / "shared" / "data"
    parser.add_argument("--data", type=Path, default=beside, help="folder of the collections")
    parser.add_argument("--samestory", help="the command to measure; otherwise that of this interpreter")
    parser.add_argument("--detectors", nargs="+", metavar="SPEC", help="those to measure; otherwise all there are")
    parser.add_argument("--sets", nargs="+", default=[s.name for s in SETS], choices=[s.name for s in SETS])
    parser.add_argument("--results", type=Path, default=record.RESULTS)
    parser.add_argument("--write", type=Path, metavar="PAGE", help="measure nothing; put the tables into this page")
    options = parser.parse_args()
    results = options.results / "quality.jsonl"
    if options.write:
        rows = list(record.read(results))
        write(options.write, tables(rows), "quality")
        write(options.write, brief(rows), "quality-brief")
        return
    present = [each for each in SETS if each.name in options.sets and each.is_there(options.data)]
    if not present:
        print("quality: none of the labelled collections is here, so nothing was measured (hint: --data DIR)")
        return
    command = find_samestory(options.samestory)
    if not command:
        sys.exit("quality: no samestory command (hint: --samestory COMMAND)")
    about = {"version": version_of(command), "machine": record.machine(), "date": record.now()}
    with tempfile.TemporaryDirectory() as folder:
        for each in present:
            for spec in map(str, map(parse, options.detectors)) if options.detectors else known(command):
                row = one(command, spec, each, options.data, Path(folder)) | about
                record.append(results, row)
                result = row.get("failed") or f"{figure(main_of(row['own']))}  {row['seconds']:.2f} s"
                print(f"{each.name}  {spec}  {result}", flush=True)


if __name__ == "__main__":
    main()
