"""U1 to U6 with Tweezer: counted by hand, or by another way."""

from __future__ import annotations

from itertools import combinations

import pytest

from samestory import prepare, relate
from samestory.detectors import parse
from samestory.detectors.tweezer import NameShingles, Tweezer
from samestory.lab.experiments import EXPERIMENTS, ExperimentInput, about, reproduce
from samestory.lab.experiments.uyar import sample_pairs as sample
from samestory.lab.experiments.uyar.entity_words import IMATCH, PRINTED_COUNTS, shape
from samestory.lab.experiments.uyar.example_pairs import MAX_EXAMPLES
from samestory.lab.experiments.values import OURS, YOURS, ReportRow
from samestory.lab.measures import paired_t
from samestory.readers import Source
from tests.conftest import Writer
from tests.lab.experiments.conftest import Given
from tests.lab.experiments.news import docs


def yours(name: str, collection: ExperimentInput) -> dict[str, ReportRow]:
    return {row.what: row for row in reproduce(name, collection) if row.basis == YOURS}


def groups(spec: str) -> list[set[str]]:
    """Articles of the invented news that are related, put together pair by pair."""
    out: list[set[str]] = []
    for relation in relate(docs(), detector=spec):
        pair = {relation.left, relation.right}
        apart = [group for group in out if not group & pair]
        joined = [group for group in out if group & pair]
        out = [*apart, pair.union(*joined)]
    return out


def test_windows_are_counted_as_relations_are(given: Given) -> None:
    found = yours("U1", given("U1"))
    specs = {IMATCH: "imatch-idf"} | {f"{n}NE{n}": f"tweezer(p={n}, s={n})" for n in range(1, 8)}
    assert list(specs) == list(PRINTED_COUNTS)
    for label, spec in specs.items():
        expected = groups(spec)
        clusters, articles = (found[f"{label}, {what}"] for what in ("clusters", "articles"))
        assert (clusters.measured, articles.measured) == (len(expected), sum(map(len, expected))), label
        assert (clusters.published, articles.published) == PRINTED_COUNTS[label]
        assert len(expected) > 1


def test_a_word_changed_beside_a_name_parts_two_articles_from_that_window_on(write: Writer) -> None:
    """Pair k differs in the k-th word behind its only name: it is one for windows under k, for k from 2 to 8."""
    lines = []
    for k in range(2, 9):
        for side in "ab":
            behind = [f"w{k}x{n}" if n != k else f"w{k}{side}" for n in range(1, 12)]
            lines.append({"id": f"{k}{side}", "lang": "tr", "text": f"dün gelen Sayın Ali Kaya {' '.join(behind)}"})
    found = yours("U1", ExperimentInput(sources=[Source(str(write("windows.jsonl", lines)))]))
    counts = [found[f"{n}NE{n}, articles"].measured for n in range(1, 8)]
    assert counts == [14, 12, 10, 8, 6, 4, 2]
    assert [found[f"{n}NE{n}, clusters"].measured for n in range(1, 8)] == [7, 6, 5, 4, 3, 2, 1]
    row = found["articles with more words around a name"]
    assert (row.published, row.measured) == ("fall, flat from 5", "fall")


def test_the_trend_is_described() -> None:
    published = [articles for label, (_, articles) in PRINTED_COUNTS.items() if label != IMATCH]
    assert shape(published) == "fall, flat from 5"
    assert shape([*published[:5], 1082, 1000]) == "fall"
    assert shape([*published[:5], 1084, 1084]) == "rise from 5 to 6"
    assert shape([0] * 7) == "flat"


@pytest.mark.parametrize("name", ["U2", "U3"])
def test_tweezer_is_measured_in_every_test_set(name: str, given: Given) -> None:
    """Beside what was printed; and by hand from its relations: 12 articles of every language have a twin."""
    found = yours(name, given(name, split="category"))
    for what in ("false alarm in %", "miss in %", "C_dup", "precision", "recall", "F1"):
        row = found[f"Tweezer, {what}"]
        assert row.published == EXPERIMENTS[name].value(f"Tweezer, {what}").value
        assert isinstance(row.measured, float)
    assert len([what for what in found if what.startswith("Tweezer, F1, ")]) == 3
    flagged = {id for r in relate(docs(), detector="tweezer") for id in (r.left, r.right)}
    right = {row["id"] for row in docs() if "alone" not in row["id"]}
    in_language = {lang: {id for id in flagged & right if id.startswith(lang)} for lang in ("en", "tr", "ru")}
    for lang, those in in_language.items():
        each = found[f"Tweezer, F1, news in {lang}"].measured
        precision, recall = len(those) / len({id for id in flagged if id.startswith(lang)}), len(those) / 12
        assert each == pytest.approx(2 * precision * recall / (precision + recall))


def test_tweezer_and_imatch_are_tested_over_the_sets(given: Given) -> None:
    collection = given("U4", split="category")
    sets = yours("U2", collection)
    names = ["news in en", "news in tr", "news in ru"]
    left, right = ([float(sets[f"{d}, F1, {name}"].measured or 0) for name in names] for d in ("Tweezer", "I-Match"))
    row = yours("U4", collection)["F1, Tweezer and I-Match, p"]
    if left == right:
        assert "no difference" in row.note
    else:
        expected = paired_t(left, right, "greater" if sum(left) > sum(right) else "less")
        assert row.measured == pytest.approx(expected.p)


def test_of_our_pairs_each_method_finds_one() -> None:
    rows = reproduce("U6")
    assert [(row.what, row.measured) for row in rows] == [(v.what, v.value) for v in EXPERIMENTS["U6"].published]
    assert {row.basis for row in rows} == {OURS}
    assert any("written for it" in line for line in about(EXPERIMENTS["U6"], ExperimentInput(), rows))


def test_our_pairs_are_as_those_of_the_study() -> None:
    """A sentence more that names nothing; figures changed right behind names; the set of shingles finds both."""
    (short, long), (nine, ten) = sample.PAIRS.values()
    assert long.text.endswith(short.text) and long.text.index(".") < len(long.text) - len(short.text)
    detector = Tweezer()
    left, right = ({s.words for s in detector.shingles(prepare([one]))} for one in (nine, ten))
    assert left & right and left - right
    changed = [(a, b) for a, b in zip(nine.text.split(), ten.text.split(), strict=True) if a != b]
    assert len(changed) == 3 and all(a[0].isdigit() and b[0].isdigit() for a, b in changed)
    related = {frozenset((r.left, r.right)) for r in relate(sample.articles(), detector="tweezer-set")}
    assert related == {frozenset((one.id, other.id)) for one, other in sample.PAIRS.values()}


def test_what_only_one_finds_among_yours_is_counted_and_named(write: Writer) -> None:
    lines = [*docs(), *({"id": a.id, "text": a.text, "lang": "tr"} for a in sample.articles())]
    found = yours("U6", ExperimentInput(sources=[Source(str(write("news.jsonl", lines)))]))
    pairs = {
        label: {tuple(sorted((r.left, r.right))) for r in relate(lines, detector=parse(name))}
        for label, name in EXPERIMENTS["U6"].methods.items()
    }
    both = pairs["Tweezer"] & pairs["I-Match"]
    assert found["pairs found by both"].measured == len(both) > 0
    for label, those in pairs.items():
        row, only = found[f"pairs found by {label} only"], sorted(those - both)
        assert row.measured == len(only)
        assert row.note == ("first: " + "; ".join(" and ".join(pair) for pair in only[:MAX_EXAMPLES]) if only else "")
    assert ("concert", "concert, longer") in pairs["Tweezer"] - both


def test_all_experiments_of_the_study_of_names_run() -> None:
    for number in range(1, 7):
        assert EXPERIMENTS[f"U{number}"].state.partition(";")[0] == "runs"
    used = {name for e in EXPERIMENTS.values() for name in e.methods.values() if "tweezer" in name}
    forms = [parse(name) for name in used]
    assert all(isinstance(form, NameShingles) and form.rules == "study" for form in forms) and forms
    assert all(not a & b for a, b in combinations(groups("tweezer"), 2))
