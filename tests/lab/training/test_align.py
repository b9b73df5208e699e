"""Alignment of gold text to blocks."""

import random

from hypothesis import given
from hypothesis import strategies as st

from samestory.lab.training.align import align, words

WORDS = ["rain", "spain", "fields", "city", "monday", "people", "said", "good", "wind", "house", "river", "night"]


def sentence(draw: random.Random, count: int) -> str:
    return " ".join(draw.choices(WORDS, k=count)).capitalize() + "."


def test_what_stands_twice_is_found_where_the_rest_is():
    blocks = ["Rain in Spain", "Home", "It rained all day in Spain.", "Rain in Spain", "Nobody was hurt on Monday."]
    gold = "It rained all day in Spain. Rain in Spain. Nobody was hurt on Monday."
    assert align(blocks, gold) == [False, False, True, True, True]


def test_a_block_of_which_half_is_missing_from_the_gold_is_not_content():
    block = "It rained all day in Spain. " + "Subscribe now to read more of our many stories about the weather today."
    assert align([block], "It rained all day in Spain.") == [False]


def test_marks_and_case_do_not_matter():
    assert align(["“IT RAINED”, he said — all day …"], "It rained he said all day") == [True]


def test_nothing_is_found_in_nothing():
    assert align([], "text") == []
    assert align(["text here", "", "…"], "") == [False, False, False]


@given(st.integers(0, 10_000))
def test_paragraphs_among_boilerplate_are_found_again(seed: int):
    """Ground truth is known by construction: content and boilerplate share no word."""
    draw = random.Random(seed)
    blocks, content = [], []
    for number in range(draw.randint(1, 30)):
        is_content = draw.random() < 0.6
        text = f"{sentence(draw, draw.randint(1, 30))} {number}" if is_content else f"menu item {draw.choice('abc')} x"
        blocks.append(text)
        content.append(is_content)
    gold = "\n".join(text for text, is_content in zip(blocks, content, strict=True) if is_content)
    assert align(blocks, gold) == content


@given(st.lists(st.text(alphabet="ab \n.", max_size=12), max_size=12), st.text(alphabet="ab \n.", max_size=40))
def test_no_token_of_the_gold_is_found_twice(blocks: list[str], gold: str):
    found = align(blocks, gold)
    assert len(found) == len(blocks)
    taken = sum(len(words(block)) for block, is_found in zip(blocks, found, strict=True) if is_found)
    assert taken <= 2 * len(words(gold))  # half of a block must match
