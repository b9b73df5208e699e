"""RSS and Atom feeds to articles: polite fetching and safe parsing.

Storage is left to the caller, which passes a function that receives the articles.
"""

from samestory.feeds.fetch import Fetcher, FetchResult
from samestory.feeds.follow import FeedState, follow
from samestory.feeds.linked_pages import LinkedPages
from samestory.feeds.list import feed_list
from samestory.feeds.parse import Feed, parse
from samestory.feeds.robots import Robots
from samestory.feeds.schedule import Schedule

__all__ = [
    "Feed",
    "FeedState",
    "FetchResult",
    "Fetcher",
    "LinkedPages",
    "Robots",
    "Schedule",
    "feed_list",
    "follow",
    "parse",
]
