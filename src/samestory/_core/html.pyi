"""Pages and names: blocks, content, entities."""

from typing import Any

from samestory.errors import NotAPage

#: Metadata declared by a page, as accepted by `samestory.html.head.Head.from_row`.
Head = tuple[Any, ...]

class Recogniser:
    def __new__(
        cls,
        packs: list[tuple[str, bool, dict[str, list[str]]]],
        given: list[tuple[str, list[tuple[int, int, str]]]] = [],
    ) -> Recogniser: ...
    def recognise(self, texts: list[str], languages: list[str]) -> list[list[tuple[int, int, str, str, int, int]]]: ...

class Markup:
    encoding: str
    flags: list[str]
    text: str

class Blocks:
    encoding: str
    title: str
    flags: list[str]
    blocks: list[tuple[Any, ...]]
    elements: list[tuple[int, str, tuple[str, ...]]]
    head: Head

class Page:
    @property
    def markup(self) -> Markup: ...
    def __new__(cls, raw: bytes, charset: str | None = None, tld: str | None = None) -> Page: ...
    def blocks(self, inline_extra: list[str] = [], mute: list[str] = []) -> Blocks: ...
    def features(
        self, features: str, first: list[float] | None = None, names: Recogniser | None = None
    ) -> list[list[str]]: ...

class Extraction:
    encoding: str
    title: str
    flags: list[str]
    text: str
    head: Head

class Extractor:
    def __new__(
        cls, method: str, least: int, model: str | None = None, names: Recogniser | None = None
    ) -> Extractor: ...
    def label(self, page: Page, known: list[tuple[int, bool]] = [], hidden: bool = False) -> list[float]: ...
    def extract(self, pages: list[Page], threads: int) -> list[Extraction | NotAPage]: ...
