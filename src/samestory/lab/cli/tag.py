"""samestory tag: annotates pages by site rules."""

from __future__ import annotations

import argparse
import os
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path, PurePath

from samestory.cli.inputs import add_complaints
from samestory.cli.pages import add_pages, also_read, given_pages, read_given
from samestory.cli.rejected import ProblemLog
from samestory.cli.summary import count
from samestory.errors import InputError, NotAPage, ParameterError
from samestory.html.blocks import CEDAR
from samestory.lab.training.site_rules import SiteRules, read_rules, site_among
from samestory.lab.training.tagger import AnnotatedPage, canonical, tag
from samestory.output import Outputs
from samestory.readers import Origin, Page, Problem
from samestory.readers.zipped import PAGES

HELP = "Annotate pages by site rules (CSS selectors), as gold for train-extractor."
EXAMPLE = "samestory tag pages/ --rules sites.toml -o annotated"


def arguments(command: argparse.ArgumentParser) -> None:
    """Adds the options of the command."""
    add_pages(command)
    command.add_argument("--rules", metavar="FILE", required=True, help="site rules, as TOML")
    command.add_argument("--site", metavar="NAME", help="site of all pages (default: by URL)")
    command.add_argument(
        "-o",
        "--output",
        dest="folder",
        metavar="FOLDER",
        required=True,
        help="write the annotated pages to this folder, one subfolder per site",
    )
    add_complaints(command)


def run(args: argparse.Namespace) -> int:
    """Runs the command."""
    paths = given_pages(args, [args.rules])
    folder = _folder(args.folder, [path for path in [*paths, *also_read(args.list)] if path != "-"])
    rules = read_rules(args.rules)
    if args.site and args.site not in rules:
        raise ParameterError(f"--site: {args.rules} has no rules for {args.site}; available: {', '.join(rules)}")
    counts = SiteCounts(rules)
    # with --strict, the rejects file is still written, but no pages
    with _new_folders() as make, Outputs() as annotated, Outputs() as out:
        problems, names = ProblemLog(args, out), set[Path]()
        for page in read_given(args.files, args.list, Counter(), args.largest):
            if isinstance(page, Problem):
                problems.note([page])
                continue
            origin = page.origin or Origin(page.url or "page")
            try:
                site = args.site or site_among(page, rules, "" if page.url else canonical(page))
                if site is None:
                    problems.note([Problem(*origin, "unknown site", _unknown(page, args.rules))])
                    continue
                found = tag(page, rules[site])
            except NotAPage as why:
                problems.note([Problem(*origin, "not a page", why.detail)])
                continue
            except InputError as why:
                problems.note([Problem(*origin, "not annotated", str(why).partition("\n")[0])])
                continue
            counts.add(site, found)
            place = _place(folder / site, origin, names)
            make(place.parent)
            annotated.add(str(place), found.raw)
        problems.finish()
        out.commit()
        if not names:
            raise InputError(f"no page could be annotated with {args.rules}")
        annotated.commit()
    if not args.quiet:
        print(counts, file=sys.stderr)
    return 0


class SiteCounts:
    """Counts of annotated pages, words and unmatched selectors, by site."""

    def __init__(self, rules: dict[str, SiteRules]) -> None:
        self._rules = rules
        self._pages: Counter[str] = Counter()
        self._words: Counter[str] = Counter()
        self._empty: Counter[str] = Counter()
        self._without: dict[str, Counter[tuple[str, str]]] = defaultdict(Counter)

    def add(self, site: str, found: AnnotatedPage) -> None:
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
                lines.append(f"{site}: no pages")
                continue
            empty = count(self._empty[site], "page without content", "pages without content")
            lines.append(f"{site}: {count(number, 'page')}, {count(self._words[site], 'word')} of content, {empty}")
            for (key, selector), without in self._without[site].items():
                on = "any page" if without == number else f"{without:,} of {number:,} pages"
                lines.append(f"  {key}: {selector!r} matches nothing on {on}")
        return "\n".join(lines)


def _unknown(page: Page, rules: str) -> str:
    about = f"no rules for {page.url} in {rules}" if page.url else f"no URL of a site in {rules}"
    return f"{about} (specify one with --site)"


def _folder(given: str, inputs: list[str]) -> Path:
    """Returns the output folder; it must be neither inside an input nor contain one."""
    folder, place = Path(given), Path(given).resolve()
    if folder.exists() and not folder.is_dir():
        raise ParameterError(f"-o: {folder} is not a folder")
    if not place.parent.is_dir():
        raise InputError(f"-o: {folder}: the parent folder does not exist")
    for each in inputs:
        if Path(each).is_dir() and place.is_relative_to(Path(each).resolve()):
            raise ParameterError(f"-o: {folder} is inside the input folder {each}")
        if Path(each).resolve().is_relative_to(place):
            raise ParameterError(f"-o: {folder} contains the input {each}")
    return folder


def _place(folder: Path, origin: Origin, taken: set[Path]) -> Path:
    """Chooses an unused path for a page: its file name, then with parent folders, then with a number."""
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
    """Truncates a name to its last 200 bytes, which file systems accept."""
    return os.fsencode(name)[-200:].decode("utf-8", "ignore")


@contextmanager
def _new_folders() -> Iterator[Callable[[Path], None]]:
    """Yields a function that creates folders; those left empty are removed at the end."""
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
            with suppress(OSError):  # not empty
                each.rmdir()
