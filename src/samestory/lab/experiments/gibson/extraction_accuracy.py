"""G7: accuracy of content extraction, by block and by page."""

from __future__ import annotations

import random
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from samestory.errors import InputError, NotAPage, SamestoryError
from samestory.html import Extraction, Extractor, Page, blocks, parse
from samestory.html.blocks import CEDAR, INLINE_5
from samestory.html.extractors import BlockExtractor
from samestory.lab.experiments.by_study import gibson
from samestory.lab.experiments.inputs import ExperimentInput
from samestory.lab.experiments.pages import SEED, PageSet, pages, usable
from samestory.lab.experiments.values import YOURS, PublishedValue, ReportRow
from samestory.lab.measures import LabelledBlocks, figure
from samestory.lab.measures import parse as measure
from samestory.lab.training.align import align
from samestory.lab.training.content_model import Example, train

#: Folds of the sites; a trained extractor is measured on each fold after training on the others.
FOLDS = 5
#: A block with at least this probability is content.
CONTENT_PROBABILITY = 0.5
MEASURES = {
    "block precision in %": "block_precision",
    "block recall in %": "block_recall",
    "pages without an error in %": "page_accuracy",
}
#: The trained extractors: name in the study → name here.
TRAINED = {"CE-SIMPLE": "maxent", "CE-BEST": "crf"}
OTHERS = ("heuristic", "rules", "trafilatura", "readability", "resiliparse")


@dataclass(frozen=True)
class LabelledPages:
    """Pages with the labels of their blocks."""

    examples: Sequence[Example]

    def data(self, found: Sequence[Sequence[bool]]) -> LabelledBlocks:
        """Join the gold labels with those of an extractor."""
        page, gold, predicted = [], [], []
        for number, (example, labels) in enumerate(zip(self.examples, found, strict=True)):
            page += [number] * len(labels)
            gold += [_LABEL[content] for content in example.content]
            predicted += [_LABEL[content] for content in labels]
        return LabelledBlocks(page, gold, predicted)


_LABEL = {True: "CONTENT", False: "NOTCONTENT"}


def run(collection: ExperimentInput) -> Iterator[ReportRow]:
    """Measure every extractor on every block; trained ones on unseen sites."""
    given = pages(collection)
    collection.progress("labelling blocks")
    labelled = LabelledPages([each for each in map(_example, range(len(given.ids)), [given] * len(given.ids)) if each])
    if not labelled.examples:
        raise InputError(
            "no page has labelled content blocks",
            'give the news of every page as "text", or put it into CedarContent spans',
        )
    sites = {example.site for example in labelled.examples}
    note = f"{len(labelled.examples):,} pages of {len(sites):,} sites; {given.note}"
    for name, method in TRAINED.items():
        collection.progress(f"training {name}")
        found = _cross_validated(labelled, method)
        yield from _rows(collection, labelled, name, found, f"{_folds(sites)} folds by site; {note}")
    for spec in OTHERS:
        collection.progress(f"extracting by {spec}")
        extractor = usable(spec)
        found = (
            extractor if isinstance(extractor, str) else [block_labels(extractor, e.page) for e in labelled.examples]
        )
        yield from _rows(collection, labelled, spec, found, note)


def _example(number: int, given: PageSet) -> Example | None:
    """Return a page with the labels of its blocks; None if it is not HTML or has no labels."""
    page, site, news = given.page(number), given.sites[number], given.news[number]
    try:
        if any(block.gold[CEDAR.index("CedarContent")] for block in blocks(page)):
            return Example.annotated(page, site)
        return None if news is None else Example.from_text(page, site, news)
    except NotAPage:
        return None


def block_labels(extractor: Extractor, page: Page) -> list[bool]:
    """Return the label of every block; for an extractor that returns only text, the blocks aligned with it."""
    if isinstance(extractor, BlockExtractor):
        return [probability >= CONTENT_PROBABILITY for probability in extractor.label(page)[1]]
    (found,) = extractor.extract([page])
    text = found.text if isinstance(found, Extraction) else ""
    return align([block.text for block in blocks(page, inline_extra=INLINE_5)], text)


def _folds(sites: set[str]) -> int:
    return min(FOLDS, len(sites))


def _cross_validated(labelled: LabelledPages, method: str) -> list[list[bool]] | str:
    """Return the labels of every page by a model trained on other sites; or the reason why there are none."""
    sites = sorted({example.site for example in labelled.examples})
    if len(sites) < 2:
        return "needs pages of at least two sites: one to train on, one to measure"
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
                    out[number] = block_labels(extractor, example.page)
    return out


def _rows(
    collection: ExperimentInput, labelled: LabelledPages, name: str, found: Sequence[Sequence[bool]] | str, note: str
) -> Iterator[ReportRow]:
    for what, spec in MEASURES.items():
        published = next((value for value in EXPERIMENT.published if value.what == f"{name}, {what}"), None)
        if isinstance(found, str):
            yield published.not_measured(found) if published else ReportRow(f"{name}, {what}", note=found)
            continue
        got = figure(measure(spec), labelled.data(found), rounds=collection.rounds)
        value, low, high = (None if each is None else 100 * each for each in (got.value, got.low, got.high))
        why = "" if value is not None else "undefined: nothing to divide by; "
        yield ReportRow(
            f"{name}, {what}", published.value if published else None, value, low, high, YOURS, f"{why}{note}", ".1f"
        )


EXPERIMENT = gibson(
    name="G7",
    title="extraction of content, by blocks and by whole pages",
    key="CRF: precision 97.9, recall 99.5, 80 % of pages without an error",
    published=(
        PublishedValue("CE-SIMPLE, block precision in %", 96.0, "%"),
        PublishedValue("CE-SIMPLE, block recall in %", 98.1, "%"),
        PublishedValue("CE-SIMPLE, pages without an error in %", 58, "%"),
        PublishedValue("CE-BEST, block precision in %", 97.9, "%"),
        PublishedValue("CE-BEST, block recall in %", 99.5, "%"),
        PublishedValue("CE-BEST, pages without an error in %", 80, "%"),
    ),
    run=run,
    gold="no",
    also=(),
)
