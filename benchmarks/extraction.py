"""Content of pages: how well it is recognised on unseen sites, how fast, and the models of the package.

    python benchmarks/extraction.py [--data DIR] [--extractors SPEC ...]      how well content is recognised
    python benchmarks/extraction.py --speed [--extractors SPEC ...]           how fast: all of them in one run
    python benchmarks/extraction.py --ship              train the two models of the package on all pages, write cards
    python benchmarks/extraction.py --write docs/results.md          only the tables, from the results

text      runs of four words against the gold text of html_scrapinghub and html_cleanportaleval (the measure of the
          article extraction benchmark), with an interval from drawing pages
segments  snippets of html_trafilatura that the content must hold, and must not (the measure of trafilatura's own
          evaluation)
blocks    precision and recall of blocks, and pages without a wrong block, on html_scrapinghub (those of the study)
speed     pages a second on all cores, and on one, each extractor in turn in one process

maxent and crf are trained five times, each time without the sites of one fifth of the pages, and asked about that
fifth: no page is judged by a model that has seen its site. html_cleanportaleval trains nothing: its pages are judged by
the models of the package, and by those alone.
"""

import argparse
import os
import random
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory

import page_sets
import record
from page_sets import Known
from record import Row
from table import markdown, write

import samestory
from samestory.html import EXTRACTORS, Extraction, parse
from samestory.html.extractors.learned import LearnedExtractor
from samestory.html.extractors.native import BlockExtractor
from samestory.lab.training.content_model import Example, part_of, train
from samestory.lab.training.snippets import flat, labelled
from samestory.lab.training.text_agreement import TextAgreement, agreement, average

RESULTS = record.RESULTS / "extraction.jsonl"
MODELS = Path(samestory.__file__).parent / "html" / "models"
WHOLE, SNIPPETS, ASIDE = "html_scrapinghub", "html_trafilatura", "html_cleanportaleval"
FOLDS = 5
ROUNDS, SEED = 1000, 2007
#: Whether `crf` of the package weighs the names of persons, places and organisations.
ENTITIES = False


def examples(pages: Sequence[Known]) -> list[Example]:
    return [Example.from_text(each.page, each.site, each.text) for each in pages]


def model(whole: Sequence[Known], snippets: Sequence[Known], kind: str, entities: bool) -> str:
    """A model of whole texts; then of whole texts and of pages it labels as their snippets say."""
    known = examples(whole)
    first = train(known, "crf", entities=entities)
    return train([*known, *labelled(first, [each.snippets() for each in snippets])], kind, entities=entities)


def models(data: dict[str, list[Known]], kind: str, entities: bool, also_all: bool) -> list[str]:
    """One for every fold, that has seen no site of it, and perhaps one of all; as many at a time as there are cores."""
    folds = [*range(FOLDS), *([FOLDS] if also_all else [])]  # no site is of that last fold
    print(f"{kind}: training on {len(folds)} folds", flush=True)
    others = [
        [[k for k in data[name] if part_of(k.site, FOLDS) != fold] for name in (WHOLE, SNIPPETS)] for fold in folds
    ]
    with ProcessPoolExecutor(len(os.sched_getaffinity(0))) as crew:
        return list(crew.map(model, *zip(*others, strict=True), [kind] * len(folds), [entities] * len(folds)))


class Results:
    """The results of an extractor on every page: by itself, or by the model that has not seen the page's site.

    For a kind of `crf` that the package does not have, and where models are kept, one of all pages is trained too.
    """

    def __init__(self, spec: str, data: dict[str, list[Known]], folder: Path, entities: bool, keep: bool) -> None:
        self.spec, self.extractor = spec, parse(spec)
        self.unseen: list[BlockExtractor] = []
        if not isinstance(self.extractor, LearnedExtractor) or self.extractor.model:
            return
        kind, other = type(self.extractor), self.extractor.name == "crf" and entities != ENTITIES
        for fold, text in enumerate(models(data, kind.name, entities and kind.name == "crf", other or keep)):
            path = folder / f"{kind.name}{fold}.model"
            path.write_text(text)
            self.unseen.append(kind(least=self.extractor.least, model=str(path)))
        if other or keep:
            self.extractor = self.unseen.pop()
        if other:
            self.spec = f"{spec} {'with' if entities else 'without'} entities"

    def of(self, pages: Sequence[Known], seen: bool = False) -> list[str]:
        found: dict[int, str] = {}
        for fold in range(FOLDS if self.unseen and not seen else 1):
            there = [at for at, k in enumerate(pages) if seen or not self.unseen or part_of(k.site, FOLDS) == fold]
            extractor = self.unseen[fold] if self.unseen and not seen else self.extractor
            texts = extractor.extract([pages[at].page for at in there])
            found |= {at: t.text if isinstance(t, Extraction) else "" for at, t in zip(there, texts, strict=True)}
        return [found[at] for at in range(len(pages))]

    def blocks(self, pages: Sequence[Known]) -> Iterator[tuple[list[bool], list[bool]]]:
        """Of every page, which blocks are content by the gold and by the extractor."""
        for known, example in zip(pages, examples(pages), strict=True):
            extractor = self.unseen[part_of(known.site, FOLDS)] if self.unseen else self.extractor
            if isinstance(extractor, BlockExtractor):
                yield list(example.content), [p >= 0.5 for p in extractor.label(known.page)[1]]


def text(results: Results, pages: Sequence[Known], seen: bool) -> Row:
    each = [agreement(k.text, t) for k, t in zip(pages, results.of(pages, seen), strict=True)]
    mean, draw = average(each), random.Random(SEED)
    drawn = sorted(average(draw.choices(each, k=len(each))).f1 for _ in range(ROUNDS))
    return {**figures(mean), "low": drawn[ROUNDS // 40], "high": drawn[-ROUNDS // 40], "pages": len(pages)}


def figures(found: TextAgreement) -> Row:
    return {"precision": found.precision, "recall": found.recall, "f1": found.f1}


def segments(results: Results, pages: Sequence[Known]) -> Row:
    hit = missed = alarm = 0
    for known, found in zip(pages, map(flat, results.of(pages)), strict=True):
        inside = [flat(snippet) in found for snippet in known.wanted]
        hit, missed = hit + sum(inside), missed + len(inside) - sum(inside)
        alarm += sum(flat(snippet) in found for snippet in known.unwanted)
    return {**figures(TextAgreement(hit / max(hit + alarm, 1), hit / (hit + missed))), "pages": len(pages)}


def blocks(results: Results, pages: Sequence[Known]) -> Row | None:
    rows = list(results.blocks(pages))
    if not rows:
        return None
    pairs = [pair for gold, found in rows for pair in zip(gold, found, strict=True)]
    right = sum(gold and found for gold, found in pairs)
    precision = right / max(sum(found for _, found in pairs), 1)
    recall = right / sum(gold for gold, _ in pairs)
    perfect = sum(gold == found for gold, found in rows) / len(rows)
    return {**figures(TextAgreement(precision, recall)), "perfect": perfect, "pages": len(rows)}


def speed(specs: Sequence[str], pages: Sequence[Known]) -> Iterator[Row]:
    """Everybody in turn, three times, the best of each; on all cores for those that use them, and on one."""
    everything = [known.page for known in pages]
    cores = sorted(os.sched_getaffinity(0))
    best: dict[tuple[str, int], float] = {}
    for _ in range(3):
        for spec in specs:
            extractor = parse(spec)
            extractor.extract(everything[:3])  # what is loaded once is loaded now
            counts = {len(cores), 1} if isinstance(extractor, BlockExtractor) else {1}
            for count in counts:
                os.sched_setaffinity(0, cores[:count])
                start = time.perf_counter()
                extractor.extract(everything)
                seconds = time.perf_counter() - start
                os.sched_setaffinity(0, cores)
                best[spec, count] = min(seconds, best.get((spec, count), seconds))
    for (spec, count), seconds in best.items():
        yield {"table": "speed", "what": spec, "cores": count, "pages": len(pages), "a_second": len(pages) / seconds}


def measured(specs: Sequence[str], data: dict[str, list[Known]], keep: Path | None, entities: bool) -> Iterator[Row]:
    with TemporaryDirectory() as passing:
        folder = keep or Path(passing)
        folder.mkdir(exist_ok=True)
        for each in specs:
            results = Results(each, data, folder, entities, bool(keep))
            spec = results.spec
            for name, pages in data.items():
                if name == SNIPPETS:
                    yield {"table": "segments", "what": spec, "set": name, **segments(results, pages)}
                else:
                    yield {"table": "text", "what": spec, "set": name, **text(results, pages, seen=name == ASIDE)}
                if name == WHOLE and (found := blocks(results, pages)):
                    yield {"table": "blocks", "what": spec, "set": name, **found}


def tables(rows: Sequence[Row]) -> str:
    last = {(r["table"], r["what"], r.get("set"), r.get("cores")): r for r in rows}

    def of(table: str) -> list[Row]:
        found = [row for row in last.values() if row["table"] == table]
        return sorted(found, key=lambda r: (r.get("set") or "", -r.get("f1", 0), -r.get("a_second", 0)))

    def three(row: Row) -> list[str]:
        return [f"{row[key]:.3f}" for key in ("precision", "recall", "f1")]

    text = [[r["set"], f"`{r['what']}`", *three(r), f"{r['low']:.3f}–{r['high']:.3f}"] for r in of("text")]
    parts = [[r["set"], f"`{r['what']}`", *three(r)] for r in of("segments")]
    block = [[f"`{r['what']}`", *three(r), f"{100 * r['perfect']:.0f} %"] for r in of("blocks")]
    # speeds are compared within one run only
    run = [r for r in of("speed") if r.get("date") == max(row.get("date", "") for row in of("speed"))]
    slow = next((r["a_second"] for r in run if r["what"] == "trafilatura()"), None)
    fast = [
        [f"`{r['what']}`", str(r["cores"]), f"{r['a_second']:.0f}", f"{r['a_second'] / slow:.1f}" if slow else ""]
        for r in run
    ]
    head = ["precision", "recall", "F1"]
    return "\n\n".join(
        (
            markdown(["pages", "extractor", *head, "F1, 95 %"], text),
            markdown(["pages", "extractor", *head], parts),
            markdown(["extractor", *(f"block {name}" for name in head), "pages without a wrong block"], block),
            markdown(["extractor", "cores", "pages a second", "times trafilatura"], fast),
        )
    )


def card(kind: str, text: str, rows: Sequence[Row], data: dict[str, list[Known]]) -> str:
    """What a user should know before trusting a model."""
    about = EXTRACTORS[kind]
    described = (about.__doc__ or "").split("\n\n")[0]
    lines = [f"# {kind}.model", "", " ".join(described.split()), ""]
    lines += [
        f"{text.count(chr(9)):,} weights, {len(text.encode()) // 1000:,} kB of plain text.",
        f"Trained on {len(data[WHOLE])} pages of the article extraction benchmark with whole texts, and on those of "
        f"the {len(data[SNIPPETS])} evaluation pages of trafilatura that it labels in agreement with their snippets: "
        "mostly English and German, some twenty other languages; news, blogs, notices of institutions.",
        "Features seen on fewer than three sites, and words and class names on fewer than eight, are left out.",
        "",
        "Quality on unseen sites (five folds by site), and on html_cleanportaleval, which was not used for training:",
        "",
    ]
    own = (row for row in rows if row["what"] == f"{kind}()" and row["table"] in ("text", "segments", "blocks"))
    for row in {(row["table"], row["set"]): row for row in own}.values():
        p, r, f = (f"{row[key]:.3f}" for key in ("precision", "recall", "f1"))
        lines.append(f"- {row['table']}, {row['set']}: precision {p}, recall {r}, F1 {f}")
    lines += ["", "`python benchmarks/extraction.py` repeats the measurement, `--ship` the training.", ""]
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--extractors", nargs="+", metavar="SPEC")
    parser.add_argument("--speed", action="store_true", help="measure the speed only")
    parser.add_argument(
        "--entities", choices=("yes", "no"), help="whether crf weighs names (default: as in the package)"
    )
    parser.add_argument(
        "--keep", type=Path, metavar="FOLDER", help="keep the models of the folds here, and of all pages"
    )
    parser.add_argument("--ship", action="store_true", help="train the models of the package")
    parser.add_argument("--cards", action="store_true", help="only the cards of the models, from the results")
    parser.add_argument("--write", type=Path, metavar="FILE")
    options = parser.parse_args()
    if options.write:
        return write(options.write, tables(list(record.read(RESULTS))), "extraction")
    data = {name: page_sets.read(options.data, name) for name in (WHOLE, SNIPPETS, ASIDE)}
    if options.ship or options.cards:
        MODELS.mkdir(exist_ok=True)
        for kind in ("maxent", "crf"):
            path = MODELS / f"{kind}.model"
            entities = ENTITIES and kind == "crf"
            text = model(data[WHOLE], data[SNIPPETS], kind, entities) if options.ship else path.read_text()
            path.write_text(text)
            path.with_suffix(".md").write_text(card(kind, text, list(record.read(RESULTS)), data))
        return None
    about = {"version": samestory.__version__, "machine": record.machine(), "date": record.now()}
    specs = options.extractors or [f"{name}()" for name in EXTRACTORS]
    rows = []
    entities = ENTITIES if options.entities is None else options.entities == "yes"
    for row in speed(specs, data[WHOLE]) if options.speed else measured(specs, data, options.keep, entities):
        record.append(RESULTS, {**row, **about})
        rows.append(row)
        print(row, flush=True)
    print(tables(rows))
    return None


if __name__ == "__main__":
    main()
