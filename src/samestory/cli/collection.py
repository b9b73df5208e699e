"""samestory collection: a test collection in one file, from a pile of news to gold."""

from __future__ import annotations

import argparse
import csv
import io
import json
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from samestory.cli.inputs import add_complaints, add_reading, articles, check_files, check_output, report
from samestory.cli.output import count
from samestory.errors import InputError, ParameterError, SamestoryError
from samestory.model import Article
from samestory.output import Outputs, printable, write_out
from samestory.readers import Problem

if TYPE_CHECKING:
    from samestory.collection import Collection

HELP = "Build a test collection: new, pool, assign, status, agreement, export, and more."
EXAMPLE = "samestory collection new gold.db news.jsonl --relation contains"


def arguments(command: argparse.ArgumentParser) -> None:
    """The options of this command."""
    what = command.add_subparsers(dest="what", required=True, metavar="WHAT")

    def sub(name: str, help: str, example: str) -> argparse.ArgumentParser:
        one = what.add_parser(
            name, help=help, description=help, epilog=f"example: samestory collection {name} {example}"
        )
        one.add_argument("collection", metavar="FILE", help="the collection: one file")
        return one

    new = sub("new", "Make a collection of articles.", "gold.db news.jsonl --relation contains")
    new.add_argument("files", nargs="*", metavar="DOCS", help="articles, as for find; more may be added later")
    new.add_argument("--relation", required=True, metavar="NAME", help="what is judged: near, contains, semantic, …")
    new.add_argument(
        "--protocol", default="pool", metavar="NAME", help="how: pool, difference, queries, headlines, events (pool)"
    )
    new.add_argument("--seed", type=int, default=0, metavar="N", help="of everything that is drawn at random")
    _reading(new)
    add = sub("add", "Add articles.", "gold.db more.jsonl")
    add.add_argument("files", nargs="+", metavar="DOCS", help="articles, as for find")
    _reading(add)
    pool = sub(
        "pool", "Let detectors nominate pairs, permissively.", "gold.db -d codet -d 'minhash | minhash(threshold=0.3)'"
    )
    pool.add_argument(
        "-d",
        "--detector",
        action="append",
        required=True,
        metavar="SPEC",
        help="a detector, 'SPEC | SPEC' as it is used and as it is asked, or headlines",
    )
    pool.add_argument(
        "--times", type=float, default=2.5, metavar="N", help="nominate about so many times what is usually found (2.5)"
    )
    difference = sub("difference", "Put what detectors disagree about before people.", "gold.db -d tweezer -d imatch")
    difference.add_argument("-d", "--detector", action="append", required=True, metavar="SPEC", help="two or more")
    difference.add_argument("--sets", type=int, metavar="N", help="draw so many test sets")
    difference.add_argument("--size", type=int, default=2250, metavar="N", help="of so many articles (2250)")
    difference.add_argument(
        "--by", default="share", metavar="WHAT", help="categories: share, single, or politics=100,sport=50 (share)"
    )
    queries = sub("queries", "Take the first results of queries as lists.", "gold.db results.jsonl")
    queries.add_argument(
        "results", metavar="RESULTS", help="lines of query and results; with --archive, one query a line"
    )
    queries.add_argument("--archive", metavar="DB", help="ask this archive")
    queries.add_argument("--top", type=int, default=20, metavar="N", help="results of a query (20)")
    events = sub("events", "Take labels that came with the articles.", "gold.db labels.jsonl")
    events.add_argument("labels", metavar="LABELS", help="lines of id and cluster")
    exercise = sub("exercise", "Make the exercise that comes before the work.", "gold.db known.jsonl")
    exercise.add_argument("known", metavar="GOLD", help="judged pairs: a, b, label, for containment direction; why")
    assign = sub("assign", "Take assessors in and give out the work.", "gold.db s1 s2 s3 --groups 20")
    assign.add_argument("assessors", nargs="*", metavar="NAME", help="a pseudonym, or TEAM=NAME,NAME")
    assign.add_argument("--groups", type=int, default=20, metavar="N", help="of work, of about one size (20)")
    assign.add_argument("--judges", type=int, default=2, metavar="N", help="of every item (2)")
    assign.add_argument(
        "--controls", type=float, default=0.05, metavar="SHARE", help="of items with a known answer (0.05)"
    )
    assign.add_argument("--a-week", type=int, metavar="N", help="lists of one team, every other week")
    assign.add_argument("--a-day", type=int, metavar="N", help="a pace that is shown (a fifth of --a-week)")
    assign.add_argument(
        "--settle-now", action="store_true", help="disagreements of groups and weeks that are not all judged, too"
    )
    assign.add_argument("--second-pass", action="store_true", help="give what is judged to one more")
    status = sub("status", "How far it is.", "gold.db")
    status.add_argument("--json", action="store_true", help="JSON instead of text")
    agreement = sub("agreement", "How far assessors agree.", "gold.db")
    agreement.add_argument("--json", action="store_true", help="JSON lines instead of tables")
    export = sub("export", "Write gold, articles and judgements.", "gold.db --gold gold.jsonl --docs docs.jsonl")
    export.add_argument("--gold", metavar="FILE", help="the final gold")
    export.add_argument("--docs", metavar="FILE", help="the articles")
    export.add_argument("--judgements", metavar="FILE", help="every answer: .jsonl or .csv")
    export.add_argument("--label-studio", metavar="FILE", help="pairs with answers as tasks; beside it the interface")
    take = sub("import", "Take tasks of Label Studio in.", "gold.db tasks.json")
    take.add_argument("tasks", metavar="TASKS", help="JSON, as Label Studio exports it")


def _reading(command: argparse.ArgumentParser) -> None:
    add_reading(command)
    add_complaints(command)
    command.add_argument("--category", metavar="FIELD", help="of JSON lines, by which test sets are drawn")


def run(args: argparse.Namespace) -> int:
    """Runs it."""
    _ACTIONS[args.what](args)
    return 0


def _opened(args: argparse.Namespace) -> Collection:
    from samestory.collection import Collection

    return Collection.open(args.collection)


def _tell(text: str) -> None:
    print(f"samestory: {printable(text)}", file=sys.stderr)


def _new(args: argparse.Namespace) -> None:
    from samestory.collection import Collection

    if args.files:
        check_files(args, args.files, [args.collection])
    categories = _categories(args)
    with Collection.new(args.collection, args.relation, args.protocol, seed=args.seed) as collection:
        try:
            _take(args, collection, categories)
        except BaseException:
            # what could not be made is not there, and can be made again under its name
            collection.close()
            for end in ("", "-wal", "-shm"):
                Path(f"{args.collection}{end}").unlink(missing_ok=True)
            raise


def _add(args: argparse.Namespace) -> None:
    check_files(args, args.files, [args.collection])
    with _opened(args) as collection:
        _take(args, collection, _categories(args))


def _take(args: argparse.Namespace, collection: Collection, categories: dict[str, str] | None) -> None:
    problems: list[Problem] = []
    given: list[Article] = []
    for item in articles(args, args.files):
        if isinstance(item, Article):
            given.append(item)
        else:
            problems.append(item)
    new = collection.take(given, categories)
    with Outputs() as out:
        faults: dict[str, int] = {}
        for problem in problems:
            faults[problem.fault] = faults.get(problem.fault, 0) + 1
        report(problems, faults, args, out)
        out.commit()
    if not args.quiet:
        _tell(f"{count(new, 'article')} new in {args.collection}: {collection.relation}, {collection.protocol}")


def _categories(args: argparse.Namespace) -> dict[str, str] | None:
    from samestory.lab.jsonlines import json_lines

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


def _pool(args: argparse.Namespace) -> None:
    from samestory.collection.pool import pool

    with _opened(args) as collection:
        found = pool(collection, args.detector, args.times, lambda name: _tell(f"{name} nominates"))
        items = len(collection.items("role = 'work'"))
    for each in found:
        asked = "" if each.asked == each.name else f", asked as {each.asked}"
        _tell(f"{each.name}{asked}: {each.usual:,} as it is used, {each.found:,} nominated, {each.new:,} of them new")
        if each.missed:
            _tell(f"{each.name}: {each.missed:,} that it finds were not nominated; they are in the pool all the same")
    _tell(f"{count(items, 'pair')} in the pool")


def _difference(args: argparse.Namespace) -> None:
    from samestory.collection.difference import difference
    from samestory.collection.sample import sample_sets

    with _opened(args) as collection:
        sets: list[list[str] | None] = [None]
        if args.sets is not None:
            sets = [*sample_sets(collection.categories(), args.sets, args.size, _by(args.by), collection.seed)]
        for number, among in enumerate(sets, 1):
            found = difference(collection, args.detector, among)
            _tell(
                f"set {number}: {found.duplicates:,} flagged by all, {found.unique:,} by none,"
                f" {found.judged:,} by some, {found.new:,} of them new"
            )


def _by(given: str) -> str | dict[str, int]:
    if "=" not in given:
        return given
    try:
        return {name.strip(): int(number) for name, _, number in (part.partition("=") for part in given.split(","))}
    except ValueError:
        raise ParameterError(f"--by: NAME=NUMBER,NAME=NUMBER is wanted, got {given!r}") from None


def _queries(args: argparse.Namespace) -> None:
    from samestory.collection.lists import read_lists, search_lists, take_lists

    with _opened(args) as collection:
        if args.archive:
            from samestory.archive import Archive

            try:
                lines = Path(args.results).read_text(encoding="utf-8").splitlines()
            except OSError as error:
                raise InputError(f"{args.results}: {error.strerror or error}") from None
            with Archive.open(args.archive, create=False) as archive:
                few = search_lists(collection, archive, dict.fromkeys(line for line in lines if line.strip()), args.top)
        else:
            results, broken = read_lists(args.results, collection.categories())
            few = take_lists(collection, results, args.results, args.top)
            _tell_all(broken, bool(results))
        items = len(collection.items("role = 'work'"))
    for query in few:
        _tell(f"fewer than {args.top} results, and passed over: {query}")
    _tell(f"{count(items, 'list')} in {args.collection}")


def _tell_all(broken: list[str], some: bool) -> None:
    """Names lines that could not be taken; an error, if none could."""
    for each in broken:
        _tell(each)
    if broken and not some:
        raise InputError("no line could be taken")


def _events(args: argparse.Namespace) -> None:
    from samestory.collection.events import take_events

    with _opened(args) as collection:
        groups, broken = take_events(collection, args.labels)
        _tell_all(broken, bool(groups))
        _tell(f"{count(groups, 'group')} of labels")


def _exercise(args: argparse.Namespace) -> None:
    from samestory.collection import Shape, exercise
    from samestory.lab.jsonlines import lenient_lines

    with _opened(args) as collection:
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
        _tell_all(broken, bool(known))
        kind = "list" if collection.shape is Shape.LIST else "pair"
        _tell(f"{count(exercise(collection, known, why=why), 'exercise')}, {count(len(known), kind)} of this file")


def _known(collection: Collection, line: dict[str, Any] | str) -> tuple[tuple[str, ...], str]:
    """The articles of an exercise, and the answer that is right."""
    from samestory.collection import Shape

    if isinstance(line, str):
        raise InputError(line)
    if collection.shape is Shape.LIST:
        if not isinstance(line.get("results"), list) or not isinstance(line.get("sets"), list):
            raise InputError("results (ids) and sets (lists of ids) are wanted")
        return tuple(map(str, line["results"])), json.dumps(line["sets"])
    if not {"a", "b", "label"} <= line.keys():
        raise InputError("a, b and label are wanted")
    yes = str(line["label"]).lower() in ("1", "true", "yes", "same", "contains")
    plain = "yes" if yes else "no"
    if not collection.meaning.symmetric:
        plain = str(line.get("direction", "a direction is missing")) if yes else "none"
    return (str(line["a"]), str(line["b"])), plain


def _assign(args: argparse.Namespace) -> None:
    from samestory.collection import arbitrate, assign, hire, second_pass
    from samestory.collection.people import team_of

    with _opened(args) as collection:
        links: dict[str, str] = {}
        # who is taken in for work that cannot be given out is not taken in
        with collection.database.write():
            for given in args.assessors:
                team, names = team_of(given)
                links |= hire(collection, names, team, renew=False)
                for name in names:
                    if name not in links:
                        _tell(
                            f"{name} is there already, and the old link holds (samestory judge --links makes new ones)"
                        )
            if args.second_pass:
                _tell(f"{count(second_pass(collection), 'item')} given to one more")
            else:
                given_out = assign(collection, args.groups, args.judges, args.controls, args.a_week, args.a_day, _tell)
                _tell(f"{count(given_out, 'item')} given out" if given_out else "nothing is left to be given out")
            if args.settle_now:
                settled, nobody = arbitrate(collection, now=True)
                alone = f", {nobody:,} of them by nobody who is there" if nobody else ""
                _tell(f"{count(settled, 'disagreement')} to be settled{alone}")
    write_out("".join(f"{name}\t/w/{token}/\n" for name, token in links.items()).encode())
    if links:
        _tell(f"samestory judge {args.collection} opens these addresses; each is told this once")


def _status(args: argparse.Namespace) -> None:
    from dataclasses import asdict

    from samestory.cli.standing import lines
    from samestory.collection.status import status

    with _opened(args) as collection:
        found = status(collection)
    if args.json:
        write_out((json.dumps(asdict(found), ensure_ascii=False) + "\n").encode())
        return
    write_out(("\n".join(lines(found)) + "\n").encode())


def _agreement(args: argparse.Namespace) -> None:
    from samestory.cli.agreement import table
    from samestory.collection.agreement import agreement, written

    with _opened(args) as collection:
        found = agreement(collection)
    write_out(("\n".join(written(found) if args.json else table(found)) + "\n").encode())
    for warning in found.warnings:
        _tell(warning)


def _export(args: argparse.Namespace) -> None:
    from samestory.collection import Shape, export
    from samestory.collection.label_studio import interface, tasks

    if not (args.gold or args.docs or args.judgements or args.label_studio):
        raise ParameterError("export: what? --gold, --docs, --judgements or --label-studio FILE")
    _check_places(args)
    with _opened(args) as collection, Outputs() as out:
        if args.gold:
            gold = export.gold(collection)
            out.add(args.gold, _jsonl(gold.lines))
            _tell(f"{count(len(gold.lines), 'line')} of gold; nothing is decided about {gold.undecided:,}")
            if gold.contested:
                about = count(gold.contested, "article" if collection.shape is Shape.CLUSTER else "pair")
                _tell(f"answers contradict each other about {about}, of which nothing is said")
            _tell(f"protocol {collection.protocol}; not seen: {collection.bias}")
        if args.docs:
            out.add(args.docs, _jsonl(export.documents(collection)))
        if args.judgements:
            made = export.judgements(collection)
            out.add(args.judgements, _csv(made) if args.judgements.lower().endswith(".csv") else _jsonl(made))
        if args.label_studio:
            out.add(args.label_studio, (json.dumps(list(tasks(collection)), ensure_ascii=False) + "\n").encode())
            out.add(f"{args.label_studio}.interface.xml", interface(collection).encode())
        out.commit()


def _check_places(args: argparse.Namespace) -> None:
    """Nothing is written over the collection, in which all work lies, and no two files into one place."""
    taken: dict[Path, str] = {}
    interface = f"{args.label_studio}.interface.xml" if args.label_studio else None
    for name, path in (
        ("gold", args.gold),
        ("docs", args.docs),
        ("judgements", args.judgements),
        ("label-studio", args.label_studio),
        ("label-studio", interface),
    ):
        if path:
            check_output(name, Path(path), [Path(args.collection)], taken)


def _jsonl(lines: Iterable[dict[str, Any]]) -> bytes:
    return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines).encode("utf-8", "backslashreplace")


def _csv(lines: Iterable[dict[str, Any]]) -> bytes:
    rows = list(lines)
    out = io.StringIO()
    written = csv.DictWriter(out, list(rows[0]) if rows else ["judgement"])
    written.writeheader()
    for row in rows:
        # spreadsheets take what begins so for a formula
        cells = {k: json.dumps(v, ensure_ascii=False) if isinstance(v, list) else v for k, v in row.items()}
        written.writerow({k: f"'{v}" if isinstance(v, str) and v[:1] in "=+-@\t\r" else v for k, v in cells.items()})
    return out.getvalue().encode("utf-8", "backslashreplace")


def _import(args: argparse.Namespace) -> None:
    from samestory.collection.label_tasks import take_tasks

    with _opened(args) as collection:
        found = take_tasks(collection, args.tasks)
    for broken in found.broken:
        _tell(f"{args.tasks}: {broken}")
    refused = f"; {count(len(found.broken), 'task')} passed over" if found.broken else ""
    _tell(f"{count(found.pairs, 'pair')} new, {count(found.answers, 'answer')}{refused}")
    if found.broken and not (found.pairs or found.answers):
        raise InputError(f"{args.tasks}: no task could be taken")


_ACTIONS = {
    "new": _new,
    "add": _add,
    "pool": _pool,
    "difference": _difference,
    "queries": _queries,
    "events": _events,
    "exercise": _exercise,
    "assign": _assign,
    "status": _status,
    "agreement": _agreement,
    "export": _export,
    "import": _import,
}
