"""Feeds to articles: RSS and Atom, fetched politely and read with care.

Knows nothing of where articles go: who follows feeds gives a function that takes them.
"""

from samestory.feeds.fetch import Fetched, Fetcher
from samestory.feeds.follow import State, follow
from samestory.feeds.list import feed_list
from samestory.feeds.pages import Pages
from samestory.feeds.parse import Feed, parse
from samestory.feeds.robots import Robots
from samestory.feeds.schedule import Schedule

__all__ = ["Feed", "Fetched", "Fetcher", "Pages", "Robots", "Schedule", "State", "feed_list", "follow", "parse"]
