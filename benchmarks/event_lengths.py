"""Measures and learns where `event` passes from trees to terms: the length of the transition and its steepness.

    python benchmarks/event_lengths.py --data DIR
    python benchmarks/event_lengths.py --write docs/results.md         only the table, from the results

    log odds = long · terms + (1 − long) · trees,        long = 1 / (1 + (middle / words)^power)

Judged pairs of whole articles are cut to their first words, so that there are items of every length, and judged pairs
of headlines and hard pairs are taken as they are; of collections that the trees have learned from, the other half.
The results are the F1 of every middle and power, without a base rate, for languages with trees of their own and for all
others.  Beside it stands what is accepted by chance at natural frequency: candidates among CHANCE_ITEMS items of a wire
(its articles cut, too) or of short news that are a month or more apart.

The two parameters are learned by the log loss of the probability with its base rate, for every item of a natural
collection:

    loss = PAIRS_PER_ITEM · (mean loss of pairs of one event + mean loss of other judged pairs)
           + sum of the losses of the pairs by chance / CHANCE_ITEMS

Judged pairs get the base rates of the natural collection whose items have their length.  Collections have the same
weight, and so have the lengths of one collection.  The loss is minimised over a grid, with all collections and with
each of them left out; the collection that was left out is scored with the parameters learned without it, and with
those of the package.  Results go to benchmarks/results/event_lengths.jsonl.
"""

import argparse
from collections import defaultdict
from collections.abc import Iterator
from datetime import date
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import record
from event_pairs import Pair, hard_pairs, set_pairs
from event_terms import APART_DAYS, judged, numbers_of, rows
from numpy.typing import NDArray
from table import markdown, write

from samestory import Article, parse
from samestory.detectors.fusion import KeyPostings
from samestory.model import Pairs, Signatures
from samestory.text import prepare

RESULTS = record.RESULTS / "event_lengths.jsonl"
ARTICLES = ("semeval22t8_truncated", "ecbplus", "tr_mds")
#: Whole articles that no tree has learned from.
UNSEEN = ("semeval22t8_de",)
HEADLINES = ("sts_headlines_en", "sts_news_tr", "paraphraser_ru", "ru_slugs")
#: News without judgements, and the words that are left of an item.
CHANCE = {"en": ("scale/reuters_2006_2010", (15, 30, 60, 120, 0)), "fi": ("scale/fi_short_news", (0,))}
CHANCE_ITEMS = 2000
#: Words that are left of an article; 0: all.
LENGTHS = (15, 30, 60, 120, 0)
OWN_TREES = ("en", "tr", "ru")
HARD = "hard pairs"
MIDDLES, POWERS = (15, 30, 45, 60, 90, 120), (2, 5, 8)
#: Transition of the package, by whether the language has trees of its own.
SHIPPED = {True: (60, 5), False: (30, 5)}
#: The grid on which the parameters are learned.
LEARNED_MIDDLES, LEARNED_POWERS = (10, 15, 20, 25, 30, 40, 50, 60, 75, 90, 120), (1, 2, 3, 5, 8, 12, 20)
#: Related pairs of one item: of the items of two wires with dates, reuters_2006_2010 and reuters21578, `find --events`
#: groups .34 and .20 pairs an item.
PAIRS_PER_ITEM = 0.25
#: The same, to show how the choice depends on it.
OTHER_PAIRS_PER_ITEM = (0.1, 1.0)
#: Log odds beyond these count as these: one pair without common words decides nothing.
MAX_ODDS = 14.0
#: Fewer judged pairs give no F1.
MIN_PAIRS = 50

#: The words of the shorter item of pairs, and the log odds by terms and by trees; of judged pairs also the labels, of
#: pairs by chance the base rates of articles and of short items.
Part = tuple[NDArray[np.float64], ...]
#: A middle and a power.
Transition = tuple[float, float]


def cut(article: Article, words: int) -> Article:
    """The first words of an article, title first; without its date."""
    title = article.title or ""
    text = article.text.removeprefix(title).split()
    if words:
        text = text[: max(0, words - len(title.split()))]
    return Article(article.id, " ".join(text) or title, title=title if text and title else None, lang=article.lang)


def pairs_of(data: Path) -> Iterator[tuple[str, str, list[Pair]]]:
    """The judged pairs in one language, by collection and language."""
    every = {name: set_pairs(data, name, 1) for name in (*ARTICLES, *HEADLINES)}
    for (name, _), found in judged(data).items():
        if name in UNSEEN:
            every[name] = [Pair(left, right, same) for left, right, same in found]
    for name, pairs in every.items():
        by_language = defaultdict(list)
        for pair in pairs:
            if pair.left.lang == pair.right.lang:
                by_language[pair.left.lang or "en"].append(pair)
        for language, some in by_language.items():
            if len(some) >= MIN_PAIRS or name in ARTICLES:
                yield name, language, some
    for language in OWN_TREES:
        yield HARD, language, hard_pairs(language, 1)


def measured(pairs: list[Pair], words: int) -> Part:
    """The words of the shorter item, the log odds by terms and by trees, and whether the two are one event."""
    own = {article.id: cut(article, words) for pair in pairs for article in (pair.left, pair.right)}
    place = {id: at for at, id in enumerate(own)}
    features = prepare(own.values())
    signed = parse("event").fit([features]).sign(features)
    rows = Pairs(*(np.array([place[getattr(pair, side).id] for pair in pairs], np.int64) for side in ("left", "right")))
    return (*evidence(signed, rows), np.array([pair.same for pair in pairs]))


def evidence(signed: Signatures, rows: Pairs) -> Part:
    """The words of the shorter item, and the log odds by terms and by trees."""
    odds = numbers_of("odds", signed, rows)
    trees = np.clip(np.nan_to_num(odds["trees"], nan=0.0), 1e-6, 1 - 1e-6)
    short = np.log(trees / (1 - trees)) - odds["items_base_rate"]
    terms = np.nan_to_num(odds["terms"], nan=-20.0)
    return numbers_of("terms", signed, rows)["words"], terms, short


def by_chance(data: Path, name: str, language: str, words: int) -> Part:
    """The same of candidates among items that are a month or more apart, and the base rates."""
    every = list(rows(data / f"{name}.jsonl.gz"))
    some = [every[int(at * len(every) / CHANCE_ITEMS)] for at in range(CHANCE_ITEMS)]
    days = np.array([date.fromisoformat(row["date"][:10]).toordinal() for row in some])
    own = [Article(str(at), row["text"], title=row.get("title"), lang=language) for at, row in enumerate(some)]
    features = prepare([cut(article, words) for article in own])
    detector = parse("event").fit([features])
    signed = detector.sign(features)
    postings = KeyPostings(detector.keys(signed))
    others = [np.unique(postings.earlier(row)) for row in range(len(some))]
    others = [found[np.abs(days[found] - days[row]) >= APART_DAYS] for row, found in enumerate(others)]
    left = np.repeat(np.arange(len(some)), [len(found) for found in others])
    pairs = Pairs(left, np.concatenate(others))
    odds = numbers_of("odds", signed, pairs, detector.state())
    return (*evidence(signed, pairs), odds["articles_base_rate"], odds["items_base_rate"])


def weight_of_terms(part: Part, middle: float, power: float) -> NDArray[np.float64]:
    return np.asarray(1 / (1 + (middle / np.maximum(part[0], 1)) ** power))


def accepted(part: Part, middle: float, power: float) -> NDArray[np.bool_]:
    (_, terms, trees), long = part[:3], weight_of_terms(part, middle, power)
    return np.asarray(long * terms + (1 - long) * trees >= 0)


def log_odds(part: Part, base_rates: tuple[Any, Any], transition: Transition) -> NDArray[np.float64]:
    """The log odds of one event, with the base rates of articles and of short items."""
    long = weight_of_terms(part, *transition)
    terms, trees = (np.nan_to_num(odds, nan=-MAX_ODDS).clip(-MAX_ODDS, MAX_ODDS) for odds in part[1:3])
    return np.asarray(long * (terms - base_rates[0]) + (1 - long) * (trees - base_rates[1]))


def judged_loss(part: Part, chance: Part, transition: Transition) -> float:
    """The mean log loss of the judged pairs of one event plus that of the others, in a natural collection."""
    odds = log_odds(part, (np.median(chance[3]), np.median(chance[4])), transition)
    same = part[3] > 0
    losses = [np.logaddexp(0, -odds[same]), np.logaddexp(0, odds[~same])]
    return float(sum(loss.mean() for loss in losses if len(loss)))


def chance_loss(chance: Part, transition: Transition) -> float:
    """The sum of the log losses of the pairs by chance, for every item."""
    return float(np.logaddexp(0, log_odds(chance, chance[3:5], transition)).sum() / CHANCE_ITEMS)


def f1(part: Part, middle: float, power: float) -> float:
    same, found = part[3], accepted(part, middle, power)
    return float(2 * (found & (same > 0)).sum() / max(1, found.sum() + same.sum()))


def learned(judged: dict[tuple[str, str, int], Part], chances: dict[int, Part], own: bool) -> Iterator[record.Row]:
    """The parameters learned from all collections and from all but one, and what they and those of the package are
    worth on the collection that was left out, or on all."""
    grid = sorted({*product(LEARNED_MIDDLES, LEARNED_POWERS), SHIPPED[own]})
    lengths = sorted(chances, key=lambda words: words or np.inf)

    def chance_of(name: str, words: int) -> Part:
        return chances[lengths[0]] if name in (*HEADLINES, HARD) else chances.get(words, chances[lengths[-1]])

    of_chance = {at: float(np.mean([chance_loss(part, at) for part in chances.values()])) for at in grid}
    names = list(dict.fromkeys(name for name, *_ in judged))
    parts = {
        name: [(part, chance_of(name, words)) for (of, _, words), part in judged.items() if of == name]
        for name in names
    }
    losses = {
        (name, at): float(np.mean([judged_loss(part, chance, at) for part, chance in parts[name]]))
        for name in names
        for at in grid
    }

    def loss(some: list[str], at: Transition, pairs_per_item: float) -> float:
        return pairs_per_item * float(np.mean([losses[name, at] for name in some])) + of_chance[at]

    for left_out, pairs_per_item in [
        *((None, pairs) for pairs in (PAIRS_PER_ITEM, *OTHER_PAIRS_PER_ITEM)),
        *((name, PAIRS_PER_ITEM) for name in names),
    ]:
        some = [name for name in names if name != left_out]
        scored = [left_out] if left_out else names
        best = min(grid, key=lambda at: loss(some, at, pairs_per_item))
        row: record.Row = {"left_out": left_out, "own_trees": own, "pairs_per_item": pairs_per_item}
        row |= {"middle": best[0], "power": best[1]}
        for name, at in (("learned", best), ("shipped", SHIPPED[own])):
            row[f"loss_{name}"] = loss(scored, at, pairs_per_item)
            row[f"f1_{name}"] = float(np.mean([np.mean([f1(part, *at) for part, _ in parts[name]]) for name in scored]))
            found = [accepted(part, *at).sum() * 1000 / CHANCE_ITEMS for part in chances.values()]
            row[f"chance_{name}"] = float(np.mean(found))
        yield row


def length_of(words: int) -> str:
    return f"{words} words" if words else "whole"


def table(found: list[record.Row]) -> str:
    """The mean F1 by length, of the latest run; the transitions of the package are marked."""
    last = [row for row in found if row["date"] == found[-1]["date"]]
    parts = []
    for own, title in ((True, "English, Turkish, Russian"), (False, "German, Spanish, Polish")):
        of_group = [row for row in last if "language" in row and (row["language"] in OWN_TREES) is own]
        there = [row for row in of_group if "f1" in row]
        lengths = list(dict.fromkeys(row["length"] for row in there))
        by_chance = [row for row in of_group if "chance" in row]
        lines = []
        for middle in MIDDLES:
            for power in POWERS:
                fits = [row for row in there if (row["middle"], row["power"]) == (middle, power)]
                of_length = [np.mean([row["f1"] for row in fits if row["length"] == length]) for length in lengths]
                mark = " (used)" if SHIPPED[own] == (middle, power) else ""
                mean = np.mean([row["f1"] for row in fits])
                chance = [row["chance"] for row in by_chance if (row["middle"], row["power"]) == (middle, power)]
                cells = [*(f"{v:.3f}" for v in (*of_length, mean)), *(f"{v:,.0f}" for v in chance)]
                lines.append([f"{middle} words, power {power}{mark}", *cells])
        names = [row["length"] if own else row["set"].removeprefix("scale/") for row in by_chance]
        of_chance = [f"by chance, {name}" for name in dict.fromkeys(names)]
        parts.append(markdown([title, *lengths, "mean", *of_chance], lines))
    return "\n\n".join([*parts, *table_of_learned([row for row in last if "left_out" in row])])


def table_of_learned(found: list[record.Row]) -> Iterator[str]:
    """What was learned with every collection left out, beside the parameters of the package."""
    head = ["left out", "pairs per item", "learned", "loss", "loss, package", "F1", "F1, package"]
    head += ["by chance", "by chance, package"]
    for own, title in ((True, "English, Turkish, Russian"), (False, "German, Spanish, Polish")):
        lines = []
        for row in (row for row in found if row["own_trees"] is own):
            names = [f"{measure}_{of}" for measure in ("loss", "f1", "chance") for of in ("learned", "shipped")]
            figures = [f"{row[name]:,.0f}" if name.startswith("chance") else f"{row[name]:.3f}" for name in names]
            left_out = row["left_out"] or "nothing"
            learned = f"{row['middle']:g} words, power {row['power']:g}"
            lines.append([left_out, f"{row['pairs_per_item']:g}", learned, *figures])
        if lines:
            yield f"{title}:\n\n{markdown(head, lines)}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, metavar="DIR", help="the folder of labelled collections")
    parser.add_argument("--write", type=Path, metavar="FILE", help="only write the table into this file")
    args = parser.parse_args()
    if args.write:
        write(args.write, table(list(record.read(RESULTS))), "event-lengths")
        return
    if not args.data:
        parser.error("--data or --write is required")
    about = {"what": "event", "date": record.now()}
    judged_parts: dict[tuple[str, str, int], Part] = {}
    for name, language, pairs in pairs_of(args.data):
        is_short = name in (*HEADLINES, HARD)
        for words in (0,) if is_short else LENGTHS:
            part = judged_parts[name, language, words] = measured(pairs, words)
            length = name if name == HARD else "headlines" if is_short else length_of(words)
            print(name, language, length, len(pairs), flush=True)
            for middle in MIDDLES:
                for power in POWERS:
                    row = {"set": name, "language": language, "length": length, "pairs": len(pairs)}
                    row |= {"middle": middle, "power": power, "f1": f1(part, middle, power)}
                    record.append(RESULTS, about | row)
    for language, (name, lengths) in CHANCE.items():
        chances: dict[int, Part] = {}
        for words in lengths:
            part = chances[words] = by_chance(args.data, name, language, words)
            print(name, language, length_of(words), len(part[0]), flush=True)
            for middle in MIDDLES:
                for power in POWERS:
                    row = {"set": name, "language": language, "length": length_of(words), "pairs": len(part[0])}
                    found = int(accepted(part, middle, power).sum())
                    row |= {"middle": middle, "power": power, "chance": found * 1000 / CHANCE_ITEMS}
                    record.append(RESULTS, about | row)
        own = language in OWN_TREES
        of_group = {key: part for key, part in judged_parts.items() if (key[1] in OWN_TREES) is own}
        for row in learned(of_group, chances, own):
            print(*row.values(), flush=True)
            record.append(RESULTS, about | row)
    print(table(list(record.read(RESULTS))))


if __name__ == "__main__":
    main()
