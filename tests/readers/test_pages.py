"""Pages from files, folders, lists, JSON lines and ZIP archives, with a problem for each failure."""

from __future__ import annotations

import gzip
import io
import json
import os
import struct
import subprocess
import zipfile
from collections import Counter
from pathlib import Path

import pytest
import zstandard

from samestory import Page, Problem, pages
from samestory.html import blocks
from samestory.readers import listed_pages
from samestory.readers.pages import MAX_PAGE_BYTES, kind
from tests.conftest import Writer
from tests.readers.archives import PAGE, answer, packed, record


def summaries(found: object) -> list[str]:
    """Returns the origin of each page, or the message of each problem."""
    assert not isinstance(found, str)
    return [str(item) if isinstance(item, Problem) else str(item.origin) for item in found]  # type: ignore[attr-defined]


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("name", ["a.html", "a.HTM", "a.xhtml", "a", "a.php", "a.html.gz", "a.html.zst"])
def test_a_file_is_a_page_whatever_its_name(name: str, write: Writer) -> None:
    content = {"gz": gzip.compress, "zst": zstandard.compress}.get(name[-3:].strip("."), bytes)(PAGE)
    write(name, content)
    (page,) = pages(name)
    assert isinstance(page, Page)
    assert (page.raw, page.url, page.charset, str(page.origin)) == (PAGE, None, None, name)


@pytest.mark.parametrize("name", ["a.html", "page"])
def test_a_page_that_was_saved_packed_is_unpacked(name: str, write: Writer) -> None:
    write(name, gzip.compress(PAGE))
    assert [page.raw for page in pages(name) if isinstance(page, Page)] == [PAGE]


@pytest.mark.parametrize(
    "content, wanted",
    [
        (packed(record(1, answer())), "x:1"),
        (record(1, answer()), "x:1"),
        (json.dumps({"html": "<p>one"}).encode(), "x:1"),
        (gzip.compress(json.dumps({"html": "<p>one"}).encode(), mtime=0), "x:1"),
        (PAGE, "x"),
        (b"", "x"),
    ],
)
def test_what_has_no_telling_name_is_known_by_how_it_begins(content: bytes, wanted: str, write: Writer) -> None:
    write("x", content)
    assert summaries(pages("x")) == [wanted]


def test_names_tell_what_a_file_holds() -> None:
    names = {"a/b.html": "page", "x.warc": "warc", "x.Warc.GZ": "warc", "x.zip": "zip", "x.jsonl.zst": "lines"}
    assert {name: kind(name) for name in names} == names
    assert not any(map(kind, ["x", "x.gz", "x.txt", "html", ".html", "x.html.bak", "x.warc.gz.part"]))


def test_a_folder_gives_its_pages_and_archives_in_order_and_counts_the_rest(write: Writer) -> None:
    for name in ("site/b.html", "site/a/index.htm", "site/a/z.XHTML", "site/c.html.gz", "site/.hidden.html"):
        write(name, gzip.compress(PAGE) if name.endswith("gz") else PAGE)
    write("site/crawl.warc.gz", packed(record(1, answer()), record(2, answer())))
    for name in ("site/a.png", "site/b.PNG", "site/style.css", "site/README", "site/.hidden", "site/news.jsonl"):
        write(name, b"x")
    passed: Counter[str] = Counter()
    assert summaries(pages("site", skipped=passed)) == [
        "site/.hidden.html",
        "site/a/index.htm",
        "site/a/z.XHTML",
        "site/b.html",
        "site/c.html.gz",
        "site/crawl.warc.gz:1",
        "site/crawl.warc.gz:2",
    ]
    assert passed == {".png file": 2, ".css file": 1, "file without a suffix": 1, ".jsonl file": 1}
    assert summaries(pages("site/")) == summaries(pages("site"))


def test_no_link_leads_out_of_a_folder(write: Writer, tmp_path: Path) -> None:
    write("secret/page.html", PAGE)
    write("site/page.html", PAGE)
    (tmp_path / "site" / "inside.html").symlink_to("page.html")
    (tmp_path / "site" / "outside.html").symlink_to(tmp_path / "secret" / "page.html")
    (tmp_path / "site" / "up.html").symlink_to("../secret/page.html")
    (tmp_path / "site" / "folder").symlink_to("../secret")
    (tmp_path / "site" / "back").symlink_to(".")
    (tmp_path / "site" / "gone.html").symlink_to("nowhere.html")
    assert summaries(pages("site")) == [
        "site/gone.html: unreadable: a broken link",
        "site/inside.html",
        "site/outside.html: outside link: leads out of the folder; to read it, specify the file itself",
        "site/page.html",
        "site/up.html: outside link: leads out of the folder; to read it, specify the file itself",
    ]
    # a link given as the root is followed
    assert summaries(pages("site/outside.html")) == ["site/outside.html"]
    assert summaries(pages("site/folder")) == ["site/folder/page.html"]


def test_a_pipe_in_a_folder_is_not_waited_for(write: Writer, tmp_path: Path) -> None:
    write("site/page.html", PAGE)
    os.mkfifo(tmp_path / "site" / "pipe.html")
    assert summaries(pages("site")) == ["site/page.html", "site/pipe.html: not a page: a pipe or device"]


def test_a_folder_of_many_levels_is_read(tmp_path: Path) -> None:
    deep = tmp_path / "deep"
    for _ in range(1500):
        deep.mkdir()
        os.chdir(deep)
        deep = Path("d")
    Path("page.html").write_bytes(PAGE)
    os.chdir(tmp_path)
    try:
        (place,) = summaries(pages("deep"))
    finally:
        subprocess.run(["rm", "-rf", "deep"], check=True)  # shutil.rmtree would recurse for every level
    assert place.endswith("/d/page.html")
    assert place.count("/d") == 1499


@pytest.mark.parametrize("files", [[], ["notes.txt"], ["a/b/x.png"]])
def test_a_folder_without_pages_is_reported(files: list[str], write: Writer, tmp_path: Path) -> None:
    (tmp_path / "site").mkdir()
    for name in files:
        write(f"site/{name}", b"x")
    assert summaries(pages("site")) == ["site: unreadable: no pages (*.html) or web archives (*.warc.gz) in the folder"]


def test_files_that_cannot_be_read_are_problems(write: Writer) -> None:
    assert summaries(pages("missing.html")) == ["missing.html: unreadable: no such file or folder"]
    write("cut.html.gz", gzip.compress(PAGE)[:-10])
    assert summaries(pages("cut.html.gz")) == ["cut.html.gz: unreadable: truncated"]
    write("bad.html.gz", gzip.compress(PAGE)[:20] + b"\xff" * 100)
    assert summaries(pages("bad.html.gz")) == ["bad.html.gz: unreadable: damaged, cannot be decompressed"]
    write("bad.html.zst", zstandard.compress(PAGE)[:20])
    assert summaries(pages("bad.html.zst"))[0].startswith("bad.html.zst: unreadable: ")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_closed_files_and_folders_are_problems(write: Writer, tmp_path: Path) -> None:
    write("site/open.html", PAGE)
    write("site/closed.html", PAGE).chmod(0)
    write("site/below/page.html", PAGE)
    (tmp_path / "site" / "below").chmod(0)
    try:
        found = summaries(pages("site"))
    finally:
        (tmp_path / "site" / "below").chmod(0o700)
    why = "unreadable: permission denied"
    assert found == [f"site/below: {why}", f"site/closed.html: {why}", "site/open.html"]


def test_names_that_are_no_text_are_shown_with_their_bytes(tmp_path: Path) -> None:
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / os.fsdecode(b"caf\xe9.html")).write_bytes(PAGE)
    (tmp_path / "site" / os.fsdecode(b"x.\xe9")).write_bytes(PAGE)
    passed: Counter[str] = Counter()
    assert summaries(pages("site", skipped=passed)) == ["site/caf\\xe9.html"]
    assert passed == {".\\xe9 file": 1}
    (tmp_path / "list").write_bytes(b"site/caf\xe9.html\n")
    assert summaries(listed_pages("list")) == ["site/caf\\xe9.html"]


def test_a_page_that_is_too_large_is_reported_and_not_held(write: Writer) -> None:
    write("big.html", b"x" * 1001)
    write("big.html.gz", gzip.compress(b"x" * 1001))
    write("fits.html.gz", gzip.compress(b"x" * 1000))
    assert summaries(pages("big.html", largest=1000)) == ["big.html: too large: more than 1000 bytes"]
    assert summaries(pages("big.html.gz", largest=1000)) == ["big.html.gz: too large: more than 1000 bytes"]
    assert summaries(pages("fits.html.gz", largest=1000)) == ["fits.html.gz"]
    bomb = write("bomb.html.gz", gzip.compress(bytes(3 * MAX_PAGE_BYTES)))
    assert summaries(pages(bomb)) == [f"{bomb}: too large: more than {MAX_PAGE_BYTES} bytes"]


def test_the_limit_is_that_of_the_core() -> None:
    assert not blocks(Page(b" " * MAX_PAGE_BYTES)).blocks
    with pytest.raises(ValueError, match=f"a page has at most {MAX_PAGE_BYTES}"):
        blocks(Page(b" " * (MAX_PAGE_BYTES + 1)))


def test_pages_in_json_lines_have_been_decoded_by_their_writer(write: Writer) -> None:
    page = "<meta charset=windows-1254><p>Yağış sürüyor"
    write("p.jsonl", [{"url": "http://example.com/1", "html": page}, {"raw_html": page, "status": 200}])
    one, two = pages("p.jsonl")
    assert isinstance(one, Page) and isinstance(two, Page)
    assert (one.url, two.url) == ("http://example.com/1", None)
    assert [str(one.origin), str(two.origin)] == ["p.jsonl:1", "p.jsonl:2"]
    assert [block.text for block in blocks(one)] == ["Yağış sürüyor"]


@pytest.mark.parametrize(
    "line, why",
    [
        ("{", "broken line: "),
        ('["x"]', "broken line: expected an object, got"),
        ('{"url": "x"}', "no page: no field 'html' or 'raw_html' among url"),
        ("{}", "no page: no field 'html' or 'raw_html' among no fields"),
        ('{"html": 7}', "broken line: html: expected a text, got 7"),
        ('{"html": "<p>", "url": ["x"]}', "broken line: url: expected a text"),
        (r'{"html": "\ud800"}', "broken line: html: half a character"),
        (r'{"html": "<p>", "url": "\ud800"}', "broken line: url: half a character"),
        ("[" * 100_000, "broken line: nested too deep"),
        (b'{"html": "\xff"}', "broken line: bytes that are not UTF-8"),
        (json.dumps({"html": "x" * 5000}), "too large: more than 4000 bytes"),
        ('{"html": "' + "x" * 2_000_000, "too large: a line of more than"),
    ],
)
def test_a_bad_line_is_reported_with_its_number_and_reading_continues(
    line: str | bytes, why: str, write: Writer
) -> None:
    good = b'{"html": "<p>good"}'
    bad = line if isinstance(line, bytes) else line.encode()
    write("p.jsonl", b"\xef\xbb\xbf" + good + b"\n\n" + bad + b"\r\n" + good)
    first, problem, last = summaries(pages("p.jsonl", largest=4000))
    assert (first, last) == ("p.jsonl:1", "p.jsonl:4")
    assert problem.startswith(f"p.jsonl:3: {why}")


def test_of_packed_lines_that_break_off_what_came_before_is_kept(write: Writer) -> None:
    rows = [json.dumps({"html": os.urandom(500).hex()}) for _ in range(200)]
    write("p.jsonl.gz", gzip.compress("\n".join(rows).encode())[:-5000])
    *good, problem = summaries(pages("p.jsonl.gz"))
    assert len(good) > 100
    assert problem.startswith(f"p.jsonl.gz:{len(good) + 1}: unreadable: reading stopped: ")
    write("empty.jsonl", b"\n\n")
    assert summaries(pages("empty.jsonl")) == ["empty.jsonl: empty: a file without lines"]


def test_a_list_names_files_folders_and_archives(write: Writer) -> None:
    write("a.html", PAGE)
    write("b.html", "<p>Yağış".encode("windows-1254"))
    write("site/c.html", PAGE)
    write("x.warc", record(1, answer()))
    listed = {"path": "b.html", "url": "http://example.com/b", "charset": "windows-1254"}
    write(
        "list", ["a.html", "", "site", listed, "missing.html", '{"path": 7}', '{"path": "a.html", "url": 7}', "x.warc"]
    )
    found = list(listed_pages("list"))
    assert summaries(found) == [
        "a.html",
        "site/c.html",
        "b.html",
        "missing.html: unreadable: no such file or folder",
        "list:6: broken line: path: expected a text, got 7 (int)",
        "list:7: broken line: url: expected a text, got 7 (int)",
        "x.warc:1",
    ]
    assert [(p.url, p.charset) for p in found if isinstance(p, Page)][2] == ("http://example.com/b", "windows-1254")


@pytest.mark.parametrize("line", [b"a\0b", rb'{"path": "a\u0000b"}', rb'{"path": "\ud800"}', b"{", b"x" * 100_000])
def test_a_line_of_a_list_that_names_no_file_is_reported(line: bytes, write: Writer) -> None:
    write("a.html", PAGE)
    write("list", line + b"\na.html")
    problem, page = summaries(listed_pages("list"))
    assert problem.startswith("list:1: ")
    assert page == "a.html"


def test_a_list_that_is_not_there_or_empty_is_reported(write: Writer) -> None:
    assert summaries(listed_pages("list")) == ["list: unreadable: no such file or folder"]
    write("list", b"\n")
    assert summaries(listed_pages("list")) == ["list: empty: a list without files"]


def zipped(files: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return out.getvalue()


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_the_pages_of_a_zip_archive(method: int, write: Writer) -> None:
    files = {"x/": b"", "x/b.html": PAGE, "a.HTM": PAGE, "c.html.gz": gzip.compress(PAGE), "d.png": b"x", "e": b"x"}
    write("p.zip", zipped(files, method))
    passed: Counter[str] = Counter()
    found = list(pages("p.zip", skipped=passed))
    assert summaries(found) == ["p.zip/x/b.html", "p.zip/a.HTM", "p.zip/c.html.gz"]
    assert {page.raw for page in found if isinstance(page, Page)} == {PAGE}
    assert passed == {".png file": 1, "file without a suffix": 1}


def test_zip_archives_that_are_none_or_without_pages(write: Writer) -> None:
    good = zipped({"a.html": PAGE})
    for name, content, why in [
        ("no.zip", b"words", "not a ZIP archive: file is not a zip file"),
        ("cut.zip", good[:-30], "not a ZIP archive"),
        ("empty.zip", zipped({}), "no pages (*.html) in the archive"),
        ("other.zip", zipped({"a.png": b"x"}), "no pages (*.html) in the archive"),
    ]:
        write(name, content)
        (problem,) = summaries(pages(name))
        assert problem.startswith(f"{name}: unreadable: {why}")


def test_a_damaged_file_in_a_zip_archive_costs_itself(write: Writer) -> None:
    good = zipped({"a.html": PAGE, "b.html": os.urandom(500), "c.html": PAGE}, zipfile.ZIP_STORED)
    at = good.index(b"b.html") + 50
    write("p.zip", good[:at] + b"damage" + good[at + 6 :])
    first, problem, last = summaries(pages("p.zip"))
    assert (first, last) == ("p.zip/a.html", "p.zip/c.html")
    assert problem.startswith("p.zip/b.html: damaged: cannot be decompressed: bad crc-32")
    locked = bytearray(zipped({"a.html": PAGE}))
    for mark, place in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        locked[locked.index(mark) + place] |= 1
    write("locked.zip", bytes(locked))
    assert summaries(pages("locked.zip")) == ["locked.zip/a.html: locked: protected by a password"]


def test_a_zip_archive_cannot_unpack_to_more_than_pages_do(write: Writer) -> None:
    write("bomb.zip", zipped({"a.html": bytes(50 << 20), "b.html": PAGE}))
    problem, page = summaries(pages("bomb.zip"))
    assert problem.startswith("bomb.zip/a.html: too large: ") and problem.endswith("bytes expand to 52428800")
    assert page == "bomb.zip/b.html"
    write("large.zip", zipped({"a.html": bytes(70 << 20), "b.html": PAGE}))
    assert summaries(pages("large.zip")) == [
        f"large.zip/a.html: too large: more than {MAX_PAGE_BYTES} bytes",
        "large.zip/b.html",
    ]
    write("gz.zip", zipped({"a.html.gz": gzip.compress(bytes(70 << 20))}, zipfile.ZIP_STORED))
    assert summaries(pages("gz.zip")) == [f"gz.zip/a.html.gz: too large: more than {MAX_PAGE_BYTES} bytes"]


def test_a_zip_archive_whose_files_are_all_the_same_bytes_is_rejected(write: Writer) -> None:
    """All directory entries point to one file: as many pages as entries, for the size of one."""
    one = zipped({"a.html": os.urandom(2000)}, zipfile.ZIP_STORED)
    start = one.index(b"PK\x01\x02")
    entry, end = one[start : one.index(b"PK\x05\x06")], bytearray(one[one.index(b"PK\x05\x06") :])
    entries = b"".join(entry.replace(b"a.html", b"%c.html" % letter) for letter in b"abcdefgh")
    struct.pack_into("<HHI", end, 8, 8, 8, len(entries))
    write("same.zip", one[:start] + entries + bytes(end))
    with zipfile.ZipFile("same.zip") as archive:
        assert len(archive.infolist()) == 8
    assert summaries(pages("same.zip")) == [
        "same.zip: unreadable: its files overlap: together they are larger than the archive"
    ]
