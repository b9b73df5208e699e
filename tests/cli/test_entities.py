"""samestory entities, end to end."""

from __future__ import annotations

import json
import os
import pty
import signal
import subprocess
import threading
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import samestory as package
from samestory import Article, read
from samestory.cli import main
from tests.conftest import DEMO, PATIENCE, Runner, Writer, command, environment

NEWS = [
    {"id": "tr", "title": "Açılış", "text": "Ankara Valisi Ali Kaya, Mersin Üniversitesi'nde konuştu.", "lang": "tr"},
    {"id": "en", "text": "Mr Smith flew to Paris with Zibbolt and others.", "lang": "en"},
    {"id": "de", "text": "Die Stadt Hamburg ist schön und der Hafen ist gross.", "lang": "de"},
]
NAMES = {
    "tr": [
        ("Ankara", "location"),
        ("Ali Kaya", "person"),
        ("Mersin Üniversitesi", "organization"),
        ("Mersin", "location"),
    ],
    "en": [("Smith", "person"), ("Paris", "location"), ("Zibbolt", "unclassified")],
    "de": [],
}


def entities_by_id(rows: list[dict[str, Any]]) -> dict[str, list[tuple[str, str]]]:
    return {str(row["id"]): [(n["text"], n["kind"]) for n in row["entities"]] for row in rows}


def test_a_line_for_every_article_has_its_names_and_their_rules(samestory: Runner, write: Writer) -> None:
    done = samestory("entities", write("news.jsonl", NEWS))
    assert done.code == 0
    assert entities_by_id(done.rows) == NAMES
    assert [row["language"] for row in done.rows] == ["tr", "en", "de"]
    assert all(set(row) == {"id", "language", "entities"} for row in done.rows)
    for row, article in zip(done.rows, NEWS, strict=True):
        for name in row["entities"]:
            assert list(name) == ["start", "end", "text", "kind", "because"]
            assert article["text"][name["start"] : name["end"]] == name["text"]
    assert done.rows[1]["entities"][0]["because"] == "person_before: Mr"
    assert done.err.splitlines() == [
        "3 articles: 2 persons, 3 places, 1 organisation, 1 unclassified name",
        "no rules for 1 × de; rules exist for tr, en, ru, other languages need --model",
    ]
    assert samestory("entities", "news.jsonl", "--quiet").err == ""


def test_the_command_and_the_library_tell_the_same(samestory: Runner) -> None:
    news = [item for item in read(str(DEMO / "news.jsonl")) if isinstance(item, Article)]
    for more in ({}, {"rules": "study"}):
        rows = samestory("entities", DEMO / "news.jsonl", *(f"--{key}={value}" for key, value in more.items())).rows
        found = package.entities(news, **more)
        assert [[tuple(name.values()) for name in row["entities"]] for row in rows] == [
            [(n.start, n.end, n.text, n.kind, n.because) for n in names] for names in found
        ]


def test_the_library_takes_articles_mappings_texts_and_tables() -> None:
    article = Article(**NEWS[1])
    for given in ([article], [NEWS[1]], pa.Table.from_pylist([NEWS[1]])):
        ((smith, paris, _),) = package.entities(given)
        assert (str(smith), paris.kind) == ("Smith (person: person_before: Mr)", "location")
    assert len(package.entities(["Mr Smith flew to Paris.", "Mr Brown did not."])) == 2
    assert package.entities([]) == []
    with pytest.raises(package.InputError, match="expected a list of articles, got one"):
        package.entities("Mr Smith flew to Paris.")
    with pytest.raises(package.InputError, match="article 1: no text or title among"):
        package.entities([{"id": "a"}])
    with pytest.warns(UserWarning, match="empty or unreadable text, date") as warned:
        package.entities([{"text": "Mr Smith flew to Paris.", "date": "once"}])
    assert warned[0].filename == __file__


def test_the_function_and_its_package_have_one_name() -> None:
    import samestory.entities as same
    from samestory.entities import Recogniser

    assert same is package.entities
    assert same.Recogniser is Recogniser
    assert [name.text for name in same([NEWS[1]])[0][:2]] == ["Smith", "Paris"]


def test_the_rules_of_the_study_are_chosen(samestory: Runner, write: Writer) -> None:
    """The study rules do not cover inflected rule words without an apostrophe."""
    news = write("news.jsonl", [{"id": "a", "text": "Dün Zırto Üniversitesine gidildi.", "lang": "tr"}])
    kinds = [samestory("entities", news, "--rules", rules).rows[0]["entities"] for rules in ("extended", "study")]
    assert [[name["kind"] for name in row] for row in kinds] == [["organization"], ["unclassified"]]


def test_articles_come_from_everywhere_as_in_find(samestory: Runner, write: Writer, tmp_path: Path) -> None:
    write("folder/a.txt", NEWS[1]["text"])
    pq.write_table(pa.Table.from_pylist([{"id": "p", "text": NEWS[1]["text"]}]), tmp_path / "news.parquet")
    write("news.csv", f"Nr,Meldung\nc,{NEWS[1]['text']}\n")
    line = json.dumps({"id": "s", "text": NEWS[1]["text"]}).encode()
    done = samestory("entities", "folder", "news.parquet", "-", stdin=line)
    assert (done.code, [len(row["entities"]) for row in done.rows]) == (0, [3, 3, 3])
    assert [row["id"] for row in done.rows][1:] == ["p", "s"]
    named = samestory("entities", "news.csv", "--field", "id=Nr", "--field", "text=Meldung", "--field", "lang=Sprache")
    assert (named.code, [row["id"] for row in named.rows]) == (1, ["c"])
    assert "samestory: --field lang=Sprache: no record has this field\n" in named.err
    assert "hint: the fields of news.csv are Nr, Meldung\n" in named.err
    assert "text=Meldung" not in named.err


BAD = ["{", {"id": "x"}, {"id": "en", "text": "Another with the same id."}]


def test_bad_input_is_reported_and_reading_continues(samestory: Runner, write: Writer, tmp_path: Path) -> None:
    one = write("one.jsonl", [NEWS[1], *BAD])
    two = write("two.jsonl", [NEWS[1], {**NEWS[0], "date": "once"}])
    done = samestory("entities", one, two, "nowhere.jsonl", "--rejects", "bad.jsonl")
    assert (done.code, [row["id"] for row in done.rows]) == (1, ["en", "tr"])
    for place, fault in [
        (f"{one}:2", "broken line"),
        (f"{one}:3", "no text"),
        (f"{one}:4", "duplicate id"),
        (f"{two}:1", "duplicate id"),
        (f"{two}:2", "unreadable date"),
        ("nowhere.jsonl", "unreadable"),
    ]:
        assert f"samestory: {place}: {fault}: " in done.err
    assert "2 articles: " in done.err and "; 4 rejected, 1 kept with warnings" in done.err
    rejects = [json.loads(line) for line in (tmp_path / "bad.jsonl").read_text().splitlines()]
    assert [row["kept"] for row in rejects] == [False] * 4 + [True, False]


def test_strict_stops_at_the_first_bad_input(samestory: Runner, write: Writer, tmp_path: Path) -> None:
    path = write("news.jsonl", [NEWS[1], *BAD])
    done = samestory("entities", path, "--strict", "-o", "names.jsonl", "--rejects", "bad.jsonl")
    assert (done.code, done.out) == (1, "")
    assert f"{path}:2: broken line" in done.err and "run without --strict" in done.err
    assert sorted(p.name for p in tmp_path.iterdir()) == ["bad.jsonl", "news.jsonl"]
    assert len((tmp_path / "bad.jsonl").read_text().splitlines()) == 1


def test_the_result_may_go_to_a_file(samestory: Runner, tmp_path: Path) -> None:
    plain = samestory("entities", DEMO / "news.jsonl").out
    (tmp_path / "names.jsonl").touch(0o600)
    filed = samestory("entities", DEMO / "news.jsonl", "-o", "names.jsonl")
    assert (filed.code, filed.out) == (0, "")
    assert (tmp_path / "names.jsonl").read_text(encoding="utf-8") == plain
    assert (tmp_path / "names.jsonl").stat().st_mode & 0o777 == 0o600
    assert [path.name for path in tmp_path.iterdir()] == ["names.jsonl"]
    device = samestory("entities", DEMO / "news.jsonl", "-o", "/dev/stderr", "--quiet")
    assert (device.code, device.out, device.err) == (0, "", plain)


def test_own_names_are_known_and_broken_lines_of_the_list_are_reported(
    samestory: Runner, write: Writer, tmp_path: Path
) -> None:
    news = write("news.jsonl", [NEWS[1]])
    write("names/organization.txt", b"Zibbolt\n12\n\xff\n")
    write("names/mine.txt", "Nowhere\tplanet\n")
    done = samestory("entities", news, "--gazetteer", "names", "--rejects", "bad.jsonl")
    assert done.code == 0
    assert entities_by_id(done.rows)["en"][-1] == ("Zibbolt", "organization")
    assert done.err.splitlines()[:3] == [
        "samestory: names/mine.txt:1: not a name: expected a name, a tab and person or location or organization; "
        "got 'planet'",
        "samestory: names/organization.txt:2: not a name: expected letters, got '12'",
        "samestory: names/organization.txt:3: wrong encoding: expected UTF-8",
    ]
    assert "; 3 rejected" in done.err
    assert len((tmp_path / "bad.jsonl").read_text().splitlines()) == 3
    strict = samestory("entities", news, "--gazetteer", "names", "--strict")
    assert (strict.code, strict.out) == (1, "")
    alone = samestory("entities", news, "--gazetteer", "names/organization.txt", "--quiet")
    assert alone.rows == done.rows


def test_a_detector_tells_broken_lines_as_commands_do(samestory: Runner, write: Writer) -> None:
    """Warnings used to be printed with a line of source code."""
    write("person.txt", "Zibbolt\n12\n13\n")
    done = samestory("find", write("news.jsonl", NEWS), "-d", "tweezer(gazetteer='person.txt')")
    assert done.code == 0
    assert done.err.startswith("samestory: skipped: person.txt:2: not a name: expected letters, got '12' (and 1")
    assert "UserWarning" not in done.err and ".py" not in done.err


MISUSE = {
    "no file": ([], 2, "the following arguments are required: FILE"),
    "no list": (["--gazetteer", "none.txt"], 1, "samestory: none.txt: no such file or directory"),
    "an empty folder of lists": (["--gazetteer", "empty"], 1, "empty: no list of names (*.txt) in this folder\nhint: "),
    "an unknown model": (["--model", "bert"], 2, "a model must be one of spacy:MODEL, stanza:LANGUAGE, natasha"),
    "rules and a model": (["--model", "natasha", "--rules", "study"], 2, "--rules: cannot be used with --model"),
    "a list and a model": (["--model", "natasha", "--gazetteer", "x"], 2, "--gazetteer: cannot be used with --model"),
    "rules that do not exist": (["--rules", "all"], 2, "invalid choice: 'all'"),
    "unclassified names in JSON": (["--unclassified"], 2, "--unclassified: requires --table"),
    "one file twice": (["./news.jsonl"], 2, "./news.jsonl is specified twice"),
    "over the list": (["--gazetteer", "person.txt", "-o", "person.txt"], 2, "person.txt is one of the inputs"),
    "over the news": (["-o", "news.jsonl"], 2, "news.jsonl is one of the inputs"),
    "into no folder": (["-o", "no/names.jsonl"], 1, "the folder does not exist"),
}


@pytest.mark.parametrize(("words", "code", "message"), MISUSE.values(), ids=MISUSE.keys())
def test_invalid_arguments_are_reported(
    words: list[str], code: int, message: str, samestory: Runner, write: Writer, tmp_path: Path
) -> None:
    news = [write("news.jsonl", NEWS).name] if words else []
    write("person.txt", "Ali\n")
    (tmp_path / "empty").mkdir()
    before = sorted(tmp_path.rglob("*"))
    done = samestory("entities", *news, *words)
    assert (done.code, done.out) == (code, "")
    assert message in done.err and "Traceback" not in done.err
    assert sorted(tmp_path.rglob("*")) == before


def test_a_model_that_is_not_installed_is_reported_with_how_to_install_it(
    write: Writer, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(__import__("sys").modules, "spacy", None)
    assert main(["entities", str(write("news.jsonl", NEWS)), "--model", "spacy:small"]) == 2
    assert capsys.readouterr().err == "samestory: spacy is not installed\nhint: pip install spacy\n"


def test_a_model_tells_names(write: Writer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "samestory.cli.entities.load", lambda spec: lambda texts, languages: [[(0, 3, "ORG")] for _ in texts]
    )
    output = write("names.jsonl", "")
    assert main(["entities", str(write("news.jsonl", NEWS)), "--model", "mine", "-o", str(output)]) == 0
    rows = [json.loads(line) for line in output.read_text(encoding="utf-8").splitlines()]
    assert [row["entities"] for row in rows] == [
        [{"start": 0, "end": 3, "text": article["text"][:3], "kind": "organization", "because": "model"}]
        for article in NEWS
    ]


def test_no_articles_is_a_failure(samestory: Runner, write: Writer, tmp_path: Path) -> None:
    done = samestory("entities", write("news.jsonl", BAD[:2]), "-o", "names.jsonl", "--rejects", "bad.jsonl")
    assert (done.code, done.out) == (1, "")
    assert "no articles" in done.err
    assert not (tmp_path / "names.jsonl").exists()
    assert len((tmp_path / "bad.jsonl").read_text().splitlines()) == 2


def test_the_table_shows_texts_with_their_names_in_brackets(samestory: Runner, write: Writer) -> None:
    done = samestory("entities", write("news.jsonl", NEWS), "--table")
    assert done.out.splitlines() == [
        "names: […|person]  […|location]  […|organization]",
        "",
        "tr  Açılış  (tr; 1 person, 2 places, 1 organisation)",
        "[Ankara|location] Valisi [Ali Kaya|person], [[Mersin|location] Üniversitesi|organization]'nde konuştu.",
        "",
        "en  (en; 1 person, 1 place)",
        "Mr [Smith|person] flew to [Paris|location] with Zibbolt and others.",
        "",
        "de  (de; no names)",
        "Die Stadt Hamburg ist schön und der Hafen ist gross.",
    ]
    whole = samestory("entities", "news.jsonl", "--table", "--unclassified")
    assert "with [Zibbolt|unclassified] and others." in whole.out
    assert "(en; 1 person, 1 place, 1 unclassified name)" in whole.out


def test_on_a_terminal_names_are_coloured_by_kind_and_more_than_coloured(samestory: Runner, write: Writer) -> None:
    news = write("news.jsonl", NEWS)
    coloured = samestory("entities", news, "--table", env={"FORCE_COLOR": "1", "TERM": "xterm"}).out
    assert "Mr \x1b[1;32mSmith\x1b[0m flew to \x1b[4;36mParis\x1b[0m with" in coloured
    assert "|person]" not in coloured
    plain = samestory("entities", news, "--table").out
    for env in ({"FORCE_COLOR": "1", "NO_COLOR": "1", "TERM": "xterm"}, {"FORCE_COLOR": "1", "TERM": "dumb"}):
        dull = samestory("entities", news, "--table", env=env).out
        assert "[Smith|person]" in dull and "\x1b[1;32m" not in dull
    filed = samestory("entities", news, "--table", "-o", "names.txt", env={"FORCE_COLOR": "1", "TERM": "xterm"})
    assert (news.parent / "names.txt").read_text(encoding="utf-8") == plain
    assert filed.out == ""


def test_names_that_cross_are_all_shown(monkeypatch: pytest.MonkeyPatch, write: Writer) -> None:
    """Rules produce adjacent or nested names; models may overlap them."""
    names = [(0, 8, "PER"), (4, 12, "ORG"), (4, 8, "LOC")]
    monkeypatch.setattr("samestory.cli.entities.load", lambda spec: lambda texts, languages: [names])
    news, output = write("news.jsonl", [{"id": "a", "text": "one two three"}]), write("names.txt", "")
    assert main(["entities", str(news), "--model", "mine", "--table", "-o", str(output)]) == 0
    last = output.read_text(encoding="utf-8").splitlines()[-1]
    assert last == "[one [[two |location]|person]thre|organization]e"


def test_escapes_in_ids_titles_and_texts_do_not_reach_the_terminal(samestory: Runner, write: Writer) -> None:
    row = {"id": "a", "title": "\x1b]0;x\x07", "text": "Mr Smith flew to Paris\x1b[0m.", "lang": "en"}
    done = samestory("entities", write("news.jsonl", [row]), "--table")
    assert "[Paris|location]\\x1b[0m" in done.out
    assert "\x1b" not in done.out + done.err


def test_what_is_long_comes_in_pieces() -> None:
    """The names of the first articles are written before the last ones are read."""
    line = json.dumps({"text": NEWS[1]["text"] + " Nothing else happened on that day in any of the towns." * 40})
    with subprocess.Popen(
        command("entities", "-", "--quiet"), stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment()
    ) as run:
        assert run.stdin is not None and run.stdout is not None
        seen, feeder = threading.Event(), run.stdin

        def feed() -> None:
            feeder.write((line + "\n").encode() * 4000)
            seen.wait(PATIENCE)
            feeder.close()

        feeding = threading.Thread(target=feed)
        feeding.start()
        first = json.loads(run.stdout.readline())
        assert (first["id"], len(first["entities"])) == ("-:1", 3)
        seen.set()
        assert len(run.stdout.read().splitlines()) == 3999
        feeding.join()
        assert run.wait(PATIENCE) == 0


def test_a_closed_output_pipe_is_no_error() -> None:
    with subprocess.Popen(
        command("entities", DEMO / "news.jsonl"), stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment()
    ) as run:
        assert run.stdout is not None and run.stderr is not None
        run.stdout.close()
        assert run.wait(PATIENCE) == 128 + signal.SIGPIPE
        assert run.stderr.read() == b""


def test_an_interrupt_while_articles_are_awaited_ends_at_once(tmp_path: Path) -> None:
    """Standard input stays open and idle; interrupts used to be ignored until the next article."""
    with subprocess.Popen(
        command("entities", "-", "-o", "out.jsonl"),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=tmp_path,
        env=environment(),
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    ) as run:
        waiting = time.monotonic() + PATIENCE
        while not list(tmp_path.glob("*.part")) and time.monotonic() < waiting:
            time.sleep(0.02)
        time.sleep(0.5)  # now it waits for input
        run.send_signal(signal.SIGINT)
        try:
            assert run.wait(10) == 130
        finally:
            run.kill()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("quiet", [False, True])
def test_progress_is_shown_on_a_terminal(quiet: bool, tmp_path: Path) -> None:
    """The bar is on standard error, and only where that is a terminal and the result goes elsewhere."""
    ours, theirs = pty.openpty()
    words = command("entities", DEMO / "news.jsonl", "-o", tmp_path / "names.jsonl", *(["--quiet"] if quiet else []))
    run = subprocess.Popen(words, stderr=theirs, stdout=subprocess.DEVNULL, env=environment(TERM="xterm"))
    os.close(theirs)
    shown = b""
    try:
        while piece := os.read(ours, 4096):
            shown += piece
    except OSError:
        pass  # the other end is closed
    finally:
        os.close(ours)
    assert run.wait(PATIENCE) == 0
    assert (b"naming" in shown, b"43 articles" in shown) == (not quiet, not quiet)


def test_counts_are_of_all_articles(samestory: Runner) -> None:
    done = samestory("entities", DEMO / "news.jsonl")
    kinds = Counter(name["kind"] for row in done.rows for name in row["entities"])
    assert done.err == (
        f"43 articles: {kinds['person']} persons, {kinds['location']} places, "
        f"{kinds['organization']} organisations, {kinds['unclassified']} unclassified names\n"
    )
