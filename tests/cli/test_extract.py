"""samestory extract and find --pages, end to end."""

from __future__ import annotations

import gzip
import json
import re
import shlex
import shutil
import signal
import subprocess
import time
from pathlib import Path

import pytest
import zstandard

from samestory import Article, extract, pages
from tests.cli.test_stopping import end, interruptible, start
from tests.conftest import DEMO, PATIENCE, ROOT, Runner, Writer, command, environment
from tests.readers.archives import answer, packed, record

__all__ = ["interruptible"]

GUIDE = ROOT / "docs" / "guides" / "pages.md"
TEXT = "The ferry to the island runs again every day from Monday on, the harbour office of the town said."
OTHER = "Shares closed higher in quiet trading after the central bank left its rate where it had been."


def page(text: str, title: str = "News") -> str:
    return f"<html><head><title>{title}</title></head><body><nav><a href=/>Home</a></nav><p>{text}</p></body></html>"


def messages(err: str) -> list[str]:
    return [line for line in err.splitlines() if line.startswith("samestory: ")]


def test_a_line_for_every_article_as_the_other_commands_read_them(samestory: Runner, write: Writer) -> None:
    write("crawl.warc.gz", packed(*[record(n, answer(page(TEXT, f"No {n}").encode())) for n in (1, 2)]))
    write("b.html", page(OTHER))
    done = samestory("extract", "crawl.warc.gz", "b.html", "-e", "heuristic(least=5)")
    assert done.code == 0
    assert [list(row) for row in done.rows] == [["id", "title", "text", "url", "source", "lang", "fetched"]] * 2 + [
        ["id", "title", "text", "lang"]
    ]
    assert done.rows[0] == {
        "id": "http://example.com/1",
        "title": "No 1",
        "text": TEXT,
        "url": "http://example.com/1",
        "source": "example.com",
        "lang": "en",
        "fetched": "2024-01-02T03:04:05Z",
    }
    assert done.rows[2]["id"] == "b.html"
    assert done.err == "3 pages, 3 articles\n"
    found = samestory("find", "-", stdin=done.out.encode())
    assert found.groups == {frozenset(["http://example.com/1", "http://example.com/2"]), frozenset(["b.html"])}
    assert samestory("extract", "b.html", "--quiet").err == ""


def test_the_command_and_the_library_give_the_same(samestory: Runner) -> None:
    done = samestory("extract", DEMO / "pages", "-e", "rules")
    found = [item for item in extract(pages(DEMO / "pages"), extractor="rules") if isinstance(item, Article)]
    assert [(row["id"], row["title"], row["text"]) for row in done.rows] == [(a.id, a.title, a.text) for a in found]
    assert len(found) == 4


def test_pages_come_from_lists_and_standard_input(samestory: Runner, write: Writer) -> None:
    write("a.html", page(TEXT))
    write("b.html", page("Yağış sürüyor").encode("windows-1254"))
    write("list", ["a.html", {"path": "b.html", "url": "http://example.com/b", "charset": "windows-1254"}])
    done = samestory("extract", "--list", "list", "-e", "heuristic")
    assert [row["id"] for row in done.rows] == ["a.html", "http://example.com/b"]
    assert "Yağış sürüyor" in done.rows[1]["text"]
    done = samestory("extract", "--list", "-", "-e", "heuristic", stdin=b"b.html\na.html\n")
    assert [row["id"] for row in done.rows] == ["b.html", "a.html"]
    for content, id in [
        (page(TEXT).encode(), "-"),
        (gzip.compress(page(TEXT).encode()), "-"),
        (record(7, answer(page(TEXT).encode())), "http://example.com/7"),
        (packed(record(7, answer(page(TEXT).encode()))), "http://example.com/7"),
        (json.dumps({"html": page(TEXT)}).encode(), "-:1"),
    ]:
        done = samestory("extract", "-", stdin=content)
        assert [row["id"] for row in done.rows] == [id]
        assert TEXT in done.rows[0]["text"]


def test_what_is_rejected_and_what_is_passed_over_is_counted_by_kind(
    samestory: Runner, write: Writer, tmp_path: Path
) -> None:
    write(
        "crawl.warc",
        b"".join(
            [
                record(1, answer(page(TEXT).encode())),
                record(2, b"GET", type="request"),
                record(3, answer(status="404 Gone")),
                record(4, answer(b"\x89PNG\r\n\x1a\n")),
                record(5, answer(b"")),
                record(1, answer(page(OTHER).encode())),
                record(6, answer(page(OTHER).encode()), "WARC-Truncated: length"),
            ]
        ),
    )
    done = samestory("extract", "crawl.warc", "missing.html", "--rejects", "rejects.jsonl", "-o", "out.jsonl")
    assert (done.code, done.out) == (1, "")
    assert done.err.splitlines() == [
        "samestory: crawl.warc:4: not a page: a PNG picture (http://example.com/4)",
        "samestory: crawl.warc:5: empty text: no content found on the page (http://example.com/5)",
        'samestory: crawl.warc:6: duplicate id: the id "http://example.com/1" was read before',
        "samestory: crawl.warc:7: cut off: truncated by the crawler: length (http://example.com/6)",
        "samestory: missing.html: unreadable: no such file or folder",
        "5 pages, 2 articles; 4 rejected: 1 × not a page, 1 × empty text, 1 × duplicate id, 1 × unreadable; "
        "1 kept with warnings",
        "skipped: 1 × request record, 1 × status 404",
        "samestory: not all input was read: 1 × unreadable",
        "hint: files that may be missing are left out with --allow-missing",
    ]
    rows = [json.loads(line) for line in (tmp_path / "rejects.jsonl").read_text().splitlines()]
    assert [(row["file"], row["line"], row["kept"]) for row in rows] == [
        ("crawl.warc", 4, False),
        ("crawl.warc", 5, False),
        ("crawl.warc", 6, False),
        ("crawl.warc", 7, True),
        ("missing.html", 0, False),
    ]
    found = samestory("find", "--pages", "crawl.warc", "missing.html", "--rejects", "also.jsonl")
    assert (tmp_path / "also.jsonl").read_text() == (tmp_path / "rejects.jsonl").read_text()
    assert "5 records, 2 articles in " in found.err
    assert "; 3 rejected, 1 kept with warnings" in found.err
    assert "skipped: 1 × request record, 1 × status 404\n" in found.err


def test_a_flood_of_bad_pages_is_counted(samestory: Runner, write: Writer, tmp_path: Path) -> None:
    write("p.jsonl", [{"html": page(TEXT)}, *[{"html": ""}] * 1000])
    done = samestory("extract", "p.jsonl")
    assert len(messages(done.err)) == 21
    assert "980 × empty text (write all of them with --rejects FILE)" in done.err
    samestory("extract", "p.jsonl", "--rejects", "rejects.jsonl")
    assert len((tmp_path / "rejects.jsonl").read_text().splitlines()) == 1000


@pytest.mark.parametrize("words", [["extract"], ["find", "--pages"]])
def test_strict_stops_at_the_first_bad_page(words: list[str], samestory: Runner, write: Writer, tmp_path: Path) -> None:
    write("p.jsonl", [{"html": page(TEXT)}, {"html": ""}, {"html": "\x00" * 50}])
    done = samestory(*words, "p.jsonl", "--strict", "--rejects", "rejects.jsonl", "-o", "out.jsonl")
    assert (done.code, done.out) == (1, "")
    assert messages(done.err)[0].startswith("samestory: p.jsonl:2: empty text: ")
    assert "p.jsonl:3" not in done.err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["p.jsonl", "rejects.jsonl"]
    assert samestory(*words, write("good.html", page(TEXT)), "--strict").code == 0


@pytest.mark.parametrize(
    "words, why",
    [
        (["extract"], "no pages: specify PAGES or --list FILE"),
        (["extract", "a.html", "a.html"], "a.html is specified twice"),
        (["extract", "a.html", "-o", "a.html"], "is one of the inputs"),
        (["extract", "site", "-o", "site/x.jsonl"], "is inside the input folder site"),
        (["extract", "a.html", "-e", "klingon"], "klingon"),
        (["extract", "a.html", "-e", "rules(least=-1)"], "least"),
        (["extract", "a.html", "--largest", "0"], "--largest: expected 1 to"),
        (["find", "a.html", "-e", "rules"], "--extractor: requires --pages"),
        (["find", "--pages", "a.html", "--field", "text=x"], "--field: cannot be used with --pages"),
        (["find", "--pages", "a.html", "--encoding", "utf-8"], "--encoding: cannot be used with --pages"),
        (["find", "--pages", "a.html", "--format", "jsonl"], "--format: cannot be used with --pages"),
    ],
)
def test_misuse_is_reported_before_anything_is_read(
    words: list[str], why: str, samestory: Runner, write: Writer
) -> None:
    write("a.html", page(TEXT))
    write("site/b.html", page(TEXT))
    done = samestory(*words)
    assert (done.code, done.out) == (2, "")
    assert why in done.err


def test_find_pages_is_extract_and_find_in_one(samestory: Runner) -> None:
    more = ["-e", "rules", "-d", "reuse", "--grouping", "star"]
    one = samestory("find", "--pages", DEMO / "pages", *more, "--relations", "one.jsonl")
    lines = samestory("extract", DEMO / "pages", "-e", "rules").out
    two = samestory("find", "-", "-d", "reuse", "--relations", "two.jsonl", stdin=lines.encode())
    assert (one.code, one.out) == (0, two.out)
    assert len(one.groups) == 2


def test_by_default_pages_are_related_as_in_the_study(samestory: Runner) -> None:
    default = samestory("find", "--pages", DEMO / "pages", "--relations", "r.jsonl")
    named = samestory(
        "find", "--pages", DEMO / "pages", "-d", "resemblance(shingle=2, threshold=0.4)", "--grouping", "components"
    )
    assert default.groups == named.groups
    assert samestory("find", "--pages", DEMO / "pages", "--table").code == 0


def test_a_detector_that_counts_words_reads_the_pages_twice(samestory: Runner, write: Writer) -> None:
    texts = [TEXT, TEXT, OTHER, "Rain until Sunday.", "A goat ate the flag."]
    path = write("p.jsonl", [{"url": f"u{n}", "html": page(text)} for n, text in enumerate(texts)] + [{"html": ""}])
    for words, stdin in ((["p.jsonl"], b""), (["-"], path.read_bytes())):
        done = samestory("find", "--pages", *words, "-e", "heuristic", "-d", "cosine", "--min-size", 2, stdin=stdin)
        assert done.groups == {frozenset(["u0", "u1"])}
        assert len(messages(done.err)) == 1, "reported once, though read twice"
        assert "6 records, 5 articles" in done.err


def test_new_pages_are_compared_with_old_ones(samestory: Runner, write: Writer) -> None:
    write("old.jsonl", [{"url": "old", "html": page(TEXT)}, {"url": "same", "html": page(OTHER)}, {"html": ""}])
    write("new.jsonl", [{"url": "new", "html": page(TEXT)}, {"url": "same", "html": page(OTHER)}])
    done = samestory("find", "--pages", "new.jsonl", "--against", "old.jsonl")
    assert done.groups == {frozenset(["old", "new"]), frozenset(["same"])}
    assert "2 articles against 1 old one (1 more replaced by new versions)" in done.err
    assert messages(done.err) == ["samestory: old.jsonl:3: empty text: no content found on the page"]


def test_without_an_article_the_command_fails(samestory: Runner, write: Writer, tmp_path: Path) -> None:
    write("a.html", "")
    done = samestory("extract", "a.html", "-o", "out.jsonl", "--rejects", "rejects.jsonl")
    assert (done.code, done.out) == (1, "")
    assert messages(done.err)[-1] == "samestory: no articles found on these pages"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.html", "rejects.jsonl"]
    done = samestory("find", "--pages", "a.html")
    assert done.code == 1
    assert messages(done.err)[-1] == "samestory: no articles"


def test_a_reader_that_has_seen_enough_is_no_error(tmp_path: Path) -> None:
    rows = [json.dumps({"url": f"u{n}", "html": page(f"{TEXT} " * 20)}) for n in range(3000)]
    (tmp_path / "p.jsonl").write_text("\n".join(rows))
    process = start(tmp_path, "extract", "p.jsonl")
    assert process.stdout is not None and process.stderr is not None and process.stdin is not None
    assert json.loads(process.stdout.readline())["id"] == "u0"
    process.stdout.close()
    assert process.wait(PATIENCE) == 128 + signal.SIGPIPE
    assert process.stderr.read() == b""
    process.stderr.close()
    process.stdin.close()


@pytest.mark.usefixtures("interruptible")
@pytest.mark.parametrize("words", [["extract", "-"], ["find", "--pages", "-"]])
def test_an_interrupt_while_pages_are_awaited_ends_at_once_and_leaves_nothing(words: list[str], tmp_path: Path) -> None:
    process = start(tmp_path, *words, "-o", "out.jsonl")
    assert process.stdin is not None
    process.stdin.write((json.dumps({"html": page(TEXT * 100)}) + "\n").encode() * 200)
    process.stdin.flush()
    time.sleep(1)  # until it waits; sooner it is interrupted elsewhere, and must end as well
    process.send_signal(signal.SIGINT)
    code, out, err = end(process)
    assert (code, out) == (130, b"")
    assert err.decode().splitlines() == ["samestory: interrupted; output files are complete or absent"]
    assert not list(tmp_path.iterdir())


def examples() -> list[tuple[str, str]]:
    """The commands of the guide, and what it says that they print."""
    out = []
    for block in re.findall(r"```console\n(.*?)```", GUIDE.read_text(encoding="utf-8"), re.DOTALL):
        for example in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            line, _, printed = example.partition("\n")
            out.append((line, printed))
    return out


def test_the_commands_of_the_guide_print_what_it_says(tmp_path: Path) -> None:
    shutil.copytree(DEMO / "pages", tmp_path / "demo" / "pages")
    (tmp_path / "bin").mkdir()
    script = tmp_path / "bin" / "samestory"
    script.write_text(f'#!/bin/sh\nexec {shlex.join(command())} "$@"\n')
    script.chmod(0o755)
    env = environment()
    env["PATH"] = f"{tmp_path / 'bin'}:{env['PATH']}"
    assert len(examples()) >= 4
    for line, printed in examples():
        done = subprocess.run(
            line, shell=True, cwd=tmp_path, env=env, capture_output=True, timeout=PATIENCE, check=False, text=True
        )
        both = re.sub(r" in [\d.]+ s", " in 0.07 s", done.stdout + done.stderr)
        shown = [part.strip() for part in printed.split("…\n")]  # elided output
        at = 0
        for part in shown:
            clean = "\n".join(row.rstrip() for row in both.splitlines())
            assert part in clean[at:], line
            at = clean.index(part, at)
        assert done.returncode == 0, line


def test_what_a_list_names_and_the_model_are_not_written_over(samestory: Runner, write: Writer) -> None:
    path = write("a.html", page(TEXT))
    write("list", ["a.html"])
    model = write("my.model", b"samestory extractor 1\n")
    for words in (["--list", "list", "-o", "a.html"], ["--list", "list", "--rejects", "a.html"]):
        done = samestory("extract", *words)
        assert (done.code, "a.html is one of the inputs" in done.err) == (2, True)
    done = samestory("extract", "a.html", "-e", "crf(model=my.model)", "-o", "my.model")
    assert (done.code, "my.model is one of the inputs" in done.err) == (2, True)
    assert path.read_text() == page(TEXT)
    assert model.read_bytes() == b"samestory extractor 1\n"


def test_a_number_of_thousands_of_digits_costs_its_line(samestory: Runner, write: Writer) -> None:
    write(
        "p.jsonl",
        ('{"url": "u", "html": "", "n": ' + "9" * 6000 + "}\n").encode()
        + json.dumps({"url": "v", "html": page(TEXT)}).encode(),
    )
    done = samestory("extract", "p.jsonl", "-e", "heuristic")
    assert [row["id"] for row in done.rows] == ["v"]
    assert "too many digits" in done.err


def test_standard_input_is_known_by_its_first_bytes_however_they_come(write: Writer, tmp_path: Path) -> None:
    archive = record(1, answer(page(TEXT).encode()))
    process = subprocess.Popen(
        command("extract", "-", "-e", "heuristic"), stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment()
    )
    assert process.stdin
    for part in (archive[:3], archive[3:]):
        process.stdin.write(part)
        process.stdin.flush()
        time.sleep(0.3)
    out, _ = process.communicate(timeout=PATIENCE)
    assert [json.loads(line)["id"] for line in out.splitlines()] == ["http://example.com/1"]


def test_zstd_without_a_name_is_reported(samestory: Runner) -> None:
    done = samestory("extract", "-", stdin=zstandard.compress(record(1, answer(page(TEXT).encode()))))
    assert done.code == 1
    assert "compressed with zstd: the file name must include the format" in done.err


def closed(*words: object, folder: Path, which: str) -> subprocess.CompletedProcess[bytes]:
    """Runs a command in a shell that has closed one of its outputs."""
    line = f"{shlex.join(command(*words))} {which}"
    return subprocess.run(line, shell=True, capture_output=True, cwd=folder, env=environment(), timeout=PATIENCE)


@pytest.mark.parametrize("words", [["extract", "a.html"], ["find", "--pages", "a.html"], ["reproduce", "--list"]])
def test_a_closed_standard_output_is_reported_without_a_traceback(
    words: list[str], write: Writer, tmp_path: Path
) -> None:
    write("a.html", page(TEXT))
    done = closed(*words, folder=tmp_path, which=">&-")
    assert done.returncode == 1
    assert done.stderr.decode().splitlines()[-2:] == [
        "samestory: standard output is closed",
        "hint: write the result to a file: -o FILE",
    ]
    assert b"Traceback" not in done.stderr


def test_with_a_file_for_the_result_a_closed_output_is_not_missed(write: Writer, tmp_path: Path) -> None:
    write("a.html", page(TEXT))
    assert closed("extract", "a.html", "-o", "a.jsonl", folder=tmp_path, which=">&-").returncode == 0
    assert json.loads((tmp_path / "a.jsonl").read_text())["text"].startswith(TEXT)


def test_messages_do_not_go_to_the_result_where_standard_error_is_closed(write: Writer, tmp_path: Path) -> None:
    write("a.html", page(TEXT))
    write("b.html", b"%PDF-1.7\n" + bytes(30))
    done = closed("extract", "a.html", "b.html", folder=tmp_path, which="2>&-")
    assert (done.returncode, [json.loads(line)["id"] for line in done.stdout.splitlines()]) == (0, ["a.html"])


def test_mixing_up_pages_and_articles_gets_a_hint(samestory: Runner, write: Writer) -> None:
    write("a.html", page(TEXT))
    write("news.jsonl", [{"id": "1", "text": TEXT}])
    ends = {
        ("find", "a.html"): "hint: read web pages with --pages",
        (
            "relate",
            "a.html",
        ): "hint: extract articles from web pages first: samestory extract … | samestory relate -",
        ("extract", "news.jsonl"): "hint: articles need no extraction; samestory find reads them directly",
    }
    for words, hint in ends.items():
        done = samestory(*words)
        assert (done.code, done.err.splitlines()[-1]) == (1, hint)
    write("empty.html", "")
    assert "hint" not in samestory("find", "--pages", "empty.html").err
    assert "hint" not in samestory("extract", "empty.html").err


def test_any_number_of_threads_gives_the_same_and_none_below_nothing(samestory: Runner) -> None:
    once = samestory("extract", DEMO / "pages", "--threads", 1)
    assert once.rows == samestory("extract", DEMO / "pages", "--threads", 3).rows
    assert once.code == 0 and len(once.rows) == 4
    assert samestory("extract", DEMO / "pages", "--threads", -1).code == 2
    found = samestory("find", "--pages", DEMO / "pages", "--threads", 1)
    assert found.groups == samestory("find", "--pages", DEMO / "pages").groups


def test_the_help_of_find_says_what_pages_are_found_by(samestory: Runner) -> None:
    messages = " ".join(samestory("find", "--help").out.split())
    assert "(default: reuse; of pages cedar, of events event)" in messages
    assert "mostly star; of pages components, of events majority)" in messages
    assert "reuse; of pages" not in " ".join(samestory("relate", "--help").out.split())


def test_what_a_site_repeats_is_taken_out_and_remembered(samestory: Runner, write: Writer, tmp_path: Path) -> None:
    notice = "Read how we use cookies on this site and what you can do about it."

    def crawl(first: int, last: int) -> bytes:
        stories = [
            page(f"{notice}</p><p>Story {n} is about the ferry number {n} of the town.") for n in range(first, last)
        ]
        return packed(*[record(first + n, answer(story.encode())) for n, story in enumerate(stories)])

    write("a.warc.gz", crawl(0, 6))
    write("b.warc.gz", crawl(6, 7))
    heuristic = ("-e", "heuristic(least=5)", "--site-filter", "sites.txt")
    texts = [row["text"] for row in samestory("extract", "a.warc.gz", *heuristic).rows]
    assert [notice in text for text in texts] == [True] * 4 + [False] * 2
    assert all(f"ferry number {n} of" in text for n, text in enumerate(texts))
    # the next run loads the site
    (row,) = samestory("extract", "b.warc.gz", *heuristic).rows
    assert notice not in row["text"] and "ferry number 6" in row["text"]
    (plain,) = samestory("extract", "b.warc.gz", *heuristic[:2]).rows
    assert notice in plain["text"]
    write("bad.txt", "no sites")
    done = samestory("extract", "b.warc.gz", "--site-filter", "bad.txt")
    assert (done.code, done.err.splitlines()[0][:45]) == (1, "samestory: bad.txt: not a saved site filter: ")
    assert (tmp_path / "bad.txt").read_text() == "no sites"
    assert samestory("extract", "b.warc.gz", "--site-filter", "b.warc.gz").code == 2
