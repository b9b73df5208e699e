"""The site filter removes repeated text: learned page by page, within bounds, added, saved and loaded."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from samestory.errors import InputError, ParameterError
from samestory.html.extractors.base import Extraction
from samestory.html.site_filter import HEADING, SiteFilter, SiteRule

FURNITURE = ["Home News Sport Weather", "We use cookies to improve our service, read our policy", "Share"]


def story(number: int) -> str:
    return f"On day {number} the ferry{number} left harbour{number} with crew{number} and cargo{number} for the south"


def page(number: int) -> str:
    return "\n\n".join([FURNITURE[0], story(number), *FURNITURE[1:]])


def test_a_page_is_judged_by_those_before_it() -> None:
    sites = SiteFilter(SiteRule(least=3))
    found = [sites.filter("a.example", page(number)) for number in range(6)]
    assert found[:3] == [page(number) for number in range(3)]
    assert found[3:] == [story(number) for number in range(3, 6)]


def test_every_site_is_judged_alone() -> None:
    sites = SiteFilter(SiteRule(least=3))
    for number in range(6):
        sites.learn("a.example", page(number))
    assert sites.judge("b.example", page(9)) == page(9)
    assert sites.judge("a.example", page(9)) == story(9)


def test_a_text_that_comes_again_is_not_counted_again_and_a_copy_stays_whole() -> None:
    sites = SiteFilter(SiteRule(least=2))
    for _ in range(9):
        sites.learn("a.example", page(1))
    assert sites.judge("a.example", page(1)) == page(1)
    for number in range(2, 9):
        sites.learn("a.example", page(number))
    assert sites.judge("a.example", "\n\n".join(FURNITURE)) == "\n\n".join(FURNITURE), "nothing would be left"


def test_what_is_no_longer_shown_is_forgotten() -> None:
    sites = SiteFilter(SiteRule(least=2, window=8))
    for number in range(8):
        sites.learn("a.example", f"{story(number)}\n\nSummer sale of garden chairs ends soon")
    line = f"{story(99)}\n\nSummer sale of garden chairs ends soon"
    assert sites.judge("a.example", line) == story(99)
    for number in range(20, 60):
        sites.learn("a.example", story(number))
    assert sites.judge("a.example", line) == line


def slow(pages: list[str], text: str, rule: SiteRule) -> list[str]:
    """Reference implementation of the formula, with words instead of hashes, without bounds."""

    def runs(line: str) -> set[tuple[str, ...]]:
        words = line.lower().split()
        width = min(rule.shingle, len(words))
        return {tuple(words[at : at + width]) for at in range(len(words) - width + 1)} if words else set()

    seen = list(dict.fromkeys(pages))
    counted = [set().union(*(runs(line) for line in each.splitlines())) for each in seen]
    wanted = max(rule.least, rule.share * len(seen))
    lines = [line for line in text.splitlines() if line]

    def stays(line: str) -> bool:
        own = runs(line)
        return sum(sum(run in each for each in counted) >= wanted for run in own) < rule.most * len(own)

    left = [line for line in lines if stays(line)] if len(seen) >= rule.least else lines
    return left or lines


LINES = st.sampled_from(["home news sport", "share", "a b c d e f", "a b c d x y", "p q r s t", "u v", "f e d c b a"])
PAGES = st.lists(st.lists(LINES, min_size=1, max_size=5).map("\n".join), max_size=12)


@given(
    PAGES, st.lists(LINES, min_size=1, max_size=6).map("\n".join), st.sampled_from([2, 3]), st.sampled_from([0, 0.5])
)
def test_what_stays_is_what_the_formula_says(pages: list[str], text: str, least: int, share: float) -> None:
    rule = SiteRule(shingle=3, least=least, share=share)
    sites = SiteFilter(rule)
    for each in pages:
        sites.learn("a.example", each)
    assert sites.judge("a.example", text).splitlines() == slow(pages, text, rule)


@given(PAGES, PAGES)
def test_parts_add_up_and_come_back_from_a_file(one: list[str], other: list[str]) -> None:
    parts = [SiteFilter(SiteRule(least=2)), SiteFilter(SiteRule(least=2))]
    whole = SiteFilter(SiteRule(least=2))
    fresh = [f"{text}\n{number}" for number, text in enumerate([*one, *other])]  # no page repeats
    for number, text in enumerate(fresh):
        parts[number >= len(one)].learn("a.example", text)
        whole.learn("a.example", text)
    assert parts[0] + parts[1] == whole
    again = SiteFilter.parse(bytes(whole))
    assert again == whole and again.held == whole.held


def test_memory_is_bounded_whatever_comes() -> None:
    chance = random.Random(1)
    rule = SiteRule(runs=200, total=1_000, window=10)
    sites = SiteFilter(rule)
    for number in range(600):
        text = "\n".join(" ".join(f"w{chance.randrange(10**9)}" for _ in range(30)) for _ in range(5))
        sites.learn(f"site{number % 40}.example", f"{FURNITURE[1]}\n{text}")
        assert sites.held <= rule.total
        assert max(len(site.counts) for site in sites._sites.values()) <= rule.runs
        assert max(len(site.texts) for site in sites._sites.values()) <= rule.window
    assert 1 < sites.known < 40


def test_what_is_seen_often_outlives_the_bound_of_a_site() -> None:
    sites = SiteFilter(SiteRule(runs=100, least=3))
    chance = random.Random(2)
    for _ in range(50):
        sites.learn("a.example", f"{FURNITURE[1]}\n{' '.join(f'w{chance.randrange(10**9)}' for _ in range(60))}")
    assert sites.judge("a.example", f"{FURNITURE[1]}\nsomething else here today") == "something else here today"


def test_it_is_saved_and_loaded_and_goes_on_as_before(tmp_path: Path) -> None:
    sites = SiteFilter(SiteRule(least=3, runs=60))
    for number in range(30):
        sites.learn(f"{number % 3}.example", page(number))
    sites.save(tmp_path / "sites")
    again = SiteFilter.load(tmp_path / "sites")
    for number in range(30, 60):
        assert again.filter(f"{number % 3}.example", page(number)) == sites.filter(
            f"{number % 3}.example", page(number)
        )
    assert again == sites


@pytest.mark.parametrize(
    "damage",
    [
        b"",
        b"x",
        b"{}\n{}",
        HEADING.encode() + b'\n{"shingle": 0}\n',
        b"\xff\xfe",
        HEADING.encode() + b"\n" + b"[" * 9999,
    ],
)
def test_what_was_not_saved_by_it_is_rejected(damage: bytes, tmp_path: Path) -> None:
    (tmp_path / "sites").write_bytes(damage)
    with pytest.raises((InputError, ParameterError), match="site filter"):
        SiteFilter.load(tmp_path / "sites")
    with pytest.raises(InputError, match="absent"):
        SiteFilter.load(tmp_path / "absent")


def test_a_damaged_line_is_rejected(tmp_path: Path) -> None:
    sites = SiteFilter()
    sites.learn("a.example", page(1))
    for wrong in ('"pages"', '"runs"', '"texts"'):
        (tmp_path / "sites").write_bytes(bytes(sites).replace(wrong.encode(), b'"other"'))
        with pytest.raises(InputError, match="not a saved site filter"):
            SiteFilter.load(tmp_path / "sites")


def test_rules_must_be_the_same_to_be_added() -> None:
    with pytest.raises(ParameterError, match="different rules"):
        SiteFilter() + SiteFilter(SiteRule(least=9))


def test_an_extraction_keeps_all_but_its_text() -> None:
    sites = SiteFilter(SiteRule(least=2))
    for number in range(4):
        sites.learn("a.example", page(number))
    found = sites.extraction("a.example", Extraction(page(9), "title", "UTF-8", frozenset({"guessed"})))
    assert found == Extraction(story(9), "title", "UTF-8", frozenset({"guessed"}))
