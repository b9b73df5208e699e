"""Search collapsed to stories."""

from typing import Any

from samestory._core import Column

#: Matching numbers (None: all), excluded numbers, the last number that arrived, and by facet a byte for every code.
Filter = tuple[Any, Any, int, tuple[bytes | None, bytes | None, bytes | None]]

def parse_numbers(text: str) -> Column: ...

class ArticleTable:
    last: int
    def __new__(cls, columns: list[Any]) -> ArticleTable: ...
    def changed(self, without: Any, columns: list[Any]) -> ArticleTable: ...
    def members(self, stories: list[int]) -> Column: ...
    def count_stories(self, filter: Filter, lists: list[Any]) -> list[int]: ...
    def newest(self, filter: Filter, limit: int) -> list[int]: ...
    def search(
        self,
        filter: Filter,
        points: list[tuple[Any, int]],
        by_score: bool,
        after: tuple[int, int, int] | None,
        limit: int,
        representative: str,
        preferences: list[int],
    ) -> StoryRanking: ...
    def __len__(self) -> int: ...

class StoryRanking:
    numbers: Column
    scores: Column
    #: The times that the stories are ranked by.
    times: Column
    #: By story, the articles that rank first as representatives: the one with the first id represents it.
    representatives: list[list[int]]
    matching: Column
    articles: Column
    sources: Column
    first: Column
    last: Column
    has_more: bool
    total_stories: int
    total_articles: int
    #: By facet, codes with their number of stories.
    facets: list[list[tuple[int, int]]]
