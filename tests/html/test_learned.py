"""Features, models and the chain of labels: what the core makes of them, beside a slow reading."""

import math
import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from samestory import _core
from samestory.errors import InputError
from samestory.html import Page, blocks
from samestory.html.blocks import INLINE_5
from samestory.html.extractors import Crf, MaxEnt

PAGE = Page(
    "<title>Rain in Spain - The Plain</title><nav class='main-menu'><a href=/>Home</a> <a href=/w>World</a></nav>"
    "<article class='story-body'><h1>Rain in Spain</h1><p>It rained all day in Spain, and on the plain above all, "
    "said those who live there.</p><p>“It was wet”, <b>one of them</b> said.<br>Nobody was hurt.</p>"
    "<ul><li>3.5 million litres<li><a href=x>See also: snow</a></ul></article>"
    "<div id='comments'><p>Somebody writes that it is always like this in spring, and in autumn too, on the plain.</p>"
    "</div><footer>© 2026 The Plain</footer>".encode()
)


def written(weights: dict[str, float], turns: tuple[float, ...] | None = None, which: str = "all") -> str:
    lines = ["samestory extractor 1", f"features {which}"]
    lines += ["turns " + " ".join(map(str, turns))] if turns else []
    return "\n".join([*lines, *(f"{weight}\t{name}" for name, weight in weights.items())])


def slow_chain(scores: list[float], turns: tuple[float, ...]) -> list[float]:
    """The probabilities of content by summing over all ways to label the blocks before and behind each."""

    def total(fixed: dict[int, int]) -> float:
        sums = {0: 0.0, 1: 0.0}
        for at, score in enumerate(scores):
            now = {}
            for label in (0, 1):
                if fixed.get(at, label) != label:
                    now[label] = 0.0
                    continue
                before = 1.0 if at == 0 else sum(sums[other] * math.exp(turns[2 * other + label]) for other in (0, 1))
                now[label] = before * math.exp(score * label)
            sums = now
        return sums[0] + sums[1]

    return [total({at: 1}) / total({}) for at in range(len(scores))]


@given(st.integers(0, 1000))
@settings(max_examples=30, deadline=None)
def test_scores_are_the_sums_of_what_the_features_weigh(seed: int):
    """A model of random weights for the features that the page has; the oracle reads the lists that training reads."""
    draw = random.Random(seed)
    for which in ("all", "words"):
        rows = _core.Extractor.features(which, PAGE.raw)
        names = sorted({name for row in rows for name in row})
        weights = {name: round(draw.uniform(-0.5, 0.5), 3) for name in names if draw.random() < 0.7}
        turns = tuple(round(draw.uniform(-2, 2), 2) for _ in range(4))
        native = _core.Extractor("learned", 0, written(weights, turns, which))
        slow = slow_chain([sum(weights.get(name, 0) for name in row) for row in rows], turns)
        found = native.label(PAGE.raw)
        # what repeats earlier text is set to nothing; this page has no such block
        assert found == pytest.approx(slow, abs=1e-4)


def test_the_second_model_is_told_what_the_first_thinks():
    first = written({"word=rained": 9.0, "block=1": -4.0}, which="words")
    thoughts = _core.Extractor("learned", 0, first).label(PAGE.raw)
    rows = _core.Extractor.features("all", PAGE.raw, None, None, thoughts)
    weights = {"own=7": 3.0, "there-outer=3": 0.5, "block=1": -1.0}
    both = first + "\nthen\n" + "\n".join(written(weights).splitlines()[1:])
    slow = slow_chain([sum(weights.get(name, 0) for name in row) for row in rows], (0, 0, 0, 0))
    assert _core.Extractor("learned", 0, both).label(PAGE.raw) == pytest.approx(slow, abs=1e-4)
    assert any("own=7" in row for row in rows)


def test_what_is_known_of_a_block_is_not_asked_of_the_model():
    native = _core.Extractor("learned", 0, written({"block=1": -3.0}, (1.0, -1.0, -1.0, 1.0)))
    before, told = native.label(PAGE.raw), native.label(PAGE.raw, None, None, [(4, True), (999, True)])
    assert max(before) < 0.5
    assert told[4] > 0.99
    assert told[3] > before[3], "a neighbour of content is more likely to be content"


def test_features_and_blocks_are_of_the_same_number():
    assert len(_core.Extractor.features("all", PAGE.raw)) == len(blocks(PAGE, inline_extra=INLINE_5))
    with pytest.raises(ValueError, match="thoughts"):
        _core.Extractor.features("all", PAGE.raw, None, None, [0.5])


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "line 1"),
        ("samestory extractor 2\n", "line 1"),
        ("samestory extractor 1\nx\tsize=1\n", "line 2: the weight is no number"),
        ("samestory extractor 1\nnan\tsize=1\n", "line 2: the weight is no number"),
        ("samestory extractor 1\n1e99\tsize=1\n", "line 2: the weight is no number"),
        ("samestory extractor 1\n1\tsize\n", "line 2: a feature has the form kind=value"),
        ("samestory extractor 1\nturns 1 2\n", "line 2: four numbers"),
        ("samestory extractor 1\nturns 1 2 x 3 4\n", "line 2: four numbers"),
        ("samestory extractor 1\n__import__('os')\n", "line 2: nothing is called"),
        ("samestory extractor 1\nthen\nthen\n", "line 3: nothing is called"),
    ],
)
def test_a_file_that_is_no_model_is_refused_with_its_line(text: str, why: str, tmp_path: Path):
    path = tmp_path / "my.model"
    path.write_text(text)
    with pytest.raises(InputError, match=f"my.model: no model of an extractor: {why}"):
        Crf(model=str(path)).extract([PAGE])


def test_a_model_of_the_other_kind_is_refused(tmp_path: Path):
    path = tmp_path / "my.model"
    path.write_text(written({"word=rain": 1.0}, which="words"))
    with pytest.raises(InputError, match="a model of features words; crf wants features all"):
        Crf(model=str(path)).extract([PAGE])
    assert MaxEnt(model=str(path)).extract([PAGE])


def test_a_model_that_is_not_there_or_no_text_is_told(tmp_path: Path):
    with pytest.raises(InputError, match="no such file"):
        Crf(model="/dev/zero").extract([PAGE])
    with pytest.raises(InputError, match="no such file"):
        MaxEnt(model=str(tmp_path / "none.model")).extract([PAGE])
    (tmp_path / "x.model").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(InputError, match="it is no text"):
        Crf(model=str(tmp_path / "x.model")).extract([PAGE])
