"""The table of all detectors: speed, memory and growth on planted corpora, quality there and on labelled news.

    python benchmarks/detectors.py [--sizes 10k 100k] [--repeat 2] [--detectors SPEC ...]     measure
    python benchmarks/detectors.py --write docs/results.md     only the tables, from the results

What is measured is what run.py measures, for every detector that there is, without the peers; rows go to
benchmarks/results/detectors.jsonl.  The last columns come from quality.jsonl, which quality.py writes, and from
audit.jsonl, which audit.py writes.
"""

import argparse
import math
import subprocess
import sys
from datetime import datetime
from pathlib import Path
from typing import Any

import audit
import record
from quality import known, latest, main_of, marks, taught_mark
from record import Row
from run import HERE, MILLION, find_samestory
from table import FLOOR, Session, markdown, number, seconds, write

from samestory import parse

#: Detectors that compare all pairs by design: one for measuring, and one for the items of a single day.
QUADRATIC = ("exhaustive()", "semshort()")
#: Labelled news beside the planted corpora: the name of a set, and what to call its main measure.
LABELLED = {"reuters_slug": "reuters_slug F1, no dates", "tr_mds": "tr_mds B³"}
#: The dated collection, without labels, whose audit is shown beside them, dates withheld.
AUDITED = "reuters_2006_2010"


def measured(row: Row | None, *path: str) -> float | None:
    """A measure of a run of relations; none where the run or the measure is missing."""
    found: Any = row and row["measures"]
    for key in path:
        found = found.get(key) if isinstance(found, dict) else None
    return found


def judged(row: Row) -> str:
    """The main measure on labelled news, whether the detector was taught there, and the unjudged pairs."""
    return f"{number(main_of(row['own'])[0])}{marks(row)}"


def growth(small: Session | None, large: Session, what: str) -> float | None:
    """The exponent of time between two sizes; the time that Python needs to start is taken off."""
    if small is None or what not in small.timed or what not in large.timed:
        return None
    times = [max(sum(row["stages"].values()) for row in session.timed[what]) for session in (small, large)]
    return math.log(times[1] / times[0]) / math.log(large.articles / small.articles)


def table(rows: list[Row], quality: list[Row], audits: list[Row]) -> str:
    """One line a detector, the best first."""
    sizes = sorted({row["corpus"]["articles"] for row in rows if row["corpus"]["articles"] < MILLION})
    if not sizes:
        return "Nothing is recorded yet."
    million = by_detector(rows, MILLION)
    last = {place: row for place, row in latest(quality).items() if "own" in row}
    head = ["detector", "articles/s", "peak MB", "× floor", "growth", "to 1M", "pair P", "pair R", "pair F1", "B³ F1"]
    typed = ["exact", "near", "parts", "template"]
    false_drops = {
        what: number(row["withheld"]["presumed_false_per_thousand"]["rate"], 2) + taught_mark(name, what)
        for (name, what), row in audit.latest(audits).items()
        if name == AUDITED
    }
    head += [*typed, *LABELLED.values(), *(["false drops per 1,000"] if false_drops else [])]
    lines, failed = [], {}
    # a detector that is new is measured by itself: of each the latest session counts, with the floor of that session
    smaller = by_detector(rows, sizes[-2]) if len(sizes) > 1 else {}
    for what, large in by_detector(rows, sizes[-1]).items():
        if what in large.failed:
            failed[what] = large.failed[what]
        if what not in large.timed or large.kind(what) != "samestory":
            continue
        small = smaller.get(what)
        spec = large.timed[what][0]["spec"]
        run, relations = large.timed[what][-1], large.typed.get(what)
        scores = run["measures"]
        found = [
            measured(relations, "exact", "reported"),
            measured(relations, "near_from_0.3", "reported"),
            measured(relations, "contains_recall"),
            measured(relations, "template", "reported"),
        ]
        labelled = [judged(last[name, spec]) if (name, spec) in last else "" for name in LABELLED]
        lines.append(
            (
                -(scores.get("b3_f1") or 0),
                [
                    f"`{spec.removesuffix('()')}`",
                    f"{large.articles / large.median(what, 'seconds'):,.0f}",
                    f"{large.median(what, 'peak_mb'):.0f}",
                    number(large.ratio(what, FLOOR), 1),
                    number(growth(small, large, what), 2),
                    number(growth(beside(rows, sizes[-1], million[what], what), million[what], what), 2)
                    if what in million
                    else "",
                    *(number(scores.get(name)) for name in ("pair_precision", "pair_recall", "pair_f1", "b3_f1")),
                    *(number(value) for value in found),
                    *labelled,
                    *([false_drops.get(spec, "")] if false_drops else []),
                ],
            )
        )
    text = markdown(head, [line for _, line in sorted(lines)])
    newest = by_detector(rows, sizes[-1])[FLOOR]
    row = newest.rows[0]
    steps = f", growth from {sizes[-2]:,}" if len(sizes) > 1 else ""
    steps += f" and on to {MILLION:,} for the fast ones" if million else ""
    about = (
        f"{sizes[-1]:,} planted articles on {row['machine']['cores']} cores{steps}, {row['date'][:10]}: from the "
        f"file to groups, in a process of its own; `{FLOOR}`, which ran beside each, needs "
        f"{seconds(newest.median(FLOOR, 'seconds'))} s."
    )
    return "\n\n".join([about, text, *(f"Failed: {what} ({why})." for what, why in failed.items())])


def sessions(rows: list[Row], articles: int) -> dict[str, Session]:
    """The sessions on a corpus of this size, by their dates, the oldest first."""
    here = [row for row in rows if row["corpus"]["articles"] == articles]
    return {date: Session([r for r in here if r["date"] == date]) for date in sorted({r["date"] for r in here})}


def by_detector(rows: list[Row], articles: int) -> dict[str, Session]:
    """For everything that ran on a corpus of this size, the latest session that has it."""
    found = sessions(rows, articles).values()
    return {what: session for session in found for what in (*session.timed, *session.failed)}


def beside(rows: list[Row], articles: int, session: Session, what: str) -> Session | None:
    """The session on a corpus of this size that is nearest in time: machines have moods."""
    when = _seconds(session.rows[0]["date"])
    near = [
        (abs(_seconds(date) - when), other) for date, other in sessions(rows, articles).items() if what in other.timed
    ]
    return min(near, key=lambda each: each[0], default=(0.0, None))[1]


def _seconds(date: str) -> float:
    return datetime.fromisoformat(date).timestamp()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--sizes", nargs="+", default=["10k", "100k"])
    parser.add_argument("--repeat", type=int, default=2)
    parser.add_argument("--detectors", nargs="+", metavar="SPEC", help="those to measure; otherwise all there are")
    parser.add_argument("--samestory", help="the command to measure; otherwise that of this interpreter")
    parser.add_argument("--results", type=Path, default=record.RESULTS)
    parser.add_argument("--write", type=Path, metavar="PAGE", help="measure nothing; put the table into this page")
    options, more = parser.parse_known_args()
    if options.write:
        rows = list(record.read(options.results / "detectors.jsonl"))
        quality = list(record.read(options.results / "quality.jsonl"))
        audits = list(record.read(options.results / "audit.jsonl"))
        write(options.write, table(rows, quality, audits), "detectors")
        return
    command = find_samestory(options.samestory)
    if not command:
        sys.exit("detectors: no samestory command (hint: --samestory COMMAND)")
    named = [str(parse(spec)) for spec in options.detectors or ()]
    specs = named or [spec for spec in known(command) if spec not in QUADRATIC]
    words = ["--name", "detectors", "--peers", "none", "--samestory", command, "--results", str(options.results)]
    words += ["--sizes", *options.sizes, "--repeat", str(options.repeat), *more, "--detectors", *specs]
    subprocess.run([sys.executable, HERE / "run.py", *words], check=True)


if __name__ == "__main__":
    main()
