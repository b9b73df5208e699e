"""Drafts: forms that an assessor has filled in and not saved, so that a reload or another tab shows them again."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from samestory.lab.collection.assessor_session import AssessorSession, Task
from samestory.lab.collection.collection import now_micros


def load_draft(session: AssessorSession, task: Task) -> dict[str, Any] | None:
    """Return the draft of a task; None if there is none."""
    with session.collection.database.read() as database:
        row = database.one("SELECT form FROM drafts WHERE task = ?", (task.number,))
    return None if row is None else dict(json.loads(row[0]))


def save_draft(session: AssessorSession, task: Task, key: str, form: Mapping[str, Any]) -> bool:
    """Replace the draft of a task, unless the form with this key was answered: then the draft is an old one."""
    with session.collection.database.write() as database:
        if database.one("SELECT 1 FROM judgements WHERE key = ?", (f"{session.assessor.number} {key}",)):
            return False
        database.run("DELETE FROM drafts WHERE task = ?", (task.number,))
        database.insert("drafts", ("task", "form", "at"), [(task.number, json.dumps(form), now_micros())])
    return True


def delete_draft(session: AssessorSession, task: Task) -> None:
    """Delete the draft of a task."""
    with session.collection.database.write() as database:
        database.run("DELETE FROM drafts WHERE task = ?", (task.number,))
