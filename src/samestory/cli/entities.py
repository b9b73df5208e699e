"""samestory entities: recognises persons, places and organisations in articles, with the rule behind each."""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from samestory.cli.entity_kinds import counts
from samestory.cli.inputs import ArticleReader, add_care, add_inputs, check_files
from samestory.cli.progress import progress
from samestory.cli.result_files import check_result, line_stream
from samestory.cli.summary import count
from samestory.entities import Entity, Recogniser, load
from samestory.entities.recogniser import LANGUAGES, RULES, by_model
from samestory.errors import InputError, ParameterError
from samestory.model import Article, Features
from samestory.output import Outputs
from samestory.readers import UNREADABLE
from samestory.text import prepare

if TYPE_CHECKING:
    from samestory.cli.marked_text import MarkedText

HELP = "Recognise persons, places and organisations in articles: one JSON line per article."
EXAMPLE = "samestory entities demo/news.jsonl --table"

#: Articles per batch: enough for a model to process several at once.
BATCH_ARTICLES = 256

NameFinder = Callable[[Features], list[list[Entity]]]


def arguments(command: argparse.ArgumentParser) -> None:
    """Adds the options of the command."""
    add_inputs(command)
    names = command.add_argument_group("names")
    names.add_argument(
        "--rules",
        choices=RULES,
        help="rule set: study (Turkish as published) or extended (all rules)",
    )
    names.add_argument("--gazetteer", metavar="PATH", help="additional names: a file, or a folder of *.txt")
    names.add_argument(
        "--model",
        metavar="SPEC",
        help="use a model instead of rules: spacy:MODEL, stanza:LANGUAGE or natasha, if installed",
    )
    command.add_argument("--table", action="store_true", help="print the texts with names marked")
    command.add_argument(
        "--unclassified",
        action="store_true",
        help="with --table, also mark names of unknown kind (always in JSON lines)",
    )
    add_care(command)


def run(args: argparse.Namespace) -> int:
    """Runs the command."""
    if args.unclassified and not args.table:
        raise ParameterError("--unclassified: requires --table; JSON lines contain all names")
    check_files(args, args.files, [args.gazetteer] if args.gazetteer else [])
    check_result("--output", args.output, has_tables=False)
    kinds: Counter[str] = Counter()
    foreign: Counter[str] = Counter()
    # no progress bar among results on a terminal
    watched = not args.output and sys.stdout.isatty()
    with Outputs() as out:
        reading = ArticleReader(args, out)
        find_names, formatter = _name_finder(args, reading), _formatter(args)
        with progress(args.files, args.quiet or watched) as tick, line_stream(out, args.output) as write:
            if tick:
                tick("naming", 0, 0, 0)
            write(formatter.opening())
            for batch in reading.batches(BATCH_ARTICLES):
                features = prepare(batch)
                rows = find_names(features)
                write(b"".join(map(formatter.article, batch, features.languages, rows)))
                kinds.update(name.kind for row in rows for name in row)
                foreign.update(language for language in features.languages if language not in LANGUAGES)
                if tick:
                    tick("naming", reading.articles, 0, reading.articles)
            reading.finish()
            if not reading.articles:
                out.commit()
                raise InputError("no articles")
        out.commit()
    if not args.quiet:
        print(_summary(reading, kinds, {} if args.model else foreign), file=sys.stderr)
    return 0


def _name_finder(args: argparse.Namespace, reading: ArticleReader) -> NameFinder:
    """Returns the function that finds names; unreadable lines of a user's list are reported as problems."""
    if args.model:
        for option in ("rules", "gazetteer"):
            if getattr(args, option):
                raise ParameterError(f"--{option}: cannot be used with --model")
        model = load(args.model)
        return lambda features: by_model(model, features)
    recogniser = Recogniser(args.rules or RULES[0], args.gazetteer or "")
    reading.note(recogniser.problems)
    return recogniser.features


def _formatter(args: argparse.Namespace) -> JsonLines | MarkedText:
    if not args.table:
        return JsonLines()
    from samestory.cli.marked_text import MarkedText

    return MarkedText(args.unclassified, to_file=bool(args.output))


class JsonLines:
    """Formats articles as JSON lines."""

    def opening(self) -> bytes:
        """Returns the heading: empty."""
        return b""

    def article(self, article: Article, language: str, names: Iterable[Entity]) -> bytes:
        """Returns the line of an article."""
        rows = [{"start": n.start, "end": n.end, "text": n.text, "kind": n.kind, "because": n.because} for n in names]
        line = {"id": article.id, "language": language, "entities": rows}
        return (json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n").encode()


def _summary(reading: ArticleReader, kinds: Counter[str], foreign: Counter[str] | dict[str, int]) -> str:
    text = f"{count(reading.articles, 'article')}: {counts(kinds)}"
    refused = reading.refused.total() - reading.refused[UNREADABLE]
    if refused or reading.doubted:
        text += f"; {refused:,} rejected, {reading.doubted:,} kept with warnings"
    if foreign:
        others = ", ".join(f"{number:,} × {language}" for language, number in sorted(foreign.items()))
        text += f"\nno rules for {others}; rules exist for {', '.join(LANGUAGES)}, other languages need --model"
    return text
