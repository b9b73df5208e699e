"""samestory.extract: pages to articles in Python."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import samestory
from samestory import Article, InputError, Page, ParameterError, Problem, extract
from samestory.html import extracted, parse
from samestory.html import extraction as job
from samestory.readers import Origin

PAGE = b"<title>Ferry</title><p>The ferry runs again."


def summaries(found: object) -> list[str]:
    return [str(item) if isinstance(item, Problem) else item.id for item in found]  # type: ignore[attr-defined]


def test_an_article_has_title_text_address_and_an_id() -> None:
    page = Page(b"<title>Ferry</title><script>no</script><p>The ferry <b>runs</b> again.", "http://example.com/1")
    assert list(extract([page], extractor="heuristic(least=3)")) == [
        Article(
            "http://example.com/1",
            "The ferry runs again.",
            "Ferry",
            url="http://example.com/1",
            source="example.com",
            lang="en",
        )
    ]


@pytest.mark.parametrize(
    "page, id",
    [
        (Page(PAGE, "http://example.com/1", origin=Origin("x.warc", 3)), "http://example.com/1"),
        (Page(PAGE, origin=Origin("x.jsonl", 3)), "x.jsonl:3"),
        (Page(PAGE, origin=Origin("a/b.html")), "a/b.html"),
        (Page(PAGE, " \n", origin=Origin("a/b.html")), "a/b.html"),
        (Page(PAGE), "2"),
    ],
)
def test_the_id_is_the_address_else_the_place_else_the_number(page: Page, id: str) -> None:
    assert summaries(extract([Page(PAGE, "http://example.com/0"), page], extractor="heuristic")) == [
        "http://example.com/0",
        id,
    ]


def test_what_is_no_article_is_reported_with_its_location() -> None:
    pages = [
        Page(b"\x89PNG\r\n\x1a\n", "http://example.com/1", origin=Origin("x.warc", 1)),
        Page(b"", "http://example.com/2", origin=Origin("x.warc", 2)),
        Page(b"<frameset><frame src=a>", origin=Origin("f.html")),
        Page(PAGE, "http://example.com/3", origin=Origin("x.warc", 3)),
        Page(PAGE, "http://example.com/3", origin=Origin("x.warc", 4)),
        Page(b"%PDF-1.4"),
        Page(b"", "http://example.com/4"),
        Page(PAGE, "http://example.com/\ud800"),
    ]
    assert summaries(extract(pages, extractor="heuristic")) == [
        "x.warc:1: not a page: a PNG picture (http://example.com/1)",
        "x.warc:2: empty text: no content found on the page (http://example.com/2)",
        "f.html: empty text: a frameset: the text is on other pages",
        "http://example.com/3",
        'x.warc:4: duplicate id: the id "http://example.com/3" was read before',
        "page 6: not a page: a PDF file",
        "http://example.com/4: empty text: no content found on the page",
        "http://example.com/\\ud800: broken url: half a character (a lone surrogate) at 19",
    ]


def test_problems_among_the_pages_are_passed_on_in_their_places() -> None:
    problem = Problem("x.warc", 2, "broken record", "words")
    assert list(extract([Page(PAGE), problem, Page(PAGE)], extractor="heuristic"))[1] is problem


@pytest.mark.parametrize(
    "count", [0, 1, job.BATCH_PAGES - 1, job.BATCH_PAGES, job.BATCH_PAGES + 1, 3 * job.BATCH_PAGES]
)
def test_the_order_is_that_of_the_pages_whatever_the_batches(count: int) -> None:
    pages = [Page(f"<p>page {number}".encode()) for number in range(count)]
    found = [article.text for article in extract(pages, extractor="heuristic") if isinstance(article, Article)]
    assert found == [f"page {number}" for number in range(count)]


def test_batches_and_single_pages_give_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    pages = [Page(f"<p>{'word ' * number}{number}".encode(), f"http://example.com/{number}") for number in range(50)]
    whole = list(extract(pages, extractor="rules"))
    monkeypatch.setattr(job, "BATCH_PAGES", 3)
    assert list(extract(pages, extractor="rules")) == whole
    monkeypatch.setattr(job, "BATCH_BYTES", 1)
    assert list(extract(pages, extractor="rules")) == whole


def test_no_more_pages_are_held_than_two_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(job, "BATCH_PAGES", 4)
    read = 0

    def pages() -> Iterator[Page]:
        nonlocal read
        for number in range(100):
            read += 1
            yield Page(b"<p>x", f"http://example.com/{number}")

    found = extract(pages(), extractor="heuristic")
    for number in range(100):
        assert next(found)
        assert read <= number + 9


def test_flags_and_time_are_kept_beside_the_article() -> None:
    (one,) = extracted([Page("<p>Yağış".encode("windows-1254"), fetched="2024-01-02T03:04:05Z")], "heuristic")
    assert not isinstance(one, Problem)
    assert (one.flags, one.fetched) == ({"guessed"}, "2024-01-02T03:04:05Z")


def test_texts_that_are_too_large_are_rejected_where_that_is_asked() -> None:
    (problem,) = extracted([Page(b"<p>" + b"word " * 100)], "heuristic", largest=100)
    assert isinstance(problem, Problem)
    assert problem.fault == "too large"


def test_an_extractor_may_be_given_as_it_is() -> None:
    page = Page(b"<p>three words here<p>a line of five words")
    assert [a.text for a in extract([page], extractor=parse("heuristic(least=5)")) if isinstance(a, Article)] == [
        "a line of five words"
    ]


@pytest.mark.parametrize("given", ["crawl.warc.gz", b"<p>", Page(PAGE)])
def test_one_thing_is_no_list_of_pages(given: object) -> None:
    with pytest.raises(InputError, match="expected a list of pages, got one") as caught:
        list(extract(given))  # type: ignore[arg-type]
    assert caught.value.hint


def test_what_is_no_page_object_is_rejected_with_its_number() -> None:
    with pytest.raises(InputError, match="page 2: expected a Page, got b'<p>'"):
        list(extract([Page(PAGE), b"<p>"]))  # type: ignore[list-item]
    with pytest.raises(ParameterError, match="extractor"):
        list(extract([Page(PAGE)], extractor="klingon"))


def test_pages_go_on_to_groups() -> None:
    text = "The ferry to the island runs again every day from Monday on, the town said in the morning."
    pages = [Page(f"<p>{text}".encode(), f"http://example.com/{n}") for n in range(2)]
    news = [item for item in extract(pages) if isinstance(item, Article)]
    assert [group.members for group in samestory.find(news)] == [("http://example.com/0", "http://example.com/1")]
