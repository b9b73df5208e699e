"""Dirty text: what is repaired before comparison, and that offsets refer to the original text."""

from __future__ import annotations

import html
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import samestory
from samestory import Article, Kind, _core, prepare
from samestory.detectors import parse

CLEAN = (
    'The council\'s plan for the old bridge - a "first-rate" idea, officials said - was approved by 12.5% more votes '
    "than in 2008-2009. The café owners' union & the ferry line didn't object, and work begins on 3 May."
)
#: The same article as written by other systems.
DIRTY = {
    "entities": html.escape(CLEAN).replace("é", "&eacute;"),
    "entities escaped twice": html.escape(html.escape(CLEAN)).replace("é", "&amp;#233;"),
    "entities of Windows-1252": CLEAN.replace("'", "&#146;").replace(' "', " &#147;").replace('" ', "&#148; "),
    "control characters": CLEAN.replace("'", "\x92").replace(' "', " \x93").replace('" ', "\x94 "),
    "tags": "<p>"
    + CLEAN.replace("officials", "<b>officials</b>").replace(". The", '.</p><p class="x">The')
    + "<br /></p>",
    "escaped tags": f"&lt;p&gt;{CLEAN}&lt;br/&gt;&lt;/p&gt;",
    "a script": f"<script>var a = '<b>';</script>{CLEAN}<style>p {{ color: red }}</style>",
    "a style sheet": f".ad, #top p {{ display: none; margin: 0 }} {CLEAN}",
    "remains of a script": f"{CLEAN} $(document).ready(function(){{ share('x'); }}); var ad = 5;",
    "apostrophes": CLEAN.replace("'", "’"),
    "primes": CLEAN.replace("'", "′"),
    "blanks before apostrophes": CLEAN.replace("council's", "council 's"),
    "quotes": CLEAN.replace(' "', " “").replace('" ', "” "),
    "dashes": CLEAN.replace(" - ", " — "),
    "hyphens": CLEAN.replace("first-rate", "first‑rate").replace("2008-2009", "2008–2009"),
    "soft hyphens": CLEAN.replace("approved", "ap\u00adproved"),
    "zero-width blanks": "\ufeff" + CLEAN.replace("bridge", "brid\u200bge"),
    "ligatures": CLEAN.replace("ffi", "ﬃ").replace("fi", "ﬁ"),
    "full-width forms": CLEAN.replace("12.5%", "１２．５％").replace("May", "Ｍａｙ"),
}
#: What only the tokeniser does, with and without repair.
TYPOGRAPHY = set(list(DIRTY)[9:])


def news(text: str) -> list[Article]:
    return [Article("clean", CLEAN, lang="en"), Article("other", text, lang="en")]


@pytest.mark.parametrize("how", DIRTY)
def test_a_copy_in_other_typography_is_identical(how: str) -> None:
    (relation,) = samestory.relate(news(DIRTY[how]))
    assert relation.kind is Kind.IDENTICAL
    assert samestory.explain(*news(DIRTY[how])).relation is not None
    (group,) = samestory.find(news(DIRTY[how]))
    assert set(group.members) == {"clean", "other"}


@pytest.mark.parametrize("how", DIRTY)
@pytest.mark.parametrize("spec", ["exact", "md5-exact", "minhash"])
def test_other_detectors_compare_the_repaired_text_too(how: str, spec: str) -> None:
    (relation,) = samestory.relate(news(DIRTY[how]), detector=spec)
    assert relation.overlap == (1, 1)


@pytest.mark.parametrize("how", DIRTY)
def test_as_is_leaves_dirt_in_the_text(how: str) -> None:
    """Typography is not repaired: equal words stay equal."""
    found = samestory.relate(news(DIRTY[how]), as_is=True)
    is_identical = [relation.kind for relation in found] == [Kind.IDENTICAL]
    assert is_identical == (how in TYPOGRAPHY)


@pytest.mark.parametrize("how", DIRTY)
def test_evidence_lies_in_the_text_itself(how: str) -> None:
    dirty = DIRTY[how]
    found = samestory.explain(*news(dirty))
    assert found.right.text == dirty
    (evidence,) = found.evidence
    assert found.left.text[slice(*evidence.left)].startswith("The council")
    shown = dirty[slice(*evidence.right)]
    assert shown.startswith("The council") and (shown.endswith("May") or shown.endswith("Ｍａｙ"))
    assert not found.only_left and not found.only_right


@pytest.mark.parametrize("spec", ["codet", "tweezer", "cops", "reuse", "event"])
def test_every_explanation_is_about_the_text_itself(spec: str) -> None:
    dirty = f"<p>{html.escape(html.escape(CLEAN))}</p>"
    detector = parse(spec)
    if not detector.fitted:
        detector = detector.fit([prepare(news(dirty))])
    found = samestory.explain(*news(dirty), detector=detector)
    assert found.evidence
    for evidence in found.evidence:
        left, right = CLEAN[slice(*evidence.left)], dirty[slice(*evidence.right)]
        assert html.unescape(html.unescape(right)) == left


def test_words_have_their_places_in_the_text_itself() -> None:
    text = "<p>Caf&eacute;s in M&amp;uuml;nchen&nbsp;&lt;b&gt;don\x92t&lt;/b&gt; 😀close.</p> It&#39;s one."
    features = prepare([Article("a", text, lang="en")])
    words = [text[a:b] for a, b in zip(features.starts[0].tolist(), features.ends[0].tolist(), strict=True)]
    assert words == ["Caf&eacute;s", "in", "M&amp;uuml;nchen", "don\x92t", "close", "It&#39;s", "one"]
    turns = features.sentences[0].tolist()
    assert [text[a:b] for a, b in zip(turns[::2], turns[1::2], strict=True)][-1] == "It&#39;s one."
    assert features.texts == [text]
    assert features.compared == ["\nCafés in München\u00a0 don’t  😀close.\n It's one."]
    assert prepare([Article("a", text)], as_is=True).compared == [text]


def test_a_title_is_repaired_where_it_is_compared() -> None:
    features = prepare([Article("a", "text", title="Q&amp;A"), Article("b", "text", title="Q&A"), Article("c", "text")])
    assert features.compared_titles == ["Q&A", "Q&A", None]
    assert features.titles == ["Q&amp;A", "Q&A", None]


PIECES = ["word ", "&", "amp;", "&amp;", "#39;", "&#39;", "&lt;", "p>", "<p>", "</p>", "<script>", "</script>", "\x92"]
PIECES += ["é", "東😀", "{", "}", ".ad ", "color:red", ";", "var x ", "=", "function(", ")", "\n", " ", "<!--", "-->"]
pieces = st.lists(st.sampled_from(PIECES), max_size=30).map("".join)


@given(text=pieces)
@settings(max_examples=300)
def test_places_never_fall_and_lie_inside(text: str) -> None:
    repaired = _core.text.repair(text)
    places = np.asarray(repaired.offsets).tolist()
    assert len(places) == len(repaired.text) + 1
    assert places == sorted(places) and places[-1] == len(text) and places[0] == 0
    features = prepare([Article("a", text, lang="en")])
    spans = list(zip(features.starts[0].tolist(), features.ends[0].tolist(), strict=True))
    assert all(0 <= start < end <= len(text) for start, end in spans)
    assert all(before[1] <= after[0] for before, after in pairwise(spans))


@given(text=st.text(st.sampled_from("abc Ğé—’'\"-.,;:()%0123456789\n\t©«»£"), max_size=300))
def test_clean_text_stays_as_it_is(text: str) -> None:
    found = _core.text.repair(text)
    assert (found.text, found.kinds) == (text, [])


@pytest.mark.parametrize(
    "text",
    ["AT&T and S&P 500", "Q&A; R&D;", "a < b, c > d", "x <3 y", "{sic}", "he {said: yes}", "y = x;", "iş var = x;"],
)
def test_what_only_looks_like_code_stays(text: str) -> None:
    found = _core.text.repair(text)
    assert (found.text, found.kinds) == (text, [])


@given(text=pieces)
def test_repairing_twice_repairs_no_entities_again(text: str) -> None:
    once = _core.text.repair(text).text
    assert "HTML entities" not in _core.text.repair(once).kinds or "&" in text.replace("&amp;", "")
