"""The command line: parse, call one library function, print. Data on standard output, everything else on stderr."""

from __future__ import annotations

import argparse
import importlib
import io
import os
import signal
import stat
import sys
import threading
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NoReturn

from samestory._core import __version__
from samestory.errors import ParameterError, SamestoryError

#: Every command; each has a module with `HELP`, `EXAMPLE`, `arguments` and `run`.
COMMANDS = (
    *("extract", "find", "relate", "fit", "group", "explain", "entities", "decide"),
    *("index", "follow", "collection", "evaluate", "tune", "audit", "tag", "train-extractor", "fit-r"),
    *("show", "portal", "judge", "reproduce", "detectors", "measures", "gazetteers"),
)


def module(command: str) -> Any:
    """The module of a command."""
    return importlib.import_module(f"samestory.cli.{command.replace('-', '_')}")


def parser(commands: Sequence[str] = COMMANDS) -> argparse.ArgumentParser:
    """The parser of some commands, or of all."""
    out = argparse.ArgumentParser(
        prog="samestory",
        description="Tells which news articles are the same story, and how.",
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
    """Whoever ends us politely gets the same order as somebody at the keyboard."""
    raise KeyboardInterrupt(number)


def _is_pipe() -> bool:
    """Does somebody else read our output, or ought to?"""
    try:
        return stat.S_ISFIFO(os.fstat(sys.stdout.fileno()).st_mode)
    except (OSError, ValueError):
        return False


def _let_go_of_output() -> None:
    """Whoever read our output has seen enough, or will never read it: Python must not wait for them at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _tell(message: Warning | str, *_: object, **__: object) -> None:
    """What the library warns of, as the command says things: without the place in its code."""
    print(f"samestory: {message}", file=sys.stderr)


def _open_what_is_closed() -> None:
    """Gives us outputs where whoever started us has closed them: Python has None in their place, so that messages would
    go to the result, and the next file that is opened would take their number."""
    if sys.stdout is None:
        sys.stdout = Path(os.devnull).open()  # noqa: SIM115 - open to be read: who tries to write hears of it
    if sys.stderr is None:
        sys.stderr = Path(os.devnull).open("w")  # noqa: SIM115 - open as long as we run


def main(argv: Sequence[str] | None = None) -> int:
    """Runs one command. 0: done; 1: failed; 2: misused; 130: interrupted."""
    _open_what_is_closed()
    words = sys.argv[1:] if argv is None else list(argv)
    # to load all commands takes longer than most of them work
    args = parser(words[:1] if words[:1] and words[0] in COMMANDS else COMMANDS).parse_args(words)
    if threading.current_thread() is threading.main_thread():
        for number in (signal.SIGTERM, signal.SIGHUP):
            if signal.getsignal(number) is signal.SIG_DFL:
                signal.signal(number, _stop)
    try:
        with warnings.catch_warnings():
            warnings.showwarning = _tell
            if getattr(args, "quiet", False):
                warnings.simplefilter("ignore")
            return int(module(args.command).run(args))
    except ParameterError as error:
        print(f"samestory: {error}", file=sys.stderr)
        return 2
    except SamestoryError as error:
        print(f"samestory: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt as stopped:
        if _is_pipe():
            _let_go_of_output()
        print("samestory: interrupted; every file is whole or not there", file=sys.stderr)
        return 128 + (stopped.args[0] if stopped.args else signal.SIGINT)
    except BrokenPipeError:
        _let_go_of_output()
        return 128 + signal.SIGPIPE
    except io.UnsupportedOperation:
        print("samestory: standard output is closed\nhint: write the result to a file: -o FILE", file=sys.stderr)
        return 1
    except OSError as error:
        print(f"samestory: {error.filename or 'output'}: {error.strerror or error}", file=sys.stderr)
        return 1
