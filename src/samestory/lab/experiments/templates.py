"""Page templates: articles of known text wrapped in the boilerplate of real sites, to measure extraction.

A template is a real page whose content blocks are emptied and filled with the paragraphs of an article. The boilerplate
remains that of the site and varies from page to page as it does there: links to other news get the titles of other
articles, digits are redrawn.

A page whose content cannot be located well enough, or that still shows its old content, is rejected as a template.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from html import escape
from importlib.resources import files

from samestory.html import Page, blocks
from samestory.html.markup import MarkupPiece, pieces, shown
from samestory.lab.training.align import align, words
from samestory.model import Article

#: A content block with fewer words is a heading or the like, and is left empty.
MIN_CONTENT_WORDS = 8
#: A link of at least this many words is a headline of other news.
MIN_HEADLINE_WORDS = 4
#: Minimum number of content blocks of a template.
MIN_CONTENT_BLOCKS = 2
#: Longer scripts are cut: a million characters of script would only cost time.
MAX_SCRIPT_CHARS = 4_000
#: The largest share of five-word shingles of its old content that a template may still show.
MAX_OLD_SHARE = 0.05
#: The share of an article that a page of the template must show.
MIN_SHOWN_SHARE = 0.95
_CEDAR = re.compile(r'<span class="CedarContent">(.*?)</span>', re.DOTALL)
_META = re.compile(r"description|title", re.IGNORECASE)
_CONTENT = re.compile(r"(\bcontent\s*=\s*)(\"[^\"]*\"|'[^']*')", re.IGNORECASE)
_SENTENCE = re.compile(r"(?<=[.!?…])\s+(?=[\"“«(]?[^\W\d_a-zа-яёçğıöşü])")
#: Paragraphs of at least this many words are split at ends of sentences, as news sites do.
LONG_PARAGRAPH_WORDS = 60


@dataclass(frozen=True, slots=True)
class Slot:
    """A slot of a template: for paragraphs of the content, its title, the title of other news, or digits."""

    what: str
    text: str
    """The original text of a slot of digits; the separator of paragraphs in a content slot."""


@dataclass(frozen=True)
class Template:
    """The boilerplate of a site: markup with slots."""

    site: str
    parts: tuple[str | Slot, ...] = field(repr=False)

    @property
    def paragraphs(self) -> int:
        """Number of content slots."""
        return sum(isinstance(part, Slot) and part.what == "news" for part in self.parts)

    def page(self, article: Article, titles: Sequence[str], seed: str = "") -> Page:
        """Render an article in this template, with some of these titles as links; deterministic for a seed."""
        chance = random.Random(f"{seed}/{self.site}/{article.id}")
        news = iter(_spread(paragraphs(article.text), self.paragraphs))
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
    """Return the title of an article, or else its first words."""
    return article.title or " ".join(article.text.split()[:8])


def paragraphs(text: str) -> list[str]:
    """Return the paragraphs of a text: its lines, long ones split at ends of sentences.

    >>> paragraphs("One.\\n\\nTwo.")
    ['One.', 'Two.']
    """
    out = []
    for line in filter(None, (" ".join(line.split()) for line in text.splitlines())):
        held: list[str] = []
        for sentence in _SENTENCE.split(line):
            held.append(sentence)
            if sum(len(each.split()) for each in held) >= LONG_PARAGRAPH_WORDS:
                out.append(" ".join(held))
                held = []
        if held:
            out.append(" ".join(held))
    return out


def _spread(given: Sequence[str], slots: int) -> Iterator[Sequence[str]]:
    """Yield the paragraphs in order, spread evenly over the slots."""
    for slot in range(slots):
        yield given[slot * len(given) // slots : (slot + 1) * len(given) // slots]


def template(site: str, markup: str, news: str) -> Template | str:
    """Make a template of a page with this content; or return the reason why not."""
    text_blocks = list(_text_blocks(markup))
    content = align([shown(each.shown) for each in text_blocks], news)
    cuts: dict[int, tuple[int, str | Slot]] = {}
    running = 0
    for block, is_news in zip(text_blocks, content, strict=True):
        what = block.slot(is_news)
        if what is None:
            continue
        running += what.what == "news" if isinstance(what, Slot) else 0
        for number, piece in enumerate(block.texts):
            cuts[piece.start] = (piece.end, what if number == 0 else "")
    if running < MIN_CONTENT_BLOCKS:
        return f"its content is in {running} blocks, fewer than {MIN_CONTENT_BLOCKS}"
    made = Template(site, tuple(_parts(markup, cuts)))
    return _rejection_reason(made, news) or made


@dataclass
class _TextBlock:
    """The text pieces of a block, with their positions in the markup."""

    markup: str
    opened: MarkupPiece | None
    around: str
    texts: list[MarkupPiece] = field(default_factory=list)
    linked: int = 0

    @property
    def shown(self) -> str:
        return "".join(self.markup[piece.start : piece.end] for piece in self.texts)

    def slot(self, is_news: bool) -> Slot | str | None:
        """Return the slot that replaces the block; None to keep it."""
        count = len(words(shown(self.shown)))
        if self.around in ("title", "h1"):
            return Slot("title", "")
        if is_news:
            return Slot("news", self._separator()) if count >= MIN_CONTENT_WORDS else ""
        if count >= MIN_HEADLINE_WORDS and self.linked >= 0.8 * len(self.shown):
            return Slot("link", "")
        is_figures = sum(map(str.isdigit, self.shown)) > 1 and "©" not in self.shown and "&" not in self.shown
        return Slot("figures", self.shown) if is_figures else None

    def _separator(self) -> str:
        """Return the separator of paragraphs in this block."""
        if self.opened is None or self.opened.closes or self.opened.name not in ("p", "div", "li"):
            return "<br><br>"
        return f"</{self.opened.name}>{self.markup[self.opened.start : self.opened.end]}"


def _text_blocks(markup: str) -> Iterator[_TextBlock]:
    """Yield the blocks of a page with their positions in its markup."""
    links, around = 0, ""
    held = _TextBlock(markup, None, "")
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
            held = _TextBlock(markup, piece, around)
    if held.texts:
        yield held


def _parts(markup: str, cuts: dict[int, tuple[int, str | Slot]]) -> Iterator[str | Slot]:
    """Yield the markup with its slots; structured data about the old content is removed."""
    held: list[str] = []
    in_json = False  # whether the next script is structured data
    for piece in pieces(markup):
        text = markup[piece.start : piece.end]
        if piece.what == "code":
            held.append("" if in_json else text[:MAX_SCRIPT_CHARS])
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
        in_json = piece.name == "script" and "json" in text.lower()
    yield "".join(held)


def _rejection_reason(made: Template, news: str) -> str | None:
    """Return why a template is rejected: it hides the inserted text, or still shows the old content."""
    probe = [" ".join(f"probe{line}word{at}" for at in range(20)) for line in range(2 * made.paragraphs)]
    page = made.page(Article("probe", "\n".join(probe), "probe title"), ["other title"])
    visible = [word for block in blocks(page) for word in words(block.text)]
    inserted = [word for line in probe for word in words(line)]
    share = len(set(visible) & set(inserted)) / len(inserted)
    if share < MIN_SHOWN_SHARE:
        return f"it shows {share:.0%} of the inserted text"
    old, new = _shingles(words(news)), _shingles(visible)
    if old and len(old & new) > MAX_OLD_SHARE * len(old):
        return f"{len(old & new) / len(old):.0%} of its old content is left"
    return None


def _shingles(tokens: Sequence[str]) -> set[tuple[str, ...]]:
    return {tuple(tokens[at : at + 5]) for at in range(len(tokens) - 4)}


def annotated_template(site: str, markup: str) -> Template:
    """Make a template of a page whose content is in `CedarContent` spans."""
    news = "\n".join(shown(each) for each in _CEDAR.findall(markup))
    made = template(site, _CEDAR.sub(r"\1", markup), news)
    if isinstance(made, str):
        raise ValueError(f"{site}: {made}")
    return made


def builtin_templates() -> list[Template]:
    """Return the templates of invented sites that are part of the package."""
    folder = files("samestory.lab.experiments") / "data" / "templates"
    pages = sorted((each.name, each.read_text(encoding="utf-8")) for each in folder.iterdir())
    return [annotated_template(name.removesuffix(".html"), markup) for name, markup in pages if name.endswith(".html")]
