"""Third-party extractors and the whole page: the same input, the same kind of output."""

from __future__ import annotations

import sys
from typing import Any

import pytest

from samestory.errors import NotAPage, ParameterError, SamestoryError
from samestory.html import EXTRACTORS, Extraction, Page, parse
from samestory.html.extractors.others import LibraryExtractor
from samestory.html.extractors.whole import WholePage

STORY = [
    "The ferry between Oldmere and the island of Sarn will stop for nine days while its engine is replaced, it said.",
    "The company said on Tuesday that 1,400 passengers a day must travel by the longer northern route, by coach.",
    "Günün ilk seferi ise sabah yedide yapılacak, İstanbul'dan gelenler için de ayrı bir tekne kaldırılacak.",
]
MARKUP = (
    "<html><head><title>Ferry stops</title><script>var secret = 1 < 2;</script><style>p{color:red}</style></head><body>"
    "<nav><ul><li><a href=/>Home page</a></li><li><a href=/s>Sport</a></li></ul></nav><article><h1>Ferry stops</h1>"
    + "".join(f"<p>{line}</p>" for line in STORY * 2)
    + "</article><footer><!-- hidden --><p>Imprint &amp; terms</p></footer></body></html>"
)
OTHERS = [name for name, cls in EXTRACTORS.items() if issubclass(cls, LibraryExtractor)]


@pytest.mark.parametrize("name", OTHERS)
@pytest.mark.parametrize("encoding", ["utf-8", "windows-1254"])
def test_the_news_is_found_whatever_the_encoding(name: str, encoding: str) -> None:
    (found,) = parse(name).extract([Page(MARKUP.encode(encoding), charset=encoding)])
    assert isinstance(found, Extraction)
    assert (found.title, found.encoding) == ("Ferry stops", encoding if encoding != "utf-8" else "UTF-8")
    text = " ".join(found.text.split())
    assert all(line in text for line in STORY)
    assert "secret" not in text and "Imprint" not in text


@pytest.mark.parametrize("name", [*OTHERS, "whole"])
def test_what_is_no_page_comes_back_in_its_place(name: str) -> None:
    bad, good, empty = parse(name).extract([Page(b"%PDF-1.4 \0\0\0"), Page(MARKUP.encode()), Page(b"<p>x")])
    assert isinstance(bad, NotAPage)
    assert isinstance(good, Extraction) and "1,400 passengers" in good.text
    assert isinstance(empty, Extraction)


def test_a_library_that_fails_on_a_page_fails_on_that_page_alone() -> None:
    class Fails(LibraryExtractor):
        name = "fails"

        def reader(self) -> Any:
            def read(markup: str) -> str:
                if "bad" in markup:
                    raise RuntimeError("no way")
                return markup

            return read

    bad, good = Fails().extract([Page(b"<p>bad", "http://example.com/x"), Page(b"<p>good")])
    assert str(bad) == "http://example.com/x: fails raised RuntimeError: no way"
    assert isinstance(good, Extraction)


@pytest.mark.parametrize("name", OTHERS)
def test_a_library_that_is_not_there_is_reported_with_how_to_install_it(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in [each for each in sys.modules if each.split(".")[0] == name]:
        monkeypatch.delitem(sys.modules, module)
    monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(SamestoryError, match=rf"{name}: the library .* is not installed") as caught:
        parse(name).extract([Page(b"<p>x")])
    assert "samestory[extractors]" in str(caught.value)


def test_what_trafilatura_favours_is_one_of_three() -> None:
    assert str(parse("trafilatura(favor=precision)")) == "trafilatura(favor='precision')"
    with pytest.raises(ParameterError, match="favor must be"):
        parse("trafilatura(favor=speed)")


def test_the_whole_page_is_all_but_its_tags() -> None:
    (found,) = WholePage().extract([Page(MARKUP.encode())])
    assert isinstance(found, Extraction)
    lines = found.text.split("\n\n")
    assert lines[:6] == ["Ferry stops", "var secret = 1 < 2;", "p{color:red}", "Home page", "Sport", "Ferry stops"]
    assert lines[-1] == "Imprint & terms" and "hidden" not in found.text


def test_small_blocks_of_the_whole_page_can_be_left_out() -> None:
    (found,) = WholePage(least=5).extract([Page(MARKUP.encode())])
    assert isinstance(found, Extraction)
    assert found.text.split("\n\n") == [" ".join(line.split()) for line in STORY * 2]
    assert str(WholePage(least=5)) == "whole(least=5)"
