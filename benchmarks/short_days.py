"""Days of short items with groups of the sizes that the fifth study prints, made of any collection of news.

    python benchmarks/short_days.py make --from NEWS.jsonl.gz --out DIR [--days 20] [--seed 0]
    python benchmarks/short_days.py run --days DIR [--literal 855 2117 4142]        writes results/semshort.jsonl
    python benchmarks/short_days.py --write docs/results.md                         only the tables, from the results

The study's own items are not public.  A story here is an article; its items are its headline and beginning, each with
other words left out and some words of other stories put in, so that they tell one event in other words.  Such groups
are easier than real ones: look at r and how it grows, not at F.  The news goes to DIR and is never committed.

`run` scans every merge height of every day in both spaces, predicts r from the other days, and times our form beside
the literal one (matrix A, distances between its rows, SciPy's linkage), each in a process of its own.
"""

import argparse
import gzip
import hashlib
import json
import os
import random
import sys
import tempfile
import time
from collections.abc import Iterator
from math import log, sqrt
from pathlib import Path
from typing import Any

import record
from measure import measure
from table import markdown, write

#: Groups of 1 to 10 items in the study, and of more; items in those; groups of at least 100; the largest.
SMALL = (2385, 1026, 649, 522, 433, 351, 278, 275, 229, 195)
LARGE, LARGE_ITEMS, HUGE, HUGEST = 2792, 113_619, 108, 1039
#: Words of an item, about; words of a story that its items are drawn from.
WORDS, STORY = 38, 66
#: Shares of words put in: any word of the collection, so that days have about as many columns as the study's; and words
#: of the topic, a story that so many groups of a day have in common.
STRANGE, TOPICAL, GROUPS_OF_A_TOPIC = 0.1, 0.25, 6
#: No group is larger than this share of its day: the largest of the study, 1,039 items, is that of a day of 12,000.
LARGEST_SHARE = 0.09
RESULTS = record.RESULTS / "semshort.jsonl"


def _mean(low: float, high: float, power: float) -> float:
    """Of a size between two bounds whose frequency falls with this power."""

    def moment(k: float) -> float:
        return log(high / low) if k == 0 else (high**k - low**k) / k

    return moment(2 - power) / moment(1 - power)


def _draw(draws: random.Random, low: float, high: float, power: float) -> int:
    at = draws.random()
    if power == 1:
        return int(low * (high / low) ** at)
    e = 1 - power
    return int((low**e + at * (high**e - low**e)) ** (1 / e))


def _power(low: float, high: float, mean: float) -> float:
    """The power that gives this mean."""
    least, most = -3.0, 6.0
    for _ in range(60):
        middle = (least + most) / 2
        least, most = (middle, most) if _mean(low, high, middle) > mean else (least, middle)
    return least


HUGE_MEAN = _mean(100, HUGEST + 1, 2.0)
MIDDLE_POWER = _power(11, 100, (LARGE_ITEMS - HUGE * HUGE_MEAN) / (LARGE - HUGE))


def size(draws: random.Random, most: int) -> int:
    """The size of a group up to the most, as often as in the study; above ten, powers that fit the printed sums."""
    found = _size(draws)
    while found > most:
        found = _size(draws)
    return found


def _size(draws: random.Random) -> int:
    at = draws.randrange(sum(SMALL) + LARGE)
    for items, groups in enumerate(SMALL, 1):
        if at < groups:
            return items
        at -= groups
    return _draw(draws, 100, HUGEST + 1, 2.0) if at < HUGE else _draw(draws, 11, 100, MIDDLE_POWER)


def stories(path: Path) -> list[list[str]]:
    """The headline and beginning of every article, each headline once."""
    out: dict[str, list[str]] = {}
    opener = gzip.open if path.suffix == ".gz" else open
    with opener(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            title, text = row.get("title") or "", row["text"]
            words = (title + " " + text.removeprefix(title)).split()[:STORY]
            if len(words) >= STORY // 2:
                out.setdefault(title or text[:60], words)
    return list(out.values())


def items(story: list[str], count: int, topic: list[str], strange: list[str], draws: random.Random) -> Iterator[str]:
    """Items about one story: each keeps some of its words, and has some of its topic and of others."""

    def word(own: str) -> str:
        at = draws.random()
        return draws.choice(strange) if at < STRANGE else draws.choice(topic) if at < STRANGE + TOPICAL else own

    for _ in range(count):
        keep = min(1.0, draws.gauss(WORDS, 5) / len(story))
        yield " ".join([word(own) for own in story if draws.random() < keep] or story[:1])


def make(source: Path, out: Path, sizes: list[int], seed: int) -> None:
    """A file of items and gold a day."""
    draws = random.Random(seed)
    pool = stories(source)
    draws.shuffle(pool)
    strange = sorted({word for story in pool for word in story})
    out.mkdir(parents=True, exist_ok=True)
    taken, topic = iter(pool), pool[0]
    with (out / "docs.jsonl").open("w", encoding="utf-8") as docs, (out / "gold.jsonl").open("w") as gold:
        for day, wanted in enumerate(sizes, 1):
            left, group, date = wanted, 0, f"2017-05-{day:02}"
            while left:
                count, group = min(size(draws, max(10, int(LARGEST_SHARE * wanted))), left), group + 1
                try:
                    story = next(taken)
                except StopIteration:
                    raise SystemExit(f"short_days: {source} has too few articles for these days") from None
                topic = story if group % GROUPS_OF_A_TOPIC == 1 else topic
                for item, text in enumerate(items(story, count, topic, strange, draws)):
                    id = f"{day}-{group}-{item}"
                    docs.write(json.dumps({"id": id, "text": text, "published": date, "lang": "en"}) + "\n")
                    gold.write(
                        json.dumps({"id": id, "cluster": f"{day}-{group}", "day": date, "relation": "semantic"}) + "\n"
                    )
                left -= count


def days_of(folder: Path) -> list[Any]:
    from samestory.lab.evaluation import read_gold
    from samestory.lab.experiments import ExperimentInput
    from samestory.lab.experiments.fomin.short_days import short_days
    from samestory.readers import Source

    gold = read_gold(str(folder / "gold.jsonl"))
    return short_days(ExperimentInput(sources=[Source(str(folder / "docs.jsonl"))], gold=gold))


def once(form: str, path: Path) -> dict[str, float]:
    """One form on one day, from words to the heights of all merges that may be wanted."""
    rows, labels = json.loads(path.read_text())
    start = time.perf_counter()
    if form == "ours":
        import numpy as np

        from samestory.lab.experiments.fomin.short_days import ROWS, ShortDay, merge_day

        found = merge_day(ShortDay("", rows, np.array(labels)), ROWS)
        seconds, r = time.perf_counter() - start, found.best_r()
    else:
        import numpy as np
        from scipy.cluster.hierarchy import linkage
        from scipy.spatial.distance import pdist, squareform
        from sklearn.decomposition import PCA
        from sklearn.feature_extraction.text import CountVectorizer
        from sklearn.metrics.pairwise import cosine_distances

        counts = CountVectorizer(analyzer=list, max_df=0.9, min_df=2)
        table = counts.fit_transform(rows).toarray().astype(float)
        frequency = (table > 0).sum(axis=0)
        table *= np.log(len(rows) / frequency) / np.array([max(len(row), 1) for row in rows])[:, None]
        reduced = PCA(max(1, round(0.03 * table.shape[1])), svd_solver="randomized", random_state=0).fit_transform(
            table
        )
        matrix = cosine_distances(reduced)
        pairs = pdist(matrix) if form == "literal rows" else squareform(matrix, checks=False)
        tree = linkage(pairs, "single")
        seconds = time.perf_counter() - start
        r = _best(labels, tree)
    return {"seconds": seconds, "r": r}


def _best(labels: list[int], tree: Any) -> float:
    """The best r of a SciPy tree: members by merge, as our links have them."""
    import numpy as np

    from samestory.lab.experiments.fomin.short_days import _merge_curve

    first = list(range(len(labels)))
    left, right = [], []
    for one, other in tree[:, :2].astype(int).tolist():
        left.append(max(first[one], first[other]))
        right.append(min(first[one], first[other]))
        first.append(first[one])
    curve = _merge_curve(np.array(labels), np.array(left), np.array(right), tree[:, 2])
    return float(curve.heights[curve.best])


def timed(form: str, day: Any, limit: float) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        path, out, log_file = Path(folder) / "day.json", Path(folder) / "out", Path(folder) / "log"
        path.write_text(json.dumps([day.rows, day.labels.tolist()]))
        words = [sys.executable, __file__, "once", "--form", form, "--day", str(path)]
        cost = measure(words, out, log_file, dict(os.environ), limit)
        if cost.exit_code != 0:
            return {"form": form, "items": len(day.rows), "exit": cost.exit_code}
        summary = json.loads(out.read_text())
    return {"form": form, "items": len(day.rows), **summary, "peak_mb": cost.peak_mb, "others": cost.others}


def run(folder: Path, literal: list[int], hidden: list[int]) -> None:
    import numpy as np

    from samestory.detectors.semshort import predicted_r
    from samestory.lab.experiments.fomin.r_models import left_out, linear, log_items, mean_of_days, study_network
    from samestory.lab.experiments.fomin.short_days import COSINE, ROWS, merge_day

    digest = hashlib.sha256((folder / "docs.jsonl").read_bytes()).hexdigest()[:12]
    head = {"date": record.now(), "machine": record.machine(), "corpus": {"sha256": digest}}
    days = days_of(folder)
    features, best_r = [], []
    curves: dict[str, list[Any]] = {"distance_rows": [], "cosine": []}
    for day in days:
        row: dict[str, Any] = {"what": "day", "items": len(day.rows)}
        for name, detector in (("distance_rows", ROWS), ("cosine", COSINE)):
            start = time.perf_counter()
            found = merge_day(day, detector)
            r = found.best_r()
            curves[name].append(found.curve())
            row[name] = {"r": r, "seconds": time.perf_counter() - start, **found.measured(r)}
            row["columns"] = len(found.detector.fitted_day().words)
        row["distance_rows"]["normalised"] = row["distance_rows"]["r"] / sqrt(found.items)
        row["study_r"] = predicted_r(found.items)
        features.append(found.features)
        best_r.append(row["distance_rows"]["r"])
        record.append(RESULTS, head | row)
        print(row, flush=True)
    for count in literal:
        day = min(days, key=lambda each: abs(len(each.rows) - count))
        for form in ("ours", "literal cosine", "literal rows"):
            row = {"what": "form", **timed(form, day, 1500)}
            record.append(RESULTS, head | row)
            print(row, flush=True)
    table, r = np.array(features, float), np.array(best_r)
    models = {
        "mean of the other days": mean_of_days,
        "seven features, linear": linear,
        "ln of the items": log_items,
        "network, chosen inside": study_network(hidden),
    }
    for name, model in models.items():
        start = time.perf_counter()
        miss = np.abs(left_out(model, table, r) - r)
        summary = {"mae": miss.mean(), "rmse": sqrt((miss**2).mean()), "largest": miss.max()}
        summary["r2"] = 1 - (miss**2).sum() / ((r - r.mean()) ** 2).sum()
        row = {"what": "model", "model": name, **{k: float(v) for k, v in summary.items()}}
        record.append(RESULTS, head | row | {"seconds": time.perf_counter() - start, "hidden": hidden})
        print(row, flush=True)
    record.append(RESULTS, head | steady(curves["cosine"], curves["distance_rows"], [len(day.rows) for day in days]))


def quality_at(curves: list[Any], heights: Any) -> tuple[float, float]:
    """The mean F of the days at these heights, and that of the worst day."""
    import numpy as np

    steps = [int(np.searchsorted(c.heights, h, side="right")) - 1 for c, h in zip(curves, heights, strict=True)]
    found = [float(c.f[step]) if step >= 0 else 0.0 for c, step in zip(curves, steps, strict=True)]
    return float(np.mean(found)), min(found)


def steady(near: list[Any], rows: list[Any], items: list[int]) -> dict[str, Any]:
    """How much the best 1 − cos moves from day to day, and what F costs a distance chosen on the other days.

    Beside it, what F costs an r that the line over ln(items) predicts from the other days.
    """
    import numpy as np

    from samestory.lab.experiments.fomin.r_models import left_out, log_items, mean_of_days

    logs = np.array(items, float)[:, None]
    best, best_r = (np.array([c.heights[c.best] for c in curves]) for curves in (near, rows))
    summary = {"least": best.min(), "most": best.max(), "mean": best.mean(), "sd": best.std(ddof=1)}
    summary["with_ln_items"] = np.corrcoef(np.log(items), best)[0, 1]
    for name, curves, model, heights in (
        ("cosine", near, mean_of_days, best),
        ("cosine_by_ln", near, log_items, best),
        ("rows_by_ln", rows, log_items, best_r),
    ):
        summary[f"{name}_best_f"] = np.mean([curve.f.max() for curve in curves])
        summary[f"{name}_f"], summary[f"{name}_worst_f"] = quality_at(curves, left_out(model, logs, heights))
    return {"what": "cosine", **{name: float(value) for name, value in summary.items()}}


def tables(rows: list[dict[str, Any]]) -> str:
    """The tables of the latest run."""
    last = [row for row in rows if row["date"] == rows[-1]["date"]]
    by_what = {what: [row for row in last if row["what"] == what] for what in ("day", "form", "model", "cosine")}
    days = [
        [
            f"{row['items']:,}",
            f"{row['columns']:,}",
            f"{rows_['r']:.2f}",
            f"{rows_['normalised']:.4f}",
            f"{row['study_r']:.2f}",
            f"{near['r']:.3f}",
            *(f"{each[name]:.3f}" for each in (rows_, near) for name in ("f", "ari", "ami")),
            f"{near['seconds']:.1f}",
        ]
        for row in sorted(by_what["day"], key=lambda row: row["items"])
        for rows_, near in [(row["distance_rows"], row["cosine"])]
    ]
    head = ["items", "columns", "r", "r/√n", "log line of the study", "1 − cos"]
    head += [f"{name} ({space})" for space in ("rows", "cos") for name in ("F", "ARI", "AMI")]
    models = [
        [row["model"], *(f"{row[name]:.3f}" for name in ("mae", "rmse", "largest", "r2"))] for row in by_what["model"]
    ]
    forms = [
        [row["form"], f"{row['items']:,}", *(f"{row[k]:.{d}f}" for k, d in (("seconds", 2), ("peak_mb", 0), ("r", 3)))]
        for row in by_what["form"]
        if "seconds" in row
    ]
    machine, stable = last[0]["machine"], by_what["cosine"][0]
    ways = {"1 − cos, their mean": "cosine", "1 − cos, line over ln(items)": "cosine_by_ln"}
    ways["rows, line over ln(items)"] = "rows_by_ln"
    chosen = [
        [name, *(f"{stable[key + part]:.3f}" for part in ("_f", "_worst_f", "_best_f"))] for name, key in ways.items()
    ]
    parts = [
        f"{len(days)} made days, items sha256 {last[0]['corpus']['sha256']}, {machine['cores']} cores of "
        f"{machine['cpu']}, {last[0]['date'][:10]}.",
        markdown([*head, "s"], days),
        f"The best 1 − cos lies between {stable['least']:.3f} and {stable['most']:.3f}, mean {stable['mean']:.3f}, "
        f"standard deviation {stable['sd']:.3f}; its correlation with the logarithm of the size of the day is "
        f"{stable['with_ln_items']:.2f}.",
        markdown(["distance taken from the other days", "mean F", "worst day", "mean F at the best"], chosen),
        markdown(["r predicted by, each day left out", "MAE", "RMSE", "largest", "R²"], models),
        markdown(["from words to merges", "items", "s", "peak MB", "best r"], forms),
    ]
    return "\n\n".join(parts)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--write", type=Path, metavar="PAGE", help="measure nothing; put the tables into this page")
    commands = parser.add_subparsers(dest="command")
    making = commands.add_parser("make", help="write days")
    making.add_argument("--from", dest="source", type=Path, required=True, help="news, JSON Lines, plain or .gz")
    making.add_argument("--out", type=Path, required=True)
    making.add_argument("--sizes", type=int, nargs="+", help="items of every day (those of the study)")
    making.add_argument("--seed", type=int, default=0)
    running = commands.add_parser("run", help="measure")
    running.add_argument("--days", type=Path, required=True)
    running.add_argument("--literal", type=int, nargs="*", default=[855, 2117, 4142], help="days for the literal form")
    running.add_argument("--hidden", type=int, nargs="+", default=[4, 8, 12], help="hidden units to choose from")
    single = commands.add_parser("once", help="one form on one day; called by run")
    single.add_argument("--form", required=True)
    single.add_argument("--day", type=Path, required=True)
    args = parser.parse_args()
    if args.write:
        write(args.write, tables(list(record.read(RESULTS))), "semshort")
    elif args.command is None:
        parser.error("expected make, run or --write")
    elif args.command == "make":
        from samestory.lab.experiments.tables import column

        make(args.source, args.out, args.sizes or [int(n) for n in column("fomin_days", "articles")], args.seed)
    elif args.command == "run":
        run(args.days, args.literal, args.hidden)
    else:
        print(json.dumps(once(args.form, args.day)))


if __name__ == "__main__":
    main()
