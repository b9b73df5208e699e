"""Tables of frequencies: counted, added, saved and loaded; damaged ones are rejected."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from samestory import Article, Frequencies, InputError, ParameterError, prepare, relate
from samestory.text.frequencies import Section
from tests.news import corpora
from tests.reference.text import Table


@given(articles=corpora())
@settings(max_examples=25)
def test_counts_are_those_counted_by_hand(articles: list[Article]) -> None:
    table = Frequencies.of([prepare(articles)], "words", "stems", "letters")
    assert table.articles == len(articles)
    expected: dict[Section, Table] = {
        "words": Table.of(articles, "none"),
        "stems": Table.of(articles, "F5"),
        "letters": Table.of_letters(articles),
    }
    for section, counted in expected.items():
        assert table.sizes[section] == len(counted.counts)
        for term, count in counted.counts.items():
            assert table.count(term, section) == count


@given(articles=corpora(), cut=st.integers(0, 10))
@settings(max_examples=25)
def test_parts_add_up(articles: list[Article], cut: int) -> None:
    one, other = (Frequencies.of([prepare(part)]) for part in (articles[:cut], articles[cut:]))
    assert bytes(one + other) == bytes(Frequencies.of([prepare(articles)])) == bytes(other + one)


def test_idf_has_a_base_and_a_one_and_a_rule_for_unseen_words() -> None:
    """log(10000 / 100) = 2 in the study: base ten."""
    table = Frequencies.parse(b"samestory frequencies 1\narticles\t10000\nwords\t1\n100\tbank\nstems\t0\nletters\t0\n")
    assert table.idf("bank") == pytest.approx(2)
    assert table.idf("bank", log_base=math.e) == pytest.approx(math.log(100))
    assert table.idf("bank", plus_one=True) == pytest.approx(3)
    assert table.idf("unseen") == pytest.approx(4)


def test_what_is_saved_loads_again(tmp_path: Path) -> None:
    table = Frequencies.of([prepare([Article("a", "Iğdır'da 42,9 derece"), Article("b", "IĞDIR", lang="tr")])])
    table.save(tmp_path / "news.idf")
    again = Frequencies.load(tmp_path / "news.idf")
    assert bytes(again) == bytes(table)
    assert again.count("42,9") == 1
    assert again.sizes == table.sizes


def test_tables_are_equal_where_all_counts_are() -> None:
    news = [Article("a", "The bank of the river"), Article("b", "A bank")]
    table = Frequencies.of([prepare(news)])
    assert table == Frequencies.of([prepare(news[:1]), prepare(news[1:])]) == Frequencies.parse(bytes(table))
    assert table != Frequencies.of([prepare(news[:1])])
    assert table != Frequencies.of([prepare(news)], "words")
    assert table != "a table"


@pytest.mark.parametrize("damage", ["", "nonsense", "samestory frequencies 1\narticles\tmany\n", "\xff"])
def test_a_damaged_table_is_reported_with_its_name(damage: str, tmp_path: Path) -> None:
    path = tmp_path / "bad.idf"
    path.write_bytes(damage.encode("latin-1"))
    with pytest.raises(InputError, match=r"bad\.idf: not a table of frequencies: [^\n]+") as error:
        Frequencies.load(path)
    assert error.value.hint == f"create a new one with: samestory fit NEWS.jsonl -o {path}"
    with pytest.raises(InputError):
        Frequencies.parse(path.read_bytes())
    with pytest.raises(InputError, match=r"bad\.idf: .*\nhint: create a new one with"):
        relate([Article("a", "Bank"), Article("b", "Bank")], detector=f"cosine(idf={str(path)!r})")


def test_a_missing_table_is_reported_with_how_to_create_one(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="hint: create one with: samestory fit"):
        Frequencies.load(tmp_path / "none.idf")


def test_tables_of_different_sections_do_not_add_up() -> None:
    """The number of articles applies to all sections: counts of only some of them would be too small."""
    features = prepare([Article("a", "The harbour council voted.")])
    with pytest.raises(ParameterError, match="different sections"):
        Frequencies.of([features]) + Frequencies.of([features], "words", "stems", "letters")
