"""The report file: its content, its robustness against hostile data, and its reproducibility."""

from __future__ import annotations

import re
import sys
from base64 import b64decode
from dataclasses import replace
from functools import partial
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from samestory.errors import ParameterError, SamestoryError
from samestory.lab.evaluation.report import write_report
from tests.conftest import Runner, Writer, put
from tests.lab.evaluation.news import ARTICLES, GROUPS, PAIRS, evaluated
from tests.news import SENTENCES

VOID = {"meta", "br", "wbr", "img", "link"}
SECTIONS = ["What was measured", "Results", "Which threshold", "Curves", "Slices", "Disagreements"]


class Page(HTMLParser):
    """A parsed page: properly nested elements, ids, links, text."""

    def __init__(self, whole: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[tuple[str, str]] = []
        self.feed(whole)
        self.close()
        assert not self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words.append((self.open[-1] if self.open else "", data))

    @property
    def text(self) -> str:
        return " ".join("".join(words if tag != "style" else "" for tag, words in self.words).split())

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.tags if name == tag]

    def under(self, *tags: str) -> list[str]:
        return [words for tag, words in self.words if tag in tags]


def report(write: Writer, tmp_path: Path, **more: Any) -> Page:
    found, sources = evaluated(write, **more)
    path = tmp_path / "report.html"
    write_report(str(path), found, sources)
    return Page(path.read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Page:
    """The report about both detectors, which several tests read."""
    folder = tmp_path_factory.mktemp("report")
    return report(partial(put, folder), folder)


def test_the_sections_come_in_order_and_every_link_leads_somewhere(page: Page) -> None:
    assert page.under("h2") == SECTIONS
    ids = [attributes["id"] for _, attributes in page.tags if "id" in attributes]
    assert len(ids) == len(set(ids))
    links = [a["href"] or "" for a in page.all("a")]
    assert links and all(link[1:] in ids if link.startswith("#") else link.startswith("data:") for link in links)
    named = [a["aria-describedby"] for a in page.all("svg")]
    assert len(named) == 5 and set(named) <= set(ids)


def test_nothing_comes_from_elsewhere_and_nothing_runs(page: Page) -> None:
    names = {name for name, _ in page.tags}
    assert not names & {"script", "link", "iframe", "object", "embed", "form", "img"}
    for _, attributes in page.tags:
        assert not any(key.startswith("on") or key in ("src", "srcset", "action") for key in attributes)
        assert "url(http" not in (attributes.get("style") or "")
    style = "".join(page.under("style"))
    assert "@import" not in style and "url(" not in style
    policy = next(m["content"] for m in page.all("meta") if m.get("http-equiv") == "Content-Security-Policy")
    assert policy and policy.startswith("default-src 'none'") and "script-src" not in policy


def test_the_report_states_what_the_gold_cannot_measure(page: Page) -> None:
    text = page.text
    assert "same: one story; the judgement does not distinguish kinds" in text
    assert "11 pairs: 6 yes (54.5%), 5 no" in text
    assert "1 × related" in text
    assert "What this gold cannot measure" in text and "is unknown (see --protocol)" in text
    assert "14 in" in text


def test_every_figure_stands_with_its_interval_and_how_its_threshold_was_chosen(write: Writer, tmp_path: Path) -> None:
    found, sources = evaluated(write)
    path = tmp_path / "report.html"
    write_report(str(path), found, sources)
    page = Page(path.read_text(encoding="utf-8"))
    text = page.text
    for result in found.results:
        assert f"{result.threshold:g} {result.chosen}" in text
        for figure in result.figures:
            assert figure.value is None or f"{figure.value:.3f}" in page.under("b")
            if figure.low is not None:
                assert f"{figure.low:.3f}–{figure.high:.3f}" in text
            assert figure.note is None or figure.note in text
    (difference,) = [d for *_, d in found.differences]
    assert difference.value is not None
    assert f"{difference.value:+.3f}".replace("-", "−") in text
    assert "not significant" in text


def test_the_cost_is_stated_with_the_threshold_it_leads_to(write: Writer, tmp_path: Path) -> None:
    from samestory.lab.measures.c_dup import CDup

    text = report(write, tmp_path, cost=CDup(p=0.6, cost_false=2.0)).text
    assert "A false alarm costs 2 × a miss" in text
    assert "0.6 of all pairs are duplicates" in text
    assert "At this cost, choose" in text
    dear = report(write, tmp_path, cost=CDup(p=0.2, cost_false=3.0)).text
    assert "At this cost, reporting nothing is cheaper than A reuse() at any threshold" in dear
    equal = report(write, tmp_path, cost=CDup(p="gold")).text
    assert "A false alarm costs as much as a miss" in equal
    assert "as many pairs are duplicates as in the gold" in equal


def test_slices_are_by_length_language_overlap_column_and_kind(page: Page) -> None:
    headings = page.under("h3")
    for by in ("length", "language", "overlap", "desk", "kind reported"):
        assert f"By {by}" in headings
    assert "under 20 words 1 judged pair, 0 duplicates" in page.text
    assert "ru and tr" in page.text


def test_disagreements_stand_side_by_side_with_shared_passages_marked(page: Page) -> None:
    headings = page.under("h3")
    assert {"Missed by all", "Wrongly reported by all", "Only A finds it"} <= set(headings)
    assert page.text.count("✗ wrong") == 2 * 2 + 2 * 1 + 2 * 1
    assert "✓ right" in page.text
    marked = page.under("mark")
    assert SENTENCES[0].rstrip(".") in [words.rstrip(".") for words in marked]
    assert "gold.jsonl:4" in page.text


def test_long_texts_are_cut_and_the_rest_is_there(page: Page) -> None:
    assert "Show all" in page.under("span")
    assert "w399x" in page.text
    rest = [a for a in page.all("details") if a.get("class") == "rest"]
    assert len(rest) == 2


def test_pictures_can_be_saved_and_have_their_values_in_words(page: Page) -> None:
    saved = {a["download"]: a["href"] or "" for a in page.all("a") if "download" in a}
    names = ("precision-recall", "main", "roc", "cost", "slices")
    assert set(saved) == {f"{name}.{kind}" for name in names for kind in ("svg", "png")}
    for name, link in saved.items():
        head, _, data = link.partition(",")
        raw = b64decode(data)
        if str(name).endswith("svg"):
            assert head == "data:image/svg+xml;base64"
            assert ElementTree.fromstring(raw).tag == "{http://www.w3.org/2000/svg}svg"
            assert b"reuse()" in raw and b"<dc:date" not in raw
        else:
            assert head == "data:image/png;base64"
            assert raw.startswith(b"\x89PNG\r\n\x1a\n")
    assert page.under("summary").count("Values") == 4
    assert "Area under the line: A " in page.text


HOSTILE = '<script>alert("x")</script></style></svg>&amp;<img src=x onerror=alert(1)>\x1b[2J'


def test_whatever_the_data_hold_is_shown_as_text(write: Writer, tmp_path: Path) -> None:
    """An article, a title, an id, a column and the name of a run with tags in them: all of it is text."""
    rename = {"pier-2": f"pier-2{HOSTILE.partition(chr(27))[0]}"}  # ids have no control characters
    articles = [
        {**a, "id": rename.get(a["id"], a["id"]), "title": HOSTILE, "text": f"{HOSTILE} {a['text']}", "source": HOSTILE}
        for a in ARTICLES
    ]
    pairs = [
        {**p, "a": rename.get(p["a"], p["a"]), "b": rename.get(p["b"], p["b"]), "desk": f"{p['desk']}{HOSTILE}"}
        for p in PAIRS
    ]
    run = [{"left": "pier-1", "right": rename["pier-2"]}]
    found, sources = evaluated(write, articles=articles, gold=pairs, run=run)
    path = tmp_path / "report.html"
    write_report(str(path), found, sources)
    whole = path.read_text(encoding="utf-8")
    page = Page(whole)
    assert not {name for name, _ in page.tags} & {"script", "img"}
    assert not any(key.startswith("on") for _, attributes in page.tags for key in attributes)
    assert '<script>alert("x")</script>' in page.text
    assert "\x1b" not in whole and "\\x1b[2J" in page.text
    assert page.under("h2") == SECTIONS


def test_a_run_may_have_any_name(write: Writer, tmp_path: Path) -> None:
    """Matplotlib takes $ for mathematics and hides what begins with _; XML has no control characters."""
    found, sources = evaluated(write)
    name = "_run $x_{$ <b>&\x07\udc80 新聞"
    first, second = found.subjects
    second = replace(second, scored=replace(second.scored, name=name, detector=None))
    results = tuple(replace(r, detector=name) if r.detector == "minhash()" else r for r in found.results)
    path = tmp_path / "report.html"
    write_report(str(path), replace(found, subjects=(first, second), results=results), sources)
    page = Page(path.read_text(encoding="utf-8"))
    assert "_run $x_{$ <b>&\\x07? 新聞" in page.text
    for link in (a["href"] or "" for a in page.all("a") if str(a.get("download")).endswith(".svg")):
        drawn = "".join(ElementTree.fromstring(b64decode(link.partition(",")[2])).itertext())
        assert "_run $x_{$ <b>&\\x07? 新聞" in drawn


def test_the_same_evaluation_gives_the_same_bytes(write: Writer, tmp_path: Path) -> None:
    found, sources = evaluated(write)
    for name in ("one.html", "two.html"):
        write_report(str(tmp_path / name), found, sources)
    assert (tmp_path / "one.html").read_bytes() == (tmp_path / "two.html").read_bytes()


def test_gold_of_groups_has_the_curves_and_slices_that_make_sense_there(write: Writer, tmp_path: Path) -> None:
    page = report(write, tmp_path, gold=GROUPS)
    assert page.under("h2") == SECTIONS
    saved = {a["download"] for a in page.all("a") if "download" in a}
    assert "roc.svg" not in saved and {"precision-recall.svg", "main.svg", "cost.svg"} <= saved
    assert "There is no ROC curve for groups" in page.text
    headings = page.under("h3")
    assert {"By size of the story", "By length", "By language", "By kind reported"} <= set(headings)
    assert "By overlap" not in headings
    assert "puts both into one group" in page.text and "puts them into two groups" in page.text
    assert "14 articles in 7 stories" in page.text


def test_a_run_made_elsewhere_is_reported_beside_detectors(write: Writer, tmp_path: Path) -> None:
    run = [{"left": "pier-1", "right": "pier-2", "score": 0.9}, {"left": "port-1", "right": "port-2", "score": 0.4}]
    page = report(write, tmp_path, run=run)
    assert "external run" in page.text and "everything reported" in page.text
    assert "Only C reports it, wrongly" in page.under("h3")


def test_groups_made_elsewhere_are_judged_by_pairs_and_by_groups(write: Writer, tmp_path: Path) -> None:
    run = [{"members": ["pier-1", "pier-2", "pier-5"]}, {"members": ["port-1", "port-2"]}]
    for gold in (PAIRS, GROUPS):
        page = report(write, tmp_path, detectors=("reuse",), run=run, gold=gold)
        assert page.under("h2") == SECTIONS
        assert "external run" in page.text
        assert "Only B finds it" in page.under("h3")


def test_without_thresholds_there_is_nothing_to_draw_against_them(write: Writer, tmp_path: Path) -> None:
    page = report(write, tmp_path, detectors=("exact",), thresholds=())
    saved = {a["download"] for a in page.all("a") if "download" in a}
    assert saved == {f"{name}.{kind}" for name in ("precision-recall", "roc", "slices") for kind in ("svg", "png")}
    assert "No threshold was varied" in page.text
    assert "there is none to choose" in page.text


def test_one_detector_is_wrong_or_right_alone(write: Writer, tmp_path: Path) -> None:
    headings = report(write, tmp_path, detectors=("reuse",)).under("h3")
    assert "Missed" in headings and "Wrongly reported" in headings
    assert "Differences" not in headings


def test_containment_is_judged_in_both_directions(write: Writer, tmp_path: Path) -> None:
    gold = [
        {"a": "pier-1", "b": "pier-4", "label": "contains", "direction": "a>b"},
        {"a": "pier-1", "b": "pier-2", "label": "contains", "direction": "both"},
        {"a": "pier-1", "b": "port-1", "label": "other"},
    ]
    page = report(write, tmp_path, gold=gold, detectors=("reuse",))
    assert "6 pairs, each in both directions: 3 yes (50.0%), 3 no" in page.text
    assert "HAS_PART (does not count for this relation)" in page.text


def test_gold_of_duplicates_only_has_no_cost(write: Writer, tmp_path: Path) -> None:
    page = report(write, tmp_path, gold=[pair for pair in PAIRS if pair["label"] == "same"])
    assert "The cost is undefined at every threshold" in page.text
    assert "cost.svg" not in {a.get("download") for a in page.all("a")}


def test_no_rounds_no_intervals(write: Writer, tmp_path: Path) -> None:
    page = report(write, tmp_path, detectors=("reuse",), rounds=0)
    assert "none: no bootstrap rounds were requested" in page.text
    assert not any(attributes.get("class") == "interval" for attributes in page.all("span"))


def test_without_matplotlib_the_install_hint_is_raised_before_any_work(
    write: Writer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found, sources = evaluated(write)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    path = tmp_path / "report.html"
    with pytest.raises(SamestoryError, match=re.escape("pip install 'samestory[lab]'")):
        write_report(str(path), found, sources)
    assert not path.exists()


def test_a_report_never_replaces_an_input(write: Writer) -> None:
    found, sources = evaluated(write)
    for path in (sources[0].path, found.gold.path):
        with pytest.raises(ParameterError, match="is one of the inputs"):
            write_report(path, found, sources)


def test_the_command_writes_the_page_and_prints_the_table(samestory: Runner, write: Writer, tmp_path: Path) -> None:
    gold, news = write("gold.jsonl", PAIRS), write("news.jsonl", ARTICLES)
    words = ("evaluate", "--gold", gold, "--docs", news, "-d", "reuse", "-d", "exact", "--rounds", 50, "--report")
    done = samestory(*words, "report.html")
    assert (done.code, done.out.split()[0]) == (0, "detector")
    page = Page((tmp_path / "report.html").read_text(encoding="utf-8"))
    assert page.under("h2") == SECTIONS
    assert sorted(p.name for p in tmp_path.iterdir()) == ["gold.jsonl", "news.jsonl", "report.html"]


@pytest.mark.parametrize("docs, report", [("news.jsonl", "-"), ("-", "report.html"), ("news.jsonl", "gold.jsonl")])
def test_the_command_refuses_what_cannot_become_a_report(
    samestory: Runner, write: Writer, docs: str, report: str
) -> None:
    write("gold.jsonl", PAIRS)
    write("news.jsonl", ARTICLES)
    done = samestory("evaluate", "--gold", "gold.jsonl", "--docs", docs, "-d", "reuse", "--report", report)
    assert (done.code, done.out) == (2, "")
    assert "report: " in done.err
