"""Markdown tables from benchmarks/results/ alone; nothing is measured here.

    python benchmarks/table.py [--name speed]          print them
    python benchmarks/table.py --write docs/results.md     put them between <!-- bench:begin --> and <!-- bench:end -->

For each corpus size the latest session counts.  A session's numbers are medians over its rounds; ratios are
taken within a round, where everything ran side by side, and then their median.
"""

import argparse
import itertools
import math
import statistics
from collections.abc import Callable
from pathlib import Path
from typing import Any

import record
from record import Row

FLOOR = "floor tok"  # reads, parses, splits, hashes: what all detectors must do


def markdown(head: list[str], rows: list[list[str]]) -> str:
    rule = ["---" if i == 0 else "---:" for i in range(len(head))]
    return "\n".join("| " + " | ".join(row) + " |" for row in [head, rule, *rows])


def number(value: float | None, digits: int = 3) -> str:
    return "" if value is None else f"{value:.{digits}f}"


def seconds(value: float) -> str:
    return f"{value:.2f}" if value < 100 else f"{value:.0f}"


class Session:
    """The rows of one session on one corpus, by what ran."""

    def __init__(self, rows: list[Row]) -> None:
        self.rows = rows
        self.articles: int = rows[0]["corpus"]["articles"]
        self.timed: dict[str, list[Row]] = {}
        self.typed: dict[str, Row] = {}
        self.failed: dict[str, str] = {}
        for row in rows:
            if "failed" in row:
                self.failed[row["what"]] = row["failed"]
            elif row["kind"] == "relations":
                self.typed[row["what"]] = row
            else:
                self.timed.setdefault(row["what"], []).append(row)

    def median(self, what: str, key: str) -> float:
        return float(statistics.median(row[key] for row in self.timed[what]))

    def kind(self, what: str) -> str:
        return str(self.timed[what][0]["kind"])

    def fastest_peer(self) -> str | None:
        names = [what for what in self.timed if self.kind(what) == "peer"]
        return min(names, key=lambda what: self.median(what, "seconds"), default=None)

    def ratio(self, what: str, other: str | None) -> float | None:
        """How many times as long `what` took as `other`: the median over the rounds that have both."""
        theirs = {row["round"]: row["seconds"] for row in self.timed.get(other or "", [])}
        ratios = [row["seconds"] / theirs[row["round"]] for row in self.timed[what] if row["round"] in theirs]
        return statistics.median(ratios) if ratios else None


def latest(rows: list[Row]) -> list[Session]:
    """For each corpus size, smallest first, the rows of the latest session that ran on it."""
    last: dict[int, str] = {}
    for row in rows:
        count = row["corpus"]["articles"]
        last[count] = max(last.get(count, ""), row["date"])
    return [
        Session([row for row in rows if row["corpus"]["articles"] == count and row["date"] == date])
        for count, date in sorted(last.items())
    ]


def speed_table(session: Session) -> str:
    """Time, memory, quality and ratios of all that ran."""
    head = ["", "version", "s", "CPU s", "peak MB", "× floor", "× as fast", "pair P", "pair R", "pair F1"]
    head += ["B³ P", "B³ R", "B³ F1"]
    fastest = session.fastest_peer()
    order = {"floor": 0, "samestory": 1, "peer": 2}
    rows = []
    for what in sorted(session.timed, key=lambda w: (order[session.kind(w)], session.median(w, "seconds"))):
        row = session.timed[what][-1]
        slower = session.ratio(what, fastest)
        scores = row["measures"]
        names = ["pair_precision", "pair_recall", "pair_f1", "b3_precision", "b3_recall", "b3_f1"]
        rows.append(
            [
                f"**{what}**" if session.kind(what) == "samestory" else what,
                row["version"],
                seconds(session.median(what, "seconds")),
                seconds(session.median(what, "cpu_seconds")),
                f"{session.median(what, 'peak_mb'):.0f}",
                number(session.ratio(what, FLOOR), 1),
                number(1 / slower if slower else None, 2),
                *(number(scores.get(name)) for name in names),
            ]
        )
    lines = [markdown(head, rows)]
    lines += [f"\nFailed: {what} ({why})." for what, why in session.failed.items()]
    return "\n".join(lines)


def stage_table(session: Session) -> str:
    """Seconds by stage, for those that tell (medians over the rounds)."""
    rows = []
    for what, runs in session.timed.items():
        names = list(dict.fromkeys(name for row in runs for name in row["stages"]))
        if names:
            medians = [(name, statistics.median(row["stages"].get(name, 0.0) for row in runs)) for name in names]
            rows.append([what, ", ".join(f"{name} {value:.2f}" for name, value in medians)])
    return markdown(["", "seconds by stage"], rows) if rows else ""


# What is asked of the relations: a name, how to read it from the measures, and the goal.
TYPED: list[tuple[str, Callable[[dict[str, Any]], float | None], str]] = [
    ("exact copies as IDENTICAL", lambda m: m["exact"]["as_identical"], "1.0"),
    ("near, Jaccard ≥ 0.3, as NEAR or UPDATE", lambda m: m["near_from_0.3"]["as_near"], "≥ 0.95"),
    ("near, Jaccard ≥ 0.3, reported at all", lambda m: m["near_from_0.3"]["reported"], ""),
    ("near, Jaccard ≥ 0.7, as NEAR or UPDATE", lambda m: m["near_0.7_to_1.0"]["as_near"], ""),
    ("near, 0.5 to 0.7, as NEAR or UPDATE", lambda m: m["near_0.5_to_0.7"]["as_near"], ""),
    ("near, 0.3 to 0.5, as NEAR or UPDATE", lambda m: m["near_0.3_to_0.5"]["as_near"], ""),
    ("near, under 0.3, as NEAR or UPDATE", lambda m: m["near_0.0_to_0.3"]["as_near"], ""),
    ("containment as PART_OF, HAS_PART or UPDATE", lambda m: m["contains_recall"], "≥ 0.95"),
    ("containment in the right direction", lambda m: m["contains_direction"], "≥ 0.99"),
    ("template siblings as NEAR or UPDATE", lambda m: m["template"]["as_near"], "≤ 0.02"),
    ("template siblings reported at all", lambda m: m["template"]["reported"], ""),
    ("same topic, reported at all (pairs)", lambda m: m["topic_reported"], ""),
    ("unrelated, reported at all (pairs)", lambda m: m["other_reported"], ""),
]


def typed_table(session: Session) -> str:
    """The kinds of samestory's relations against the planted ones."""
    names = list(session.typed)
    rows = []
    for text, value, goal in TYPED:
        cells = []
        for name in names:
            found = value(session.typed[name]["measures"])
            cells.append(str(found) if isinstance(found, int) else number(found, 4))
        rows.append([text, *cells, goal])
    return markdown(["relations", *names, "goal"], rows) if names else ""


def growth_table(sessions: list[Session]) -> str:
    """From each size to the next: the exponent of time (1 is linear) and how memory grew."""
    rows = []
    for small, large in itertools.pairwise(sessions):
        times = large.articles / small.articles
        for what in small.timed:
            if what in large.timed:
                slower = large.median(what, "seconds") / small.median(what, "seconds")
                more = large.median(what, "peak_mb") / small.median(what, "peak_mb")
                exponent = math.log(slower) / math.log(times)
                steps = f"{small.articles} → {large.articles}"
                rows.append([what, steps, f"{slower:.1f}", number(exponent, 2), f"{more:.1f}"])
    return markdown(["", "articles", "time ×", "time exponent", "memory ×"], rows) if rows else ""


def report(rows: list[Row], brief: bool) -> str:
    """All tables; in brief, speed and relations at the largest size at which relations were scored, and growth."""
    sessions = latest(rows)
    if not sessions:
        return "Nothing is recorded yet."
    out = []
    for session in [s for s in sessions if s.typed][-1:] if brief else sessions:
        row = session.rows[0]
        size, machine = row["corpus"]["bytes"] / 1e6, row["machine"]
        rounds = max(r["round"] for r in session.rows) + 1
        out.append(f"### {session.articles:,} articles ({size:.0f} MB)")
        out.append(
            f"Rounds: {rounds}, medians. Cores: {machine['cores']} of {machine['cpu']} ({machine['arch']}), "
            f"{row['date'][:10]}. Corpus sha256 {row['corpus']['digest'][:12]}. "
            f"“× floor”: times as long as `{FLOOR}`. "
            f"“× as fast”: times as fast as the fastest peer, {session.fastest_peer() or 'which did not run'}."
        )
        out += [part for part in (speed_table(session), typed_table(session)) if part]
        if not brief:
            out += [part for part in (stage_table(session),) if part]
    growth = growth_table(sessions[-2:] if brief else sessions)
    if growth:
        out += ["### Growth", growth]
    return "\n\n".join(out)


def write(path: Path, text: str, name: str) -> None:
    """Replace what stands between the two marks of this name in a file."""
    first, last = f"<!-- {name}:begin -->", f"<!-- {name}:end -->"
    before, begin, rest = path.read_text(encoding="utf-8").partition(first)
    _, end, after = rest.partition(last)
    if not begin or not end:
        raise SystemExit(f"table: {path} must hold {first} and {last}, in this order")
    path.write_text(f"{before}{first}\n\n{text}\n\n{last}{after}", encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--name", default="speed", help="of the file under the results folder")
    parser.add_argument("--results", type=Path, default=record.RESULTS)
    parser.add_argument(
        "--write", type=Path, metavar="FILE", help="put the brief tables between the marks of this file"
    )
    options = parser.parse_args()
    text = report(list(record.read(options.results / f"{options.name}.jsonl")), brief=options.write is not None)
    if options.write:
        write(options.write, text, "bench")
    else:
        print(text)


if __name__ == "__main__":
    main()
