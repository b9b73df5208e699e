"""Flipped bits in the file of an archive: no traceback, no panic, and changed words are named.

One bit of a closed archive is flipped, anywhere in the file, and every command is run on the result. Where `index
check` finds no damage, all rows are compared with those before. The few values that neither a checksum covers nor
anything else in the archive contradicts can change without a trace: they are counted.
"""

from __future__ import annotations

import json
import os
import sqlite3
from collections import Counter
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from random import Random

from samestory.archive import Archive
from samestory.cli import main
from tests.archive.news import item, news, story
from tests.hostile.campaign.trial import Budget, Case, Trial

BUDGET = Budget(seconds=300, memory_mb=500)
FLIPS = 400
#: Columns whose changes are not noticed: settings and numbers that change in place, and follow from nothing else.
NOT_CHECKED = frozenset(
    {
        "articles.story",
        "articles.weaker_relations",
        "meta",
        # `index check` compares every entry of the search index: what is left are statistics and flags without effect
        "words_data",
    }
)


def fill(place: Path) -> None:
    """Make an archive in which everything has happened."""
    with Archive.open(place) as archive:
        archive.add([{**each, "url": f"https://x.example/{each['id']}"} for each in news(5, 60)])
        archive.add([item("s5-1", story(77))])
        archive.decide("s5-1", "s5-2", "apart")
        archive.expire(datetime(2026, 3, 2, tzinfo=UTC), force=True)


Rows = dict[str, tuple[list[str], list[tuple[object, ...]]]]


def rows(place: Path) -> Rows | None:
    """Return the columns and rows of every table; None if SQLite cannot read them."""
    with closing(sqlite3.connect(f"{place.absolute().as_uri()}?mode=ro&immutable=1", uri=True)) as connection:
        connection.text_factory = bytes
        try:
            tables = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
            found = {}
            for (name,) in tables:
                cursor = connection.execute(f'SELECT * FROM "{name.decode()}"')
                found[name.decode()] = ([each[0] for each in cursor.description], sorted(cursor.fetchall(), key=repr))
            return found
        except sqlite3.DatabaseError:
            return None


def changed_columns(before: Rows, after: Rows | None) -> set[str]:
    """Return the columns whose values differ, and the tables with more or fewer rows."""
    if after is None:
        return {"file"}
    out = set(before.keys() ^ after.keys())
    for name in before.keys() & after.keys():
        (columns, old), (_, new) = before[name], after[name]
        if old == new:
            continue
        gone, come = [row for row in old if row not in new], [row for row in new if row not in old]
        if len(gone) != len(come):
            out.add(name)
        for left, right in zip(gone, come, strict=False):
            differing = {column for column, a, b in zip(columns, left, right, strict=True) if a != b}
            out |= {f"{name}.{column}" for column in differing}
    return out


def command(folder: Path, *words: object) -> int:
    """Run `samestory index` in this process; return its exit code. Raises an AssertionError for a traceback."""
    printed = folder / "printed"
    kept = [os.dup(stream) for stream in (1, 2)]
    with printed.open("wb") as file:
        for stream in (1, 2):
            os.dup2(file.fileno(), stream)
        try:
            code = main(["index", *map(str, words)])
        except BaseException as error:  # a panic is no Exception
            raise AssertionError(f"{words[0]} raised {type(error).__name__}: {error}") from error
        finally:
            for stream, old in zip((1, 2), kept, strict=True):
                os.dup2(old, stream)
                os.close(old)
    text = printed.read_text(errors="replace")
    assert code in (0, 1), f"{words[0]} ended with {code}: {text[-300:]}"
    assert "Traceback" not in text and "panicked" not in text, f"{words[0]}: {text[-300:]}"
    return code


def flip_often(flips: int, folder: Path, case: Case, seed: int = 4) -> None:
    """Flip bits, one at a time, each in a fresh copy."""
    whole, place, draft = folder / "whole.db", folder / "news.db", folder / "draft.jsonl"
    fill(whole)
    before, content, random = rows(whole), whole.read_bytes(), Random(seed)
    assert before is not None
    draft.write_text(json.dumps(item("draft", story(5001))) + "\n")
    unnamed = Counter[str]()
    for _ in range(flips):
        with case.attempt():
            changed, at = bytearray(content), random.randrange(len(content))
            changed[at] ^= 1 << random.randrange(8)
            place.write_bytes(changed)
            if command(folder, "check", place):
                case.count("named")
            else:
                after = rows(place)
                columns = changed_columns(before, after)
                case.count("not_noticed" if columns else "without_effect")
                unnamed.update(columns)
                unexpected = {each for each in columns if not {each, each.partition(".")[0]} & NOT_CHECKED}
                # a row without a checksum is printed as one of an older samestory
                unexpected = {each for each in unexpected if not each.endswith(".checksum")}
                assert not unexpected, f"damage that is not named: {sorted(unexpected)}"
            for name, *more in (["stats"], ["query", draft], ["check", "--repair"], ["add", draft]):
                command(folder, name, place, *more)
            for each in folder.glob("news.db*"):
                each.unlink()
    for column, number in unnamed.items():
        case.count(f"not_noticed in {column}", number)


def run(trial: Trial, folder: Path) -> None:
    """Flip bits."""
    with trial.case("flipped bits, sqlite") as case:
        flip_often(trial.times(FLIPS), folder, case)
