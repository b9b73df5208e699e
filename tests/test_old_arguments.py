"""Arguments by position and by old names work for one version, with a warning that has the new form."""

from __future__ import annotations

import inspect
from collections import Counter
from collections.abc import Iterator
from copy import deepcopy
from operator import attrgetter
from pathlib import Path
from typing import Any

import pytest

import samestory
from samestory import Article, GroupingOptions, Kind, Overlap, Page, Relation
from tests.conftest import Runner, Writer

NEWS = [{"id": "a", "text": "The bridge reopened on Monday."}, {"id": "b", "text": "The bridge reopened on Monday!"}]
OLDER = [{"id": "c", "text": "The bridge reopened on Monday?"}]
ARTICLES = [Article(row["id"], row["text"]) for row in NEWS]
PAGES = [Page(b"<p>The bridge reopened on Monday after six months.")]
RELATIONS = [Relation("a", "b", Kind.NEAR, Overlap(0.9, 0.9), "reuse")]
GROUPING = GroupingOptions("components")

ANY: Any = samestory
"""The package without its types, which reject old arguments."""


class Earlier:
    """A public function with the arguments that were passed by position or had another name.

    `passed`: values of the arguments by their old names, in their old order; `renamed`: the new names of some.
    """

    def __init__(
        self, name: str, *required: Any, passed: dict[str, Any], renamed: dict[str, str] | None = None
    ) -> None:
        self.name, self.required, self.passed, self.renamed = name, required, passed, renamed or {}

    def call(self, *args: Any, **keywords: Any) -> Any:
        function = attrgetter(self.name)(ANY)
        args, keywords = deepcopy((args, keywords))  # readers add to what they are given
        found = function(*self.required, *args, **keywords)
        return list(found) if isinstance(found, Iterator) else found

    def new(self, values: dict[str, Any]) -> dict[str, Any]:
        return {self.renamed.get(name, name): value for name, value in values.items()}


EARLIER = [
    Earlier(
        "find",
        NEWS,
        passed={
            **{"detector": "minhash", "against": OLDER, "choice": GROUPING},
            **{"by_day": False, "as_is": True, "within": None},
        },
        renamed={"choice": "grouping"},
    ),
    Earlier(
        "relate",
        NEWS,
        passed={"detector": "exact", "against": OLDER, "by_day": False, "as_is": True, "within": None},
    ),
    Earlier("group", RELATIONS, passed={"choice": GROUPING, "articles": NEWS}, renamed={"choice": "grouping"}),
    Earlier("explain", *NEWS, passed={"detector": "exact", "as_is": True}),
    Earlier("prepare", [Article("a", "R&amp;D")], passed={"as_is": True}),
    Earlier("extract", PAGES, passed={"extractor": "rules"}),
    Earlier("entities", ["Mr Smith flew to Paris."], passed={"rules": "study", "gazetteer": "", "model": None}),
]
READERS = [
    Earlier(
        "read",
        "news.jsonl",
        passed={"seen": {"b"}, "again": True},
        renamed={"seen": "known_ids", "again": "allow_repeated_ids"},
    ),
    Earlier("pages", "site", passed={"passed": Counter()}, renamed={"passed": "skipped"}),
    Earlier("readers.listed_pages", "list.txt", passed={"passed": Counter()}, renamed={"passed": "skipped"}),
]
#: Functions whose arguments have not changed.
SAME = {"dedup", "label", "parse"}


@pytest.fixture
def folder(write: Writer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A working directory with a file of articles, a folder of pages and a list of it."""
    write("news.jsonl", NEWS)
    write("site/page.html", "<p>Text")
    write("site/notes.txt", "Text")
    write("list.txt", "site\n")
    monkeypatch.chdir(tmp_path)


def comparable(found: Any) -> Any:
    """A value that is equal to that of the same call."""
    if isinstance(found, samestory.Explanation):
        return repr(found)
    return found.compared if isinstance(found, samestory.Features) else found


def test_every_public_function_is_tested() -> None:
    functions = {name for name in samestory.__all__ if inspect.isroutine(getattr(samestory, name))} | {"entities"}
    assert functions == {each.name for each in (*EARLIER, *READERS) if "." not in each.name} | SAME


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("earlier", [*EARLIER, *READERS], ids=lambda each: each.name)
def test_arguments_by_position_work_with_warnings(earlier: Earlier) -> None:
    with pytest.warns(DeprecationWarning) as caught:
        found = earlier.call(*earlier.passed.values())
    new = earlier.new(earlier.passed)
    assert comparable(found) == comparable(earlier.call(**new))
    short = earlier.name.split(".")[-1]
    assert [str(warning.message) for warning in caught] == [f"{short}: pass {name}=… by keyword" for name in new]
    assert {warning.filename for warning in caught} == {__file__}


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("earlier", "name"),
    [(each, name) for each in (*EARLIER, *READERS) for name in each.renamed],
    ids=lambda each: getattr(each, "name", each),
)
def test_old_names_of_arguments_work_with_a_warning(earlier: Earlier, name: str) -> None:
    value = {name: earlier.passed[name]}
    with pytest.warns(DeprecationWarning) as caught:
        found = earlier.call(**value)
    assert comparable(found) == comparable(earlier.call(**earlier.new(value)))
    short = earlier.name.split(".")[-1]
    assert [str(warning.message) for warning in caught] == [f"{short}: {name}=… is now {earlier.renamed[name]}=…"]
    assert caught[0].filename == __file__


@pytest.mark.parametrize("method", ["add", "query", "relate"])
def test_old_names_in_methods_of_an_index_work_with_a_warning(method: str) -> None:
    def relations(**keywords: bool) -> Any:
        index: Any = samestory.Index(samestory.parse("exact"))
        features = samestory.prepare([*ARTICLES, Article("c", ARTICLES[0].text), Article("d", ARTICLES[0].text)])
        if method == "query":
            index.add(features)
        return getattr(index, method)(index.put(features) if method == "relate" else features, **keywords)

    with pytest.warns(DeprecationWarning, match=f"Index.{method}: every=… is now all_copies=…"):
        found = relations(every=False)
    assert found == relations(all_copies=False) != relations()


def test_old_names_of_grouping_options_work_with_a_warning() -> None:
    with pytest.warns(DeprecationWarning) as caught:
        options = ANY.Choice("majority", policy="earliest", preferred=["Post"])
    assert options == GroupingOptions("majority", representative="earliest", prefer=("Post",))
    assert [str(warning.message) for warning in caught] == [
        "samestory.Choice is now samestory.GroupingOptions",
        "GroupingOptions: policy=… is now representative=…",
        "GroupingOptions: preferred=… is now prefer=…",
    ]


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
