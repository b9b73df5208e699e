"""What measures cost, and whether their intervals hold the truth as often as they say.

    python benchmarks/measures.py [--repeat 3]          seconds of every measure, and of intervals
    python benchmarks/measures.py --coverage [--collections 1000]
    python benchmarks/measures.py --write               the latest coverage into docs/concepts/intervals.md

Speed: every measure on a million pairs, items, blocks or predictions, or on 100,000 grouped articles or sets; intervals
of 1,000 rounds on 10,000 pairs and on 10,000 and 100,000 grouped articles. The fastest of the repeats counts.

Coverage: small collections are simulated from one source whose value is known; the share of 95 % intervals that hold
it is what it should be, or not. Beside ours stand two that are not ours: plain percentiles in place of BCa, and other
units (single pairs in place of components; gold groups, pairs across two of them counted half to each).

Rows are appended to benchmarks/results/measures.jsonl.
"""

import argparse
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import measure
import numpy as np
import record
from table import markdown

from samestory import __version__
from samestory.lab.measures import (
    MEASURES,
    DuplicateSets,
    FlaggedArticles,
    GroupedArticles,
    JudgedPairs,
    LabelledBlocks,
    Predictions,
    Ratings,
    SumMeasure,
    figure,
    parse,
    sweep,
)
from samestory.lab.measures.bootstrap import Rounds, drawings
from samestory.lab.measures.pairs import pairs_in

RESULTS = record.RESULTS / "measures.jsonl"
TICK = 0.01
PAIRS, ARTICLES = 1_000_000, 100_000
BEGIN, END = "<!-- coverage:begin -->\n", "<!-- coverage:end -->\n"
TITLES = {"judged_stories": "judged pairs", "found_stories": "groups"}
INTERVALS = {"bca": "BCa", "percentile": "percentile"}
Random = np.random.Generator


def news(random: Random, articles: int) -> GroupedArticles:
    """Stories of Zipfian sizes up to 400; a tenth of the articles split off, one story in ten found with another."""
    gold = np.repeat(np.arange(articles), np.minimum(random.zipf(1.8, articles), 400))[:articles]
    stories = int(gold.max()) + 1
    names = np.arange(stories)
    mixed = random.permutation(stories)[: stories // 10 * 2]
    names[mixed[::2]] = mixed[1::2]
    return GroupedArticles(gold, np.where(random.random(articles) < 0.1, stories + np.arange(articles), names[gold]))


def pairs(random: Random, count: int) -> JudgedPairs:
    """Pairs of neighbours in chains of articles, with scores of three digits."""
    left = np.flatnonzero(random.random(2 * count) < 0.5)[:count]
    gold = random.random(len(left)) < 0.3
    score = np.round(0.7 * random.random(len(left)) + 0.3 * gold, 3)
    return JudgedPairs.from_pairs(left, left + 1, gold, score=score).cut(0.5)


def everything(random: Random) -> dict[type, Any]:
    grouped, judged = news(random, ARTICLES), pairs(random, PAIRS)
    words = np.array(["NOTCONTENT", "CONTENT"])
    many = np.arange(PAIRS)
    chosen = np.stack([judged.gold, judged.accepted], axis=1).astype(np.int64)[:PAIRS]
    many = many[: len(chosen)]
    return {
        GroupedArticles: grouped,
        FlaggedArticles: FlaggedArticles.from_groups(grouped),
        JudgedPairs: judged,
        Ratings: Ratings(chosen, query=many // 190),
        LabelledBlocks: LabelledBlocks(many // 20, words[chosen[:, 0]], words[chosen[:, 1]]),
        Predictions: Predictions(judged.score, judged.score + random.normal(size=len(judged))),
        DuplicateSets: DuplicateSets(
            [[{3 * n, 3 * n + 1}] for n in range(ARTICLES)],
            [[{3 * n, 3 * n + 1 + (n % 10 == 0)}] for n in range(ARTICLES)],
        ),
    }


def fastest(work: Callable[[], Any], repeat: int) -> dict[str, float | None]:
    """The seconds of the fastest of several runs, and what else the machine did meanwhile."""
    runs = []
    for _ in range(repeat):
        busy, cpu, start = measure.busy_seconds(), time.process_time(), time.perf_counter()
        work()
        seconds, cpu = time.perf_counter() - start, time.process_time() - cpu
        others = max(0.0, measure.busy_seconds() - busy - cpu) / seconds / (os.cpu_count() or 1)
        others = others if seconds > 10 * TICK else None  # the kernel counts in ticks: too coarse for less
        runs.append({"seconds": seconds, "cpu_seconds": cpu, "others": others})
    return min(runs, key=lambda run: run["seconds"])


def speed(repeat: int) -> None:
    random = np.random.default_rng(1)
    data = everything(random)
    common = {"version": __version__, "machine": record.machine(), "date": record.now(), "repeat": repeat}

    def time_of(what: str, spec: str, rows: int, work: Callable[[], Any]) -> None:
        found = fastest(work, repeat)
        record.append(RESULTS, {"what": what, "spec": spec, "rows": rows, **common, **found})
        print(f"{what:10} {spec:30} {rows:9,} {found['seconds']:8.3f} s", flush=True)

    judged, grouped = data[JudgedPairs], data[GroupedArticles]
    ends = np.arange(len(judged)) // 5 * 6 + np.arange(len(judged)) % 5
    time_of(
        "data", "JudgedPairs.of", len(judged), lambda: JudgedPairs.from_pairs(ends, ends + 1, judged.gold, judged.score)
    )
    time_of("data", "Grouped", len(grouped), lambda: GroupedArticles(grouped.gold, grouped.found))
    for name, cls in MEASURES.items():
        for kind in cls.needs:
            rows = data[kind]
            time_of("value", f"{name} {kind.__name__}", len(rows), lambda cls=cls, rows=rows: cls().point(rows))
    time_of("sweep", "pair_f", len(judged), lambda: sweep(judged).values("pair_f"))
    small = pairs(random, 10_000)
    for spec in ("pair_f", "pair_c_dup", "roc_area"):
        time_of("interval", spec, len(small), lambda spec=spec: figure(spec, small))
    for articles in (news(random, 10_000), grouped):
        for spec in ("pair_f", "b_cubed", "ari", "ami"):
            time_of("interval", spec, len(articles), lambda spec=spec, articles=articles: figure(spec, articles))
    time_of("interval", "roc_area", len(judged), lambda: figure("roc_area", judged))


def judged_stories(random: Random, count: int) -> JudgedPairs:
    """Components of judged pairs: in one of five, half of the pairs come out wrong."""
    units = np.repeat(np.arange(count), random.geometric(0.25, count))
    gold = random.random(len(units)) < 0.5
    hard = (random.random(count) < 0.2)[units]
    return JudgedPairs(gold, accepted=gold ^ (hard & (random.random(len(units)) < 0.5)), units=units)


def found_stories(random: Random, count: int) -> GroupedArticles:
    """Stories of several articles: a tenth is found with another, a tenth of the articles splits off."""
    gold = np.repeat(np.arange(count), 2 + random.poisson(2, count))
    names = np.arange(count)
    mixed = random.permutation(count)[: 2 * random.binomial(count // 2, 0.1)]
    names[mixed[::2]] = mixed[1::2]
    return GroupedArticles(gold, np.where(random.random(len(gold)) < 0.1, count + np.arange(len(gold)), names[gold]))


def halved(data: GroupedArticles) -> np.ndarray:
    """The tally of pairs by gold group, pairs across two groups counted half to each."""
    gold, found, both = data.cells
    groups = len(data.gold_sizes)
    inside = np.bincount(gold, pairs_in(both), groups)
    across = np.bincount(gold, both * (data.found_sizes[found] - both) / 2, groups)
    none = np.zeros(groups)
    return np.stack([inside, inside + across, pairs_in(data.gold_sizes), none, none, data.gold_sizes], axis=1)


def rounds_of(formula: SumMeasure[Any], tally: np.ndarray, seed: int) -> Rounds:
    drawn = np.concatenate([formula.value(weights @ tally) for weights in drawings(len(tally), 400, seed)])
    total = tally.sum(axis=0)
    return Rounds(float(formula.value(total)), drawn, formula.value(total - tally), len(tally), len(tally))


def coverage(collections: int) -> None:
    common = {"version": __version__, "date": record.now(), "collections": collections}
    ours = {"components": lambda formula, data: formula.tally(data)}
    single = {"single pairs": lambda formula, data: formula.tally(data.in_units(np.arange(len(data))))}
    halves = {"gold groups, halved": lambda _, data: halved(data)}
    for make, ways in ((judged_stories, ours | single), (found_stories, ours | halves)):
        for spec in ("pair_precision", "pair_f"):
            formula = parse(spec)
            random = np.random.default_rng(12)
            truth = formula.point(make(random, 200_000))
            for units in (50, 150, 500):
                held = {(way, kind): 0 for way in ways for kind in ("bca", "percentile")}
                counted = dict.fromkeys(held, 0)
                for seed in range(collections):
                    data = make(random, units)
                    for way, tally in ways.items():
                        found = rounds_of(formula, tally(formula, data), seed)
                        if found.no_interval_reason:
                            continue  # no interval, and it says so
                        for kind, ends in (
                            ("bca", found.interval(0.95)),
                            ("percentile", np.nanquantile(found.drawn, [0.025, 0.975])),
                        ):
                            counted[way, kind] += 1
                            held[way, kind] += ends[0] <= truth <= ends[1]
                for way, kind in held:
                    share = held[way, kind] / counted[way, kind]
                    row = {"what": "coverage", "source": make.__name__, "spec": spec, "units": units, "drawn": way}
                    row |= {"interval": kind, "share": share, "collections": counted[way, kind]}
                    record.append(RESULTS, {**row, **common})
                    print(f"{make.__name__:15} {spec:15} {units:4} {way:20} {kind:10} {share:.3f}", flush=True)


def table() -> str:
    """The latest coverage, as Markdown."""
    rows = [row for row in record.read(RESULTS) if row["what"] == "coverage"]
    rows = [row for row in rows if row["date"] == rows[-1]["date"]]
    columns = sorted({row["units"] for row in rows})
    lines: dict[tuple[str, ...], dict[int, float]] = {}
    for row in rows:
        shown = (TITLES[row["source"]], f"`{row['spec']}`", row["drawn"], INTERVALS[row["interval"]])
        lines.setdefault(shown, {})[row["units"]] = row["share"]
    head = ["collection", "measure", "drawn", "interval", *(f"{units} units" for units in columns)]
    body = [[*shown, *(f"{shares[units]:.3f}" for units in columns)] for shown, shares in lines.items()]
    return markdown(head, body) + "\n"


def write(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    before, _, rest = text.partition(BEGIN)
    page.write_text(before + BEGIN + table() + END + rest.partition(END)[2], encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--coverage", action="store_true")
    parser.add_argument("--collections", type=int, default=1000)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    if options.write:
        write(Path(__file__).parents[1] / "docs" / "concepts" / "intervals.md")
    elif options.coverage:
        coverage(options.collections)
    else:
        speed(options.repeat)


if __name__ == "__main__":
    main()
