"""The error budget: what a point of extraction is worth to duplicate detection.

    python benchmarks/error_budget.py [--data DIR] [--set reuters_slug] [--pages html_scrapinghub] [--articles 3000]
    python benchmarks/error_budget.py --set planted --pages invented      what everybody can make
    python benchmarks/error_budget.py --write docs/results.md             only the table, from the results

Articles with known duplicates are wrapped in page templates (src/samestory/lab/experiments/templates.py), taken
out by every extractor, and compared by `cedar` and by `reuse`; beside them the articles as they were. Extraction is
token F1 against the true text, a mean over pages. Pages stay in memory and in their own folder, nothing is fetched.

sets    reuters_slug: judged pairs, drawn with a seed until there are articles enough; groups are those of the set
        planted: the corpus of benchmarks/corpus.py, exact and near copies the same, templates and topics not
pages   folders with docs.jsonl.gz and html.zip whose news is known, one page a site; or invented: the eight templates
        of the package. What has learned on a folder must be measured with another.
"""

import argparse
import json
import random
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import record
from record import Row
from sets import SETS
from table import markdown, write

import samestory
from samestory.html.extractors import EXTRACTORS
from samestory.lab.evaluation import GoldGroups, GoldPairs, read_gold
from samestory.lab.experiments import ExperimentInput
from samestory.lab.experiments.further.extraction_quality import (
    DETECTORS,
    SITES,
    TOKEN_F,
    ExtractorResult,
    budget,
    slope,
)
from samestory.lab.experiments.pages import pages, templates, wrapped
from samestory.lab.experiments.templates import builtin_templates
from samestory.readers import Source

RESULTS = record.RESULTS / "error_budget.jsonl"
SEED = 6
#: Whether each planted relation counts as a near-duplicate.
PLANTED = {"exact": 1, "near": 1, "template": 0, "topic": 0}
SHOWN = ("pair F1", "area", "B-cubed F")


@dataclass(frozen=True)
class Labelled:
    docs: Path
    pairs: GoldPairs
    groups: GoldGroups


def reuters(data: Path, count: int, folder: Path) -> Labelled:
    """Judged pairs in random order, until so many articles are named; only those articles are kept."""
    (known,) = [each for each in SETS if each.name == "reuters_slug"]
    gold, docs = known.files(data)
    pairs = read_gold(str(gold), leave_out=known.options[1::2])
    groups = read_gold(str(gold.with_name("clusters.jsonl.gz")))
    assert isinstance(pairs, GoldPairs) and isinstance(groups, GoldGroups)
    order = list(range(len(pairs)))
    random.Random(SEED).shuffle(order)
    taken: list[int] = []
    named: set[str] = set()
    for row in order:
        if len(named) >= count:
            break
        taken.append(row)
        named |= {pairs.left[row], pairs.right[row]}
    kept = folder / "docs.jsonl"
    with kept.open("w", encoding="utf-8") as out:
        for article in samestory.read(str(docs)):
            if isinstance(article, samestory.Article) and article.id in named:
                out.write(json.dumps({"id": article.id, "title": article.title, "text": article.text}) + "\n")
    known_groups = {name: group for name, group in zip(groups.articles, groups.groups, strict=True) if name in named}
    # what was only ever judged to be another story stands alone
    doubtful = {name for pair in pairs.aside for name in pair}
    return Labelled(kept, pairs.take(sorted(taken)), grouped(known_groups, named - doubtful, folder))


def planted(count: int, folder: Path) -> Labelled:
    maker = [sys.executable, str(Path(__file__).with_name("corpus.py")), "--docs", str(count), "--workers", "1"]
    subprocess.run([*maker, "--out", str(folder)], check=True, capture_output=True)
    pairs = folder / "pairs.jsonl"
    apart: set[str] = set()
    with pairs.open("w", encoding="utf-8") as out:
        for row in map(json.loads, (folder / "truth.jsonl").read_text().splitlines()):
            if row["relation"] in PLANTED:
                out.write(json.dumps({**row, "label": PLANTED[row["relation"]], "relation": "near"}) + "\n")
            else:
                apart |= {row["a"], row["b"]}  # parts and wholes: neither the same nor others
    clusters = map(json.loads, (folder / "clusters.jsonl").read_text().splitlines())
    groups = {name: str(row["cluster"]) for row in clusters for name in row["ids"]}
    ids = {json.loads(line)["id"] for line in (folder / "docs.jsonl").read_text().splitlines()}
    gold = read_gold(str(pairs))
    assert isinstance(gold, GoldPairs)
    return Labelled(folder / "docs.jsonl", gold, grouped(groups, ids - apart, folder))


def grouped(groups: dict[str, str], ids: set[str], folder: Path) -> GoldGroups:
    """The groups, and a group of its own for every other article."""
    path = folder / "groups.jsonl"
    alone = {name: f"alone {name}" for name in sorted(ids - groups.keys())}
    lines = ({"id": name, "cluster": group} for name, group in {**groups, **alone}.items())
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    gold = read_gold(str(path))
    assert isinstance(gold, GoldGroups)
    return gold


def measured(options: argparse.Namespace, folder: Path) -> list[Row]:
    tell = (lambda step: print(step, file=sys.stderr)) if options.verbose else (lambda step: None)
    found = planted(options.articles, folder) if options.set == "planted" else None
    found = found or reuters(options.data, options.articles, folder)
    if options.pages == "invented":
        page_templates = builtin_templates()
    else:
        given = pages(ExperimentInput(sources=[Source(str(options.data / options.pages / "docs.jsonl.gz"))]))
        page_templates, why = templates(given)
        print(f"{len(page_templates)} sites; no templates of {sum(why.values())}: {dict(why)}", file=sys.stderr)
    sources = [Source(str(found.docs))]
    paged = wrapped(ExperimentInput(sources=sources, gold=found.groups, templates=page_templates))
    about = {"set": options.set, "pages": options.pages, "sites": len(page_templates), "articles": len(paged.ids)}
    about |= {"pairs": len(found.pairs), "version": samestory.__version__, "machine": record.machine()}
    rows: list[Row] = []
    start = time.perf_counter()
    for each in budget(paged, [found.pairs, found.groups], options.extractors, DETECTORS, tell):
        if not isinstance(each, ExtractorResult):
            print(f"left out: {each[1]}", file=sys.stderr)
            continue
        rows.append({**about, "extractor": each.extractor, TOKEN_F: each.tokens, "figures": each.figures})
        print(f"{time.perf_counter() - start:.0f} s: {each.extractor}", file=sys.stderr)
    return rows


def tables(rows: list[Row]) -> str:
    """For every set and pages the latest row of every extractor."""
    last = {(row["set"], row["pages"], row["extractor"]): row for row in rows}
    out = []
    for key in dict.fromkeys(key[:2] for key in last):
        mine = [row for each, row in last.items() if each[:2] == key]
        clean = next(row for row in mine if row["extractor"] == "clean text")
        head = ["extractor", TOKEN_F, *(f"`{name}` {what}" for name in DETECTORS for what in SHOWN)]
        body = [
            [row["extractor"], f"{row[TOKEN_F]:.3f}"]
            + [f"{row['figures'][name][what]:.4f}" for name in DETECTORS for what in SHOWN]
            for row in sorted(mine, key=lambda row: -row[TOKEN_F])
        ]
        worth = []
        for name in DETECTORS:
            points = [
                (clean[TOKEN_F] - row[TOKEN_F], clean["figures"][name]["pair F1"] - row["figures"][name]["pair F1"])
                for row in mine
                if row is not clean
            ]
            value = slope(points)
            worth.append(f"`{name}` {value:.2f}" if value is not None else f"`{name}` nothing")
        out.append(
            f"`{key[0]}`, {clean['articles']:,} articles in the page templates of {clean['sites']} sites of "
            f"`{key[1]}`, {clean['pairs']:,} judged pairs:\n\n{markdown(head, body)}\n\n"
            f"Points of pair F1 lost for every point of token F1 lost, over these extractors: {', '.join(worth)}."
        )
    return "\n\n".join(out)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--set", default="reuters_slug", choices=("reuters_slug", "planted"))
    parser.add_argument("--pages", default="html_scrapinghub", metavar="FOLDER", help="under --data; or: invented")
    parser.add_argument("--articles", type=int, default=3000)
    parser.add_argument("--extractors", nargs="+", default=[*EXTRACTORS, f"heuristic{SITES}"], metavar="SPEC")
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("--write", type=Path, metavar="FILE")
    options = parser.parse_args()
    if options.write:
        return write(options.write, tables(list(record.read(RESULTS))), "error_budget")
    with tempfile.TemporaryDirectory() as folder:
        rows = measured(options, Path(folder))
    for row in rows:
        record.append(RESULTS, {**row, "date": record.now()})
    print(tables(rows))
    return None


if __name__ == "__main__":
    main()
