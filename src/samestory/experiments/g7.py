"""G7: how well blocks of pages are told to be content."""

from __future__ import annotations

import random
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from samestory.errors import InputError, NotAPage, SamestoryError
from samestory.experiments.collection import Collection
from samestory.experiments.experiment import Experiment
from samestory.experiments.pages import SEED, Pages, pages, usable
from samestory.experiments.values import YOURS, Published, Row
from samestory.html import Extraction, Extractor, Page, blocks, parse
from samestory.html.align import align
from samestory.html.blocks import CEDAR, INLINE_5
from samestory.html.extractors import BlockExtractor
from samestory.html.train import Example, train
from samestory.measures import Blocks, figure
from samestory.measures import parse as measure

#: Parts of the sites; what has learned is measured on each part after it has learned on the others.
FOLDS = 5
#: From this probability on a block is content.
CONTENT = 0.5
MEASURES = {
    "block precision in %": "block_precision",
    "block recall in %": "block_recall",
    "pages without an error in %": "page_accuracy",
}
#: What learns, by our names.
LEARNED = {"CE-SIMPLE": "maxent", "CE-BEST": "crf"}
OTHERS = ("heuristic", "rules", "trafilatura", "readability", "resiliparse")


@dataclass(frozen=True)
class Labelled:
    """Pages with the labels of their blocks."""

    examples: Sequence[Example]

    def data(self, found: Sequence[Sequence[bool]]) -> Blocks:
        """The labels beside those that an extractor gives."""
        page, gold, told = [], [], []
        for number, (example, labels) in enumerate(zip(self.examples, found, strict=True)):
            page += [number] * len(labels)
            gold += [_LABEL[content] for content in example.content]
            told += [_LABEL[content] for content in labels]
        return Blocks(page, gold, told)


_LABEL = {True: "CONTENT", False: "NOTCONTENT"}


def run(collection: Collection) -> Iterator[Row]:
    """Every extractor on every block; what learns, on sites that it has not seen."""
    given = pages(collection)
    collection.tell("labelling blocks")
    labelled = Labelled([each for each in map(_example, range(len(given.ids)), [given] * len(given.ids)) if each])
    if not labelled.examples:
        raise InputError(
            "no page tells which of its blocks are content",
            'give the news of every page as "text", or put it into CedarContent spans',
        )
    sites = {example.site for example in labelled.examples}
    note = f"{len(labelled.examples):,} pages of {len(sites):,} sites; {given.note}"
    for name, method in LEARNED.items():
        collection.tell(f"training {name}")
        found = _learned(labelled, method)
        yield from _rows(collection, labelled, name, found, f"{_folds(sites)} folds by site; {note}")
    for spec in OTHERS:
        collection.tell(f"extracting by {spec}")
        extractor = usable(spec)
        told = extractor if isinstance(extractor, str) else [told_by(extractor, e.page) for e in labelled.examples]
        yield from _rows(collection, labelled, spec, told, note)


def _example(number: int, given: Pages) -> Example | None:
    """A page with the labels of its blocks; none of what is no page, or tells nothing."""
    page, site, news = given.page(number), given.sites[number], given.news[number]
    try:
        if any(block.gold[CEDAR.index("CedarContent")] for block in blocks(page)):
            return Example.annotated(page, site)
        return None if news is None else Example.of(page, site, news)
    except NotAPage:
        return None


def told_by(extractor: Extractor, page: Page) -> list[bool]:
    """What an extractor says of every block; of one that gives text alone, which blocks that text is from."""
    if isinstance(extractor, BlockExtractor):
        return [probability >= CONTENT for probability in extractor.label(page)[1]]
    (found,) = extractor.extract([page])
    text = found.text if isinstance(found, Extraction) else ""
    return align([block.text for block in blocks(page, inline_extra=INLINE_5)], text)


def _folds(sites: set[str]) -> int:
    return min(FOLDS, len(sites))


def _learned(labelled: Labelled, method: str) -> list[list[bool]] | str:
    """What a method says of every page after it has learned on the pages of other sites; or why it says nothing."""
    sites = sorted({example.site for example in labelled.examples})
    if len(sites) < 2:
        return "needs pages of two sites at least, to learn on one and to be measured on the other"
    random.Random(SEED).shuffle(sites)
    fold_of = {site: number % FOLDS for number, site in enumerate(sites)}
    out: list[list[bool]] = [[] for _ in labelled.examples]
    with tempfile.TemporaryDirectory() as folder:
        for fold in range(_folds(set(sites))):
            model = Path(folder) / f"{fold}.model"
            others = [example for example in labelled.examples if fold_of[example.site] != fold]
            try:
                model.write_text(train(others, method), encoding="utf-8")
            except SamestoryError as why:
                return str(why).splitlines()[0]
            extractor = parse(f"{method}(model={str(model)!r})")
            for number, example in enumerate(labelled.examples):
                if fold_of[example.site] == fold:
                    out[number] = told_by(extractor, example.page)
    return out


def _rows(
    collection: Collection, labelled: Labelled, name: str, found: Sequence[Sequence[bool]] | str, note: str
) -> Iterator[Row]:
    for what, spec in MEASURES.items():
        known = next((value for value in EXPERIMENT.published if value.what == f"{name}, {what}"), None)
        if isinstance(found, str):
            yield known.lacking(found) if known else Row(f"{name}, {what}", note=found)
            continue
        got = figure(measure(spec), labelled.data(found), rounds=collection.rounds)
        value, low, high = (None if each is None else 100 * each for each in (got.value, got.low, got.high))
        why = "" if value is not None else "undefined: nothing to divide by; "
        yield Row(f"{name}, {what}", known.value if known else None, value, low, high, YOURS, f"{why}{note}", ".1f")


EXPERIMENT = Experiment(
    name="G7",
    title="extraction of content, by blocks and by whole pages",
    study="gibson2007",
    relation="near",
    key="CRF: precision 97.9, recall 99.5, 80 % of pages without an error",
    published=(
        Published("CE-SIMPLE, block precision in %", 96.0, "%"),
        Published("CE-SIMPLE, block recall in %", 98.1, "%"),
        Published("CE-SIMPLE, pages without an error in %", 58, "%"),
        Published("CE-BEST, block precision in %", 97.9, "%"),
        Published("CE-BEST, block recall in %", 99.5, "%"),
        Published("CE-BEST, pages without an error in %", 80, "%"),
    ),
    docs="must",
    components=("html",),
    run=run,
)
