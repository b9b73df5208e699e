"""The options about pages, and pages on their way to articles, the same for every command that reads them."""

from __future__ import annotations

import argparse
import os
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from samestory.cli.inputs import Met, check_files, keep_stdin, new_run, with_news
from samestory.cli.output import count
from samestory.errors import ParameterError
from samestory.html import EXTRACTORS, Extracted, extracted, parse
from samestory.html.extraction import ANY, DEFAULT
from samestory.html.site_filter import SiteFilter
from samestory.jobs import Progress, Run, fitted
from samestory.output import Outputs
from samestory.readers import ROLES, Page, Problem, listed_pages, pages
from samestory.readers.page_lines import listed
from samestory.readers.pages import LARGEST

#: Articles handed on at a time, at most; and the letters from which on there are enough of them.
BATCH = 256
FULL = 1 << 24


def add_pages(command: argparse.ArgumentParser) -> None:
    """The files with pages, and how large a page may be."""
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
        help="read the files that this file names, one a line, or {path, url, charset} as JSON; - for stdin",
    )
    command.add_argument(
        "--largest", type=int, default=LARGEST, metavar="BYTES", help="refuse pages larger than this (default: 64 MB)"
    )


def given_pages(args: argparse.Namespace, also: Sequence[str] = (), extractor: str | None = None) -> list[str]:
    """The files and lists that are given, looked at before anything is read; `also` are inputs of other kinds."""
    paths = [*args.files, *args.list]
    if not paths:
        raise ParameterError("PAGES or --list: files with pages are wanted")
    check_files(args, paths, [*also, *also_read(args.list, extractor)])
    return paths


def read_given(
    files: Iterable[str], lists: Iterable[str], passed: Counter[str], largest: int
) -> Iterator[Page | Problem]:
    """The pages of files and of what lists name."""
    for path in files:
        yield from pages(path, passed, largest=largest)
    for path in lists:
        yield from listed_pages(path, passed, largest=largest)


def add_extractor(command: argparse.ArgumentParser) -> None:
    """The option that names the extractor."""
    command.add_argument(
        "-e",
        "--extractor",
        metavar="SPEC",
        help=f"how the content of pages is told from the rest: {', '.join(EXTRACTORS)}, with parameters as in "
        f"'{DEFAULT}(least=5)' (default: {DEFAULT})",
    )


def also_read(lists: Iterable[str], extractor: str | None = None) -> list[str]:
    """What is read beside the files that are given: those that lists name, as far as they can be looked at before, and
    the model of the extractor."""
    out = []
    for path in lists:
        if path != "-" and Path(path).is_file():
            with Path(path).open("rb") as stream:
                out += [each.path for each in listed(stream, path) if not isinstance(each, Problem)]
    model = getattr(parse(extractor or DEFAULT), "model", "")
    return [*out, model] if model else out


class Extracting(Met):
    """Pages one after the other, and the articles on them; what is wrong is told when all are read."""

    def __init__(
        self,
        args: argparse.Namespace,
        out: Outputs,
        tick: Progress | None,
        largest: int = LARGEST,
        sites: SiteFilter | None = None,
    ) -> None:
        super().__init__(args, out)
        self._threads, self._sites = args.threads, sites
        self._extractor = parse(args.extractor or DEFAULT)
        self._largest, self._tick = largest, tick
        self.passed: Counter[str] = Counter()
        self.pages = self.articles = self._bytes = 0

    def each(self, paths: Iterable[str], lists: Sequence[str] = (), most: int = ANY) -> Iterator[Extracted]:
        """The articles on the pages of these files and lists; texts have `most` bytes at most."""
        given = read_given(paths, lists, self.passed, self._largest)
        items = extracted(self._counted(given), self._extractor, largest=most, threads=self._threads, sites=self._sites)
        for item in items:
            if isinstance(item, Problem):
                self.met([item])
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
        """What came in and what was passed over, in words."""
        said = f"{count(self.pages, 'page')}, {count(self.articles, 'article')}"
        if refused := self.refused.total():
            said += f"; {refused:,} refused: {_counts(self.refused)}"
        if self.doubted:
            said += f"; {self.doubted:,} kept with a doubt"
        return said + self.others()

    def others(self) -> str:
        """What was no page and need not be one, as a line of its own; nothing if all were pages."""
        return f"\npassed over: {_counts(self.passed)}" if self.passed else ""


def _counts(things: Counter[str]) -> str:
    """
    >>> _counts(Counter({"status 404": 2, "request record": 1000}))
    '1,000 × request record, 2 × status 404'
    """
    return ", ".join(f"{number:,} × {thing}" for thing, number in things.most_common() if number)


def read_pages(args: argparse.Namespace, tick: Progress | None, out: Outputs, titles: bool) -> tuple[Run, Extracting]:
    """Reads the pages that the arguments name into a run, tells what was wrong with them, and stops if that must be."""
    run = new_run(args, tick, titles)
    kept = keep_stdin(args)
    works: list[Extracting] = []

    def read(run: Run) -> None:
        if kept:
            os.lseek(0, 0, os.SEEK_SET)
        works[:] = [Extracting(args, out, tick)]
        start = time.perf_counter()
        for paths in (args.against, args.files):
            for batch in _batches(works[0].each(paths, most=args.largest)):
                run.add("pages", [[getattr(one.article, role) for role in ROLES] for one in batch])
            if paths is args.against:
                run.age()
        run.refused, run.doubted = works[0].refused.total(), works[0].doubted
        run.summary.seconds["read"] = time.perf_counter() - start

    run = fitted(run, read)
    read(run)
    works[0].finish()
    return with_news(run, args, out), works[0]


def _batches(items: Iterator[Extracted]) -> Iterator[list[Extracted]]:
    batch: list[Extracted] = []
    size = 0
    for item in items:
        batch.append(item)
        size += len(item.article.text)
        if len(batch) == BATCH or size >= FULL:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch
