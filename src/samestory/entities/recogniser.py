"""Named entity recognition in news by rules and lists: TuNER and extensions.

A pack for each language (`packs/tr`, `packs/en`, `packs/ru`) holds rules and lists as plain files; the engine is in the
native core. `rules="study"` applies only the four lists of rule words of the study to Turkish, in its order.
`rules="extended"` adds further rules, inflected forms, words next to a name, and the shape of names.

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
from samestory.old_arguments import accept_old_arguments
from samestory.readers import Doubt, Problem, warn
from samestory.readers import articles as take
from samestory.text import prepare

PACKS = Path(__file__).parent / "packs"
LANGUAGES = ("tr", "en", "ru")
RULES = ("extended", "study")

Lists = Mapping[str, list[str]]


@dataclass(frozen=True, slots=True)
class Entity:
    """A name in a text, with the rule or list that matched. Offsets count characters."""

    start: int
    end: int
    text: str
    kind: str
    """person, location, organization or unclassified"""
    because: str
    """The name of the list or rule in the pack, followed by the word that triggered the rule."""

    def __str__(self) -> str:
        return f"{self.text} ({self.kind}: {self.because})"


@lru_cache(maxsize=8)
def pack(language: str, rules: str = "extended") -> Lists:
    """Loads the rules and lists of a language by name. Only Turkish has separate study rules."""
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
    """Recognises names in texts. Create it once and use it for whole batches.

    >>> for name in Recogniser().texts(["Ankara Valisi Ali Kaya, Gazi Üniversitesi'nde konuştu."], ["tr"])[0]:
    ...     print(name.text, name.kind)
    Ankara location
    Ali Kaya person
    Gazi Üniversitesi organization
    """

    rules: str = "extended"
    gazetteer: str = ""
    """A user's name list, or a folder of them; skipped lines are in `problems`."""
    lists: Mapping[str, Lists] | None = None
    """Packs that replace the built-in ones: lists by name, by language. Used literally with `rules="study"`."""

    def __post_init__(self) -> None:
        if self.rules not in RULES:
            raise ParameterError(f"entities: rules must be one of {', '.join(RULES)}; got {self.rules!r}")

    @cached_property
    def _own(self) -> Gazetteer:
        return read_gazetteer(self.gazetteer) if self.gazetteer else Gazetteer({}, [])

    @property
    def problems(self) -> list[Problem]:
        """The invalid lines of the user's list."""
        return self._own.problems

    @cached_property
    def packs(self) -> dict[str, Lists]:
        """Rules and lists by language; the user's names apply to all languages."""
        own = {f"own_{kind}": found for kind, found in self._own.names.items() if found}
        packs = self.lists or {language: pack(language, self.rules) for language in LANGUAGES}
        return {language: {**lists, **own} for language, lists in packs.items()}

    @cached_property
    def native(self) -> _core.html.Recogniser:
        """The native recogniser."""
        return _core.html.Recogniser(
            [(language, self._literal(language), dict(lists)) for language, lists in self.packs.items()]
        )

    def _literal(self, language: str) -> bool:
        return self.rules == "study" and (language == "tr" or self.lists is not None)

    @cached_property
    def digest(self) -> bytes:
        """A digest of all rules and lists."""
        whole = hashlib.sha256(self.rules.encode())
        for language, lists in sorted(self.packs.items()):
            for name, words in sorted(lists.items()):
                whole.update("\n".join([language, name, *words]).encode())
        return whole.digest()

    def texts(self, texts: Iterable[str], languages: Iterable[str]) -> list[list[Entity]]:
        """Returns the names of each text, in order."""
        texts = list(texts)
        rows = self.native.recognise(texts, list(languages))
        return [[_entity(text, *found) for found in row] for text, row in zip(texts, rows, strict=True)]

    def features(self, features: Features) -> list[list[Entity]]:
        """Returns the names of each prepared article."""
        return self.texts(features.texts, features.languages)


def _entity(text: str, start: int, end: int, kind: str, because: str, cue: int, cue_end: int) -> Entity:
    reason = f"{because}: {text[cue:cue_end]}" if cue_end > cue else because
    return Entity(start, end, text[start:end], kind, reason)


@accept_old_arguments("rules", "gazetteer", "model")
def entities(
    articles: Iterable[Article | Mapping[str, Any] | str] | Any,
    *,
    rules: str = "extended",
    gazetteer: str = "",
    model: Model | str | None = None,
) -> list[list[Entity]]:
    """Recognises the names in articles, one list each; with `model`, by a model instead of rules and lists.

    >>> import samestory
    >>> [[str(name) for name in row] for row in samestory.entities(["Mr Smith said that he flew to Paris."])]
    [['Smith (person: person_before: Mr)', 'Paris (location: location list)']]
    """
    doubts: list[Doubt] = []
    converted = take(articles, doubts=doubts, with_metadata=False)
    warn(doubts, stacklevel=3)  # at the call of the function
    if model is None:
        return recogniser(rules, gazetteer).features(prepare(converted))
    if gazetteer or rules != "extended":
        raise ParameterError("entities: model cannot be combined with rules or gazetteer")
    return by_model(load(model) if isinstance(model, str) else model, prepare(converted))


def by_model(model: Model, features: Features) -> list[list[Entity]]:
    """Returns the names that a model finds in each prepared article, in order."""
    texts = list(features.texts)
    rows = named(model, texts, features.languages)
    return [
        [Entity(start, end, text[start:end], kind, "model") for start, end, kind in sorted(row, key=_outer_first)]
        for text, row in zip(texts, rows, strict=True)
    ]


def _outer_first(name: tuple[int, int, str]) -> tuple[int, int]:
    return name[0], -name[1]


def recogniser(rules: str = "extended", gazetteer: str = "") -> Recogniser:
    """Returns a cached recogniser by rules and gazetteer, and warns of skipped lines of the gazetteer.

    A changed gazetteer is read again.
    """
    made = _recogniser(rules, gazetteer, _state(Path(gazetteer)) if gazetteer else ())
    if problems := made.problems:
        more = f" (and {len(problems) - 1:,} more)" if len(problems) > 1 else ""
        warnings.warn(f"skipped: {problems[0]}{more}", stacklevel=2)
    return made


@lru_cache(maxsize=8)
def _recogniser(rules: str, gazetteer: str, state: Hashable) -> Recogniser:
    return Recogniser(rules, gazetteer)


def _state(path: Path) -> tuple[tuple[str, int, int], ...]:
    """Returns modification times and sizes, which change when a list is written."""
    try:
        files = [path, *sorted(path.iterdir())] if path.is_dir() else [path]
        return tuple((str(file), file.stat().st_mtime_ns, file.stat().st_size) for file in files)
    except OSError:
        return ()  # reported when the list is read
