"""The narrow table counts stories by their places, however far apart their numbers lie."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from samestory.archive.narrow import _places


@given(
    st.one_of(st.lists(st.integers(0, 30)), st.lists(st.integers(0, 2**60)), st.lists(st.integers(2**40, 2**40 + 9)))
)
def test_places_are_those_of_the_sorted_values(numbers: list[int]) -> None:
    values, places = _places(np.array(numbers, np.int64))
    assert values.tolist() == sorted(set(numbers))
    assert values[places].tolist() == numbers
