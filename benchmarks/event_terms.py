"""Learns how `event` weighs the cosine of whole articles (crates/samestory-core/src/detectors/event/odds.rs).

    python benchmarks/event_terms.py --data DIR
    python benchmarks/event_terms.py --write docs/results.md         only the table, from the results

    log odds = a √cosine − b level − c − contradictions

is fitted by logistic regression to the judged pairs of whole articles; every collection, and both labels in it, have
the same weight.  What contradictions count is given (CONTRADICTIONS): between judged pairs they are rare, and their
weights were chosen by the articles of a wire that are grouped with one of another month, and by groups read by an
editor.  The results contain the F1 of collections and of languages that were left out of the fit, and what the same
weights accept by chance at natural frequency: all pairs of WIRE_ARTICLES articles of a wire that are a month or more
apart, dates withheld, without a base rate and with that of the calibration.  They go to
benchmarks/results/event_terms.jsonl.  The coefficients, rounded, are constants of odds.rs.
"""

import argparse
import gzip
import json
import random
from collections import defaultdict
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np
import record
from numpy.typing import NDArray
from table import markdown, write

from samestory import Article, _core, parse
from samestory.model import Pairs, Signatures
from samestory.model.columns import numbers_by_name
from samestory.text import prepare

PAIRS = ("semeval22t8_truncated", "semeval22t8_de")
CLUSTERS = ("ecbplus", "tr_mds")
#: Of clusters: the share of pairs across topics that is drawn; pairs of one topic are all taken.
ACROSS = {"ecbplus": 0.02, "tr_mds": 0.1}
#: A wire without judgements; articles of it that are APART_DAYS apart are not one event.
WIRE, WIRE_ARTICLES, APART_DAYS = "scale/reuters_2006_2010.jsonl.gz", 4000, 30
#: Pairs of the wire that are less likely one event by the weights of the package, before the base rate, are accepted by
#: no other weights.
MIN_PROBABILITY = 0.02
ROWS_AT_ONCE = 100
#: SemEval's scale: 1 is very similar, 4 very different.
SAME = 2

#: Log odds against a pair, by the names of the agreement; as in odds.rs.
CONTRADICTIONS = {"rest_apart": 9.0, "dates_apart": 0.5, "slots_numbers": 0.5, "slots_names": 0.3}
OTHER_MONTHS = 1.0
#: Each lacks the main name of the other, in articles of other wordings; and if their numbers differ too.
OTHER_MAIN_NAME, OTHER_MAIN_NAME_AND_NUMBER = 0.5, 2.5
#: The same in articles of one wording, and the shares of runs between which they begin to count and count in full.
OF_TEMPLATES = {
    "swapped": 5.0,
    "names_apart": 3.0,
    "ways_conflict": 6.0,
    "ordinals_apart": 6.0,
    "slots_dates": 5.0,
    "counts_conflict": 1.5,
}
MONTHS_OF_TEMPLATES = 5.0
TEMPLATE_RUNS = (0.3, 0.5)

#: Where figures are kept.
RESULTS = Path(__file__).parent / "results/event_terms.jsonl"

Judged = list[tuple[Article, Article, bool]]
#: √cosine, level and 1 of pairs, the contradictions, and whether they are judged one event.
Part = tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.bool_]]


def rows(path: Path) -> Iterator[dict[str, Any]]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def articles(folder: Path) -> dict[str, Article]:
    """The articles of a collection, without their dates."""
    found = rows(folder / "docs.jsonl.gz")
    return {r["id"]: Article(r["id"], r["text"], title=r.get("title"), lang=r.get("lang") or "en") for r in found}


def judged(data: Path) -> dict[tuple[str, str], Judged]:
    """Judged pairs by collection and language; pairs across languages are left out."""
    out: dict[tuple[str, str], Judged] = defaultdict(list)
    for name in PAIRS:
        known = articles(data / name)
        for row in rows(data / name / "pairs.jsonl.gz"):
            left, right = known[row["a"]], known[row["b"]]
            if left.lang == right.lang:
                out[name, str(left.lang)].append((left, right, row["orig"] <= SAME))
    for name in CLUSTERS:
        known, draw = articles(data / name), random.Random(1)
        about = {row["id"]: row for row in rows(data / name / "clusters.jsonl.gz") if row["id"] in known}
        ids = sorted(about)
        for at, left in enumerate(ids):
            for right in ids[at + 1 :]:
                one, other = about[left], about[right]
                same = one["cluster"] == other["cluster"]
                near = "topic" in one and one["topic"] == other["topic"]
                if same or near or draw.random() < ACROSS[name]:
                    out[name, str(known[left].lang)].append((known[left], known[right], same))
    return out


def measured(pairs: Judged) -> Part:
    every = {article.id: article for left, right, _ in pairs for article in (left, right)}
    place = {id: at for at, id in enumerate(every)}
    features = prepare(every.values())
    signed = parse("event").fit([features]).sign(features)
    rows = Pairs(*(np.array([place[pair[side].id] for pair in pairs], np.int64) for side in (0, 1)))
    return (*evidence(signed, rows), np.array([same for *_, same in pairs]))


def numbers_of(kind: str, signed: Signatures, rows: Pairs, calibration: bytes = b"") -> dict[str, NDArray[np.float64]]:
    found = _core.detectors.evidence(kind, signed.columns, signed.columns, tuple(rows), calibration=calibration)
    return numbers_by_name(found)


def evidence(signed: Signatures, rows: Pairs) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """√cosine, level and 1 of pairs, and their contradictions."""
    terms, agreement = (numbers_of(kind, signed, rows) for kind in ("terms", "agreement"))
    agreed = {name: np.nan_to_num(column) for name, column in agreement.items()}
    other_months = terms["months"] < 0
    against = sum(weight * agreed[name] for name, weight in CONTRADICTIONS.items()) + OTHER_MONTHS * other_months
    of_templates = sum(weight * (agreed[name] > 0) for name, weight in OF_TEMPLATES.items())
    start, end = TEMPLATE_RUNS
    one_wording = np.clip((agreed["runs"] - start) / (end - start), 0, 1)
    main_names = agreed["main_names_apart"]
    in_other_words = OTHER_MAIN_NAME * np.minimum(main_names, 1) + OTHER_MAIN_NAME_AND_NUMBER * np.maximum(
        main_names - 1, 0
    )
    against = against + one_wording * (of_templates + MONTHS_OF_TEMPLATES * other_months)
    against = against + (1 - one_wording) * in_other_words
    return np.column_stack([np.sqrt(terms["cosine"]), terms["level"], np.ones(len(rows.left))]), against


def by_chance(data: Path) -> Part:
    """Pairs of articles of the wire that are a month or more apart: numbers, contradictions and base rates."""
    every = list(rows(data / WIRE))
    some = [every[int(at * len(every) / WIRE_ARTICLES)] for at in range(WIRE_ARTICLES)]
    days = np.array([date.fromisoformat(row["date"][:10]).toordinal() for row in some])
    news = [Article(str(at), row["text"], title=row.get("title"), lang="en") for at, row in enumerate(some)]
    features = prepare(news)
    detector = parse("event").fit([features])
    plain = parse(f"event(threshold={MIN_PROBABILITY})")
    signed = detector.sign(features)
    blocks = []
    for first in range(0, len(some), ROWS_AT_ONCE):
        left, right = np.nonzero(np.abs(days[first : first + ROWS_AT_ONCE, None] - days) >= APART_DAYS)
        is_lower = right < left + first
        pairs = Pairs(left[is_lower] + first, right[is_lower])
        near = plain.compare(signed, signed, pairs).forward >= MIN_PROBABILITY
        blocks.append(np.stack([side[near] for side in pairs]))
    likely = Pairs(*np.concatenate(blocks, axis=1))
    return (*evidence(signed, likely), numbers_of("odds", signed, likely, detector.state())["articles_base_rate"])


def accepted(weights: NDArray[np.float64], chance: Part) -> dict[str, float]:
    """Pairs of the wire that the weights accept by chance, for every thousand of its articles."""
    numbers, against, base_rate = chance
    odds = numbers @ weights - against
    per_thousand = 1000 / WIRE_ARTICLES
    return {
        "chance": float((odds >= 0).sum() * per_thousand),
        "chance_with_base_rate": float((odds >= base_rate).sum() * per_thousand),
    }


def learned(parts: list[Part]) -> NDArray[np.float64]:
    """The weights, by Newton's method."""
    numbers, against, same = (np.concatenate([part[at] for part in parts]) for at in (0, 1, 2))
    share = [np.where(y, 0.5 / y.sum(), 0.5 / (~y).sum()) for *_, y in parts]
    weights, found = np.concatenate(share), np.zeros(numbers.shape[1])
    for _ in range(50):
        likely = 1 / (1 + np.exp(against - numbers @ found))
        slope = numbers.T @ (weights * (same - likely)) - 1e-6 * found
        bend = (numbers * (weights * likely * (1 - likely))[:, None]).T @ numbers + 1e-6 * np.eye(len(found))
        found = found + np.linalg.solve(bend, slope)
    return found


def f1(weights: NDArray[np.float64], part: Part) -> float:
    numbers, against, same = part
    found = numbers @ weights >= against
    return float(2 * (found & same).sum() / max(1, found.sum() + same.sum()))


def table(found: list[record.Row]) -> str:
    """The F1 of every collection and language in the latest results, and the means."""
    latest = {(row["set"], row["language"]): row for row in found}
    names = ("f1", "f1_collection_left_out", "f1_language_left_out")
    lines = [
        [f"`{row['set']}`", row["language"], f"{row['pairs']:,}", *(f"{row[name]:.3f}" for name in names)]
        for row in latest.values()
    ]
    means = [f"{np.mean([row[name] for row in latest.values()]):.3f}" for name in names]
    head = ["pairs of", "language", "pairs", "F1, all in the fit", "F1, collection left out", "F1, language left out"]
    parts = [markdown(head, [*lines, ["mean", "", "", *means]])]
    if all("chance" in row for row in latest.values()):
        head = ["left out of the fit", "by chance, without base rate", "with base rate"]
        fits = {"nothing": next(iter(latest.values()))["chance"]["all"]}
        for part in ("collection", "language"):
            for row in latest.values():
                name = f"{row['set']}, {row['language']}" if part == "collection" else f"all in {row['language']}"
                fits[name] = row["chance"][f"{part}_left_out"]
        lines = [
            [name, f"{found['chance']:,.1f}", f"{found['chance_with_base_rate']:,.1f}"] for name, found in fits.items()
        ]
        parts.append(markdown(head, lines))
    return "\n\n".join(parts)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, metavar="DIR", help="the folder of labelled collections")
    parser.add_argument("--write", type=Path, metavar="FILE", help="only write the table into this file")
    args = parser.parse_args()
    if args.write:
        write(args.write, table(list(record.read(RESULTS))), "event-terms")
        return
    if not args.data:
        parser.error("--data or --write is required")
    parts = {key: measured(pairs) for key, pairs in judged(args.data).items()}
    weights = learned(list(parts.values()))
    print("log odds = {:.2f} √cosine {:+.2f} level {:+.2f}".format(*weights))
    chance = by_chance(args.data)
    results: list[record.Row] = []
    for key, part in parts.items():
        name, language = key
        no_collection = learned([p for k, p in parts.items() if k != key])
        no_language = learned([p for k, p in parts.items() if k[1] != language])
        row: record.Row = {
            "what": "event",
            "set": name,
            "language": language,
            "pairs": len(part[2]),
            "f1": f1(weights, part),
            "f1_collection_left_out": f1(no_collection, part),
            "f1_language_left_out": f1(no_language, part),
        }
        fits = {"all": weights, "collection_left_out": no_collection, "language_left_out": no_language}
        row["chance"] = {name: accepted(fit, chance) for name, fit in fits.items()}
        results.append(row)
        print(*(f"{v:.3f}" if isinstance(v, float) else v for v in row.values()))
    for name in ("f1", "f1_collection_left_out", "f1_language_left_out"):
        print(name, f"{np.mean([row[name] for row in results]):.3f}")
    for row in results:
        record.append(RESULTS, row | {"weights": weights.round(3).tolist(), "date": record.now()})


if __name__ == "__main__":
    main()
