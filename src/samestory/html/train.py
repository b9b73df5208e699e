"""Training: pages whose content is known, to a model that tells content on others. [gibson2007]

Two kinds. `maxent` (CE-SIMPLE) weighs the words of every block alone. `crf` (CE-BEST) weighs all features of a block,
in two steps: a first model judges every block alone, and a conditional random field over the blocks of the page weighs
that too, with what the first thinks of the blocks beside it and around it in the structure of the page. What the second
learns from must be what the first thinks of sites it has not seen, so the first is also trained on some sites and
asked about the others.

All are fitted by L-BFGS with a Gaussian prior on the weights. A feature counts if it is seen on several sites: what
only one site says is about that site.
"""

from __future__ import annotations

import math
import tempfile
import zlib
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from samestory import _core
from samestory.errors import InputError, ParameterError, SamestoryError
from samestory.html.agreement import Agreement, agreement, average
from samestory.html.align import align
from samestory.html.blocks import CEDAR, INLINE_5, blocks, served
from samestory.html.scorer import ALL, ALL_ENTITIES, names_for, scorer
from samestory.readers.page import Page

#: A feature must be seen on so many sites; one that is a word, in a text or in the name of a class, on more.
SITES = 3
WORD_SITES = 8
_WORDS = ("word=", "short=", "mark=", "near-mark=")
#: Weights smaller than this change nothing.
SMALL = 0.01
#: The variance of the Gaussian prior: the study's for words; for all features a smaller one was better on sites unseen.
VARIANCES = {"maxent": 10.0, "crf": 0.1}
#: How much likelier `crf` takes content to be than training says: on sites left out a block was content from 0.3 on
#: with hardly more wrong lines and clearly fewer missed ones.
SHIFT = round(math.log(0.7 / 0.3), 3)
#: Rounds of L-BFGS at most.
ROUNDS = 60
#: Parts of the sites, of which the first model is asked about one when trained on the others.
PARTS = 3
#: What a model begins with; see the core, which reads it.
FORMAT = "samestory extractor 1"

Rows = list[list[str]]


@dataclass(frozen=True, slots=True)
class Example:
    """A page with, for every block, whether it is content."""

    page: Page
    site: str
    content: tuple[bool, ...]

    @classmethod
    def of(cls, page: Page, site: str, gold: str) -> Example:
        """From the text of its content."""
        return cls(page, site, tuple(align([block.text for block in blocks(page, inline_extra=INLINE_5)], gold)))

    @classmethod
    def annotated(cls, page: Page, site: str) -> Example:
        """From `CedarContent` spans around its content: a block is content if at least half of its tokens are in them.

        >>> Example.annotated(Page(b'<p>Home<p><span class="CedarContent">Rain in Spain'), "example.com").content
        (False, True)
        """
        found = blocks(page, inline_extra=INLINE_5)
        return cls(page, site, tuple(block.gold_share(CEDAR[0]) >= 0.5 for block in found))


def part_of(site: str, parts: int) -> int:
    """The part of the sites that a site belongs to: always the same, and about as many in each."""
    return _scattered(site) % parts


def train(
    examples: Sequence[Example], kind: str = "crf", variance: float | None = None, *, entities: bool = False
) -> str:
    """The model of a kind, `crf` or `maxent`, as the text of its file.

    With `entities`, a `crf` also weighs the names of persons, places and organisations in a block.
    """
    if kind not in VARIANCES:
        raise ParameterError(f"train: kind must be crf or maxent, got {kind!r}")
    if not any(any(each.content) for each in examples) or all(all(each.content) for each in examples):
        raise InputError("train: blocks of both kinds are wanted, content and others")
    given = VARIANCES[kind] if variance is None else variance
    if kind == "maxent":
        rows = [_features("words", each) for each in examples]
        return "\n".join([FORMAT, *_fit("words", examples, rows, given, chain=False)])
    which = ALL_ENTITIES if entities else ALL
    # words say what a site writes about; names of classes and short labels are kept
    rows = [_without_words(_features(which, each)) for each in examples]
    first = _fit(which, examples, rows, given, chain=False)
    thoughts = _of_unseen_sites(which, examples, rows, given)
    for at, (each, thought) in enumerate(zip(examples, thoughts, strict=True)):
        rows[at] = _without_words(_features(which, each, thought))
    return "\n".join([FORMAT, *first[:-1], "then", f"shift {SHIFT}", *_fit(which, examples, rows, given, chain=True)])


@dataclass(frozen=True, slots=True)
class HeldOut:
    """How well blocks are told on sites that training left out; and the text that they make."""

    pages: int
    precision: float
    recall: float
    perfect: float
    text: Agreement

    def __str__(self) -> str:
        return (
            f"on sites left out: blocks precision {self.precision:.3f}, recall {self.recall:.3f}; "
            f"{100 * self.perfect:.0f} % of {self.pages:,} pages without a wrong block; text F1 {self.text.f1:.3f}"
        )


def held_out(
    examples: Sequence[Example], kind: str, variance: float | None, folds: int, *, entities: bool = False
) -> HeldOut:
    """Trains without the sites of one part after the other, and looks how the model does there."""
    right = found = wanted = perfect = 0
    texts = []
    order = {site: at for at, site in enumerate(sorted({each.site for each in examples}, key=_scattered))}
    for fold in range(min(folds, len(order))):
        there = [each for each in examples if order[each.site] % folds == fold]
        others = [each for each in examples if order[each.site] % folds != fold]
        native = scorer(train(others, kind, variance, entities=entities))
        for each in there:
            content = [probability >= 0.5 for probability in native.label(*served(each.page))]
            right += sum(a and b for a, b in zip(content, each.content, strict=True))
            found, wanted = found + sum(content), wanted + sum(each.content)
            perfect += tuple(content) == each.content
            texts.append(agreement(_text(each.page, each.content), _text(each.page, content)))
    pages = len(examples)
    return HeldOut(pages, right / max(found, 1), right / max(wanted, 1), perfect / pages, average(texts))


def _text(page: Page, content: Sequence[bool]) -> str:
    found = blocks(page, inline_extra=INLINE_5)
    return "\n".join(block.text for block, is_content in zip(found, content, strict=True) if is_content)


def _scattered(site: str) -> int:
    return zlib.crc32(site.encode())


def _features(which: str, example: Example, first: list[float] | None = None) -> Rows:
    rows = _core.Extractor.features(which, *served(example.page), first, names_for(which))
    if len(rows) != len(example.content):
        raise InputError(f"{example.page.url or 'page'}: {len(rows)} blocks, but {len(example.content)} labels")
    return rows


def _without_words(rows: Rows) -> Rows:
    known: dict[str, str] = {}  # each text once: there are millions, of which few differ
    return [[known.setdefault(name, name) for name in row if not name.startswith("word=")] for row in rows]


def _of_unseen_sites(
    which: str, examples: Sequence[Example], rows: Sequence[Rows], variance: float
) -> list[list[float]]:
    """What a model thinks of every page that has seen no page of its site."""
    thoughts: list[list[float]] = [[] for _ in examples]
    for part in range(PARTS):
        there = [at for at, each in enumerate(examples) if part_of(each.site, PARTS) == part]
        others = [at for at, each in enumerate(examples) if part_of(each.site, PARTS) != part]
        if not there:
            continue
        seen = others or there  # a single site has nobody else to learn from
        model = _fit(which, [examples[at] for at in seen], [rows[at] for at in seen], variance, chain=False)
        native = scorer("\n".join([FORMAT, *model]))
        for at in there:
            thoughts[at] = native.label(*served(examples[at].page), hidden=True)
    return thoughts


def _fit(which: str, examples: Sequence[Example], rows: Sequence[Rows], variance: float, *, chain: bool) -> list[str]:
    """The lines of a model of these features, without the first."""
    try:
        import pycrfsuite
    except ImportError:
        raise SamestoryError("training wants python-crfsuite", 'install it: pip install "samestory[train]"') from None
    known = _shared([(each.site, page) for each, page in zip(examples, rows, strict=True)])
    trainer = pycrfsuite.Trainer(algorithm="lbfgs", verbose=False)
    trainer.set_params(
        {"c1": 0.0, "c2": 1 / (2 * variance), "max_iterations": ROUNDS, "feature.possible_transitions": True}
    )
    for each, page in zip(examples, rows, strict=True):
        items = [[feature for feature in row if feature in known] for row in page]
        labels = ["1" if content else "0" for content in each.content]
        if chain:
            trainer.append(items, labels)
        else:
            for item, label in zip(items, labels, strict=True):
                trainer.append([item], [label])
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder) / "model")
        trainer.train(path)
        tagger = pycrfsuite.Tagger()
        tagger.open(path)
        found = tagger.info()
        tagger.close()
    return _lines(which, chain, found.state_features, found.transitions)


def _shared(pages: Iterable[tuple[str, Rows]]) -> set[str]:
    """The features that several sites have; where there are fewer sites than that, all."""
    seen: dict[str, set[str]] = defaultdict(set)
    sites = set()
    for site, rows in pages:
        sites.add(site)
        for feature in {feature for row in rows for feature in row}:
            if len(seen[feature]) < WORD_SITES:
                seen[feature].add(site)

    def least(feature: str) -> int:
        return min(WORD_SITES if feature.startswith(_WORDS) else SITES, len(sites))

    return {feature for feature, on in seen.items() if len(on) >= least(feature)}


def _lines(
    which: str, chain: bool, states: dict[tuple[str, str], float], turns: dict[tuple[str, str], float]
) -> list[str]:
    weights: dict[str, float] = defaultdict(float)
    for (feature, label), weight in states.items():
        weights[feature] += weight if label == "1" else -weight
    lines = [f"features {which}"]
    if chain:
        pairs = (("0", "0"), ("0", "1"), ("1", "0"), ("1", "1"))
        lines.append("turns " + " ".join(f"{turns.get(pair, 0.0):.4g}" for pair in pairs))
    lines += [f"{weight:.3g}\t{feature}" for feature, weight in sorted(weights.items()) if abs(weight) >= SMALL]
    return [*lines, ""]
