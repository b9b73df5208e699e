"""Exit code 1 for input that is missing or breaks off, although the rest was read and the result written."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping

from samestory.errors import InputError
from samestory.output import printable
from samestory.readers import LOSSES, UNREADABLE, is_missing

#: Options that name the input of a command, and further files.
_INPUT, _MORE = ("files", "list"), ("against", "articles")


def add_allow_missing(command: argparse.ArgumentParser) -> None:
    """Adds the option for input files that may be missing."""
    command.add_argument(
        "--allow-missing", action="store_true", help="leave out input files that do not exist, instead of exit 1"
    )


def drop_missing(args: argparse.Namespace) -> None:
    """With --allow-missing, removes the input files that do not exist; raises InputError if none is left."""
    if not getattr(args, "allow_missing", False):
        return
    has_input = _has_input(args)
    for option in (*_INPUT, *_MORE):
        paths = getattr(args, option, None) or []
        missing = [path for path in paths if is_missing(path)]
        if missing:
            setattr(args, option, [path for path in paths if path not in missing])
        for path in missing if not args.quiet else ():
            print(printable(f"samestory: {path}: no such file or folder; left out"), file=sys.stderr)
    if has_input and not _has_input(args):
        raise InputError("none of the input files exists")


def _has_input(args: argparse.Namespace) -> bool:
    return any(getattr(args, option, None) for option in _INPUT)


def note_losses(args: argparse.Namespace, faults: Mapping[str, int]) -> None:
    """Remembers inputs that were not read to their end, for the exit code."""
    losses = getattr(args, "losses", {})
    args.losses = losses | {fault: faults[fault] for fault in LOSSES if faults.get(fault)}


def note_missing_fields(args: argparse.Namespace, number: int) -> None:
    """Remembers that so many fields of --field do not exist, for the exit code."""
    args.losses = getattr(args, "losses", {}) | {"missing field": number}


def print_losses(args: argparse.Namespace) -> int:
    """Prints which part of the input was not read, also with --quiet; returns the exit code."""
    losses: Mapping[str, int] = getattr(args, "losses", {})
    if not losses:
        return 0
    counted = ", ".join(f"{number:,} × {fault}" for fault, number in losses.items())
    print(f"samestory: not all input was read: {counted}", file=sys.stderr)
    if hasattr(args, "allow_missing") and UNREADABLE in losses:
        print("hint: files that may be missing are left out with --allow-missing", file=sys.stderr)
    return 1
