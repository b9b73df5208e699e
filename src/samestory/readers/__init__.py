"""Files to articles: JSON Lines (plain, .gz, .zst), CSV, TSV, Parquet, folders of text files, standard input."""

from samestory.readers.articles import Problem, Source, read
from samestory.readers.parquet import ROLES, is_parquet, parquet_rows

__all__ = ["ROLES", "Problem", "Source", "is_parquet", "parquet_rows", "read"]
