"""JSON lines from standard input are yielded as they arrive."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator

import pytest

from samestory.model import Article
from samestory.readers import Problem, Source, read


@pytest.fixture
def pipe() -> Iterator[int]:
    """Writes to standard input."""
    reading, writing = os.pipe()
    before = os.dup(0)
    os.dup2(reading, 0)
    os.close(reading)
    yield writing
    os.dup2(before, 0)
    os.close(before)


def summary(item: Article | Problem) -> tuple[int | str, str]:
    return (item.id, item.text) if isinstance(item, Article) else (item.line, item.fault)


def test_an_article_is_there_when_its_line_ends_and_lines_are_counted_on(pipe: int) -> None:
    items = map(summary, read("-"))
    os.write(pipe, b'{"id": "a", "text": "one"}\n{"id": "b", "te')
    assert next(items) == ("a", "one")
    os.write(pipe, b'xt": "two"}\n{broken\n')
    assert [next(items), next(items)] == [("b", "two"), (3, "broken line")]
    os.write(pipe, b'\n{"text": "three"}')
    os.close(pipe)
    assert list(items) == [("-:5", "three")]


def test_a_line_that_is_too_long_is_rejected_and_costs_itself_alone(pipe: int) -> None:
    def write() -> None:
        with os.fdopen(pipe, "wb") as file:
            file.write(
                b'{"id": "a", "text": "one"}\n{"text": "' + b"x" * (3 << 20) + b'"}\n{"id": "b", "text": "two"}\n'
            )
            file.write(b'{"text": "' + b"x" * (3 << 20))

    threading.Thread(target=write).start()
    found = [summary(item) for item in read(Source("-", largest=1000))]
    assert found == [("a", "one"), (2, "too large"), ("b", "two"), (4, "too large")]


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_marks_of_encodings_are_understood(pipe: int, encoding: str) -> None:
    body = '{"id": "a", "text": "Köprü"}\n{"id": "b", "text": "yeniden"}\n'.encode(encoding)
    items = map(summary, read("-"))
    os.write(pipe, body[:-7])
    assert next(items) == ("a", "Köprü")
    os.write(pipe, body[-7:])
    os.close(pipe)
    assert list(items) == [("b", "yeniden")]
