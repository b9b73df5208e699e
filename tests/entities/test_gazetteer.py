"""User gazetteers: what is read, and what is skipped and reported."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import samestory
from samestory import Article, InputError, parse
from samestory.entities import Recogniser, read_gazetteer, recogniser
from tests.conftest import Writer

TEXT = "Dün Zırtapoz geldi. Bugün Zırtapoz yok."


def kinds(gazetteer: Path, text: str = TEXT, language: str = "tr") -> list[tuple[str, str]]:
    made = Recogniser(gazetteer=str(gazetteer))
    return [(name.text, name.kind) for name in made.texts([text], [language])[0]]


@pytest.mark.parametrize(
    ("file", "kind"),
    [
        ("person.txt", "person"),
        ("Persons of the county.TXT", "person"),
        ("location-istanbul.txt", "location"),
        ("organization.txt", "organization"),
        ("organisations.txt", "organization"),
    ],
)
def test_the_name_of_a_file_tells_what_its_names_are(file: str, kind: str, write: Writer) -> None:
    path = write(file, "Zırtapoz\n")
    assert read_gazetteer(path).names[kind] == ["Zırtapoz"]
    assert kinds(path) == [("Zırtapoz", kind)] * 2


@pytest.mark.parametrize("rules", ["study", "extended"])
def test_own_names_hold_in_all_languages_and_rules(rules: str, write: Writer) -> None:
    made = Recogniser(rules, str(write("location.txt", "Quibbleton\nКвибблтон\n")))
    texts = ["Dün Quibbleton sakindi.", "They left Quibbleton.", "Они покинули Квибблтон."]
    found = made.texts(texts, ["tr", "en", "ru"])
    assert [[name.kind for name in row] for row in found] == [["location"]] * 3


def test_a_second_column_tells_it_too_and_goes_before_the_name_of_the_file(write: Writer) -> None:
    path = write("person.txt", "Karşıyaka\tlocation\nYeşilay \t Organisation \nAyşe\n")
    assert read_gazetteer(path) == (
        {"person": ["Ayşe"], "location": ["Karşıyaka"], "organization": ["Yeşilay"]},
        [],
    )


def test_a_mark_at_the_beginning_other_line_ends_remarks_and_blanks_are_no_names(write: Writer) -> None:
    path = write("location.txt", "\ufeffBursa\r\n\r\n# towns\r\n  Van  # in the east\r\nKuzey\u00a0Irak\r\n".encode())
    assert read_gazetteer(path) == ({"person": [], "location": ["Bursa", "Van", "Kuzey Irak"], "organization": []}, [])


BROKEN = {
    "not UTF-8": (b"Ali\nM\xfc\xfcd\nVeli\n", 2, "wrong encoding: expected UTF-8"),
    "an unknown class": (b"Ali\nVan\ttown\nVeli\n", 2, "not a name: expected a name, a tab and person or .*got 'town'"),
    "three columns": (b"Ali\nVeli\nVan\tperson\ttown\n", 3, "not a name: expected a name, a tab and"),
    "no letters": (b"Ali\n1923\nVeli\n", 2, "not a name: expected letters, got '1923'"),
    "no name before the tab": (b"Ali\nVeli\t\n\t\n\tperson\n", 4, "not a name: expected letters, got ''"),
    "an invisible character": (b"Ali\nAy\x00se\nVeli\n", 2, "not a name: expected letters"),
}


@pytest.mark.parametrize(("content", "line", "message"), BROKEN.values(), ids=BROKEN.keys())
def test_a_broken_line_is_reported_with_its_number_and_reading_continues(
    content: bytes, line: int, message: str, write: Writer
) -> None:
    path = write("person.txt", content)
    names, (problem,) = read_gazetteer(path)
    assert names["person"] == ["Ali", "Veli"]
    assert (problem.file, problem.line, problem.kept) == (str(path), line, False)
    with pytest.warns(UserWarning, match=f"skipped: .*person.txt:{line}: {message}"):
        assert recogniser(gazetteer=str(path)).problems == [problem]


def test_a_file_whose_name_says_nothing_needs_a_second_column(write: Writer) -> None:
    names, problems = read_gazetteer(write("mine.txt", "Ali\nVan\tlocation\n"))
    assert names["location"] == ["Van"]
    assert [p.line for p in problems] == [1]
    assert "the file name has no class either" in str(problems[0])


def test_a_folder_stands_for_all_lists_in_it(write: Writer, tmp_path: Path) -> None:
    write("lists/person.txt", "Ali\n")
    write("lists/location-a.txt", "Van\n")
    write("lists/LOCATION-B.TXT", "Muş\n1\n")
    write("lists/notes.md", "Not a list\n")
    write("lists/location.txt/inner.txt", "in a folder that is called as a list is\n")
    names, problems = read_gazetteer(tmp_path / "lists")
    assert names == {"person": ["Ali"], "location": ["Muş", "Van"], "organization": []}
    assert [(Path(p.file).name, p.line) for p in problems] == [("LOCATION-B.TXT", 2)]


@pytest.mark.parametrize(
    ("files", "path", "message"),
    [
        ({}, "nothing.txt", "nothing.txt: no such file or directory"),
        (
            {"lists/read.me": "Ali\n"},
            "lists",
            r"lists: no list of names \(\*.txt\) in this folder\nhint: one name per line",
        ),
        ({"person.txt": "# none yet\n"}, "person.txt", "person.txt: no names in it\nhint: one name per line"),
        ({"mine.txt": "Ali\nVeli\n"}, "mine.txt", "mine.txt: no names in it; .*mine.txt:1: not a name: expected"),
        ({"person.txt": "Ali\n".encode("utf-16")}, "person.txt", "no names in it; .*person.txt:1: wrong encoding"),
    ],
)
def test_what_holds_no_name_is_rejected(
    files: dict[str, str | bytes], path: str, message: str, write: Writer, tmp_path: Path
) -> None:
    for file, content in files.items():
        write(file, content)
    with pytest.raises(InputError, match=message):
        read_gazetteer(tmp_path / path)
    with pytest.raises(InputError, match=message):
        samestory.entities([TEXT], gazetteer=str(tmp_path / path))


def test_a_list_that_was_written_anew_is_read_anew(write: Writer) -> None:
    """Recognisers are cached; one made from an older list used to stay for the life of the process."""
    path = write("person.txt", "Zırtapoz\n")
    spec = f"tweezer(gazetteer='{path}')"
    before, first = samestory.entities([Article("a", TEXT, lang="tr")], gazetteer=str(path)), parse(spec).fingerprint()
    path.write_text("Zartapoz\n", encoding="utf-8")
    os.utime(path, ns=(1, 1))
    after = samestory.entities([Article("a", TEXT, lang="tr")], gazetteer=str(path))
    assert [{name.kind for name in row} for row in (*before, *after)] == [{"person"}, {"unclassified"}]
    assert parse(spec).fingerprint() != first
