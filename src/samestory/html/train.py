"""Training: pages whose content is known, to a model that tells content on others. [gibson2007]

The model is a chain of two labels over the blocks of a page (a conditional random field) or judges every block alone
(maximum entropy: the same with pages of one block). Both are fitted by L-BFGS with a Gaussian prior on the weights.

A feature counts if it is seen on several sites: what only one site says is about that site.
"""

from __future__ import annotations

import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from samestory import _core
from samestory.errors import InputError, SamestoryError
from samestory.html.align import align
from samestory.html.blocks import CEDAR, INLINE_5, blocks, served
from samestory.readers.page import Page

#: A feature must be seen on so many sites.
SITES = 3
#: Weights smaller than this change nothing.
SMALL = 0.01
#: The variance of the Gaussian prior, as in the study.
VARIANCE = 10.0
#: Rounds of L-BFGS at most.
ROUNDS = 200
#: What a model begins with; see the core, which reads it.
FORMAT = "samestory extractor 1"


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


def train(
    examples: Iterable[Example],
    *,
    features: str = "all",
    chain: bool = True,
    variance: float = VARIANCE,
    keep: Callable[[str], bool] = lambda _: True,
) -> str:
    """The model, as the text of its file; `keep` may leave out features."""
    try:
        import pycrfsuite
    except ImportError:
        raise SamestoryError("training wants python-crfsuite", 'install it: pip install "samestory[train]"') from None
    listed = [(each, _core.Extractor.features(features, *served(each.page))) for each in examples]
    known = _shared([(each.site, rows) for each, rows in listed], keep)
    trainer = pycrfsuite.Trainer(algorithm="lbfgs", verbose=False)
    trainer.set_params(
        {"c1": 0.0, "c2": 1 / (2 * variance), "max_iterations": ROUNDS, "feature.possible_transitions": True}
    )
    for each, rows in listed:
        if len(rows) != len(each.content):
            raise InputError(f"{each.page.url or 'page'}: {len(rows)} blocks, but {len(each.content)} labels")
        items = [[feature for feature in row if feature in known] for row in rows]
        labels = ["1" if content else "0" for content in each.content]
        for some in _sequences(items, labels, chain):
            trainer.append(*some)
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder) / "model")
        trainer.train(path)
        tagger = pycrfsuite.Tagger()
        tagger.open(path)
        found = tagger.info()
        tagger.close()
    return _written(features, chain, found.state_features, found.transitions)


def _sequences(
    items: Sequence[list[str]], labels: Sequence[str], chain: bool
) -> Iterable[tuple[Sequence[list[str]], Sequence[str]]]:
    return [(items, labels)] if chain else [([item], [label]) for item, label in zip(items, labels, strict=True)]


def _shared(listed: Iterable[tuple[str, list[list[str]]]], keep: Callable[[str], bool]) -> set[str]:
    """The features that several sites have; of fewer sites than that, all."""
    seen: dict[str, set[str]] = defaultdict(set)
    sites = set()
    for site, rows in listed:
        sites.add(site)
        for feature in {feature for row in rows for feature in row}:
            if len(seen[feature]) < SITES:
                seen[feature].add(site)
    least = min(SITES, len(sites))
    return {feature for feature, on in seen.items() if len(on) >= least and keep(feature)}


def _written(
    features: str, chain: bool, states: dict[tuple[str, str], float], turns: dict[tuple[str, str], float]
) -> str:
    weights: dict[str, float] = defaultdict(float)
    for (feature, label), weight in states.items():
        weights[feature] += weight if label == "1" else -weight
    lines = [FORMAT, f"features {features}"]
    if chain:
        pairs = (("0", "0"), ("0", "1"), ("1", "0"), ("1", "1"))
        lines.append("turns " + " ".join(f"{turns.get(pair, 0.0):.4g}" for pair in pairs))
    lines += [f"{weight:.3g}\t{feature}" for feature, weight in sorted(weights.items()) if abs(weight) >= SMALL]
    return "\n".join(lines) + "\n"
