"""The typed interface of the native module, in submodules.

Columns that go in are little-endian bytes or any buffer of them; columns that come out know the type of their numbers.
"""

from typing import Any

from samestory._core import detectors as detectors
from samestory._core import engine as engine
from samestory._core import exchange as exchange
from samestory._core import html as html
from samestory._core import search as search
from samestory._core import text as text

class Column:
    """A read-only column of numbers; `numpy.asarray` is a view of it."""

    def __new__(cls, bytes: bytes, name: str) -> Column: ...
    @property
    def __array_interface__(self) -> dict[str, Any]: ...
    def __len__(self) -> int: ...
    def __bytes__(self) -> bytes: ...

class Rows:
    """Row `at` is `values[offsets[at]:offsets[at + 1]]`."""

    values: Column
    offsets: Column

NAMES: list[list[str]]
WHYS: dict[int, str]
CEDAR: list[str]
INLINE_5: list[str]
INLINE: list[str]
LARGEST: int
BOILERPLATE: str
REPAIRS: list[str]
AGREEMENT: list[str]
REUSE_EVIDENCE: list[str]
__version__: str
