"""A small judged collection of invented news: copies, parts, rewordings, templates, and unrelated news."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from samestory.detectors import parse
from samestory.lab.evaluation import Evaluation, evaluate, read_gold, read_run, score
from samestory.readers import Source
from tests.conftest import Writer
from tests.news import SENTENCES, plain_words

THRESHOLDS = (0.1, 0.3, 0.5, 0.7, 0.9)


def _template(month: str, first: int) -> str:
    """A recurring report: the words stay, the figures change."""
    return " ".join(
        f"The port of {town} handled {first + at} tonnes of {what} in {month}, the harbour office said on Tuesday."
        for at, (town, what) in enumerate((("Oldmere", "timber"), ("Brack", "grain"), ("Fenmoor", "salt")))
    )


ARTICLES: list[dict[str, Any]] = [
    {"id": "pier-1", "title": "Pier to be rebuilt", "text": " ".join(SENTENCES[:5])},
    {"id": "pier-2", "title": "Oldmere rebuilds its pier", "text": " ".join(SENTENCES[:5])},
    {"id": "pier-3", "title": "Pier", "text": " ".join((*SENTENCES[:4], SENTENCES[6]))},
    {"id": "pier-4", "title": "Pier in brief", "text": " ".join(SENTENCES[1:3])},
    {"id": "pier-5", "text": f"{SENTENCES[0]} {plain_words(120, 'q')}"},
    {"id": "liman-1", "title": "Limanda onarım", "text": " ".join(SENTENCES[8:10]), "lang": "tr"},
    {"id": "liman-2", "title": "İskele", "text": f"{SENTENCES[8]} {SENTENCES[9]} Çalışma sürüyor.", "lang": "tr"},
    {"id": "prichal-1", "title": "Причал", "text": " ".join(SENTENCES[10:12]), "lang": "ru"},
    {"id": "prichal-2", "title": "Причал", "text": f"{SENTENCES[11]} {plain_words(30, 'ж')}", "lang": "ru"},
    {"id": "port-1", "title": "Port figures", "text": _template("January", 400)},
    {"id": "port-2", "title": "Port figures", "text": _template("February", 700)},
    {"id": "long-1", "title": "Long", "text": f"{' '.join(SENTENCES[:8])} {plain_words(400, 'w')}"},
    {"id": "long-2", "title": "Longer", "text": f"{' '.join(SENTENCES[:8])} {plain_words(400, 'w')} And more."},
    {"id": "short-1", "title": "Short", "text": "Tram stops for an hour."},
]
PAIRS: list[dict[str, Any]] = [
    {"a": "pier-1", "b": "pier-2", "label": "same", "desk": "city"},
    {"a": "pier-1", "b": "pier-3", "label": "same", "desk": "city"},
    {"a": "pier-1", "b": "pier-4", "label": "same", "desk": "city"},
    {"a": "pier-2", "b": "pier-5", "label": "same", "desk": "coast"},
    {"a": "liman-1", "b": "liman-2", "label": "same", "desk": "coast"},
    {"a": "prichal-1", "b": "prichal-2", "label": "same", "desk": "coast"},
    {"a": "long-1", "b": "long-2", "label": "other", "desk": "city"},
    {"a": "port-1", "b": "port-2", "label": "other", "desk": "coast"},
    {"a": "pier-1", "b": "port-1", "label": "other", "desk": "coast"},
    {"a": "short-1", "b": "pier-2", "label": "other", "desk": "city"},
    {"a": "liman-1", "b": "prichal-1", "label": "other", "desk": "coast"},
    {"a": "short-1", "b": "port-2", "label": "related", "desk": "city"},
]
GROUPS: list[dict[str, Any]] = [
    {"id": article["id"], "cluster": article["id"] if article["id"].startswith("port") else article["id"].split("-")[0]}
    for article in ARTICLES
]


def evaluated(
    write: Writer,
    detectors: Sequence[str] = ("reuse", "minhash"),
    gold: Sequence[dict[str, Any]] = PAIRS,
    articles: Sequence[dict[str, Any]] = ARTICLES,
    run: Sequence[dict[str, Any]] = (),
    thresholds: Sequence[float] = THRESHOLDS,
    rounds: int = 100,
    **more: Any,
) -> tuple[Evaluation, list[Source]]:
    """Evaluate the detectors, and an external run, on this news."""
    sources = [Source(str(write("news.jsonl", articles)))]
    runs = [score(parse(spec), sources, min(thresholds, default=None)) for spec in detectors]
    if run:
        runs.append(read_run(str(write("run.jsonl", run)), [article["id"] for article in articles]))
    read = read_gold(str(write("gold.jsonl", gold)))
    return evaluate(read, runs, thresholds=thresholds, rounds=rounds, **more), sources
