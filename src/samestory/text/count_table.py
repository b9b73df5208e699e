"""What tables of document frequencies have in common: they are text files, made by `samestory fit`."""

from __future__ import annotations

from pathlib import Path
from typing import Any, ClassVar, Self

from samestory import _core
from samestory.errors import InputError
from samestory.output import write_file


class CountTable:
    """A table of document frequencies, counted by the native core."""

    section: ClassVar[str]
    """What the core counts: terms or shingles."""
    description: ClassVar[str]
    """The name of such a table in messages."""
    command: ClassVar[str]
    """The command that makes one."""

    def __init__(self, native: _core.detectors.Statistics) -> None:
        self.native = native

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """Reads a table from its file."""
        try:
            return cls.parse(Path(path).read_bytes())
        except OSError as error:
            hint = f"create one with: {cls.command} -o {path}"
            raise InputError(str(error.strerror or error), hint, place=path) from None
        except InputError as error:
            hint = f"create a new one with: {cls.command} -o {path}"
            raise InputError(f"not a table of {cls.description}: {error.detail}", hint, place=path) from None

    @classmethod
    def parse(cls, table: bytes) -> Self:
        """Parses a table from its bytes; raises InputError if they are invalid."""
        try:
            text = table.decode()
        except UnicodeDecodeError as error:
            raise InputError(str(error)) from None
        return cls(_core.detectors.Statistics(cls.section, text))

    def save(self, path: str | Path) -> None:
        """Writes the table atomically."""
        write_file(path, bytes(self))

    def __bytes__(self) -> bytes:
        return str(self.native).encode()

    def __eq__(self, other: object) -> bool:
        return self.native == other.native if isinstance(other, type(self)) else NotImplemented

    def __deepcopy__(self, _: dict[int, Any]) -> Self:
        return self  # immutable

    @property
    def articles(self) -> int:
        """The number of articles counted."""
        return self.native.articles
