"""Names: how well they are recognised, what that does for duplicates, and what it costs.

    python benchmarks/entities.py [--data DIR] [--samestory COMMAND] [--corpus FILE]
    python benchmarks/entities.py --show 20 [--part dev]       names missed and wrong, to improve the rules
    python benchmarks/entities.py --write docs/results.md      only the tables, from the results

names       a name counts as found where its span and its class are right (benchmarks/marked.py); beside the rules, a
            baseline that calls every run of capital words a name of the class that is most frequent in training
duplicates  pairs found by tweezer, tweezer-set, imatch and reuse, with their own thresholds; for tr_unlabelled, which
            has no labels, pairs that share more than half of their runs of five words are called duplicates
cost        processor time of reading and signing an article, on one core, words counted before; the least of three
"""

import argparse
import json
import re
import subprocess
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import record
from marked import CLASSES, SETS, Marked, Name, Text
from record import Row
from run import find_samestory
from sets import SETS as NEWS
from table import markdown, write

import samestory
from samestory.entities import Recogniser
from samestory.run import Run, fitted

DETECTORS = ("tweezer", "tweezer-set", "imatch", "reuse")
MEASURES = ("pair_precision", "pair_recall", "pair_f", "pair_c_dup")
RESULTS = record.RESULTS / "entities.jsonl"
#: Runs of five words that near copies share more than half of.
NEAR_COPIES = "resemblance(shingle=5, threshold=0.5)"


def outermost(names: set[Name]) -> set[Name]:
    return {n for n in names if not any(o != n and o[0] <= n[0] and n[1] <= o[1] for o in names)}


def runs(text: str, kind: str) -> set[Name]:
    """Every run of words that begin with a capital and have nothing but a blank between them."""
    words = re.finditer(r"\b[^\W\d_]\w*(?:-\w+)*", text)
    out: list[Name] = []
    for word in words:
        if not word[0][0].isupper():
            continue
        if out and text[out[-1][1] : word.start()] == " ":
            out[-1] = (out[-1][0], word.end(), kind)
        else:
            out.append((word.start(), word.end(), kind))
    return set(out)


def recognised(texts: list[Text], each: Marked, rules: str) -> list[set[Name]]:
    rows = Recogniser(rules).texts([t.text for t in texts], [each.language] * len(texts))
    found = [{(e.start, e.end, e.kind) for e in row if e.kind in CLASSES} for row in rows]
    return found if each.nested else [outermost(names) for names in found]


def score(texts: list[Text], found: list[set[Name]], kind: str | None) -> list[float]:
    """Precision, recall and F1, of all names or of a class."""

    def of(names: set[Name]) -> set[Name]:
        return {n for n in names if kind is None or n[2] == kind}

    right = sum(len(of(t.names) & of(f)) for t, f in zip(texts, found, strict=True))
    p = right / max(sum(len(of(f)) for f in found), 1)
    r = right / max(sum(len(of(t.names)) for t in texts), 1)
    return [p, r, 2 * p * r / max(p + r, 1e-9)]


def names(data: Path, part: str) -> Iterator[Row]:
    for each in SETS:
        texts = each.read(data, part)
        common = Counter(n[2] for t in each.read(data, "train") for n in t.names).most_common(1)[0][0]
        found = {f"every capital run a {common}": [runs(t.text, common) for t in texts]}
        if each.language == "tr":
            found["rules of the study"] = recognised(texts, each, "study")
        found["extended rules"] = recognised(texts, each, "extended")
        for what, spans in found.items():
            figures = {kind: score(texts, spans, None if kind == "all" else kind) for kind in ("all", *CLASSES)}
            yield {"table": "names", "what": what, "set": each.name, "part": part, "texts": len(texts), **figures}


def duplicates(command: str, data: Path) -> Iterator[Row]:
    for each in NEWS:
        if each.name not in ("reuters_slug", "tr_mds"):
            continue
        judged = "(unjudged='out')" if each.gold == "pairs" else ""
        measures = [m if m == "pair_recall" else f"{m}{judged}" for m in MEASURES]
        with TemporaryDirectory() as folder:
            gold, docs = each.files(data)[0], each.documents(data, Path(folder))
            words = [command, "evaluate", "--gold", str(gold), "--docs", str(docs), "--json", "--rounds", "0"]
            words += [w for d in DETECTORS for w in ("-d", d)] + [w for m in measures for w in ("-m", m)]
            done = subprocess.run([*words, *each.options], capture_output=True, text=True, check=True)
        for row in map(json.loads, done.stdout.splitlines()[1:]):
            values = {k.partition("(")[0]: v["value"] for k, v in row["figures"].items()}
            yield {"table": "duplicates", "what": row["detector"], "set": each.name, **values}
    docs = data / "tr_unlabelled" / "docs.jsonl.gz"
    articles = sum(1 for _ in samestory.read(str(docs)))
    gold_pairs = related(command, docs, NEAR_COPIES)
    for spec in DETECTORS:
        found = related(command, docs, spec)
        what = str(samestory.parse(spec))
        yield {"table": "duplicates", "what": what, "set": "tr_unlabelled", **among_all(gold_pairs, found, articles)}


def related(command: str, docs: Path, spec: str) -> set[frozenset[str]]:
    done = subprocess.run([command, "relate", str(docs), "-d", spec], capture_output=True, text=True, check=True)
    return {frozenset((row["left"], row["right"])) for row in map(json.loads, done.stdout.splitlines())}


def among_all(gold: set[frozenset[str]], found: set[frozenset[str]], articles: int) -> dict[str, float]:
    """The measures where every pair of articles is judged; C_dup with P(duplicate) = 0.07, normalised."""
    right = len(gold & found)
    precision, recall = right / len(found), right / len(gold)
    alarm = (len(found) - right) / (articles * (articles - 1) / 2 - len(gold))
    f = 2 * precision * recall / (precision + recall)
    return dict(zip(MEASURES, (precision, recall, f, (0.93 * alarm + 0.07 * (1 - recall)) / 0.07), strict=True))


def cost(corpus: Path) -> Iterator[Row]:
    for spec in ("imatch", "tweezer", "tweezer-set"):
        chosen = samestory.parse(spec)
        run = fitted(Run(chosen, threads=1), lambda run: run.read(str(corpus)))
        assert run.detector.native  # the lists are read
        seconds = []
        for _ in range(3):
            timed = Run(run.detector, threads=1)
            start = time.process_time()
            timed.read(str(corpus))
            seconds.append(time.process_time() - start)
        timed.count()
        articles = timed.summary.articles
        yield {
            "table": "cost",
            "what": str(chosen),
            "articles": articles,
            "microseconds": 1e6 * min(seconds) / articles,
        }


def show(data: Path, part: str, count: int) -> None:
    for each in SETS:
        texts = each.read(data, part)
        rows = Recogniser().texts([t.text for t in texts], [each.language] * len(texts))
        missed: Counter[str] = Counter()
        wrong: Counter[str] = Counter()
        rules: Counter[tuple[str, str]] = Counter()
        for t, row in zip(texts, rows, strict=True):
            mine = {(e.start, e.end, e.kind): e for e in row if e.kind in CLASSES}
            kept = set(mine) if each.nested else outermost(set(mine))
            missed.update(f"{t.text[n[0] : n[1]]} = {n[2]}" for n in t.names - kept)
            wrong.update(f"{mine[n].text} = {n[2]} ({mine[n].because})" for n in kept - t.names)
            rules.update((mine[n].because.partition(":")[0], "right" if n in t.names else "wrong") for n in kept)
        for what, counted in (("missed", missed), ("wrong", wrong)):
            print(f"{each.name}, {what}:", *(f"{n:4} {name}" for name, n in counted.most_common(count)), sep="\n")
        for rule in sorted({rule for rule, _ in rules}):
            print(f"  {rule:28} right {rules[rule, 'right']:5} wrong {rules[rule, 'wrong']:5}")


def tables(rows: list[Row]) -> str:
    last = {(row["table"], row["what"], row.get("set")): row for row in rows}

    def of(table: str) -> list[Row]:
        return [row for row in last.values() if row["table"] == table]

    def triple(values: list[float]) -> str:
        return " / ".join(f"{v:.3f}" for v in values)

    name_rows = [
        [r["set"], r["what"], triple(r["all"]), *(f"{r[kind][2]:.3f}" for kind in CLASSES)] for r in of("names")
    ]
    found = [
        [r["set"], f"`{r['what']}`", *("–" if r[m] is None else f"{r[m]:.3f}" for m in MEASURES)]
        for r in of("duplicates")
    ]
    base = next((r["microseconds"] for r in of("cost")), 1.0)
    paid = [[f"`{r['what']}`", f"{r['microseconds']:.1f}", f"{r['microseconds'] / base:.2f}"] for r in of("cost")]
    return "\n\n".join(
        (
            markdown(
                ["texts", "names recognised by", "all: P / R / F1", *(f"{kind} F1" for kind in CLASSES)], name_rows
            ),
            markdown(["news", "detector", "precision", "recall", "F1", "C_dup"], found),
            markdown(["detector", "µs an article, read and signed", "times `imatch-idf()`"], paid),
        )
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--samestory", metavar="COMMAND")
    parser.add_argument("--corpus", type=Path, default=Path(".bench/data/10k/docs.jsonl"), help="for the cost")
    parser.add_argument("--part", default="test", choices=("train", "dev", "test"))
    parser.add_argument("--show", type=int, metavar="N")
    parser.add_argument("--write", type=Path, metavar="FILE")
    options = parser.parse_args()
    if options.show:
        return show(options.data, options.part, options.show)
    if options.write:
        return write(options.write, tables(list(record.read(RESULTS))), "entities")
    about = {"version": samestory.__version__, "machine": record.machine(), "date": record.now()}
    rows = [*names(options.data, options.part), *duplicates(find_samestory(options.samestory), options.data)]
    rows += cost(options.corpus) if options.corpus.exists() else []
    for row in rows:
        record.append(RESULTS, {**row, **about})
    print(tables(rows))
    return None


if __name__ == "__main__":
    main()
