"""What every test may use: files written on the spot, and the real command in a process of its own."""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis.configuration import set_hypothesis_home_dir

from tests import server
from tests.forked import Forker

ROOT = Path(__file__).resolve().parents[1]
DEMO = ROOT / "demo"

# The same examples in every run: red for one is red for all. `--hypothesis-profile explore` looks further.
_COMMON: dict[str, Any] = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}
settings.register_profile("steady", derandomize=True, database=None, max_examples=16, **_COMMON)
settings.register_profile("explore", max_examples=1000, **_COMMON)
settings.load_profile("steady")
set_hypothesis_home_dir(ROOT / ".pytest_cache" / "hypothesis")

# A shell without job control starts programs in the background with this signal ignored; the servers that tests start
# would ignore it too.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

#: A command that does not end within this many seconds hangs; it is no measure of speed.
PATIENCE = 60


#: A test that has not ended after this many seconds waits for what never comes, and would stop all others.
MAX_SECONDS_PER_TEST = 300


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Fails a test that hangs; signals reach the main thread only, and only in systems that have this one."""

    def fail(*_: object) -> None:
        pytest.fail(f"{item.nodeid} did not end within {MAX_SECONDS_PER_TEST} seconds")

    if not hasattr(signal, "SIGALRM") or threading.current_thread() is not threading.main_thread():
        return (yield)
    before = signal.signal(signal.SIGALRM, fail)
    signal.alarm(MAX_SECONDS_PER_TEST)
    try:
        return (yield)
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


@dataclass(frozen=True)
class Done:
    """How a command ended and what it said."""

    code: int
    out: str
    err: str

    @property
    def rows(self) -> list[dict[str, Any]]:
        """Standard output as JSON lines."""
        return [json.loads(line) for line in self.out.splitlines()]

    @property
    def groups(self) -> set[frozenset[str]]:
        """The members of every group on standard output."""
        return {frozenset(row["members"]) for row in self.rows}

    @property
    def members(self) -> list[str]:
        """All members of all groups, sorted."""
        return sorted(member for row in self.rows for member in row["members"])


def command(*words: object) -> list[str]:
    """The command line that runs these words."""
    return [sys.executable, "-m", "samestory.cli", *map(str, words)]


def environment(**more: str) -> dict[str, str]:
    """The variables of a plain terminal: nothing about colours but what a test asks for."""
    plain = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "FORCE_COLOR", "CLICOLOR", "COLUMNS")}
    return {**plain, "PYTHONIOENCODING": "utf-8", **more}


Runner = Callable[..., Done]
Writer = Callable[..., Path]


@pytest.fixture(scope="session")
def forker() -> Iterator[Forker]:
    """Has the command imported."""
    started = Forker()
    yield started
    started.close()


@pytest.fixture
def samestory(tmp_path: Path, forker: Forker) -> Runner:
    """Runs the command in a fresh folder."""

    def run(
        *words: object, stdin: bytes = b"", env: Mapping[str, str] | None = None, memory: int | None = None
    ) -> Done:
        full = environment(**(env or {}))
        code, out, err = forker.run([*map(str, words)], tmp_path, full, stdin, PATIENCE, memory)
        return Done(code, out.decode(), err.decode())

    return run


def lines(rows: Iterable[Mapping[str, Any] | str]) -> str:
    """Rows as JSON lines; a text is a line as it stands."""
    return "".join((row if isinstance(row, str) else json.dumps(row, ensure_ascii=False)) + "\n" for row in rows)


def put(folder: Path, name: str, content: str | bytes | Iterable[Mapping[str, Any] | str]) -> Path:
    """Writes a file of JSON lines, texts or bytes into a folder, and gives its path."""
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    if isinstance(content, bytes):
        path.write_bytes(content)
    else:
        path.write_text(content if isinstance(content, str) else lines(content), encoding="utf-8")
    return path


@pytest.fixture
def write(tmp_path: Path) -> Writer:
    """Writes a file into a fresh folder."""
    return partial(put, tmp_path)


@pytest.fixture
def demo_news() -> Path:
    """The demo articles."""
    return DEMO / "news.jsonl"


@pytest.fixture(scope="session")
def postgres() -> Iterator[server.Server]:
    """A PostgreSQL server of these tests' own, started when the first of them asks for it."""
    programs = server.programs()
    if programs is None:
        pytest.skip("no PostgreSQL on this machine: apt-get install postgresql, or make packages as root")
    with server.running(programs) as started:
        yield started


@pytest.fixture(params=["sqlite", "postgres"])
def places(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Callable[[], str]]:
    """Gives a fresh place for a database at every call; the test runs once for every kind of database."""
    if request.param == "sqlite":
        numbers = count(1)
        yield lambda: str(tmp_path / f"fresh {next(numbers)}.db")
        return
    running: server.Server = request.getfixturevalue("postgres")
    made: list[str] = []

    def fresh() -> str:
        made.append(running.fresh())
        return made[-1]

    yield fresh
    for each in made:
        running.drop(each)


@pytest.fixture
def place(places: Callable[[], str]) -> str:
    """One fresh place for a database."""
    return places()
