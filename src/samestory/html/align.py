"""Gold text to blocks: which blocks of a page a text was taken from.

A block may be found at several places of the gold text (a headline, a name under a picture). Of all ways to find blocks
in the order in which they stand on the page and in the gold, that is taken which finds most tokens; a block is content
if at least half of its tokens are found.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Sequence

#: Tokens for this purpose: gold texts and pages differ in marks and spaces, not in words.
_WORD = re.compile(r"\w+")
#: A longer block is sought by runs of so many words.
RUN = 4
#: Places of the gold that are tried for one block; a word that stands at more tells nothing about where it is from.
MOST = 30
#: From this share of its tokens on a block is content.
HALF = 0.5


def words(text: str) -> list[str]:
    """The words of a text, small."""
    return _WORD.findall(text.lower())


def align(blocks: Sequence[str], gold: str) -> list[bool]:
    """Of every block, whether it is content.

    >>> align(["Home", "Rain in Spain", "It rained in Spain on Monday.", "More", "Rain in Spain"],
    ...       "Rain in Spain\\nIt rained in Spain on Monday.")
    [False, True, True, False, False]
    """
    wanted = words(gold)
    index = _index(wanted)
    found: list[tuple[int, int, int, int]] = []  # block, where in the gold it begins and ends, tokens found
    for number, block in enumerate(blocks):
        found += [(number, *place) for place in _places(words(block), wanted, index)]
    content = [False] * len(blocks)
    for number in _chain(found):
        content[number] = True
    return content


def _index(wanted: Sequence[str]) -> dict[tuple[str, ...], list[int]]:
    index: dict[tuple[str, ...], list[int]] = defaultdict(list)
    for size in range(1, RUN + 1):
        for start in range(len(wanted) - size + 1):
            index[tuple(wanted[start : start + size])].append(start)
    return index


def _places(
    block: Sequence[str], wanted: Sequence[str], index: dict[tuple[str, ...], list[int]]
) -> list[tuple[int, int, int]]:
    """Where in the gold a block may be from: begin, end, tokens found."""
    size = min(RUN, len(block))
    if not size:
        return []
    # of all runs of the block, where the block would begin if it is that run
    begins: dict[int, set[int]] = defaultdict(set)
    for start in range(len(block) - size + 1):
        places = index.get(tuple(block[start : start + size]), ())
        for place in places if len(places) <= MOST else ():
            begins[place - start].update(range(start, start + size))
    if not begins:
        return []
    if len(block) <= RUN:
        return [(begin, begin + len(block), len(block)) for begin in begins]
    # words may be missing or be added on either side: what begins nearly alike is one place
    out: list[tuple[int, int, int]] = []
    slack = max(3, len(block) // 5)
    starts = sorted(begins)
    while starts:
        near = [start for start in starts if start - starts[0] <= slack]
        starts = starts[len(near) :]
        covered = set().union(*(begins[start] for start in near))
        if len(covered) >= HALF * len(block):
            places = [start + token for start in near for token in begins[start]]
            out.append((min(places), max(places) + 1, len(covered)))
    return out


def _chain(found: Sequence[tuple[int, int, int, int]]) -> list[int]:
    """The blocks of the best chain: both block and gold go forward, and no token of the gold is found twice."""
    # best[k]: chains by where they end in the gold, ends and weights both rising
    ends: list[int] = [-1]
    weights: list[int] = [0]
    last: list[int] = [-1]
    before: list[int] = []
    at = 0
    while at < len(found):
        # all places of one block extend chains of earlier blocks only
        same = at
        fresh = []
        while same < len(found) and found[same][0] == found[at][0]:
            _, begin, end, weight = found[same]
            # a neighbour may share a word or two at the border
            place = bisect_left(ends, begin + 1) - 1
            before.append(last[place])
            fresh.append((end - 1, weights[place] + weight, same))
            same += 1
        for end, weight, number in fresh:
            _add(ends, weights, last, end, weight, number)
        at = same
    chain = []
    number = last[-1]
    while number >= 0:
        chain.append(found[number][0])
        number = before[number]
    return chain


def _add(ends: list[int], weights: list[int], last: list[int], end: int, weight: int, number: int) -> None:
    place = bisect_left(ends, end + 1)
    if weights[place - 1] >= weight:
        return
    stop = place
    while stop < len(ends) and weights[stop] <= weight:
        stop += 1
    start = place - 1 if ends[place - 1] == end else place
    ends[start:stop], weights[start:stop], last[start:stop] = [end], [weight], [number]
