"""samestory show: the blocks of a page, coloured by label."""

from __future__ import annotations

import argparse
from itertools import islice

from samestory.cli.inputs import check_files
from samestory.cli.pages import add_extractor
from samestory.errors import InputError, NotAPage, ParameterError
from samestory.html import parse
from samestory.html.extraction import DEFAULT
from samestory.html.extractors import BlockExtractor
from samestory.html.show import show
from samestory.output import Outputs
from samestory.readers import Page, Problem, pages
from samestory.readers.pages import LARGEST

HELP = "Show all blocks of a web page, coloured by what an extractor takes for content: one page of HTML."
EXAMPLE = "samestory show news.html -e rules -o blocks.html"


def arguments(command: argparse.ArgumentParser) -> None:
    """The options of this command."""
    command.add_argument("page", metavar="PAGE", help="an HTML file, or anything that holds pages; - for stdin")
    command.add_argument("--number", type=int, metavar="N", help="of many pages, the one in this place")
    add_extractor(command)
    command.add_argument(
        "--largest", type=int, default=LARGEST, metavar="BYTES", help="refuse pages larger than this (default: 64 MB)"
    )
    command.add_argument("-o", "--output", metavar="FILE", help="write it here instead of to standard output")


def run(args: argparse.Namespace) -> int:
    """Runs it."""
    check_files(args, [args.page])
    if args.number is not None and args.number < 1:
        raise ParameterError(f"--number: at least 1 is wanted, got {args.number}")
    extractor = parse(args.extractor or DEFAULT)
    if not isinstance(extractor, BlockExtractor):
        raise ParameterError(f"{extractor.name}: judges pages as a whole, not block by block")
    page = _page(args)
    told = f"{page.url or 'page'}: "
    try:
        shown = show(page, extractor)
    except NotAPage as why:
        raise InputError(f"{page.origin}: {str(why).removeprefix(told)}") from None
    with Outputs() as out:
        out.deliver(shown.encode(), args.output)
        out.commit()
    return 0


def _page(args: argparse.Namespace) -> Page:
    """The one page that is meant."""
    number = args.number or 1
    found = list(islice(pages(args.page, largest=args.largest), number - 1, number + 1))
    if not found:
        raise InputError(f"{args.page}: there is no page {number}")
    if len(found) > 1 and args.number is None:
        raise ParameterError(f"{args.page}: holds many pages", "--number 17 is the one in the 17th place")
    if isinstance(found[0], Problem):
        raise InputError(str(found[0]))
    return found[0]
