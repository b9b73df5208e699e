"""What is shown of two articles that Tweezer compares: the names that both have in the same words."""

from __future__ import annotations

import pytest

from samestory import Article, Explanation, explain, parse
from samestory.model import Span

SPECS = ["tweezer(p=2, s=2)", "tweezer-set(p=2, s=2, window='document', least=1)"]
every_form = pytest.mark.parametrize("spec", SPECS)


def explained(left: str, right: str, spec: str) -> Explanation:
    return explain(Article("a", left, lang="en"), Article("b", right, lang="en"), detector=parse(spec))


def texts(text: str, spans: tuple[Span, ...]) -> list[str]:
    return [text[slice(*span)] for span in spans]


@every_form
def test_names_in_the_same_words_are_shown_with_them_and_others_are_each_ones_own(spec: str) -> None:
    left = "Yesterday afternoon Mr Smith spoke very slowly about it all, and then went by train to Paris again."
    right = "Yesterday afternoon Mr Smith spoke very slowly about nothing, and then flew straight to Paris again."
    found = explained(left, right, spec)
    assert texts(left, tuple(e.left for e in found.evidence)) == ["afternoon Mr Smith spoke very"]
    assert texts(right, tuple(e.right for e in found.evidence)) == ["afternoon Mr Smith spoke very"]
    assert (texts(left, found.only_left), texts(right, found.only_right)) == (["Paris"], ["Paris"])


@every_form
def test_windows_that_overlap_are_one_passage(spec: str) -> None:
    """The law of evidence: no word of the left article is shown twice."""
    text = "So it was that Mr Smith met Mr Jones there and nobody else of the whole town saw them."
    found = explained(text, f"Now we hear:   {text}", spec)
    ((left, right),) = found.evidence
    assert text[slice(*left)] == "that Mr Smith met Mr Jones there and"
    assert f"Now we hear:   {text}"[slice(*right)] == text[slice(*left)]
    assert found.only_left == found.only_right == ()


@every_form
def test_windows_that_overlap_on_one_side_only_are_not_joined(spec: str) -> None:
    """Both are there on the right, but apart; what is shown reads the same on both sides."""
    left = "that day Mr Smith met there Mr Jones said so"
    right = "that day Mr Smith met there, said the papers of the whole town, where met there Mr Jones said so"
    found = explained(left, right, spec)
    for one, other in found.evidence:
        assert left[slice(*one)] == right[slice(*other)]
    assert found.only_left == ()


@every_form
def test_a_name_that_comes_again_in_the_same_words_is_nobodys_own(spec: str) -> None:
    text = "now then Mr Smith came back. And now then Mr Smith came back."
    found = explained(text, text, spec)
    assert found.only_left == found.only_right == ()
    assert len(found.evidence) == 1


NAMELESS = [f"word{n}" for n in range(60)]


def test_articles_without_names_show_what_they_share_and_not_what_lies_between() -> None:
    """Signed by their first and last twenty words, two articles were said to share all between these too."""
    left, right = " ".join(NAMELESS), " ".join([*NAMELESS[:25], "other", "words", *NAMELESS[35:]])
    found = explained(left, right, "tweezer")
    assert found.relation is not None
    shown = [(left[slice(*one)], right[slice(*other)]) for one, other in found.evidence]
    assert shown == [(part, part) for part in (" ".join(NAMELESS[:25]), " ".join(NAMELESS[35:]))]
    assert texts(left, found.only_left) == [" ".join(NAMELESS[25:35])]
    assert texts(right, found.only_right) == ["other words"]


def test_an_article_without_names_has_nothing_in_common_with_one_that_has() -> None:
    left, right = " ".join(NAMELESS), "Nobody knows whether Mr Smith really flew to Paris yesterday."
    found = explained(left, right, "tweezer")
    assert found.evidence == ()
    assert texts(left, found.only_left) == [left]
    assert texts(right, found.only_right) == ["Smith", "Paris"]
