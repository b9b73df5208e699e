"""The command line: parse, call one library function, print. Data goes to stdout, everything else to stderr."""

from __future__ import annotations

import argparse
import io
import os
import signal
import stat
import sys
import threading
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NoReturn

from samestory._core import __version__
from samestory.cli.expanding import expand_inputs
from samestory.cli.load import load_modules
from samestory.cli.losses import drop_missing, print_losses
from samestory.cli.registry import COMMANDS, module
from samestory.errors import MissingExtraError, ParameterError, SamestoryError
from samestory.model import shown
from samestory.output import complete_streams, printable


def parser(commands: Sequence[str] = COMMANDS) -> argparse.ArgumentParser:
    """Builds the argument parser of some commands, or of all."""
    out = argparse.ArgumentParser(
        prog="samestory",
        description="Finds which news articles are the same story, and how they are related.",
        epilog="example: samestory find news.jsonl --table",
    )
    out.add_argument("--version", action="version", version=f"samestory {__version__}")
    every = out.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name in commands:
        about = module(name)
        command = every.add_parser(name, help=about.HELP, description=about.HELP, epilog=f"example: {about.EXAMPLE}")
        about.arguments(command)
    return out


def _stop(number: int, _: object) -> NoReturn:
    """Handles SIGTERM and SIGHUP like Ctrl+C; a second one does not interrupt the cleanup."""
    signal.signal(number, signal.SIG_IGN)
    # what is interrupted while it is built, such as an event loop, complains when it is discarded
    sys.unraisablehook = lambda _: None
    warnings.simplefilter("ignore")
    raise KeyboardInterrupt(number)


@contextmanager
def _stopped_by_signals() -> Iterator[None]:
    """Lets the default signals of service managers and closed terminals interrupt the command."""
    numbers = [number for name in ("SIGTERM", "SIGHUP") if (number := getattr(signal, name, None)) is not None]
    if threading.current_thread() is not threading.main_thread():
        numbers = []
    numbers = [number for number in numbers if signal.getsignal(number) is signal.SIG_DFL]
    hook = sys.unraisablehook
    for number in numbers:
        signal.signal(number, _stop)
    try:
        yield
    finally:
        for number in numbers:
            signal.signal(number, signal.SIG_DFL)
        sys.unraisablehook = hook


def _is_pipe() -> bool:
    """Returns whether standard output is a pipe."""
    try:
        return stat.S_ISFIFO(os.fstat(sys.stdout.fileno()).st_mode)
    except (OSError, ValueError):
        return False


def _discard_output() -> None:
    """Redirects standard output to /dev/null, so that Python does not flush into a closed or stalled pipe at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _message(error: object) -> str:
    """Formats an error, in which ids and paths of the input may occur."""
    return printable(f"samestory: {error}", one_line=False)


def _print_warning(message: Warning | str, *_: object, **__: object) -> None:
    """Prints a warning of the library like other messages, without its source location."""
    print(_message(message), file=sys.stderr)


def _reopen_closed_outputs() -> None:
    """Reopens stdout and stderr if the parent process closed them: Python sets them to None, and the next opened file
    would take their descriptor, so that messages would end up in the result."""
    if sys.stdout is None:
        sys.stdout = Path(os.devnull).open()  # noqa: SIM115 - read-only: a write fails visibly
    if sys.stderr is None:
        sys.stderr = Path(os.devnull).open("w")  # noqa: SIM115 - open until exit


def main(argv: Sequence[str] | None = None) -> int:
    """Runs one command.

    Exit codes: 0 all input was read and all output written; 1 something was not, or there was nothing to do; 2 misused,
    or an optional library is not installed;
    130 interrupted, 141 the reader of the output has closed it.
    """
    _reopen_closed_outputs()
    with _stopped_by_signals(), complete_streams():
        return _run(sys.argv[1:] if argv is None else list(argv))


def _parsed(words: list[str]) -> argparse.Namespace:
    # importing all commands takes longer than most of them run
    try:
        return parser(words[:1] if words[:1] and words[0] in COMMANDS else COMMANDS).parse_args(words)
    except SystemExit:
        sys.stdout.flush()  # help that is not printed is an error
        raise


def _run(words: list[str]) -> int:
    """Runs a command; prints its error, if any, and returns the exit code."""
    try:
        args = _parsed(words)
        with warnings.catch_warnings():
            warnings.showwarning = _print_warning
            if getattr(args, "quiet", False):
                warnings.simplefilter("ignore")
            expand_inputs(args)
            drop_missing(args)
            load_modules(args)
            code = int(module(args.command).run(args))
        sys.stdout.flush()
        return code or print_losses(args)
    except (ParameterError, MissingExtraError) as error:
        print(_message(error), file=sys.stderr)
        return 2
    except SamestoryError as error:
        print(_message(error), file=sys.stderr)
        return 1
    except UnicodeEncodeError as error:  # texts of files are checked when they are read
        print(f"samestory: an argument is not UTF-8: {shown(error.object)}", file=sys.stderr)
        return 2
    except KeyboardInterrupt as stopped:
        if _is_pipe():
            _discard_output()
        print("samestory: interrupted; output files are complete or absent", file=sys.stderr)
        return 128 + (stopped.args[0] if stopped.args else signal.SIGINT)
    except BrokenPipeError:
        _discard_output()
        return 128 + signal.SIGPIPE
    except io.UnsupportedOperation:
        print("samestory: standard output is closed\nhint: write the result to a file: -o FILE", file=sys.stderr)
        return 1
    except OSError as error:
        print(_message(f"{error.filename or 'output'}: {error.strerror or error}"), file=sys.stderr)
        return 1
