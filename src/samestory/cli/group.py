"""samestory group: relations, made here or elsewhere, to groups."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from pathlib import Path

from samestory.cli.find import add_choice, choice
from samestory.cli.output import undecided, write_out
from samestory.errors import InputError
from samestory.groups import group
from samestory.model import Article, Relation
from samestory.readers import Problem, read

HELP = "Group articles by their relations: relation lines in, group lines out."
EXAMPLE = "samestory relate news.jsonl | samestory group --articles news.jsonl > groups.jsonl"


def arguments(command: argparse.ArgumentParser) -> None:
    """The options of this command."""
    command.add_argument("file", nargs="?", default="-", metavar="RELATIONS", help="relation lines (default: stdin)")
    command.add_argument(
        "--articles",
        action="append",
        default=[],
        metavar="FILE",
        help="the articles: those without relations become groups of one, and representatives are chosen by policy",
    )
    add_choice(command)


def run(args: argparse.Namespace) -> int:
    """Runs it."""
    chosen = choice(args)
    articles: list[Article] = []
    for path in args.articles:
        for item in read(path):
            if isinstance(item, Problem):
                print(f"samestory: {item}", file=sys.stderr)
            else:
                articles.append(item)
    relations = list(_relations(args.file))
    groups = [g for g in group(relations, chosen, articles) if len(g.members) >= args.min_size]
    lines = (json.dumps(g.as_dict(n), ensure_ascii=False, separators=(",", ":")) for n, g in enumerate(groups, 1))
    write_out("".join(line + "\n" for line in lines).encode())
    ids = {a.id for a in articles}.union(*((r.left, r.right) for r in relations))
    if count := chosen.decisions.unknown(ids.__contains__):
        print(undecided(count), file=sys.stderr)
    return 0


def _relations(path: str) -> Iterator[Relation]:
    text = sys.stdin.buffer.read() if path == "-" else Path(path).read_bytes()
    for number, line in enumerate(text.split(b"\n"), 1):
        if not line.strip():
            continue
        try:
            yield Relation.of(json.loads(line))
        except (ValueError, RecursionError) as error:
            raise InputError(f"{path}:{number}: not a relation: {error}") from None
