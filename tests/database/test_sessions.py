"""Laws of both databases: what is written is kept or undone whole, and readers see one moment."""

from __future__ import annotations

import pytest

from samestory.database import connect


def test_what_was_written_is_there_and_what_failed_is_not(place: str) -> None:
    with connect(place) as database:
        with database.write() as session:
            session.run("INSERT INTO meta (name, value) VALUES (?, ?)", ("kept", "yes"))
        with pytest.raises(ZeroDivisionError), database.write() as session:
            session.run("INSERT INTO meta (name, value) VALUES (?, ?)", ("undone", "yes"))
            raise ZeroDivisionError
        with database.read() as session:
            assert session.rows("SELECT name FROM meta WHERE value = ?", ("yes",)) == [("kept",)]
    with connect(place, create=False) as again, again.read() as session:
        assert session.one("SELECT value FROM meta WHERE name = ?", ("kept",)) == ("yes",)
