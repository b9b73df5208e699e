"""Frames of rows: data frames, tables and lists, of which rows are taken and to which columns are added."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from samestory.model import Article
from samestory.readers.objects import NAMES
from samestory.readers.objects import rows as iterate


class Frame(ABC):
    """Rows in the form in which the caller has them."""

    def __init__(self, given: Any) -> None:
        self.given = given

    @property
    def rows(self) -> Any:
        """What readers of articles iterate over."""
        return self.given

    @abstractmethod
    def __len__(self) -> int: ...

    @abstractmethod
    def take(self, places: Sequence[int]) -> Any:
        """Some of the rows, in order, in the form of the frame."""

    @abstractmethod
    def annotated(self, columns: Mapping[str, Sequence[Any]]) -> Any:
        """All rows with further columns, in the form of the frame."""

    @abstractmethod
    def aligned(self, values: Sequence[Any]) -> Any:
        """Values, one for each row, as a column that can be added to the frame."""

    def labels(self, id_field: str | None) -> list[Any]:
        """What names each row: the values of its id field, or its number from 0."""
        found = self._column(id_field)
        return list(range(len(self))) if found is None else found

    def _column(self, id_field: str | None) -> list[Any] | None:
        names = {name.lower(): name for name in reversed(self._names())}
        own = [id_field] if id_field else [names[name] for name in NAMES["id"] if name in names]
        return self._values(own[0]) if own and own[0] in names.values() else None

    def _names(self) -> list[str]:
        return [name for name in self.given.columns if isinstance(name, str)]

    def _values(self, name: str) -> list[Any]:
        found: list[Any] = self.given[name].to_list()
        return found


class _ListFrame(Frame):
    """A list or generator of mappings, articles or texts."""

    def __init__(self, given: Any) -> None:
        super().__init__(given if isinstance(given, list | tuple) else list(iterate(given)))

    def __len__(self) -> int:
        return len(self.given)

    def take(self, places: Sequence[int]) -> Any:
        return [self.given[at] for at in places]

    def annotated(self, columns: Mapping[str, Sequence[Any]]) -> Any:
        notes = [dict(zip(columns, values, strict=True)) for values in zip(*columns.values(), strict=True)]
        return [{**_mapping(row), **note} for row, note in zip(self.given, notes, strict=True)]

    def aligned(self, values: Sequence[Any]) -> Any:
        return list(values)

    def labels(self, id_field: str | None) -> list[Any]:
        names = (id_field,) if id_field else NAMES["id"]
        return [self._label(at, row, names) for at, row in enumerate(self.given)]

    def _label(self, at: int, row: Any, names: Iterable[str]) -> Any:
        if isinstance(row, Article):
            return row.id
        lower = {str(name).lower(): value for name, value in row.items()} if isinstance(row, Mapping) else {}
        return next((lower[name.lower()] for name in names if lower.get(name.lower()) is not None), at)


def _mapping(row: Any) -> dict[str, Any]:
    if isinstance(row, Mapping):
        return dict(row)
    return asdict(row) if isinstance(row, Article) else {"text": row}


class _PandasFrame(Frame):
    """A data frame of pandas, with its index."""

    def __len__(self) -> int:
        return len(self.given)

    def take(self, places: Sequence[int]) -> Any:
        return self.given.iloc[list(places)]

    def annotated(self, columns: Mapping[str, Sequence[Any]]) -> Any:
        return self.given.assign(**{name: self.aligned(values) for name, values in columns.items()})

    def aligned(self, values: Sequence[Any]) -> Any:
        import pandas as pd

        kind = "int64" if all(isinstance(value, int) for value in values) else None
        return pd.Series(list(values), index=self.given.index, dtype=kind)

    def labels(self, id_field: str | None) -> list[Any]:
        import pandas as pd

        has_own = not isinstance(self.given.index, pd.RangeIndex)
        found = None if has_own and not id_field else self._column(id_field)
        return self.given.index.to_list() if found is None else found


class _PolarsFrame(Frame):
    """A data frame of Polars; a lazy one is computed."""

    def __init__(self, given: Any) -> None:
        self._is_lazy = not hasattr(given, "to_dicts")
        super().__init__(given.collect() if self._is_lazy else given)

    def __len__(self) -> int:
        return int(self.given.height)

    def take(self, places: Sequence[int]) -> Any:
        found = self.given[list(places)]
        return found.lazy() if self._is_lazy else found

    def annotated(self, columns: Mapping[str, Sequence[Any]]) -> Any:
        found = self.given.with_columns(**{name: self.aligned(values) for name, values in columns.items()})
        return found.lazy() if self._is_lazy else found

    def aligned(self, values: Sequence[Any]) -> Any:
        import polars as pl

        return pl.Series(list(values))


class _ArrowFrame(Frame):
    """A table, batch or reader of batches of Arrow, or an object that exports one."""

    def __init__(self, given: Any) -> None:
        import pyarrow as pa

        self._has_batches = isinstance(given, pa.RecordBatchReader)
        self._is_batch = isinstance(given, pa.RecordBatch)
        super().__init__(given if isinstance(given, pa.Table | pa.RecordBatch) else pa.table(given))

    def __len__(self) -> int:
        return int(self.given.num_rows)

    def take(self, places: Sequence[int]) -> Any:
        import numpy as np

        from samestory.model import arrow

        return self._in_form(self.given.take(arrow.from_numpy(np.array(places, np.int64))))

    def annotated(self, columns: Mapping[str, Sequence[Any]]) -> Any:
        import pyarrow as pa

        found = self.given
        if self._is_batch:
            found = pa.Table.from_batches([found])
        for name, values in columns.items():
            found = found.append_column(name, self.aligned(values))
        return found.combine_chunks().to_batches()[0] if self._is_batch and len(self) else self._in_form(found)

    def aligned(self, values: Sequence[Any]) -> Any:
        import pyarrow as pa

        return pa.array(list(values))

    def _in_form(self, found: Any) -> Any:
        import pyarrow as pa

        return pa.RecordBatchReader.from_batches(found.schema, found.to_batches()) if self._has_batches else found

    def _names(self) -> list[str]:
        return list(self.given.schema.names)

    def _values(self, name: str) -> list[Any]:
        found: list[Any] = self.given.column(name).to_pylist()
        return found


def open_frame(given: Any) -> Frame:
    """Returns a frame of rows.

    >>> open_frame([{"id": 7, "text": "Fire"}, "Only a text."]).labels(None)
    [7, 1]
    """
    module = type(given).__module__.partition(".")[0]
    if module == "pandas" and hasattr(given, "iloc") and hasattr(given, "assign"):
        return _PandasFrame(given)
    if module == "polars" and hasattr(given, "with_columns"):
        return _PolarsFrame(given)
    if module == "pyarrow" or hasattr(given, "__arrow_c_stream__"):
        return _ArrowFrame(given)
    return _ListFrame(given)
