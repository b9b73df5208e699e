"""Steps of `samestory collection` that show and exchange results: status, agreement, export, import."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING

from samestory.cli.inputs import check_output
from samestory.cli.summary import count
from samestory.errors import InputError, ParameterError
from samestory.lab.cli.collection.common import opened, print_message
from samestory.output import Outputs, write_out

if TYPE_CHECKING:
    pass


def status(args: argparse.Namespace) -> None:
    """Prints the progress."""
    from dataclasses import asdict

    from samestory.lab.cli.collection.status import lines
    from samestory.lab.collection.status import status

    with opened(args) as collection:
        found = status(collection)
    if args.json:
        write_out((json.dumps(asdict(found), ensure_ascii=False) + "\n").encode())
        return
    write_out(("\n".join(lines(found)) + "\n").encode())


def agreement(args: argparse.Namespace) -> None:
    """Prints the agreement."""
    from samestory.lab.cli.collection.agreement import table
    from samestory.lab.collection.agreement import agreement, json_lines

    with opened(args) as collection:
        found = agreement(collection)
    write_out(("\n".join(json_lines(found) if args.json else table(found)) + "\n").encode())
    for warning in found.warnings:
        print_message(warning)


def export(args: argparse.Namespace) -> None:
    """Writes gold, articles and judgements."""
    from samestory.lab.collection import Shape, export
    from samestory.lab.collection.label_studio import interface, tasks

    if not (args.gold or args.docs or args.judgements or args.label_studio):
        raise ParameterError("export: specify --gold, --docs, --judgements or --label-studio FILE")
    _check_places(args)
    with opened(args) as collection, Outputs() as out:
        if args.gold:
            gold = export.gold(collection)
            out.add(args.gold, export.to_jsonl(gold.lines))
            print_message(f"{count(len(gold.lines), 'line')} of gold; {gold.undecided:,} undecided")
            if gold.contested:
                about = count(gold.contested, "article" if collection.shape is Shape.CLUSTER else "pair")
                print_message(f"answers contradict each other about {about}, which are left out")
            print_message(f"protocol {collection.protocol}; not measured: {collection.bias}")
        if args.docs:
            out.add(args.docs, export.to_jsonl(export.documents(collection)))
        if args.judgements:
            made = export.judgements(collection)
            out.add(
                args.judgements,
                export.to_csv(made) if args.judgements.lower().endswith(".csv") else export.to_jsonl(made),
            )
        if args.label_studio:
            out.add(args.label_studio, (json.dumps(list(tasks(collection)), ensure_ascii=False) + "\n").encode())
            out.add(f"{args.label_studio}.interface.xml", interface(collection).encode())
        out.commit()


def _check_places(args: argparse.Namespace) -> None:
    """Checks that no output overwrites the collection or another output."""
    taken: dict[Path, str] = {}
    outputs = {"gold": args.gold, "docs": args.docs, "judgements": args.judgements, "label-studio": args.label_studio}
    interface = f"{args.label_studio}.interface.xml" if args.label_studio else None
    for name, path in (*outputs.items(), ("label-studio", interface)):
        if path:
            check_output(name, Path(path), [Path(args.collection)], taken)


def imported(args: argparse.Namespace) -> None:
    """Imports tasks from Label Studio."""
    from samestory.lab.collection.label_tasks import import_tasks

    with opened(args) as collection:
        found = import_tasks(collection, args.tasks)
    for broken in found.broken:
        print_message(f"{args.tasks}: {broken}")
    skipped = f"; {count(len(found.broken), 'task')} skipped" if found.broken else ""
    print_message(f"{count(found.pairs, 'pair')} new, {count(found.answers, 'answer')}{skipped}")
    if found.broken and not (found.pairs or found.answers):
        raise InputError("no task could be imported", place=args.tasks)
