"""samestory extract: extracts articles from web pages."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from samestory.cli.article_lines import line as article_line
from samestory.cli.inputs import add_care, add_threads, check_threads
from samestory.cli.pages import ExtractionRun, add_extractor, add_pages, given_pages
from samestory.cli.progress import progress
from samestory.cli.result_files import check_result, line_stream
from samestory.errors import InputError
from samestory.html import ExtractedArticle
from samestory.html.site_filter import SiteFilter
from samestory.output import Outputs

HELP = "Extract the articles of web pages: one JSON line each, as read by the other commands."
EXAMPLE = "samestory extract crawl.warc.gz --rejects refused.jsonl | samestory find -"


def arguments(command: argparse.ArgumentParser) -> None:
    """Adds the options of the command."""
    add_pages(command)
    add_extractor(command)
    command.add_argument(
        "--site-filter",
        metavar="FILE",
        help="remove text that sites repeat from page to page, such as notices and boxes; the counts are stored in "
        "this file for the next run",
    )
    add_threads(command)
    add_care(command)


def run(args: argparse.Namespace) -> int:
    """Runs the command."""
    check_threads(args)
    check_result("--output", args.output, has_tables=False)
    given_pages(args, extractor=args.extractor)
    sites = None
    if args.site_filter:
        sites = SiteFilter.load(args.site_filter) if Path(args.site_filter).exists() else SiteFilter()
    # no progress bar among results on a terminal
    watched = not args.output and sys.stdout.isatty()
    with Outputs() as out:
        with progress(None, args.quiet or watched) as tick, line_stream(out, args.output) as write:
            work = ExtractionRun(args, out, tick, args.largest, sites)
            for each in work.each(args.files, args.list):
                write(line(each))
            work.finish()
            if not work.articles:
                out.commit()
                raise InputError("no articles found on these pages", _articles_hint(work))
        if sites:
            out.add(args.site_filter, bytes(sites))
        out.commit()
    if not args.quiet:
        print(work.summary(), file=sys.stderr)
    return 0


def _articles_hint(work: ExtractionRun) -> str:
    """Returns a hint if lines had no HTML: they may be articles already."""
    if not work.refused["no page"]:
        return ""
    return "articles need no extraction; samestory find reads them directly"


def line(each: ExtractedArticle) -> bytes:
    """Formats an article as a JSON line; unknown fields are omitted."""
    others = {"fetched": each.fetched, "flags": sorted(each.flags)}
    return article_line(each.article, {name: value for name, value in others.items() if value})
