"""A few hundred of the pages of ``make fuzz``, the same in every run."""

from __future__ import annotations

import pytest

from samestory.html import Page, parse
from tests.fuzz.laws import check
from tests.fuzz.mutate import SEEDS, page
from tests.fuzz.pages import CHARSETS


@pytest.mark.parametrize("extractor", ["heuristic", "rules"])
def test_pages_changed_at_random_break_no_law(extractor: str) -> None:
    chosen = parse(extractor)
    for number in range(300):
        check(Page(page(number), charset=CHARSETS[number % len(CHARSETS)]), chosen)
    for seed in SEEDS:
        check(Page(seed), chosen)


def test_a_number_is_always_the_same_page() -> None:
    assert [page(number) for number in range(20)] == [page(number) for number in range(20)]
    assert len({page(number) for number in range(200)}) > 150
