"""samestory dedup: writes the rows of files that stay when duplicates are dropped."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from samestory.cli.inputs import (
    add_as_is,
    add_complaints,
    add_detector,
    add_inputs,
    add_older,
    add_threads,
    add_within,
    check,
    keep_stdin,
    new_run,
    report_unmatched,
    require_new_articles,
)
from samestory.cli.progress import progress
from samestory.cli.rejected import report
from samestory.cli.summary import count, summarise
from samestory.deduplication import DROPPED_KINDS, KEEP, DedupOptions, KeptRows, kept_rows
from samestory.errors import InputError, ParameterError
from samestory.model import KINDS
from samestory.output import Outputs
from samestory.readers import LOSSES, name
from samestory.rows import RowBlock, RowFormat, RowNote, RowWriter, format_of, open_rows, row_writer
from samestory.rows.formats import compressed
from samestory.run import Progress, Run, fitted

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

HELP = "Write the rows that stay when duplicates are dropped, in the format and with the columns of the input."
EXAMPLE = "samestory dedup news.jsonl.gz -o unique.jsonl.gz --dropped dropped.jsonl"


def arguments(command: argparse.ArgumentParser) -> None:
    """Adds the options of the command."""
    add_inputs(command)
    command.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        help="write the rows to this file, in the format of its name: .jsonl, .csv, .tsv (also with .gz or .zst) or "
        ".parquet (default: standard output, in the format of the input)",
    )
    command.add_argument(
        "--keep",
        action="append",
        metavar="RULE",
        help=f"which of several rows stays: {', '.join(KEEP)}, or source:NAME for a preferred source; can be repeated "
        "(default: longest)",
    )
    command.add_argument(
        "--kinds",
        metavar="KINDS",
        help=f"drop rows only for these kinds of relations to the row that stays (default: {','.join(DROPPED_KINDS)})",
    )
    command.add_argument(
        "--annotate",
        action="store_true",
        help="write all rows, with the columns group, kind, representative and share",
    )
    command.add_argument(
        "--dropped", metavar="FILE", help="write id, reason, share and kept id of each dropped row to this file, as "
        "JSON lines"
    )  # fmt: skip
    add_as_is(command)
    add_detector(command)
    add_older(command, "older articles: rows that are duplicates of these are dropped too; none of them is written")
    add_within(command, "drop only rows published at most this many days (UTC) before or after the row that stays")
    add_threads(command)
    add_complaints(command)
    command.add_argument("--json", action="store_true", help="print the summary as a line of JSON, to standard error")


@dataclass(frozen=True)
class _File:
    """An input file with its format, and the numbers of its articles among the new ones."""

    path: str
    format: RowFormat
    first: int
    end: int


@dataclass
class _Job:
    """A finished first pass: what was read, and what is kept of it."""

    args: argparse.Namespace
    run: Run
    files: list[_File]
    found: KeptRows
    rows: int = field(default=0)
    """Rows written."""

    @property
    def first(self) -> int:
        """The number of the first new article."""
        return self.run.summary.earlier_articles

    @cached_property
    def is_kept(self) -> NDArray[np.bool_]:
        """Whether each article is kept."""
        return self.found.is_kept

    @cached_property
    def groups(self) -> NDArray[np.int64]:
        """The group of each new article."""
        return self.found.groups(self.first)

    def id(self, article: int) -> str:
        """The id of an article."""
        return self.run.corpus[article][0]

    def note(self, article: int) -> RowNote:
        """The columns with which an article is annotated."""
        group, kept = int(self.groups[article - self.first]), self.id(int(self.found.kept[article]))
        if self.is_kept[article]:
            return RowNote(group, None, kept, None)
        kind, share = KINDS[self.found.kinds[article]], round(float(self.found.shares[article]), 4)
        return RowNote(group, str(kind), kept, share)


def run(args: argparse.Namespace) -> int:
    """Runs the command."""
    options = DedupOptions.parse(args.keep or "longest", args.kinds, "--")
    check(args)
    formats = [_format(path, args.format) for path in args.files]
    output = format_of(args.output) if args.output else formats[0]
    if output.kind == "parquet" and not args.output:
        raise ParameterError("Parquet is not written to standard output", "write it to a file: -o FILE.parquet")
    if not args.output and output.codec:
        output = RowFormat(output.kind)
    with Outputs() as out:
        with progress([*args.against, *args.files], args.quiet) as tick:
            job = _read(args, formats, tick, out, options)
        with out.stream(args.output) as write, _writer(args, write, output, formats) as writer:
            for file in job.files:
                _copy(job, file, writer)
        if args.dropped:
            with out.stream(args.dropped) as write:
                for lines in _dropped(job):
                    write(lines)
        out.commit()
    _print_summary(job)
    return 0


def _format(path: str, kind: str | None) -> RowFormat:
    """The format of an input file."""
    if path != "-" and Path(path).is_dir():
        raise ParameterError(f"{path}: a folder of texts has no rows", "samestory find prints groups of its files")
    return format_of(path, kind)


@contextmanager
def _writer(
    args: argparse.Namespace, write: Callable[[bytes], object], output: RowFormat, formats: list[RowFormat]
) -> Iterator[RowWriter]:
    with compressed(write, output.codec) as packed:
        writer = row_writer(packed, output, formats, args.annotate)
        yield writer
        writer.close()


def _read(
    args: argparse.Namespace, formats: list[RowFormat], tick: Progress | None, out: Outputs, options: DedupOptions
) -> _Job:
    """Reads all files and selects the rows to keep."""
    run = new_run(args, tick, titles=False)
    keep_stdin(args, is_read_twice=True)
    files: list[_File] = []

    def read(run: Run) -> None:
        files.clear()
        _rewind(args)
        for path in args.against:
            run.read(path, args.format, args.encoding)
        run.age()
        for path, format in zip(args.files, formats, strict=True):
            first = run.corpus.new_articles
            run.read(path, format.kind, args.encoding)
            files.append(_File(path, format, first, run.corpus.new_articles))

    run = fitted(run, read)
    read(run)
    report(run.problems(), run.faults(), args, out)
    report_unmatched(args, run.unmatched())
    require_new_articles(run, args, out)
    return _Job(args, run, files, kept_rows(run, options))


def _rewind(args: argparse.Namespace) -> None:
    """Goes back to the beginning of standard input, which was copied to a file."""
    if "-" in (*args.against, *args.files):
        os.lseek(0, 0, os.SEEK_SET)


def _copy(job: _Job, file: _File, writer: RowWriter) -> None:
    """Writes the rows of a file that are kept, or all of them with annotations."""
    import numpy as np

    if file.first == file.end:
        return
    if file.path == "-":
        _rewind(job.args)
    source = open_rows(file.path, name(file.path), file.format, job.args.encoding, job.args.largest)
    writer.begin(source)
    first, end = job.first + file.first, job.first + file.end
    lines, is_kept = job.found.lines[first:end], job.is_kept[first:end]
    articles_seen = 0
    try:
        for block in source.blocks():
            numbers = np.asarray(block.numbers, np.uint64)
            places = np.minimum(np.searchsorted(lines, numbers), len(lines) - 1)
            is_article = lines[places] == numbers
            articles_seen += int(is_article.sum())
            if job.args.annotate:
                articles = np.where(is_article, places + first, -1).tolist()
                _write_annotated(job, writer, source, block, articles)
            else:
                wanted = (is_article & is_kept[places]).nonzero()[0].tolist()
                job.rows += len(wanted)
                writer.add(source, block if len(wanted) == len(numbers) else block.take(wanted), ())
    except InputError:
        if not any(fault in job.run.faults() for fault in LOSSES):
            raise  # it is not the damage that the first pass has reported
    if articles_seen != len(lines):
        raise InputError("the file has changed while it was read; nothing was written", place=name(file.path))


def _write_annotated(job: _Job, writer: RowWriter, source: Any, block: RowBlock, articles: list[int]) -> None:
    """Writes all rows that can be parsed; those that are no article have empty annotations."""
    wanted = [at for at, article in enumerate(articles) if article >= 0 or source.is_parsable(block, at)]
    notes = [RowNote() if articles[at] < 0 else job.note(articles[at]) for at in wanted]
    job.rows += len(wanted)
    if wanted:
        writer.add(source, block.take(wanted), notes)


#: Lines of --dropped that are written at a time.
_LINES_PER_WRITE = 4096


def _dropped(job: _Job) -> Iterator[bytes]:
    """Yields a line for each dropped row: the duplicates in the order of the input, then the rejected records."""
    lines = []
    for file in job.files:
        for article in range(job.first + file.first, job.first + file.end):
            if job.is_kept[article]:
                continue
            note = job.note(article)
            place = {"file": name(file.path), "line": int(job.found.lines[article])}
            why = {"reason": "duplicate", "kind": note.kind, "share": note.share, "kept": note.representative}
            lines.append(_line({"id": job.id(article), **why, **place}))
            if len(lines) == _LINES_PER_WRITE:
                yield b"".join(lines)
                lines.clear()
    older = {name(path) for path in job.args.against}
    for problem in job.run.problems():
        if not problem.kept and problem.fault not in LOSSES and problem.file not in older:
            why = {"reason": problem.fault, "kind": None, "share": None, "kept": None}
            lines.append(_line({"id": None, **why, "file": problem.file, "line": problem.line}))
    yield b"".join(lines)


def _line(row: Mapping[str, Any]) -> bytes:
    return json.dumps(row, ensure_ascii=False).encode() + b"\n"


def _print_summary(job: _Job) -> None:
    """Prints what was dropped and why."""
    summary, args = job.run.summary, job.args
    dropped = job.found.dropped(job.first)
    if args.json:
        problems = job.run.faults()
        numbers = {
            "records": summary.records,
            "articles": summary.articles,
            "written": job.rows,
            "dropped": sum(dropped.values()),
            "dropped_by_kind": dict(dropped),
            "rejected": summary.rejected,
            "problems": problems,
            "seconds": {step: round(seconds, 4) for step, seconds in summary.seconds.items()},
        }
        print(json.dumps(numbers), file=sys.stderr)
        return
    if args.quiet:
        return
    print(summarise(summary, grouped=False), file=sys.stderr)
    print(_dropped_text(dropped, summary.articles, job.rows, args.annotate), file=sys.stderr)


def _dropped_text(dropped: Counter[str], articles: int, rows: int, annotate: bool) -> str:
    """Summarises what was dropped.

    >>> _dropped_text(Counter(NEAR=2, PART_OF=1), 5, 2, False)
    '2 of 5 rows stay; 3 duplicates dropped: 2 × NEAR, 1 × PART_OF'
    """
    number = sum(dropped.values())
    kinds = ", ".join(f"{times:,} × {kind}" for kind, times in dropped.most_common())
    duplicates = count(number, "duplicate")
    if annotate:
        return f"{count(rows, 'row')} written, {duplicates} among them{f': {kinds}' if kinds else ''}"
    stay = "stays" if articles - number == 1 else "stay"
    return f"{articles - number:,} of {articles:,} rows {stay}; {duplicates} dropped{f': {kinds}' if kinds else ''}"
