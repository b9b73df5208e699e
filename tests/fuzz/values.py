"""Valid values made by the real code: articles, fitted detectors, their signatures, states and tables."""

from __future__ import annotations

from functools import cache

from samestory import DETECTORS as NAMES
from samestory import Article, Detector, Features, parse, prepare
from tests.archive.news import news
from tests.reference.detector import SameWords

#: One article has no words and two are equal; some share most of their text.
ARTICLES = [
    *(Article(each["id"], each["text"][:700], each["title"], each["published"], lang="en") for each in news(5, 8)),
    Article("copy", news(5, 1)[0]["text"][:700], "The ferry runs again", "2026-03-02", lang="en"),
    Article("empty", "…", None, None, lang="en"),
    Article("tr", "Marmara'da 7,4 büyüklüğünde deprem: 12 ölü, 3 bin kişi tahliye edildi.", "Deprem", "2026-03-04"),
    Article("ru", "В Москве 12 марта открыли новый мост через реку. Его строили 3 года.", "Мост", "2026-03-12"),
]
FEATURES: Features = prepare(ARTICLES)
#: Every detector; those that need a model of sentences have the one of letters, which needs no library.
SPECS = [
    *(f"{name}()" for name in NAMES if name not in ("fusion", "vectors")),
    *("fusion(model='letters')", "vectors(model='letters')", "semshort(space='distance_rows', r=0.9, threshold=0.1)"),
    *("minhash(verify=True)", "reuse(shingle=1, sample=1.0, threshold=0.2, copy=0.5)", "koala(form='full', letters=8)"),
    *("cops(unit='paragraph', chunking='disjoint')", "codet(word_sorting=False, depth=0, suffixes=3)"),
    *("cedar(frequent=5.0)", "event(threshold=0.1)", "a detector in Python"),
]
#: Detectors for the buffers of a cluster: all kinds of keys and of comparison.
SPARK_SPECS = ["reuse()", "event()", "minhash()", "exact()"]


@cache
def detector(spec: str) -> Detector:
    """The detector of a spec, fitted to the articles."""
    return SameWords() if spec == "a detector in Python" else parse(spec).fit([FEATURES])


@cache
def rows(spec: str) -> list[bytes]:
    """The signatures of the articles, as rows of the engine."""
    return list(detector(spec).signature_rows(FEATURES))


@cache
def specs_with_state() -> list[str]:
    """The specs of the detectors that have a state."""
    return [spec for spec in SPECS if detector(spec).state()]
