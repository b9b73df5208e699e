"""Arguments by position and by old names work for one version, with a warning that has the new form."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import samestory
from samestory import Article, GroupingOptions, Page
from tests.conftest import Runner, Writer

NEWS = [{"id": "a", "text": "The bridge reopened on Monday."}, {"id": "b", "text": "The bridge reopened on Monday!"}]
PAGES = [Page(b"<p>The bridge reopened on Monday after six months.")]
ANY: Any = samestory
"""The package without its types, which reject old arguments."""


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            lambda: ANY.find(NEWS, "minhash"),
            lambda: samestory.find(NEWS, detector="minhash"),
            "find: pass detector=… by keyword",
        ),
        (
            lambda: ANY.find(NEWS, choice=GroupingOptions("components")),
            lambda: samestory.find(NEWS, grouping=GroupingOptions("components")),
            "find: choice=… is now grouping=…",
        ),
        (
            lambda: ANY.relate(NEWS, "exact"),
            lambda: samestory.relate(NEWS, detector="exact"),
            "relate: pass detector=… by keyword",
        ),
        (
            lambda: repr(ANY.explain(*NEWS, "exact")),
            lambda: repr(samestory.explain(*NEWS, detector="exact")),
            "explain: pass detector=… by keyword",
        ),
        (
            lambda: ANY.prepare([Article("a", "R&amp;D")], True).compared,
            lambda: samestory.prepare([Article("a", "R&amp;D")], as_is=True).compared,
            "prepare: pass as_is=… by keyword",
        ),
        (
            lambda: list(ANY.extract(PAGES, "rules")),
            lambda: list(samestory.extract(PAGES, extractor="rules")),
            "extract: pass extractor=… by keyword",
        ),
        (
            lambda: ANY.entities(["Mr Smith flew to Paris."], "study"),
            lambda: samestory.entities(["Mr Smith flew to Paris."], rules="study"),
            "entities: pass rules=… by keyword",
        ),
    ],
    ids=["find", "choice", "relate", "explain", "prepare", "extract", "entities"],
)
def test_old_arguments_work_with_a_warning(old: Callable[[], Any], new: Callable[[], Any], message: str) -> None:
    with pytest.warns(DeprecationWarning) as caught:
        found = old()
    assert found == new()
    assert [str(warning.message) for warning in caught] == [message]
    assert caught[0].filename == __file__


def test_old_names_of_readers_work_with_a_warning(write: Writer, tmp_path: Path) -> None:
    news = write("news.jsonl", NEWS)
    ids: set[str] = set()
    with pytest.warns(DeprecationWarning, match="read: seen=… is now known_ids=…"):
        assert len(list(ANY.read(news, seen=ids))) == 2
    assert ids == {"a", "b"}
    with pytest.warns(DeprecationWarning, match="read: again=… is now allow_repeated_ids=…"):
        assert len(list(ANY.read(news, again=True))) == 2
    write("site/page.html", "<p>Text")
    write("site/notes.txt", "Text")
    skipped: Counter[str] = Counter()
    with pytest.warns(DeprecationWarning, match="pages: passed=… is now skipped=…"):
        assert len(list(ANY.pages(tmp_path / "site", passed=skipped))) == 1
    assert skipped == {".txt file": 1}


def test_one_argument_in_both_forms_is_an_error() -> None:
    with pytest.raises(TypeError, match="multiple values for argument 'detector'"):
        ANY.find(NEWS, "minhash", detector="exact")
    with pytest.raises(TypeError, match="got both 'choice' and 'grouping'"):
        ANY.find(NEWS, choice=None, grouping="star")
    with pytest.raises(TypeError, match="1 positional argument but 3"):
        ANY.prepare([], True, False)


def test_the_old_name_of_within_works_with_a_hint(samestory: Runner, write: Writer) -> None:
    write("news.jsonl", NEWS)
    done = samestory("index", "add", "news.db", "news.jsonl", "--window", "3d")
    assert done.code == 0
    assert done.err.startswith("hint: --window is now --within\n")
    again = samestory("index", "add", "news.db", "news.jsonl", "--within", "4d")
    assert again.code == 1 and "created with a window of 3 days" in again.err
    assert "--window" not in samestory("index", "add", "--help").out
