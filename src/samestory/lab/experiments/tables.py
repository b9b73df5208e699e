"""Published tables: TSV files under data/, each with its source in its first lines."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from functools import cache
from importlib.resources import files


@cache
def table(name: str) -> Sequence[dict[str, str]]:
    """Return the rows of a table.

    >>> len(table("fomin_days"))
    20
    """
    text = (files("samestory.lab.experiments") / "data" / f"{name}.tsv").read_text(encoding="utf-8")
    return tuple(csv.DictReader((line for line in text.splitlines() if not line.startswith("#")), delimiter="\t"))


def column(name: str, field: str, **where: str) -> list[float]:
    """Return the numbers of a column, of the rows whose other columns match `where`."""
    return [float(row[field]) for row in table(name) if all(row[key] == value for key, value in where.items())]
