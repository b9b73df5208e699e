"""Specs and files of lines that Python reads: relations, decisions, gold, pages, site filters, models of r."""

from __future__ import annotations

import io
import json
import tempfile
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import samestory
from samestory import GroupingOptions, html
from samestory.archive.cursors import decode_cursor, encode_cursor
from samestory.cli.group import _relations
from samestory.detectors.r_model import RModel
from samestory.groups.decisions import Decisions
from samestory.html.site_filter import SiteFilter
from samestory.lab.evaluation.gold import read_gold
from samestory.lab.measures import parse as parse_measure
from samestory.model import Relation
from samestory.readers.page_lines import listed, page_lines
from tests.fuzz.changes import changed_lines, changed_text
from tests.fuzz.target import Target, attempt
from tests.fuzz.values import SPECS

EXTRACTORS = ["heuristic(least=5)", "rules()", "crf(model='x')"]
MEASURES = ["pair_f(unjudged='out')", "b_cubed_f()", "roc_area()", "ami()"]


def make_spec(random: Random) -> Any:
    """Return a damaged spec."""
    return changed_text(random, [*SPECS[:-1], *EXTRACTORS, *MEASURES])[:6000]


def run_spec(value: Any) -> None:
    """Parse a spec as a detector, an extractor and a measure, and make its native form."""
    for parse in (samestory.parse, html.parse, parse_measure):
        found = attempt(parse, value)
        if found is not None:
            assert attempt(parse, str(found)) == found, "a spec that cannot be read again"
    made = attempt(samestory.parse, value)
    if made is not None:
        attempt(lambda: made.native)


def line(**fields: Any) -> str:
    """Return a line of JSON."""
    return json.dumps(fields, ensure_ascii=False)


RELATION_LINES = [
    line(left="a", right="b", kind="NEAR", forward=0.5, backward=1, score=0.5, detector="reuse()"),
    line(left=17, right=2.5, kind="part_of", forward=0, backward=1.0),
    line(left="b", right="c", kind="SAME_EVENT", forward=0.9, backward=0.9, score=None),
]
DECISION_LINES = [
    *(line(left="a", right="b", decision="same"), line(left="b", right="c", decision="apart")),
    *(line(left="d", right="é", decision="same"), line(left="b", right="a", decision="same", at=1)),
]
GOLD_LINES = [
    *(line(a="1", b="2", label="same", relation="same"), line(a="2", b="3", label=0, protocol="pool")),
    *(line(a="4", b="5", label="contains", direction="a>b"), line(a=1, b=9, label="related", orig=2.5)),
    *(line(id="1", cluster="x"), line(id="2", cluster=7, relation="same"), line(id="3", cluster=None)),
]
PAGES = [
    *(line(url="http://x/", html="<p>one</p>"), line(link=None, raw_html="<p>two"), line(url="http://y/")),
    *("page.html", line(path="p.html", url="http://x/", charset="utf-8"), line(path="", charset=3)),
]


def make_relations(random: Random) -> Any:
    """Return a file of relations."""
    return changed_lines(random, RELATION_LINES)


def run_relations(value: Any) -> None:
    """Read relations, and group them."""
    with tempfile.NamedTemporaryFile(suffix=".jsonl") as file:
        Path(file.name).write_bytes(value)
        items = list(_relations(file.name))
    assert all(str(item) is not None for item in items)
    relations = [item for item in items if isinstance(item, Relation)]
    ids = {id for each in relations for id in (each.left, each.right)}
    for method in ("star", "components", "majority"):
        groups = attempt(samestory.group, relations, grouping=method)
        if groups is not None and method != "majority":
            assert {id for each in groups for id in each.members} <= ids
    for each in relations:
        assert Relation.from_dict(json.loads(json.dumps(each.to_dict()))).kind == each.kind


def make_decisions(random: Random) -> Any:
    """Return a file of decisions, and another decision."""
    return changed_lines(random, DECISION_LINES), changed_text(random, ["a"])[:50], random.choice(["same", "apart", ""])


def run_decisions(value: Any) -> None:
    """Read decisions, add one, and apply them."""
    content, id, decision = value
    with tempfile.TemporaryDirectory(prefix="fuzz") as folder:
        path = Path(folder, "decisions.jsonl")
        path.write_bytes(content)
        found = attempt(Decisions.load, path)
        attempt(Decisions.append, path, id, "b", decision)
        if found is not None:
            found.unknown(lambda other: other == "a")
            articles = [{"id": name, "text": f"text {name}"} for name in ("a", "b", "c", "d")]
            attempt(samestory.find, articles, grouping=GroupingOptions(decisions=found))


def make_gold(random: Random) -> Any:
    """Return a file of gold, and a condition."""
    shape = random.choice([GOLD_LINES[:4], GOLD_LINES[4:], GOLD_LINES])
    return changed_lines(random, shape), changed_text(random, ["orig>=0", "label=same", "a!=1"])[:60]


def run_gold(value: Any) -> None:
    """Read gold, with and without conditions."""
    content, condition = value
    with tempfile.NamedTemporaryFile(suffix=".jsonl") as file:
        Path(file.name).write_bytes(content)
        attempt(read_gold, file.name)
        attempt(read_gold, file.name, "same", "pool")
        attempt(read_gold, file.name, None, None, condition)
        found = attempt(read_gold, file.name, None, None, None, [condition])
        if found is not None:
            assert len(list(found.ids())) >= len(found) and found.bias is not None


def make_pages(random: Random) -> Any:
    """Return a file of pages, and a cursor."""
    return changed_lines(random, PAGES), changed_text(random, [encode_cursor(7, -1), "e30", "W10"])[:500]


def run_pages(value: Any) -> None:
    """Read pages and lists of pages, and cursors of an archive."""
    content, cursor = value
    for reader in (page_lines(io.BytesIO(content), "pages", 1000), listed(io.BytesIO(content), "list")):
        assert all(item is not None for item in reader)
    attempt(decode_cursor, cursor, 7, 2)


@cache
def site_filter() -> str:
    """A saved filter that has seen pages of two sites."""
    made = SiteFilter()
    for number in range(12):
        made.filter(f"{number % 2}.example.com", f"Subscribe now\nStory {number} of the day\nAll rights reserved")
    return bytes(made).decode()


def make_filter(random: Random) -> Any:
    """Return a saved site filter, damaged."""
    return changed_text(random, [site_filter()]).encode()


def run_filter(value: Any) -> None:
    """Load a filter, and clean a page with it."""
    with tempfile.NamedTemporaryFile() as file:
        Path(file.name).write_bytes(value)
        found = SiteFilter.load(file.name)
    found.filter("0.example.com", "Subscribe now\nAnother story")
    bytes(found)


NETWORK = {
    **{"hidden": 2, "inner": "tanh", "outer": "identity", "weights": [[0.1] * 19]},
    **{"inputs": {"least": [1.0] * 7, "delta": [0.5] * 7}, "r": {"least": [0.5], "delta": [1.0]}},
}
#: The parameters of models of r, by name.
PARAMETERS: dict[str, dict[str, Any]] = {
    **{"log": {"intercept": -3.3, "slope": 0.8}, "linear": {"weights": [0.5] * 8}, "network": NETWORK},
}
R_MODELS = [
    json.dumps({"format": "samestory-r-1", "model": name, "days": 3, "range": [0.5, 4.5], "parameters": parameters})
    for name, parameters in PARAMETERS.items()
]


def make_r_model(random: Random) -> Any:
    """Return a damaged model of r."""
    return changed_text(random, R_MODELS)


def run_r_model(value: Any) -> None:
    """Read a model of r and write it."""
    found = RModel.from_json(value)
    assert repr(RModel.from_json(found.to_json())) == repr(found)


SPECS_TARGET = Target("specs", ("detectors.Detector",), make_spec, run_spec)
RELATIONS = Target("relations", ("engine.group",), make_relations, run_relations)
DECISIONS = Target("decisions", (), make_decisions, run_decisions)
GOLD = Target("gold", (), make_gold, run_gold)
PAGE_LINES = Target("page lines", (), make_pages, run_pages)
SITE_FILTERS = Target("site filters", (), make_filter, run_filter)
MODELS_OF_R = Target("models of r", (), make_r_model, run_r_model)
