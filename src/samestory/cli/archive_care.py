"""The parts of `samestory index` that keep an archive safe: backup, restore, check."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from samestory.cli.progress import progress
from samestory.cli.summary import count
from samestory.output import printable, write_out

if TYPE_CHECKING:
    from samestory.archive import Archive
    from samestory.archive.renumbering import RebuildPreview


def backup(args: argparse.Namespace) -> None:
    """Copies the database into a file."""
    from samestory.archive import Archive

    with Archive.open(args.database, create=False) as archive:
        archive.backup(args.file)


def restore(args: argparse.Namespace) -> None:
    """Creates a database from a backup, and prints what it has."""
    from samestory.archive import Archive

    rows = Archive.restore(args.file, args.database)
    with Archive.open(args.database, create=False) as archive:
        stats = archive.stats()
    found = (
        count(rows["articles"], "article"),
        count(stats["stories"], "story", "stories"),
        count(rows["decisions"], "decision"),
    )
    newest = f", the newest of {stats['newest'][:10]}" if stats["newest"] else ""
    print(f"samestory: restored {', '.join(found)}{newest}; verified: {args.database}", file=sys.stderr)


def copy(args: argparse.Namespace) -> None:
    """Copies the database to another place, and prints what was copied."""
    from samestory.archive.copy import copy

    with progress(None, False) as tick:
        done: Callable[[int, int], None] | None = tick and (lambda rows, total: tick("copying", rows, total, rows))
        rows = copy(args.database, args.target, done)
    found = count(rows["articles"], "article"), count(rows["decisions"], "decision")
    print(f"samestory: copied {', '.join(found)}; verified: {printable(args.target)}", file=sys.stderr)


def preview_expiry(archive: Archive, before: datetime | timedelta, force: bool, share: float) -> int:
    """Prints what an expiry would delete; returns 1 if it would be refused."""
    found, doubt = archive.preview_expiry(before), None if force else archive.expiry_doubt(before, share)
    days = f", published {found.oldest:%Y-%m-%d} to {found.newest:%Y-%m-%d}" if found.oldest and found.newest else ""
    print(f"samestory: {count(found.articles, 'article')} would be deleted{days}", file=sys.stderr)
    if doubt:
        print(f"samestory: it would be refused without --force: {doubt}", file=sys.stderr)
    return 1 if doubt else 0


def previewed_rebuild(found: RebuildPreview) -> str:
    """Formats what a rebuild would change."""
    stories = f"{count(found.new_stories, 'story', 'stories')} instead of {found.stories:,}"
    return f"samestory: {stories}; {found.moved:,} of {count(found.articles, 'article')} would be in another story"


def check(args: argparse.Namespace) -> int:
    """Prints the damage of a database, a line each; returns 1 if any is left."""
    from samestory.archive.check import check

    report = check(args.database, args.repair)
    write_out("".join(f"{printable(str(damage))}\n" for damage in report.damages).encode())
    checked = f"{count(report.articles, 'article')} and {count(report.relations, 'relation')} checked"
    if not report.damages:
        result = "no damage"
    elif report.is_sound:
        result = "all damage repaired"
    elif not args.repair and all(damage.repair for damage in report.damages):
        result = "damaged; samestory index check --repair recomputes it from the texts"
    else:
        result = "damaged; restore the parts that cannot be repaired from a backup"
    print(f"samestory: {checked}: {result}", file=sys.stderr)
    if report.unchecked:
        old = f"{count(report.unchecked, 'row')} of an older samestory without a checksum"
        print(f"samestory: {old}; samestory index check --repair adds them", file=sys.stderr)
    return 0 if report.is_sound else 1
