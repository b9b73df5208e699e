"""Aligns gold text to the blocks of a page.

A block may match several positions of the gold text (a headline, a name in a caption). Of all alignments that preserve
the order of page and gold, the one with most matched tokens is used; a block is content if at least half of its tokens
match.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Sequence

#: Tokens for alignment: gold texts and pages differ in punctuation and spaces, not in words.
_WORD = re.compile(r"\w+")
#: Words of the runs by which longer blocks are matched.
RUN_WORDS = 4
#: Maximum gold positions of a run; a more frequent one does not locate a block.
MAX_POSITIONS = 30
#: Minimum share of matched tokens of a content block.
MIN_SHARE = 0.5


def words(text: str) -> list[str]:
    """Returns the lower-case words of a text."""
    return _WORD.findall(text.lower())


def align(blocks: Sequence[str], gold: str) -> list[bool]:
    """Returns for each block whether it is content.

    >>> align(["Home", "Rain in Spain", "It rained in Spain on Monday.", "More", "Rain in Spain"],
    ...       "Rain in Spain\\nIt rained in Spain on Monday.")
    [False, True, True, False, False]
    """
    wanted = words(gold)
    index = _index(wanted)
    found: list[tuple[int, int, int, int]] = []  # block, start and end in the gold, matched tokens
    for number, block in enumerate(blocks):
        found += [(number, *place) for place in _places(words(block), wanted, index)]
    content = [False] * len(blocks)
    for number in _chain(found):
        content[number] = True
    return content


def _index(wanted: Sequence[str]) -> dict[tuple[str, ...], list[int]]:
    index: dict[tuple[str, ...], list[int]] = defaultdict(list)
    for size in range(1, RUN_WORDS + 1):
        for start in range(len(wanted) - size + 1):
            index[tuple(wanted[start : start + size])].append(start)
    return index


def _places(
    block: Sequence[str], wanted: Sequence[str], index: dict[tuple[str, ...], list[int]]
) -> list[tuple[int, int, int]]:
    """Returns the gold positions of a block: start, end, matched tokens."""
    size = min(RUN_WORDS, len(block))
    if not size:
        return []
    # block start in the gold implied by each matching run, with the covered tokens
    begins: dict[int, set[int]] = defaultdict(set)
    for start in range(len(block) - size + 1):
        places = index.get(tuple(block[start : start + size]), ())
        for place in places if len(places) <= MAX_POSITIONS else ():
            begins[place - start].update(range(start, start + size))
    if not begins:
        return []
    if len(block) <= RUN_WORDS:
        return [(begin, begin + len(block), len(block)) for begin in begins]
    # words may be missing or added on either side: merge nearby starts
    out: list[tuple[int, int, int]] = []
    slack = max(3, len(block) // 5)
    starts = sorted(begins)
    while starts:
        near = [start for start in starts if start - starts[0] <= slack]
        starts = starts[len(near) :]
        covered = set().union(*(begins[start] for start in near))
        if len(covered) >= MIN_SHARE * len(block):
            places = [start + token for start in near for token in begins[start]]
            out.append((min(places), max(places) + 1, len(covered)))
    return out


def _chain(found: Sequence[tuple[int, int, int, int]]) -> list[int]:
    """Returns the blocks of the heaviest chain, increasing in block and gold position without overlap in the gold."""
    # Pareto front of chains by end in the gold: ends and weights both increase
    ends: list[int] = [-1]
    weights: list[int] = [0]
    last: list[int] = [-1]
    before: list[int] = []
    at = 0
    while at < len(found):
        # all positions of one block extend only chains of earlier blocks
        same = at
        fresh = []
        while same < len(found) and found[same][0] == found[at][0]:
            _, begin, end, weight = found[same]
            # neighbouring blocks may share a word or two at the border
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
