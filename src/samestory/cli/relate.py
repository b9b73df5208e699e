"""samestory relate: files of news to relations."""

from __future__ import annotations

import argparse
import sys

from samestory.cli.inputs import add_work, read_all
from samestory.cli.output import summarise, write_out

HELP = "Relate articles: one JSON line for every pair that is related."
EXAMPLE = "samestory relate news.jsonl -d 'reuse(form=False)' > relations.jsonl"


def arguments(command: argparse.ArgumentParser) -> None:
    """The options of this command."""
    add_work(command)


def run(args: argparse.Namespace) -> int:
    """Runs it."""
    work = read_all(args)
    found = work.relations()
    write_out(work.corpus.relation_lines(found, str(work.detector)))
    if not args.quiet:
        print(summarise(work.summary, grouped=False), file=sys.stderr)
    return 0
