"""Furniture told by repetition: what stands on many of the last pages of a site is none of its news.

The shingle-frequency filter of the study [gibson2007], learned page by page and for every site alone, so that it serves
streams: a page is judged by the pages before it, and then learned from.

    count(run)   on how many of the last pages of the site a run of `shingle` words stood
    furniture    count ≥ least, and count ≥ share · pages
    dropped      a block (a line of the text) at least `most` of whose runs are furniture

"Last" means that all counts of a site are halved whenever it has seen `window` pages: what is no longer shown is
forgotten. A text that comes again word for word is not counted again, and a page of which nothing would be left stays
as it is: it is a copy, not furniture.

Memory is bounded: of a site with more than `runs` different runs those seen once and longest ago are forgotten, and
with more than `total` in all the sites that were not seen for longest are.
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
    """What is known of a site."""

    pages: int = 0
    counts: dict[int, int] = field(default_factory=dict)
    """Runs, those seen first in front."""
    texts: dict[str, None] = field(default_factory=dict)
    """Digests of the last texts."""


@dataclass(frozen=True)
class SiteRule:
    """When a run is furniture, and how much is remembered."""

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
    """Takes out of texts what their sites repeat.

    >>> sites = SiteFilter(SiteRule(least=2))
    >>> for number in range(3):
    ...     text = sites.filter("example.com", f"Read our cookie policy here\\n\\nStory {number} is told here")
    >>> text
    'Story 2 is told here'
    """

    def __init__(self, rule: SiteRule | None = None) -> None:
        self.rule = rule or SiteRule()
        self._sites: dict[str, Site] = {}
        self._held = 0
        # what cuts texts into runs of words and hashes them, as detectors do
        parameters = {"shingle": self.rule.shingle, "threshold": 0.0, "stemming": "none", "stop_words": False}
        self._native = _core.Detector("resemblance", parameters)

    @property
    def known(self) -> int:
        """How many sites are remembered."""
        return len(self._sites)

    @property
    def held(self) -> int:
        """How many runs are remembered."""
        return self._held

    def filter(self, site: str, text: str) -> str:
        """The text without what its site repeats, by the pages before; then it is learned from."""
        lines = text.splitlines()
        runs = self._runs(lines)
        kept = self._judge(site, lines, runs)
        self._learn(site, text, runs)
        return _joined(lines, kept)

    def extraction(self, site: str, found: Extraction) -> Extraction:
        """The same with what an extractor found."""
        return replace(found, text=self.filter(site, found.text))

    def judge(self, site: str, text: str) -> str:
        """The text without what its site repeats; nothing is learned."""
        lines = text.splitlines()
        return _joined(lines, self._judge(site, lines, self._runs(lines)))

    def learn(self, site: str, text: str) -> None:
        """Learns from one more page."""
        self._learn(site, text, self._runs(text.splitlines()))

    def _runs(self, lines: Sequence[str]) -> list[Sequence[int]]:
        """The runs of every line."""
        values, ends = self._native.sign_texts(
            list(lines), [None] * len(lines), ["und"] * len(lines), [NO_TIME] * len(lines)
        )
        hashes, offsets = array("I", values), array("q", ends)
        return [hashes[offsets[at] // 4 : offsets[at + 1] // 4] for at in range(len(lines))]

    def _judge(self, site: str, lines: Sequence[str], runs: Sequence[Sequence[int]]) -> list[bool]:
        """Which lines stay."""
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
        self._sites[name] = site  # the one seen last stands last
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
        """Keeps a site within its bounds."""
        while site.pages >= self.rule.window:
            site.pages //= 2
            site.counts = {run: count // 2 for run, count in site.counts.items() if count > 1}
        while len(site.texts) > self.rule.window:
            site.texts.pop(next(iter(site.texts)))
        if len(site.counts) <= self.rule.runs:
            return
        # a quarter at once, not to be here again on the next page; those seen least, of these the first
        order = sorted(enumerate(site.counts), key=lambda each: (site.counts[each[1]], each[0]))
        for _, run in order[: len(site.counts) - 3 * self.rule.runs // 4]:
            del site.counts[run]

    def _forget(self) -> None:
        """Keeps all sites within their bound; the one seen last stays."""
        while self._held > self.rule.total and len(self._sites) > 1:
            self._held -= len(self._sites.pop(next(iter(self._sites))).counts)

    def __add__(self, other: SiteFilter) -> SiteFilter:
        if self.rule != other.rule:
            raise ParameterError(f"site filters of one rule are wanted to be added, got {self.rule} and {other.rule}")
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
        """What it knows, as lines of text."""
        lines = [HEADING, json.dumps(asdict(self.rule))]
        for name, site in self._sites.items():
            # by count, and runs in their order: which one was seen first must come back
            row = {"site": name, "pages": site.pages, "texts": list(site.texts)}
            order = {run: at for at, run in enumerate(site.counts)}
            by_count: dict[int, list[str]] = defaultdict(list)
            for run, count in site.counts.items():
                by_count[count].append(f"{run:08x}.{order[run]:x}")
            lines.append(json.dumps({**row, "runs": {str(count): " ".join(by_count[count]) for count in by_count}}))
        return ("\n".join(lines) + "\n").encode()

    def save(self, path: str | Path) -> None:
        """Writes what it knows, whole or not at all."""
        write_file(path, bytes(self))

    @classmethod
    def load(cls, path: str | Path) -> SiteFilter:
        """Reads what was saved."""
        try:
            return cls.parse(Path(path).read_bytes())
        except OSError as error:
            raise InputError(f"{path}: {error.strerror or error}") from None
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise InputError(f"{path}: nothing that a site filter has saved: {error}") from None

    @classmethod
    def parse(cls, data: bytes) -> SiteFilter:
        """Reads it from bytes; a ValueError, KeyError or TypeError says what is wrong with them."""
        heading, rule, *lines = data.decode().splitlines()
        if heading != HEADING:
            raise ValueError(f"{HEADING!r} is wanted in its first line")
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
    """The lines that stay; never more than one empty line between them."""
    out: list[str] = []
    for line, stays in zip(lines, kept, strict=True):
        if stays and (line.strip() or (out and out[-1])):
            out.append(line if line.strip() else "")
    return "\n".join(out).strip("\n")
