"""The web: the archive as a JSON API and as pages that people read."""

from samestory.web.app import app
from samestory.web.limits import Limits

__all__ = ["Limits", "app"]
