"""The title of an article, without the name of the site."""

from __future__ import annotations

import re

from samestory.html.words import fold, folded_words

_BETWEEN = re.compile(r"\s+[|\-–—·•»«›:/~]+\s+|\s*[|»›]\s*|(?<=\w):\s+|\s+::\s+")
#: The name of a site has at most so many words more than its host has.
_MORE = 2
_CUT = re.compile(r"\s*(?:\.\.\.|…)\s*$")


def compact(text: str) -> str:
    """Letters and figures alone, folded.

    >>> compact("The New-York Times")
    'thenewyorktimes'
    """
    return "".join(folded_words(text)).replace("_", "")


def without_site(title: str, sites: list[str], titles: list[str]) -> str:
    """A title without the name of the site before or behind it.

    It is cut only where the part is the name of a site, or where what remains is what another source calls the title.

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
    """Whether a part of a title is the name of a site.

    >>> is_site("CNN.com", ["cnn.com"]), is_site("Hürriyet Haber", ["hurriyet.com.tr"]), is_site("Sport", ["sport1.de"])
    (True, True, False)
    """
    mine = compact(part)
    if not mine:
        return False
    for site in sites:
        name = compact(site)
        if mine == name or mine == "the" + name:
            return True
        if "." not in site or " " in site:
            continue
        labels = [
            label for label in fold(site).split(".") if len(label) > 2 and label not in ("com", "org", "net", "www")
        ]
        for label in map(compact, labels):
            if mine in (label, label + "com", label + "online") or (
                len(mine) > 4 and mine == label.removeprefix("the")
            ):
                return True
            few = len(folded_words(part)) <= 1 + _MORE
            if few and len(label) > 4 and mine.startswith(label):
                return True
    return False


def whole(title: str, others: list[str]) -> str:
    """A title that was cut short with dots, as another source has it whole.

    >>> whole("Storm hits the …", ["Storm hits the coast of Norway"])
    'Storm hits the coast of Norway'
    """
    if not _CUT.search(title):
        return title
    begin = compact(_CUT.sub("", title))
    return next((other for other in others if len(begin) > 10 and compact(other).startswith(begin)), title)
