"""Eight assessors judge while the server is killed repeatedly: no acknowledged answer is lost."""

from __future__ import annotations

import random
import socket
import subprocess
import threading
import time
from itertools import combinations, islice
from pathlib import Path

import httpx

from samestory import read
from samestory.lab.collection import AssessorSession, Collection
from tests.conftest import DEMO, PATIENCE, command, environment
from tests.lab.judging.asking import PAGE, key_of
from tests.lab.judging.making import Made, made

PEOPLE, ITEMS, KILLS = 8, 12, 3


class Server:
    """The real command, which the test kills."""

    def __init__(self, path: Path) -> None:
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]
        self._words = command("judge", path, "--port", self.port, "--rate", 1_000_000)
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        self._process = subprocess.Popen(self._words, stderr=subprocess.DEVNULL, env=environment())
        until = time.monotonic() + PATIENCE
        while True:
            try:
                httpx.get(f"http://127.0.0.1:{self.port}/").raise_for_status()
                return
            except httpx.TransportError:
                assert time.monotonic() < until
                time.sleep(0.05)

    def kill(self) -> None:
        assert self._process
        self._process.kill()
        self._process.wait(PATIENCE)


def judge(client: httpx.Client, work: Made, name: str, draw: random.Random, kept: dict[int, str]) -> None:
    """Answer all tasks. A request without a response is repeated with the same key, as a browser does."""

    def insist(method: str, address: str, **more: object) -> httpx.Response:
        until = time.monotonic() + PATIENCE
        while True:
            try:
                return client.request(method, address, headers=PAGE, **more)  # type: ignore[arg-type]
            except httpx.TransportError:
                assert time.monotonic() < until
                time.sleep(0.02)

    where = work.at(name, 1)
    while not where.endswith("/done"):
        place, answer = int(where.rpartition("/")[2]), draw.choice(("yes", "no"))
        key = key_of(insist("GET", where).text)
        done = insist("POST", where, data={"key": key, "answer": answer, "comment": f"{name} {place}"})
        assert done.status_code == 303, done.text
        kept[place], where = answer, done.headers["location"]


def test_no_acknowledged_answer_is_lost(tmp_path: Path) -> None:
    draw = random.Random(7)
    ids = [each.id for each in read(DEMO / "news.jsonl")]
    names = [f"s{n}" for n in range(PEOPLE)]
    work = made(tmp_path / "gold.db", items=islice(combinations(ids, 2), ITEMS), names=names, judges=PEOPLE)
    work.collection.close()
    server = Server(tmp_path / "gold.db")
    server.start()
    kept: dict[str, dict[int, str]] = {name: {} for name in names}
    wrong: list[BaseException] = []

    def one(name: str, seed: int) -> None:
        try:
            with httpx.Client(base_url=f"http://127.0.0.1:{server.port}", timeout=PATIENCE) as client:
                judge(client, work, name, random.Random(seed), kept[name])
        except BaseException as error:
            wrong.append(error)

    people = [threading.Thread(target=one, args=(name, seed)) for seed, name in enumerate(names)]
    for each in people:
        each.start()
    try:
        for _ in range(KILLS):
            time.sleep(draw.uniform(0.2, 0.7))
            server.kill()
            server.start()
        for each in people:
            each.join(PATIENCE)
    finally:
        server.kill()
    assert not wrong
    with Collection.open(tmp_path / "gold.db") as collection:
        for name in names:
            assessor = AssessorSession.from_token(collection, work.tokens[name])
            assert assessor and len(kept[name]) == ITEMS
            for place, answer in kept[name].items():
                (only,) = assessor.history(place)
                assert (only["answer"], only["comment"]) == (answer, f"{name} {place}")
