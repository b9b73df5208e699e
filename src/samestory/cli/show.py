"""samestory show: shows the blocks of a page, coloured by label."""

from __future__ import annotations

import argparse
from itertools import islice

from samestory.cli.inputs import check_files
from samestory.cli.pages import add_extractor, add_largest_page
from samestory.errors import InputError, NotAPage, ParameterError
from samestory.html import parse
from samestory.html.extraction import DEFAULT_EXTRACTOR
from samestory.html.extractors import BlockExtractor
from samestory.html.show import show
from samestory.output import Outputs
from samestory.readers import Page, Problem, pages

HELP = "Show all blocks of a web page, coloured by whether an extractor labels them as content: one HTML page."
EXAMPLE = "samestory show news.html -e rules -o blocks.html"


def arguments(command: argparse.ArgumentParser) -> None:
    """Adds the options of the command."""
    command.add_argument("page", metavar="PAGE", help="an HTML file, or an archive or folder of pages; - for stdin")
    command.add_argument("--number", type=int, metavar="N", help="position of the page, if the file has several")
    add_extractor(command)
    add_largest_page(command)
    command.add_argument(
        "-o", "--output", metavar="FILE", help="write the page to this file (default: standard output)"
    )


def run(args: argparse.Namespace) -> int:
    """Runs the command."""
    check_files(args, [args.page])
    if args.number is not None and args.number < 1:
        raise ParameterError(f"--number: expected at least 1, got {args.number}")
    extractor = parse(args.extractor or DEFAULT_EXTRACTOR)
    if not isinstance(extractor, BlockExtractor):
        raise ParameterError(f"{extractor.name}: does not label individual blocks")
    page = _page(args)
    try:
        shown = show(page, extractor)
    except NotAPage as why:
        raise InputError(why.detail, place=page.origin) from None
    with Outputs() as out:
        out.deliver(shown.encode(), args.output)
        out.commit()
    return 0


def _page(args: argparse.Namespace) -> Page:
    """Returns the selected page."""
    number = args.number or 1
    found = list(islice(pages(args.page, largest=args.largest), number - 1, number + 1))
    if not found:
        raise InputError(f"no page {number}", place=args.page)
    if len(found) > 1 and args.number is None:
        raise ParameterError(f"{args.page}: contains several pages", "select one with --number N")
    if isinstance(found[0], Problem):
        raise InputError(str(found[0]))
    return found[0]
