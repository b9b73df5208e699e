"""samestory decide: force two articles into one group, or keep them apart, in all later runs."""

from __future__ import annotations

import argparse

from samestory.groups import Decisions

HELP = "Decide that two articles are the same story, or are not; find and group read the file with --decisions."
EXAMPLE = "samestory decide decisions.jsonl apart en-market-1 en-market-2"


def arguments(command: argparse.ArgumentParser) -> None:
    """Adds the options of the command."""
    command.add_argument("file", metavar="FILE", help="the decisions; created if missing")
    command.add_argument("decision", choices=("same", "apart"))
    command.add_argument("left", metavar="ID")
    command.add_argument("right", metavar="ID")


def run(args: argparse.Namespace) -> int:
    """Runs the command."""
    Decisions.append(args.file, args.left, args.right, args.decision)
    return 0
