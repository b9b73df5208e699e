"""Extraction: blocks and pages."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from samestory import ParameterError
from samestory.lab.measures import LabelledBlocks, parse
from tests.reference import measures as reference

LABELS = ["CONTENT", "NOTCONTENT", "TITLE"]


def test_three_pages_by_hand() -> None:
    data = LabelledBlocks(
        page=["a", "a", "b", "b", "c"],
        gold=["CONTENT", "NOTCONTENT", "CONTENT", "CONTENT", "NOTCONTENT"],
        found=["CONTENT", "NOTCONTENT", "CONTENT", "NOTCONTENT", "CONTENT"],
    )
    assert parse("block_precision").point(data) == 2 / 3
    assert parse("block_recall").point(data) == 2 / 3
    assert parse("block_f").point(data) == pytest.approx(2 / 3)
    assert parse("block_f(label='NOTCONTENT')").point(data) == 0.5
    assert parse("page_accuracy").point(data) == 1 / 3
    assert data.count == 3


@given(st.lists(st.tuples(st.integers(0, 4), st.sampled_from(LABELS), st.sampled_from(LABELS)), max_size=25))
def test_values_are_those_of_the_definitions(rows: list[tuple[int, str, str]]) -> None:
    data = LabelledBlocks([p for p, _, _ in rows], [g for _, g, _ in rows], [f for _, _, f in rows])
    a, b, c, _ = reference.contingency((g == "CONTENT" for _, g, _ in rows), (f == "CONTENT" for _, _, f in rows))
    assert parse("block_precision").point(data) == reference.ratio(a, a + b)
    assert parse("block_recall").point(data) == reference.ratio(a, a + c)
    assert parse("block_f(beta=2)").point(data) == pytest.approx(reference.f(a, b, c, 2))
    pages = {p for p, _, _ in rows}
    right = [page for page in pages if all(g == f for p, g, f in rows if p == page)]
    assert parse("page_accuracy").point(data) == reference.ratio(len(right), len(pages))


def test_a_label_is_a_text() -> None:
    with pytest.raises(ParameterError, match="label must be a text, got 3"):
        parse("block_f(label=3)")
