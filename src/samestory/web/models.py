"""What the API takes and gives, as it stands in JSON."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

#: How many articles one request may bring, and how many hits may be folded at once.
MOST_ARTICLES, MOST_HITS = 1000, 1000
#: Characters: of a text, of an id (an index of PostgreSQL holds no longer ones), of any other field.
LONGEST_TEXT, LONGEST_ID, LONGEST_FIELD = 1_000_000, 500, 5000
#: The largest number that databases hold.
LARGEST_NUMBER = 2**63 - 1

Id = Annotated[str, Field(min_length=1, max_length=LONGEST_ID)]
Count = Annotated[int, Field(ge=0)]
Share = Annotated[float, Field(ge=0, le=1)]
#: A stretch of a text in characters, from the first up to but not including the last.
Place = Annotated[list[int], Field(min_length=2, max_length=2, examples=[[0, 17]])]
#: Names of fields as everywhere in samestory: id, title, text (or body, content, …), published, url, source, lang.
AnyArticle = Annotated[
    dict[str, Any],
    Field(examples=[{"id": "a1", "title": "Quay to close", "text": "The harbour board voted …", "source": "Post"}]),
]


class Model(BaseModel):
    """A value that is read from the attributes of another."""

    model_config = ConfigDict(from_attributes=True)


class Failure(Model):
    """Why something was not done."""

    error: str
    hint: str | None = None


class Batch(Model):
    """Articles to be added."""

    articles: Annotated[list[Any], Field(max_length=MOST_ARTICLES, examples=[[{"id": "a1", "text": "Some words."}]])]


class Hits(Model):
    """Results of a search, best first, in the words of any search engine."""

    hits: Annotated[list[Any], Field(max_length=MOST_HITS, examples=[[{"title": "Quay to close", "snippet": "…"}]])]


class Decision(Model):
    """What somebody decided about two articles; null takes it back."""

    left: Id
    right: Id
    decision: Literal["same", "apart"] | None


class Relation(Model):
    """What the left article has to do with the right one."""

    left: str
    right: str
    kind: str
    forward: Share
    backward: Share
    detector: str
    score: float


class Rejected(Model):
    """An article that was not taken: its place among those given, from 1, and why."""

    number: int
    why: str


class Change(Model):
    """What happened to a story; `other` was merged into it or split off it."""

    what: str
    story: int
    articles: list[str]
    other: int | None


class LoggedChange(Change):
    """A change with its place in the log."""

    seq: int


class Changes(Model):
    """A part of the log; ask again with `since` = `last`.

    `reset`: something was lost before these, so that what is shown must be asked for anew.
    """

    changes: list[LoggedChange]
    last: int
    reset: bool


class Added(Model):
    """What became of the articles of a batch; `doubts`: what some were taken without, since it cannot be read."""

    new: list[str]
    revised: list[str]
    same: list[str]
    rejected: list[Rejected]
    relations: list[Relation]
    changes: list[Change]
    doubts: list[str] = []


class AddedOne(Model):
    """What became of one article; `doubts`: what it was taken without, since it cannot be read."""

    id: str
    outcome: Literal["new", "revised", "same"]
    story: int | None
    relations: list[Relation]
    changes: list[Change]
    doubts: list[str] = []


class Decided(Model):
    """What a decision, or taking articles away, did to stories."""

    changes: list[Change]


class Brief(Model):
    """An article without its text. `time`: published or, where nobody knows, arrived."""

    id: str
    title: str | None
    source: str | None
    language: str | None
    published: str | None
    url: str | None
    time: datetime


class Snippet(Model):
    """A passage, and where the words asked for stand in it."""

    text: str
    places: list[Place]


class Hit(Brief):
    """The article that stands for a story."""

    snippet: Snippet


class Found(Model):
    """A story in a list. `texts`: ten reprints of one text are one."""

    number: int
    representative: Hit
    matching: int
    articles: int
    sources: int
    texts: int
    kinds: list[str]
    first: datetime
    last: datetime


class Facet(Model):
    """How many stories have an article with this value; null where nobody knows."""

    value: str | None
    stories: int


class Facets(Model):
    """What the stories found have in common."""

    sources: list[Facet]
    languages: list[Facet]
    days: list[Facet]


class Page(Model):
    """Some of the stories found; `cursor` gives the next ones."""

    stories: list[Found]
    total_stories: int
    total_articles: int
    facets: Facets
    cursor: str | None


class Front(Page):
    """The stories of a day, and the days beside it that have any."""

    day: str | None
    earlier: str | None
    later: str | None


class Member(Brief):
    """An article of a story; `depends`: what it has to do with the earlier article that it owes most to."""

    words: int
    revision: int
    depends: Relation | None


class Apart(Model):
    """An article of the story that is related to one of another story; they were not joined."""

    relation: Relation
    other: Brief
    story: int | None


class DecisionMade(Model):
    """A decision that stands."""

    left: str
    right: str
    decision: str
    decided: datetime


class Story(Model):
    """A story: its articles in the order of time, `cursor` gives the next ones."""

    number: int
    title: str
    representative: Member
    first: Member
    last: Member
    articles: int
    texts: int
    sources: list[str]
    kinds: dict[str, int]
    members: list[Member]
    cursor: str | None
    apart: list[Apart]
    decisions: list[DecisionMade]


class Explanation(Model):
    """Why two articles are, or are not, one story; places are counted in characters of their texts.

    `beginning`: of long texts only so many characters were compared; null: all of both.
    """

    left: Article
    right: Article
    related: Relation | None
    why: str | None
    forward: Share
    backward: Share
    reasons: list[str]
    shared: list[tuple[Place, Place]]
    only_left: list[Place]
    only_right: list[Place]
    decision: str | None
    beginning: int | None


class OldVersion(Model):
    """What an article said before; `gone` is not in the next version, which has `come` that this one had not.

    `beginning`: of long texts only so many characters were compared; null: all of both.
    """

    revision: int
    title: str | None
    text: str
    published: str | None
    replaced: datetime
    gone: list[Place]
    come: list[Place]
    beginning: int | None


class Article(Brief):
    """An article with its text."""

    text: str
    arrived: datetime
    story: int | None
    revision: int


class WholeArticle(Article):
    """An article with its old versions, of many the last fifty, and what it has to do with others."""

    revisions: list[OldVersion]
    relations: list[Relation]


class Repeated(Model):
    """An article that a text repeats, with the places that read alike: in the text asked about, in the article.

    `beginning`: of long texts places are looked for in so many characters; null: in all of both.
    """

    relation: Relation
    article: Brief
    story: int | None
    shared: list[tuple[Place, Place]]
    beginning: int | None


class Repeats(Model):
    """What a text repeats, the closest first."""

    repeats: list[Repeated]


class Fold(Model):
    """Hits that are one story. `hits` are places in the list given, from 0; the first is the best of them."""

    hits: list[int]
    ids: list[str | None]
    kinds: list[str]


class Folded(Model):
    """The hits as groups, in the order of the best hit of each; every hit is in one of them."""

    groups: list[Fold]
    rejected: list[Rejected]


class Feed(Model):
    """A feed that is followed."""

    url: str
    title: str | None
    checked: datetime | None
    due: datetime | None
    failures: int
    error: str | None
    status: int | None
    seen: int
    taken: int


class Reject(Model):
    """What was not taken."""

    at: datetime
    origin: str | None
    why: str


class Status(Model):
    """How much there is, and how far behind."""

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
    """How long ago the last article came."""
    detectors: list[str]
    window_days: float | None
    bytes: int
    version: str
    feeds_followed: list[Feed]
    latest_rejects: list[Reject]


class Health(Model):
    """Whether it works."""

    status: Literal["ok"]


Explanation.model_rebuild()
