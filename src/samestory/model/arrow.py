"""Converts between Python, NumPy and Arrow without `pa.array` and `to_numpy`, which import pandas if it is installed.

That import takes half a second, which the first page of a portal would wait for.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from itertools import accumulate
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pyarrow as pa
    from numpy.typing import NDArray


def from_numpy(values: NDArray[Any]) -> pa.Array:
    """Return numbers as an Arrow array, which shares their memory if they are contiguous.

    >>> import numpy as np
    >>> from_numpy(np.array([1, 2])).to_pylist()
    [1, 2]
    """
    import numpy as np
    import pyarrow as pa

    buffers = [None, pa.py_buffer(np.ascontiguousarray(values))]
    return pa.Array.from_buffers(pa.from_numpy_dtype(values.dtype), len(values), buffers)


def to_numpy(array: pa.Array) -> NDArray[Any]:
    """Return an Arrow array of numbers without nulls as a view.

    >>> import numpy as np
    >>> to_numpy(from_numpy(np.array([1, 2, 3]))[1:]).tolist()
    [2, 3]
    """
    import numpy as np

    width, name = array.type.bit_width // 8, str(array.type)
    dtype = np.dtype({"float": "float32", "double": "float64", "halffloat": "float16"}.get(name, name))
    values = array.buffers()[1]
    if values is None:
        return np.empty(0, dtype)
    return np.frombuffer(values, dtype, len(array), array.offset * width)


def from_bytes(values: Sequence[bytes | None], type: pa.DataType) -> pa.Array:
    """Return bytes, or None, as an array of `type`: `pa.large_binary()`, `pa.string()` or the like.

    >>> import pyarrow as pa
    >>> from_bytes([b"one", None, b""], pa.string()).to_pylist()
    ['one', None, '']
    """
    import pyarrow as pa

    present = [value or b"" for value in values]
    # not by NumPy, which takes longer for a few values
    offsets = array("q", accumulate(map(len, present), initial=0))
    if type in (pa.string(), pa.binary()):
        if offsets[-1] >= 2**31:
            raise OverflowError(f"{offsets[-1]:,} bytes do not fit in a column of the type {type}")
        offsets = array("i", offsets)
    nulls = _bitmap([value is not None for value in values]) if None in values else None
    buffers = [nulls, pa.py_buffer(offsets), pa.py_buffer(b"".join(present))]
    return pa.Array.from_buffers(type, len(values), buffers)


def from_texts(values: Sequence[str | None], type: pa.DataType) -> pa.Array:
    """Return texts, or None, as an array of `type`: `pa.string()` or `pa.large_string()`."""
    return from_bytes([None if value is None else value.encode() for value in values], type)


def from_integers(values: Sequence[int | None], type: pa.DataType) -> pa.Array:
    """Return integers, or None, as an array of `type`, a type of 64 bits.

    >>> import pyarrow as pa
    >>> from_integers([1, None], pa.int64()).to_pylist()
    [1, None]
    """
    import numpy as np
    import pyarrow as pa

    numbers = np.array([0 if value is None else value for value in values], np.int64)
    nulls = _bitmap([value is not None for value in values]) if None in values else None
    return pa.Array.from_buffers(type, len(values), [nulls, pa.py_buffer(numbers)])


def from_floats(values: Sequence[float | None]) -> pa.Array:
    """Return numbers, or None, as an array.

    >>> from_floats([0.5, None]).to_pylist()
    [0.5, None]
    """
    import numpy as np
    import pyarrow as pa

    numbers = np.array([0.0 if value is None else value for value in values], np.float64)
    nulls = _bitmap([value is not None for value in values]) if None in values else None
    return pa.Array.from_buffers(pa.float64(), len(values), [nulls, pa.py_buffer(numbers)])


def _bitmap(is_present: Sequence[bool]) -> pa.Buffer:
    import numpy as np
    import pyarrow as pa

    return pa.py_buffer(np.packbits(np.array(is_present, bool), bitorder="little"))
