"""samestory judge: the real command, its links, and how it is misused."""

from __future__ import annotations

import re
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from samestory import Article, ParameterError
from samestory.cli.serving import public_name
from samestory.lab.collection import Collection, Shape
from samestory.lab.collection.collection import NewItem, add_items, record_run
from tests.conftest import PATIENCE, Runner, command, environment
from tests.lab.judging.making import PAIRS, made


@contextmanager
def judging(*words: object) -> Iterator[tuple[dict[str, str], list[str]]]:
    """Runs the command and yields its links and messages."""
    process = subprocess.Popen(
        command("judge", *words, "--port", 0),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment(),
    )
    assert process.stderr and process.stdout
    try:
        printed = []
        for line in process.stderr:
            printed.append(line.rstrip())
            if "overview of the progress" in line:
                break
        else:
            raise AssertionError(printed)
        process.terminate()
        out, _ = process.communicate(timeout=PATIENCE)
        yield dict(line.split("\t") for line in out.splitlines()), printed
    finally:
        process.kill()
        process.wait(PATIENCE)


@pytest.fixture
def gold(tmp_path: Path) -> Path:
    """A collection without judgements."""
    work = made(tmp_path / "gold.db", items=PAIRS)
    work.collection.close()
    return tmp_path / "gold.db"


def test_new_assessors_get_links_and_existing_ones_keep_theirs(gold: Path) -> None:
    with judging(gold, "--assessors", "cid", "ann") as (links, printed):
        assert list(links) == ["cid"] and re.fullmatch(r"http://127\.0\.0\.1:\d+/w/[\w-]{24}/", links["cid"])
        assert any("ann already exists" in line for line in printed)
    with judging(gold, "--links", "--assessors", "ben") as (links, _):
        assert list(links) == ["ben"]


def test_teams_and_work_are_assigned(tmp_path: Path) -> None:
    path = tmp_path / "gold.db"
    Collection.new(path, "near").close()
    with judging(path, "--assessors", "A=s1,s2", "B=s3,s4", "--assign") as (links, printed):
        assert list(links) == ["s1", "s2", "s3", "s4"]
        assert any("0 items assigned" in line for line in printed)


def test_the_link_that_is_printed_opens_the_work(gold: Path) -> None:
    process = subprocess.Popen(
        command("judge", gold, "--links", "--port", 0), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env=environment(),
    )  # fmt: skip
    assert process.stdout and process.stderr
    try:
        name, link = process.stdout.readline().split()
        assert name == "ann" and "Start" in httpx.get(link, timeout=PATIENCE).text
        line = next(line for line in process.stderr if "overview" in line)
        assert "Overview" in httpx.get(line.split()[-1], timeout=PATIENCE).text
        port = httpx.URL(link).port
        foreign = httpx.get(f"http://127.0.0.1:{port}/", headers={"Host": "elsewhere.example"})
        assert foreign.status_code == 421
        process.terminate()
        assert process.wait(PATIENCE) == 0
    finally:
        process.kill()
        process.communicate()


def test_what_cannot_be_judged_is_said(samestory: Runner, tmp_path: Path, gold: Path) -> None:
    assert samestory("judge", tmp_path / "none.db").code != 0
    assert not (tmp_path / "none.db").exists()
    (tmp_path / "text.db").write_text("not a collection, whatever its name says")
    assert samestory("judge", tmp_path / "text.db").code == 1
    assert samestory("judge", gold, "--port", 99999).code == 2
    for rate in (0, "nan", "inf"):
        assert samestory("judge", gold, "--rate", rate).code == 2
    assert samestory("judge", gold, "--assessors", " ").code == 1
    assert samestory("judge", gold, "--host", "192.0.2.1").code == 2


def test_links_hold_the_address_by_which_people_come(gold: Path) -> None:
    with judging(gold, "--links", "--public-url", "https://judge.example.org") as (links, printed):
        assert all(re.fullmatch(r"https://judge\.example\.org/w/[\w-]{24}/", link) for link in links.values()) and links
        assert "https://judge.example.org/o/" in printed[-1] and not any("127.0.0.1" in line for line in printed)


def test_a_proxy_may_ask_by_the_public_name(gold: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    process = subprocess.Popen(
        command("judge", gold, "--port", port, "--public-url", "http://judge.example.org:8443/", "--links"),
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment(),
    )  # fmt: skip
    try:
        assert process.stdout and process.stderr
        link = process.stdout.readline().split()[1]
        assert link.startswith("http://judge.example.org:8443/w/")
        address = f"http://127.0.0.1:{port}{httpx.URL(link).path}"
        for name, code in (("judge.example.org", 200), ("judge.example.org:8443", 200), ("other.example", 421)):
            assert httpx.get(address, headers={"Host": name}, timeout=PATIENCE).status_code == code, name
    finally:
        process.kill()
        process.communicate()


NO_URLS = ("judge.example", "ftp://x.example", "https://", "https://x.example/below", "https://x.example/?q")


@pytest.mark.parametrize("url", [*NO_URLS, "https://a:b@x", "https://x:y", "https://x?", "https://x/#"])
def test_a_public_url_that_is_none_is_rejected(url: str) -> None:
    with pytest.raises(ParameterError, match="--public-url"):
        public_name("judge", url)


def test_both_servers_say_so(samestory: Runner, gold: Path) -> None:
    for server in ("judge", "portal"):
        done = samestory(server, gold, "--public-url", NO_URLS[0])
        assert (done.code, "--public-url" in done.err) == (2, True)


def test_where_work_cannot_be_assigned_no_assessor_gets_an_unprinted_link(samestory: Runner, tmp_path: Path) -> None:
    articles = [Article(id, f"Text of {id}.") for id in "xy"]
    place = tmp_path / "gold.db"
    with Collection.new(place, "near", "pool", articles) as collection, collection.database.write() as session:
        add_items(session, Shape.PAIR, [NewItem(("x", "y"))], record_run(session, "tester", "tester()", 1))
    done = samestory("judge", place, "--port", 0, "--assessors", "s1", "--assign")
    assert (done.code, done.out) == (2, "")
    with judging(place, "--assessors", "s1", "s2", "--assign") as (links, _):
        assert list(links) == ["s1", "s2"]
