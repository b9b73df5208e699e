"""Laws that every extractor obeys."""

import random
from dataclasses import fields, replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from samestory.errors import NotAPage, ParameterError
from samestory.html import EXTRACTORS, Extraction, Page, blocks, parse
from samestory.html.extractors import BlockExtractor
from samestory.lab.training.align import words

STORY = [
    "The ferry to Gull Island runs again every two hours after a winter of repairs, the harbour office said.",
    "A new engine makes the crossing in twenty-five minutes, ten fewer than before, and burns less oil.",
    "“We have waited long for this”, said the master of the ferry, who has worked on it for thirty years.",
    "Tickets cost three pounds, and children under six travel free of charge until the end of the summer.",
]


def page(story: list[str] = STORY, boilerplate: str = "") -> Page:
    paragraphs = "".join(f"<p>{text}</p>" for text in story)
    return Page(
        f"<!doctype html><html><head><title>Ferry runs again | Coast Herald</title><script>var hidden = 1;</script>"
        f"<style>p {{ color: red }}</style></head><body><nav><a href=/>Home</a> <a href=/w>Weather</a></nav><main>"
        f"<article><h1>Ferry runs again</h1>{paragraphs}</article></main>{boilerplate}<footer>© Coast Herald</footer>"
        f"</body></html>".encode(),
        "https://coast-herald.example.com/ferry",
    )


@pytest.fixture(params=EXTRACTORS)
def extractor(request):
    return parse(request.param)


def texts(extractor, pages):
    return [found.text if isinstance(found, Extraction) else type(found) for found in extractor.extract(pages)]


def test_the_spec_can_be_read_back(extractor):
    assert parse(str(extractor)) == extractor


def test_the_article_is_found(extractor):
    """Everybody must find a plain article on a plain page; what else they take is their own affair."""
    (text,) = texts(extractor, [page()])
    for paragraph in STORY:
        assert paragraph in " ".join(text.split())


def test_scripts_and_styles_are_never_content_but_for_the_whole_page(extractor):
    (text,) = texts(extractor, [page()])
    assert ("hidden" in text) == (extractor.name == "whole")
    assert ("color" in text) == (extractor.name == "whole")


def test_one_page_at_a_time_is_as_many_at_once_in_any_order(extractor):
    pages = [page(), Page(b"\x89PNG\r\n\x1a\n" + bytes(40)), page(STORY[:2]), Page(b""), page(STORY[2:])]
    together = texts(extractor, pages)
    assert together == [texts(extractor, [each])[0] for each in pages]
    order = list(range(len(pages)))
    random.Random(7).shuffle(order)
    assert texts(extractor, [pages[at] for at in order]) == [together[at] for at in order]


def test_what_is_no_page_is_reported_in_its_place(extractor):
    found = extractor.extract([Page(b"%PDF-1.7\n" + bytes(30)), page()])
    assert isinstance(found[0], NotAPage)
    assert isinstance(found[1], Extraction)
    assert extractor.extract([]) == []


@settings(deadline=None, max_examples=15)
@given(data=st.data(), name=st.sampled_from(sorted(set(EXTRACTORS) - {"whole"})))
def test_no_word_comes_from_anywhere_but_the_page(data, name):
    draw = random.Random(data.draw(st.integers(0, 10**6)))
    tags = ["p", "div", "li", "b", "a href=x", "h2", "td", "section class='related'", "aside"]
    markup = "".join(f"<{draw.choice(tags)}>{draw.choice(STORY)[: draw.randint(1, 90)]}" for _ in range(12))
    made = page(boilerplate=markup)
    (text,) = texts(parse(name), [made])
    assert set(words(text)) <= set(words(" ".join(block.text for block in blocks(made))))


def blocky():
    return [name for name, each in EXTRACTORS.items() if issubclass(each, BlockExtractor)]


@pytest.mark.parametrize("name", blocky())
def test_the_text_is_the_blocks_that_are_content(name):
    extractor, made = parse(name), page()
    found, probabilities = extractor.label(made)
    assert len(found) == len(probabilities)
    assert all(0 <= probability <= 1 for probability in probabilities)
    (text,) = texts(extractor, [made])
    content = [block.text for block, probability in zip(found, probabilities, strict=True) if probability >= 0.5]
    assert text.replace("\n\n", "\n").split("\n") == content


@pytest.mark.parametrize(
    "name", [name for name, each in EXTRACTORS.items() if "least" in {f.name for f in fields(each)}]
)
def test_blocks_smaller_than_the_least_are_left_out(name):
    all_of_it, few = (texts(replace(parse(name), least=least), [page()])[0] for least in (0, 10))
    assert len(words(few)) <= len(words(all_of_it))
    assert "Home" not in few
    assert STORY[0] in few
    with pytest.raises(ParameterError, match="least must be"):
        replace(parse(name), least=-1)


def test_a_name_with_a_slip_is_mended():
    with pytest.raises(ParameterError, match="did you mean heuristic"):
        parse("heuristics")
