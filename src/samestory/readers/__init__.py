"""Files and values to articles and to pages.

JSON Lines (plain, .gz, .zst), CSV, TSV, Parquet, folders of text files, standard input; mappings, texts, data frames.
Pages: HTML files and folders of them, web archives (WARC), ZIP archives, JSON Lines with pages in them.
"""

from samestory.readers.articles import Problem, Source, read
from samestory.readers.objects import ROLES, article, articles, warn
from samestory.readers.page import Origin, Page
from samestory.readers.pages import listed_pages, pages
from samestory.readers.parquet import is_parquet, name, parquet_rows

__all__ = [
    "ROLES",
    "Origin",
    "Page",
    "Problem",
    "Source",
    "article",
    "articles",
    "is_parquet",
    "listed_pages",
    "name",
    "pages",
    "parquet_rows",
    "read",
    "warn",
]
