"""The judging pages: a collection in the browser, a personal link for everybody who judges."""

from samestory.judging.app import app

__all__ = ["app"]
