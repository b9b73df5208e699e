"""samestory extract: pages to articles."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from samestory.cli.inputs import add_care, add_threads, check_threads
from samestory.cli.pages import Extracting, add_extractor, add_pages, given_pages
from samestory.cli.progress import progress
from samestory.errors import InputError
from samestory.html import Extracted
from samestory.html.site_filter import SiteFilter
from samestory.output import Outputs
from samestory.readers import ROLES

HELP = "Extract the articles on web pages: one JSON line for each, as the other commands read them."
EXAMPLE = "samestory extract crawl.warc.gz --rejects refused.jsonl | samestory find -"


def arguments(command: argparse.ArgumentParser) -> None:
    """The options of this command."""
    add_pages(command)
    add_extractor(command)
    command.add_argument(
        "--site-filter",
        metavar="FILE",
        help="take out what sites repeat from page to page, such as notices and boxes; what is learned of them is kept "
        "in this file, and known in the next run",
    )
    add_threads(command)
    add_care(command)


def run(args: argparse.Namespace) -> int:
    """Runs it."""
    check_threads(args)
    given_pages(args, extractor=args.extractor)
    sites = None
    if args.site_filter:
        sites = SiteFilter.load(args.site_filter) if Path(args.site_filter).exists() else SiteFilter()
    # who watches the articles go by needs no bar among them
    watched = not args.output and sys.stdout.isatty()
    with Outputs() as out:
        with progress(None, args.quiet or watched) as tick, out.stream(args.output) as write:
            work = Extracting(args, out, tick, args.largest, sites)
            for each in work.each(args.files, args.list):
                write(line(each))
            work.finish()
            if not work.articles:
                out.commit()
                raise InputError("no articles on these pages", _articles_hint(work))
        if sites:
            out.add(args.site_filter, bytes(sites))
        out.commit()
    if not args.quiet:
        print(work.summary(), file=sys.stderr)
    return 0


def _articles_hint(work: Extracting) -> str:
    """Where lines without HTML were given: they may be articles already."""
    if not work.refused["no page"]:
        return ""
    return "a file of articles needs no extraction: samestory find reads it as it is"


def line(each: Extracted) -> bytes:
    """The line of an article; of what is not known nothing is said."""
    article = each.article
    row = {role: getattr(article, role) for role in ROLES if getattr(article, role) is not None}
    beside = {"author": each.known.author, "modified": each.known.modified, "fetched": each.fetched}
    row |= {name: value for name, value in beside.items() if value}
    if each.flags:
        row["flags"] = sorted(each.flags)
    return (json.dumps(row, ensure_ascii=False, separators=(",", ":")) + "\n").encode()
