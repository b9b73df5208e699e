"""Trains content models from pages with known content. [gibson2007]

There are two kinds. `maxent` (CE-SIMPLE) uses the words of each block. `crf` (CE-BEST) uses all features of a block in
two steps: a first model scores each block alone, and a conditional random field over the blocks of the page uses these
scores as features too, of the block, its neighbours and its surroundings in the page structure. The second must be
trained on scores for unseen sites, so the first is also trained on some of the sites and applied to the others.

All models are fitted by L-BFGS with a Gaussian prior on the weights. Only features seen on several sites are used: a
feature of a single site describes that site.
"""

from __future__ import annotations

import math
import tempfile
import zlib
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from samestory.errors import InputError, MissingExtraError, ParameterError
from samestory.html.blocks import CEDAR, INLINE_5, blocks, served
from samestory.html.scorer import ALL, ALL_ENTITIES, names_for, scorer
from samestory.lab.training.align import align
from samestory.lab.training.text_agreement import TextAgreement, agreement, average
from samestory.readers.page import Page

#: Minimum sites of a feature, and of a word feature (in texts or class names).
MIN_SITES = 3
MIN_WORD_SITES = 8
_WORDS = ("word=", "short=", "mark=", "near-mark=")
#: Smaller weights are dropped.
MIN_WEIGHT = 0.01
#: Variance of the Gaussian prior: that of the study for words; for all features a smaller one was better on unseen
#: sites.
VARIANCES = {"maxent": 10.0, "crf": 0.1}
#: Log-odds shift of `crf` towards content: on held-out sites, a threshold of 0.3 gave hardly more wrong and clearly
#: fewer missed lines.
SHIFT = round(math.log(0.7 / 0.3), 3)
#: Maximum L-BFGS iterations.
MAX_ITERATIONS = 60
#: Folds of sites; the first model scores each fold when trained on the others.
PARTS = 3
#: First line of a model file, as parsed by the core.
FORMAT = "samestory extractor 1"

Rows = list[list[str]]


@dataclass(frozen=True, slots=True)
class Example:
    """A page with a content label for each block."""

    page: Page
    site: str
    content: tuple[bool, ...]

    @classmethod
    def from_text(cls, page: Page, site: str, gold: str) -> Example:
        """Creates an example from the text of the content."""
        return cls(page, site, tuple(align([block.text for block in blocks(page, inline_extra=INLINE_5)], gold)))

    @classmethod
    def annotated(cls, page: Page, site: str) -> Example:
        """Creates an example from `CedarContent` spans: a block is content if at least half of its tokens are in them.

        >>> Example.annotated(Page(b'<p>Home<p><span class="CedarContent">Rain in Spain'), "example.com").content
        (False, True)
        """
        found = blocks(page, inline_extra=INLINE_5)
        return cls(page, site, tuple(block.gold_share(CEDAR[0]) >= 0.5 for block in found))


def part_of(site: str, parts: int) -> int:
    """Returns the fold of a site: deterministic, and of about equal size."""
    return _hash(site) % parts


def train(
    examples: Sequence[Example], kind: str = "crf", variance: float | None = None, *, entities: bool = False
) -> str:
    """Trains a `crf` or `maxent` model and returns the text of its file.

    With `entities`, a `crf` also uses the names of persons, places and organisations in a block.
    """
    if kind not in VARIANCES:
        raise ParameterError(f"train: kind must be crf or maxent, got {kind!r}")
    if not any(any(each.content) for each in examples) or all(all(each.content) for each in examples):
        raise InputError("train: expected both content and other blocks")
    given = VARIANCES[kind] if variance is None else variance
    if kind == "maxent":
        rows = [_features("words", each) for each in examples]
        return "\n".join([FORMAT, *_fit("words", examples, rows, given, chain=False)])
    which = ALL_ENTITIES if entities else ALL
    # words reflect the topics of a site; class names and short labels are kept
    rows = [_without_words(_features(which, each)) for each in examples]
    first = _fit(which, examples, rows, given, chain=False)
    scores = _scores_on_unseen_sites(which, examples, rows, given)
    for at, (each, own) in enumerate(zip(examples, scores, strict=True)):
        rows[at] = _without_words(_features(which, each, own))
    return "\n".join([FORMAT, *first[:-1], "then", f"shift {SHIFT}", *_fit(which, examples, rows, given, chain=True)])


@dataclass(frozen=True, slots=True)
class HeldOutScores:
    """Quality of block labels and of the extracted text on held-out sites."""

    pages: int
    precision: float
    recall: float
    perfect: float
    text: TextAgreement

    def __str__(self) -> str:
        return (
            f"on held-out sites: blocks precision {self.precision:.3f}, recall {self.recall:.3f}; "
            f"{100 * self.perfect:.0f} % of {self.pages:,} pages without a wrong block; text F1 {self.text.f1:.3f}"
        )


def held_out(
    examples: Sequence[Example], kind: str, variance: float | None, folds: int, *, entities: bool = False
) -> HeldOutScores:
    """Cross-validates a model over folds of sites."""
    right = found = wanted = perfect = 0
    texts = []
    order = {site: at for at, site in enumerate(sorted({each.site for each in examples}, key=_hash))}
    for fold in range(min(folds, len(order))):
        there = [each for each in examples if order[each.site] % folds == fold]
        others = [each for each in examples if order[each.site] % folds != fold]
        native = scorer(train(others, kind, variance, entities=entities))
        for each in there:
            content = [probability >= 0.5 for probability in native.label(served(each.page))]
            right += sum(a and b for a, b in zip(content, each.content, strict=True))
            found, wanted = found + sum(content), wanted + sum(each.content)
            perfect += tuple(content) == each.content
            texts.append(agreement(_text(each.page, each.content), _text(each.page, content)))
    pages = len(examples)
    return HeldOutScores(pages, right / max(found, 1), right / max(wanted, 1), perfect / pages, average(texts))


def _text(page: Page, content: Sequence[bool]) -> str:
    found = blocks(page, inline_extra=INLINE_5)
    return "\n".join(block.text for block, is_content in zip(found, content, strict=True) if is_content)


def _hash(site: str) -> int:
    return zlib.crc32(site.encode())


def _features(which: str, example: Example, first: list[float] | None = None) -> Rows:
    rows = served(example.page).features(which, first, names_for(which))
    if len(rows) != len(example.content):
        raise InputError(f"{len(rows)} blocks, but {len(example.content)} labels", place=example.page.url or "page")
    return rows


def _without_words(rows: Rows) -> Rows:
    known: dict[str, str] = {}  # interns the strings: millions of rows share few names
    return [[known.setdefault(name, name) for name in row if not name.startswith("word=")] for row in rows]


def _scores_on_unseen_sites(
    which: str, examples: Sequence[Example], rows: Sequence[Rows], variance: float
) -> list[list[float]]:
    """Returns the block scores of every page by a model trained without its site."""
    scores: list[list[float]] = [[] for _ in examples]
    for part in range(PARTS):
        there = [at for at, each in enumerate(examples) if part_of(each.site, PARTS) == part]
        others = [at for at, each in enumerate(examples) if part_of(each.site, PARTS) != part]
        if not there:
            continue
        seen = others or there  # a single site can only be scored by its own model
        model = _fit(which, [examples[at] for at in seen], [rows[at] for at in seen], variance, chain=False)
        native = scorer("\n".join([FORMAT, *model]))
        for at in there:
            scores[at] = native.label(served(examples[at].page), hidden=True)
    return scores


def _fit(which: str, examples: Sequence[Example], rows: Sequence[Rows], variance: float, *, chain: bool) -> list[str]:
    """Fits a model and returns the lines of its file, without the first."""
    try:
        import pycrfsuite
    except ImportError:
        raise MissingExtraError(
            "training needs python-crfsuite", 'install it: pip install "samestory[train]"'
        ) from None
    known = _shared([(each.site, page) for each, page in zip(examples, rows, strict=True)])
    trainer = pycrfsuite.Trainer(algorithm="lbfgs", verbose=False)
    trainer.set_params(
        {"c1": 0.0, "c2": 1 / (2 * variance), "max_iterations": MAX_ITERATIONS, "feature.possible_transitions": True}
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
    """Returns the features seen on enough sites, or on all sites if there are fewer."""
    seen: dict[str, set[str]] = defaultdict(set)
    sites = set()
    for site, rows in pages:
        sites.add(site)
        for feature in {feature for row in rows for feature in row}:
            if len(seen[feature]) < MIN_WORD_SITES:
                seen[feature].add(site)

    def least(feature: str) -> int:
        return min(MIN_WORD_SITES if feature.startswith(_WORDS) else MIN_SITES, len(sites))

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
    lines += [f"{weight:.3g}\t{feature}" for feature, weight in sorted(weights.items()) if abs(weight) >= MIN_WEIGHT]
    return [*lines, ""]
