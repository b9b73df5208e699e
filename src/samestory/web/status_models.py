"""Response of the JSON API about the state of an archive."""

from __future__ import annotations

from datetime import datetime

from samestory.web.models import Model


class FeedOut(Model):
    """A feed subscription."""

    url: str
    title: str | None
    checked: datetime | None
    due: datetime | None
    failures: int
    error: str | None
    status: int | None
    seen: int
    taken: int
    warning: str | None


class RejectOut(Model):
    """A logged rejection."""

    at: datetime
    origin: str | None
    why: str


class StatusOut(Model):
    """Size of the archive, and how current it is."""

    articles: int
    stories: int
    texts: int
    sources: int
    relations: int
    revisions: int
    decisions: int
    feeds: int
    rejects: int
    oldest: datetime | None
    newest: datetime | None
    arrived: datetime | None
    lag_seconds: float | None
    """Seconds since the last article arrived."""
    detectors: list[str]
    window_days: float | None
    bytes: int
    version: str
    feeds_followed: list[FeedOut]
    latest_rejects: list[RejectOut]
