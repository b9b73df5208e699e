"""samestory group: groups articles by relations from samestory or elsewhere."""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from samestory.cli.find import add_grouping_arguments, grouping_options
from samestory.cli.inputs import add_care, add_reading, check_files
from samestory.cli.inputs import articles as read_articles
from samestory.cli.rejected import details, report
from samestory.cli.result_files import GROUP_COLUMNS, check_result, formatted
from samestory.cli.summary import count, undecided
from samestory.errors import InputError
from samestory.groups import group
from samestory.model import Article, Relation
from samestory.output import Outputs
from samestory.readers import UNREADABLE, Problem, name

HELP = "Group articles by their relations: relation lines in, group lines out."
EXAMPLE = "samestory relate news.jsonl | samestory group --articles news.jsonl > groups.jsonl"


def arguments(command: argparse.ArgumentParser) -> None:
    """Adds the options of the command."""
    command.add_argument("file", nargs="?", default="-", metavar="RELATIONS", help="relation lines (default: stdin)")
    command.add_argument(
        "--articles",
        action="append",
        default=[],
        metavar="FILE",
        help="the articles: those without relations become groups of one, and representatives are chosen by the "
        "grouping options",
    )
    add_reading(command)
    add_grouping_arguments(command)
    add_care(command)


def run(args: argparse.Namespace) -> int:
    """Runs the command."""
    chosen = grouping_options(args)
    check_files(args, [args.file, *args.articles])
    check_result("--output", args.output)
    articles: dict[str, Article] = {}
    relations: list[Relation] = []
    problems: list[Problem] = []
    faults: Counter[str] = Counter()
    refused, max_problems = 0, details(args)
    for item in _items(args, articles):
        if isinstance(item, Problem):
            faults[item.fault] += 1
            refused += not item.kept and item.fault != UNREADABLE
            if max_problems is None or faults[item.fault] <= max_problems:
                problems.append(item)
            if args.strict:
                break
        else:
            relations.append(item)
    with Outputs() as out:
        report(problems, faults, args, out)
        summary = f"{count(len(relations), 'relation')}, {count(len(articles), 'article')}; {refused:,} rejected"
        if faults and not relations and not articles:
            out.commit()
            raise InputError(f"{summary}; nothing to group")
        found = group(relations, grouping=chosen, articles=articles.values())
        groups = [g for g in found if len(g.members) >= args.min_size]
        lines = (json.dumps(g.to_dict(n), ensure_ascii=False, separators=(",", ":")) for n, g in enumerate(groups, 1))
        text = "".join(line + "\n" for line in lines).encode()
        out.deliver(formatted(text, args.output, GROUP_COLUMNS), args.output)
        out.commit()
    if not args.quiet:
        _summarise(
            summary if refused else "", chosen.decisions.unknown({m for g in found for m in g.members}.__contains__)
        )
    return 0


def _summarise(rejected: str, unknown: int) -> None:
    """Prints what was rejected or unknown, if anything."""
    for line in (rejected, undecided(unknown) if unknown else ""):
        if line:
            print(line, file=sys.stderr)


def _items(args: argparse.Namespace, articles: dict[str, Article]) -> Iterator[Relation | Problem]:
    """Yields relations and problems, and adds articles to the mapping by id."""
    for item in read_articles(args, args.articles):
        if isinstance(item, Problem):
            yield item
        else:
            articles[item.id] = item
    yield from _relations(args.file)


def _relations(path: str) -> Iterator[Relation | Problem]:
    text = sys.stdin.buffer.read() if path == "-" else Path(path).read_bytes()
    for number, line in enumerate(text.split(b"\n"), 1):
        if not line.strip():
            continue
        try:
            yield Relation.from_dict(json.loads(line))
        except json.JSONDecodeError as error:
            yield Problem(name(path), number, "not a relation", f"{error.msg} at column {error.colno}")
        except (ValueError, RecursionError) as error:
            yield Problem(name(path), number, "not a relation", str(error))
