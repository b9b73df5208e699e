"""The column cache numbers stories densely, for dense and sparse story numbers."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from samestory.archive.columns import _unique_inverse


@given(
    st.one_of(st.lists(st.integers(0, 30)), st.lists(st.integers(0, 2**60)), st.lists(st.integers(2**40, 2**40 + 9)))
)
def test_unique_inverse(numbers: list[int]) -> None:
    values, places = _unique_inverse(np.array(numbers, np.int64))
    assert values.tolist() == sorted(set(numbers))
    assert values[places].tolist() == numbers
