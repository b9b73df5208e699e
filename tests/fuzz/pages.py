"""Pages, and models of extractors."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from random import Random
from typing import Any

from samestory.errors import NotAPage
from samestory.html import Extractor, Page, parse
from samestory.html.blocks import served
from samestory.html.extractors.native import BlockExtractor
from samestory.html.scorer import names_for, scorer
from tests.fuzz import laws, mutate
from tests.fuzz.changes import changed_text
from tests.fuzz.target import Target, attempt

CHARSETS = (None, "utf-8", "windows-1254", "utf-16", "iso-2022-jp", "klingon")
EXTRACTORS = ("heuristic", "rules", "heuristic(least=5)", "maxent", "crf")
FEATURES = ["words", "all", "all entities"]


@cache
def extractor(spec: str) -> Extractor:
    """An extractor with its model."""
    return parse(spec)


def make_page(random: Random) -> Any:
    """Return a page, its charset, an extractor, and a set of features."""
    raw = mutate.page(random.getrandbits(64))
    return raw, random.choice(CHARSETS), random.choice(EXTRACTORS), random.choice(FEATURES)


def run_page(value: Any) -> None:
    """Check the laws of pages; label blocks and list their features."""
    raw, charset, spec, features = value
    given = Page(raw, "http://example.com.tr/", charset)
    laws.check(given, extractor(spec))
    page = served(given)
    attempt(lambda: page.markup)
    found = attempt(page.blocks, ["b", "x-y"], ["aside"])
    count = len(found.blocks) if found is not None else 1
    if len(raw) < 20_000:
        attempt(page.features, features, None, names_for(features))
        attempt(page.features, "all", [0.5] * count)
    native = extractor(spec)
    assert isinstance(native, BlockExtractor)
    labels = attempt(native.native.label, page, [(0, True), (count, False), (2**40, True)], count % 2 == 0)
    assert labels is None or all(0 <= label <= 1 for label in labels)


@cache
def models() -> list[str]:
    """The beginnings of the models of the package, and small ones of two steps."""
    out = []
    for name in ("maxent", "crf"):
        text = (files("samestory.html") / "models" / f"{name}.model").read_text(encoding="utf-8")
        out.append("\n".join(text.splitlines()[:60]) + "\n")
    head = "samestory extractor 1\nfeatures all\n"
    return [*out, f"{head}turns 1.3 -2.1 -1.9 1.5\nshift 0.85\n0.731\tbefore=p\nthen\n{head}1.5\tword=ferry\n"]


def make_model(random: Random) -> Any:
    """Return a damaged model."""
    return changed_text(random, models())


def run_model(value: Any) -> None:
    """Read a model and extract pages with it."""
    native = scorer(value)
    for raw in mutate.SEEDS[:3]:
        page = served(Page(raw))
        for found in native.extract([page, page], 1):
            assert isinstance(found, NotAPage) or found.text.encode() is not None
        attempt(native.label, page)


PAGES = Target(
    "pages",
    ("html.Page", "html.Page.blocks", "html.Page.features", "html.Extractor.label", "html.Extractor.extract"),
    make_page,
    run_page,
)
MODELS = Target("models", ("html.Extractor", "html.Extractor.extract", "html.Extractor.label"), make_model, run_model)
