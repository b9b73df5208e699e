"""What holds for every oracle: an article is like itself, and sides can be swapped."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from samestory import Article
from tests.reference import (
    cedar,
    codet,
    cooper,
    cops,
    cosine,
    ddd,
    dsc,
    exact_hash,
    full_fingerprint,
    henzinger,
    imatch,
    koala,
    park,
    resemblance,
    sanderson,
    scam,
    sif,
    simhash,
    spotsigs,
    tweezer,
    winnow,
)
from tests.reference.examples import article, few_stops, many, stand_in
from tests.reference.shares import Result
from tests.reference.text import Table

TEXTS = [
    "",
    "—",
    "The",
    "The ferry to Ankara'da runs again at 12:30.",
    " ".join(many("word", 25)) + ". The ferry to the city runs again with a crew of 12. An end.",
    " ".join(many("word", 28)) + ". The ferry to the city runs again with a crew of 13.",
]
TABLES = {stemming: Table.of([article(text) for text in TEXTS], stemming) for stemming in ("none", "F5")}
LETTERS = Table.of_letters([article(text) for text in TEXTS])

NAMES = {"location": ["Ankara"], "organization_after": ["Ferry"]}

Comparison = Callable[[Article, Article], Result]


COMPARISONS: dict[str, Comparison] = {
    "sha1-exact": lambda a, b: exact_hash.compare(a, b),
    "ffp": lambda a, b: full_fingerprint.compare(a, b, stop_list=few_stops),
    "dsc-varol": lambda a, b: full_fingerprint.compare_sampled(a, b, stop_list=few_stops),
    "imatch-idf": lambda a, b: imatch.compare(a, b, table=TABLES["none"]),
    "imatch-top10": lambda a, b: imatch.compare_top(a, b, table=TABLES["F5"], stop_list=few_stops),
    "imatch-rand": lambda a, b: imatch.compare_random(a, b, table=TABLES["none"], hash64=stand_in),
    "cedar": lambda a, b: cedar.compare(a, b),
    "resemblance": lambda a, b: resemblance.compare(a, b),
    "dsc": lambda a, b: dsc.compare(a, b),
    "dsc-ss": lambda a, b: dsc.compare_super(a, b),
    "simhash": lambda a, b: simhash.compare(a, b, table=TABLES["F5"], stop_list=few_stops),
    "cops": lambda a, b: cops.compare(a, b),
    "koala": lambda a, b: koala.compare(a, b, table=LETTERS),
    "sif": lambda a, b: sif.compare(a, b),
    "winnow": lambda a, b: winnow.compare(a, b, hash64=stand_in),
    "scam": lambda a, b: scam.compare(a, b, stop_list=few_stops),
    "spotsigs": lambda a, b: spotsigs.compare(a, b, stop_list=few_stops),
    "henzinger": lambda a, b: henzinger.second_stage(a, b, hash64=stand_in),
    "cosine": lambda a, b: cosine.compare(a, b, table=TABLES["none"], stop_list=few_stops),
    "cooper": lambda a, b: cooper.compare(a, b, table=TABLES["none"], stop_list=few_stops),
    "park": lambda a, b: park.compare(a, b, table=TABLES["none"]),
    "sanderson": lambda a, b: sanderson.compare(a, b, table=TABLES["none"]),
    "ddd": lambda a, b: ddd.compare(a, b, table=TABLES["none"]),
    "tweezer": lambda a, b: tweezer.compare(a, b, lists=NAMES),
    "tweezer-set": lambda a, b: tweezer.compare_sets(a, b, lists=NAMES),
    "codet": lambda a, b: codet.compare(a, b, table=TABLES["F5"], stop_list=few_stops),
}

FLIPPED = {"PART_OF": "HAS_PART", "HAS_PART": "PART_OF"}


@pytest.mark.parametrize("name", COMPARISONS)
def test_an_article_is_like_itself_and_sides_can_be_swapped(name: str) -> None:
    compare = COMPARISONS[name]
    articles = [article(text) for text in TEXTS]
    for one in articles:
        forward, backward, kind = compare(one, one)
        assert (forward, backward) == pytest.approx((1, 1))
        assert kind in ("NEAR", "IDENTICAL")
        for other in articles:
            forward, backward, kind = compare(one, other)
            back = compare(other, one)
            assert 0 <= forward <= 1
            assert 0 <= backward <= 1
            assert back[:2] == pytest.approx((backward, forward))
            assert back[2] == (FLIPPED.get(kind, kind) if kind else None)


@pytest.mark.parametrize("compare", [imatch.compare, cosine.compare, park.compare])
def test_a_method_that_weighs_words_wants_a_table(compare: Callable[..., Result]) -> None:
    with pytest.raises(ValueError, match="table"):
        compare(article("one"), article("two"), stop_list=few_stops)
