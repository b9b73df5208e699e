"""samestory explain: two articles side by side, with what they share and what each has alone."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from itertools import zip_longest
from typing import TYPE_CHECKING

from samestory.cli.inputs import add_as_is, add_detector, add_inputs, articles, fields
from samestory.detectors import Detector, Native, parse
from samestory.detectors.codet import CoDet
from samestory.detectors.shared_names import names
from samestory.detectors.tweezer import NameShingles
from samestory.errors import InputError
from samestory.explanation import Explanation, explain
from samestory.jobs import Run, load, weighed
from samestory.model import Article, Kind, Relation, Span
from samestory.output import printable, write_out
from samestory.readers import Problem, Source, read
from samestory.text import prepare

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

HELP = "Show two articles side by side: shared passages, and what is new in each."
EXAMPLE = "samestory explain en-fire-1 en-fire-2 demo/news.jsonl"


def arguments(command: argparse.ArgumentParser) -> None:
    """The options of this command."""
    command.add_argument("left", metavar="LEFT", help="an id, or a file with one article when no FILE is given")
    command.add_argument("right", metavar="RIGHT", help="likewise")
    add_inputs(command, files="*")
    add_as_is(command)
    add_detector(command)
    command.add_argument("--json", action="store_true", help="one JSON object instead of two columns")


def run(args: argparse.Namespace) -> int:
    """Runs it."""
    if args.files:
        sources = [Source(path, fields(args), args.format, args.encoding, args.largest) for path in args.files]
        found = load(sources, [args.left, args.right])
        left, right = found[args.left], found[args.right]
    else:
        left, right = _only(args.left, args), _only(args.right, args)
    detector = _detector(args)
    explanation = explain(left, right, detector, args.as_is)
    if args.json:
        told = _as_dict(explanation)
        if isinstance(detector, CoDet):
            matches = detector.matches(prepare([left], args.as_is), prepare([right], args.as_is))
            told["sentences"] = [
                {"left": list(m.left), "right": list(m.right), "words": m.words, "score": round(m.score, 4)}
                for m in matches
            ]
        write_out((json.dumps(told, ensure_ascii=False) + "\n").encode())
    else:
        _show(explanation, detector, args.as_is)
    return 0


def _detector(args: argparse.Namespace) -> Detector:
    """The detector; its word frequencies or its calibration come from the files given."""
    detector = parse(args.detector)
    if (detector.fitted and not detector.calibrates) or not args.files:
        return detector
    if not isinstance(detector, Native):
        items = [item for item in articles(args, args.files) if not isinstance(item, Problem)]
        return detector.fit([prepare(items, args.as_is)])

    def read_files(run: Run) -> None:
        for path in args.files:
            run.read(path, args.format, args.encoding)

    run = Run(detector, largest=args.largest, fields=fields(args), as_is=args.as_is)
    return weighed(detector, run, read_files)


def _only(path: str, args: argparse.Namespace) -> Article:
    """The article of a file that holds no other."""
    hint = "two articles of one file are named by their ids: samestory explain ID ID FILE"
    found: Article | None = None
    try:
        for item in read(Source(path, fields(args), args.format, args.encoding, args.largest)):
            if isinstance(item, Problem):
                if not item.kept:
                    raise InputError(str(item))
            elif found is not None:
                raise InputError(f"{path}: one article is wanted, and there are more", hint)
            else:
                found = item
    except InputError as error:
        raise error if error.hint else InputError(str(error), hint) from None
    if found is None:
        raise InputError(f"{path}: no article in it", hint)
    return found


def _as_dict(explanation: Explanation) -> dict[str, object]:
    relation = _from_left(explanation)
    return {
        "left": explanation.left.id,
        "right": explanation.right.id,
        "kind": str(relation.kind) if relation else None,
        "newer": _newer(explanation),
        "why": explanation.why,
        "forward": round(explanation.overlap.forward, 4),
        "backward": round(explanation.overlap.backward, 4),
        "reasons": list(explanation.reasons),
        "shared": [{"left": list(e.left), "right": list(e.right)} for e in explanation.evidence],
        "only_left": [list(span) for span in explanation.only_left],
        "only_right": [list(span) for span in explanation.only_right],
    }


def _newer(explanation: Explanation) -> str | None:
    """Of an update, the new version."""
    relation = explanation.relation
    return relation.left if relation and relation.kind is Kind.UPDATE else None


def _is_turned(explanation: Explanation) -> bool:
    """Is its relation told from the right article? Articles of two files may have one id: then the shares tell."""
    left, right, relation = explanation.left, explanation.right, explanation.relation
    if relation is None:
        return False
    return relation.left == right.id if left.id != right.id else relation.overlap != explanation.overlap


def _from_left(explanation: Explanation) -> Relation | None:
    """The relation as seen from the left article, which is the one asked about here."""
    relation = explanation.relation
    return relation.flipped() if relation and _is_turned(explanation) else relation


def _show(explanation: Explanation, detector: Detector, as_is: bool) -> None:
    from rich.console import Console

    # rich ends the program in its own way when nobody reads on: it prints for us, we write
    console = Console(highlight=False, width=None if sys.stdout.isatty() else 120)
    with console.capture() as printed:
        _print(console, explanation, detector, as_is)
    write_out(printed.get().encode())


def _heading(explanation: Explanation) -> str:
    """The relation from the left article to the right one; an update goes from the new version to the old one."""
    told, relation = _from_left(explanation), explanation.relation
    if told is None or relation is None:
        return f"not related: {explanation.why}"
    if relation.kind is Kind.UPDATE:
        side = "right" if _is_turned(explanation) else "left"
        return printable(f"{relation.left} {relation.kind} {relation.right} (the {side} one is newer)")
    return printable(f"{told.left} {told.kind} {told.right}")


def _print(console: Console, explanation: Explanation, detector: Detector, as_is: bool) -> None:
    from rich.table import Table
    from rich.text import Text

    left, right = explanation.left, explanation.right
    console.print(Text(_heading(explanation), style="bold"))
    console.print(detector.told(explanation.overlap, "the left one", "the right one"))
    if explanation.reasons:
        sides, rest = _evidence(explanation.reasons)
        console.print(sides)
        for line in rest:
            console.print(line)
    shared: tuple[Sequence[Span], Sequence[Span]] = ((), ())
    legend = "[+ new in this one +]"
    if isinstance(detector, NameShingles):
        one, other = (detector.shingles(prepare([article], as_is)) for article in (left, right))
        shared = names(one, other, shared=True), names(other, one, shared=True)
        legend = "[= a name in the same words in both =]  [+ a name in other words, or only in this one +]"
        for side, shingles in (("left", one), ("right", other)):
            if any(shingle.nameless for shingle in shingles):
                legend += f"\nthe {side} one has no names to go by: its first and last words stand for it"
    console.print(legend, style="dim", markup=False)
    table = Table(expand=True)
    for article in (left, right):
        table.add_column(Text(_name(article)), ratio=1, overflow="fold")
    table.add_row(
        _marked(left.text, explanation.only_left, shared[0]), _marked(right.text, explanation.only_right, shared[1])
    )
    console.print(table)


def _evidence(reasons: Sequence[str]) -> tuple[Table, list[str]]:
    """Reasons in two columns, for and against; and those that are neither."""
    from rich.table import Table

    sides: dict[str, list[str]] = {"for": [], "against": []}
    rest = []
    for reason in reasons:
        side, _, words = reason.partition(": ")
        if side in sides:
            sides[side].append(words)
        else:
            rest.append(reason)
    table = Table(expand=True)
    for side in sides:
        table.add_column(side, ratio=1, overflow="fold")
    for row in zip_longest(*sides.values(), fillvalue=""):
        table.add_row(*row)
    return table, rest


def _name(article: Article) -> str:
    return printable("  ".join(part for part in (article.id, article.title, article.source, article.published) if part))


def _marked(text: str, alone: Sequence[Span], shared: Sequence[Span] = ()) -> Text:
    """The text with what the other one lacks, and what both are seen to have, between marks and in colour."""
    from rich.text import Text

    out, at = Text(), 0
    marks = [(span, "+", "bold yellow") for span in alone] + [(span, "=", "bold green") for span in shared]
    for span, mark, style in sorted(marks):
        out.append(printable(text[at : span.start], one_line=False))
        out.append(f"[{mark}{printable(text[span.start : span.end], one_line=False)}{mark}]", style=style)
        at = span.end
    out.append(printable(text[at:], one_line=False))
    return out
