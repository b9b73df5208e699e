"""Every command of the README, the tutorial and the guides runs as it is written, and prints what is shown there.

The commands of a page run in order in one folder, which has the demo news under the names that the pages use.
"""

from __future__ import annotations

import csv
import gzip
import json
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time
import tomllib
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import httpx
import pyarrow as pa
import pyarrow.parquet
import pytest
import zstandard

from samestory.archive import Archive
from samestory.cli import parser
from samestory.lab.collection import Collection
from samestory.lab.collection.assessor_session import Task
from samestory.lab.collection.people import hire
from tests.conftest import DEMO, PATIENCE, ROOT, environment
from tests.detectors.test_plugins import SOURCE
from tests.lab.collection.work import judge
from tests.readers.archives import answer, packed, record

PAGES = [ROOT / "README.md", ROOT / "docs" / "tutorial.md", *sorted((ROOT / "docs" / "guides").glob("*.md"))]
BLOCK = re.compile(r"^```(sh|console)\n(.*?)^```", re.MULTILINE | re.DOTALL)
#: Commands that serve until they are stopped.
SERVERS = ("portal", "judge", "follow")
#: What cannot run on one machine without a network; the words of the command are checked.
ELSEWHERE = {
    "s3a://": "files of a cluster",
    "--spark yarn": "a cluster",
    "postgresql://": "a server of its own: tests/database and tests/archive start one",
    "0.0.0.0": "an address outside loopback",
    "--public-url": "a proxy in front",
    "spark-submit": "a cluster",
    "--spark 'local": "a session of its own: tests/spark has one for all tests",
    "spacy:": "a model of others",
    "/srv/": "a folder of the system",
}
#: What a page needs beside the demo news: files, and commands.
FILES = {
    "names.md": {
        "news.jsonl": '{"id": "1", "text": "Ankara Valisi Ali Kaya, Gazi Üniversitesi\'nde konuştu.", "lang": "tr"}\n',
        "mine/person.txt": "Ali Kaya\n",
    },
    "archive.md": {"my_module.py": SOURCE.replace("FirstWord", "MyDetector")},
}
SETUP = {
    "evaluating.md": ["samestory relate news.jsonl -o theirs.jsonl"],
    "auditing.md": [
        "samestory collection new gold.db news.jsonl --relation contains",
        "samestory collection pool gold.db -d reuse",
    ],
    "judging.md": [
        "samestory collection new gold.db news.jsonl --relation contains",
        "samestory collection pool gold.db -d reuse",
    ],
    "portal.md": ["samestory index add news.db news.jsonl"],
    "README.md": ["samestory collection new gold.db news.jsonl --relation contains"],
}


@dataclass(frozen=True)
class Command:
    """A line that one types, and the lines that it prints, if the page shows them."""

    line: str
    shown: tuple[str, ...] | None = None


def commands(page: Path) -> list[Command]:
    """The commands of a page, in order."""
    found: list[Command] = []
    for language, body in BLOCK.findall(page.read_text(encoding="utf-8")):
        if language == "sh":
            found += [Command(line) for line in body.splitlines() if line.strip() and not line.startswith("#")]
            continue
        for part in re.split(r"^\$ ", body, flags=re.MULTILINE)[1:]:
            line, *shown = part.rstrip("\n").split("\n")
            found.append(Command(line, tuple(shown)))
    return found


def news() -> list[dict[str, str]]:
    return [json.loads(line) for line in (DEMO / "news.jsonl").read_text(encoding="utf-8").splitlines()]


def in_other_words(row: dict[str, str], number: int) -> dict[str, str]:
    """The article in a vocabulary of its own, in which it is related to no article of another number."""
    other = {key: re.sub(r"(\w{3,})", rf"\1x{number}", row[key]) for key in ("title", "text")}
    return {**row, **other, "id": f"{number}-{row['id']}"}


def make_folder(folder: Path) -> None:
    """Write the demo news under all names that the pages use, and the command `samestory`."""
    shutil.copytree(DEMO, folder / "demo")
    rows = news()
    lines = (DEMO / "news.jsonl").read_bytes()
    half = [json.dumps(row, ensure_ascii=False) + "\n" for row in rows]
    for name in ("news.jsonl", "archive.jsonl", "feeds.jsonl", "may.jsonl"):
        (folder / name).write_bytes(lines)
    for name in ("today.jsonl", "draft.jsonl"):
        (folder / name).write_text("".join(half[:8]), encoding="utf-8")
    (folder / "archive.jsonl.gz").write_bytes(gzip.compress(lines))
    (folder / "archive.jsonl.zst").write_bytes(zstandard.compress(lines))
    with (folder / "news.csv").open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file)
        table.writerow(["id", "title", "Body", "published"])
        table.writerows([row["id"], row["title"], row["text"], row["published"]] for row in rows)
    pyarrow.parquet.write_table(pa.Table.from_pylist(rows), folder / "news.parquet")
    shutil.copy(DEMO / "gold.jsonl", folder / "pairs.jsonl")
    expected = [json.loads(line) for line in (DEMO / "expected.jsonl").read_text(encoding="utf-8").splitlines()]
    contained = [
        {"a": row["right"], "b": row["left"], "label": "contains" if row["kind"] == "PART_OF" else "other"}
        for row in expected
    ]
    (folder / "contained.jsonl").write_text("".join(json.dumps(row) + "\n" for row in contained))
    stories = [{"id": row["id"], "cluster": row["id"].rpartition("-")[0], "category": row["lang"]} for row in rows]
    (folder / "groups.jsonl").write_text("".join(json.dumps(row) + "\n" for row in stories))
    pages = [*sorted((DEMO / "pages").rglob("*.html"))]
    archive = packed(*(record(number, answer(page.read_bytes())) for number, page in enumerate(pages)))
    for name in ("crawl.warc.gz", "today.warc.gz", "yesterday.warc.gz"):
        (folder / name).write_bytes(archive)
    (folder / "feeds.txt").write_text("http://news.invalid/feed.xml\n")
    (folder / "bin").mkdir()
    command = folder / "bin" / "samestory"
    command.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m samestory.cli "$@"\n')
    command.chmod(0o755)
    (folder / "bin" / "python").symlink_to(sys.executable)


def answer_all_tasks(path: Path) -> None:
    """Answer every task of a collection as its assessors, by the gold of the demo."""
    lines = (DEMO / "gold.jsonl").read_text(encoding="utf-8").splitlines()
    same = [{row["a"], row["b"]} for row in map(json.loads, lines) if row["label"] == "same"]

    def answer_of(task: Task) -> str:
        pair = {id.partition("-")[2] if id[0].isdigit() else id for id in task.item.articles}
        return task.item.known or ("both" if pair in same else "none")

    with Collection.open(path) as collection:
        with collection.database.read() as session:
            names = [name for (name,) in session.rows("SELECT name FROM assessors ORDER BY number")]
        for token in hire(collection, names).values():
            judge(collection, token, answer_of)


def with_values(page: Path, line: str, folder: Path) -> str:
    """A line with the ids and numbers of this folder in place of those of the page."""
    if page.name != "archive.md" or not (folder / "news.db").exists():
        return line
    with Archive.open(folder / "news.db", create=False) as archive, archive.database.read() as session:
        stories = [number for (number,) in session.rows("SELECT DISTINCT story FROM articles ORDER BY story")]
        undone = session.one("SELECT max(number) FROM decision_log") if "undo" in line else (0,)
    line = line.replace("move ID", "move en-harbour-1").replace("join 12 31", f"join {stories[1]} {stories[2]}")
    return line.replace("undo news.db 3", f"undo news.db {(undone or (1,))[0]}")


def run(line: str, folder: Path) -> subprocess.CompletedProcess[bytes]:
    env = {**environment(), "COLUMNS": "120", "PYTHONPATH": f"{ROOT / 'src'}:{folder}"}
    env["PATH"] = f"{folder / 'bin'}:{env['PATH']}"
    return subprocess.run(
        ["bash", "-c", line],
        cwd=folder,
        env=env,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=2 * PATIENCE,
        check=False,
    )


def check_server(line: str, folder: Path) -> None:
    """Start a server, read its first page if it prints an address, and stop it."""
    words = [*shlex.split(line, comments=True)[1:]]
    if words[0] != "follow":
        words += ["--port", "0"]
    process = subprocess.Popen(
        [sys.executable, "-m", "samestory.cli", *words],
        cwd=folder,
        env={**environment(), "PYTHONUNBUFFERED": "1", "BROWSER": "true", "PYTHONPATH": f"{ROOT / 'src'}:{folder}"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    assert process.stdout is not None
    printed = b""
    try:
        while words[0] != "follow":
            chunk = process.stdout.readline()
            printed += chunk
            assert chunk, printed.decode()
            if address := re.search(rb"http://[\d.:]+\S*", chunk):
                assert httpx.get(address[0].decode(), follow_redirects=True, timeout=PATIENCE).status_code < 500
                break
        else:
            time.sleep(1)
            assert process.poll() is None, process.stdout.read().decode()
    finally:
        process.send_signal(signal.SIGTERM)
        rest, _ = process.communicate(timeout=PATIENCE)
    assert process.returncode in (0, 130, 143, -signal.SIGINT), (printed + rest).decode()


def as_pattern(shown: tuple[str, ...]) -> str:
    """A pattern for output in which … is any text, and a line of it any lines."""
    parts = []
    for line in shown:
        if line.strip() == "…":
            parts.append(r"(?:.*\n)*?")
        else:
            parts.append(r".*?".join(re.escape(part.rstrip()) for part in line.split("…")) + r"[ ]*\n")
    # times differ from run to run
    return re.sub(r"in\\ \d+\\\.\d+\\ s", r"in \\d+\\.\\d+ s", "".join(parts))


def words_of(line: str) -> list[list[str]]:
    """The words of each samestory command of a line, without redirections."""
    typed = re.sub(r" > \S+", "", line.partition("   #")[0])
    parts = [shlex.split(part, comments=True) for part in re.split(r"[|;] |&& ", typed)]
    return [part for part in parts if part and part[0] == "samestory"]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_commands_of_a_page_run_and_print_what_it_shows(page: Path, tmp_path: Path) -> None:
    make_folder(tmp_path)
    if page.name == "collections.md":  # gold that can be split needs more stories
        more = [in_other_words(row, number) for number in range(5) for row in news()]
        (tmp_path / "news.jsonl").write_text("".join(json.dumps(row) + "\n" for row in more))
    if page.name == "archive.md":  # news of last week, which is not to be deleted
        recent = [
            {**row, "published": (datetime.now(UTC) - timedelta(days=at % 7)).isoformat()}
            for at, row in enumerate(news()[:8])
        ]
        (tmp_path / "today.jsonl").write_text("".join(json.dumps(row) + "\n" for row in recent))
    for name, text in FILES.get(page.name, {}).items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    for line in SETUP.get(page.name, []):
        done = run(line, tmp_path)
        assert done.returncode == 0, (line, done.stdout.decode())
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for command in commands(page):
        line = with_values(page, command.line, tmp_path)
        if line.startswith("pip install"):
            assert set(re.findall(r"samestory\[(\w+)\]", line)) <= set(extras), line
        elif line.startswith("make "):
            assert re.search(rf"^{line.split()[1]}:", makefile, re.MULTILINE), line
        elif any(part in line for part in ELSEWHERE):
            for words in words_of(line):
                assert parser().parse_args(words[1:])
        elif any(f"samestory {server} " in line for server in SERVERS) and not line.startswith("$"):
            check_server(line, tmp_path)
            if "judge gold.db" in line:
                answer_all_tasks(tmp_path / "gold.db")
        else:
            done = run(line, tmp_path)
            printed = done.stdout.decode()
            assert done.returncode == 0, f"{line}\n{printed}"
            if command.shown:
                pattern = as_pattern(command.shown)
                assert re.search(rf"^{pattern}", printed + "\n", re.MULTILINE), (
                    f"{line}\nshown:\n" + "\n".join(command.shown) + f"\nprinted:\n{printed}"
                )


def test_pages_have_commands() -> None:
    assert sum(len(commands(page)) for page in PAGES) > 80
