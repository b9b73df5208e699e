"""The query language: words, "phrases", -excluded, OR, source:Name, lang:tr, day:2026-03-02, since:, until:, section:…

All words are required; OR between two makes either sufficient. Several sources, languages, days or values of a field of
metadata are alternatives.
No input is a syntax error: anything else is searched as words.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import NamedTuple

from samestory.archive.times import day_number
from samestory.archive.words import TITLE_MARK, split_terms, stem

#: The most phrases of a query and the most terms of a phrase that are used: FTS5 and PostgreSQL have limits.
MAX_PHRASES = MAX_TERMS = 32

#: Quotation marks of several languages, read as the ASCII one.
QUOTES = str.maketrans(dict.fromkeys("“”„‟«»＂", '"'))

#: A name of a field that can be typed.
_NAME = re.compile(r'[^\s:"-][^\s:"]*')


@lru_cache(maxsize=64)
def _item_pattern(names: frozenset[str]) -> re.Pattern[str]:
    """Return the pattern of a part of a query; `names` are those of fields of metadata."""
    typed = "".join(f"|(?i:{re.escape(name)})" for name in sorted(names) if _NAME.fullmatch(name))
    return re.compile(
        rf'(?P<no>-?)(?:(?P<field>source|lang|day|since|until{typed}):)?(?:"(?P<phrase>[^"]*)"|(?P<word>\S+))'
    )


class Phrase(NamedTuple):
    """Consecutive terms. A single term that is not exact also matches by its stem."""

    terms: tuple[str, ...]
    exact: bool

    @property
    def stem(self) -> str | None:
        """The stem by which it also matches, if any."""
        return None if self.exact else stem(self.terms[0])


@dataclass(frozen=True, slots=True)
class Filters:
    """Restrictions on articles; days are counted from 1970, both ends inclusive. Empty fields do not restrict."""

    sources: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()
    days: tuple[int, ...] = ()
    since: int | None = None
    until: int | None = None
    fields: tuple[tuple[str, str], ...] = ()
    """Names and values of metadata; several values of a name are alternatives."""


@dataclass(frozen=True, slots=True)
class Query:
    """A parsed query: at least one phrase of every wanted group must match, and no excluded phrase."""

    wanted: tuple[tuple[Phrase, ...], ...] = ()
    excluded: tuple[Phrase, ...] = ()
    filters: Filters = Filters()

    @property
    def phrases(self) -> list[Phrase]:
        """All wanted phrases."""
        return [phrase for group in self.wanted for phrase in group]

    def without_stems(self) -> Query:
        """Return the query with exact terms only."""
        return replace(self, wanted=tuple(tuple(p._replace(exact=True) for p in group) for group in self.wanted))


@lru_cache(maxsize=1 << 14)
def name_key(name: str) -> str:
    """Fold the name of a source or a language, so that case and accents do not matter."""
    return " ".join(split_terms([name])[0]) or name.casefold()


@dataclass(slots=True)
class _QueryItem:
    """An element of a query, as typed."""

    text: str
    is_excluded: bool
    exact: bool
    is_or: bool
    terms: tuple[str, ...] = ()


def parse(text: str, fields: Iterable[str] = ()) -> Query:
    """Parse a query; `fields` are the names of metadata, each of which can be typed as `section:Sports`.

    >>> query = parse('election OR vote "prime minister" -sport lang:tr')
    >>> [[" ".join(phrase.terms) for phrase in group] for group in query.wanted]
    [['election', 'vote'], ['prime minister']]
    >>> query.filters.languages
    ('tr',)
    """
    # a lone surrogate, which no database accepts, becomes a question mark
    clean = text.encode("utf-8", "replace").decode().replace("\0", " ").translate(QUOTES)
    items: list[_QueryItem] = []
    names: dict[str, list[str]] = {"source": [], "lang": []}
    days: dict[str, list[int]] = {"day": [], "since": [], "until": []}
    metadata: list[tuple[str, str]] = []
    for found in _item_pattern(frozenset(fields) if ":" in clean else frozenset()).finditer(clean):
        field = found["field"]
        value = found["word"] if found["phrase"] is None else found["phrase"]
        if field and not found["no"]:
            day = day_number(value.strip()) if field in days else None
            if day is not None:
                days[field].append(day)
                continue
            if field not in days and (value := value.strip(' "')):
                if field in names:
                    names[field].append(value)
                else:
                    metadata.append((field, value))
                continue
        plain = not field and found["phrase"] is None
        items.append(_QueryItem(value if not field else found[0], bool(found["no"]), not plain, found[0] == "OR"))
    for item, terms in zip(items, split_terms([item.text for item in items]), strict=True):
        item.terms = tuple(terms[:MAX_TERMS])
    filters = Filters(
        tuple(names["source"]),
        tuple(names["lang"]),
        tuple(days["day"]),
        max(days["since"], default=None),
        min(days["until"], default=None),
        tuple(metadata),
    )
    return _build_query([item for item in items if item.terms][:MAX_PHRASES], filters)


def _build_query(items: list[_QueryItem], filters: Filters) -> Query:
    """Group alternatives and separate exclusions. An OR not between two words or phrases is a word."""
    wanted: list[list[Phrase]] = []
    excluded: list[Phrase] = []
    joins = False
    for number, item in enumerate(items):
        after = items[number + 1] if number + 1 < len(items) else None
        before = items[number - 1] if number else None
        is_between = before and not before.is_excluded and after and not after.is_excluded and not after.is_or
        if item.is_or and not joins and is_between:
            joins = True
            continue
        # a word of several terms, such as COVID-19, is a phrase
        phrase = Phrase(item.terms, item.exact or len(item.terms) > 1)
        if item.is_excluded:
            excluded.append(phrase)
        elif joins:
            wanted[-1].append(phrase)
        else:
            wanted.append([phrase])
        joins = False
    return Query(tuple(map(tuple, wanted)), tuple(excluded), filters)


@dataclass(frozen=True, slots=True)
class Syntax:
    """The full-text query syntax of a database. Terms are letters and digits only, so nothing needs escaping."""

    phrase: Callable[[tuple[str, ...]], str]
    both: str
    either: str
    without: Callable[[str, str], str]
    in_title: Callable[[tuple[str, ...]], str]

    def expand(self, phrase: Phrase) -> str:
        """Return the expression that matches a phrase, or its stem."""
        forms = [self.phrase(phrase.terms)]
        if phrase.stem:
            forms.append(self.phrase((phrase.stem,)))
        return self._join(self.either, forms)

    def matching(self, query: Query) -> str:
        """Return the expression that matches a query; empty if it has no wanted phrase."""
        groups = [self._join(self.either, map(self.expand, group)) for group in query.wanted]
        if not groups:
            return ""
        wanted = self._join(self.both, groups)
        return self.without(wanted, self.any_of(query.excluded)) if query.excluded else wanted

    def any_of(self, phrases: Iterable[Phrase]) -> str:
        """Return the expression that matches any of some phrases."""
        return self._join(self.either, map(self.expand, phrases))

    def titles(self, group: tuple[Phrase, ...]) -> str:
        """Return the expression that matches titles with all words of a phrase of the group, in any order."""
        forms = [self.in_title(phrase.terms) for phrase in group]
        forms += [self.in_title((phrase.stem,)) for phrase in group if phrase.stem]
        return self._join(self.either, forms)

    @staticmethod
    def _join(operator: str, parts: Iterable[str]) -> str:
        operands = list(parts)
        return operands[0] if len(operands) == 1 else f"({operator.join(operands)})"


SYNTAXES = {
    "sqlite": Syntax(
        phrase=lambda terms: f'"{" ".join(terms)}"',
        both=" AND ",
        either=" OR ",
        without=lambda wanted, excluded: f"({wanted} NOT {excluded})",
        in_title=lambda terms: "title : (" + " AND ".join(f'"{term}"' for term in terms) + ")",
    ),
    "postgres": Syntax(
        phrase=lambda terms: "(" + " <-> ".join(f"'{term}'" for term in terms) + ")",
        both=" & ",
        either=" | ",
        without=lambda wanted, excluded: f"({wanted} & !{excluded})",
        in_title=lambda terms: "(" + " & ".join(f"'{TITLE_MARK}{term}'" for term in terms) + ")",
    ),
}
