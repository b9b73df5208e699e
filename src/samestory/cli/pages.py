"""Page options and article extraction, shared by every command that reads web pages."""

from __future__ import annotations

import argparse
import os
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from samestory.cli.inputs import check_files, keep_stdin, new_run, require_new_articles
from samestory.cli.rejected import ProblemLog
from samestory.cli.summary import count
from samestory.errors import ParameterError
from samestory.html import EXTRACTORS, ExtractedArticle, extracted, parse
from samestory.html.extraction import DEFAULT_EXTRACTOR, NO_SIZE_LIMIT
from samestory.html.site_filter import SiteFilter
from samestory.output import Outputs
from samestory.readers import ROLES, UNREADABLE, Page, Problem, listed_pages, pages
from samestory.readers.page_lines import listed
from samestory.readers.pages import MAX_PAGE_BYTES
from samestory.run import Progress, Run, fitted

#: Articles per batch, and characters after which a batch is full.
BATCH_ARTICLES = 256
BATCH_CHARACTERS = 1 << 24


def add_pages(command: argparse.ArgumentParser) -> None:
    """Adds the page files and the maximum page size."""
    command.add_argument(
        "files",
        nargs="*",
        metavar="PAGES",
        help="HTML files and folders of them, web archives (.warc, .warc.gz), ZIP archives, JSON Lines with url and "
        "html, - for stdin",
    )
    command.add_argument(
        "--list",
        action="append",
        default=[],
        metavar="FILE",
        help="read the files listed in this file, one path or JSON {path, url, charset} per line; - for stdin",
    )
    add_largest_page(command)


def add_largest_page(command: argparse.ArgumentParser) -> None:
    """Adds the option for the size of pages."""
    command.add_argument(
        "--largest",
        type=int,
        default=MAX_PAGE_BYTES,
        metavar="BYTES",
        help="reject pages larger than this (default: 64 MB)",
    )


def given_pages(args: argparse.Namespace, also: Sequence[str] = (), extractor: str | None = None) -> list[str]:
    """Validates and returns the page files and lists; `also` are other input files."""
    paths = [*args.files, *args.list]
    if not paths:
        raise ParameterError("no pages: specify PAGES or --list FILE")
    check_files(args, paths, [*also, *also_read(args.list, extractor)])
    return paths


def read_given(
    files: Iterable[str], lists: Iterable[str], skipped: Counter[str], largest: int
) -> Iterator[Page | Problem]:
    """Yields the pages of files and of the files in lists."""
    for path in files:
        yield from pages(path, skipped=skipped, largest=largest)
    for path in lists:
        yield from listed_pages(path, skipped=skipped, largest=largest)


def add_extractor(command: argparse.ArgumentParser) -> None:
    """Adds the extractor option."""
    command.add_argument(
        "-e",
        "--extractor",
        metavar="SPEC",
        help=f"content extractor: {', '.join(EXTRACTORS)}, with parameters as in "
        f"'{DEFAULT_EXTRACTOR}(least=5)' (default: {DEFAULT_EXTRACTOR})",
    )


def also_read(lists: Iterable[str], extractor: str | None = None) -> list[str]:
    """Returns further files that are read: those in lists, as far as readable now, and the extractor model."""
    out = []
    for path in lists:
        if path != "-" and Path(path).is_file():
            with Path(path).open("rb") as stream:
                out += [each.path for each in listed(stream, path) if not isinstance(each, Problem)]
    model = getattr(parse(extractor or DEFAULT_EXTRACTOR), "model", "")
    return [*out, model] if model else out


class ExtractionRun(ProblemLog):
    """Extracts articles from pages and collects problems, which are reported at the end."""

    def __init__(
        self,
        args: argparse.Namespace,
        out: Outputs,
        tick: Progress | None,
        largest: int = MAX_PAGE_BYTES,
        sites: SiteFilter | None = None,
    ) -> None:
        super().__init__(args, out)
        self._threads, self._sites = args.threads, sites
        self._extractor = parse(args.extractor or DEFAULT_EXTRACTOR)
        self._largest, self._tick = largest, tick
        self.skipped: Counter[str] = Counter()
        self.pages = self.articles = self._bytes = 0

    def each(
        self, paths: Iterable[str], lists: Sequence[str] = (), most: int = NO_SIZE_LIMIT
    ) -> Iterator[ExtractedArticle]:
        """Yields the articles of files and lists; texts with more than `most` bytes are rejected."""
        given = read_given(paths, lists, self.skipped, self._largest)
        items = extracted(self._counted(given), self._extractor, largest=most, threads=self._threads, sites=self._sites)
        for item in items:
            if isinstance(item, Problem):
                self.note([item])
            else:
                self.articles += 1
                yield item

    def _counted(self, given: Iterator[Page | Problem]) -> Iterator[Page | Problem]:
        for item in given:
            if isinstance(item, Page):
                self.pages += 1
                self._bytes += len(item.raw)
            if self._tick and self.pages % 64 == 1:
                self._tick("reading", self._bytes, 0, self.articles)
            yield item

    def summary(self) -> str:
        """Summarises the input and what was rejected or skipped."""
        text = f"{count(self.pages, 'page')}, {count(self.articles, 'article')}"
        if refused := self.refused.total():
            text += f"; {refused:,} rejected: {_counts(self.refused)}"
        if self.doubted:
            text += f"; {self.doubted:,} kept with warnings"
        return text + self.skipped_summary()

    def skipped_summary(self) -> str:
        """Lists inputs that were skipped because they are not pages, as a separate line; empty if there are none."""
        return f"\nskipped: {_counts(self.skipped)}" if self.skipped else ""


def _counts(things: Counter[str]) -> str:
    """
    >>> _counts(Counter({"status 404": 2, "request record": 1000}))
    '1,000 × request record, 2 × status 404'
    """
    return ", ".join(f"{number:,} × {thing}" for thing, number in things.most_common() if number)


def read_pages(
    args: argparse.Namespace, tick: Progress | None, out: Outputs, titles: bool
) -> tuple[Run, ExtractionRun]:
    """Reads the pages of the arguments into a run and reports problems; raises InputError if it cannot go on."""
    run = new_run(args, tick, titles)
    kept = keep_stdin(args)
    works: list[ExtractionRun] = []

    def read(run: Run) -> None:
        if kept:
            os.lseek(0, 0, os.SEEK_SET)
        works[:] = [ExtractionRun(args, out, tick)]
        start = time.perf_counter()
        for paths in (args.against, args.files):
            for batch in _batches(works[0].each(paths, most=args.largest)):
                run.add("pages", [[getattr(one.article, role) for role in ROLES] for one in batch])
            if paths is args.against:
                run.age()
        refused = works[0].refused
        run.refused, run.doubted = refused.total() - refused[UNREADABLE], works[0].doubted
        run.summary.seconds["read"] = time.perf_counter() - start

    run = fitted(run, read)
    read(run)
    works[0].finish()
    return require_new_articles(run, args, out), works[0]


def _batches(items: Iterator[ExtractedArticle]) -> Iterator[list[ExtractedArticle]]:
    batch: list[ExtractedArticle] = []
    size = 0
    for item in items:
        batch.append(item)
        size += len(item.article.text)
        if len(batch) == BATCH_ARTICLES or size >= BATCH_CHARACTERS:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch
