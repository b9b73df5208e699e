"""Short news that is hard to tell apart, and hard to bring together: every detector on the set in hard_news/.

    python benchmarks/hard_news.py [--detectors SPEC ...] [--languages en ru tr]     measure
    python benchmarks/hard_news.py --write docs/results.md                           only the tables, from the results

The judged pairs are compared as they are, so that no key can lose one.  Every detector is measured on the half "test"
with its own threshold, and with the one that is best on the half "dev".  Best is the greatest mean of two shares:
pairs of other stories kept apart, and pairs of the same story joined.  F1 would choose "all is the same" for a detector
that cannot distinguish them.  Words are counted on the articles of the language.  `time alone` compares only the hours
between two articles: a detector that is not better uses nothing of the texts.  Rows are added to
benchmarks/results/hard_news.jsonl.
"""

import argparse
import hashlib
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import record
from numpy.typing import NDArray
from record import Row
from table import markdown, number, write

from samestory import DETECTORS, Detector, __version__, _core, parse
from samestory.detectors import Native
from samestory.errors import SamestoryError
from samestory.lab.evaluation import GoldPairs, read_gold
from samestory.model import Article, Features, Pairs
from samestory.readers import Source, read
from samestory.text import prepare

SET = Path(__file__).parent / "hard_news"
LANGUAGES = ("en", "ru", "tr")
TIME_ALONE = "time alone"
#: Two pairs of other stories may lie years apart; these do not, and no window of time tells them.
CLOSE_HOURS = 48.0
#: A detector that compares as another one does.
LEFT_OUT = ("exhaustive",)
#: So many detectors stand in the table of kinds.
SHOWN = 6

Scores = NDArray[np.float64]


@dataclass(frozen=True)
class Half:
    """The judged pairs of one half: which are the same story, of which kind, how many hours apart."""

    same: NDArray[np.bool_]
    kinds: list[str]
    hours: NDArray[np.float64]
    rows: NDArray[np.int64]
    """Their numbers among all pairs of the language."""


@dataclass(frozen=True)
class Hard:
    """The pairs of one language with their articles."""

    language: str
    gold: GoldPairs
    features: Features
    pairs: Pairs
    digest: str

    @classmethod
    def load(cls, language: str, folder: Path = SET) -> "Hard":
        """The set of a language."""
        docs, pairs = (folder / language / f"{name}.jsonl" for name in ("docs", "pairs"))
        gold = read_gold(str(pairs), relation="semantic")
        assert isinstance(gold, GoldPairs)
        articles = [item for item in read(Source(str(docs))) if isinstance(item, Article)]
        at = {article.id: number for number, article in enumerate(articles)}
        rows = Pairs(*(np.array([at[one] for one in side], np.int64) for side in (gold.left, gold.right)))
        digest = hashlib.sha256(docs.read_bytes() + pairs.read_bytes()).hexdigest()[:16]
        return cls(language, gold, prepare(articles), rows, digest)

    def hours(self) -> NDArray[np.float64]:
        """The hours between the two articles of every pair."""
        times = np.array(self.features.microseconds, np.float64)
        return np.abs(times[self.pairs.left] - times[self.pairs.right]) / 3.6e9

    def half(self, split: str) -> Half:
        """One half of the pairs."""
        rows = np.flatnonzero(np.array(self.gold.columns["split"]) == split)
        kinds = [self.gold.columns["kind"][row] for row in rows]
        return Half(self.gold.labels[rows], kinds, self.hours()[rows], rows)


def compared(spec: str, hard: Hard) -> tuple[NDArray[np.bool_], Scores | None]:
    """Which pairs a detector relates by its own threshold; and the score of each, if there is a threshold to choose.

    A pair that no threshold would relate has the score -inf.
    """
    if spec == TIME_ALONE:
        hours = hard.hours()
        return hours <= 24, -hours
    detector = parse(spec).fit([hard.features])
    own = overlaps(detector, hard)
    if not hasattr(detector, "threshold"):
        return own > -np.inf, None
    return own > -np.inf, overlaps(replace(detector, threshold=0.0), hard)


def overlaps(detector: Detector, hard: Hard) -> Scores:
    """What the threshold cuts, for every pair; -inf where the detector does not relate it."""
    signatures = detector.sign(hard.features)
    found = detector.compare(signatures, signatures, hard.pairs)
    times = np.array(hard.features.microseconds, np.int64)
    sources = np.array([_core.detectors.source_hash(source or "") for source in hard.features.sources], np.uint64)
    sides = ((sources[rows], times[rows]) for rows in hard.pairs)
    native = detector.native if isinstance(detector, Native) else None
    dated = _core.detectors.dated(native, found.columns, *sides)
    found = found._replace(kinds=np.asarray(dated.kinds), scores=np.asarray(dated.scores))
    # an article without keys has no relations, whatever two such articles share
    filed = detector.keys(signatures).lengths() > 0
    met = filed[hard.pairs.left] & filed[hard.pairs.right]
    return np.where(met & (found.kinds > 0), found.score, -np.inf)


def chosen(scores: Scores, same: NDArray[np.bool_]) -> float:
    """The threshold with the greatest mean of pairs kept apart and pairs joined; of equal ones the highest."""
    real = scores[np.isfinite(scores)]
    cuts = [np.inf, *sorted(set(real.tolist()), reverse=True)]
    worth = [float(np.mean(scores[same] >= cut) + np.mean(scores[~same] < cut)) for cut in cuts]
    at = int(np.argmax(worth))
    # halfway to the next score that stays out, so that the cut does not hang on one pair
    below = cuts[at + 1] if at + 1 < len(cuts) else cuts[at]
    return float(cuts[at] if at == 0 else (cuts[at] + below) / 2)


def figures(half: Half, joined: NDArray[np.bool_]) -> dict[str, Any]:
    """What a decision about every pair is worth."""
    same, close = half.same, ~half.same & (half.hours <= CLOSE_HOURS)
    right = joined == same
    found, wrong = int(np.sum(joined & same)), int(np.sum(joined & ~same))
    by_kind: dict[str, dict[str, list[int]]] = {"other": {}, "same": {}}
    for kind, alike, answer in sorted(zip(half.kinds, same.tolist(), right.tolist(), strict=True)):
        count = by_kind["same" if alike else "other"].setdefault(kind, [0, 0])
        count[0] += answer
        count[1] += 1
    return {
        "apart": float(np.mean(~joined[~same])),
        "close_apart": float(np.mean(~joined[close])),
        "recall": float(np.mean(joined[same])),
        "f1": 2 * found / (found + wrong + int(same.sum())),
        "kinds": by_kind,
    }


def one(spec: str, hard: Hard) -> Row:
    """A detector on a language."""
    dev, test = hard.half("dev"), hard.half("test")
    row: Row = {"what": spec, "lang": hard.language, "digest": hard.digest, "pairs": len(test.rows)}
    try:
        own, scores = compared(spec, hard)
    except SamestoryError as error:
        return {**row, "failed": str(error).splitlines()[0]}
    row["own"] = figures(test, own[test.rows])
    if scores is not None:
        cut = chosen(scores[dev.rows], dev.same)
        shown = None if np.isinf(cut) else cut
        row |= {"threshold": shown, "tuned": figures(test, scores[test.rows] >= cut)}
    return row


def mean(rows: Sequence[Row], name: str) -> float:
    """How far a detector gets over all languages: the mean of pairs kept apart and pairs joined."""
    return float(sum(row[name]["apart"] + row[name]["recall"] for row in rows if name in row) / (2 * len(rows)))


def table(by_what: dict[str, dict[str, Row]], name: str) -> str:
    """One line a detector, the best first: kept apart, close ones kept apart, recall and F1 in every language."""
    languages = [each for each in LANGUAGES if any(each in rows for rows in by_what.values())]
    titles = ("apart", "close", "recall", "F1", *(["threshold"] if name == "tuned" else []))
    head = ["detector", *(f"{language} {title}" for language in languages for title in titles)]
    lines = []
    for what, rows in sorted(by_what.items(), key=lambda each: (-mean(list(each[1].values()), name), each[0])):
        if not any(name in row for row in rows.values()):
            continue
        cells = []
        for language in languages:
            row = rows.get(language, {})
            values = row.get(name, {})
            cells += [number(values.get(key)) for key in ("apart", "close_apart", "recall", "f1")]
            if name == "tuned":
                cells.append(number(row["threshold"]) if row.get("threshold") is not None else "none")
        lines.append([f"`{what.removesuffix('()')}`", *cells])
    return markdown(head, lines)


def kinds_table(by_what: dict[str, dict[str, Row]]) -> str:
    """The right answers in all languages by kind, of the best detectors that join any pair of one story."""
    able = {
        what: list(rows.values())
        for what, rows in by_what.items()
        if all("own" in row for row in rows.values()) and any(row["own"]["recall"] for row in rows.values())
    }
    best = sorted(able, key=lambda what: (-mean(able[what], "own"), what))[:SHOWN]
    parts = []
    for title, label in (("other stories, kept apart", "other"), ("the same story, joined", "same")):
        kinds = sorted({kind for what in best for row in able[what] for kind in row["own"]["kinds"][label]})
        lines = []
        for kind in kinds:
            counts = [[row["own"]["kinds"][label].get(kind, [0, 0]) for row in able[what]] for what in best]
            cells = [f"{sum(right for right, _ in each)}/{sum(count for _, count in each)}" for each in counts]
            lines.append([f"`{kind}`", *cells])
        parts.append(markdown([title, *(f"`{what.removesuffix('()')}`" for what in best)], lines))
    return "\n\n".join(parts)


def report(rows: list[Row]) -> str:
    """All tables, of the latest row for every detector and language."""
    by_what: dict[str, dict[str, Row]] = defaultdict(dict)
    for row in rows:
        by_what[row["what"]][row["lang"]] = row
    failed = {what: row["failed"] for what, found in by_what.items() for row in found.values() if "failed" in row}
    parts = [
        "With their own thresholds:",
        table(by_what, "own"),
        "With the threshold that is best on the other half (“none”: it joins nothing):",
        table(by_what, "tuned"),
        "By kind, right answers of all in all languages, with their own thresholds, of the best that join anything:",
        kinds_table(by_what),
    ]
    return "\n\n".join([*parts, *(f"Failed: {what} ({why})." for what, why in sorted(failed.items()))])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--detectors", nargs="+", metavar="SPEC", help="those to measure; otherwise all there are")
    parser.add_argument("--languages", nargs="+", default=LANGUAGES, choices=LANGUAGES)
    parser.add_argument("--results", type=Path, default=record.RESULTS)
    parser.add_argument("--write", type=Path, metavar="PAGE", help="measure nothing; put the tables into this page")
    options = parser.parse_args()
    results = options.results / "hard_news.jsonl"
    if options.write:
        write(options.write, report(list(record.read(results))), "hard-news")
        return
    # a detector has one name in the results, however it was asked for
    asked = [spec if spec == TIME_ALONE else str(parse(spec)) for spec in options.detectors or ()]
    specs = asked or [TIME_ALONE, *(f"{name}()" for name in sorted(DETECTORS) if name not in LEFT_OUT)]
    about = {"version": __version__, "machine": record.machine(), "date": record.now()}
    for language in options.languages:
        hard = Hard.load(language)
        for spec in specs:
            row = one(spec, hard) | about
            record.append(results, row)
            outcome = row.get("failed") or "  ".join(
                f"{name} {row[name]['apart']:.3f} {row[name]['recall']:.3f}" for name in ("own", "tuned") if name in row
            )
            print(f"{language}  {spec}  {outcome}", flush=True)


if __name__ == "__main__":
    main()
