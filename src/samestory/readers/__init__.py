"""Readers of articles and pages from files and Python values.

JSON Lines (plain, .gz, .zst), CSV, TSV, Parquet, folders of text files, standard input; mappings, texts, data frames.
Pages: HTML files and folders of them, web archives (WARC), ZIP archives, JSON Lines with an html field.

Files of articles are parsed by the core (crates/samestory-core/src/input/readers), except for Parquet.
"""

from samestory.readers.articles import LOSSES, UNREADABLE, Problem, Source, is_missing, read
from samestory.readers.objects import ROLES, Doubt, article, article_place, articles, warn
from samestory.readers.page import Origin, Page
from samestory.readers.pages import listed_pages, pages
from samestory.readers.parquet import is_parquet, name, parquet_rows

__all__ = [
    "LOSSES",
    "ROLES",
    "UNREADABLE",
    "Doubt",
    "Origin",
    "Page",
    "Problem",
    "Source",
    "article",
    "article_place",
    "articles",
    "is_missing",
    "is_parquet",
    "listed_pages",
    "name",
    "pages",
    "parquet_rows",
    "read",
    "warn",
]
