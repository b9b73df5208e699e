"""samestory explain: shows two articles side by side, with what they share and what is unique to each."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING

from samestory.cli.inputs import add_as_is, add_detector, add_inputs, fields
from samestory.cli.losses import note_losses
from samestory.detectors import Detector, parse
from samestory.detectors.codet import CoDet
from samestory.detectors.shared_names import names
from samestory.detectors.tweezer import NameShingles
from samestory.errors import InputError
from samestory.explanation import Explanation, explain
from samestory.jobs import load
from samestory.model import Article, Kind, Reason, Span
from samestory.output import printable, write_out
from samestory.readers import Problem, Source, read
from samestory.run import Run, weighed
from samestory.text import prepare

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

HELP = "Print two articles side by side, with shared passages and the new text of each."
EXAMPLE = "samestory explain en-fire-1 en-fire-2 demo/news.jsonl"


#: The most characters of each text that are printed.
MAX_PRINTED_CHARS = 20_000


def arguments(command: argparse.ArgumentParser) -> None:
    """Adds the options of the command."""
    command.add_argument("left", metavar="LEFT", help="an id, or a file with one article if there is no FILE")
    command.add_argument("right", metavar="RIGHT", help="as LEFT")
    add_inputs(command, files="*")
    add_as_is(command)
    add_detector(command)
    command.add_argument("--json", action="store_true", help="one JSON object instead of two columns")


def run(args: argparse.Namespace) -> int:
    """Runs the command."""
    if args.files:
        sources = [Source(path, fields(args), args.format, args.encoding, args.largest) for path in args.files]
        left, right = _both(sources, args)
    else:
        left, right = _only(args.left, args), _only(args.right, args)
    detector = _detector(args)
    explanation = explain(left, right, detector=detector, as_is=args.as_is)
    if args.json:
        row = explanation.to_dict()
        if isinstance(detector, CoDet):
            matches = detector.matches(prepare([left], as_is=args.as_is), prepare([right], as_is=args.as_is))
            row["sentences"] = [
                {"left": list(m.left), "right": list(m.right), "words": m.words, "score": round(m.score, 4)}
                for m in matches
            ]
        write_out((json.dumps(row, ensure_ascii=False) + "\n").encode())
    else:
        _show(explanation, detector, args.as_is)
    return 0


def _both(sources: list[Source], args: argparse.Namespace) -> tuple[Article, Article]:
    """Reads the two articles; raises InputError, with the usage if LEFT or RIGHT is a file."""
    try:
        found = load(sources, [args.left, args.right])
    except InputError as error:
        if error.hint or not any(Path(id).exists() for id in (args.left, args.right)):
            raise
        raise InputError(error.detail, "usage: samestory explain LEFT RIGHT FILE", place=error.place) from None
    return found[args.left], found[args.right]


def _detector(args: argparse.Namespace) -> Detector:
    """Returns the detector, fitted or calibrated on the input files if needed."""
    detector = parse(args.detector)
    if (detector.fitted and not detector.calibrates) or not args.files:
        return detector

    def read_files(run: Run) -> None:
        for path in args.files:
            run.read(path, args.format, args.encoding)
        note_losses(args, run.faults())

    run = Run(detector, largest=args.largest, fields=fields(args), as_is=args.as_is)
    return weighed(detector, run, read_files)


def _only(path: str, args: argparse.Namespace) -> Article:
    """Reads the only article of a file; raises InputError if there are more or none."""
    hint = "to compare two articles of one file, name their ids: samestory explain ID ID FILE"
    found: Article | None = None
    try:
        for item in read(Source(path, fields(args), args.format, args.encoding, args.largest)):
            if isinstance(item, Problem):
                if not item.kept:
                    raise InputError(str(item))
            elif found is not None:
                raise InputError("expected one article, found more", hint, place=path)
            else:
                found = item
    except InputError as error:
        raise error if error.hint else InputError(error.detail, hint, place=error.place) from None
    if found is None:
        raise InputError("contains no article", hint, place=path)
    return found


def _show(explanation: Explanation, detector: Detector, as_is: bool) -> None:
    from rich.console import Console

    # rich handles a broken pipe itself: render to a string and write it here
    console = Console(highlight=False, width=None if sys.stdout.isatty() else 120)
    with console.capture() as printed:
        _print(console, explanation, detector, as_is)
    write_out(printed.get().encode())


def _heading(explanation: Explanation) -> str:
    """Formats the relation from left to right; an update is shown from the new version to the old one."""
    from_left, relation = explanation.relation_from_left, explanation.relation
    if from_left is None or relation is None:
        return f"not related: {explanation.why}"
    if relation.kind is Kind.UPDATE:
        return printable(f"{relation.left} {relation.kind} {relation.right} ({relation.left} is newer)")
    return printable(f"{from_left.left} {from_left.kind} {from_left.right}")


def _print(console: Console, explanation: Explanation, detector: Detector, as_is: bool) -> None:
    from rich.table import Table
    from rich.text import Text

    left, right = explanation.left, explanation.right
    console.print(Text(_heading(explanation), style="bold"))
    if not explanation.is_beyond_days:
        console.print(detector.describe(explanation.overlap, "the left one", "the right one"))
    if explanation.reasons:
        sides, rest = _evidence(explanation.reasons)
        console.print(sides)
        for line in rest:
            console.print(line)
    shared: tuple[Sequence[Span], Sequence[Span]] = ((), ())
    legend = "[+ new in this one +]"
    if isinstance(detector, NameShingles):
        one, other = (detector.shingles(prepare([article], as_is=as_is)) for article in (left, right))
        shared = names(one, other, shared=True), names(other, one, shared=True)
        legend = "[= a name in the same words in both =]  [+ a name in other words, or only in this one +]"
        for side, shingles in (("left", one), ("right", other)):
            if any(shingle.is_nameless for shingle in shingles):
                legend += f"\nthe {side} one has no names: its first and last words are used instead"
    console.print(legend, style="dim", markup=False)
    table = Table(expand=True)
    for article in (left, right):
        table.add_column(Text(_name(article)), ratio=1, overflow="fold")
    windows = _windows(explanation)
    unique = explanation.only_left, explanation.only_right
    table.add_row(
        *(
            _marked(article.text, only, both, window)
            for article, only, both, window in zip((left, right), unique, shared, windows, strict=True)
        )
    )
    console.print(table)
    for side, article, window in zip(("left", "right"), (left, right), windows, strict=True):
        if window != Span(0, len(article.text)):
            printed = f"{window.start:,} to {window.end:,} of {len(article.text):,}"
            console.print(f"the {side} one is cut: characters {printed} are printed; --json has all passages")


def _evidence(reasons: Sequence[str]) -> tuple[Table, list[str]]:
    """Splits reasons into a table of those for and against, and the rest."""
    from rich.table import Table

    sides: dict[str, list[str]] = {"for": [], "against": []}
    rest = []
    for reason in reasons:
        if isinstance(reason, Reason):
            sides[reason.side].append(reason.words)
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


def _windows(explanation: Explanation) -> tuple[Span, Span]:
    """Returns the parts of both texts that are printed: of long ones, those around the longest shared passage."""
    longest = max(explanation.evidence, key=lambda e: e.left.end - e.left.start, default=None)
    sides = (
        (explanation.left.text, longest.left if longest else Span(0, 0)),
        (explanation.right.text, longest.right if longest else Span(0, 0)),
    )
    is_at_start = all(shared.end <= MAX_PRINTED_CHARS for _, shared in sides)

    def window(text: str, shared: Span) -> Span:
        start = 0 if is_at_start else max(0, shared.start - MAX_PRINTED_CHARS // 4)
        start = max(0, min(start, len(text) - MAX_PRINTED_CHARS))
        return Span(start, min(len(text), start + MAX_PRINTED_CHARS))

    one, other = (window(*side) for side in sides)
    return one, other


def _marked(text: str, unique: Sequence[Span], shared: Sequence[Span], window: Span) -> Text:
    """Returns a part of the text with unique and shared spans in marks and colour."""
    from rich.text import Text

    out, at = Text("" if window.start == 0 else "… "), window.start
    marks = [(span, "+", "bold yellow") for span in unique] + [(span, "=", "bold green") for span in shared]
    inside = ((span, mark, style) for span, mark, style in marks if span.end > at and span.start < window.end)
    for whole, mark, style in sorted(inside):
        span = Span(max(whole.start, at), min(whole.end, window.end))
        out.append(printable(text[at : span.start], one_line=False))
        out.append(f"[{mark}{printable(text[span.start : span.end], one_line=False)}{mark}]", style=style)
        at = span.end
    out.append(printable(text[at : window.end], one_line=False))
    return out.append("" if window.end == len(text) else " …")
