"""Cleans article titles, removing the site name."""

from __future__ import annotations

import re

from samestory.html.words import fold, folded_words

_BETWEEN = re.compile(r"\s+[|\-–—·•»«›:/~]+\s+|\s*[|»›]\s*|(?<=\w):\s+|\s+::\s+")
#: Maximum additional words of a site name compared with its host.
_MAX_EXTRA_WORDS = 2
_CUT = re.compile(r"\s*(?:\.\.\.|…)\s*$")


def compact(text: str) -> str:
    """Returns the folded letters and digits of a text.

    >>> compact("The New-York Times")
    'thenewyorktimes'
    """
    return "".join(folded_words(text)).replace("_", "")


def without_site(title: str, sites: list[str], titles: list[str]) -> str:
    """Removes the site name before or after a title.

    A part is removed only if it is the name of a site, or if the rest equals the title of another source.

    >>> without_site("Storm hits coast - World - The Times", ["The Times", "thetimes.com"], [])
    'Storm hits coast - World'
    >>> without_site("Storm hits coast - World - The Times", [], ["Storm hits coast"])
    'Storm hits coast'
    """
    others = {compact(other) for other in titles} - {""}
    cuts = list(_BETWEEN.finditer(title))
    for cut in cuts:
        for part in (title[: cut.start()], title[cut.end() :]):
            if compact(part) in others:
                return part.strip()
    while cuts := list(_BETWEEN.finditer(title)):
        first, last = cuts[0], cuts[-1]
        if is_site(title[last.end() :], sites):
            title = title[: last.start()].strip()
        elif is_site(title[: first.start()], sites):
            title = title[first.end() :].strip()
        else:
            break
    return title


def is_site(part: str, sites: list[str]) -> bool:
    """Returns whether a part of a title is the name of a site.

    >>> is_site("CNN.com", ["cnn.com"]), is_site("Hürriyet Haber", ["hurriyet.com.tr"]), is_site("Sport", ["sport1.de"])
    (True, True, False)
    """
    own = compact(part)
    if not own:
        return False
    for site in sites:
        name = compact(site)
        if own == name or own == "the" + name:
            return True
        if "." not in site or " " in site:
            continue
        labels = [
            label for label in fold(site).split(".") if len(label) > 2 and label not in ("com", "org", "net", "www")
        ]
        for label in map(compact, labels):
            if own in (label, label + "com", label + "online") or (len(own) > 4 and own == label.removeprefix("the")):
                return True
            few = len(folded_words(part)) <= 1 + _MAX_EXTRA_WORDS
            if few and len(label) > 4 and own.startswith(label):
                return True
    return False


def whole(title: str, others: list[str]) -> str:
    """Completes a title truncated with dots from another source.

    >>> whole("Storm hits the …", ["Storm hits the coast of Norway"])
    'Storm hits the coast of Norway'
    """
    if not _CUT.search(title):
        return title
    begin = compact(_CUT.sub("", title))
    return next((other for other in others if len(begin) > 10 and compact(other).startswith(begin)), title)
