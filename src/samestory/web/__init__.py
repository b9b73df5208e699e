"""The web portal: JSON API and HTML pages of an archive."""

from samestory.web.app import app
from samestory.web.connections import TrustedProxies
from samestory.web.limits import Limits

__all__ = ["Limits", "TrustedProxies", "app"]
