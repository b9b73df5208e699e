"""Short news in Vietnamese, Thai, Chinese and Japanese: pairs of one event, on the set in scripts_news/.

    python benchmarks/scripts_news.py [--languages vi th zh ja]      measure
    python benchmarks/scripts_news.py --write docs/results.md        only the table, from the results

Precision, recall and F1 over all pairs of items of one half of a language.

pairs   `event` with its own threshold, each pair of items compared by itself, without calibration
find    `samestory.find(articles, detector="event")` on all items of the language: pairs of items in one group
cosine  the detector `cosine` (TF-IDF), pairs compared as above, with the threshold of the highest F1 on the half "dev"

Rows go to benchmarks/results/scripts_news.jsonl.
"""

import argparse
import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import record
from hard_news import Scores, overlaps
from numpy.typing import NDArray
from record import Row
from table import markdown, number, write

from samestory import __version__, find, parse
from samestory.lab.evaluation import GoldGroups, read_gold
from samestory.model import Article, Features, Pairs
from samestory.readers import Source, read
from samestory.text import prepare

SET = Path(__file__).parent / "scripts_news"
RESULTS = "scripts_news.jsonl"
LANGUAGES = {"vi": "Vietnamese", "th": "Thai", "zh": "Chinese", "ja": "Japanese"}
SPLITS = ("dev", "test")
METHODS = {
    "pairs": "`event`, single pairs",
    "find": "`event`, groups of `find`",
    "cosine": "`cosine`, threshold of `dev`",
}

Mask = NDArray[np.bool_]


@dataclass(frozen=True)
class News:
    """The items of one language and all pairs of items of one half."""

    language: str
    articles: list[Article]
    features: Features
    pairs: Pairs
    same: Mask
    """By pair: whether both items report one event."""
    splits: NDArray[np.str_]
    """By pair: its half."""
    digest: str

    @classmethod
    def load(cls, language: str, folder: Path = SET) -> "News":
        """Read the set of a language."""
        docs, clusters = (folder / language / f"{name}.jsonl" for name in ("docs", "clusters"))
        articles = [item for item in read(Source(str(docs))) if isinstance(item, Article)]
        gold = read_gold(str(clusters))
        assert isinstance(gold, GoldGroups)
        row = {id: at for at, id in enumerate(gold.articles)}
        order = [row[article.id] for article in articles]
        events, splits = np.array(gold.groups)[order], np.array(gold.columns["split"])[order]
        left, right = np.triu_indices(len(articles), 1)
        within = splits[left] == splits[right]
        pairs = Pairs(left[within], right[within])
        digest = hashlib.sha256(docs.read_bytes() + clusters.read_bytes()).hexdigest()[:16]
        same = events[pairs.left] == events[pairs.right]
        return cls(language, articles, prepare(articles), pairs, same, splits[pairs.left], digest)

    def scores(self, spec: str) -> Scores:
        """Compare every pair by itself; -inf where the detector does not relate it."""
        return overlaps(parse(spec).fit([self.features]), self)

    def grouped(self) -> Mask:
        """Return which pairs `find` puts into one group."""
        groups = find(self.articles, detector="event")
        group = {id: number for number, each in enumerate(groups) for id in each.members}
        of = np.array([group[article.id] for article in self.articles])
        return of[self.pairs.left] == of[self.pairs.right]

    def measures(self, joined: Mask, split: str) -> dict[str, float]:
        """Precision, recall and F1 of the joined pairs of a half."""
        half = self.splits == split
        both, found, wanted = (int(np.sum(each & half)) for each in (joined & self.same, joined, self.same))
        return {"precision": both / max(1, found), "recall": both / wanted, "f1": 2 * both / (found + wanted)}


def best_threshold(news: News, scores: Scores) -> float:
    """Return the score with the highest F1 on `dev`; of equal ones the highest."""
    cuts = sorted(set(scores[np.isfinite(scores) & (news.splits == "dev")].tolist()), reverse=True)
    return float(max(cuts, key=lambda cut: news.measures(scores >= cut, "dev")["f1"]))


def measured(news: News) -> Iterator[Row]:
    """Yield a row for each method."""
    cosines = news.scores("cosine(threshold=0)")
    threshold = best_threshold(news, cosines)
    joined: dict[str, tuple[Mask, Row]] = {
        "pairs": (np.isfinite(news.scores("event")), {}),
        "find": (news.grouped(), {}),
        "cosine": (cosines >= threshold, {"threshold": threshold}),
    }
    for method, (mask, settings) in joined.items():
        about = {"what": method, "lang": news.language, "digest": news.digest, "items": len(news.articles)}
        yield about | settings | {split: news.measures(mask, split) for split in SPLITS}


def table(rows: list[Row]) -> str:
    """Return the table of the latest row of every language and method."""
    last: dict[tuple[str, str], dict[str, Any]] = {(row["lang"], row["what"]): row for row in rows}
    if not last:
        return "Nothing is recorded yet."
    columns = (("test", "precision"), ("test", "recall"), ("test", "f1"), ("dev", "f1"))
    lines = [
        [LANGUAGES[language], title, *(number(row[split][name]) for split, name in columns)]
        for language in LANGUAGES
        for method, title in METHODS.items()
        if (row := last.get((language, method)))
    ]
    return markdown(["language", "method", "precision", "recall", "F1", "F1 on dev"], lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--languages", nargs="+", default=LANGUAGES, choices=LANGUAGES)
    parser.add_argument("--results", type=Path, default=record.RESULTS)
    parser.add_argument("--write", type=Path, metavar="PAGE", help="measure nothing; put the table into this page")
    options = parser.parse_args()
    if options.write:
        write(options.write, table(list(record.read(options.results / RESULTS))), "scripts-news")
        return
    about = {"version": __version__, "machine": record.machine(), "date": record.now()}
    for language in options.languages:
        for row in measured(News.load(language)):
            record.append(options.results / RESULTS, row | about)
            print(language, row["what"], *(f"{split} {row[split]['f1']:.3f}" for split in SPLITS), flush=True)


if __name__ == "__main__":
    main()
