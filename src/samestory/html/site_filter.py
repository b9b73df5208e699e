"""Boilerplate detection by repetition: text on many recent pages of a site is not part of its news.

The shingle-frequency filter of the study [gibson2007], learned page by page for each site, so that it works on streams:
a page is filtered by the pages before it, and then learned from.

    count(run)   number of recent pages of the site with a run of `shingle` words
    boilerplate  count ≥ least, and count ≥ share · pages
    dropped      a block (a line of the text) at least `most` of whose runs are boilerplate

All counts of a site are halved whenever it has seen `window` pages, so that text that no longer appears is forgotten. A
text that repeats word for word is not counted again, and a page that would become empty is left unchanged: it is a
copy, not boilerplate.

Memory is bounded: of a site with more than `runs` distinct runs, the rarest and oldest are forgotten, and with more
than `total` runs in all, the least recently seen sites are.
"""

from __future__ import annotations

import json
from array import array
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from hashlib import blake2b
from pathlib import Path

from samestory import _core
from samestory.errors import InputError, ParameterError
from samestory.html.extractors.base import Extraction
from samestory.model import NO_TIME
from samestory.output import write_file

HEADING = "samestory sites 1"


@dataclass
class Site:
    """The statistics of a site."""

    pages: int = 0
    counts: dict[int, int] = field(default_factory=dict)
    """Counts by run, oldest first."""
    texts: dict[str, None] = field(default_factory=dict)
    """Digests of the most recent texts."""


@dataclass(frozen=True)
class SiteRule:
    """When a run is boilerplate, and how much is remembered."""

    shingle: int = 4
    least: int = 4
    share: float = 0.15
    most: float = 0.5
    window: int = 100
    runs: int = 5_000
    total: int = 1_000_000

    def __post_init__(self) -> None:
        for name, low, high in (
            ("shingle", 1, 100),
            ("least", 2, 1000),
            ("share", 0, 1),
            ("most", 0.01, 1),
            ("window", 2, 1_000_000),
            ("runs", 1, 10_000_000),
            ("total", 1, 1_000_000_000),
        ):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int | float) or not low <= value <= high:
                raise ParameterError(f"site filter: {name} must be in [{low}, {high}], got {value!r}")


class SiteFilter:
    """Removes text that sites repeat from page to page.

    >>> sites = SiteFilter(SiteRule(least=2))
    >>> for number in range(3):
    ...     text = sites.filter("example.com", f"Read our cookie policy here\\n\\nThis is story {number}")
    >>> text
    'This is story 2'
    """

    def __init__(self, rule: SiteRule | None = None) -> None:
        self.rule = rule or SiteRule()
        self._sites: dict[str, Site] = {}
        self._held = 0
        # splits texts into hashed runs of words, as detectors do
        parameters = {"shingle": self.rule.shingle, "threshold": 0.0, "stemming": "none", "stop_words": False}
        self._native = _core.detectors.Detector("resemblance", parameters)

    @property
    def known(self) -> int:
        """The number of sites in memory."""
        return len(self._sites)

    @property
    def held(self) -> int:
        """The number of runs in memory."""
        return self._held

    def filter(self, site: str, text: str) -> str:
        """Removes what the site repeats, by the pages before, then learns from the text."""
        lines = text.splitlines()
        runs = self._runs(lines)
        kept = self._judge(site, lines, runs)
        self._learn(site, text, runs)
        return _joined(lines, kept)

    def extraction(self, site: str, found: Extraction) -> Extraction:
        """Filters the text of an extraction."""
        return replace(found, text=self.filter(site, found.text))

    def judge(self, site: str, text: str) -> str:
        """Removes what the site repeats, without learning."""
        lines = text.splitlines()
        return _joined(lines, self._judge(site, lines, self._runs(lines)))

    def learn(self, site: str, text: str) -> None:
        """Learns from a page."""
        self._learn(site, text, self._runs(text.splitlines()))

    def _runs(self, lines: Sequence[str]) -> list[Sequence[int]]:
        """Returns the hashed runs of each line."""
        count = len(lines)
        rows = self._native.sign([NO_TIME] * count, texts=list(lines), titles=[None] * count, languages=["und"] * count)
        hashes, offsets = array("I", bytes(rows.values)), array("q", bytes(rows.offsets))
        return [hashes[offsets[at] // 4 : offsets[at + 1] // 4] for at in range(len(lines))]

    def _judge(self, site: str, lines: Sequence[str], runs: Sequence[Sequence[int]]) -> list[bool]:
        """Returns for each line whether it is kept."""
        known = self._sites.get(site)
        if known is None or known.pages < self.rule.least:
            return [True] * len(lines)
        wanted = max(self.rule.least, self.rule.share * known.pages)
        stays = [
            not own or sum(known.counts.get(run, 0) >= wanted for run in own) < self.rule.most * len(own)
            for own in runs
        ]
        left = any(stay and own for stay, own in zip(stays, runs, strict=True))
        return stays if left else [True] * len(lines)

    def _learn(self, name: str, text: str, runs: Sequence[Sequence[int]]) -> None:
        site = self._sites.pop(name, None) or Site()
        self._sites[name] = site  # most recently seen last
        digest = blake2b(text.encode(errors="replace"), digest_size=8).hexdigest()
        if digest in site.texts:
            return
        site.texts[digest] = None
        before = len(site.counts)
        for run in {run: None for own in runs for run in own}:
            site.counts[run] = site.counts.get(run, 0) + 1
        site.pages += 1
        self._trim(site)
        self._held += len(site.counts) - before
        self._forget()

    def _trim(self, site: Site) -> None:
        """Reduces a site to its bounds."""
        while site.pages >= self.rule.window:
            site.pages //= 2
            site.counts = {run: count // 2 for run, count in site.counts.items() if count > 1}
        while len(site.texts) > self.rule.window:
            site.texts.pop(next(iter(site.texts)))
        if len(site.counts) <= self.rule.runs:
            return
        # drop a quarter at once, so that this does not run for every page; the rarest first, of these the oldest
        order = sorted(enumerate(site.counts), key=lambda each: (site.counts[each[1]], each[0]))
        for _, run in order[: len(site.counts) - 3 * self.rule.runs // 4]:
            del site.counts[run]

    def _forget(self) -> None:
        """Drops the least recently seen sites until all are within the bound; the latest is kept."""
        while self._held > self.rule.total and len(self._sites) > 1:
            self._held -= len(self._sites.pop(next(iter(self._sites))).counts)

    def __add__(self, other: SiteFilter) -> SiteFilter:
        if self.rule != other.rule:
            raise ParameterError(f"cannot add site filters with different rules: {self.rule} and {other.rule}")
        out = SiteFilter(self.rule)
        for given in (self, other):
            for name, site in given._sites.items():
                held = out._sites.pop(name, None) or Site()
                for run, count in site.counts.items():
                    held.counts[run] = held.counts.get(run, 0) + count
                held.pages += site.pages
                held.texts |= site.texts
                out._sites[name] = held
        for site in out._sites.values():
            out._trim(site)
        out._held = sum(len(site.counts) for site in out._sites.values())
        out._forget()
        return out

    def __eq__(self, other: object) -> bool:
        return bytes(self) == bytes(other) if isinstance(other, SiteFilter) else NotImplemented

    def __bytes__(self) -> bytes:
        """Serialises the filter as lines of text."""
        lines = [HEADING, json.dumps(asdict(self.rule))]
        for name, site in self._sites.items():
            # grouped by count, each run with its position, so that the order can be restored
            row = {"site": name, "pages": site.pages, "texts": list(site.texts)}
            order = {run: at for at, run in enumerate(site.counts)}
            by_count: dict[int, list[str]] = defaultdict(list)
            for run, count in site.counts.items():
                by_count[count].append(f"{run:08x}.{order[run]:x}")
            lines.append(json.dumps({**row, "runs": {str(count): " ".join(by_count[count]) for count in by_count}}))
        return ("\n".join(lines) + "\n").encode()

    def save(self, path: str | Path) -> None:
        """Writes the filter atomically."""
        write_file(path, bytes(self))

    @classmethod
    def load(cls, path: str | Path) -> SiteFilter:
        """Reads a saved filter."""
        try:
            return cls.parse(Path(path).read_bytes())
        except OSError as error:
            raise InputError(str(error.strerror or error), place=path) from None
        except (ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError) as error:
            raise InputError(f"not a saved site filter: {error}", place=path) from None

    @classmethod
    def parse(cls, data: bytes) -> SiteFilter:
        """Parses a filter from bytes; raises ValueError, KeyError or TypeError if they are invalid."""
        heading, rule, *lines = data.decode().splitlines()
        if heading != HEADING:
            raise ValueError(f"expected {HEADING!r} in line 1")
        out = cls(SiteRule(**json.loads(rule)))
        for line in lines:
            row = json.loads(line)
            counted = sorted((at, run, int(count)) for count, runs in row["runs"].items() for run, at in _read(runs))
            counts = {run: count for _, run, count in counted}
            out._sites[str(row["site"])] = Site(int(row["pages"]), counts, dict.fromkeys(map(str, row["texts"])))
            out._trim(out._sites[str(row["site"])])
        out._held = sum(len(site.counts) for site in out._sites.values())
        out._forget()
        return out


def _read(runs: str) -> Iterator[tuple[int, int]]:
    for each in runs.split():
        run, _, at = each.partition(".")
        yield int(run, 16), int(at, 16)


def _joined(lines: Sequence[str], kept: Sequence[bool]) -> str:
    """Joins the kept lines with at most one empty line between them."""
    out: list[str] = []
    for line, stays in zip(lines, kept, strict=True):
        if stays and (line.strip() or (out and out[-1])):
            out.append(line if line.strip() else "")
    return "\n".join(out).strip("\n")
