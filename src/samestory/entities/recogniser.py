"""Names of persons, places and organisations in news, told by rules and lists: TuNER, and beyond it.

A pack for each language (`packs/tr`, `packs/en`, `packs/ru`) holds rules and lists as plain files; the engine is one
and lives in the native core. `rules="study"` reads Turkish as the study does: its four lists of rule words, its order,
and nothing more. `rules="extended"` adds our own rules, inflected forms, words beside a name, and the shape of names.

Uyar (2009), Near-duplicate news detection using named entities, chapter 3. [uyar2009]
"""

from __future__ import annotations

import hashlib
import tomllib
import warnings
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path

from samestory import _core
from samestory.entities.gazetteer import CLASSES, entries, read_gazetteer
from samestory.errors import ParameterError
from samestory.model import Article, Features
from samestory.text import prepare

PACKS = Path(__file__).parent / "packs"
LANGUAGES = ("tr", "en", "ru")
RULES = ("extended", "study")

Lists = Mapping[str, list[str]]


@dataclass(frozen=True, slots=True)
class Entity:
    """A name in a text, with what told it. Places count characters."""

    start: int
    end: int
    text: str
    kind: str
    """person, location, organization or unclassified"""
    because: str
    """The list or the rule, by its name in the pack; what the rule went by stands behind it."""

    def __str__(self) -> str:
        return f"{self.text} ({self.kind}: {self.because})"


@lru_cache(maxsize=8)
def pack(language: str, rules: str = "extended") -> Lists:
    """The rules and lists of a language, by name. Languages other than Turkish have no study: all rules are theirs."""
    folder = PACKS / language
    tables = tomllib.loads((folder / "rules.toml").read_text(encoding="utf-8"))
    wanted = ["study"] if rules == "study" and "study" in tables else list(tables)
    lists: dict[str, list[str]] = {}
    for table in wanted:
        for name, words in tables[table].items():
            lists.setdefault(name, []).extend(words)
    for name in CLASSES:
        lists[name] = list(entries((folder / f"{name}.txt").read_text(encoding="utf-8")))
    return lists


@dataclass(frozen=True)
class Recogniser:
    """Tells names. Made once, used for whole batches.

    >>> for name in Recogniser().texts(["Ankara Valisi Ali Kaya, Gazi Üniversitesi'nde konuştu."], ["tr"])[0]:
    ...     print(name.text, name.kind)
    Ankara location
    Ali Kaya person
    Gazi Üniversitesi organization
    """

    rules: str = "extended"
    gazetteer: str = ""
    """A user's own list of names, or a folder of them."""
    lists: Mapping[str, Lists] | None = None
    """Packs in place of those of the package: lists by name, by language. Read literally with `rules="study"`."""

    def __post_init__(self) -> None:
        if self.rules not in RULES:
            raise ParameterError(f"entities: rules must be one of {', '.join(RULES)}; got {self.rules!r}")

    @cached_property
    def packs(self) -> dict[str, Lists]:
        """What it knows, by language; a user's own names hold in all."""
        own: dict[str, list[str]] = {}
        if self.gazetteer:
            names, problems = read_gazetteer(self.gazetteer)
            own = {f"own_{kind}": found for kind, found in names.items() if found}
            if problems:
                more = f" and {len(problems) - 1:,} more" if len(problems) > 1 else ""
                warnings.warn(f"passed over: {problems[0]}{more}", stacklevel=2)
        packs = self.lists or {language: pack(language, self.rules) for language in LANGUAGES}
        return {language: {**lists, **own} for language, lists in packs.items()}

    @cached_property
    def native(self) -> _core.Recogniser:
        """The native half."""
        return _core.Recogniser(
            [(language, self._literal(language), dict(lists)) for language, lists in self.packs.items()]
        )

    def _literal(self, language: str) -> bool:
        return self.rules == "study" and (language == "tr" or self.lists is not None)

    @cached_property
    def digest(self) -> bytes:
        """Changes when any rule or list does."""
        whole = hashlib.sha256(self.rules.encode())
        for language, lists in sorted(self.packs.items()):
            for name, words in sorted(lists.items()):
                whole.update("\n".join([language, name, *words]).encode())
        return whole.digest()

    def texts(self, texts: Iterable[str], languages: Iterable[str]) -> list[list[Entity]]:
        """The names in texts of known languages, in order."""
        texts = list(texts)
        rows = self.native.recognise(texts, list(languages))
        return [[_entity(text, *found) for found in row] for text, row in zip(texts, rows, strict=True)]

    def features(self, features: Features) -> list[list[Entity]]:
        """The names in prepared articles."""
        return self.texts(features.texts, features.languages)


def _entity(text: str, start: int, end: int, kind: str, because: str, cue: int, cue_end: int) -> Entity:
    told = f"{because}: {text[cue:cue_end]}" if cue_end > cue else because
    return Entity(start, end, text[start:end], kind, told)


def entities(articles: Iterable[Article], rules: str = "extended", gazetteer: str = "") -> list[list[Entity]]:
    """The names in articles, a list for each.

    >>> from samestory import Article
    >>> [[str(name) for name in row] for row in entities([Article("a", "Mr Smith flew to Paris.", lang="en")])]
    [['Smith (person: person_before: Mr)', 'Paris (location: location list)']]
    """
    return recogniser(rules, gazetteer).features(prepare(list(articles)))


@lru_cache(maxsize=8)
def recogniser(rules: str = "extended", gazetteer: str = "") -> Recogniser:
    """A recogniser, made once for every choice of rules and names."""
    return Recogniser(rules, gazetteer)
