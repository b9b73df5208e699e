"""Pages for experiments: those of the user, or the user's articles wrapped in page templates.

A page is a line of JSON: {"id", "html" or "html_path", "url"?, "charset"?, "site"?, "text"?}. `html_path` is
relative to the folder of the file, or inside a zip named like its first folder (html/1.html in html.zip); `text` is the
manually extracted content. If the lines are articles instead, every article is wrapped, so that its text is known;
duplicates are mostly placed on different sites.
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

from samestory.errors import InputError, SamestoryError
from samestory.html import Extraction, Extractor, Page, parse
from samestory.html.blocks import served
from samestory.html.site_filter import SiteFilter
from samestory.lab.evaluation import GoldGroups, GoldPairs
from samestory.lab.evaluation.jsonlines import json_lines
from samestory.lab.experiments.inputs import ExperimentInput
from samestory.lab.experiments.templates import Template, builtin_templates, headline, template
from samestory.model import Article

#: Pages created and extracted at a time: wrapped ones are large.
BATCH_PAGES = 64
#: The probability that an article is placed on a site without an article of its story.
NEW_SITE_PROBABILITY = 0.9
#: The seed of wrapped pages.
SEED = 2007


@dataclass(frozen=True, eq=False)
class PageSet:
    """Pages by number, created on demand; their ids and sites, and the content of each where known."""

    ids: Sequence[str]
    page: Callable[[int], Page]
    news: Sequence[str | None]
    sites: Sequence[str]
    note: str

    def __iter__(self) -> Iterator[Page]:
        return map(self.page, range(len(self.ids)))

    def extracted(self, extractor: Extractor, sites: SiteFilter | None = None) -> list[Article]:
        """Extract every page; an article without text where extraction fails.

        A site filter processes the pages in order, as a stream, and removes what their sites repeat.
        """
        out = []
        for some in batched(range(len(self.ids)), BATCH_PAGES):
            found = extractor.extract([self.page(number) for number in some])
            for number, each in zip(some, found, strict=True):
                text = each.text if isinstance(each, Extraction) else ""
                out.append(Article(self.ids[number], text if sites is None else sites.filter(self.sites[number], text)))
        return out

    def reference(self) -> list[Article] | str:
        """Return the content of every page; or why it is missing."""
        articles = [Article(name, text) for name, text in zip(self.ids, self.news, strict=True) if text is not None]
        return articles if len(articles) == len(self.ids) else 'every page needs "text": its manually extracted content'


def usable(spec: str) -> Extractor | str:
    """Return the extractor of a spec; or why it cannot be used."""
    try:
        extractor = parse(spec)
        extractor.extract([Page(b"<p>x</p>")])
    except SamestoryError as why:
        return f"{spec} cannot be used: {str(why).splitlines()[0]}"
    except FileNotFoundError:
        return f"{spec} cannot be used: its model is missing"
    return extractor


def is_paged(collection: ExperimentInput) -> bool:
    """Whether the input has pages."""
    return any(_holds_pages(source.path) for source in collection.sources)


def pages(collection: ExperimentInput) -> PageSet:
    """Return the pages of a collection, wrapping articles if it has none."""
    collection.progress("reading pages")
    return _user_pages(collection) if is_paged(collection) else wrapped(collection)


@cache
def _holds_pages(path: str) -> bool:
    if not any(part in (".jsonl", ".json", ".ndjson") for part in Path(path).suffixes):
        return False
    first: dict[str, Any] = next((line for _, line in json_lines(path)), {})
    return "html" in first or "html_path" in first


def _user_pages(collection: ExperimentInput) -> PageSet:
    lines: dict[str, dict[str, Any]] = {}
    folders = {}
    for source in collection.sources:
        for number, line in json_lines(source.path):
            where, name = f"{source.path}:{number}", str(line.get("id", ""))
            if not name or ("html" not in line and "html_path" not in line):
                raise InputError(f"a page needs an id and html or html_path, got {', '.join(line)}", place=where)
            if name in lines:
                raise InputError(f"the id {name!r} occurs twice", place=where)
            lines[name] = line
            folders[name] = Path(source.path).parent
    ids = list(lines)

    def page(number: int) -> Page:
        line = lines[ids[number]]
        if "html" in line:
            return Page(str(line["html"]).encode(), line.get("url"), "utf-8")
        return Page(_bytes(folders[ids[number]], str(line["html_path"])), line.get("url"), line.get("charset"))

    news = [line.get("text") for line in lines.values()]
    return PageSet(ids, page, news, [_site(line) for line in lines.values()], "your pages")


def _bytes(folder: Path, path: str) -> bytes:
    try:
        if (folder / path).is_file():
            return (folder / path).read_bytes()
        return _archive(str(folder / f"{Path(path).parts[0]}.zip")).read(path)
    except (OSError, KeyError):
        raise InputError(
            f"{folder / path}: no such page, neither as a file nor in the zip archive of its folder"
        ) from None


@cache
def _archive(path: str) -> ZipFile:
    return ZipFile(path)


def _site(line: dict[str, Any]) -> str:
    return str(line.get("site") or urlsplit(str(line.get("url") or "")).hostname or line["id"])


def wrapped(collection: ExperimentInput) -> PageSet:
    """Wrap the articles of a collection in page templates."""
    articles = collection.articles()
    sites = collection.templates or builtin_templates()
    chosen = _sites(articles, _stories(collection.gold), sites)
    titles = [headline(article) for article in articles]

    def page(number: int) -> Page:
        # links lead to other news, never to the article itself
        near = range(max(0, number - 1000), min(len(titles), number + 1000))
        others = [titles[at] for at in near if titles[at] != titles[number]]
        return chosen[number].page(articles[number], others, str(SEED))

    note = f"your articles in page templates of {len(sites)} {'real' if collection.templates else 'invented'} sites"
    return PageSet([a.id for a in articles], page, [a.text for a in articles], [each.site for each in chosen], note)


def _sites(articles: Sequence[Article], stories: dict[str, str], sites: Sequence[Template]) -> list[Template]:
    """Choose a random site for every article."""
    chance = random.Random(SEED)
    used: dict[str, set[str]] = defaultdict(set)
    out = []
    for article in articles:
        story = stories.get(article.id, article.id)
        fresh = [each for each in sites if each.site not in used[story]]
        out.append(chance.choice(fresh if fresh and chance.random() < NEW_SITE_PROBABILITY else sites))
        used[story].add(out[-1].site)
    return out


def _stories(gold: GoldPairs | GoldGroups | None) -> dict[str, str]:
    """Return the story of every article of the gold."""
    if isinstance(gold, GoldGroups):
        return dict(zip(gold.articles, gold.groups, strict=True))
    out: dict[str, str] = {}
    for left, right, same in zip(gold.left, gold.right, gold.labels, strict=True) if gold else ():
        if same:
            story = out.get(left) or out.get(right) or left
            out[left] = out[right] = story
    return out


def templates(given: PageSet) -> tuple[list[Template], Counter[str]]:
    """Make templates of pages with known content, one per site; and count the reasons of rejection."""
    out: dict[str, Template] = {}
    why: Counter[str] = Counter()
    for page, site, news in zip(given, given.sites, given.news, strict=True):
        if site in out or news is None:
            why["its site has a template already" if news else "its content is unknown"] += 1
            continue
        try:
            made = template(site, served(page).markup.text, news)
        except (ValueError, SamestoryError) as error:
            made = str(error)
        if isinstance(made, str):
            why[re.sub(r"\d+", "…", made)] += 1
        else:
            out[site] = made
    return list(out.values()), why


def batched(numbers: Sequence[int], size: int) -> Iterator[Sequence[int]]:
    """Yield the numbers in batches."""
    return (numbers[at : at + size] for at in range(0, len(numbers), size))
