"""Training on pages of invented sites: from texts, from snippets, from a file of gold."""

import json
import random
from pathlib import Path

import pytest

from samestory import _core
from samestory.cli import main
from samestory.errors import InputError, ParameterError
from samestory.html import Extraction, Page, blocks
from samestory.html.blocks import INLINE_5, served
from samestory.html.extractors import Crf, MaxEnt
from samestory.lab.training.align import align
from samestory.lab.training.content_model import Example, held_out, part_of, train
from samestory.lab.training.page_gold import PageGold
from samestory.lab.training.snippets import Snippets, known, labelled
from samestory.readers.page import Origin, site_of

WORDS = ["rain", "fell", "city", "people", "said", "fields", "others", "wind", "harbour", "bridge", "council", "today"]


def made(site: int, number: int) -> tuple[Page, str]:
    """A page of an invented site, and its news."""
    draw = random.Random(1000 * site + number)
    story = [" ".join(draw.choices(WORDS, k=draw.randint(12, 30))).capitalize() + "." for _ in range(4)]
    body, menu = ["story", "article-text", "post"][site % 3], ["nav", "div class=menu", "ul"][site % 2]
    markup = (
        f"<title>{story[0][:20]}</title><{menu}><a href=/>Home</a> <a href=/w>World</a></{menu.split()[0]}>"
        f"<div class='{body}'>{''.join(f'<p>{text}</p>' for text in story)}</div>"
        f"<div class=related><p><a href=/x>{draw.choice(WORDS)} more news of this kind</a></p></div><footer>us</footer>"
    )
    return Page(markup.encode(), f"https://site{site}.example{site}.com/{number}"), "\n".join(story)


def known_pages(sites: range, pages: int = 3) -> list[Example]:
    return [
        Example.from_text(page, page.site, news) for s in sites for page, news in (made(s, n) for n in range(pages))
    ]


@pytest.mark.parametrize("kind", ["crf", "maxent"])
def test_a_model_tells_content_on_a_site_it_has_not_seen(kind: str):
    native = _core.html.Extractor("learned", 0, train(known_pages(range(9)), kind))
    page, news = made(9, 0)
    content = [probability >= 0.5 for probability in native.label(served(page))]
    assert content == align([block.text for block in blocks(page, inline_extra=INLINE_5)], news)


def test_a_model_with_entities_says_so_and_tells_content_too(tmp_path: Path):
    model = train(known_pages(range(9)), entities=True)
    assert model.count("\nfeatures all entities\n") == 2, "of both steps"
    assert "\tpersons=" in model
    assert "\tpersons=" not in train(known_pages(range(4)))
    path = tmp_path / "my.model"
    path.write_text(model)
    page, news = made(9, 0)
    (found,) = Crf(model=str(path)).extract([page])
    assert isinstance(found, Extraction)
    assert found.text.split() == news.split()
    with pytest.raises(InputError, match="a model of features all entities; maxent needs features words"):
        MaxEnt(model=str(path)).prepare()


def test_training_again_gives_the_same_model():
    assert train(known_pages(range(4))) == train(known_pages(range(4)))


def test_what_is_held_out_is_measured_and_counted():
    found = held_out(known_pages(range(6)), "crf", None, 3)
    assert found.pages == 18
    assert found.recall > 0.9
    assert "18 pages" in str(found)


def test_one_kind_of_block_teaches_nothing():
    with pytest.raises(InputError, match="expected both content and other blocks"):
        train([Example(Page(b"<p>one<p>two"), "a.com", (True, True))])
    with pytest.raises(ParameterError, match="crf or maxent, got 'svm'"):
        train(known_pages(range(2)), "svm")
    with pytest.raises(InputError, match="2 blocks, but 3 labels"):
        train([Example(Page(b"<p>one<p>two"), "a.com", (True, False, True))])


def test_parts_of_the_sites_are_always_the_same():
    assert [part_of(f"site{n}.com", 5) for n in range(6)] == [part_of(f"site{n}.com", 5) for n in range(6)]
    assert {part_of(f"site{n}.com", 3) for n in range(50)} == {0, 1, 2}


def test_snippets_tell_of_blocks():
    texts = ["Home", "It rained all day.", "It rained all day.", "Nobody was hurt today.", "Share this: Twitter"]
    given = Snippets(Page(b""), "a.com", ("It rained", "Nobody  was"), ("Twitter", "Home"))
    # two blocks contain the first snippet; Twitter is less than half of its block
    assert known(texts, given) == [(3, True), (0, False)]


def test_pages_with_snippets_are_labelled_where_the_model_agrees():
    model = train(known_pages(range(6)))
    page, news = made(7, 1)
    some, last = news.splitlines()[0][:30], news.splitlines()[-1][-30:]
    (found,) = labelled(model, [Snippets(page, page.site, (some, last), ("more news of this kind",))])
    assert sum(found.content) == 4
    assert not list(labelled(model, [Snippets(page, page.site, ("words that are nowhere",), ())]))


def test_sites_are_known_by_their_registered_names():
    assert site_of("https://www.bbc.co.uk/news") == "bbc.co.uk"
    assert site_of("https://edition.cnn.com/x") == "cnn.com"
    assert site_of("no address") == "no address"
    assert Page(b"", None, None, Origin("crawl/a.com/1.html")).site == "crawl/a.com"
    assert Page(b"", None, None, Origin("crawl.warc", 3)).site == "crawl.warc"


def test_gold_is_found_by_address_path_and_name(tmp_path: Path):
    path = tmp_path / "gold.jsonl"
    rows = [{"url": "http://a.com/1", "text": "one"}, {"path": "b/2.html", "text": "two"}, {"id": "3", "text": "three"}]
    path.write_text("\n".join(map(json.dumps, rows)))
    gold = PageGold(str(path))
    pages = [
        Page(b"", "http://a.com/1"),
        *(Page(b"", None, None, Origin(f)) for f in ("x/b/2.html", "y/3.html", "z.html")),
    ]
    found = [gold.lookup(page) for page in pages]
    assert [each and each.text for each in found] == ["one", "two", "three", None]


def test_of_text_and_snippets_the_text_counts_unless_it_is_the_snippets_again(tmp_path: Path):
    path = tmp_path / "gold.jsonl"
    rows = [
        {"id": "1", "text": "one and all of it", "must_contain": ["one"]},
        {"id": "2", "text": "two\nthree", "must_contain": ["two", "three"], "must_not_contain": ["four"]},
    ]
    path.write_text("\n".join(map(json.dumps, rows)))
    both, again = PageGold(str(path)).all
    assert (both.text, both.wanted) == ("one and all of it", ("one",))
    assert (again.text, again.wanted, again.unwanted) == ("", ("two", "three"), ("four",))


def test_two_lines_about_one_page_must_say_the_same(tmp_path: Path):
    path = tmp_path / "gold.jsonl"
    same = {"url": "http://a.com/1", "text": "one"}
    path.write_text("\n".join(map(json.dumps, [same, same])))
    assert PageGold(str(path)).lookup(Page(b"", "http://a.com/1")) is not None
    path.write_text("\n".join(map(json.dumps, [same, {"id": "x", "text": "y"}, same | {"text": "two"}])))
    with pytest.raises(InputError, match=r"gold.jsonl:3: 'http://a.com/1' has different gold in line 1\nhint: "):
        PageGold(str(path))


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("{", "gold.jsonl:1: invalid JSON"),
        ("[" * 100_000, "gold.jsonl:1: invalid JSON"),
        ("[]", "expected an object"),
        ('{"text": "x"}', "no url, path or id of a page"),
        ('{"id": "1"}', "no text, and no snippets"),
        ('{"id": "1", "must_contain": "x"}', "a list of texts"),
        ("", "contains no gold"),
    ],
)
def test_gold_that_cannot_be_is_reported_with_its_line(line: str, why: str, tmp_path: Path):
    path = tmp_path / "gold.jsonl"
    path.write_text(line)
    with pytest.raises(InputError, match=why):
        PageGold(str(path))


def test_the_command_trains_measures_and_writes(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    rows = []
    for site in range(5):
        for number in range(2):
            page, news = made(site, number)
            file = tmp_path / "pages" / f"site{site}" / f"{number}.html"
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(page.raw)
            rows.append({"path": f"site{site}/{number}.html", "text": news})
    snippet = rows.pop()
    rows.append({"path": snippet["path"], "must_contain": [snippet["text"][:40]], "must_not_contain": ["World"]})
    gold = tmp_path / "gold.jsonl"
    rows.append({"path": "site9/none.html", "text": "a page that is not there"})
    gold.write_text("\n".join(map(json.dumps, rows[1:])))
    model = tmp_path / "my.model"
    assert main(["train-extractor", str(tmp_path / "pages"), "--gold", str(gold), "-o", str(model)]) == 0
    out, err = capsys.readouterr()
    assert "on held-out sites: blocks precision" in out
    assert "8 pages with known content, 1 page with snippets" in err
    assert "no gold" in err, "one page is in no line of the gold"
    assert "1 line of the gold match no page" in err
    assert main(["extract", str(tmp_path / "pages"), "-e", f"crf(model={str(model)!r})", "--quiet"]) == 0
    articles = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert articles[0]["text"].replace("\n\n", "\n") == made(0, 0)[1]


def test_files_without_addresses_are_of_the_sites_that_the_gold_names(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    """Pages in one folder used to count as one site, so that quality on other sites could not be measured."""
    rows: list[dict[str, str]] = []
    (tmp_path / "pages").mkdir()
    for site in range(3):
        for number in range(2):
            page, news = made(site, number)
            (tmp_path / "pages" / f"{site}-{number}.html").write_bytes(page.raw)
            rows.append({"id": f"{site}-{number}", "url": f"https://www.site{site}.example/{number}", "text": news})
    gold = tmp_path / "gold.jsonl"
    words = ["train-extractor", str(tmp_path / "pages"), "--gold", str(gold), "-o", str(tmp_path / "my.model")]
    for url, message in [(True, "measuring on 3 sites in 3 parts"), (False, "all pages are from one site")]:
        kept = rows if url else [row | {"url": f"/{row['id']}"} for row in rows]  # no host, no site
        gold.write_text("\n".join(map(json.dumps, kept)))
        assert main(words) == 0
        assert message in capsys.readouterr().err


def test_two_lines_about_one_page_may_have_two_addresses(tmp_path: Path):
    path = tmp_path / "gold.jsonl"
    lines = [{"path": "a.html", "url": f"https://{host}.example/a", "text": "words"} for host in ("one", "other")]
    path.write_text("\n".join(map(json.dumps, lines)))
    known = PageGold(str(path)).lookup(Page(b"", origin=Origin("a.html")))
    assert known is not None and known.url == "https://one.example/a"


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["pages"], "-o: specify the file of the model"),
        (["-o", "m"], "PAGES or --list"),
        (["pages", "-o", "m", "--folds", "1"], "--folds: expected 0 or at least 2"),
        (["pages", "-o", "m", "--variance", "nan"], "--variance: expected a number above 0"),
        (["pages", "-o", "m", "--kind", "maxent", "--entities"], "--entities: not available for maxent"),
    ],
)
def test_options_that_cannot_be_are_rejected(words: list[str], why: str, capsys: pytest.CaptureFixture[str]):
    assert main(["train-extractor", *words]) == 2
    assert why in capsys.readouterr().err
