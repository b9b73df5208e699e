"""Texts: repair, tokens, shared passages."""

from collections.abc import Callable
from typing import Any

from samestory._core import Column, Rows

class Prepared:
    languages: list[str]
    repaired: list[str | None]
    tokens: Rows
    starts: Rows
    bases: Rows
    ends: Rows
    #: Starts and ends, alternating.
    sentences: Rows

class Repaired:
    text: str
    kinds: list[str]
    #: The offset in the original text of every character of the repaired text, and that of its end.
    offsets: Column

class Language:
    stop_words: list[str]
    def __new__(cls, code: str) -> Language: ...
    def fold(self, word: str) -> str: ...
    #: A mask: bits 0 to 6 are Monday to Sunday, bits 7 to 18 January to December.
    def calendar(self, word: str, before: str, is_beside_figure: bool) -> int: ...
    #: Two masks of the opposites in which the word has the first and the second direction.
    def directions(self, folded: str, before: str) -> tuple[int, int]: ...

class Label:
    headline: str | None
    words: list[str]

class Folder:
    def __new__(cls, rule: Callable[[str, str | None], str]) -> Folder: ...
    def __call__(self, texts: list[str]) -> list[str]: ...
    def passages(
        self,
        texts: list[str],
        with_stems: list[bool],
        words: set[str],
        stems: set[str],
        phrases: list[list[str]],
        limits: tuple[int, int],
    ) -> list[tuple[int, int, list[tuple[int, int]]] | None]: ...

def prepare(texts: list[str], languages: list[str | None], as_is: bool = False) -> Prepared: ...
def repair(text: str) -> Repaired: ...
def label(articles: list[tuple[str | None, str]], language: str | None = None) -> Label: ...
def tsvectors(
    rows: list[tuple[str, str, list[str], list[str]]], mark: str, limits: tuple[int, int, int]
) -> list[str]: ...
def differences(left: Any, right: Any) -> list[tuple[int, int, int, int]]: ...
def passages(left: Any, right: Any, least: int) -> list[tuple[int, int, int]]: ...
