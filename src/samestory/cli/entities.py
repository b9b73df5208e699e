"""samestory entities: the persons, places and organisations that articles name, and what told each."""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from samestory.cli.inputs import Reading, add_care, add_inputs, check_files
from samestory.cli.output import count
from samestory.cli.progress import progress
from samestory.entities import Entity, Recogniser, load
from samestory.entities.recogniser import LANGUAGES, RULES, by_model
from samestory.errors import InputError, ParameterError
from samestory.model import Article, Features
from samestory.output import Outputs
from samestory.text import prepare

if TYPE_CHECKING:
    from samestory.cli.marked import Marked

HELP = "Tell the persons, places and organisations that articles name: one JSON line for every article."
EXAMPLE = "samestory entities demo/news.jsonl --table"

#: Articles in memory at a time: enough for a model to work on several at once.
BATCH = 256

Teller = Callable[[Features], list[list[Entity]]]


def arguments(command: argparse.ArgumentParser) -> None:
    """The options of this command."""
    add_inputs(command)
    names = command.add_argument_group("names")
    names.add_argument(
        "--rules",
        choices=RULES,
        help="how names are told: Turkish ones as in the study, or by all our rules (extended)",
    )
    names.add_argument("--gazetteer", metavar="PATH", help="names of your own: a file, or a folder of *.txt")
    names.add_argument(
        "--model", metavar="SPEC", help="let a model tell them: spacy:MODEL, stanza:LANGUAGE or natasha, if installed"
    )
    command.add_argument("--table", action="store_true", help="the texts with their names marked, for people")
    command.add_argument(
        "--unclassified",
        action="store_true",
        help="with --table, mark names of unknown kind too (JSON lines have them)",
    )
    add_care(command)


def run(args: argparse.Namespace) -> int:
    """Runs it."""
    if args.unclassified and not args.table:
        raise ParameterError("--unclassified is for --table; JSON lines have all names")
    check_files(args, args.files, [args.gazetteer] if args.gazetteer else [])
    told: Counter[str] = Counter()
    foreign: Counter[str] = Counter()
    # who watches the names go by needs no bar among them
    watched = not args.output and sys.stdout.isatty()
    with Outputs() as out:
        reading = Reading(args, out)
        tell, form = _teller(args, reading), _form(args)
        with progress(args.files, args.quiet or watched) as tick, out.stream(args.output) as write:
            if tick:
                tick("naming", 0, 0, 0)
            write(form.opening())
            for batch in reading.batches(BATCH):
                features = prepare(batch)
                rows = tell(features)
                write(b"".join(map(form.article, batch, features.languages, rows)))
                told.update(name.kind for row in rows for name in row)
                foreign.update(language for language in features.languages if language not in LANGUAGES)
                if tick:
                    tick("naming", reading.articles, 0, reading.articles)
            reading.finish()
            if not reading.articles:
                out.commit()
                raise InputError("no articles to work on")
        out.commit()
    if not args.quiet:
        print(_summary(reading, told, {} if args.model else foreign), file=sys.stderr)
    return 0


def _teller(args: argparse.Namespace, reading: Reading) -> Teller:
    """What tells the names. Lines of a user's list that cannot be read are problems as others are."""
    if args.model:
        for option in ("rules", "gazetteer"):
            if getattr(args, option):
                raise ParameterError(f"--{option}: is not for models, which have no rules and lists")
        model = load(args.model)
        return lambda features: by_model(model, features)
    recogniser = Recogniser(args.rules or RULES[0], args.gazetteer or "")
    reading.met(recogniser.problems)
    return recogniser.features


def _form(args: argparse.Namespace) -> Lines | Marked:
    if not args.table:
        return Lines()
    from samestory.cli.marked import Marked

    return Marked(args.unclassified, to_file=bool(args.output))


class Lines:
    """A JSON line for every article."""

    def opening(self) -> bytes:
        """What stands above: nothing."""
        return b""

    def article(self, article: Article, language: str, names: Iterable[Entity]) -> bytes:
        """The line of an article."""
        rows = [{"start": n.start, "end": n.end, "text": n.text, "kind": n.kind, "because": n.because} for n in names]
        line = {"id": article.id, "language": language, "entities": rows}
        return (json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n").encode()


#: What a name is called whose kind is counted; and several.
WORDS = {
    "person": ("person", "persons"),
    "location": ("place", "places"),
    "organization": ("organisation", "organisations"),
    "unclassified": ("unclassified name", "unclassified names"),
}


def counts(told: Counter[str], kinds: Sequence[str] = tuple(WORDS)) -> str:
    """How many names of each kind there are, in words.

    >>> counts(Counter({"location": 2, "person": 1}))
    '1 person, 2 places'
    """
    return ", ".join(count(told[kind], *WORDS[kind]) for kind in kinds if told[kind]) or "no names"


def _summary(reading: Reading, told: Counter[str], foreign: Counter[str] | dict[str, int]) -> str:
    said = f"{count(reading.articles, 'article')}: {counts(told)}"
    refused = reading.refused.total()
    if refused or reading.doubted:
        said += f"; {refused:,} refused, {reading.doubted:,} kept with a doubt"
    if foreign:
        others = ", ".join(f"{number:,} × {language}" for language, number in sorted(foreign.items()))
        said += f"\nno rules for {others}: names are told in {', '.join(LANGUAGES)}; others need a model (--model)"
    return said
