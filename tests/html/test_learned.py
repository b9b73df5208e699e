"""Features, models and label chains of the core against a slow reference."""

import math
import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from samestory import _core
from samestory.errors import InputError
from samestory.html import Page, blocks, parse
from samestory.html.blocks import INLINE_5, served
from samestory.html.extractors import Crf, MaxEnt
from samestory.html.scorer import ALL_ENTITIES, names_for, scorer

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
    """Computes content probabilities by summing over all labellings of the other blocks."""

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
        rows = served(PAGE).features(which)
        names = sorted({name for row in rows for name in row})
        weights = {name: round(draw.uniform(-0.5, 0.5), 3) for name in names if draw.random() < 0.7}
        turns = tuple(round(draw.uniform(-2, 2), 2) for _ in range(4))
        native = _core.html.Extractor("learned", 0, written(weights, turns, which))
        slow = slow_chain([sum(weights.get(name, 0) for name in row) for row in rows], turns)
        found = native.label(served(PAGE))
        # blocks that repeat earlier text get zero; this page has none
        assert found == pytest.approx(slow, abs=1e-4)


def test_the_second_model_gets_the_scores_of_the_first():
    first = written({"word=rained": 9.0, "block=1": -4.0}, which="words")
    thoughts = _core.html.Extractor("learned", 0, first).label(served(PAGE))
    rows = served(PAGE).features("all", thoughts)
    weights = {"own=7": 3.0, "there-outer=3": 0.5, "block=1": -1.0}
    both = first + "\nthen\n" + "\n".join(written(weights).splitlines()[1:])
    slow = slow_chain([sum(weights.get(name, 0) for name in row) for row in rows], (0, 0, 0, 0))
    assert _core.html.Extractor("learned", 0, both).label(served(PAGE)) == pytest.approx(slow, abs=1e-4)
    assert any("own=7" in row for row in rows)


def test_what_is_known_of_a_block_is_not_asked_of_the_model():
    native = _core.html.Extractor("learned", 0, written({"block=1": -3.0}, (1.0, -1.0, -1.0, 1.0)))
    before, constrained = native.label(served(PAGE)), native.label(served(PAGE), [(4, True), (999, True)])
    assert max(before) < 0.5
    assert constrained[4] > 0.99
    assert constrained[3] > before[3], "a neighbour of content is more likely to be content"


def test_features_and_blocks_are_of_the_same_number():
    assert len(served(PAGE).features("all")) == len(blocks(PAGE, inline_extra=INLINE_5))
    with pytest.raises(ValueError, match=r"expected \d+ probabilities, got 1"):
        served(PAGE).features("all", [0.5])


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "line 1"),
        ("samestory extractor 2\n", "line 1"),
        ("samestory extractor 1\nx\tsize=1\n", "line 2: the weight is no number"),
        ("samestory extractor 1\nnan\tsize=1\n", "line 2: the weight is no number"),
        ("samestory extractor 1\n1e99\tsize=1\n", "line 2: the weight is no number"),
        ("samestory extractor 1\n1\tsize\n", "line 2: a feature has the form kind=value"),
        ("samestory extractor 1\nturns 1 2\n", "line 2: expected four numbers"),
        ("samestory extractor 1\nturns 1 2 x 3 4\n", "line 2: expected four numbers"),
        ("samestory extractor 1\n__import__('os')\n", "line 2: nothing is called"),
        ("samestory extractor 1\nthen\nthen\n", "line 3: nothing is called"),
        ("samestory extractor 1\nabout me\nfeatures some\n", "line 3: expected words, all or all entities"),
        ("samestory extractor 1\nfeatures all\nshift 0.8\n", "none of its features is known here"),
        ("samestory extractor 1\nfeatures all\n1\tcolour=red\n", "none of its features is known here"),
        ("samestory extractor 1\n1\tsize=1\nthen\n1\tcolour=red\n", "none of its features is known here"),
    ],
)
def test_a_file_that_is_no_model_is_rejected_with_its_line(text: str, why: str, tmp_path: Path):
    path = tmp_path / "my.model"
    path.write_text(text)
    with pytest.raises(InputError, match=f"my.model: not an extractor model: {why}"):
        Crf(model=str(path)).extract([PAGE])


def test_a_model_of_any_feature_that_is_made_here_is_known():
    """The core lists all feature kinds."""
    thoughts = [0.5] * len(blocks(PAGE, inline_extra=INLINE_5))
    rows = served(PAGE).features("all entities", thoughts, names_for(ALL_ENTITIES))
    kinds = {name.partition("=")[0]: name for row in rows for name in row}
    assert len(kinds) > 80
    for name in kinds.values():
        assert scorer(written({name: 1.0}))


NEWS = Page(
    b"<title>Storm over London</title><div class=menu><a href=/>Home</a> <a href=/w>World</a></div>"
    b"<p>The storm that came over the sea in the night has left the city of London without power, and the mayor, "
    b"Mr John Smith, said that it would take the whole of the week until the lights are on again.</p>"
    b"<p>It was the worst that anybody here has seen for a long time, said those who had to leave their houses.</p>"
    b"<p>Smith flew to Paris and to Berlin with Mr Peter Brown and Mr Paul Green in the evening of the same day."
)
"""In which order: nothing, a place and a person, nothing, three persons and two places."""


def named(page: Page) -> list[list[str]]:
    rows = served(page).features("all entities", None, names_for(ALL_ENTITIES))
    kinds = ("persons=", "locations=", "organizations=", "names=", "named=", "names+size=")
    return [[name for name in row if name.startswith(kinds)] for row in rows]


def test_the_names_in_a_block_are_features_of_models_that_want_them():
    *_, first, second, third = named(NEWS)
    assert first[:4] == ["persons=1", "locations=1", "organizations=0", "names=3"]
    assert second[:4] == ["persons=0", "locations=0", "organizations=0", "names=0"]
    # a person named in full in an earlier block is recognised; counts above three are three
    assert third[:4] == ["persons=3", "locations=2", "organizations=0", "names=3"]
    plain = served(NEWS).features("all", None, names_for(ALL_ENTITIES))
    assert not [name for row in plain for name in row if name.startswith(("persons", "named"))]


def test_a_page_in_letters_that_no_pack_reads_has_no_such_features():
    greek = Page(
        "<p>Η καταιγίδα που ήρθε από τη θάλασσα άφησε τη νύχτα την πόλη χωρίς ρεύμα, είπε ο δήμαρχος.</p>".encode()
    )
    assert named(greek) == [[]]


def test_a_model_with_names_is_the_sum_of_what_its_features_weigh():
    rows = served(NEWS).features("all entities", None, names_for(ALL_ENTITIES))
    weights = {"persons=1": 0.7, "locations=2": -0.3, "names=0": -1.1, "size=5": 0.2}
    native = scorer(written(weights, which="all entities"))
    slow = [1 / (1 + math.exp(-sum(weights.get(name, 0) for name in row))) for row in rows]
    assert native.label(served(NEWS)) == pytest.approx(slow, abs=1e-4)
    # a model without entity features does not get them, even if it has weights of that name
    without = [1 / (1 + math.exp(-sum(weights.get(n, 0) for n in row if n.startswith("size=")))) for row in rows]
    assert scorer(written(weights)).label(served(NEWS)) == pytest.approx(without, abs=1e-4)


def test_a_model_with_names_is_rejected_where_nothing_tells_them():
    with pytest.raises(ValueError, match="the model weighs names, and no recogniser of names is given"):
        _core.html.Extractor("learned", 0, written({"persons=1": 1.0}, which="all entities"))
    with pytest.raises(ValueError, match="no set of features is called"):
        served(NEWS).features("some")


def test_a_model_of_the_other_kind_is_rejected(tmp_path: Path):
    path = tmp_path / "my.model"
    path.write_text(written({"word=rain": 1.0}, which="words"))
    with pytest.raises(InputError, match="a model of features words; crf needs features all"):
        Crf(model=str(path)).extract([PAGE])
    assert MaxEnt(model=str(path)).extract([PAGE])


def test_a_model_that_is_not_there_or_no_text_is_reported(tmp_path: Path):
    with pytest.raises(InputError, match="no such file"):
        Crf(model="/dev/zero").extract([PAGE])
    with pytest.raises(InputError, match="no such file"):
        MaxEnt(model=str(tmp_path / "none.model")).extract([PAGE])
    (tmp_path / "x.model").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(InputError, match="not a text file"):
        Crf(model=str(tmp_path / "x.model")).extract([PAGE])


STORY = "".join(
    f"<p>Paragraph {n} of the story tells what happened on day {n} in the town by the sea.</p>" for n in range(5)
)
BOX = "<p>Sign up for the letter of the week and hear of all that is new in the town by the sea.</p>"


@pytest.mark.parametrize("extractor", ["rules", "crf"])
def test_what_a_page_hides_is_no_content_unless_it_hides_the_news(extractor: str):
    def text(page: str) -> str:
        (found,) = parse(extractor).extract([Page(f"<title>News</title><article>{page}</article>".encode())])
        return found.text

    assert "letter of the week" in text(STORY + BOX)
    for attribute in ("hidden", 'style="display: none"'):
        found = text(f"{STORY}<div {attribute}>{BOX}</div>")
        assert "letter of the week" not in found and "day 4" in found
        assert "day 4" in text(f"<div {attribute}>{STORY}</div>")
