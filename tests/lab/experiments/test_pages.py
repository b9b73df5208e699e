"""Pages for experiments: articles wrapped in templates and extracted again, and pages of users."""

from __future__ import annotations

from collections import Counter, defaultdict
from pathlib import Path
from zipfile import ZipFile

import pytest

from samestory.errors import InputError
from samestory.html import Page, SiteFilter, SiteRule, blocks, parse
from samestory.lab.experiments import ExperimentInput, reproduce
from samestory.lab.experiments.further.extraction_quality import token_f
from samestory.lab.experiments.pages import PageSet, pages, templates, usable, wrapped
from samestory.lab.experiments.templates import Template, builtin_templates, paragraphs, template
from samestory.lab.training.align import words
from samestory.model import Article
from samestory.readers import Source
from tests.conftest import Writer
from tests.lab.experiments.conftest import Given
from tests.lab.experiments.news import STORIES, docs

SITES = builtin_templates()
STORY = Article("x", "\n".join(STORIES["en"][0] + STORIES["en"][1]), "Ferry stops for nine days")
TITLES = ["Orchid found beside the railway", "Chess club wins the northern league"]


@pytest.mark.parametrize("site", SITES, ids=lambda site: site.site)
def test_the_news_stands_on_the_page_in_order_and_once(site: Template) -> None:
    page = site.page(STORY, TITLES)
    found = [word for block in blocks(page) for word in words(block.text)]
    wanted = words(STORY.text)
    at = iter(found)
    assert all(word in at for word in wanted), "in order"
    text = " ".join(block.text for block in blocks(page))
    assert all(text.count(sentence) == 1 for sentence in paragraphs(STORY.text))
    assert any(title in text for title in TITLES), "links lead to other news"
    assert STORY.title and STORY.title in text
    assert len(found) > len(wanted) + 40, "boilerplate is there"


@pytest.mark.parametrize("site", SITES, ids=lambda site: site.site)
def test_pages_of_a_site_change_but_the_same_page_comes_again(site: Template) -> None:
    one, again = (site.page(STORY, TITLES, "1") for _ in range(2))
    assert one == again
    other = site.page(Article("y", STORY.text, STORY.title), TITLES, "1")
    shown = [{block.text for block in blocks(page)} for page in (one, other)]
    assert shown[0] & shown[1] and shown[0] != shown[1]


def test_sites_differ_in_what_they_say() -> None:
    texts = Counter(
        block.text for site in SITES for block in blocks(site.page(STORY, TITLES)) if block.text not in STORY.text
    )
    shared = [text for text, count in texts.items() if count > 2 and text not in (STORY.title, *TITLES)]
    assert not [text for text in shared if len(words(text)) > 2]


def test_a_page_that_cannot_be_emptied_makes_no_template() -> None:
    news = "\n".join(STORIES["en"][0])
    inside = "".join(f"<p>{line}</p>" for line in STORIES["en"][0])
    assert not isinstance(template("a", f"<title>x</title><div>{inside}</div>", news), str)
    assert "old content" in str(template("a", f"<title>x</title><div>{inside}</div><div>{inside}</div>", news))
    assert "0 blocks" in str(template("a", "<p>Something else altogether stands here today</p>", news))
    assert "blocks" in str(template("a", f"<p>{news}</p>", news))


def test_long_paragraphs_are_cut_at_sentences() -> None:
    sentence = "The ferry will stop for nine days while its engine is replaced by another one."
    cut = paragraphs(" ".join([sentence] * 10))
    assert [len(each.split()) for each in cut] == [60, 60, 30]
    assert paragraphs("") == []


def test_duplicates_mostly_stand_on_different_sites(given: Given) -> None:
    found = wrapped(given("G4"))
    stories: dict[str, list[str]] = defaultdict(list)
    for name, site in zip(found.ids, found.sites, strict=True):
        stories[name.rpartition("-")[0]].append(site)
    apart = [len(set(sites)) / len(sites) for sites in stories.values() if len(sites) > 1]
    assert sum(apart) / len(apart) > 0.8
    assert len(set(found.sites)) == len(SITES)


def test_pages_give_templates_again(given: Given) -> None:
    """One template per site, and the reasons of rejection of the others."""
    found = wrapped(given("G4"))
    made, why = templates(found)
    assert {each.site for each in made} <= set(found.sites) and len(made) >= 6
    assert sum(why.values()) + len(made) == len(found.ids)


def lines(count: int = 6) -> list[dict[str, str]]:
    return [
        {
            "id": row["id"],
            "html": SITES[number % len(SITES)].page(Article(row["id"], row["text"]), TITLES).raw.decode(),
            "url": f"https://{SITES[number % len(SITES)].site}/{number}",
            "text": row["text"],
        }
        for number, row in enumerate(docs()[:count])
    ]


def read(path: Path) -> PageSet:
    return pages(ExperimentInput(sources=[Source(str(path))]))


def test_pages_of_the_user_are_read_from_lines_files_and_archives(write: Writer, tmp_path: Path) -> None:
    given = lines()
    plain = read(write("pages.jsonl", given))
    (tmp_path / "html").mkdir()
    with ZipFile(tmp_path / "zipped.zip", "w") as archive:
        for row in given:
            (tmp_path / "html" / f"{row['id']}.html").write_text(row["html"], encoding="utf-8")
            archive.writestr(f"zipped/{row['id']}.html", row["html"])
    for folder in ("html", "zipped"):
        rows = [{**row, "html_path": f"{folder}/{row['id']}.html", "charset": "utf-8"} for row in given]
        for row in rows:
            del row["html"]
        by_path = read(write(f"{folder}.jsonl", rows))
        assert list(by_path) == list(plain) and by_path.sites == plain.sites == [site.site for site in SITES[:6]]
    absent = read(write("absent.jsonl", [{"id": "a", "html_path": "html/none.html"}]))
    with pytest.raises(InputError, match=r"none\.html: no such page"):
        list(absent)


def test_a_line_that_is_no_page_is_reported_with_its_position(write: Writer) -> None:
    with pytest.raises(InputError, match=r"pages\.jsonl:7: a page needs an id and html"):
        read(write("pages.jsonl", [*lines(), {"id": "z", "text": "no page"}]))
    with pytest.raises(InputError, match=r"again\.jsonl:7: the id .* occurs twice"):
        read(write("again.jsonl", [*lines(), lines()[0]]))


def test_areas_of_pages_are_those_of_the_texts_that_were_taken_out(given: Given, write: Writer) -> None:
    """The same pages, once wrapped on the way and once as a user has them: the same areas."""
    collection = given("G4")
    found = wrapped(collection)
    rows = [
        {"id": name, "html": page.raw.decode(), "url": page.url, "text": news}
        for name, page, news in zip(found.ids, found, found.news, strict=True)
    ]
    own = ExperimentInput(sources=[Source(str(write("own.jsonl", rows)))], gold=collection.gold, rounds=0)
    for name in ("G4", "G5"):
        mine, theirs = ({row.what: row.measured for row in reproduce(name, each)} for each in (own, collection))
        assert mine == theirs
        assert sum(value is not None for value in mine.values()) > 4
    assert "your pages" in reproduce("G4", own)[-1].note


def test_good_extraction_is_worth_more_than_none(given: Given) -> None:
    found = {row.what: row.measured for row in reproduce("X2", given("X2"))}
    assert found["clean text, token F1"] == 1.0
    for better, worse in (("clean text", "rules"), ("rules", "heuristic"), ("heuristic", "whole")):
        assert float(found[f"{better}, token F1"] or 0) > float(found[f"{worse}, token F1"] or 0)
    lost = found["reuse(): points of pair F1 lost for a point of token F1 lost"]
    assert isinstance(lost, float) and lost > 0


def test_a_site_filter_sees_the_pages_as_a_stream(given: Given) -> None:
    """It was skipped while it had no counts, and so never collected any."""
    paged = wrapped(given("X2"))
    plain, filtered = (
        paged.extracted(parse("heuristic")),
        paged.extracted(parse("heuristic"), SiteFilter(SiteRule(least=2))),
    )
    by_hand = SiteFilter(SiteRule(least=2))
    assert [a.text for a in filtered] == [by_hand.filter(s, a.text) for a, s in zip(plain, paged.sites, strict=True)]
    clean = paged.reference()
    assert not isinstance(clean, str) and token_f(filtered, clean) > token_f(plain, clean) + 0.02


def test_what_cannot_be_used_is_a_row_with_the_reason(given: Given, monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    for module in [each for each in sys.modules if each.split(".")[0] == "trafilatura"]:
        monkeypatch.delitem(sys.modules, module)
    monkeypatch.setitem(sys.modules, "trafilatura", None)
    assert isinstance(usable("trafilatura"), str)
    for name in ("G4", "G6", "G7", "X2"):
        rows = [row for row in reproduce(name, given(name)) if row.what.startswith("trafilatura, ")]
        assert rows and all(row.measured is None and "trafilatura cannot be used" in row.note for row in rows)


def test_pages_without_their_news_have_no_reference(given: Given, write: Writer) -> None:
    rows = [{key: value for key, value in row.items() if key != "text"} for row in lines(39)]
    own = ExperimentInput(sources=[Source(str(write("bare.jsonl", rows)))], gold=given("G4").gold)
    found = {row.what: row for row in reproduce("G4", own)}
    assert found["reference, area"].measured is None and 'every page needs "text"' in found["reference, area"].note
    assert found["heuristic only, area"].measured is not None
    with pytest.raises(InputError, match="no page has labelled content blocks"):
        reproduce("G7", own)


def test_blocks_are_labelled_by_annotation_where_there_is_one(write: Writer) -> None:
    """Two sites, one story: heuristic takes all for content, so its precision is the share of content."""
    markup = '<p>Home page</p><p><span class="CedarContent">{}</span></p><p>Imprint</p><p>Contact</p>'
    rows = [{"id": str(n), "site": f"s{n % 2}", "html": markup.format(STORIES["en"][0][n])} for n in range(4)]
    found = {row.what: row for row in reproduce("G7", ExperimentInput(sources=[Source(str(write("a.jsonl", rows)))]))}
    assert found["heuristic, block precision in %"].measured == 25
    assert found["heuristic, block recall in %"].measured == 100
    assert found["heuristic, pages without an error in %"].measured == 0
    assert "4 pages of 2 sites" in found["rules, block recall in %"].note


def test_halves_are_tuned_apart(given: Given) -> None:
    found = {row.what: row for row in reproduce("G6", given("G6"))}
    for system in ("heuristic, N 5 %", "heuristic, MinBlock 8", "heuristic, N 5 %, MinBlock 9", "reference"):
        for what in ("threshold", "precision", "recall", "F", "pair F"):
            assert isinstance(found[f"{system}, {what}"].measured, float), system
    assert found["reference, F"].published == 0.984
    assert "N " in found["heuristic, N 5 %, threshold"].note
    assert "for development" in found["reference, F"].note


def test_judged_pairs_have_no_groups(given: Given, write: Writer) -> None:
    from samestory.lab.evaluation import read_gold
    from tests.lab.experiments.news import containments

    rows = [{**row, "relation": "near"} for row in containments()]
    for row in rows:
        row.pop("direction", None)
    collection = given("G6", gold=read_gold(str(write("pairs.jsonl", rows))))
    found = {row.what: row for row in reproduce("G6", collection)}
    assert "needs gold of groups" in found["reference, F"].note
    assert isinstance(found["reference, pair F"].measured, float)


def test_a_page_that_is_none_is_an_article_without_text() -> None:
    given = PageSet(["a", "b"], lambda number: Page(b"\0\1\2" * 99 if number else b"<p>x"), [None] * 2, ["s"] * 2, "")
    assert [article.text for article in given.extracted(parse("heuristic"))] == ["x", ""]
