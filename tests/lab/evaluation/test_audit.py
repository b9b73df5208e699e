"""Audits of collections with known confusions across time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date, timedelta
from html import escape
from random import Random
from typing import Any

import pytest

import samestory
from samestory.errors import InputError, ParameterError
from samestory.groups import GroupingOptions
from samestory.lab.evaluation import Audit, audit, read_gold
from samestory.lab.evaluation.audit_tables import notes, sections
from samestory.lab.evaluation.blocks import cut_blocks, zone_of
from samestory.lab.evaluation.growth import Growth, fit_growth, predict
from samestory.lab.evaluation.rates import clustered_rate, independent_rate
from samestory.lab.evaluation.report.audit import audit_page
from samestory.readers import Source
from samestory.readers import articles as take
from tests.conftest import Writer
from tests.lab.evaluation.dated import BETWEEN, FIRST, NOW, SECOND, START, Row, day, pairs, row, strangers, words
from tests.lab.evaluation.test_report import Page


def audited(news: Sequence[Row] | Sequence[Source], detector: str = "exact", **more: Any) -> Audit:
    return audit(news, detector, now=NOW, **more)


def page_of(found: Audit, news: Sequence[Row]) -> tuple[str, Page]:
    whole = audit_page(found, {article.id: article for article in take(news)})
    return whole, Page(whole)


def test_a_merge_across_blocks_is_presumed_false_and_a_copy_inside_one_is_not() -> None:
    news = strangers(60) + pairs("false", 3, FIRST, SECOND, 1) + pairs("copy", 2, FIRST, FIRST + 1, 2)
    found = audited(news)
    assert (found.articles, found.audited, len(found.blocks.sizes)) == (70, 70, 2)
    for view in found.views:
        whole = view.whole
        assert whole.groups == 5 and whole.spanning and (whole.spanning.count, whole.spanning.total) == (3, 5)
        assert whole.false and (whole.false.count, whole.false.total) == (3, 5)
        assert whole.falsely_dropped and (whole.falsely_dropped.count, whole.falsely_dropped.total) == (3, 70)
        assert (whole.dropped.count, whole.largest, whole.largest_spanning) == (5, 2, 2)
    assert [view.dates for view in found.views] == ["withheld", "given"]
    assert not found.missing and found.is_whole
    assert {drop.article[:5] for drop in found.sample} == {"false"} and len(found.sample) == 3
    assert all(drop.days_apart == SECOND - FIRST for drop in found.sample)


@pytest.mark.parametrize("detector", ["reuse", "minhash(threshold=0.3)", "resemblance(threshold=0.2)"])
@pytest.mark.parametrize("grouping", ["star", "components"])
def test_the_counts_are_those_of_groups_found_without_dates(detector: str, grouping: str) -> None:
    """Counted again, from the groups that `find` returns for the same articles."""
    random = Random(5)
    news = strangers(30)
    for at in range(60):
        base = news[random.randrange(len(news))]["text"].split()
        start = random.randrange(max(1, len(base) - 20))
        text = " ".join([*base[start:], words(random.randrange(30), 90_000 + at)])
        news.append(row(f"edited-{at}", text, random.choice((FIRST, BETWEEN, SECOND, 125))))
    found = audited(news, detector, options=GroupingOptions(grouping), sizes=[1])
    block = {each["id"]: (date.fromisoformat(each["date"]) - START).days // 30 for each in news}
    kept = [{**each, "date": None} for each in news if block[each["id"]] % 2 == 0]
    groups = [
        g for g in samestory.find(kept, detector=detector, grouping=GroupingOptions(grouping)) if len(g.members) > 1
    ]
    dropped = [(id, g.representative) for g in groups for id in g.members if id != g.representative]
    whole = found.views[0].whole
    assert found.audited == len(kept)
    assert whole.groups == len(groups)
    assert whole.spanning and whole.spanning.count == sum(len({block[id] for id in g.members}) > 1 for g in groups)
    assert whole.dropped.count == len(dropped)
    assert whole.false and whole.false.count == sum(block[id] != block[kept_id] for id, kept_id in dropped)
    assert whole.false.count, "the test would count nothing"
    related = {frozenset((r.left, r.right)): r for r in samestory.relate(kept, detector=detector)}
    for drop in found.sample:
        link = related.get(frozenset((drop.article, drop.representative)))
        if link is None:
            assert drop.kind == "indirect" and drop.share is None
        else:
            link = link if link.left == drop.article else link.flipped()
            assert (drop.kind, drop.forward, drop.backward) == (str(link.kind), *link.overlap)
    for slices in (found.views[0].by_kind, found.views[0].by_length_ratio, found.views[0].by_share):
        assert sum(each.dropped for each in slices) == len(dropped)
        assert sum(each.false.count for each in slices if each.false) == whole.false.count


def test_a_member_related_to_others_only_is_indirect() -> None:
    parts = [words(20, at) for at in range(11)]
    texts = [" ".join(parts[start:end]) for start, end in ((0, 6), (3, 9), (6, 11))]
    news = [row("a", texts[0], FIRST), row("b", texts[1], FIRST), row("c", texts[2], SECOND), *strangers(40)]
    (drop,) = audited(news, "resemblance(threshold=0.2)", options=GroupingOptions("components")).sample
    assert (drop.article, drop.kind, drop.share, drop.score) == ("c", "indirect", None, None)


def test_sources_are_audited_as_the_articles_in_them(write: Writer) -> None:
    news = strangers(60) + pairs("false", 3, FIRST, SECOND, 1)
    sources = [Source(str(write("one.jsonl", news[:40]))), Source(str(write("two.jsonl", [*news[40:], "no JSON"])))]
    assert audited(sources) == audited(news)


def test_progress_counts_the_runs() -> None:
    seen: list[tuple[str, int, int, int]] = []
    audited(strangers(60), progress=lambda *each: seen.append(each))
    assert seen == [("auditing", done, 6, 60) for done in range(7)]


def test_articles_of_two_blocks_lie_at_least_a_gap_apart() -> None:
    random = Random(3)
    news = take([row(str(at), "x", random.randrange(400)) for at in range(300)])
    blocks = cut_blocks(news, 17, NOW)
    assert len(blocks.sizes) > 5 and sum(blocks.sizes) == len(blocks.of_article) < 300
    ids = list(blocks.of_article)
    for one in ids:
        for other in ids:
            if blocks.of_article[one] != blocks.of_article[other]:
                assert abs(blocks.days[one] - blocks.days[other]) > 17


def test_dates_are_withheld_first_and_then_given() -> None:
    """Of one source, a copy with another date is an update, if dates can be seen."""
    text = words(50, 4)
    news = [row("a", text, FIRST, source="Post"), row("b", f"{text} More.", FIRST + 1, source="Post"), *strangers(40)]
    withheld, given = audited(news, "reuse").views
    assert [each.name for each in withheld.by_kind] == ["NEAR"]
    assert [each.name for each in given.by_kind] == ["UPDATE"]


def test_intervals_hold_the_true_rate_although_errors_come_together() -> None:
    """Groups of ten that are entirely false: an interval that treats drops as independent is far too narrow."""
    random = Random(11)
    true, rounds, held, naive = 0.3, 400, 0, 0
    for _ in range(rounds):
        totals = [10] * 40
        counts = [10 if random.random() < true else 0 for _ in totals]
        found, plain = clustered_rate(counts, totals), independent_rate(sum(counts), sum(totals))
        assert found.low is not None and found.high is not None and plain.low is not None and plain.high is not None
        held += found.low <= true <= found.high
        naive += plain.low <= true <= plain.high
    assert held / rounds > 0.92
    assert naive / rounds < 0.7


def test_single_trials_have_the_interval_of_wilson() -> None:
    apart, plain = clustered_rate([1] * 7, [1] * 7, 93), independent_rate(7, 100)
    assert apart.low == pytest.approx(plain.low, abs=1e-3) and apart.high == pytest.approx(plain.high, abs=1e-3)
    nothing = independent_rate(0, 0)
    assert (nothing.value, nothing.low, nothing.high) == (None, None, None)
    none = clustered_rate([0, 0], [20, 20])
    assert none.low == 0 and none.high and none.high > 0.5, "two groups that agree prove little"


def test_pairs_that_are_confused_grow_with_the_square() -> None:
    found = audited(strangers(400) + pairs("false", 200, FIRST, SECOND, 3))
    growth = found.views[0].growth
    assert growth and growth.low <= growth.exponent <= growth.high
    assert growth.low > 1.5
    whole, ahead = found.views[0].whole, found.views[0].prediction
    assert ahead and ahead.articles == 8000 and whole.falsely_dropped and whole.falsely_dropped.value
    assert ahead.per_thousand > 3 * 1000 * whole.falsely_dropped.value
    assert ahead.low <= ahead.per_thousand <= ahead.high
    assert [size.articles for size in found.views[0].sizes] == [200, 400, 800]


def test_what_a_standing_text_absorbs_grows_with_the_collection() -> None:
    standing = words(50, 5)
    news = strangers(400, 10) + [row(f"column-{at}", standing, 60 * (at % 10)) for at in range(200)]
    found = audited(news)
    growth, whole, ahead = found.views[0].growth, found.views[0].whole, found.views[0].prediction
    assert growth and 0.8 < growth.exponent < 1.2 and growth.low > 0.7 and growth.high < 1.4
    assert ahead and whole.falsely_dropped and whole.falsely_dropped.value
    assert 0.6 < ahead.per_thousand / (1000 * whole.falsely_dropped.value) < 1.6
    assert whole.largest == whole.largest_spanning == 200


def test_the_exponent_is_that_of_the_chain_of_samples() -> None:
    assert fit_growth([100, 200, 400], [0, 0, 0]) is None
    assert fit_growth([100], [5]) is None
    found = fit_growth([100, 200, 400], [25, 50, 100])
    assert found == Growth(1.0, found.low, found.high) and found.low < 1 < found.high
    few, many = fit_growth([100, 200, 400], [2, 4, 8]), fit_growth([100, 200, 400], [200, 400, 800])
    assert few and many and few.high - few.low > many.high - many.low
    assert predict(Growth(2.0, 2.0, 2.0), 1000, 0.5, 0.5, 0.5).per_thousand == 1000, "no more than all"


def test_without_a_false_merge_only_a_limit_is_predicted() -> None:
    found = audited(strangers(100) + pairs("copy", 3, FIRST, FIRST, 2))
    view = found.views[0]
    assert view.growth is None and view.whole.false and view.whole.false.count == 0
    assert view.prediction and view.prediction.per_thousand == 0 and view.prediction.high > 0
    assert view.whole.falsely_dropped and view.whole.falsely_dropped.high
    assert view.prediction.high == pytest.approx(10 * 1000 * view.whole.falsely_dropped.high)
    assert found.sample == found.worst == ()


def test_parts_are_nested_and_the_same_for_one_seed() -> None:
    news = strangers(100) + pairs("false", 30, FIRST, SECOND, 6)
    one, same, other = (audited(news, max_articles=80, sample=5, seed=seed) for seed in (1, 1, 2))
    assert one == same and one.sample != other.sample
    assert one.audited == sum(one.blocks.sizes) == 80
    shuffled = news[::-1]
    again = audited(shuffled, max_articles=80, sample=5, seed=1)
    assert {drop.article.rpartition("-")[0] for drop in one.sample} == {
        drop.article.rpartition("-")[0] for drop in again.sample
    }


def test_the_worst_come_first_one_of_each_group() -> None:
    standing = words(50, 5)
    news = strangers(60) + pairs("false", 3, FIRST, SECOND, 1)
    news += [row(f"column-{at}", standing, FIRST if at else SECOND) for at in range(6)]
    found = audited(news, sample=3)
    assert found.worst[0].article.startswith("column") and found.worst[0].members == 6
    assert len({drop.representative for drop in found.worst}) == len(found.worst) == 3


def test_a_collection_without_dates_still_has_groups() -> None:
    news = [{**each, "date": None} for each in strangers(30) + pairs("x", 4, FIRST, SECOND, 1)]
    found = audited(news)
    assert not found.is_whole and found.articles == found.audited == 38
    (view,) = found.views
    assert (view.whole.groups, view.whole.dropped.count, view.whole.largest) == (4, 4, 2)
    assert view.whole.false is view.whole.spanning is view.whole.falsely_dropped is view.growth is None
    assert [(each.name, each.dropped, each.false) for each in view.by_kind] == [("IDENTICAL", 4, None)]
    assert "none of 38 articles has a date" in found.missing[0]
    assert any("dropped articles" in line for line in found.estimated)
    assert len(found.sample) == 4, "all dropped articles may be looked at"
    _, page = page_of(found, news)
    assert "no false merge can be presumed" in page.text


def test_a_single_block_says_which_gap_would_cut_it() -> None:
    news = [row(str(at), words(40, at), at) for at in range(21)]
    found = audited(news)
    assert not found.is_whole and len(found.blocks.sizes) == 1
    assert "21 dated articles in 21 days" in found.missing[0]
    assert "a gap of 10 days or fewer" in found.missing[1]
    assert audited(news, gap_days=10).is_whole and not audited(news, gap_days=11).is_whole


def test_small_blocks_are_named() -> None:
    few, many = audited(strangers(30)), audited(strangers(60))
    assert "half of the 2 blocks have 15 or fewer" in few.missing[0] and "lower bounds" in few.estimated[0]
    assert few.is_whole and not many.missing


def test_odd_dates_are_counted_and_left_out() -> None:
    odd = [
        row("year-1", words(40, 1), None, date="0001-01-01T00:00:00Z"),
        row("epoch", words(40, 2), None, date="1970-01-01T00:00:00Z"),
        row("future", words(40, 3), None, date="2099-05-05"),
        row("none", words(40, 4), None),
        row("unreadable", words(40, 5), None, date="last Tuesday"),
    ]
    news = strangers(60) + odd
    news[0]["date"] = f"{day(0)}T23:30:00+03:00"
    news[1]["date"] = f"{day(61)}T01:00:00-0500"
    news[2]["date"] = f"{day(2)}T01:00:00Z"
    dates = (found := audited(news)).blocks.dates
    assert (dates.dated, dates.undated, dates.placeholder, dates.future) == (60, 2, 2, 1)
    assert found.audited == 60
    assert dates.zones == {"+00:00": 3, "+03:00": 1, "-05:00": 1, "none": 58}
    text = "\n".join(notes(found))
    for words_of in ("2 without a readable date", "2 with a placeholder", "1 with a date in the future", "1 × +03:00"):
        assert words_of in text
    half = audited(strangers(50) + [{**each, "id": f"u{each['id']}", "date": None} for each in strangers(60, seed=2)])
    assert any("60 of 110 articles have no usable date" in line for line in half.missing)


@pytest.mark.parametrize(
    ("published", "zone"),
    [
        ("2026-03-02T08:00:00.123+0530", "+05:30"),
        ("2026-03-02 08:00:00 -03:00", "-03:00"),
        ("Mon, 02 Mar 2026 08:00:00 GMT", "+00:00"),
        ("2026-03-02T08:00", "none"),
        ("1704067200", "none"),
        ("20260302080000", "none"),
    ],
)
def test_zones_of_dates(published: str, zone: str) -> None:
    assert zone_of(published) == zone


def test_what_cannot_be_audited_is_refused() -> None:
    with pytest.raises(InputError, match="no articles to audit"):
        audited([])
    news = strangers(4)
    for more in ({"gap_days": 0}, {"sizes": [0]}, {"sizes": [2]}, {"sample": -1}, {"max_articles": 0}):
        with pytest.raises(ParameterError):
            audited(news, **more)


def test_a_detector_that_works_in_python_is_audited_alike() -> None:
    news = strangers(30) + pairs("false", 3, FIRST, SECOND, 1) + pairs("copy", 2, FIRST, FIRST + 1, 2)
    found = audited(news, "semshort", sizes=[1])
    undated = [{**each, "date": None} for each in news]
    groups = [each for each in samestory.find(undated, detector="semshort") if len(each.members) > 1]
    whole = found.views[0].whole
    assert whole.groups == len(groups) >= 5 and whole.dropped.count == sum(len(each.members) - 1 for each in groups)
    assert {drop.article[:5] for drop in found.sample} == {"false"}
    assert whole.false and whole.false.count == 3 and all(drop.kind != "indirect" for drop in found.sample)


def test_calibration_is_the_share_judged_same_at_every_score(write: Writer) -> None:
    news = strangers(40) + pairs("copy", 4, FIRST, FIRST, 1)
    gold = [{"a": f"copy-{at}-a", "b": f"copy-{at}-b", "label": "same" if at else "other"} for at in range(4)]
    gold += [{"a": "stranger-1", "b": "stranger-2", "label": "same"}]
    gold += [{"a": "stranger-1", "b": f"stranger-{at}", "label": "other"} for at in (3, 4, 5)]
    gold += [{"a": "stranger-1", "b": "gone", "label": "other"}]
    curve = audited(news, gold=read_gold(str(write("gold.jsonl", gold)))).calibration
    assert curve and (curve.judged, curve.absent) == (8, 1)
    (only,) = curve.bins
    assert (only.low, only.high, only.mean_score) == (0.9, 1.0, 1.0)
    assert (only.same.count, only.same.total) == (3, 4) and only.same.low is not None and only.same.low < 0.75
    assert curve.unreported and (curve.unreported.count, curve.unreported.total) == (1, 4)
    assert curve.error == pytest.approx(0.25)


def test_judgements_tell_how_many_presumed_false_are(write: Writer) -> None:
    news = strangers(60) + pairs("false", 5, FIRST, SECOND, 1) + pairs("copy", 2, FIRST, FIRST, 2)
    gold: list[Row] = [
        {"a": f"false-{at}-a", "b": f"false-{at}-b", "label": "same" if at == 1 else "other"} for at in range(4)
    ]
    gold.append({"a": "copy-0-a", "b": "copy-0-b", "label": "same"})
    found = audited(news, gold=read_gold(str(write("gold.jsonl", gold))))
    assert found.confirmed and (found.confirmed.count, found.confirmed.total) == (3, 4)
    (text,) = [line for line in notes(found) if line.startswith("judged: ")]
    assert "of 4 judged drops presumed false 3 are not the same" in text
    assert f"about {1000 * 5 / 74 * 3 / 4:.2f} falsely dropped" in text
    groups = [{"id": f"false-{at}-{side}", "cluster": f"{at}{side if at else ''}"} for at in range(2) for side in "ab"]
    found = audited(news, gold=read_gold(str(write("groups.jsonl", groups))))
    assert found.confirmed and (found.confirmed.count, found.confirmed.total) == (1, 2)


def test_calibration_from_groups_looks_at_reported_pairs(write: Writer) -> None:
    news = strangers(40) + pairs("copy", 4, FIRST, FIRST, 1)
    gold = [{"id": f"copy-{at}-{side}", "cluster": f"{at}{side if not at else ''}"} for at in range(4) for side in "ab"]
    curve = audited(news, gold=read_gold(str(write("gold.jsonl", gold)))).calibration
    assert curve and curve.unreported is None
    assert [(each.same.count, each.same.total) for each in curve.bins] == [(3, 4)]


def test_gold_about_other_articles_is_refused(write: Writer) -> None:
    gold = read_gold(str(write("gold.jsonl", [{"a": "x", "b": "y", "label": 1}])))
    with pytest.raises(InputError, match="not in the collection"):
        audited(strangers(4), gold=gold)


def test_the_page_shows_pairs_side_by_side_and_escapes_everything(write: Writer) -> None:
    news = strangers(60)
    bad = "<script>alert(1)</script>"
    text = f"{words(30, 8)} {bad} & more"
    news += [row("a<b>", f"{text} 1,200 crowns", FIRST, title=bad, source="<i>Post"), row("c", f"{text} 7", SECOND)]
    gold = read_gold(str(write("gold.jsonl", [{"a": "a<b>", "b": "c", "label": "other"}])))
    found = audited(news, "resemblance(threshold=0.3)", gold=gold)
    whole, page = page_of(found, news)
    assert "<script" not in whole and escape(bad) in whole and "&lt;i&gt;Post" in whole
    assert page.under("h2") == ["What was audited", "Figures", "Calibration", "Worst pairs", "Random sample"]
    assert "62 days apart" in page.text and "1,200 crowns" in "".join(page.under("ins"))
    assert any(words(30, 8)[:40] in each for each in page.under("mark"))
    ids = [attributes["id"] for _, attributes in page.tags if "id" in attributes]
    assert len(ids) == len(set(ids))
    names = {name for name, _ in page.tags}
    assert not names & {"script", "link", "iframe", "img"} and "http" not in "".join(page.under("style"))
    policy = next(m["content"] for m in page.all("meta") if m.get("http-equiv") == "Content-Security-Policy")
    assert policy and policy.startswith("default-src 'none'")


def test_the_page_of_a_clean_detector_has_no_pairs() -> None:
    news = strangers(60)
    _, page = page_of(audited(news), news)
    assert page.text.count("None.") == 2


def test_the_tables_tell_every_figure() -> None:
    found = audited(strangers(60) + pairs("false", 3, FIRST, SECOND, 1))
    tables = {name: (head, rows) for name, head, rows in sections(found)}
    assert list(tables) == [
        "dropped articles",
        "growth: exponent of the size",
        "dropped articles by kind",
        "dropped articles by length ratio",
        "dropped articles by share",
    ]
    for head, rows in tables.values():
        assert rows and all(len(each) == len(head) for each in rows)
    head, rows = tables["dropped articles"]
    last = dict(zip(head, rows[2], strict=True))
    assert last["presumed false"] == "3" and last["per 1,000 articles"].startswith("45.45 [")


def test_a_gap_is_in_days_of_utc() -> None:
    late = replace(take([row("a", "x", FIRST)])[0], published=f"{day(0)}T23:30:00-03:00")
    assert cut_blocks([late], 30, NOW).days["a"] == (START + timedelta(days=1)).toordinal()
