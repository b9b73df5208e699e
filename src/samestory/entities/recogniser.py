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
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

from samestory import _core
from samestory.entities.gazetteer import CLASSES, Gazetteer, entries, read_gazetteer
from samestory.entities.models import Model, load, named
from samestory.errors import ParameterError
from samestory.model import Article, Features
from samestory.readers import Problem, warn
from samestory.readers import articles as take
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
    """A user's own list of names, or a folder of them. What of it was passed over, `problems` tells."""
    lists: Mapping[str, Lists] | None = None
    """Packs in place of those of the package: lists by name, by language. Read literally with `rules="study"`."""

    def __post_init__(self) -> None:
        if self.rules not in RULES:
            raise ParameterError(f"entities: rules must be one of {', '.join(RULES)}; got {self.rules!r}")

    @cached_property
    def _own(self) -> Gazetteer:
        return read_gazetteer(self.gazetteer) if self.gazetteer else Gazetteer({}, [])

    @property
    def problems(self) -> list[Problem]:
        """The lines of a user's own list that cannot be read."""
        return self._own.problems

    @cached_property
    def packs(self) -> dict[str, Lists]:
        """What it knows, by language; a user's own names hold in all."""
        own = {f"own_{kind}": found for kind, found in self._own.names.items() if found}
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


def entities(
    articles: Iterable[Article | Mapping[str, Any] | str] | Any,
    rules: str = "extended",
    gazetteer: str = "",
    model: Model | str | None = None,
) -> list[list[Entity]]:
    """The names in articles, a list for each; told by a model in place of rules and lists, where one is given.

    >>> import samestory
    >>> [[str(name) for name in row] for row in samestory.entities(["Mr Smith said that he flew to Paris."])]
    [['Smith (person: person_before: Mr)', 'Paris (location: location list)']]
    """
    doubts: list[str] = []
    taken = take(articles, doubts=doubts)
    warn(doubts, stacklevel=2)
    if model is None:
        return recogniser(rules, gazetteer).features(prepare(taken))
    if gazetteer or rules != "extended":
        raise ParameterError("entities: a model knows neither rules nor gazetteer; give it alone")
    return by_model(load(model) if isinstance(model, str) else model, prepare(taken))


def by_model(model: Model, features: Features) -> list[list[Entity]]:
    """The names in prepared articles as a model tells them, in order."""
    texts = list(features.texts)
    rows = named(model, texts, features.languages)
    return [
        [Entity(start, end, text[start:end], kind, "model") for start, end, kind in sorted(row, key=_outer_first)]
        for text, row in zip(texts, rows, strict=True)
    ]


def _outer_first(name: tuple[int, int, str]) -> tuple[int, int]:
    return name[0], -name[1]


def recogniser(rules: str = "extended", gazetteer: str = "") -> Recogniser:
    """A recogniser, made once for every choice of rules and names; what is passed over of a user's list is warned of.

    A list that was written anew is read anew.
    """
    made = _recogniser(rules, gazetteer, _state(Path(gazetteer)) if gazetteer else ())
    if problems := made.problems:
        more = f" (and {len(problems) - 1:,} more)" if len(problems) > 1 else ""
        warnings.warn(f"passed over: {problems[0]}{more}", stacklevel=2)
    return made


@lru_cache(maxsize=8)
def _recogniser(rules: str, gazetteer: str, state: Hashable) -> Recogniser:
    return Recogniser(rules, gazetteer)


def _state(path: Path) -> tuple[tuple[str, int, int], ...]:
    """What changes when somebody writes a list."""
    try:
        files = [path, *sorted(path.iterdir())] if path.is_dir() else [path]
        return tuple((str(file), file.stat().st_mtime_ns, file.stat().st_size) for file in files)
    except OSError:
        return ()  # told by whoever reads it
