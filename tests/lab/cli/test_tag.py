"""samestory tag, end to end: from pages and rules to a model that reads another site."""

from __future__ import annotations

import importlib.util
import re
import shlex
import zipfile
from pathlib import Path

import pytest

from samestory.html import Page, blocks
from samestory.html.extractors import Crf
from tests.conftest import ROOT, Runner, Writer
from tests.html.sites import RULES, page, story
from tests.readers.archives import answer, packed, record

SITES = ("valley-news.example", "coast-herald.example", "oldmarsh-post.example")


def words(path: Path) -> int:
    """Counts the content words of an annotated page."""
    return sum(block.gold[0] for block in blocks(Page(path.read_bytes())))


@pytest.fixture
def sites(write: Writer) -> None:
    """Pages of three sites in folders, and their rules."""
    write("sites.toml", RULES)
    for site in SITES:
        for number in range(4):
            write(f"pages/{site}/{number}.html", page(site, number))


@pytest.mark.usefixtures("sites")
def test_the_pages_of_every_site_lie_in_its_folder_and_are_counted(samestory: Runner, tmp_path: Path) -> None:
    done = samestory("tag", "pages", "--rules", "sites.toml", "-o", "gold")
    assert done.code == 0
    assert done.out == ""
    written = sorted(
        str(path.relative_to(tmp_path / "gold")) for path in (tmp_path / "gold").rglob("*.*") if path.is_file()
    )
    assert written == sorted(f"{site}/{number}.html" for site in SITES for number in range(4))
    counts = [sum(words(tmp_path / "gold" / site / f"{number}.html") for number in range(4)) for site in SITES]
    assert done.err.splitlines() == [
        f"{site}: 4 pages, {number} words of content, 0 pages without content"
        for site, number in zip(SITES, counts, strict=True)
    ]
    assert len(set(counts)) == 1, "the same stories on all sites"


@pytest.mark.usefixtures("sites")
def test_from_pages_and_rules_to_the_article_of_another_site(samestory: Runner, write: Writer) -> None:
    assert samestory("tag", "pages", "--rules", "sites.toml", "-o", "gold").code == 0
    trained = samestory("train-extractor", "gold", "-o", "my.model", "--folds", "0")
    assert trained.code == 0, trained.err
    assert "12 pages with known content" in trained.err
    write("other.html", page("gull-island.example", 9))
    done = samestory("extract", "other.html", "-e", 'crf(model="my.model")')
    assert [row["text"].split("\n\n") for row in done.rows] == [list(story(9).paragraphs)]


def test_rules_that_match_nothing_and_sites_without_pages_are_reported(samestory: Runner, write: Writer) -> None:
    write(
        "sites.toml",
        '[sites."a.example"]\ncontent = ["p", "h7"]\ntitle = "h1"\nleave_out = ".ad"\n'
        '[sites."b.example"]\ncontent = "p"\n',
    )
    write("a.example/1.html", "<h1>One</h1><p>two")
    write("a.example/2.html", "<p class=ad>three")
    done = samestory("tag", "a.example", "--rules", "sites.toml", "-o", "gold")
    assert done.code == 0
    assert done.err.splitlines() == [
        "a.example: 2 pages, 1 word of content, 1 page without content",
        "  content: 'h7' matches nothing on any page",
        "  leave_out: '.ad' matches nothing on 1 of 2 pages",
        "  title: 'h1' matches nothing on 1 of 2 pages",
        "b.example: no pages",
    ]


def test_a_site_is_known_by_the_address_the_page_itself_or_the_user(
    samestory: Runner, write: Writer, tmp_path: Path
) -> None:
    write("sites.toml", '[sites."example.com"]\ncontent = "p"\n[sites."b.example"]\ncontent = "p"\n')
    write("crawl.warc.gz", packed(record(1, answer(b"<p>one")), record(2, answer(b"<p>two"))))
    write("named.htm", '<link rel=canonical href="https://www.b.example/3"><p>three')
    write("unknown.html", "<p>four")
    done = samestory("tag", "crawl.warc.gz", "named.htm", "unknown.html", "--rules", "sites.toml", "-o", "gold")
    assert done.code == 0
    assert "unknown.html: unknown site: no URL of a site in sites.toml (specify one with --site)" in done.err
    written = sorted(str(path.relative_to(tmp_path / "gold")) for path in (tmp_path / "gold").rglob("*.htm*"))
    assert written == ["b.example/named.htm", "example.com/crawl.warc-1.html", "example.com/crawl.warc-2.html"]
    assert samestory("tag", "unknown.html", "--rules", "sites.toml", "--site", "b.example", "-o", "gold").code == 0
    assert words(tmp_path / "gold" / "b.example" / "unknown.html") == 1


def test_pages_of_one_name_are_kept_apart(samestory: Runner, write: Writer, tmp_path: Path) -> None:
    write("sites.toml", '[sites."a.example"]\ncontent = "p"\n')
    for day in ("mon", "tue"):
        write(f"a.example/{day}/index.html", f"<p>{day}")
    assert samestory("tag", "a.example", "--rules", "sites.toml", "-o", "gold").code == 0
    assert sorted(path.name for path in (tmp_path / "gold" / "a.example").iterdir()) == [
        "index.html",
        "tue_index.html",
    ]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["pages", "-o", "pages"], "-o: pages is inside the input folder pages"),
        (["pages", "-o", "pages/gold"], "-o: pages/gold is inside the input folder pages"),
        (
            ["pages/valley-news.example/1.html", "-o", "pages"],
            "-o: pages contains the input pages/valley-news.example/1.html",
        ),
        (["pages", "-o", "sites.toml"], "-o: sites.toml is not a folder"),
        (["pages", "-o", "no/where"], "the parent folder does not exist"),
        (["pages", "-o", "gold", "--site", "a.example"], "--site: sites.toml has no rules for a.example; available:"),
        (["-o", "gold"], "no pages: specify PAGES or --list FILE"),
    ],
)
@pytest.mark.usefixtures("sites")
def test_misuse_is_reported_and_nothing_is_written(
    samestory: Runner, tmp_path: Path, options: list[str], message: str
) -> None:
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    done = samestory("tag", *options, "--rules", "sites.toml")
    assert done.code in (1, 2)
    assert message in done.err
    assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == before
    assert not (tmp_path / "gold").exists()


def test_the_annotated_pages_are_all_there_or_none(samestory: Runner, write: Writer, tmp_path: Path) -> None:
    write("sites.toml", '[sites."a.example"]\ncontent = "p"\n')
    write("a.example/1.html", "<p>one")
    write("a.example/2.html", '<p><span class="CedarContent">two</span>')
    write("a.example/3.html", b"\x89PNG\r\n\x1a\n" + bytes(100))
    done = samestory("tag", "a.example", "--rules", "sites.toml", "-o", "gold", "--strict")
    assert done.code == 1
    assert not (tmp_path / "gold").exists()
    done = samestory("tag", "a.example", "--rules", "sites.toml", "-o", "gold")
    assert done.code == 0
    assert "2.html: not annotated: already annotated" in done.err
    assert "3.html: not a page: " in done.err
    assert [path.name for path in (tmp_path / "gold" / "a.example").iterdir()] == ["1.html"]
    write("b/1.html", "<p>one")
    done = samestory("tag", "b", "--rules", "sites.toml", "-o", "none")
    assert done.code == 1
    assert "no page could be annotated with sites.toml" in done.err
    assert not (tmp_path / "none").exists()


def examples(kind: str) -> list[str]:
    """Returns the examples of a kind in the extraction guide."""
    text = (ROOT / "docs" / "concepts" / "extraction.md").read_text(encoding="utf-8")
    return re.findall(rf"```{kind}\n(.*?)```", text, re.DOTALL)


def test_the_rules_and_commands_of_the_documentation_do_what_it_says(samestory: Runner, write: Writer) -> None:
    [rules], [console] = examples("toml"), examples("console")
    write("sites.toml", rules)
    for number in range(4):
        write(f"pages/valley-news.example/{number}.html", page("valley-news.example", number))
    commands = [part.partition("\n") for part in re.split(r"^\$ ", console, flags=re.MULTILINE)[1:]]
    tagging, training = [(shlex.split(line)[1:], printed) for line, _, printed in commands]
    done = samestory(*tagging[0])
    assert (done.code, done.err) == (0, tagging[1])
    if importlib.util.find_spec("pycrfsuite"):
        assert samestory(*training[0]).code == 0


def test_the_blocks_and_the_model_of_the_documentation_are_read(tmp_path: Path) -> None:
    [source], [model] = examples("html"), examples("text")
    assert [block.text for block in blocks(Page(source.encode()))] == ["One two three", "four", "five six"]
    (tmp_path / "my.model").write_text(model, encoding="utf-8")
    found, probabilities = Crf(model=str(tmp_path / "my.model")).label(Page(b"<p>One<div class=related>two"))
    assert len(found) == len(probabilities) == 2
    assert probabilities[0] > probabilities[1]


@pytest.mark.usefixtures("sites")
def test_what_a_list_names_is_not_written_over(samestory: Runner, write: Writer) -> None:
    write("list", ["pages/valley-news.example/1.html"])
    done = samestory("tag", "--list", "list", "--rules", "sites.toml", "-o", "pages")
    assert (done.code, "-o: pages contains the input pages/valley-news.example/1.html" in done.err) == (2, True)


def test_a_name_is_cut_by_the_bytes_it_takes(samestory: Runner, write: Writer, tmp_path: Path) -> None:
    """A name of 150 letters that take two bytes each is too long for most file systems."""
    write("sites.toml", '[sites."a.example"]\ncontent = "p"\n')
    with zipfile.ZipFile(tmp_path / "pages.zip", "w") as archive:
        archive.writestr(f"a.example/{'я' * 150}.html", "<p>news")
    done = samestory("tag", "pages.zip", "--rules", "sites.toml", "--site", "a.example", "-o", "gold")
    assert done.code == 0
    assert len(list((tmp_path / "gold").rglob("*.html"))) == 1
