"""Models instead of rules: their output is checked and used by Tweezer."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable
from types import ModuleType
from typing import Any

import pytest

import samestory
from samestory import Article, Index, InputError, ParameterError, parse, prepare
from samestory.detectors.tweezer import Tweezer, TweezerSet
from samestory.entities import load
from samestory.entities.models import LABELS, named

Names = Iterable[Iterable[tuple[int, int, str]]]


def zeds(texts: list[str], languages: list[str]) -> Names:
    """Words that begin with a Z are names of persons, in any language."""
    return [[(m.start(), m.end(), "PER") for m in re.finditer(r"\bZ\w+", text)] for text in texts]


def no_names(texts: list[str], languages: list[str]) -> Names:
    return [[] for _ in texts]


AROUND = [
    "one two three four five Zed six seven eight nine ten",
    "uno dos tres Zora cuatro cinco seis siete ocho nueve",
]
FILLER = "plain words that stand between the two passages and say nothing to anybody at all here"
#: The same names in the same words; the rest differs.
ONE = Article("one", f"{AROUND[0]} {FILLER} {AROUND[1]}", lang="de")
OTHER = Article("other", f"{AROUND[0]} nothing of that kind, but much else that is new {FILLER} {AROUND[1]}", lang="de")
APART = Article("apart", f"zero {AROUND[0].replace('six', 'sieben')} {FILLER}", lang="de")


def test_labels_of_the_usual_schemes_are_understood_and_others_left_out() -> None:
    text = "Zed of Acme in Oz on Monday"
    rows = [(0, 3, "PER"), (7, 11, "ORG"), (15, 17, "GPE"), (21, 27, "DATE"), (0, 3, "B-PER"), (0, 3, "Person")]
    assert named(lambda texts, languages: [rows], [text], ["en"]) == [
        [(0, 3, "person"), (7, 11, "organization"), (15, 17, "location"), (0, 3, "person"), (0, 3, "person")]
    ]
    assert set(LABELS.values()) == {"person", "location", "organization"}


def test_a_model_is_given_texts_and_their_languages() -> None:
    seen: list[object] = []

    def model(texts: list[str], languages: list[str]) -> Names:
        seen.extend([texts, languages])
        return no_names(texts, languages)

    samestory.entities([Article("a", "Zed war da.", lang="de"), "The ferry to the island runs again."], model=model)
    assert seen == [["Zed war da.", "The ferry to the island runs again."], ["de", "en"]]


WRONG = {
    "too few texts": ([], "the model returned names for 0 texts, expected 1"),
    "too many texts": ([[], []], "the model returned names for 2 texts, expected 1"),
    "behind the end": ([[(4, 8, "PER")]], "the model returned a name at 4 to 8 in a text of 7 characters"),
    "before the beginning": ([[(-1, 3, "PER")]], "the model returned a name at -1 to 3"),
    "the wrong way round": ([[(3, 1, "PER")]], "the model returned a name at 3 to 1"),
    "nowhere": ([[(3, 3, "PER")]], "the model returned a name at 3 to 3"),
    "a label of no class outside": ([[(4, 8, "DATE")]], "the model returned a name at 4 to 8"),
    "no label": ([[(0, 3)]], r"the model must return names as \(start, end, label\), got \[\(0, 3\)\]"),
    "nothing for a text": ([None], r"the model must return names as \(start, end, label\), got None"),
    "places that are no numbers": ([[("0", "3", "PER")]], r"the model must return names as \(start, end, label\)"),
    "half a place": ([[(0.5, 3, "PER")]], r"the model must return names as \(start, end, label\)"),
}


@pytest.mark.parametrize(("rows", "message"), WRONG.values(), ids=WRONG.keys())
def test_what_a_model_says_wrong_is_rejected(rows: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        named(lambda texts, languages: rows, ["Zed ran"], ["en"])
    with pytest.raises(InputError, match=message):
        samestory.entities(["Zed ran"], model=lambda texts, languages: rows)


def test_places_may_be_numbers_of_another_library() -> None:
    np = pytest.importorskip("numpy")
    ((name,),) = named(lambda texts, languages: [[(np.int32(0), np.int64(3), "PER")]], ["Zed ran"], ["en"])
    assert name == (0, 3, "person")
    assert {type(place) for place in name[:2]} == {int}


def test_names_of_a_model_come_in_order_with_their_texts() -> None:
    def model(texts: list[str], languages: list[str]) -> Names:
        return [[(12, 15, "LOC"), (0, 3, "PER"), (0, 8, "ORG")] for _ in texts]

    (row,) = samestory.entities(["Zed Bank in Oslo"], model=model)
    assert [(n.text, n.kind, n.because) for n in row] == [
        ("Zed Bank", "organization", "model"),
        ("Zed", "person", "model"),
        ("Osl", "location", "model"),
    ]


@pytest.mark.parametrize("more", [{"rules": "study"}, {"gazetteer": "names.txt"}])
def test_a_model_is_given_alone(more: dict[str, str]) -> None:
    with pytest.raises(ParameterError, match="model cannot be combined with rules or gazetteer"):
        samestory.entities([ONE], model=zeds, **more)


@pytest.mark.parametrize("detector", [Tweezer(), TweezerSet()], ids=str)
def test_tweezer_goes_by_the_names_of_a_model(detector: Tweezer | TweezerSet) -> None:
    """In a language without rules there are no names, and the ends of these articles differ; the model finds two."""
    news = [ONE, OTHER, APART]
    assert samestory.relate([ONE, Article("o", OTHER.text[:-6], lang="de")], detector=detector) == []
    by_model = detector.named_by(zeds)
    (relation,) = samestory.relate(news, detector=by_model)
    assert ({relation.left, relation.right}, str(relation.kind)) == ({"one", "other"}, "NEAR")
    groups = {frozenset(group.members) for group in samestory.find(news, detector=by_model)}
    assert groups == {frozenset({"one", "other"}), frozenset({"apart"})}


def test_a_pair_is_explained_by_the_names_of_a_model() -> None:
    explained = samestory.explain(ONE, OTHER, detector=TweezerSet().named_by(zeds))
    assert explained.overlap == (1, 1)
    shown = [AROUND[0], "all here uno dos tres Zora cuatro cinco seis siete ocho"]
    assert [ONE.text[slice(*e.left)] for e in explained.evidence] == shown
    assert [OTHER.text[slice(*e.right)] for e in explained.evidence] == shown
    assert explained.only_left == explained.only_right == ()
    apart = samestory.explain(ONE, APART, detector=TweezerSet().named_by(zeds))
    assert [ONE.text[slice(*span)] for span in apart.only_left] == ["Zed", "Zora"]
    assert [APART.text[slice(*span)] for span in apart.only_right] == ["Zed"]


def test_an_index_is_not_opened_with_another_model() -> None:
    """Two models of one package had one fingerprint: both were called `_spacy.<locals>.model`."""
    one, other = (TweezerSet().named_by(model).fingerprint() for model in (zeds, no_names))
    assert one != other != TweezerSet().fingerprint()
    index = Index(TweezerSet().named_by(zeds))
    assert [r.right for a in (ONE, APART, OTHER) for r in index.add(prepare([a]))] == ["one"]


class FakePipeline:
    def __init__(self, name: str) -> None:
        self.name = name

    def pipe(self, texts: list[str]) -> Iterable[Any]:
        for text in texts:
            document = ModuleType("document")
            entity = ModuleType("entity")
            entity.__dict__.update(start_char=0, end_char=3, label_="PERSON")
            document.__dict__["ents"] = [entity] if text.startswith("Zed") else []
            yield document


@pytest.fixture
def spacy(monkeypatch: pytest.MonkeyPatch) -> None:
    """A package of this name with two models."""
    package = ModuleType("spacy")

    def fake_load(name: str) -> FakePipeline:
        if name not in ("small", "large"):
            raise OSError(f"[E050] Can't find model '{name}'.")
        return FakePipeline(name)

    package.__dict__["load"] = fake_load
    monkeypatch.setitem(sys.modules, "spacy", package)


@pytest.mark.usefixtures("spacy")
def test_a_model_of_an_installed_package_is_loaded_by_its_spec() -> None:
    rows = samestory.entities(["Zed ran", "Nobody ran"], model="spacy:small")
    assert [[str(name) for name in row] for row in rows] == [["Zed (person: model)"], []]
    with pytest.raises(ParameterError, match="spaCy has no model 'huge'\nhint: python -m spacy download huge"):
        load("spacy:huge")
    small, large = (TweezerSet().named_by(load(f"spacy:{name}")).fingerprint() for name in ("small", "large"))
    assert small != large


@pytest.mark.parametrize("spec", ["", "bert", "spacy", "spacy:", "stanza", "natasha:ru"])
def test_a_spec_that_names_no_model_is_rejected(spec: str) -> None:
    with pytest.raises(ParameterError, match="a model must be one of spacy:MODEL, stanza:LANGUAGE, natasha; got"):
        load(spec)


@pytest.mark.parametrize(("spec", "package"), [("spacy:x", "spacy"), ("stanza:tr", "stanza"), ("natasha", "natasha")])
def test_a_package_that_is_not_there_is_reported_with_how_to_install_it(
    spec: str, package: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(ParameterError, match=f"{package} is not installed\nhint: pip install {package}"):
        load(spec)


def test_a_package_that_lacks_another_is_not_said_to_be_missing(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """natasha needs pkg_resources, which newer Pythons lack; `pip install natasha` would not help."""
    (tmp_path / "natasha.py").write_text("import a_package_that_nobody_has\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "natasha", raising=False)
    with pytest.raises(ParameterError, match=r"natasha is installed, but cannot be used: .*a_package_that_nobody_has"):
        load("natasha")


def test_natasha_tells_names_in_russian() -> None:
    pytest.importorskip("natasha", reason="natasha is not installed: pip install natasha")
    text = "Президент России Владимир Путин прилетел в Казань. ПАО «Газпром» сообщило о переговорах."
    (row,) = samestory.entities([Article("a", text, lang="ru")], model="natasha")
    assert [(name.text, name.kind) for name in row][:3] == [
        ("России", "location"),
        ("Владимир Путин", "person"),
        ("Казань", "location"),
    ]
    assert any("Газпром" in name.text and name.kind == "organization" for name in row)


def test_what_a_model_tells_cannot_be_written_in_a_spec() -> None:
    with pytest.raises(ParameterError, match="unknown detector 'modelled'"):
        parse("modelled(inner=tweezer)")
