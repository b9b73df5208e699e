"""A page with its blocks coloured by label: one file of HTML, without scripts, that fetches nothing.

Every block stands in its order with its label, how probable content is, its size, its links and its tags. Colour is
deep where the extractor is sure and pale where it is in doubt; every label is a word too. Where the page is annotated
(`CedarContent`), each block says whether the label is right.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import Literal

from samestory import _core
from samestory.html.blocks import CEDAR, Block, Blocks
from samestory.html.extractors import BlockExtractor
from samestory.hypertext import Html, document, join, tag
from samestory.readers.page import Page

#: From here on a block is content; that of the core.
CONTENT = 0.5
#: Elements around a block that stand beside it; all of them are in its tip.
NEAR = 3
#: Shades of a colour.
SHADES = 5

Verdict = Literal["right", "missed", "wrong"]
MEANINGS: dict[Verdict, str] = {
    "right": "label and annotation agree",
    "missed": "annotated as content, and not taken for it",
    "wrong": "taken for content, and not annotated",
}


@dataclass(frozen=True, slots=True)
class Shown:
    """A block, how probable it is content, and whether that is right; nothing where nobody knows."""

    block: Block
    probability: float
    verdict: Verdict | None

    @property
    def content(self) -> bool:
        """Is it taken for content?"""
        return self.probability >= CONTENT

    @property
    def label(self) -> str:
        """The same as a word."""
        return "content" if self.content else "other"


def judged(found: Blocks, probabilities: Sequence[float]) -> list[Shown]:
    """Every block with its label; on an annotated page also whether it is right."""
    annotated = any(block.gold[0] for block in found)

    def verdict(block: Block, probability: float) -> Verdict | None:
        if not annotated:
            return None
        gold, content = block.gold_share(CEDAR[0]) >= CONTENT, probability >= CONTENT
        return "right" if gold == content else "missed" if gold else "wrong"

    return [Shown(block, p, verdict(block, p)) for block, p in zip(found, probabilities, strict=True)]


def show(page: Page, extractor: BlockExtractor) -> str:
    """The page to look at, as HTML; NotAPage if it is none."""
    found, probabilities = extractor.label(page)
    shown = judged(found, probabilities)
    name = found.title or page.url or str(page.origin or "page")
    body = tag(
        "body",
        tag("header", tag("h1", name, dir="auto"), _facts(page, found, extractor), _legend(shown)),
        tag("main", tag("ol", *(_row(each, found) for each in shown), class_="blocks") if shown else _nothing()),
        tag(
            "footer",
            tag("p", f"Made by samestory {_core.__version__}. This page is one file: no network, no scripts."),
        ),
    )
    style = files("samestory.html").joinpath("show.css").read_text(encoding="utf-8")
    return document(f"Blocks of: {name}", style, body)


def _facts(page: Page, found: Blocks, extractor: BlockExtractor) -> Html:
    place = page.url or (str(page.origin) if page.origin else None)
    facts = {"page": place, "encoding": found.encoding, "unusual": ", ".join(sorted(found.flags)) or None}
    rows = [tag("div", tag("dt", name), tag("dd", value)) for name, value in facts.items() if value]
    rows.append(tag("div", tag("dt", "extractor"), tag("dd", tag("code", str(extractor)))))
    return tag("dl", *rows, class_="facts")


def _legend(shown: Sequence[Shown]) -> Html:
    """What the colours mean, and how many blocks have each."""
    labels = Counter(each.label for each in shown)
    words: Counter[str] = Counter()
    for each in shown:
        words[each.label] += each.block.tokens
    rows = [
        tag(
            "li",
            *(tag("span", class_=f"swatch {label} shade-{shade}", aria_hidden="true") for shade in _shades(label)),
            tag("b", label),
            f": {_count(labels[label], 'block')}, {_count(words[label], 'word')} ({meaning})",
            id=f"count-{label}",
        )
        for label, meaning in (
            ("content", "solid line, probability from 0.5 on"),
            ("other", "dotted line, probability below 0.5"),
        )
    ]
    verdicts = Counter(each.verdict for each in shown if each.verdict)
    if verdicts:
        rows += [
            tag("li", _badge(verdict), f" {_count(verdicts[verdict], 'block')}: {meaning}", id=f"count-{verdict}")
            for verdict, meaning in MEANINGS.items()
        ]
    note = tag("p", "The deeper the colour, the surer the extractor.", class_="note")
    return tag("section", tag("h2", "Legend"), tag("ul", *rows), note, class_="legend")


def _row(each: Shown, found: Blocks) -> Html:
    block = each.block
    above = found.ancestors(block)
    near = " › ".join(element.tag for element in reversed(above[:NEAR]))
    numbers = [
        _fact("probability", f"{each.probability:.2f}"),
        _fact("size", _count(block.tokens, "word")),
        _fact("links", f"{block.link_share:.0%} in links") if block.linked else None,
        tag("code", near, class_="tags"),
    ]
    fields = [
        tag("span", name.removeprefix("Cedar").lower(), class_="field")
        for name in CEDAR[1:]
        if block.gold_share(name) >= CONTENT
    ]
    return tag(
        "li",
        tag(
            "p",
            tag("b", each.label, class_="label"),
            " ",
            _badge(each.verdict) if each.verdict else None,
            *fields,
            " ",
            join(*[fact for fact in numbers if fact], by=" · "),
            class_="about",
        ),
        tag("p", block.text, class_="text", dir="auto"),
        class_=f"block {each.label} shade-{_shade(each.probability)} {each.verdict or ''}".rstrip(),
        title=_tip(block, [_named(element.tag, element.words) for element in reversed(above)]),
    )


def _tip(block: Block, path: Sequence[str]) -> str:
    inline = f"; inside: {', '.join(sorted(block.inline))}" if block.inline else ""
    return f"{' › '.join(path)}; between <{block.before}> and <{block.after}>{inline}"


def _named(tag: str, words: Sequence[str]) -> str:
    """
    >>> _named("div", ("main", "content"))
    'div.main.content'
    """
    return ".".join([tag, *words[:6]])


def _fact(kind: str, value: str) -> Html:
    return tag("span", value, class_=kind)


def _badge(verdict: Verdict) -> Html:
    mark = {"right": "✓", "missed": "✗", "wrong": "✗"}[verdict]
    return tag("span", f"{mark} {verdict}", class_=f"badge {verdict}")


def _shade(probability: float) -> int:
    """How sure a probability is, from 1 (hardly more than a coin) to the deepest shade.

    >>> [_shade(probability) for probability in (0.5, 0.45, 0.75, 0.99, 0.0)]
    [1, 1, 3, 5, 5]
    """
    return max(1, min(SHADES, 1 + int(abs(probability - CONTENT) * 2 * SHADES)))


def _shades(label: str) -> Sequence[int]:
    return range(1, SHADES + 1) if label == "content" else range(SHADES, 0, -1)


def _nothing() -> Html:
    return tag("p", "The page has no text.")


def _count(number: int, one: str) -> str:
    return f"{number:,} {one if number == 1 else one + 's'}"
