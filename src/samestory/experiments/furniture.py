"""Page furniture: articles whose text is known, put into pages of sites, so that extraction can be measured.

A template is a real page with other text in the place of its own: the blocks that hold its news are found and emptied,
and take the paragraphs of an article. What stands around is that of the site. It changes from page to page as it does
there: links to other news get the titles of other articles, figures are drawn anew.

A page whose news cannot be found well enough, or still says what it said, makes no template.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from html import escape
from importlib.resources import files

from samestory.html import Page, blocks
from samestory.html.align import align, words
from samestory.html.markup import Piece, pieces, shown
from samestory.model import Article

#: A block of the news with fewer words is a heading or the like, and stays empty.
SMALL = 8
#: A link of so many words leads to other news.
HEADLINE = 4
#: Blocks of running text that a template must have, at least.
FEWEST = 2
#: A longer script is cut: pages of a million characters of script would only measure patience.
SCRIPT = 4_000
#: The most runs of five words of its old news that a template may still show, as a share.
LEFT = 0.05
#: The share of an article that a page of the template must show.
SHOWN = 0.95
_CEDAR = re.compile(r'<span class="CedarContent">(.*?)</span>', re.DOTALL)
_META = re.compile(r"description|title", re.IGNORECASE)
_CONTENT = re.compile(r"(\bcontent\s*=\s*)(\"[^\"]*\"|'[^']*')", re.IGNORECASE)
_SENTENCE = re.compile(r"(?<=[.!?…])\s+(?=[\"“«(]?[^\W\d_a-zа-яёçğıöşü])")
#: Words from which on a paragraph is cut at the ends of sentences, as news does.
LONG = 60


@dataclass(frozen=True, slots=True)
class Slot:
    """A place in a template: for paragraphs of the news, its title, the title of other news, or figures."""

    what: str
    text: str
    """What stood there, of figures; what parts two paragraphs, of the news."""


@dataclass(frozen=True)
class Template:
    """The furniture of a site: markup, and slots between."""

    site: str
    parts: tuple[str | Slot, ...] = field(repr=False)

    @property
    def paragraphs(self) -> int:
        """Slots for the news."""
        return sum(isinstance(part, Slot) and part.what == "news" for part in self.parts)

    def page(self, article: Article, titles: Sequence[str], seed: str = "") -> Page:
        """An article in this furniture, with some of these titles as links; the same seed gives the same page."""
        chance = random.Random(f"{seed}/{self.site}/{article.id}")
        news = iter(_dealt(paragraphs(article.text), self.paragraphs))
        title = escape(headline(article))
        out = []
        for part in self.parts:
            if isinstance(part, str):
                out.append(part)
            elif part.what == "news":
                out.append(part.text.join(map(escape, next(news))))
            elif part.what == "title":
                out.append(title)
            elif part.what == "link":
                out.append(escape(chance.choice(titles)) if titles else "")
            else:
                out.append(re.sub(r"\d", lambda _: chance.choice("0123456789"), part.text))
        return Page("".join(out).encode(), f"https://{self.site}/{article.id}", "utf-8")


def headline(article: Article) -> str:
    """The title of an article; without one, how it begins."""
    return article.title or " ".join(article.text.split()[:8])


def paragraphs(text: str) -> list[str]:
    """The paragraphs of a text: its lines, long ones cut in two or more at ends of sentences.

    >>> paragraphs("One.\\n\\nTwo.")
    ['One.', 'Two.']
    """
    out = []
    for line in filter(None, (" ".join(line.split()) for line in text.splitlines())):
        held: list[str] = []
        for sentence in _SENTENCE.split(line):
            held.append(sentence)
            if sum(len(each.split()) for each in held) >= LONG:
                out.append(" ".join(held))
                held = []
        if held:
            out.append(" ".join(held))
    return out


def _dealt(given: Sequence[str], slots: int) -> Iterator[Sequence[str]]:
    """Paragraphs in order, as evenly as they go into so many slots."""
    for slot in range(slots):
        yield given[slot * len(given) // slots : (slot + 1) * len(given) // slots]


def template(site: str, markup: str, news: str) -> Template | str:
    """The template that a page makes whose news is this text; or why it makes none."""
    found = list(_found(markup))
    content = align([shown(each.shown) for each in found], news)
    cuts: dict[int, tuple[int, str | Slot]] = {}
    running = 0
    for block, is_news in zip(found, content, strict=True):
        what = block.slot(is_news)
        if what is None:
            continue
        running += what.what == "news" if isinstance(what, Slot) else 0
        for number, piece in enumerate(block.texts):
            cuts[piece.start] = (piece.end, what if number == 0 else "")
    if running < FEWEST:
        return f"its news stands in {running} blocks, {FEWEST} are wanted"
    made = Template(site, tuple(_parts(markup, cuts)))
    return _why_not(made, news) or made


@dataclass
class _Block:
    """The pieces of text of a block, and where they lie."""

    markup: str
    opened: Piece | None
    around: str
    texts: list[Piece] = field(default_factory=list)
    linked: int = 0

    @property
    def shown(self) -> str:
        return "".join(self.markup[piece.start : piece.end] for piece in self.texts)

    def slot(self, is_news: bool) -> Slot | str | None:
        """What comes in its place; None where it stays as it is."""
        count = len(words(shown(self.shown)))
        if self.around in ("title", "h1"):
            return Slot("title", "")
        if is_news:
            return Slot("news", self._between()) if count >= SMALL else ""
        if count >= HEADLINE and self.linked >= 0.8 * len(self.shown):
            return Slot("link", "")
        is_figures = sum(map(str.isdigit, self.shown)) > 1 and "©" not in self.shown and "&" not in self.shown
        return Slot("figures", self.shown) if is_figures else None

    def _between(self) -> str:
        """What parts paragraphs here."""
        if self.opened is None or self.opened.closes or self.opened.name not in ("p", "div", "li"):
            return "<br><br>"
        return f"</{self.opened.name}>{self.markup[self.opened.start : self.opened.end]}"


def _found(markup: str) -> Iterator[_Block]:
    """The blocks of a page with their places in its markup."""
    links, around = 0, ""
    held = _Block(markup, None, "")
    for piece in pieces(markup):
        if piece.what == "text":
            if markup[piece.start : piece.end].strip():
                held.texts.append(piece)
                held.linked += piece.end - piece.start if links else 0
        elif piece.what == "tag" and piece.name == "a":
            links = 0 if piece.closes else 1
        elif piece.breaks:
            if held.texts:
                yield held
            if piece.name in ("title", "h1"):
                around = "" if piece.closes else piece.name
            held = _Block(markup, piece, around)
    if held.texts:
        yield held


def _parts(markup: str, cuts: dict[int, tuple[int, str | Slot]]) -> Iterator[str | Slot]:
    """The markup with slots in it; what tells the old news elsewhere is taken out."""
    held: list[str] = []
    told = False  # that data about the news follows
    for piece in pieces(markup):
        text = markup[piece.start : piece.end]
        if piece.what == "code":
            held.append("" if told else text[:SCRIPT])
        elif piece.what == "text" and piece.start in cuts:
            what = cuts[piece.start][1]
            if isinstance(what, Slot):
                yield "".join(held)
                yield what
                held = []
        elif piece.name == "meta" and _META.search(text) and (content := _CONTENT.search(text)):
            yield "".join((*held, text[: content.end(1)], '"'))
            yield Slot("title", "")
            held = ['"', text[content.end() :]]
        else:
            held.append(text)
        told = piece.name == "script" and "json" in text.lower()
    yield "".join(held)


def _why_not(made: Template, news: str) -> str | None:
    """Why a template is none: it does not show what is put into it, or still shows what it held."""
    probe = [" ".join(f"probe{line}word{at}" for at in range(20)) for line in range(2 * made.paragraphs)]
    page = made.page(Article("probe", "\n".join(probe), "probe title"), ["other title"])
    seen = [word for block in blocks(page) for word in words(block.text)]
    wanted = [word for line in probe for word in words(line)]
    there = len(set(seen) & set(wanted)) / len(wanted)
    if there < SHOWN:
        return f"it shows {there:.0%} of what is put into it"
    old, new = _runs(words(news)), _runs(seen)
    if old and len(old & new) > LEFT * len(old):
        return f"{len(old & new) / len(old):.0%} of its old news are left"
    return None


def _runs(given: Sequence[str]) -> set[tuple[str, ...]]:
    return {tuple(given[at : at + 5]) for at in range(len(given) - 4)}


def annotated(site: str, markup: str) -> Template:
    """The template of a page whose news stands in `CedarContent` spans."""
    news = "\n".join(shown(each) for each in _CEDAR.findall(markup))
    made = template(site, _CEDAR.sub(r"\1", markup), news)
    if isinstance(made, str):
        raise ValueError(f"{site}: {made}")
    return made


def invented() -> list[Template]:
    """Templates of sites that do not exist: part of the package, so that everybody can wrap articles."""
    folder = files("samestory.experiments") / "data" / "templates"
    found = sorted((each.name, each.read_text(encoding="utf-8")) for each in folder.iterdir())
    return [annotated(name.removesuffix(".html"), markup) for name, markup in found if name.endswith(".html")]
