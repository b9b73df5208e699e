"""Property tests of the OpenAPI document: no valid request fails, and every response matches its schema."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from schemathesis import Case
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from samestory import read
from samestory.archive import Archive
from tests.conftest import DEMO
from tests.web.serving import WRITER, serving

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
    response_headers_conformance,
]
#: Streams have no response schema; they have tests of their own.
ENDLESS = "^/(events|articles/stream)$"


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    place: Path = tmp_path_factory.mktemp("schema") / "news.db"
    with Archive.open(place) as archive:
        archive.add(list(read(DEMO / "news.jsonl")))
        with serving(archive) as client:
            yield client


def test_every_response_matches_its_schema(served: httpx.Client) -> None:
    described = schemathesis.openapi.from_url(f"{served.base_url}/openapi.json").exclude(path_regex=ENDLESS)
    tested = set()
    for found in described.get_all_operations():
        operation = found.ok()

        @given(case=operation.as_strategy())
        @settings(max_examples=25, phases=[Phase.generate], suppress_health_check=list(HealthCheck))
        def call(case: Case) -> None:
            case.call_and_validate(headers=WRITER, checks=CHECKS)

        call()
        tested.add(operation.label)
    assert len(tested) >= 14, tested


@given(body=st.binary(max_size=300) | st.text(alphabet='{}[]":,\n a1\\', max_size=60).map(str.encode))
@settings(max_examples=60)
def test_any_stream_is_processed_to_its_end(served: httpx.Client, body: bytes) -> None:
    answer = served.post("/articles/stream", content=body, headers=WRITER)
    assert answer.status_code == 200
    *parts, last = [json.loads(line) for line in answer.text.splitlines()]
    assert last["done"] and last["rejected"] == sum(part["rejected"] for part in parts)
    lines = body.split(b"\n")
    assert last["lines"] == len(lines) - (lines[-1] == b"")


def test_every_route_is_documented(served: httpx.Client) -> None:
    """Every route has a description and a success response."""
    schema = served.get("/openapi.json").json()
    assert len(schema["paths"]) >= 14
    for path, methods in schema["paths"].items():
        for method, route in methods.items():
            assert route["description"] and "200" in route["responses"], (method, path)
