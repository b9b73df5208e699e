"""Titles without the name of the site."""

from __future__ import annotations

import pytest

from samestory.html.titles import is_site, whole, without_site

TITLE = "Storm hits coast"


@pytest.mark.parametrize(
    ("title", "sites", "others", "cut"),
    [
        ("Storm hits coast | The Times", ["The Times"], [], TITLE),
        ("Storm hits coast - Hürriyet", ["hurriyet.com.tr"], [], TITLE),
        ("BBC News - Storm hits coast", ["BBC News"], [], TITLE),
        ("Storm hits coast › evang.at", ["evang.at"], [], TITLE),
        ("Storm hits coast - World - The Times", [], [TITLE], TITLE),
        ("Storm hits coast - CNN.com", ["cnn.com"], [], TITLE),
        # not a site name, and no other source confirms it
        ("Storm hits coast - live updates", ["thetimes.com"], [], "Storm hits coast - live updates"),
        ("Interview: I am here", ["thetimes.com"], [], "Interview: I am here"),
        ("Storm hits coast", ["coast"], [], TITLE),
        ("", ["x"], [], ""),
    ],
)
def test_a_title_is_cut_only_for_a_reason(title: str, sites: list[str], others: list[str], cut: str) -> None:
    assert without_site(title, sites, others) == cut


def test_what_is_a_site() -> None:
    assert is_site("the Times", ["Times"])
    assert is_site("Spiegel Online", ["spiegel.de"])
    assert not is_site("Sport", ["sport1.de"])
    assert not is_site("Reuters says the storm was the worst ever", ["reuters.com"])
    assert not is_site("", ["reuters.com"])


def test_a_title_with_dots_is_made_whole() -> None:
    assert whole("Storm hits the ...", ["Fire", "Storm hits the coast"]) == "Storm hits the coast"
    assert whole("Storm hits the…", ["Fire"]) == "Storm hits the…"
    assert whole("Well...", ["Well done"]) == "Well...", "too short to know"
