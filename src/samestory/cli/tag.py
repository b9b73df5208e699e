"""samestory tag: pages annotated by the rules of their sites."""

from __future__ import annotations

import argparse
import os
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path, PurePath

from samestory.cli.inputs import Met, add_complaints
from samestory.cli.output import count
from samestory.cli.pages import add_pages, also_read, given_pages, read_given
from samestory.errors import InputError, NotAPage, ParameterError
from samestory.html.blocks import CEDAR
from samestory.html.site_rules import SiteRules, read_rules, site_among
from samestory.html.tagger import Tagged, canonical, tag
from samestory.output import Outputs
from samestory.readers import Origin, Page, Problem
from samestory.readers.zipped import PAGES

HELP = "Annotate pages by rules of their sites (CSS selectors): gold for train-extractor, made quickly."
EXAMPLE = "samestory tag pages/ --rules sites.toml -o annotated"


def arguments(command: argparse.ArgumentParser) -> None:
    """The options of this command."""
    add_pages(command)
    command.add_argument("--rules", metavar="FILE", required=True, help="the rules of the sites, as TOML")
    command.add_argument("--site", metavar="NAME", help="all pages are from this site (default: by their addresses)")
    command.add_argument(
        "-o",
        "--output",
        dest="folder",
        metavar="FOLDER",
        required=True,
        help="write the annotated pages here, in a folder for every site",
    )
    add_complaints(command)


def run(args: argparse.Namespace) -> int:
    """Runs it."""
    paths = given_pages(args, [args.rules])
    folder = _folder(args.folder, [path for path in [*paths, *also_read(args.list)] if path != "-"])
    rules = read_rules(args.rules)
    if args.site and args.site not in rules:
        raise ParameterError(f"--site: {args.rules} has no rules of {args.site}; there are {', '.join(rules)}")
    tally = Tally(rules)
    # who stops at the first bad page still wants to see what was refused, but no pages
    with _new_folders() as make, Outputs() as annotated, Outputs() as out:
        met, names = Met(args, out), set[Path]()
        for page in read_given(args.files, args.list, Counter(), args.largest):
            if isinstance(page, Problem):
                met.met([page])
                continue
            origin = page.origin or Origin(page.url or "page")
            try:
                site = args.site or site_among(page, rules, "" if page.url else canonical(page))
                if site is None:
                    met.met([Problem(*origin, "unknown site", _unknown(page, args.rules))])
                    continue
                found = tag(page, rules[site])
            except NotAPage as why:
                met.met([Problem(*origin, "not a page", str(why).removeprefix(f"{page.url or 'page'}: "))])
                continue
            except InputError as why:
                met.met([Problem(*origin, "not annotated", str(why).partition("\n")[0])])
                continue
            tally.add(site, found)
            place = _place(folder / site, origin, names)
            make(place.parent)
            annotated.add(str(place), found.raw)
        met.finish()
        out.commit()
        if not names:
            raise InputError(f"no page could be annotated by {args.rules}")
        annotated.commit()
    if not args.quiet:
        print(tally, file=sys.stderr)
    return 0


class Tally:
    """What became of the pages of every site."""

    def __init__(self, rules: dict[str, SiteRules]) -> None:
        self._rules = rules
        self._pages: Counter[str] = Counter()
        self._words: Counter[str] = Counter()
        self._empty: Counter[str] = Counter()
        self._without: dict[str, Counter[tuple[str, str]]] = defaultdict(Counter)

    def add(self, site: str, found: Tagged) -> None:
        """Counts a page."""
        self._pages[site] += 1
        self._words[site] += found.words[CEDAR[0]]
        self._empty[site] += not found.words[CEDAR[0]]
        self._without[site].update(which for which, number in found.matched.items() if not number)

    def __str__(self) -> str:
        lines = []
        for site in self._rules:
            number = self._pages[site]
            if not number:
                lines.append(f"{site}: no page")
                continue
            empty = count(self._empty[site], "page without content", "pages without content")
            lines.append(f"{site}: {count(number, 'page')}, {count(self._words[site], 'word')} of content, {empty}")
            for (key, selector), without in self._without[site].items():
                on = "any page" if without == number else f"{without:,} of {number:,} pages"
                lines.append(f"  {key}: {selector!r} matches nothing on {on}")
        return "\n".join(lines)


def _unknown(page: Page, rules: str) -> str:
    about = f"no rules for {page.url} in {rules}" if page.url else f"it has no address of a site in {rules}"
    return f"{about} (--site names one)"


def _folder(given: str, inputs: list[str]) -> Path:
    """The folder to write into; it must not lie in what is read, nor hold it."""
    folder, place = Path(given), Path(given).resolve()
    if folder.exists() and not folder.is_dir():
        raise ParameterError(f"-o: {folder} is no folder")
    if not place.parent.is_dir():
        raise InputError(f"-o: {folder}: there is no folder to put it into")
    for each in inputs:
        if Path(each).is_dir() and place.is_relative_to(Path(each).resolve()):
            raise ParameterError(f"-o: {folder} lies in {each}, which is read")
        if Path(each).resolve().is_relative_to(place):
            raise ParameterError(f"-o: {folder} holds {each}, which is read")
    return folder


def _place(folder: Path, origin: Origin, taken: set[Path]) -> Path:
    """Where a page goes: under its own name; where that is taken, with the folders before it, then a number."""
    parts = [part for part in PurePath(origin.file).parts if part not in ("/", ".", "..")] or ["page"]
    parts[-1] = parts[-1].removesuffix(".gz").removesuffix(".zst").replace(":", "_")
    if origin.line:
        parts[-1] += f"-{origin.line}.html"
    elif PurePath(parts[-1]).suffix.lower() not in PAGES:
        parts[-1] += ".html"
    names = [_short("_".join(parts[at:])) for at in reversed(range(len(parts)))]
    place = next((folder / name for name in names if folder / name not in taken), None)
    number = 2
    while place is None or place in taken:
        place = folder / f"{number}_{names[-1]}"
        number += 1
    taken.add(place)
    return place


def _short(name: str) -> str:
    """The end of a name, as much as file systems take: they count bytes."""
    return os.fsencode(name)[-200:].decode("utf-8", "ignore")


@contextmanager
def _new_folders() -> Iterator[Callable[[Path], None]]:
    """Gives a function that makes folders; those in which nothing was put in the end are taken away again."""
    made: list[Path] = []

    def make(folder: Path) -> None:
        for each in (folder.parent, folder):
            if not each.is_dir():
                each.mkdir()
                made.append(each)

    try:
        yield make
    finally:
        for each in reversed(made):
            with suppress(OSError):  # something is in it
                each.rmdir()
