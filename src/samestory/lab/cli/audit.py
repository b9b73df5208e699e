"""samestory audit: estimates how many articles of a dated collection a detector drops falsely."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from samestory.cli.find import EVENTS, add_join_parts
from samestory.cli.inputs import (
    ArticleReader,
    add_care,
    add_inputs,
    add_threads,
    check_files,
    check_output,
    check_threads,
    no_articles_error,
)
from samestory.cli.progress import progress
from samestory.cli.summary import count
from samestory.detectors import Detector, parse
from samestory.errors import InputError, ParameterError
from samestory.groups import METHODS, REPRESENTATIVES, GroupingOptions
from samestory.model import Article, Kind
from samestory.output import Outputs, printable

if TYPE_CHECKING:
    from samestory.lab.evaluation import Audit

HELP = "Estimate without labels how many articles a detector drops falsely: merges across blocks of days."
EXAMPLE = "samestory audit archive.jsonl.gz -d minhash --report audit.html --judge gold.db"

#: The default relation to judge for sampled pairs of an event detector, and of a copy detector.
EVENT_RELATION, COPY_RELATION = "semantic", "near"


def arguments(command: argparse.ArgumentParser) -> None:
    """Adds the options of the command."""
    add_inputs(command)
    command.add_argument(
        "-d", "--detector", metavar="SPEC", help=f"the detector to audit (default: reuse; with --events {EVENTS[0]})"
    )
    command.add_argument("--events", action="store_true", help="audit the event detector, as in find --events")
    command.add_argument("--grouping", choices=METHODS, help="grouping method (default: that of the detector)")
    command.add_argument(
        "--representative",
        choices=REPRESENTATIVES,
        default="longest",
        help="the member that represents a group; the others count as dropped (longest)",
    )
    add_join_parts(command)
    blocks = command.add_argument_group("blocks")
    blocks.add_argument(
        "--gap",
        type=int,
        default=30,
        metavar="DAYS",
        help="days of a block, and between two blocks: a merge across them is presumed false (30)",
    )
    blocks.add_argument(
        "--sizes",
        default="0.25,0.5,1",
        metavar="PARTS",
        help="parts of the collection at which growth is measured; 1 for none (0.25,0.5,1)",
    )
    blocks.add_argument("--max", type=int, metavar="N", help="audit at most this many articles, sampled by id")
    blocks.add_argument("--seed", type=int, default=0, metavar="N", help="random seed (0)")
    gold = command.add_argument_group("gold")
    gold.add_argument(
        "--gold", metavar="FILE", help="judged pairs or groups of these articles: adds a calibration curve"
    )
    gold.add_argument(
        "--relation", metavar="NAME", help="which relation of the gold counts, and what is judged with --judge"
    )
    command.add_argument(
        "--sample", type=int, default=20, metavar="N", help="pairs to inspect: the worst, and as many at random (20)"
    )
    command.add_argument("--report", metavar="FILE", help="write a page with these pairs side by side to this file")
    command.add_argument("--judge", metavar="FILE", help="add the random pairs to this collection, for samestory judge")
    command.add_argument("--json", action="store_true", help="JSON lines instead of tables")
    add_threads(command)
    add_care(command)
    command.set_defaults(against=[])


def run(args: argparse.Namespace) -> int:
    """Runs the command."""
    detector = _detector(args)
    options = GroupingOptions(args.grouping or detector.grouping, args.representative, join_parts=args.join_parts)
    sizes = _sizes(args.sizes)
    _check(args)
    from samestory.lab.evaluation import audit, read_gold

    gold = read_gold(args.gold, args.relation) if args.gold else None
    detector.load()
    with Outputs() as out:
        with progress(args.files, args.quiet) as tick:
            articles = _read(args, out)
            found = audit(
                articles,
                detector,
                gap_days=args.gap,
                sizes=sizes,
                max_articles=args.max,
                options=options,
                gold=gold,
                sample=args.sample,
                seed=args.seed,
                threads=args.threads,
                progress=tick,
            )
        shown = {id for drop in (*found.worst, *found.sample) for id in (drop.article, drop.representative)}
        texts = {article.id: article for article in articles if article.id in shown}
        if args.report:
            from samestory.lab.evaluation.report.audit import audit_page

            out.add(args.report, audit_page(found, texts).encode("utf-8", "replace"))
        out.deliver((_lines(found) if args.json else tables(found)).encode("utf-8", "replace"), args.output)
        out.commit()
    if not args.quiet:
        from samestory.lab.evaluation.audit_tables import notes

        print("\n".join(printable(line) for line in notes(found)), file=sys.stderr)
    if args.judge:
        _judge(args, found, detector, texts)
    return 0


def _detector(args: argparse.Namespace) -> Detector:
    detector = parse(args.detector or (EVENTS[0] if args.events else "reuse"))
    if args.events and Kind.SAME_EVENT not in detector.reports:
        raise ParameterError(
            f"--events: expected an event detector, got {args.detector}",
            f"leave out -d (--events chooses {EVENTS[0]}), or leave out --events",
        )
    return detector


def _sizes(given: str) -> list[float]:
    try:
        sizes = [float(part) for part in given.split(",")]
    except ValueError:
        raise ParameterError(f"--sizes: expected numbers separated by commas, got {given!r}") from None
    if not all(0 < size <= 1 for size in sizes):
        raise ParameterError(f"--sizes: expected parts above 0 and up to 1, got {given!r}")
    return sizes


def _check(args: argparse.Namespace) -> None:
    """Rejects options that cannot work, before any work is done."""
    for option, least in (("gap", 1), ("max", 1), ("sample", 0)):
        value = getattr(args, option)
        if value is not None and value < least:
            raise ParameterError(f"--{option}: expected at least {least}, got {value}")
    check_threads(args)
    inputs = [*args.files, *([args.gold] if args.gold else [])]
    check_files(args, args.files, inputs)
    taken = {Path(path).resolve(): name for name in ("output", "rejects") if (path := getattr(args, name))}
    for name in ("report", "judge"):
        path = getattr(args, name)
        if path == "-":
            raise ParameterError(f"--{name}: expected a file; standard output is used for the result")
        if path:
            check_output(name, Path(path), [Path(each) for each in inputs if each != "-"], taken)
    if args.report and args.gold:
        from samestory.lab.evaluation.report import pictures

        pictures.require()
    if args.judge:
        from samestory.lab.evaluation.relations import meaning

        if args.relation:
            meaning(args.relation)
        if Path(args.judge).exists():
            _opened(args).close()


def _opened(args: argparse.Namespace) -> Any:
    """Opens the existing collection and checks that it accepts pairs."""
    from samestory.lab.collection import Collection
    from samestory.lab.collection.nominate import check_pairs

    collection = Collection.open(args.judge)
    try:
        check_pairs(collection)
        if args.relation and not args.gold and args.relation != collection.relation:
            raise InputError(f"--relation: {args.judge} is about {collection.relation}, not {args.relation}")
    except BaseException:
        collection.close()
        raise
    return collection


def _read(args: argparse.Namespace, out: Outputs) -> list[Article]:
    reading = ArticleReader(args, out)
    articles = list(reading.each())
    reading.finish()
    if not articles:
        out.commit()
        raise no_articles_error(args)
    return articles


def _judge(args: argparse.Namespace, found: Audit, detector: Detector, texts: dict[str, Article]) -> None:
    """Adds the sampled pairs to a collection, creating it if missing."""
    from samestory.lab.collection import Collection
    from samestory.lab.collection.nominate import nominate

    if not found.sample:
        print(f"samestory: no pairs to judge; {args.judge} is unchanged", file=sys.stderr)
        return
    relation = args.relation or (EVENT_RELATION if Kind.SAME_EVENT in detector.reports else COPY_RELATION)
    is_new = not Path(args.judge).exists()
    collection = Collection.new(args.judge, relation, "pool", seed=args.seed) if is_new else _opened(args)
    pairs = [(drop.article, drop.representative, drop.score) for drop in found.sample]
    wanted = [texts[id] for id in dict.fromkeys(id for left, right, _ in pairs for id in (left, right))]
    with collection:
        new = nominate(collection, f"audit of {found.detector}", wanted, pairs)
        judged = collection.relation
    if not args.quiet:
        print(
            f"{count(new, 'new pair')} in {args.judge}, to be judged as {judged}: "
            f"samestory judge {args.judge} --assessors NAME NAME --assign",
            file=sys.stderr,
        )


def tables(found: Audit) -> str:
    """Formats all figures as tables."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from samestory.lab.evaluation.audit_tables import sections

    console = Console(highlight=False, width=None if sys.stdout.isatty() else 200)
    with console.capture() as printed:
        for number, (name, head, rows) in enumerate(sections(found)):
            table = Table(*head, box=None, pad_edge=False)
            for row in rows:
                table.add_row(*(Text(printable(each)) for each in row))
            console.print(("" if not number else "\n") + name)
            console.print(table)
    return "\n".join(line.rstrip() for line in printed.get().splitlines()) + "\n"


def _lines(found: Audit) -> str:
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in _rows(found))


def _rows(found: Audit) -> Iterable[dict[str, Any]]:
    """Yields a row for the audit, then one per size, growth, slice, calibration and pair."""
    yield {
        "audit": found.detector,
        "articles": found.articles,
        "audited": found.audited,
        "gap_days": found.blocks.gap_days,
        "blocks": list(found.blocks.sizes),
        "dates": found.blocks.dates.to_dict(),
        "missing": list(found.missing),
        "estimated": list(found.estimated),
    }
    for view in found.views:
        for size in view.sizes:
            yield {"dates": view.dates, "size": size.to_dict()}
        yield {
            "dates": view.dates,
            "growth": {
                "presumed_false": view.growth and view.growth.to_dict(),
                "groups": view.groups_growth and view.groups_growth.to_dict(),
                "dropped": view.dropped_growth and view.dropped_growth.to_dict(),
                "predicted": view.prediction and view.prediction.to_dict(),
            },
        }
        for by, slices in (
            ("kind", view.by_kind),
            ("length_ratio", view.by_length_ratio),
            ("share", view.by_share),
        ):
            for each in slices:
                yield {"dates": view.dates, "by": by, **each.to_dict()}
    if found.calibration:
        yield {"calibration": found.calibration.to_dict()}
    if found.confirmed:
        yield {"judged_not_same": found.confirmed.to_dict()}
    for why, drops in (("worst", found.worst), ("random", found.sample)):
        for drop in drops:
            yield {"pair": why, **drop.to_dict()}
