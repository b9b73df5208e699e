"""What people ask for: words, "phrases", -excluded, OR, source:Name, lang:tr, day:2026-03-02, since: and until:.

All words must be there; OR between two makes one of them enough. Several sources, languages or days are alternatives.
Nothing that is typed is an error: what is none of these is taken as words.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import NamedTuple

from samestory.archive.times import day_number
from samestory.archive.words import TITLE, found_terms, stem

#: How many words and phrases of a question count, and how many words of a phrase: FTS5 and PostgreSQL have limits.
MOST = 32

#: Quotation marks of several languages do the same as that of the keyboard.
QUOTES = str.maketrans(dict.fromkeys("“”„‟«»＂", '"'))

_ITEM = re.compile(r'(?P<no>-?)(?:(?P<field>source|lang|day|since|until):)?(?:"(?P<phrase>[^"]*)"|(?P<word>\S+))')


class Piece(NamedTuple):
    """Terms that stand in a row. A single one that is not exact is found by its stem too."""

    terms: tuple[str, ...]
    exact: bool

    @property
    def stem(self) -> str | None:
        """The stem by which it is found too."""
        return None if self.exact else stem(self.terms[0])


@dataclass(frozen=True, slots=True)
class Filters:
    """What articles are looked at; days are counted from 1970, both ends included. Nothing given means all."""

    sources: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()
    days: tuple[int, ...] = ()
    since: int | None = None
    until: int | None = None


@dataclass(frozen=True, slots=True)
class Query:
    """A question: of every group of pieces one must be there, of the excluded ones none."""

    wanted: tuple[tuple[Piece, ...], ...] = ()
    excluded: tuple[Piece, ...] = ()
    filters: Filters = Filters()

    @property
    def pieces(self) -> list[Piece]:
        """All that is wanted."""
        return [piece for group in self.wanted for piece in group]

    def exactly(self) -> Query:
        """The same without stems."""
        return replace(self, wanted=tuple(tuple(p._replace(exact=True) for p in group) for group in self.wanted))


@lru_cache(maxsize=1 << 14)
def name_key(name: str) -> str:
    """The name of a source or a language so that case and accents do not matter."""
    return " ".join(found_terms([name])[0]) or name.casefold()


@dataclass(slots=True)
class _Item:
    """A part of a question, as it was typed."""

    text: str
    no: bool
    exact: bool
    is_or: bool
    terms: tuple[str, ...] = ()


def parse(text: str) -> Query:
    """Reads a question.

    >>> query = parse('election OR vote "prime minister" -sport lang:tr')
    >>> [[" ".join(piece.terms) for piece in group] for group in query.wanted]
    [['election', 'vote'], ['prime minister']]
    >>> query.filters.languages
    ('tr',)
    """
    # half a character, which no database takes, becomes a question mark
    clean = text.encode("utf-8", "replace").decode().replace("\0", " ").translate(QUOTES)
    items: list[_Item] = []
    given: dict[str, list[str]] = {"source": [], "lang": []}
    numbers: dict[str, list[int]] = {"day": [], "since": [], "until": []}
    for found in _ITEM.finditer(clean):
        field = found["field"]
        value = found["word"] if found["phrase"] is None else found["phrase"]
        if field and not found["no"]:
            day = day_number(value.strip()) if field in numbers else None
            if day is not None:
                numbers[field].append(day)
                continue
            if field in given and value.strip(' "'):
                given[field].append(value.strip(' "'))
                continue
        plain = not field and found["phrase"] is None
        items.append(_Item(value if not field else found[0], bool(found["no"]), not plain, found[0] == "OR"))
    for item, terms in zip(items, found_terms([item.text for item in items]), strict=True):
        item.terms = tuple(terms[:MOST])
    filters = Filters(
        tuple(given["source"]),
        tuple(given["lang"]),
        tuple(numbers["day"]),
        max(numbers["since"], default=None),
        min(numbers["until"], default=None),
    )
    return _arranged([item for item in items if item.terms][:MOST], filters)


def _arranged(items: list[_Item], filters: Filters) -> Query:
    """Groups of alternatives, and what is excluded. OR beside anything but words and phrases is a word."""
    wanted: list[list[Piece]] = []
    excluded: list[Piece] = []
    joins = False
    for number, item in enumerate(items):
        after = items[number + 1] if number + 1 < len(items) else None
        before = items[number - 1] if number else None
        if item.is_or and not joins and before and not before.no and after and not after.no and not after.is_or:
            joins = True
            continue
        # a word that comes apart, as COVID-19 does, is a phrase
        piece = Piece(item.terms, item.exact or len(item.terms) > 1)
        if item.no:
            excluded.append(piece)
        elif joins:
            wanted[-1].append(piece)
        else:
            wanted.append([piece])
        joins = False
    return Query(tuple(map(tuple, wanted)), tuple(excluded), filters)


@dataclass(frozen=True, slots=True)
class Language:
    """How a database writes questions about words. Terms hold letters and digits only, so that nothing breaks out."""

    phrase: Callable[[tuple[str, ...]], str]
    both: str
    either: str
    without: Callable[[str, str], str]
    in_title: Callable[[tuple[str, ...]], str]

    def piece(self, piece: Piece) -> str:
        """A piece, by its stem too."""
        forms = [self.phrase(piece.terms)]
        if piece.stem:
            forms.append(self.phrase((piece.stem,)))
        return self._joined(self.either, forms)

    def question(self, query: Query) -> str:
        """All that is wanted and nothing that is excluded; empty, if nothing is wanted."""
        groups = [self._joined(self.either, map(self.piece, group)) for group in query.wanted]
        if not groups:
            return ""
        wanted = self._joined(self.both, groups)
        return self.without(wanted, self.any_of(query.excluded)) if query.excluded else wanted

    def any_of(self, pieces: Iterable[Piece]) -> str:
        """Any of some pieces."""
        return self._joined(self.either, map(self.piece, pieces))

    def titles(self, group: tuple[Piece, ...]) -> str:
        """Articles that have all words of a piece of the group in their titles, in any order."""
        forms = [self.in_title(piece.terms) for piece in group]
        forms += [self.in_title((piece.stem,)) for piece in group if piece.stem]
        return self._joined(self.either, forms)

    @staticmethod
    def _joined(by: str, parts: Iterable[str]) -> str:
        found = list(parts)
        return found[0] if len(found) == 1 else f"({by.join(found)})"


LANGUAGES = {
    "sqlite": Language(
        phrase=lambda terms: f'"{" ".join(terms)}"',
        both=" AND ",
        either=" OR ",
        without=lambda wanted, excluded: f"({wanted} NOT {excluded})",
        in_title=lambda terms: "title : (" + " AND ".join(f'"{term}"' for term in terms) + ")",
    ),
    "postgres": Language(
        phrase=lambda terms: "(" + " <-> ".join(f"'{term}'" for term in terms) + ")",
        both=" & ",
        either=" | ",
        without=lambda wanted, excluded: f"({wanted} & !{excluded})",
        in_title=lambda terms: "(" + " & ".join(f"'{TITLE}{term}'" for term in terms) + ")",
    ),
}
