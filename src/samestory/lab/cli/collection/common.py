"""What all steps of `samestory collection` need."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from samestory.errors import InputError
from samestory.output import printable

if TYPE_CHECKING:
    from samestory.lab.collection import Collection


def opened(args: argparse.Namespace) -> Collection:
    """Opens the collection; imported here, so that other commands start faster."""
    from samestory.lab.collection import Collection

    return Collection.open(args.collection)


def print_message(text: str) -> None:
    """Prints a message to stderr."""
    print(f"samestory: {printable(text)}", file=sys.stderr)


def report_broken(broken: list[str], has_valid: bool) -> None:
    """Prints lines that could not be imported; raises InputError if none could."""
    for each in broken:
        print_message(each)
    if broken and not has_valid:
        raise InputError("no line could be imported")
