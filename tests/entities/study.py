"""The study's rules with small lists of our own, and random texts in the manner of Turkish news."""

from __future__ import annotations

from collections.abc import Iterable

from hypothesis import strategies as st

from samestory.entities import Entity, Recogniser
from samestory.entities.gazetteer import CLASSES
from samestory.entities.recogniser import Lists, pack

#: The four lists of rule words, without names.
RULES: dict[str, list[str]] = {name: words for name, words in pack("tr", "study").items() if name not in CLASSES}


def lists(person: str = "", location: str = "", organization: str = "") -> dict[str, list[str]]:
    """Returns the study rules with these names, separated by `|`."""
    return RULES | {"person": person.split(), "location": location.split("|"), "organization": organization.split("|")}


def recogniser(lists: Lists) -> Recogniser:
    """Recognises Turkish names as in the study, with these lists."""
    return Recogniser("study", lists={"tr": lists})


def named(names: Iterable[Entity]) -> dict[str, set[str]]:
    """Returns the distinct names by kind."""
    out: dict[str, set[str]] = {}
    for name in names:
        out.setdefault(name.kind, set()).add(name.text)
    return out


#: Names of one word and of two, some in several lists, some of whose words begin or end others.
NAMES = lists(
    person="Ali Öztürk Deniz Bursa Irmak Mert Hoca",
    location="Türkiye|Mersin|Yeni Mersin|Bursa|Van Gölü",
    organization="Microsoft|Merkez Bankası|Deniz Feneri",
)

#: Words of every kind that the rules use. None is all capitals, since capitals carry no information there.
_titles = ["Sayın", "Vali", "Başkanı", "Başbakanı", "Müdürü", "Bey", "Hanım", "Hoca"]
_rules = ["Caddesi", "Merkezi", "Otel", "Bankası", "Üniversitesi", "Kurulu", "Parti"]
_listed = [
    "Türkiye",
    "Mersin",
    "Yeni",
    "Bursa",
    "Van",
    "Gölü",
    "Microsoft",
    "Merkez",
    "Feneri",
    "Ali",
    "Deniz",
    "Irmak",
]
_unknown = ["Kral", "Garanti", "Özgür", "Ilgaz", "Çınar", "Şeker", "Ünlü", "İnce"]
_small = ["geldi", "ve", "dün", "13", "42,9", "e-posta", "ağaç", "bankası", "mersin"]
_words = st.one_of(*map(st.sampled_from, (_titles, _rules, _listed, _unknown, _small)))
_gaps = st.sampled_from([" "] * 12 + ["  ", ", ", ". ", "! ", "\n", " (", ") ", " – ", "'nın ", "’de ", "\u00a0", "-"])
#: Prefixes of a text: letters of several bytes, of several characters, or none.
_heads = st.sampled_from(["", "", "😀 ", "👨‍👩‍👧 ağaç ", "(", "'", "\n"])


@st.composite
def texts(draw: st.DrawFn, most: int = 25) -> str:
    """Words and separators."""
    body = draw(st.lists(st.tuples(_words, _gaps), max_size=most))
    return draw(_heads) + "".join(word + gap for word, gap in body)
