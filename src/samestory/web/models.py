"""Request and response bodies of the JSON API."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, PrivateAttr
from typing_extensions import TypedDict

#: Articles per request, and hits per folding request.
MAX_ARTICLES, MAX_HITS = 1000, 1000
#: Characters of a text, of an id (PostgreSQL cannot index longer ones), of any other field.
MAX_TEXT_CHARS, MAX_ID_CHARS, MAX_FIELD_CHARS = 1_000_000, 500, 5000
#: The largest integer that the databases store.
MAX_INTEGER = 2**63 - 1

Id = Annotated[str, Field(min_length=1, max_length=MAX_ID_CHARS)]
Count = Annotated[int, Field(ge=0)]
Share = Annotated[float, Field(ge=0, le=1)]
#: Half-open character range of a text: start, end.
Place = Annotated[list[int], Field(min_length=2, max_length=2, examples=[[0, 17]])]
#: A name, and a reason.
EditorName = Annotated[str | None, Field(max_length=100)]
Reason = Annotated[str, Field(max_length=1000)]
#: The field names that samestory reads everywhere: id, title, text (or body, content, …), published, url, source, lang;
#: other fields are metadata.
AnyArticle = Annotated[
    dict[str, Any],
    Field(examples=[{"id": "a1", "title": "Quay to close", "text": "The harbour board voted …", "source": "Post"}]),
]


class Model(BaseModel):
    """Base class: a model can be validated from the attributes of another object."""

    model_config = ConfigDict(from_attributes=True)


class ErrorOut(Model):
    """Error message, and a hint how to fix it."""

    error: str
    hint: str | None = None


class ArticlesIn(Model):
    """Articles to add."""

    articles: Annotated[list[Any], Field(max_length=MAX_ARTICLES, examples=[[{"id": "a1", "text": "Some words."}]])]


class HitsIn(Model):
    """Search results, best first, with the field names of any search engine."""

    hits: Annotated[list[Any], Field(max_length=MAX_HITS, examples=[[{"title": "Quay to close", "snippet": "…"}]])]


class DecisionIn(Model):
    """A manual decision about two articles; null revokes it."""

    left: Id
    right: Id
    decision: Literal["same", "apart"] | None
    who: EditorName = None
    why: Reason = ""


class StoryDecisionIn(Model):
    """A decision about stories.

    `same`, `apart`: two `articles` are, or are not, the same story. `move`: `articles`, and those with the same words,
    leave their story. `split`: these articles, and no others, leave it. `join`: `stories` become one. `undo`: the
    decision with this `number`.
    """

    what: Literal["same", "apart", "move", "split", "join", "undo"]
    articles: Annotated[list[Id], Field(max_length=MAX_ARTICLES)] = []
    stories: Annotated[list[Annotated[int, Field(ge=0, le=MAX_INTEGER)]], Field(max_length=100)] = []
    number: Annotated[int, Field(ge=1, le=MAX_INTEGER)] | None = None
    who: EditorName = None
    why: Reason = ""


class RelationOut(Model):
    """Relation of the left article to the right one."""

    left: str
    right: str
    kind: str
    forward: Share
    backward: Share
    detector: str
    score: float


class RejectedArticleOut(Model):
    """A rejected article: its position in the request, from 1, and the reason."""

    number: int
    why: str


class ChangeOut(Model):
    """A change of a story; `other` was merged into it or split off it."""

    what: str
    story: int
    articles: list[str]
    other: int | None


class LoggedChangeOut(ChangeOut):
    """A change with its sequence number in the log."""

    seq: int


class ChangeLogOut(Model):
    """A part of the log; continue with `since` = `last`.

    `reset`: earlier changes are no longer in the log, so the client must reload what it shows.
    """

    changes: list[LoggedChangeOut]
    last: int
    reset: bool


class AddedOut(Model):
    """Outcome of a batch; `updated`: only metadata changed; `doubts`: fields that were ignored: unreadable ones."""

    new: list[str]
    revised: list[str]
    updated: list[str] = []
    same: list[str]
    rejected: list[RejectedArticleOut]
    relations: list[RelationOut]
    weaker_relations: int
    changes: list[ChangeOut]
    doubts: list[str] = []


class AddedArticleOut(Model):
    """Outcome of one article; `doubts`: fields that were ignored because they could not be read."""

    id: str
    outcome: Literal["new", "revised", "updated", "same"]
    story: int | None
    relations: list[RelationOut]
    changes: list[ChangeOut]
    doubts: list[str] = []


class ChangesOut(Model):
    """Changes of stories caused by a decision or by removing articles."""

    changes: list[ChangeOut]


class ArticleSummaryOut(Model):
    """An article without its text. `time`: publication time or, where unknown, arrival time."""

    id: str
    title: str | None
    source: str | None
    language: str | None
    published: str | None
    url: str | None
    time: datetime


class SnippetOut(Model):
    """A passage, and the positions of the query terms in it."""

    text: str
    places: list[Place]


class RepresentativeOut(ArticleSummaryOut):
    """The representative article of a story."""

    snippet: SnippetOut


class StoryHitOut(Model):
    """A story in a result list. `texts`: number of distinct texts; ten reprints of one text count once."""

    number: int
    representative: RepresentativeOut
    matching: int
    articles: int
    sources: int
    texts: int
    kinds: list[str]
    first: datetime
    last: datetime


class FacetOut(TypedDict):
    """Number of stories that have an article with this value; the value null means unknown."""

    value: str | None
    stories: int


class FacetsOut(Model):
    """Facet counts over all matching stories."""

    sources: list[FacetOut]
    languages: list[FacetOut]
    days: list[FacetOut]
    fields: dict[str, list[FacetOut]]
    """Fields of metadata with few values, by name."""


class PageOut(Model):
    """A page that the server keeps; its JSON is made once."""

    _json: bytes | None = PrivateAttr(None)

    def to_json(self) -> bytes:
        """Return the page as JSON. It must not be changed afterwards."""
        if self._json is None:
            self._json = self.model_dump_json().encode()
        return self._json


class StoriesOut(PageOut):
    """One page of stories; `cursor` requests the next page."""

    stories: list[StoryHitOut]
    total_stories: int
    total_articles: int
    facets: FacetsOut
    cursor: str | None


class FrontPageOut(StoriesOut):
    """The stories of a day, and the nearest earlier and later days that have stories."""

    day: str | None
    earlier: str | None
    later: str | None


class MemberOut(ArticleSummaryOut):
    """An article of a story; `depends`: its strongest relation to an earlier article."""

    words: int
    revision: int
    depends: RelationOut | None


class NearStoryOut(Model):
    """A relation between an article of the story and one of another story; the two were not joined."""

    relation: RelationOut
    other: ArticleSummaryOut
    story: int | None


class DecisionOut(Model):
    """A decision in the log: what was decided, in a word and in a sentence, by whom and why.

    `articles`: of *same* and *join*, those of each story; of *apart*, *move* and *split*, those that stayed and those
    that left; at most the first hundred of each. `sizes`: how many articles each side has. `opened`: the number of the
    story that it opened. `undone_by`: the decision that undid or replaced it.
    """

    number: int
    what: str
    summary: str
    who: str
    why: str
    at: datetime
    articles: list[list[str]]
    sizes: list[int]
    opened: int | None
    undoes: int | None
    undone_by: int | None


class DecisionLogOut(Model):
    """Decisions, the newest first; continue with `before` = the last number."""

    decisions: list[DecisionOut]
    story: int | None


class DecidedStoryOut(Model):
    """A story after a decision, with at most its first thousand articles in chronological order."""

    number: int
    is_new: bool
    size: int
    articles: list[str]


class ArticleMoveOut(Model):
    """An article that a decision moves from one story to another."""

    article: str
    before: int
    after: int


class DecisionPreviewOut(Model):
    """The stories that a decision changes, the articles that it moves, and the numbers that no story has afterwards."""

    stories: list[DecidedStoryOut]
    moves: list[ArticleMoveOut]
    vanished: list[int]


class DecisionMadeOut(Model):
    """The number of a decision in the log, null if it was in force already, and the changes of stories."""

    number: int | None
    changes: list[ChangeOut]


class StoryOut(PageOut):
    """A story with its articles in chronological order; `cursor` requests the next ones."""

    number: int
    title: str
    representative: MemberOut
    first: MemberOut
    last: MemberOut
    articles: int
    texts: int
    sources: list[str]
    kinds: dict[str, int]
    members: list[MemberOut]
    cursor: str | None
    apart: list[NearStoryOut]
    decisions: list[DecisionOut]


class ComparisonOut(Model):
    """Why two articles are, or are not, one story; positions are in characters of their texts.

    `beginning`: only this many leading characters of long texts were compared; null: both texts in full.
    """

    left: ArticleOut
    right: ArticleOut
    related: RelationOut | None
    why: str | None
    forward: Share
    backward: Share
    reasons: list[str]
    shared: list[tuple[Place, Place]]
    only_left: list[Place]
    only_right: list[Place]
    decision: str | None
    beginning: int | None


class OldVersionOut(Model):
    """An earlier version of an article; `gone` was deleted in the next version, `come` was inserted there.

    `beginning`: only this many leading characters of long texts were compared; null: both texts in full.
    """

    revision: int
    title: str | None
    text: str
    published: str | None
    metadata: dict[str, Any]
    replaced: datetime
    gone: list[Place]
    come: list[Place]
    beginning: int | None


class ArticleOut(ArticleSummaryOut):
    """An article with its text; `metadata`: its other fields, as they were added."""

    text: str
    metadata: dict[str, Any]
    arrived: datetime
    story: int | None
    revision: int


class ArticleDetailOut(ArticleOut):
    """An article with its earlier versions, at most the last fifty, and its relations, at most the closest thousand.

    `weaker_relations`: how many others were found and are not stored: each new article keeps its strongest fifty.
    """

    revisions: list[OldVersionOut]
    relations: list[RelationOut]
    weaker_relations: int


class RepeatOut(Model):
    """An article that the query text repeats, with the shared passages: in the query text, in the article.

    `beginning`: only this many leading characters of long texts were compared; null: both texts in full.
    """

    relation: RelationOut
    article: ArticleSummaryOut
    story: int | None
    shared: list[tuple[Place, Place]]
    beginning: int | None


class RepeatsOut(Model):
    """Articles that a text repeats, highest score first."""

    repeats: list[RepeatOut]


class HitGroupOut(TypedDict):
    """Hits that are one story. `hits` are positions in the request, from 0; the first is the best of them."""

    hits: list[int]
    ids: list[str | None]
    kinds: list[str]


class FoldedHitsOut(Model):
    """The hits in groups, ordered by the best hit of each group; every hit is in exactly one group."""

    groups: list[HitGroupOut]
    rejected: list[RejectedArticleOut]


class HealthOut(Model):
    """Health of the server."""

    status: Literal["ok"]


ComparisonOut.model_rebuild()
