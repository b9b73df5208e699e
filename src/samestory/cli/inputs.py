"""Input options and reading, shared by every command that reads articles."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from types import EllipsisType

from samestory import _core
from samestory.cli.field_names import field_names
from samestory.cli.losses import add_allow_missing, note_missing_fields
from samestory.cli.reading_ahead import read_ahead
from samestory.cli.rejected import ProblemLog, details, report
from samestory.cli.summary import summarise
from samestory.detectors import parse
from samestory.errors import InputError, ParameterError
from samestory.jobs import check_days
from samestory.model import Article
from samestory.output import Outputs, printable
from samestory.readers import ROLES, Problem, Source, name, read
from samestory.readers.pages import kind
from samestory.run import Progress, Run, fitted

#: Field names that a message lists.
MAX_NAMES = 50
MAX_THREADS = 1024
MAX_ARTICLE_BYTES = 2**40
FORMATS = ("jsonl", "csv", "tsv", "parquet", "text")


def add_inputs(command: argparse.ArgumentParser, files: str = "+") -> None:
    """Adds the input files and their options."""
    command.add_argument(
        "files", nargs=files, metavar="FILE", help="JSON Lines, CSV, TSV, Parquet, folder of text files, - for stdin"
    )
    add_reading(command)


def add_reading(command: argparse.ArgumentParser) -> None:
    """Adds the options for reading articles."""
    reading = command.add_argument_group("reading")
    reading.add_argument(
        "--field",
        action="append",
        default=[],
        metavar="ROLE=NAME",
        help=f"read a role ({', '.join(ROLES)}) from the field of this name",
    )
    reading.add_argument("--format", choices=FORMATS, help="format of the files (default: by file name)")
    reading.add_argument("--encoding", metavar="NAME", help="encoding of the files, if not UTF-8: windows-1254, …")
    reading.add_argument(
        "--largest", type=int, default=_core.LARGEST, metavar="BYTES", help="reject articles larger than this"
    )


def add_as_is(command: argparse.ArgumentParser) -> None:
    """Adds the option that disables text repair, for commands that compare articles or count their words."""
    command.add_argument(
        "--as-is",
        action="store_true",
        help="do not repair texts: keep HTML entities, control characters, tags and scripts",
    )


def add_detector(command: argparse.ArgumentParser, also: str = "") -> None:
    """Adds the detector option; `also` is appended to the default in its help."""
    command.add_argument(
        "-d",
        "--detector",
        default="reuse",
        metavar="SPEC",
        help=f"detector and parameters, as in 'minhash(threshold=0.6)' (default: reuse{also})",
    )


def add_work(command: argparse.ArgumentParser, also: str = "") -> None:
    """Adds the options of commands that relate articles; `also` as in `add_detector`."""
    add_inputs(command)
    add_as_is(command)
    add_detector(command, also)
    add_older(
        command,
        "older articles: new articles are related to these and to each other, old ones not among themselves; "
        "a new article replaces an old one with the same id",
    )
    add_within(
        command, "relate only articles published at most this many days (UTC) apart; undated articles have no limit"
    )
    add_threads(command)
    add_care(command)


def add_older(command: argparse.ArgumentParser, help: str) -> None:
    """Adds the option for older articles."""
    command.add_argument("--against", action="append", default=[], metavar="FILE", help=help)


def add_within(command: argparse.ArgumentParser, help: str) -> None:
    """Adds the option for the days between related articles."""
    command.add_argument("--within", type=days, metavar="DAYS", help=help)


def days(given: str) -> int:
    """Parses a number of days, `30` or `30d`.

    >>> days("30"), days("30d")
    (30, 30)
    """
    number = given.strip().lower().removesuffix("d").strip()
    if not number.removeprefix("-").isdecimal():
        raise argparse.ArgumentTypeError(f"expected a number of days such as 30 or 30d, got {given!r}")
    return int(number)


def add_threads(command: argparse.ArgumentParser) -> None:
    """Adds the option for the number of threads."""
    command.add_argument(
        "--threads", type=int, default=0, metavar="N", help="number of threads (default: all processors)"
    )


def add_care(command: argparse.ArgumentParser) -> None:
    """Adds the options for the output file, bad input and messages."""
    command.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        help="write the result to this file, in the format of its name (default: standard output)",
    )
    add_complaints(command)


def add_complaints(command: argparse.ArgumentParser) -> None:
    """Adds the options for bad input and messages."""
    add_allow_missing(command)
    command.add_argument("--strict", action="store_true", help="stop at the first bad input, with exit 1")
    command.add_argument(
        "--rejects", metavar="FILE", help="write rejected and doubtful records to this file, as JSON lines"
    )
    command.add_argument(
        "--quiet",
        action="store_true",
        help="print errors and the number of rejected records only: no progress, summary or messages about single "
        "inputs",
    )


def fields(args: argparse.Namespace) -> dict[str, str]:
    """Returns the user-defined field names by role."""
    out = {}
    for pair in args.field:
        role, equals, name = pair.partition("=")
        if not equals or not name:
            raise ParameterError(f"--field: expected ROLE=NAME, got {pair!r}")
        out[role] = name
    Source("", out)  # checks the roles
    return out


def check(args: argparse.Namespace) -> None:
    """Validates the arguments before any work is done."""
    check_threads(args)
    if args.within is not None:
        check_days("--within", args.within)
    paths = [*args.against, *args.files]
    check_files(args, paths)


def check_threads(args: argparse.Namespace) -> None:
    """Validates the number of threads."""
    if not 0 <= args.threads <= MAX_THREADS:
        raise ParameterError(f"--threads: expected 1 to {MAX_THREADS}, got {args.threads}")


def check_files(args: argparse.Namespace, paths: Sequence[str], also_read: Sequence[str] = ()) -> None:
    """Validates input and output files: no duplicates, and no output over an input."""
    if not 1 <= args.largest <= MAX_ARTICLE_BYTES:
        raise ParameterError(f"--largest: expected 1 to {MAX_ARTICLE_BYTES} bytes, got {args.largest}")
    inputs = [Path(path) for path in (*paths, *also_read) if path != "-"]
    if getattr(args, "decisions", None):
        inputs.append(Path(args.decisions))
    taken: dict[Path, str] = {}
    for option in ("output", "relations", "rejects", "stages", "site-filter", "dropped"):
        path = getattr(args, option.replace("-", "_"), None)
        if path == "-":
            raise ParameterError(f"--{option}: expected a file; standard output is used for the result")
        if path:
            check_output(option, Path(path), inputs, taken)
    given: dict[str | Path, str] = {}
    for path in paths:
        place = path if path == "-" else Path(path).resolve()
        if place in given:
            also = f" (also as {given[place]})" if given[place] != path else ""
            raise ParameterError(f"{path} is specified twice{also}")
        given[place] = path


def check_output(name: str, path: Path, inputs: Sequence[Path], taken: dict[Path, str]) -> None:
    """Rejects an output path that cannot be written, or that would overwrite an input or another output."""
    place = path.resolve()
    if path.is_dir():
        raise ParameterError(f"--{name}: {path} is a folder; expected a file")
    if path.exists() and not path.is_file():
        return  # a pipe or device loses nothing
    if not place.parent.is_dir():
        raise InputError(f"--{name}: {path}: the folder does not exist")
    for each in inputs:
        if path.exists() and each.exists() and each.samefile(path):
            raise ParameterError(f"--{name}: {path} is one of the inputs")
        if each.is_dir() and place.is_relative_to(each.resolve()):
            raise ParameterError(f"--{name}: {path} is inside the input folder {each}")
    if place in taken:
        raise ParameterError(f"--{name}: {path} is also the file of --{taken[place]}")
    taken[place] = name


def new_run(args: argparse.Namespace, tick: Progress | None, titles: bool) -> Run:
    """Creates a run with the settings of the arguments."""
    return Run(
        parse(args.detector),
        threads=args.threads,
        largest=args.largest,
        titles=titles,
        strict=args.strict,
        details=details(args),
        fields=fields(args),
        progress=tick,
        as_is=args.as_is,
        within=args.within,
    )


def read_all(args: argparse.Namespace, tick: Progress | None, out: Outputs, titles: bool = False) -> Run:
    """Reads the files of the arguments into a run and reports problems; raises InputError if it cannot go on."""
    run = new_run(args, tick, titles)
    kept = keep_stdin(args)

    def read(run: Run) -> None:
        if kept:
            os.lseek(0, 0, os.SEEK_SET)
        for path in args.against:
            run.read(path, args.format, args.encoding)
        run.age()
        for path in args.files:
            run.read(path, args.format, args.encoding)

    run = fitted(run, read)
    read(run)
    report(run.problems(), run.faults(), args, out)
    report_unmatched(args, run.unmatched())
    return require_new_articles(run, args, out)


def require_new_articles(run: Run, args: argparse.Namespace, out: Outputs) -> Run:
    """Returns the run; raises InputError if it has no new article."""
    if not run.corpus.new_articles:
        out.commit()
        run.count()
        if not args.quiet:
            print(summarise(run.summary, grouped=False), file=sys.stderr)
        raise no_articles_error(args)
    return run


def no_articles_error(args: argparse.Namespace) -> InputError:
    """Builds the error for a run without articles."""
    return InputError("no new articles" if args.against else "no articles", _pages_hint(args))


def _pages_hint(args: argparse.Namespace) -> str:
    """Returns how to read web pages, if the files are web pages."""
    if getattr(args, "pages", False) or not any(kind(path) in ("page", "warc") for path in args.files):
        return ""
    if hasattr(args, "pages"):
        return "read web pages with --pages"
    return f"extract articles from web pages first: samestory extract … | samestory {args.command} -"


def articles(args: argparse.Namespace, paths: Sequence[str]) -> Iterator[Article | Problem]:
    """Yields the articles and problems of files; ids are unique across files, and an unreadable file is a problem."""
    return (item for item in read_items(args, paths) if not isinstance(item, EllipsisType))


def read_items(
    args: argparse.Namespace, paths: Sequence[str], allow_repeated_ids: bool = False
) -> Iterator[Article | Problem | EllipsisType]:
    """Yields articles and problems, and `...` when a stream is idle and the items so far should be processed.

    With `allow_repeated_ids`, a repeated id is a new version instead of a problem, and ids are not remembered.
    """
    own, seen = fields(args), set[str]()
    for path in paths:
        items = read(
            Source(path, own, args.format, args.encoding, args.largest),
            known_ids=seen,
            allow_repeated_ids=allow_repeated_ids,
        )
        try:
            yield from items if Path(path).is_file() else read_ahead(items)
        except InputError as error:
            yield Problem(name(path), 0, "unreadable", error.without_place)


class ArticleReader(ProblemLog):
    """Reads articles one at a time, for commands that process each as an object."""

    def __init__(self, args: argparse.Namespace, out: Outputs) -> None:
        super().__init__(args, out)
        self._fields = fields(args)
        self._matched: set[str] = set()
        self.articles = 0

    def each(self) -> Iterator[Article]:
        """Yields the articles of the command's files."""
        for item in articles(self._args, self._args.files):
            if isinstance(item, Problem):
                self.note([item])
                continue
            self.articles += 1
            self._matched.update(role for role in self._fields if getattr(item, role))
            yield item

    def batches(self, size: int) -> Iterator[list[Article]]:
        """Yields the articles in batches."""
        items = self.each()
        while batch := list(islice(items, size)):
            yield batch

    def finish(self) -> None:
        """Reports the problems, and user-defined fields that no record has."""
        super().finish()
        # records without an id get one from their location
        unmatched = {r: own for r, own in self._fields.items() if r not in self._matched and r != "id"}
        report_unmatched(self._args, unmatched)


def report_unmatched(args: argparse.Namespace, unmatched: Mapping[str, str]) -> None:
    """Prints the names of --field under which no record has a value; a name that is no field at all is an error."""
    if not unmatched:
        return
    files = ((path, field_names(path, args.format, args.encoding)) for path in args.files if path != "-")
    first, there = next((each for each in files if each[1]), ("", []))
    wrong = {role: own for role, own in unmatched.items() if there and own not in there}
    for role, own in unmatched.items():
        if role in wrong:
            print(printable(f"samestory: --field {role}={own}: no record has this field"), file=sys.stderr)
        elif not args.quiet:
            print(printable(f"samestory: --field {role}={own}: no record has a value under this name"), file=sys.stderr)
    if wrong:
        names = ", ".join(map(printable, there[:MAX_NAMES]))
        print(f"hint: the fields of {printable(first)} are {names}", file=sys.stderr)
        note_missing_fields(args, len(wrong))


def keep_stdin(args: argparse.Namespace, is_read_twice: bool = False) -> bool:
    """Copies standard input to a file if it is read twice, for instance to count words, then to weigh them."""
    if "-" not in (*args.against, *args.files) or (parse(args.detector).fitted and not is_read_twice):
        return False
    import shutil
    import tempfile

    with tempfile.TemporaryFile() as copy:
        shutil.copyfileobj(sys.stdin.buffer, copy)
        copy.flush()
        os.dup2(copy.fileno(), 0)
    return True
