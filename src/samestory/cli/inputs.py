"""The options that say what to read and how, the same for every command that reads articles."""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from queue import Empty, Queue
from types import EllipsisType

from samestory import _core
from samestory.cli.output import count, summarise
from samestory.detectors import Native, parse
from samestory.errors import InputError, ParameterError
from samestory.jobs import Progress, Run, check_days, fitted
from samestory.model import Article
from samestory.output import Outputs
from samestory.readers import ROLES, Problem, Source, name, read
from samestory.readers.pages import kind

#: So many messages about bad input are printed one by one; the rest are counted (and all are in --rejects).
MESSAGES = 20
#: So many problems of a kind are held in memory, where --rejects does not ask for all.
DETAILS = 300
#: Articles of a feed that are read before somebody wants them.
AHEAD = 1024
#: What came of a feed is not kept waiting for more longer than this, in seconds.
IDLE = 1.0
MOST_THREADS = 1024
MOST_BYTES = 2**40
FORMATS = ("jsonl", "csv", "tsv", "parquet", "text")


def add_inputs(command: argparse.ArgumentParser, files: str = "+") -> None:
    """The files and the options about them."""
    command.add_argument(
        "files", nargs=files, metavar="FILE", help="JSON Lines, CSV, TSV, Parquet, folder of text files, - for stdin"
    )
    add_reading(command)


def add_reading(command: argparse.ArgumentParser) -> None:
    """The options about files of articles."""
    reading = command.add_argument_group("reading")
    reading.add_argument(
        "--field",
        action="append",
        default=[],
        metavar="ROLE=NAME",
        help=f"read a role ({', '.join(ROLES)}) from the field of this name",
    )
    reading.add_argument("--format", choices=FORMATS, help="what the files hold (default: by their names)")
    reading.add_argument("--encoding", metavar="NAME", help="of the files, when it is not UTF-8: windows-1254, …")
    reading.add_argument(
        "--largest", type=int, default=_core.LARGEST, metavar="BYTES", help="refuse articles larger than this"
    )


def add_as_is(command: argparse.ArgumentParser) -> None:
    """The option that switches repairs off, for commands that compare articles or count their words."""
    command.add_argument(
        "--as-is",
        action="store_true",
        help="compare texts as they are: leave HTML entities, control characters, tags and scripts in them",
    )


def add_detector(command: argparse.ArgumentParser, also: str = "") -> None:
    """The option that names the detector; `also` says what else the default may be."""
    command.add_argument(
        "-d",
        "--detector",
        default="reuse",
        metavar="SPEC",
        help=f"detector and parameters, as in 'minhash(threshold=0.6)' (default: reuse{also})",
    )


def add_work(command: argparse.ArgumentParser, also: str = "") -> None:
    """The options of commands that relate articles; `also` as for the detector."""
    add_inputs(command)
    add_as_is(command)
    add_detector(command, also)
    command.add_argument(
        "--against",
        action="append",
        default=[],
        metavar="FILE",
        help="older articles: relate the new ones to these and to each other, but not these among themselves; "
        "a new article replaces an old one with its id",
    )
    command.add_argument(
        "--within",
        type=days,
        metavar="DAYS",
        help="relate no articles that were published more days (UTC) apart; those without a date have no limit",
    )
    add_threads(command)
    add_care(command)


def days(given: str) -> int:
    """A number of days, as `30` or `30d`.

    >>> days("30"), days("30d")
    (30, 30)
    """
    number = given.strip().lower().removesuffix("d").strip()
    if not number.removeprefix("-").isdecimal():
        raise argparse.ArgumentTypeError(f"a number of days is wanted, as 30 or 30d, got {given!r}")
    return int(number)


def add_threads(command: argparse.ArgumentParser) -> None:
    """The option about how much of the machine is used."""
    command.add_argument("--threads", type=int, default=0, metavar="N", help="use so many threads (default: all)")


def add_care(command: argparse.ArgumentParser) -> None:
    """The options about bad input and about what is said on the way."""
    command.add_argument("-o", "--output", metavar="FILE", help="write the result here instead of to standard output")
    add_complaints(command)


def add_complaints(command: argparse.ArgumentParser) -> None:
    """The same for commands that write elsewhere."""
    command.add_argument("--strict", action="store_true", help="stop at the first bad input, with exit 1")
    command.add_argument("--rejects", metavar="FILE", help="write everything refused or doubted here, as JSON lines")
    command.add_argument(
        "--quiet",
        action="store_true",
        help="no progress, no summary, no complaints about single inputs; errors are told",
    )


def fields(args: argparse.Namespace) -> dict[str, str]:
    """The user's names of fields."""
    out = {}
    for pair in args.field:
        role, equals, name = pair.partition("=")
        if not equals or not name:
            raise ParameterError(f"--field: ROLE=NAME is wanted, got {pair!r}")
        out[role] = name
    Source("", out)  # checks the roles
    return out


def native_detector(spec: str) -> Native:
    """The detector of a spec; the command line runs those of the native core."""
    detector = parse(spec)
    if not isinstance(detector, Native):
        raise ParameterError(f"{detector.name}: works in Python only", "use samestory.find(articles, detector)")
    return detector


def check(args: argparse.Namespace) -> None:
    """Refuses what cannot be done, before anything is."""
    check_threads(args)
    if args.within is not None:
        check_days("--within", args.within)
    paths = [*args.against, *args.files]
    check_files(args, paths)


def check_threads(args: argparse.Namespace) -> None:
    """Refuses a number of threads that cannot be."""
    if not 0 <= args.threads <= MOST_THREADS:
        raise ParameterError(f"--threads: 1 to {MOST_THREADS} are wanted, got {args.threads}")


def check_files(args: argparse.Namespace, paths: Sequence[str], also_read: Sequence[str] = ()) -> None:
    """Refuses files that cannot be, and to write over what is read."""
    if not 1 <= args.largest <= MOST_BYTES:
        raise ParameterError(f"--largest: 1 to {MOST_BYTES} bytes are wanted, got {args.largest}")
    inputs = [Path(path) for path in (*paths, *also_read) if path != "-"]
    if getattr(args, "decisions", None):
        inputs.append(Path(args.decisions))
    taken: dict[Path, str] = {}
    for option in ("output", "relations", "rejects", "stages", "site-filter"):
        path = getattr(args, option.replace("-", "_"), None)
        if path == "-":
            raise ParameterError(f"--{option}: a file is wanted; standard output is for the result")
        if path:
            check_output(option, Path(path), inputs, taken)
    given: dict[str | Path, str] = {}
    for path in paths:
        place = path if path == "-" else Path(path).resolve()
        if place in given:
            also = f" (as {given[place]} too)" if given[place] != path else ""
            raise ParameterError(f"{path} is given twice{also}")
        given[place] = path


def check_output(name: str, path: Path, inputs: Sequence[Path], taken: dict[Path, str]) -> None:
    """Refuses a place where nothing can be written, or where something would be lost."""
    place = path.resolve()
    if path.is_dir():
        raise ParameterError(f"--{name}: {path} is a folder; a file is wanted")
    if path.exists() and not path.is_file():
        return  # a pipe or device loses nothing
    if not place.parent.is_dir():
        raise InputError(f"--{name}: {path}: there is no folder to put it into")
    for each in inputs:
        if path.exists() and each.exists() and each.samefile(path):
            raise ParameterError(f"--{name}: {path} is one of the inputs")
        if each.is_dir() and place.is_relative_to(each.resolve()):
            raise ParameterError(f"--{name}: {path} lies in {each}, which is read")
    if place in taken:
        raise ParameterError(f"--{name}: {path} is also the file of --{taken[place]}")
    taken[place] = name


def new_run(args: argparse.Namespace, tick: Progress | None, titles: bool) -> Run:
    """A run with the settings of the arguments."""
    return Run(
        native_detector(args.detector),
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
    """Reads what the arguments name, tells what was wrong with it, and stops if that must be."""
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
    if not args.quiet:
        for role, own in run.unmatched().items():
            _unmatched(role, own)
    return with_news(run, args, out)


def with_news(run: Run, args: argparse.Namespace, out: Outputs) -> Run:
    """The run itself, if there is a new article in it."""
    if not run.corpus.new_articles:
        out.commit()
        run.count()
        if not args.quiet:
            print(summarise(run.summary, grouped=False), file=sys.stderr)
        raise nothing(args, run.summary.rejected)
    return run


def nothing(args: argparse.Namespace, refused: int) -> InputError:
    """What is said where no article is left to work on, so many having been refused."""
    hint = _pages_hint(args)
    if args.quiet and refused and not hint:
        hint = f"{count(refused, 'input')} refused; leave --quiet away to see why"
    return InputError("no new articles to work on" if args.against else "no articles to work on", hint)


def _pages_hint(args: argparse.Namespace) -> str:
    """Where the files are web pages, how they are read."""
    if getattr(args, "pages", False) or not any(kind(path) in ("page", "warc") for path in args.files):
        return ""
    if hasattr(args, "pages"):
        return "web pages are read with --pages"
    return f"samestory extract makes articles of web pages: samestory extract … | samestory {args.command} -"


def articles(args: argparse.Namespace, paths: Sequence[str]) -> Iterator[Article | Problem]:
    """The articles of files as objects, ids looked at across them; a file that cannot be read is a problem too."""
    return (item for item in arriving(args, paths) if not isinstance(item, EllipsisType))


def arriving(
    args: argparse.Namespace, paths: Sequence[str], again: bool = False
) -> Iterator[Article | Problem | EllipsisType]:
    """The same, and `...` where those before ought not to wait for those that follow: nothing comes for a while.

    With `again` an id that was read before is no problem but a new version, and ids are not remembered.
    """
    own, seen = fields(args), set[str]()
    for path in paths:
        items = read(Source(path, own, args.format, args.encoding, args.largest), seen, again)
        try:
            yield from items if Path(path).is_file() else _aside(items)
        except InputError as error:
            yield Problem(name(path), 0, "unreadable", str(error).removeprefix(f"{name(path)}: "))


def _aside(items: Iterator[Article | Problem]) -> Iterator[Article | Problem | EllipsisType]:
    """Reads in a thread of its own: a feed may be silent for long, and whoever waits for it must hear an interrupt."""
    ready: Queue[Article | Problem | BaseException | None] = Queue(AHEAD)

    def work() -> None:
        try:
            for item in items:
                ready.put(item)
            ready.put(None)
        except BaseException as error:  # told where somebody waits for it
            ready.put(error)

    threading.Thread(target=work, daemon=True).start()
    waits_until: float | None = time.monotonic() + IDLE
    while True:
        try:
            item = ready.get(timeout=None if waits_until is None else max(waits_until - time.monotonic(), 0.0))
        except Empty:
            waits_until = None
            yield ...
            continue
        if item is None:
            return
        if isinstance(item, BaseException):
            raise item
        if waits_until is None:
            waits_until = time.monotonic() + IDLE
        yield item


class Met:
    """The problems met on the way, told when all is read."""

    def __init__(self, args: argparse.Namespace, out: Outputs) -> None:
        self._args, self._out = args, out
        self._most = details(args)
        self._problems: list[Problem] = []
        self._faults: Counter[str] = Counter()
        self.refused: Counter[str] = Counter()
        self.doubted = 0

    def met(self, problems: Iterable[Problem]) -> None:
        """Notes problems; what is strict stops at the first."""
        for problem in problems:
            self._faults[problem.fault] += 1
            self.refused[problem.fault] += not problem.kept
            self.doubted += problem.kept
            if self._most is None or self._faults[problem.fault] <= self._most:
                self._problems.append(problem)
            if self._args.strict:
                self.finish()

    def finish(self) -> None:
        """Tells what was wrong, writes it down if asked, and stops if that must be."""
        report(self._problems, self._faults, self._args, self._out)


class Reading(Met):
    """Articles one after the other, for commands that look at each."""

    def __init__(self, args: argparse.Namespace, out: Outputs) -> None:
        super().__init__(args, out)
        self._fields = fields(args)
        self._matched: set[str] = set()
        self.articles = 0

    def each(self) -> Iterator[Article]:
        """The articles of the command."""
        for item in articles(self._args, self._args.files):
            if isinstance(item, Problem):
                self.met([item])
                continue
            self.articles += 1
            self._matched.update(role for role in self._fields if getattr(item, role))
            yield item

    def batches(self, size: int) -> Iterator[list[Article]]:
        """The same, so many at a time."""
        items = self.each()
        while batch := list(islice(items, size)):
            yield batch

    def finish(self) -> None:
        """The same; and which of the user's own fields nobody has."""
        super().finish()
        for role, own in self._fields.items() if not self._args.quiet else ():
            if role not in self._matched and role != "id":  # whoever has no id is named by its place
                _unmatched(role, own)


def _unmatched(role: str, own: str) -> None:
    print(f"samestory: --field {role}={own}: no record has a value under this name", file=sys.stderr)


def keep_stdin(args: argparse.Namespace) -> bool:
    """Makes standard input a file where it must be read twice: first to count words, then to weigh them."""
    if "-" not in (*args.against, *args.files) or native_detector(args.detector).fitted:
        return False
    with tempfile.TemporaryFile() as copy:
        shutil.copyfileobj(sys.stdin.buffer, copy)
        copy.flush()
        os.dup2(copy.fileno(), 0)
    return True


def details(args: argparse.Namespace) -> int | None:
    """How many problems of a kind are to be kept; none: all."""
    return None if args.rejects else DETAILS


def report(problems: Sequence[Problem], faults: Mapping[str, int], args: argparse.Namespace, out: Outputs) -> None:
    """Tells what was wrong with the input, writes it down if asked, and stops if that must be.

    `faults` says how many problems of each kind there were, of which some may not have been kept.
    """
    if args.strict or not args.quiet:
        tell(problems, faults, args.strict)
    if args.rejects:
        rows = (
            {"file": p.file, "line": p.line, "fault": p.fault, "detail": p.detail, "kept": p.kept} for p in problems
        )
        out.add(args.rejects, "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows).encode())
    if args.strict and problems:
        out.commit()
        raise InputError("stopped at the first bad input", "leave --strict away to go on with the rest")


def tell(problems: Sequence[Problem], faults: Mapping[str, int], strict: bool) -> None:
    """One message each, up to a limit; and how many of each kind were not told."""
    told = problems[: 1 if strict else MESSAGES]
    for problem in told:
        print(f"samestory: {problem}", file=sys.stderr)
    rest = Counter(faults)
    rest.subtract(problem.fault for problem in told)
    counted = ", ".join(f"{count} × {fault}" for fault, count in sorted(rest.items()) if count)
    if not strict and counted:
        print(f"samestory: … and {counted} (all of them: --rejects FILE)", file=sys.stderr)
