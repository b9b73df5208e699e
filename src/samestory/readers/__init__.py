"""Files and values to articles.

JSON Lines (plain, .gz, .zst), CSV, TSV, Parquet, folders of text files, standard input; mappings, texts, data frames.
"""

from samestory.readers.articles import Problem, Source, read
from samestory.readers.objects import ROLES, article, articles, warn
from samestory.readers.parquet import is_parquet, name, parquet_rows

__all__ = ["ROLES", "Problem", "Source", "article", "articles", "is_parquet", "name", "parquet_rows", "read", "warn"]
