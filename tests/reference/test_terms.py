"""The oracles of terms against worked examples, and cases counted by hand."""

from __future__ import annotations

import math

import pytest

from tests.reference.examples import article, few_stops
from tests.reference.text import Table, sentences, terms


def test_stems_keep_five_characters_and_figures_stay_whole() -> None:
    text = "Üniversitesi Bakan GÜL’ün 2008-2009'da %12,55 IĞDIR"
    assert terms(article(text, "tr"), "F5") == ["ünive", "bakan", "gül", "2008-2009", "%12,55", "ığdır"]
    assert terms(article("IĞDIR", "en")) == ["iğdir"]


def test_stop_words_go_before_stems() -> None:
    assert terms(article("Bunun için bununla", "tr"), "F5", True, stop_list=few_stops) == ["bunun"]
    assert terms(article("The ministers", "de"), "F5", True, stop_list=few_stops) == ["the", "minis"]


def test_sentences_are_lists_of_terms() -> None:
    text = "NASDAQ starts day with an increase. Shares gain 2%.\n— !\nEnd"
    assert sentences(article(text)) == [
        ["nasdaq", "starts", "day", "with", "an", "increase"],
        ["shares", "gain", "2%"],
        ["end"],
    ]
    assert sentences(article(text), "F5", True, stop_list=few_stops)[0] == ["nasda", "start", "day", "incre"]


def test_idf_is_a_logarithm_in_base_ten_and_the_unknown_is_the_rarest() -> None:
    table = Table(10000, {"known": 100})
    assert table.idf("known") == pytest.approx(2)
    assert table.idf("known", plus_one=True) == pytest.approx(3)
    assert table.idf("known", log_base=math.e) == pytest.approx(math.log(100))
    assert table.idf("unknown") == pytest.approx(4)


def test_an_article_counts_once_and_stop_words_count() -> None:
    table = Table.of([article("The banker, the banking"), article("A banker")], "F5")
    assert (table.articles, table.counts) == (2, {"the": 1, "banke": 2, "banki": 1, "a": 1})
    assert table.rarest_first(["the", "banke", "a", "new"]) == ["a", "new", "the", "banke"]
