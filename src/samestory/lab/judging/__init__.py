"""The judging pages: a collection in the browser, with a personal link for every assessor."""

from samestory.lab.judging.app import LIMITS, app

__all__ = ["LIMITS", "app"]
