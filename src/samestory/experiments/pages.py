"""Pages for experiments: those of the user, or the user's articles put into the furniture of sites.

A page is a line of JSON: {"id", "html" or "html_path", "url"?, "charset"?, "site"?, "text"?}. `html_path` is a file
beside the lines, or in the archive of the name of its folder (html/1.html in html.zip); `text` is the news, as people
took it out. Where lines are articles instead, every article is wrapped: its text is known then, and duplicates mostly
come to stand on different sites.
"""

from __future__ import annotations

import random
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from zipfile import ZipFile

from samestory import _core
from samestory.errors import InputError, SamestoryError
from samestory.experiments.collection import Collection
from samestory.experiments.furniture import Template, headline, invented, template
from samestory.html import Extraction, Extractor, Page, parse
from samestory.html.blocks import served
from samestory.html.site_filter import SiteFilter
from samestory.lab import GoldGroups, GoldPairs
from samestory.lab.jsonlines import json_lines
from samestory.model import Article

#: Pages made and read at a time: wrapped ones are large.
AT_ONCE = 64
#: The chance that an article goes to a site that has none of its story.
APART = 0.9
#: What wrapped pages are drawn with.
SEED = 2007


@dataclass(frozen=True, eq=False)
class Pages:
    """Pages by number, made when they are asked for; their ids and sites, and the news of each where it is known."""

    ids: Sequence[str]
    page: Callable[[int], Page]
    news: Sequence[str | None]
    sites: Sequence[str]
    note: str

    def __iter__(self) -> Iterator[Page]:
        return map(self.page, range(len(self.ids)))

    def extracted(self, extractor: Extractor, sites: SiteFilter | None = None) -> list[Article]:
        """What an extractor makes of every page; an article without text where it makes nothing of it.

        A site filter sees the pages in their order, as a stream, and takes out what their sites repeat.
        """
        out = []
        for some in batched(range(len(self.ids)), AT_ONCE):
            found = extractor.extract([self.page(number) for number in some])
            for number, each in zip(some, found, strict=True):
                text = each.text if isinstance(each, Extraction) else ""
                out.append(Article(self.ids[number], text if sites is None else sites.filter(self.sites[number], text)))
        return out

    def reference(self) -> list[Article] | str:
        """The news of every page; or why there is none."""
        known = [Article(name, text) for name, text in zip(self.ids, self.news, strict=True) if text is not None]
        return known if len(known) == len(self.ids) else 'needs "text" beside every page: the news, taken out by people'


def usable(spec: str) -> Extractor | str:
    """The extractor of a spec; or why it cannot be used here."""
    try:
        extractor = parse(spec)
        extractor.extract([Page(b"<p>x</p>")])
    except SamestoryError as why:
        return f"{spec} cannot be used: {str(why).splitlines()[0]}"
    except FileNotFoundError:
        return f"{spec} cannot be used: its model is not there"
    return extractor


def is_paged(collection: Collection) -> bool:
    """Does the user give pages?"""
    return any(_holds_pages(source.path) for source in collection.sources)


def pages(collection: Collection) -> Pages:
    """The pages of a collection."""
    collection.tell("reading pages")
    return _given(collection) if is_paged(collection) else wrapped(collection)


@cache
def _holds_pages(path: str) -> bool:
    if not any(part in (".jsonl", ".json", ".ndjson") for part in Path(path).suffixes):
        return False
    first: dict[str, Any] = next((line for _, line in json_lines(path)), {})
    return "html" in first or "html_path" in first


def _given(collection: Collection) -> Pages:
    lines: dict[str, dict[str, Any]] = {}
    folders = {}
    for source in collection.sources:
        for number, line in json_lines(source.path):
            where, name = f"{source.path}:{number}", str(line.get("id", ""))
            if not name or ("html" not in line and "html_path" not in line):
                raise InputError(f"{where}: a page wants an id and its html or html_path, got {', '.join(line)}")
            if name in lines:
                raise InputError(f"{where}: the id {name!r} was read before")
            lines[name] = line
            folders[name] = Path(source.path).parent
    ids = list(lines)

    def page(number: int) -> Page:
        line = lines[ids[number]]
        if "html" in line:
            return Page(str(line["html"]).encode(), line.get("url"), "utf-8")
        return Page(_bytes(folders[ids[number]], str(line["html_path"])), line.get("url"), line.get("charset"))

    news = [line.get("text") for line in lines.values()]
    return Pages(ids, page, news, [_site(line) for line in lines.values()], "your pages")


def _bytes(folder: Path, path: str) -> bytes:
    try:
        if (folder / path).is_file():
            return (folder / path).read_bytes()
        return _archive(str(folder / f"{Path(path).parts[0]}.zip")).read(path)
    except (OSError, KeyError):
        raise InputError(f"{folder / path}: there is no such page, nor in an archive beside it") from None


@cache
def _archive(path: str) -> ZipFile:
    return ZipFile(path)


def _site(line: dict[str, Any]) -> str:
    return str(line.get("site") or urlsplit(str(line.get("url") or "")).hostname or line["id"])


def wrapped(collection: Collection) -> Pages:
    """The articles of a collection in the furniture of sites."""
    articles = collection.articles()
    sites = collection.templates or invented()
    chosen = _sites(articles, _stories(collection.gold), sites)
    titles = [headline(article) for article in articles]

    def page(number: int) -> Page:
        # links lead to other news: a title of its own would be another matter
        near = range(max(0, number - 1000), min(len(titles), number + 1000))
        others = [titles[at] for at in near if titles[at] != titles[number]]
        return chosen[number].page(articles[number], others, str(SEED))

    note = f"your articles in the furniture of {len(sites)} {'real' if collection.templates else 'invented'} sites"
    return Pages([a.id for a in articles], page, [a.text for a in articles], [each.site for each in chosen], note)


def _sites(articles: Sequence[Article], stories: dict[str, str], sites: Sequence[Template]) -> list[Template]:
    """A site for every article, by chance."""
    chance = random.Random(SEED)
    taken: dict[str, set[str]] = defaultdict(set)
    out = []
    for article in articles:
        story = stories.get(article.id, article.id)
        fresh = [each for each in sites if each.site not in taken[story]]
        out.append(chance.choice(fresh if fresh and chance.random() < APART else sites))
        taken[story].add(out[-1].site)
    return out


def _stories(gold: GoldPairs | GoldGroups | None) -> dict[str, str]:
    """The story of every article that the gold names."""
    if isinstance(gold, GoldGroups):
        return dict(zip(gold.articles, gold.groups, strict=True))
    out: dict[str, str] = {}
    for left, right, same in zip(gold.left, gold.right, gold.labels, strict=True) if gold else ():
        if same:
            story = out.get(left) or out.get(right) or left
            out[left] = out[right] = story
    return out


def templates(given: Pages) -> tuple[list[Template], Counter[str]]:
    """The furniture of pages whose news is known, one page a site; and why others make none, with how many."""
    out: dict[str, Template] = {}
    why: Counter[str] = Counter()
    for page, site, news in zip(given, given.sites, given.news, strict=True):
        if site in out or news is None:
            why["its site has furniture already" if news else "its news is not known"] += 1
            continue
        try:
            made = template(site, _core.page_text(*served(page))[2], news)
        except (ValueError, SamestoryError) as error:
            made = str(error)
        if isinstance(made, str):
            why[re.sub(r"\d+", "…", made)] += 1
        else:
            out[site] = made
    return list(out.values()), why


def batched(numbers: Sequence[int], size: int) -> Iterator[Sequence[int]]:
    """The numbers, so many at a time."""
    return (numbers[at : at + size] for at in range(0, len(numbers), size))
