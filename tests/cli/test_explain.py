"""samestory explain and detectors, end to end."""

from __future__ import annotations

import json
import os
import re
import subprocess

import pytest

from samestory import DETECTORS, Article, _core, explain, parse, read
from samestory.explanation import only_left, shared_evidence
from tests.archive.news import news
from tests.conftest import DEMO, PATIENCE, Runner, Writer, command, environment

NEWS = DEMO / "news.jsonl"
TEXTS = {item.id: item.text for item in read(str(NEWS)) if hasattr(item, "text")}


def explained(samestory: Runner, left: str, right: str) -> dict[str, object]:
    (row,) = samestory("explain", left, right, NEWS, "--json").rows
    return row


def test_shared_passages_are_the_same_words_on_both_sides(samestory: Runner) -> None:
    row = explained(samestory, "tr-kopru-1", "tr-kopru-3")
    assert row["kind"] == "IDENTICAL"
    assert row["only_left"] == row["only_right"] == []
    assert row["shared"]
    for passage in row["shared"]:  # type: ignore[attr-defined]
        sides = [TEXTS[id][slice(*passage[side])] for id, side in (("tr-kopru-1", "left"), ("tr-kopru-3", "right"))]
        one, other = (re.findall(r"\w+", _core.text.Language("tr").fold(side)) for side in sides)
        assert one == other


def test_what_is_new_is_what_the_other_lacks(samestory: Runner) -> None:
    """The update of the demo corrects one figure and adds one paragraph: just these are new."""
    row = explained(samestory, "en-fire-2", "en-fire-1")
    new = [TEXTS["en-fire-2"][slice(*span)] for span in row["only_left"]]  # type: ignore[attr-defined]
    gone = [TEXTS["en-fire-1"][slice(*span)] for span in row["only_right"]]  # type: ignore[attr-defined]
    added = [part for part in TEXTS["en-fire-2"].split("\n\n") if "declared out" in part]
    assert new == ["85", added[0].rstrip(".")]
    assert gone == ["60"]


@pytest.mark.parametrize(
    ("left", "right", "kind"),
    [("en-rail-1", "en-rail-2", "PART_OF"), ("en-rail-2", "en-rail-1", "HAS_PART")],
)
def test_the_kind_and_the_shares_are_reported_from_the_left(
    left: str, right: str, kind: str, samestory: Runner
) -> None:
    """Left and right are the requested articles in that order, and all other fields follow it."""
    row = explained(samestory, left, right)
    assert (row["left"], row["right"], row["kind"]) == (left, right, kind)
    shares = row["forward"], row["backward"]
    assert shares == tuple(sorted(shares, reverse=kind == "PART_OF"))  # type: ignore[type-var]


def test_the_shares_of_an_update_belong_to_their_columns(samestory: Runner) -> None:
    there, back = explained(samestory, "en-fire-1", "en-fire-2"), explained(samestory, "en-fire-2", "en-fire-1")
    assert (there["forward"], there["backward"]) == (back["backward"], back["forward"])
    assert there["forward"] != there["backward"]


@pytest.mark.parametrize(
    ("left", "right", "heading", "shares"),
    [
        ("en-rail-1", "en-rail-2", "en-rail-1 PART_OF en-rail-2", "forward"),
        ("en-rail-2", "en-rail-1", "en-rail-2 HAS_PART en-rail-1", "backward"),
        ("en-fire-1", "en-fire-2", "en-fire-2 UPDATE en-fire-1 (en-fire-2 is newer)", ""),
        ("en-fire-2", "en-fire-1", "en-fire-2 UPDATE en-fire-1 (en-fire-2 is newer)", ""),
    ],
)
def test_left_and_right_are_the_columns(left: str, right: str, heading: str, shares: str, samestory: Runner) -> None:
    """The heading used to be `part PART_OF whole` even with the whole on the left."""
    lines = samestory("explain", left, right, NEWS).out.splitlines()
    assert lines[0] == heading
    row = explained(samestory, left, right)
    there, back = (f"{100 * float(str(row[side])):.0f} %" for side in ("forward", "backward"))
    assert lines[1] == f"{there} of the left one is in the right one, {back} of the right one is in the left one"
    if shares:
        assert row[shares] == max(float(str(row["forward"])), float(str(row["backward"])))


def test_articles_of_two_files_may_have_one_id(samestory: Runner, write: Writer) -> None:
    part = "The council of Oldmere voted on Monday to rebuild the wooden pier before winter comes back."
    whole = part + "".join(f" Sentence number {n} is about other things in town {n}." for n in range(20))
    files = [write(f"{name}.jsonl", [{"id": "a", "text": text}]) for name, text in (("part", part), ("whole", whole))]
    assert samestory("explain", *files, "-d", "ffp").out.startswith("a PART_OF a\n100 %")
    assert samestory("explain", *files[::-1], "-d", "ffp").out.startswith("a HAS_PART a\n")


@pytest.mark.parametrize(
    ("spec", "pattern"),
    [
        ("simhash", r"\d+ % of their bits agree"),
        ("exhaustive(inner=simhash)", r"\d+ % of their bits agree"),
        ("imatch", r"100 % of their signatures are equal"),
        ("cosine", r"\d+ % alike, by the cosine of the weights of their words"),
        ("ffp", r"\d+ % of the word runs of the left one are in the right one, \d+ % of the word runs of the right .+"),
    ],
)
def test_a_detector_says_what_its_shares_are(spec: str, pattern: str, samestory: Runner) -> None:
    """`98% of left is in right` used to be printed for bits, too."""
    out = samestory("explain", "en-harbour-1", "en-harbour-2", NEWS, "-d", spec).out
    assert re.fullmatch(pattern, out.splitlines()[1])


@pytest.mark.parametrize("spec", ["tweezer", "tweezer-set"])
def test_names_are_marked_where_names_are_compared(spec: str, samestory: Runner) -> None:
    """Text in both articles used to be marked as new, except around shared names."""
    done = samestory("explain", "en-fire-1", "en-fire-2", NEWS, "-d", spec)
    legend = "[= a name in the same words in both =]  [+ a name in other words, or only in this one +]"
    assert done.out.splitlines()[1:4].count(legend) == 1
    assert done.out.count("[=Ellen Marsh=]") == 2
    marks = re.findall(r"\[\+[^\]]*\+\]", done.out.replace(legend, ""))
    assert set(marks) <= {"[+Mill Lane+]"}
    (row,) = samestory("explain", "en-fire-1", "en-fire-2", NEWS, "-d", spec, "--json").rows
    assert any("Ellen Marsh said" in TEXTS["en-fire-1"][slice(*passage["left"])] for passage in row["shared"])
    assert len(row["only_left"]) == len(row["only_right"]) == len(marks) / 2


def test_an_article_without_names_says_so(samestory: Runner, write: Writer) -> None:
    news = [{"id": "a", "text": "It rained all day."}, {"id": "b", "text": "Then Mr Smith flew to Paris with her."}]
    out = samestory("explain", "a", "b", write("news.jsonl", news), "-d", "tweezer").out
    assert "the left one has no names: its first and last words are used instead" in out
    assert "the right one has no names" not in out


def test_unrelated_articles_are_explained_too(samestory: Runner) -> None:
    row = explained(samestory, "en-library-1", "ru-hor-1")
    assert (row["kind"], row["shared"]) == (None, [])
    assert len(row["only_left"]) == 1  # type: ignore[arg-type]
    assert "not related" in samestory("explain", "en-library-1", "ru-hor-1", NEWS).out


def test_why_two_articles_are_not_related_is_reported(samestory: Runner) -> None:
    assert explained(samestory, "en-market-1", "en-market-2")["why"] == "same template, other facts"
    assert explained(samestory, "en-library-1", "ru-hor-1")["why"] == "too little in common"
    assert explained(samestory, "en-fire-1", "en-fire-2")["why"] is None
    assert "same template, other facts" in samestory("explain", "en-market-1", "en-market-2", NEWS).out


def test_two_columns_with_marks_around_what_is_new(samestory: Runner) -> None:
    done = samestory("explain", "en-fire-1", "en-fire-2", NEWS)
    assert (done.code, done.err) == (0, "")
    assert "en-fire-2 UPDATE en-fire-1" in done.out
    assert "\x1b" not in done.out
    assert done.out.count("[+") == done.out.count("+]") > 2
    rows = [line for line in done.out.splitlines() if line.count("│") == 3]
    assert len(rows) > 10, "two columns"
    assert max(map(len, done.out.splitlines())) <= 120


def test_a_rejected_record_is_named_with_the_reason(samestory: Runner, write: Writer) -> None:
    """The error used to be that no article has the id."""
    rows = [{"id": "nothing", "text": ""}, {"id": "ok", "text": "The ferry runs."}, {"id": "bad", "text": 7}]
    news, table = write("news.jsonl", rows), write("news.csv", "id,text\nnothing,\nok,The ferry runs.\n")
    for path, id, reason in (
        (news, "nothing", f"{news}:1: empty text: the text is empty"),
        (news, "bad", f"{news}:3: broken line: text: expected a text, got 7"),
        (table, "nothing", f"{table}:2: no text: the record has neither a text nor a title"),
    ):
        done = samestory("explain", "ok", id, path)
        assert (done.code, done.err) == (1, f"samestory: the record with the id '{id}' was rejected: {reason}\n")
    done = samestory("explain", "ok", "absent", news)
    assert done.err == (
        f"samestory: no article has the id 'absent'\n"
        f"hint: 2 records were rejected, the first: {news}:1: empty text: the text is empty\n"
    )


SENTENCES = [
    f"Sentence {n} of the report is about bridge b{n * 7919 % 10007} and road r{n * 104729 % 9973}."
    for n in range(20_000)
]


@pytest.mark.parametrize("detector", ["reuse", "event"])
def test_of_long_texts_the_part_around_the_longest_shared_passage_is_printed(
    detector: str, samestory: Runner, write: Writer
) -> None:
    """Two articles of a million words used to take a minute, and to print 18 MB."""
    one, other = " ".join(SENTENCES[:10_000]), " ".join([*SENTENCES[10_000:], *SENTENCES[5_000:5_020], "The end."])
    news = write("news.jsonl", [{"id": "a", "text": one, "lang": "en"}, {"id": "b", "text": other, "lang": "en"}])
    out = samestory("explain", "a", "b", news, "-d", detector, "--largest", 10**7).out
    assert len(out) < 100_000
    rows = [line.split("│") for line in out.splitlines() if line.count("│") == 3]
    for column in (1, 2):
        assert "Sentence 5010 of the report" in " ".join(row[column].strip() for row in rows)
    cut = re.findall(r"the (left|right) one is cut: characters ([\d,]+) to ([\d,]+) of ([\d,]+) are printed", out)
    assert [(side, total.replace(",", "")) for side, _, _, total in cut] == [
        ("left", str(len(one))),
        ("right", str(len(other))),
    ]
    for _, start, end, _ in cut:
        assert int(end.replace(",", "")) - int(start.replace(",", "")) == 20_000
    assert "is cut" not in samestory("explain", "en-fire-1", "en-fire-2", NEWS).out


@pytest.mark.parametrize("plain", [True, False])
def test_no_color_is_honoured_and_the_marks_stay(plain: bool) -> None:
    pty = pytest.importorskip("pty")
    terminal, other = pty.openpty()
    more = {"NO_COLOR": "1"} if plain else {}
    process = subprocess.Popen(
        command("explain", "en-fire-1", "en-fire-2", NEWS),
        stdin=subprocess.DEVNULL,
        stdout=other,
        stderr=subprocess.DEVNULL,
        env=environment(TERM="xterm-256color", COLUMNS="100", **more),
    )
    os.close(other)
    shown = b""
    try:
        while piece := os.read(terminal, 65536):
            shown += piece
    except OSError:
        pass  # the other end of the terminal is closed
    os.close(terminal)
    assert process.wait(PATIENCE) == 0
    coloured = re.search(rb"\x1b\[[0-9;]*3[0-9][0-9;]*m", shown)
    assert (coloured is None) is plain
    assert b"[+" in shown


def test_text_files_can_be_explained_directly(samestory: Runner, write: Writer) -> None:
    one = write("one.txt", "The ferry to the island runs again, the master said.")
    other = write("other.txt", "On Monday the ferry to the island runs again.")
    (row,) = samestory("explain", one, other, "--json").rows
    assert row["shared"] == [{"left": [0, 34], "right": [10, 44]}]
    assert row["only_left"] == [[36, 51]]
    assert row["only_right"] == [[0, 9]]


def test_without_a_file_each_side_must_be_one_article(samestory: Runner, write: Writer) -> None:
    """The first article of each file used to be compared silently."""
    one = write("one.jsonl", [{"id": "a", "text": "The ferry to the island runs again.", "date": "once"}])
    two = write("two.jsonl", [{"id": "a", "text": "The ferry runs."}, {"id": "b", "text": "It does not."}])
    none = write("none.jsonl", "")
    (row,) = samestory("explain", one, write("other.txt", "The ferry to the island runs."), "--json").rows
    assert (row["left"], row["kind"]) == ("a", "NEAR")
    for words, pattern in (
        ((two, one), f"{two}: expected one article, found more"),
        ((one, two), f"{two}: expected one article, found more"),
        ((one, none), f"{none}: contains no article"),
        ((one, write("bad.jsonl", "{")), "bad.jsonl:1: broken line"),
        (("a", two), "a: no such file"),
    ):
        done = samestory("explain", *words)
        assert (done.code, done.out) == (1, "")
        assert pattern in done.err
        assert "hint: to compare two articles of one file, name their ids: samestory explain ID ID FILE" in done.err


def test_a_file_in_place_of_an_id_is_an_error_with_the_usage(samestory: Runner, write: Writer) -> None:
    news = write("news.jsonl", [{"id": "a", "text": "The ferry runs."}, {"id": "b", "text": "It does not."}])
    for words in ((news, "a", "b"), ("a", news, "b"), (news, "a", news)):
        done = samestory("explain", *words)
        assert (done.code, done.out) == (1, "")
        assert done.err.endswith("hint: usage: samestory explain LEFT RIGHT FILE\n"), done.err
    assert "usage" not in samestory("explain", "a", "c", news).err


@pytest.mark.parametrize("spec", ["exact", "minhash", "reuse"])
def test_every_detector_explains(spec: str, samestory: Runner) -> None:
    (row,) = samestory("explain", "en-harbour-1", "en-harbour-2", NEWS, "-d", spec, "--json").rows
    assert row["kind"] in ("IDENTICAL", "NEAR")
    assert row["forward"] == 1.0


def test_detectors_are_listed_with_their_parameters(samestory: Runner) -> None:
    rows = {row["name"]: row for row in samestory("detectors", "--json").rows}
    assert set(rows) == set(DETECTORS)
    for name, row in rows.items():
        assert row["summary"]
        spec = f"{name}({', '.join(f'{key}={value!r}' for key, value in row['parameters'].items())})"
        assert parse(spec) == DETECTORS[name]()
    plain = samestory("detectors").out
    assert all(name in plain and row["summary"] in plain for name, row in rows.items())


def test_where_a_parameter_may_lie_is_reported_with_its_open_ends(samestory: Runner) -> None:
    """`epsilon must be in [2, 1000], got 2` used to be the message for a number that must be above 2."""
    done = samestory("detectors", "scam")
    assert re.search(r"epsilon = 2\.5 +2 < epsilon ≤ 1000 +\w", done.out)
    assert re.search(r"threshold = \S+ +0 ≤ threshold ≤ 1 +\w", done.out)
    assert re.search(r"ceiling = 0 +ceiling ≥ 0 +\w", done.out), "what the core can count to is no limit to people"
    (row,) = samestory("detectors", "cosine", "--json").rows
    assert row["ranges"] == {"log_base": "log_base ≥ 1.000001", "threshold": "0 ≤ threshold ≤ 1"}
    refused = samestory("find", NEWS, "-d", "scam(epsilon=2)")
    assert (refused.code, "scam: epsilon must be above 2 and at most 1000, got 2" in refused.err) == (2, True)


def test_the_version_is_reported(samestory: Runner) -> None:
    from samestory import __version__

    assert samestory("--version").out == f"samestory {__version__}\n"


def test_a_relation_line_holds_what_it_should(samestory: Runner) -> None:
    for line in samestory("relate", NEWS).out.splitlines():
        row = json.loads(line)
        assert list(row) == ["left", "right", "kind", "forward", "backward", "score", "detector"]
        assert 0 <= min(row["forward"], row["backward"]) <= max(row["forward"], row["backward"]) <= 1
        assert row["detector"].startswith("reuse")


@pytest.mark.parametrize("spec", ["reuse()", "event()", "minhash()"])
def test_evidence_of_several_pairs_is_that_of_each(spec: str) -> None:
    left, *others = [Article(each["id"], each["text"]) for each in news(3, 12)]
    pairs = [(left, other, spec if number % 2 else parse(spec)) for number, other in enumerate(others)]
    explained = [explain(left, other, detector=spec) for other in others]
    assert shared_evidence(pairs) == [each.evidence for each in explained]
    assert only_left(pairs) == [each.only_left for each in explained]
    assert any(shared_evidence(pairs)) and any(only_left(pairs))
    assert shared_evidence([]) == only_left([]) == []
