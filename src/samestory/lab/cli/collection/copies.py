"""Steps of `samestory collection` that keep it safe: backup, restore, verify."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from samestory.cli.summary import count
from samestory.lab.cli.collection.common import opened, print_message
from samestory.output import printable, write_out

if TYPE_CHECKING:
    from samestory.lab.collection.copies import Contents


def backup(args: argparse.Namespace) -> None:
    """Copies the collection into a file."""
    from samestory.lab.collection.copies import backup

    with opened(args) as collection:
        print_message(f"{_shown(backup(collection, args.file))} in {args.file}; verified")


def restore(args: argparse.Namespace) -> None:
    """Creates a collection from a backup."""
    from samestory.lab.collection.copies import restore_collection

    print_message(f"{_shown(restore_collection(args.file, args.collection))} restored to {args.collection}; verified")


def verify(args: argparse.Namespace) -> int:
    """Prints what a collection or a backup has, and its faults, a line each; returns 1 if there are any."""
    from samestory.lab.collection.copies import verify_collection

    contents, faults = verify_collection(args.collection)
    write_out("".join(f"{printable(fault)}\n" for fault in faults).encode())
    print_message(f"{args.collection}: {_shown(contents)}; {'damaged' if faults else 'no damage'}")
    return 1 if faults else 0


def _shown(contents: Contents) -> str:
    return ", ".join(
        (
            count(contents.articles, "article"),
            count(contents.items, "item"),
            count(contents.assessors, "assessor"),
            count(contents.answers, "answer"),
        )
    )
