"""samestory extract: pages to articles."""

from __future__ import annotations

import argparse
import json
import sys

from samestory.cli.inputs import add_care
from samestory.cli.pages import Extracting, add_extractor, add_pages, given_pages
from samestory.cli.progress import progress
from samestory.errors import InputError
from samestory.html import Extracted
from samestory.output import Outputs
from samestory.readers import ROLES

HELP = "Extract the articles on web pages: one JSON line for each, as the other commands read them."
EXAMPLE = "samestory extract crawl.warc.gz --rejects refused.jsonl | samestory find -"


def arguments(command: argparse.ArgumentParser) -> None:
    """The options of this command."""
    add_pages(command)
    add_extractor(command)
    add_care(command)


def run(args: argparse.Namespace) -> int:
    """Runs it."""
    given_pages(args, extractor=args.extractor)
    # who watches the articles go by needs no bar among them
    watched = not args.output and sys.stdout.isatty()
    with Outputs() as out:
        with progress(None, args.quiet or watched) as tick, out.stream(args.output) as write:
            work = Extracting(args, out, tick, args.largest)
            for each in work.each(args.files, args.list):
                write(line(each))
            work.finish()
            if not work.articles:
                out.commit()
                raise InputError("no articles on these pages")
        out.commit()
    if not args.quiet:
        print(work.summary(), file=sys.stderr)
    return 0


def line(each: Extracted) -> bytes:
    """The line of an article; of what is not known nothing is said."""
    article = each.article
    row = {role: getattr(article, role) for role in ROLES if getattr(article, role) is not None}
    beside = {"author": each.known.author, "modified": each.known.modified, "fetched": each.fetched}
    row |= {name: value for name, value in beside.items() if value}
    if each.flags:
        row["flags"] = sorted(each.flags)
    return (json.dumps(row, ensure_ascii=False, separators=(",", ":")) + "\n").encode()
