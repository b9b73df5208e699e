"""The parameters that the search page, its exports and the API have in common."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from fastapi import Depends, Query

from samestory.archive.query import Filters
from samestory.web import views

Day = Annotated[str | None, Query(max_length=20, examples=["2026-03-02"])]
Names = Annotated[list[str], Query(max_length=50)]
FieldValues = Annotated[
    list[str], Query(max_length=50, description="metadata: section:Sports", examples=["section:Sports"])
]


@dataclass(frozen=True)
class SearchRequest:
    """The words of a search, the sources whose articles represent stories first, and what it is restricted to."""

    words: str
    prefer: list[str]
    source: list[str]
    lang: list[str]
    day: list[str]
    since: str | None
    until: str | None
    field: list[str]

    @property
    def filters(self) -> Filters:
        """The parsed restrictions; raises a ParameterError that names an invalid one."""
        return views.make_filters(self.source, self.lang, self.day, self.since, self.until, self.field)


# async: FastAPI runs other functions in a thread, which would take longer than the function
async def search_request(
    q: Annotated[
        str, Query(max_length=1000, description='words, "phrases", -excluded, OR, source:, lang:, section:')
    ] = "",
    prefer: Names = [],  # noqa: B006 - FastAPI reads it and copies it
    source: Names = [],  # noqa: B006
    lang: Names = [],  # noqa: B006
    day: Names = [],  # noqa: B006
    since: Day = None,
    until: Day = None,
    field: FieldValues = [],  # noqa: B006
) -> SearchRequest:
    """Return the parameters of a search; empty names, which forms send, are left out."""
    return SearchRequest(q, [name for name in prefer if name.strip()], source, lang, day, since, until, field)


Searched = Annotated[SearchRequest, Depends(search_request)]
