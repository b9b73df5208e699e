"""Texts, lists of names, and columns of relations."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np

from samestory import _core
from samestory.entities.recogniser import pack
from tests.fuzz.changes import changed, changed_text
from tests.fuzz.target import Target, attempt
from tests.fuzz.values import ARTICLES, FEATURES, SPECS, detector

LANGUAGES = ["en", "tr", "ru", "az", "ja", "und", "", "no such"]
LISTS = list(pack("en"))
METHODS = ["star", "components", "majority"]
REPRESENTATIVES = ["longest", "earliest", "latest"]


def make_texts(random: Random) -> Any:
    """Return texts, their languages, a detector, and tokens."""
    own = [article.text for article in ARTICLES]
    texts = [changed_text(random, own)[:20_000] for _ in range(random.randrange(1, 4))]
    languages = [random.choice(LANGUAGES) for _ in texts]
    tokens = [changed(random, [np.asarray(FEATURES.tokens.values).tobytes()])[:4000] for _ in range(2)]
    return texts, languages, random.choice(SPECS), tokens, random.choice([0, 1, 3, 2**40])


def run_texts(value: Any) -> None:
    """Prepare, repair, label, sign and compare texts."""
    texts, languages, spec, tokens, least = value
    text, engine = _core.text, _core.engine
    for as_is in (True, False):
        found = text.prepare(texts, [language or None for language in languages], as_is)
        assert len(found.languages) == len(texts)
    for each, language in zip(texts, languages, strict=True):
        repaired = text.repair(each)
        assert len(repaired.offsets) == len(repaired.text) + 1
        word = text.Language(language)
        assert word.fold(each[:200]) is not None and word.stop_words is not None
        assert word.calendar(each[:200], texts[0][:20], as_is) >= 0
        assert min(word.directions(word.fold(each[:200]), texts[0][:20])) >= 0
    text.label([(each[:300], each) for each in texts], languages[0])
    text.label([(None, each) for each in texts])
    rows = [(each[:50], each, ["a b"], [language]) for each, language in zip(texts, languages, strict=True)]
    attempt(text.tsvectors, rows, "x", (200, 1000, 16383))
    attempt(text.tsvectors, rows, texts[0][:3], (0, 1, 2**40))
    folder = text.Folder(lambda word, _: word[:3])
    folder(texts)
    some = " ".join(texts).split()[:5]
    folder.passages(texts, [len(each) % 2 == 0 for each in texts], set(some), {"a", "ab"}, [some, []], (5, 2))
    attempt(folder.passages, texts, [], set(), set(), [], (len(texts) % 3, 1))
    attempt(text.differences, *tokens)
    attempt(text.passages, *tokens, least)
    by = detector(spec).native
    signed = (
        attempt(by.sign, [0] * len(texts), texts=texts, titles=[each[:80] for each in texts], languages=languages)
        if by.wants_text
        else attempt(by.sign, [0], tokens=(tokens[0], np.array([0, len(tokens[0]) // 4])))
    )
    if signed is not None and not by.works_in_batches:
        columns = signed.values, signed.offsets
        attempt(by.compare, columns, columns, (np.zeros(1, np.int64), np.zeros(1, np.int64)))
    by.parts(texts[0], languages[0])
    tree = engine.CorpusTree(detector("codet()").arguments(), detector("codet()").table().native, "set", True)  # type: ignore[attr-defined]
    for number, (each, language) in enumerate(zip(texts, languages, strict=True)):
        tree.relate(each, language, number)
    tree.relate(texts[0], languages[0])
    del tree[0]
    assert len(tree) < len(texts)
    _core.detectors.source_hash(texts[0])
    _core.detectors.drawn(texts)


def make_names(random: Random) -> Any:
    """Return a pack of names, given names, and texts."""
    lists = {
        (random.choice(LISTS) if random.random() < 0.95 else "no such"): [
            changed_text(random, ["Oldmere", "New York", "Dr.", "Ali*"])[:80] for _ in range(random.randrange(4))
        ]
        for _ in range(random.randrange(4))
    }
    texts = [changed_text(random, [article.text[:400] for article in ARTICLES])[:2000] for _ in range(2)]
    places = [0, 1, 5, len(texts[0]), len(texts[0]) + 1, 2**40]
    classes = ["person", "PER", "place", "LOC", "organisation", "ORG", "x"]
    given = [(random.choice(places), random.choice(places), random.choice(classes)) for _ in range(3)]
    packs = [(random.choice(LANGUAGES), random.random() < 0.5, lists)] if random.random() < 0.7 else []
    return packs, [(texts[0], given)], texts, [random.choice(LANGUAGES) for _ in texts]


def run_names(value: Any) -> None:
    """Build a recogniser and recognise names."""
    packs, given, texts, languages = value
    recogniser = _core.html.Recogniser(packs, given)
    for rows, text in zip(recogniser.recognise(texts, languages), texts, strict=True):
        assert all(0 <= start <= end <= len(text) for start, end, *_ in rows)
    assert _core.detectors.Detector("tweezer", detector("tweezer()").arguments(), None, recogniser)  # type: ignore[attr-defined]


def make_columns(random: Random) -> Any:
    """Return columns of relations between eight articles, damaged or not, and options of grouping."""
    count = 8
    size = random.randrange(12)
    numbers = [np.array([random.randrange(count) for _ in range(size)], np.uint32).tobytes() for _ in range(2)]
    shares = [np.array([random.random() for _ in range(size)]).tobytes() for _ in range(3)]
    kinds = bytes(random.randrange(8) for _ in range(size))
    order = list(range(count))
    random.shuffle(order)
    out = [*numbers, *shares, kinds, np.array(order, np.uint32).tobytes()]
    if random.random() < 0.6:
        at = random.randrange(len(out))
        out[at] = changed(random, [out[at]])
    decisions = [[(random.randrange(10), random.randrange(10)) for _ in range(random.randrange(3))] for _ in range(2)]
    times = [random.choice([None, 0, 2**63 - 1, -(2**63)]) for _ in range(count)]
    words, places = ([random.choice([0, 1, 2**32 - 1]) for _ in range(count)] for _ in range(2))
    articles = [str(number) for number in range(count)], words, times, places
    options = random.choice(METHODS), random.choice(REPRESENTATIVES), random.random() < 0.5
    return articles, out, options, decisions, random.choice([None, 0, 3, 2**32 - 1])


def run_columns(value: Any) -> None:
    """Group relations, once and at several thresholds."""
    articles, (left, right, forward, backward, scores, kinds, order), options, decisions, days = value
    method, representative, join_parts = options
    groups = attempt(
        _core.engine.group,
        *(articles, representative, (left, right), (forward, backward), kinds, method, join_parts, *decisions),
        *(scores, days),
    )
    if groups is not None:
        members = [article for group in groups for article in group.members]
        assert len(members) == len(set(members)), "an article in two groups"
    thresholds = [0.0, 0.5, float("nan"), float("inf")]
    attempt(_core.engine.cuts, (left, right), scores, order, method, thresholds)
    ids, words, _, places = articles
    rows = [(place % 256, float(word), id, word) for id, word, place in zip(ids, words, places, strict=True)]
    kept = attempt(_core.engine.strongest, rows, len(rows) // 2)
    assert kept is None or (len(kept) == len(rows) // 2 and kept == sorted(set(kept)))


TEXTS = Target(
    "texts",
    (
        "text.prepare",
        "text.repair",
        "text.Language",
        "text.Language.fold",
        "text.Language.calendar",
        "text.Language.directions",
        "text.label",
        "text.tsvectors",
        "text.Folder",
        "text.Folder.__call__",
        "text.Folder.passages",
        "text.differences",
        "text.passages",
        "detectors.Detector.sign",
        "detectors.Detector.parts",
        "detectors.source_hash",
        "detectors.drawn",
        "engine.CorpusTree",
        "engine.CorpusTree.relate",
    ),
    make_texts,
    run_texts,
)
NAMES = Target("names", ("html.Recogniser", "html.Recogniser.recognise", "detectors.Detector"), make_names, run_names)
COLUMNS = Target("columns", ("engine.group", "engine.cuts", "engine.strongest"), make_columns, run_columns)
