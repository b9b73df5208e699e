"""Rows of files as they are stored: read in blocks, and some of them written to another file.

Rows of JSON Lines, CSV and TSV are bytes, those of Parquet are Arrow batches; they are parsed only to be converted.
"""

from samestory.rows.formats import COLUMNS, RowFormat, format_of
from samestory.rows.sources import RowBlock, StoredSource, open_rows
from samestory.rows.writers import RowNote, RowWriter, row_writer

__all__ = [
    "COLUMNS",
    "RowBlock",
    "RowFormat",
    "RowNote",
    "RowWriter",
    "StoredSource",
    "format_of",
    "open_rows",
    "row_writer",
]
