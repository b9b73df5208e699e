"""samestory decide: force two articles together, or keep them apart, for all runs to come."""

from __future__ import annotations

import argparse

from samestory.groups import Decisions

HELP = "Decide that two articles are the same story, or are not; find and group take the file with --decisions."
EXAMPLE = "samestory decide decisions.jsonl apart en-market-1 en-market-2"


def arguments(command: argparse.ArgumentParser) -> None:
    """The options of this command."""
    command.add_argument("file", metavar="FILE", help="of decisions; made if it is not there")
    command.add_argument("decision", choices=("same", "apart"))
    command.add_argument("left", metavar="ID")
    command.add_argument("right", metavar="ID")


def run(args: argparse.Namespace) -> int:
    """Runs it."""
    Decisions.append(args.file, args.left, args.right, args.decision)
    return 0
