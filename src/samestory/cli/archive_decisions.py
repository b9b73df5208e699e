"""The parts of `samestory index` for the decisions of editors: decide, decisions, undo."""

from __future__ import annotations

import argparse
import json
import sys
from typing import TYPE_CHECKING, Any

from samestory.errors import ParameterError
from samestory.groups.decisions import APART, JOIN, MOVE, SAME, SPLIT, UNDO
from samestory.output import printable, write_out

if TYPE_CHECKING:
    from samestory.archive import Archive, Decision, DecisionEntry, DecisionPreview
    from samestory.stream import Change

#: Articles of a story that a preview names.
MAX_NAMED_ARTICLES = 10


def add_arguments(
    decide: argparse.ArgumentParser, decisions: argparse.ArgumentParser, undo: argparse.ArgumentParser
) -> None:
    """Adds the options of the three commands."""
    decide.add_argument(
        "decision",
        choices=(SAME, APART, "forget", MOVE, SPLIT, JOIN),
        help="same, apart: two articles are, or are not, the same story; forget deletes that decision; "
        "move: articles and their identical copies leave their story; split: only these articles leave it; "
        "join: stories become one",
    )
    decide.add_argument("items", nargs="+", metavar="ID", help="ids of articles; for join, numbers of stories")
    undo.add_argument("number", type=int, metavar="NUMBER", help="of the decision, as printed by index decisions")
    for command in (decide, undo):
        command.add_argument("--why", default="", metavar="TEXT", help="the reason, for the log")
        command.add_argument("--who", metavar="NAME", help="who decides (default: the user of the system)")
        command.add_argument("--preview", action="store_true", help="print what will be where, and change nothing")
    decisions.add_argument("--story", type=int, metavar="NUMBER", help="only those about articles of this story")
    decisions.add_argument("--limit", type=int, default=100, metavar="COUNT", help="the last ones (100)")
    decisions.add_argument("--before", type=int, metavar="NUMBER", help="only those before this one")


def decide(archive: Archive, args: argparse.Namespace) -> None:
    """Makes a decision, and prints the changes to stories."""
    from samestory.archive import Decision

    if args.decision in (SAME, APART, "forget") and len(args.items) != 2:
        raise ParameterError(f"{args.decision}: expected two articles, got {len(args.items)}")
    if args.decision == JOIN:
        if wrong := [item for item in args.items if not (item.isascii() and item.isdigit())]:
            raise ParameterError(f"join: expected the number of a story, got {wrong[0]!r}")
        decision = Decision(JOIN, stories=tuple(int(item) for item in args.items))
    elif args.decision == "forget":
        if args.preview:
            raise ParameterError("--preview: not with forget", "samestory index undo DB NUMBER --preview")
        _print_changes(archive.decide(args.items[0], args.items[1], None, args.who, args.why))
        return
    else:
        decision = Decision(args.decision, tuple(args.items))
    _apply(archive, decision, args)


def undo(archive: Archive, args: argparse.Namespace) -> None:
    """Undoes a decision, and prints the changes to stories."""
    from samestory.archive import Decision

    _apply(archive, Decision(UNDO, number=args.number), args)


def decisions(archive: Archive, args: argparse.Namespace) -> None:
    """Prints the log of decisions, the newest first, as JSON lines."""
    if args.limit < 1:
        raise ParameterError(f"--limit: must be at least 1, got {args.limit}")
    rows = archive.decisions(args.story, args.limit, args.before)
    write_out("".join(f"{json.dumps(entry_row(row), ensure_ascii=False)}\n" for row in rows).encode())


def entry_row(entry: DecisionEntry) -> dict[str, Any]:
    """Returns a log entry as a JSON object."""
    from samestory.archive.stored import iso_time

    return {
        "number": entry.number,
        "decision": entry.what,
        "summary": str(entry),
        "who": entry.who,
        "at": iso_time(entry.at),
        "why": entry.why,
        "articles": [list(side) for side in entry.sides],
        "opened": entry.story,
        "undoes": entry.undoes,
        "undone_by": entry.undone_by,
    }


def _apply(archive: Archive, decision: Decision, args: argparse.Namespace) -> None:
    if args.preview:
        _print_preview(archive.preview(decision))
        return
    made = archive.apply(decision, args.who, args.why)
    _print_changes(made.changes)
    in_force = "in force already" if made.number is None else f"decision {made.number}"
    print(f"samestory: {in_force}", file=sys.stderr)


def _print_changes(changes: list[Change]) -> None:
    for change in changes:
        print(printable(str(change)))


def _print_preview(preview: DecisionPreview) -> None:
    moved = {move.article: move.before for move in preview.moves}
    for story in preview.stories:
        named = [f"{id} (from {moved[id]})" if id in moved else id for id in story.articles[:MAX_NAMED_ARTICLES]]
        more = len(story.articles) - len(named)
        new = " (new)" if story.is_new else ""
        print(printable(f"story {story.number}{new}: {', '.join(named)}{f' and {more:,} more' if more else ''}"))
    for number in preview.vanished:
        print(f"story {number}: no longer exists")
    if not preview.moves:
        print("no article moves")
