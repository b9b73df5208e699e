"""samestory relate: files of news to relations."""

from __future__ import annotations

import argparse
import sys

from samestory.cli.corpora import add_by_day, in_memory, relation_lines, work
from samestory.cli.inputs import add_work, check, read_all
from samestory.cli.output import summarise
from samestory.cli.progress import progress
from samestory.output import Outputs

HELP = "Relate articles: one JSON line for every pair that is related."
EXAMPLE = "samestory relate news.jsonl -d 'reuse(threshold=0.7)' > relations.jsonl"


def arguments(command: argparse.ArgumentParser) -> None:
    """The options of this command."""
    add_work(command)
    add_by_day(command)


def run(args: argparse.Namespace) -> int:
    """Runs it."""
    check(args)
    if in_memory(args):
        return _by_corpus(args)
    with Outputs() as out:
        with progress([*args.against, *args.files], args.quiet) as tick:
            work = read_all(args, tick, out)
            found = work.relations()
        out.deliver(work.corpus.relation_lines(found, str(work.detector)), args.output)
        out.commit()
    if not args.quiet:
        print(summarise(work.summary, grouped=False), file=sys.stderr)
    return 0


def _by_corpus(args: argparse.Namespace) -> int:
    with Outputs() as out:
        with progress([*args.against, *args.files], args.quiet) as tick:
            worked = work(args, out, tick, None, relations=True)
        out.deliver(relation_lines(worked.relations), args.output)
        out.commit()
    if not args.quiet:
        print(worked.told(False), file=sys.stderr)
    return 0
