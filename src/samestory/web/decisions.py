"""Decisions of editors in the portal: requests to decisions, previews and log entries to responses."""

from __future__ import annotations

import hashlib

from samestory.archive import Archive, Decision, DecisionEntry, DecisionPreview
from samestory.archive.times import moment
from samestory.groups.decisions import APART, JOIN, MOVE, SAME, SPLIT, UNDO
from samestory.stream import Change
from samestory.web import models
from samestory.web.errors import Refusal

#: Decisions on a page, articles of a side of a decision, and articles of a story in a preview.
MAX_DECISIONS, MAX_SIDE_ARTICLES, MAX_PREVIEW_ARTICLES = 100, 100, 1000

#: All decisions.
DECISIONS = (SAME, APART, MOVE, SPLIT, JOIN, UNDO)


def decision_in(body: models.StoryDecisionIn) -> Decision:
    """Convert a decision from a request."""
    return Decision(body.what, tuple(body.articles), tuple(body.stories), body.number)


def decision_of_form(archive: Archive, what: str, articles: list[str], stories: list[str], number: str) -> Decision:
    """Return the decision that a form names; *split* names the first of the articles that leave."""
    if what not in DECISIONS:
        raise Refusal(422, f"what: expected one of {', '.join(DECISIONS)}")
    if not all(
        each.isascii() and each.isdigit() and len(each) < 19 for each in (*stories, *([number] if number else []))
    ):
        raise Refusal(422, "expected the number of a story or a decision")
    ids = tuple(articles)
    if what == SPLIT:
        ids = tuple(_from_article_on(archive, articles[0])) if articles else ()
    return Decision(what, ids, tuple(map(int, stories)), int(number) if number else None)


def _from_article_on(archive: Archive, id: str) -> list[str]:
    """Return an article and the later ones of its story, in chronological order."""
    with archive.database.read() as session:
        sql = (
            "SELECT b.id FROM articles a JOIN articles b ON b.story = a.story WHERE a.id = ? AND"
            " (coalesce(b.at, b.arrived), b.number) >= (coalesce(a.at, a.arrived), a.number)"
            " ORDER BY coalesce(b.at, b.arrived), b.number"
        )
        return [id for (id,) in session.rows(sql, (id,))]


def decision_out(entry: DecisionEntry) -> models.DecisionOut:
    """Convert a log entry."""
    return models.DecisionOut(
        number=entry.number,
        what=entry.what,
        summary=str(entry),
        who=entry.who,
        why=entry.why,
        at=moment(entry.at),
        articles=[list(side[:MAX_SIDE_ARTICLES]) for side in entry.sides],
        sizes=[len(side) for side in entry.sides],
        opened=entry.story,
        undoes=entry.undoes,
        undone_by=entry.undone_by,
    )


def decision_log(archive: Archive, story: int | None, limit: int, before: int | None) -> models.DecisionLogOut:
    """Return a page of the log."""
    found = archive.decisions(story, limit, before)
    return models.DecisionLogOut(decisions=list(map(decision_out, found)), story=story)


def preview_out(preview: DecisionPreview) -> models.DecisionPreviewOut:
    """Convert a preview."""
    return models.DecisionPreviewOut(
        stories=[
            models.DecidedStoryOut(
                number=each.number,
                is_new=each.is_new,
                size=len(each.articles),
                articles=list(each.articles[:MAX_PREVIEW_ARTICLES]),
            )
            for each in preview.stories
        ],
        moves=[models.ArticleMoveOut(article=m.article, before=m.before, after=m.after) for m in preview.moves],
        vanished=list(preview.vanished),
    )


def digest(preview: DecisionPreview) -> str:
    """Return a digest of which articles leave which stories, by which a form notices that the stories have changed."""
    moves = sorted((move.article, move.before) for move in preview.moves)
    return hashlib.sha256(repr(moves).encode("utf-8", "surrogatepass")).hexdigest()[:16]


def changes_out(made: list[Change]) -> list[models.ChangeOut]:
    """Convert changes of stories."""
    return [
        models.ChangeOut(what=each.what, story=each.group, articles=list(each.articles), other=each.other)
        for each in made
    ]
