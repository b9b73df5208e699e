"""Judged pairs of news items, in two halves: one to learn from, one to judge by; and pairs that meet by chance."""

import gzip
import hashlib
import json
import random
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np

from samestory.detectors import parse
from samestory.model import Article
from samestory.text import prepare

HARD = Path(__file__).parent / "hard_news"
#: Of a set of groups: how large a share of the pairs across groups is drawn, besides those of one topic.
ACROSS = 0.01
#: News without labels, of which two items are hardly ever of one event: where dates are known, only such as lie a month
#: apart are paired.
UNRELATED = {
    "en": ("scale/reuters_2006_2010.jsonl.gz",),
    "tr": ("tr_unlabelled/docs.jsonl.gz",),
    "ru": ("ner_ru_nerel/train.jsonl.gz", "ner_ru_nerel/dev.jsonl.gz"),
    "fi": ("scale/fi_short_news.jsonl.gz",),
}
MONTH = 30
#: So many pairs are drawn, of so many items at most, and so many words of a text are left (0: the headline alone).
CHANCES, DRAWN = 6000, 12_000
LENGTHS = (0, 12, 25, 40, 80)


@dataclass(frozen=True)
class Pair:
    left: Article
    right: Article
    same: bool


def items(pairs: Iterable[Pair]) -> list[Article]:
    """The items of pairs, each once."""
    return list({a.id: a for pair in pairs for a in (pair.left, pair.right)}.values())


def half(*names: str) -> int:
    """Which half something is in, by its name."""
    return hashlib.sha256("/".join(names).encode()).digest()[0] & 1


def rows(path: Path) -> Iterable[dict[str, Any]]:
    """The lines of a file, packed or not."""
    with gzip.open(path, "rt") if path.suffix == ".gz" else path.open() as lines:
        yield from map(json.loads, lines)


def _article(row: dict[str, Any]) -> Article:
    published = row.get("published") or row.get("date")
    return Article(row["id"], row["text"], title=row.get("title"), published=published, lang=row.get("lang"))


def _label(name: str, row: dict[str, Any]) -> bool | None:
    if name == "semeval22t8_truncated":
        return bool(row["orig"] <= 2)
    if name == "paraphraser_ru":
        return bool(row["orig"] >= 0)
    return {"same": True, "contains": True, "other": False}.get(row["label"])


def set_pairs(data: Path, name: str, side: int) -> list[Pair]:
    """The judged pairs of a collection that are in a half. Of one with groups: all pairs in a group and, if it has
    topics, in a topic, and some of the others; topics and groups are in one half with all their pairs."""
    articles = {row["id"]: _article(row) for row in rows(data / name / "docs.jsonl.gz")}
    judged = data / name / "pairs.jsonl.gz"
    if judged.exists():
        labelled = ((row["a"], row["b"], _label(name, row)) for row in rows(judged))
        return [Pair(articles[a], articles[b], y) for a, b, y in labelled if y is not None and half(a, b) == side]
    group = {
        row["id"]: (row["cluster"], str(row.get("topic", row["cluster"])))
        for row in rows(data / name / "clusters.jsonl.gz")
    }
    ids = [id for id in articles if id in group and half(group[id][1]) == side]
    draw, out = random.Random(0), []
    for at, a in enumerate(ids):
        for b in ids[:at]:
            if group[a][1] == group[b][1] or draw.random() < ACROSS:
                out.append(Pair(articles[a], articles[b], group[a][0] == group[b][0]))
    return out


def hard_pairs(language: str, side: int) -> list[Pair]:
    """The hard pairs of a language: those for choosing settings (0), those for judging (1)."""
    articles = {row["id"]: _article(row) for row in rows(HARD / language / "docs.jsonl")}
    judged = (row for row in rows(HARD / language / "pairs.jsonl") if row["split"] == ("dev", "test")[side])
    return [Pair(articles[row["a"]], articles[row["b"]], row["label"] == "same") for row in judged]


def chance_pairs(data: Path, language: str, side: int) -> list[Pair]:
    """Items of other events that share two rare words, as items of a day of news do by chance; and shortened items."""
    draw = random.Random(side)
    every = [row for name in UNRELATED[language] for row in rows(data / name)]
    news = [row for at, row in enumerate(every) if half(f"{at}") == side]
    draw.shuffle(news)
    own, days = [], []
    for at, row in enumerate(news[:DRAWN]):
        text = row.get("text") or row["sentences"]
        title, _, rest = text.partition("\n") if "title" not in row else (row["title"], "", text)
        words = " ".join(rest.removeprefix(title).split()[: draw.choice(LENGTHS)])
        own.append(Article(f"{language}-{at}", words or title, title=title if words else None, lang=language))
        days.append(date.fromisoformat(row["date"][:10]).toordinal() if row.get("date") else None)
    detector = parse("event")
    keys = detector.keys(detector.sign(prepare(own)))
    order = np.argsort(keys.values, kind="stable")
    values, items = keys.values[order], np.repeat(np.arange(len(own)), keys.lengths())[order]
    starts = np.flatnonzero(np.r_[True, values[1:] != values[:-1]])
    sizes = np.diff(np.r_[starts, len(values)])
    chances = np.cumsum(sizes * (sizes - 1))
    out: set[tuple[int, int]] = set()
    for _ in range(20 * CHANCES):
        key = int(np.searchsorted(chances, draw.random() * chances[-1], side="right"))
        one, other = sorted(int(items[starts[key] + at]) for at in draw.sample(range(int(sizes[key])), 2))
        first, last = days[one], days[other]
        if one != other and (first is None or last is None or abs(first - last) >= MONTH) and len(out) < CHANCES:
            out.add((one, other))
    return [Pair(own[one], own[other], False) for one, other in sorted(out)] + _shortened(own[:CHANCES], draw)


def _shortened(articles: list[Article], draw: random.Random) -> list[Pair]:
    """Items with a tenth to a half of their words left out: length distinguishes no events then."""
    out = []
    for article in articles:
        left_out = draw.choice((0.1, 0.3, 0.5))
        text = " ".join(word for word in article.text.split() if draw.random() > left_out)
        title = article.title if draw.random() < 0.5 else None
        out.append(Pair(article, Article(f"{article.id}~", text, title=title, lang=article.lang), True))
    return out
