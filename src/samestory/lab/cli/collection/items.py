"""Steps of `samestory collection` that create items: pool, difference, queries, events, exercise."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from samestory.cli.summary import count
from samestory.errors import InputError, ParameterError, SamestoryError
from samestory.lab.cli.collection.common import opened, print_message, report_broken

if TYPE_CHECKING:
    from samestory.lab.collection import Collection


def pool(args: argparse.Namespace) -> None:
    """Lets detectors nominate pairs."""
    from samestory.lab.collection.pool import pool

    with opened(args) as collection:
        found = pool(collection, args.detector, args.times, lambda name: print_message(f"{name} nominates"))
        items = len(collection.items("role = 'work'"))
    for each in found:
        settings = "" if each.asked == each.name else f", nominating with {each.asked}"
        print_message(
            f"{each.name}{settings}: {each.usual:,} pairs at usual settings, {each.found:,} nominated,"
            f" {each.new:,} of them new"
        )
        if each.missed:
            print_message(f"{each.name}: {each.missed:,} of its usual pairs were not nominated; added to the pool")
    print_message(f"{count(items, 'pair')} in the pool")


def difference(args: argparse.Namespace) -> None:
    """Creates items from articles that detectors disagree about."""
    from samestory.lab.collection.difference import difference
    from samestory.lab.collection.sample import sample_sets

    with opened(args) as collection:
        sets: list[list[str] | None] = [None]
        if args.sets is not None:
            sets = [*sample_sets(collection.categories(), args.sets, args.size, _by(args.by), collection.seed)]
        for number, among in enumerate(sets, 1):
            found = difference(collection, args.detector, among)
            print_message(
                f"set {number}: {found.duplicates:,} flagged by all, {found.unique:,} by none,"
                f" {found.judged:,} by some, {found.new:,} of them new"
            )


def _by(given: str) -> str | dict[str, int]:
    if "=" not in given:
        return given
    try:
        return {name.strip(): int(number) for name, _, number in (part.partition("=") for part in given.split(","))}
    except ValueError:
        raise ParameterError(f"--by: expected NAME=NUMBER,NAME=NUMBER, got {given!r}") from None


def queries(args: argparse.Namespace) -> None:
    """Creates lists from the results of queries."""
    from samestory.lab.collection.lists import add_lists, read_lists, search_lists

    with opened(args) as collection:
        if args.archive:
            from samestory.archive import Archive

            try:
                lines = Path(args.results).read_text(encoding="utf-8").splitlines()
            except OSError as error:
                raise InputError(str(error.strerror or error), place=args.results) from None
            with Archive.open(args.archive, create=False) as archive:
                few = search_lists(collection, archive, dict.fromkeys(line for line in lines if line.strip()), args.top)
        else:
            results, broken = read_lists(args.results, collection.categories())
            few = add_lists(collection, results, args.results, args.top)
            report_broken(broken, bool(results))
        items = len(collection.items("role = 'work'"))
    for query in few:
        print_message(f"skipped a query with fewer than {args.top} results: {query}")
    print_message(f"{count(items, 'list')} in {args.collection}")


def events(args: argparse.Namespace) -> None:
    """Imports labels."""
    from samestory.lab.collection.events import import_labels

    with opened(args) as collection:
        groups, broken = import_labels(collection, args.labels)
        report_broken(broken, bool(groups))
        print_message(f"{count(groups, 'group')} of labels")


def exercise(args: argparse.Namespace) -> None:
    """Creates exercises."""
    from samestory.lab.collection import Shape, exercise
    from samestory.lab.evaluation.jsonlines import lenient_lines

    with opened(args) as collection:
        known: dict[tuple[str, ...], str] = {}
        why: dict[tuple[str, ...], str] = {}
        broken = []
        for number, line in lenient_lines(args.known):
            try:
                articles, answer = _known(collection, line)
                exercise(collection, {articles: answer}, dry=True)
                known[articles] = answer
                if isinstance(line, dict) and isinstance(line.get("why"), str):
                    why[articles] = line["why"]
            except SamestoryError as error:
                broken.append(f"{args.known}:{number}: {error}")
        report_broken(broken, bool(known))
        kind = "list" if collection.shape is Shape.LIST else "pair"
        print_message(
            f"{count(exercise(collection, known, why=why), 'exercise')}, {count(len(known), kind)} of this file"
        )


def _known(collection: Collection, line: dict[str, Any] | str) -> tuple[tuple[str, ...], str]:
    """Parses the articles of an exercise and its correct answer."""
    from samestory.lab.collection import Shape

    if isinstance(line, str):
        raise InputError(line)
    if collection.shape is Shape.LIST:
        if not isinstance(line.get("results"), list) or not isinstance(line.get("sets"), list):
            raise InputError("expected results (ids) and sets (lists of ids)")
        return tuple(map(str, line["results"])), json.dumps(line["sets"])
    if not {"a", "b", "label"} <= line.keys():
        raise InputError("expected a, b and label")
    yes = str(line["label"]).lower() in ("1", "true", "yes", "same", "contains")
    plain = "yes" if yes else "no"
    if not collection.meaning.symmetric:
        plain = str(line.get("direction", "a direction is missing")) if yes else "none"
    return (str(line["a"]), str(line["b"])), plain
