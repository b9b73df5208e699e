"""samestory collection: builds a test collection in one file, from articles to gold."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from samestory.cli.inputs import add_complaints, add_reading, articles, check_files
from samestory.cli.load import add_load
from samestory.cli.rejected import report
from samestory.cli.summary import count
from samestory.errors import ParameterError
from samestory.lab.cli.collection import copies, items, results
from samestory.lab.cli.collection.common import opened, print_message
from samestory.model import Article
from samestory.output import Outputs, write_out
from samestory.readers import Problem

if TYPE_CHECKING:
    from samestory.lab.collection import Collection

HELP = "Build a test collection: new, pool, assign, status, agreement, export, backup, verify, and more."
EXAMPLE = "samestory collection new gold.db news.jsonl --relation contains"


def arguments(command: argparse.ArgumentParser) -> None:
    """Adds the options of the command."""
    what = command.add_subparsers(dest="what", required=True, metavar="WHAT")

    def sub(name: str, help: str, example: str) -> argparse.ArgumentParser:
        one = what.add_parser(
            name, help=help, description=help, epilog=f"example: samestory collection {name} {example}"
        )
        if name != "restore":
            one.add_argument("collection", metavar="FILE", help="the collection: one file")
        return one

    new = sub("new", "Create a collection of articles.", "gold.db news.jsonl --relation contains")
    new.add_argument("files", nargs="*", metavar="DOCS", help="articles, as for find; more can be added later")
    new.add_argument(
        "--relation", required=True, metavar="NAME", help="the relation to judge: near, contains, semantic, …"
    )
    new.add_argument(
        "--protocol",
        default="pool",
        metavar="NAME",
        help="judging protocol: pool, difference, queries, headlines, events (pool)",
    )
    new.add_argument("--seed", type=int, default=0, metavar="N", help="random seed")
    _reading(new)
    add = sub("add", "Add articles.", "gold.db more.jsonl")
    add.add_argument("files", nargs="+", metavar="DOCS", help="articles, as for find")
    _reading(add)
    pool = sub(
        "pool",
        "Nominate pairs with several detectors at permissive settings.",
        "gold.db -d codet -d 'minhash | minhash(threshold=0.3)'",
    )
    pool.add_argument(
        "-d",
        "--detector",
        action="append",
        required=True,
        metavar="SPEC",
        help="a detector, 'SPEC | SPEC' (usual | permissive settings), or headlines",
    )
    pool.add_argument(
        "--times",
        type=float,
        default=2.5,
        metavar="N",
        help="target number of nominated pairs, as a multiple of the usual number (2.5)",
    )
    difference = sub(
        "difference", "Create items from articles on which detectors disagree.", "gold.db -d tweezer -d imatch"
    )
    difference.add_argument("-d", "--detector", action="append", required=True, metavar="SPEC", help="two or more")
    difference.add_argument("--sets", type=int, metavar="N", help="number of test sets to draw")
    difference.add_argument("--size", type=int, default=2250, metavar="N", help="articles per test set (2250)")
    difference.add_argument(
        "--by", default="share", metavar="WHAT", help="categories: share, single, or politics=100,sport=50 (share)"
    )
    queries = sub("queries", "Create lists from the top results of queries.", "gold.db results.jsonl")
    queries.add_argument(
        "results", metavar="RESULTS", help="lines of query and results; with --archive, one query per line"
    )
    queries.add_argument("--archive", metavar="DB", help="search this archive")
    add_load(queries)
    queries.add_argument("--top", type=int, default=20, metavar="N", help="results per query (20)")
    events = sub("events", "Import existing labels of the articles.", "gold.db labels.jsonl")
    events.add_argument("labels", metavar="LABELS", help="lines of id and cluster")
    exercise = sub("exercise", "Create the exercises that precede the judging.", "gold.db known.jsonl")
    exercise.add_argument("known", metavar="GOLD", help="judged pairs: a, b, label, for containment direction; why")
    assign = sub("assign", "Add assessors and assign items to them.", "gold.db s1 s2 s3 --groups 20")
    assign.add_argument("assessors", nargs="*", metavar="NAME", help="a pseudonym, or TEAM=NAME,NAME")
    assign.add_argument(
        "--groups", type=int, default=20, metavar="N", help="number of groups of items, of similar size (20)"
    )
    assign.add_argument("--judges", type=int, default=2, metavar="N", help="assessors per item (2)")
    assign.add_argument(
        "--controls", type=float, default=0.05, metavar="SHARE", help="share of items with a known answer (0.05)"
    )
    assign.add_argument("--a-week", type=int, metavar="N", help="lists per team every other week")
    assign.add_argument("--a-day", type=int, metavar="N", help="daily pace shown to assessors (a fifth of --a-week)")
    assign.add_argument(
        "--settle-now",
        action="store_true",
        help="also assign disagreements of groups and weeks that are not fully judged",
    )
    assign.add_argument("--second-pass", action="store_true", help="assign judged items to one more assessor")
    status = sub("status", "Show the progress.", "gold.db")
    status.add_argument("--json", action="store_true", help="JSON instead of text")
    agreement = sub("agreement", "Show the inter-assessor agreement.", "gold.db")
    agreement.add_argument("--json", action="store_true", help="JSON lines instead of tables")
    export = sub("export", "Export gold, articles and judgements.", "gold.db --gold gold.jsonl --docs docs.jsonl")
    export.add_argument("--gold", metavar="FILE", help="the final gold")
    export.add_argument("--docs", metavar="FILE", help="the articles")
    export.add_argument("--judgements", metavar="FILE", help="every answer: .jsonl or .csv")
    export.add_argument(
        "--label-studio", metavar="FILE", help="pairs with answers as tasks; writes the interface file too"
    )
    imported = sub("import", "Import tasks from Label Studio.", "gold.db tasks.json")
    imported.add_argument("tasks", metavar="TASKS", help="JSON, as Label Studio exports it")
    backup = sub("backup", "Copy the collection into a file; judging can continue.", "gold.db sunday.backup")
    backup.add_argument("file", metavar="BACKUP")
    restore = sub("restore", "Create a collection from a backup.", "sunday.backup again.db")
    restore.add_argument("file", metavar="BACKUP")
    restore.add_argument("collection", metavar="FILE", help="a new file")
    sub("verify", "Check a collection, or a backup of one; exit 1 if anything is damaged.", "sunday.backup")


def _reading(command: argparse.ArgumentParser) -> None:
    add_reading(command)
    add_complaints(command)
    command.add_argument("--category", metavar="FIELD", help="field of JSON lines by which test sets are stratified")


def run(args: argparse.Namespace) -> int:
    """Runs the command."""
    return _ACTIONS[args.what](args) or 0


def _new(args: argparse.Namespace) -> None:
    from samestory.lab.collection import Collection

    if args.files:
        check_files(args, args.files, [args.collection])
    categories = _categories(args)
    with Collection.new(args.collection, args.relation, args.protocol, seed=args.seed) as collection:
        try:
            _add_articles(args, collection, categories)
        except BaseException:
            # remove the incomplete collection, so that the name can be used again
            collection.close()
            for end in ("", "-wal", "-shm"):
                Path(f"{args.collection}{end}").unlink(missing_ok=True)
            raise


def _add(args: argparse.Namespace) -> None:
    check_files(args, args.files, [args.collection])
    with opened(args) as collection:
        _add_articles(args, collection, _categories(args))


def _add_articles(args: argparse.Namespace, collection: Collection, categories: dict[str, str] | None) -> None:
    problems: list[Problem] = []
    given: list[Article] = []
    for item in articles(args, args.files):
        if isinstance(item, Article):
            given.append(item)
        else:
            problems.append(item)
    new = collection.add_articles(given, categories)
    with Outputs() as out:
        faults: dict[str, int] = {}
        for problem in problems:
            faults[problem.fault] = faults.get(problem.fault, 0) + 1
        report(problems, faults, args, out)
        out.commit()
    if not args.quiet:
        print_message(f"{count(new, 'article')} new in {args.collection}: {collection.relation}, {collection.protocol}")


def _categories(args: argparse.Namespace) -> dict[str, str] | None:
    from samestory.lab.evaluation.jsonlines import json_lines

    if not args.category:
        return None
    out = {}
    for path in args.files:
        for _, line in json_lines(path):
            if "id" in line and line.get(args.category) is not None:
                out[str(line["id"])] = str(line[args.category])
    if not out:
        raise ParameterError(f"--category: no line has an id and the field {args.category!r}")
    return out


def _assign(args: argparse.Namespace) -> None:
    from samestory.lab.collection import arbitrate, assign, hire, second_pass
    from samestory.lab.collection.people import parse_team

    with opened(args) as collection:
        links: dict[str, str] = {}
        # if the work cannot be assigned, the assessors are not added either
        with collection.database.write():
            for given in args.assessors:
                team, names = parse_team(given)
                links |= hire(collection, names, team, renew=False)
                for name in names:
                    if name not in links:
                        print_message(
                            f"{name} already exists and keeps the old link (samestory judge --links creates new ones)"
                        )
            if args.second_pass:
                print_message(f"{count(second_pass(collection), 'item')} assigned to one more assessor")
            else:
                assigned = assign(
                    collection, args.groups, args.judges, args.controls, args.a_week, args.a_day, print_message
                )
                print_message(f"{count(assigned, 'item')} assigned" if assigned else "no items left to assign")
            if args.settle_now:
                to_settle, unassigned = arbitrate(collection, now=True)
                without = f", {unassigned:,} of them without an available arbiter" if unassigned else ""
                print_message(f"{count(to_settle, 'disagreement')} to be settled{without}")
    write_out("".join(f"{name}\t/w/{token}/\n" for name, token in links.items()).encode())
    if links:
        print_message(f"samestory judge {args.collection} serves these addresses; they are printed only once")


_ACTIONS: dict[str, Callable[[argparse.Namespace], int | None]] = {
    "new": _new,
    "add": _add,
    "pool": items.pool,
    "difference": items.difference,
    "queries": items.queries,
    "events": items.events,
    "exercise": items.exercise,
    "assign": _assign,
    "status": results.status,
    "agreement": results.agreement,
    "export": results.export,
    "import": results.imported,
    "backup": copies.backup,
    "restore": copies.restore,
    "verify": copies.verify,
}
