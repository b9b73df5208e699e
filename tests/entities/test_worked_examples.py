"""The examples of the study (Uyar 2009, Figure 3.1 and chapter 3), its limits, and the extended rules on them."""

from __future__ import annotations

import pytest

from samestory.entities import Recogniser
from samestory.entities.recogniser import pack
from tests.entities.study import lists, named, recogniser
from tests.reference import tuner

FIGURE = (
    "Türkiye'de en yüksek maaşı alan CEO'lar arasında Shell Genel Müdürü Canan Ediboğlu, Microsoft Türkiye Genel "
    "Müdürü Çağlayan Arkın ve Unilever Türkiye Yönetim Kurulu Başkanı İzzet Karaca'nın isimleri geçiyor. "
    "Mersin Üniversitesi'nde karşıt görüşlü öğrenciler arasında dün başlayan gerginlik sürüyor. "
    "Santrali işleten şirkete bu yıl Muğla Çevre İl Müdürlüğü tarafından 7 defa para cezası uygulandı."
)
FIGURE_LISTS = lists(location="Türkiye|Mersin|Muğla", organization="Microsoft")
PERSONS = "Ali Öztürk Melih Gökçek Zeynep Mehmet Fatih Atatürk Türk Deniz"
LISTS = lists(person=PERSONS)

P, L, ORG, U = "person", "location", "organization", "unclassified"
#: The text and its names, without unclassified ones.
CHECKS: dict[str, dict[str, set[str]]] = {
    "Sayın Ali Öztürk geldi.": {P: {"Ali Öztürk"}},
    "Belediye Başkanı Melih Gökçek konuştu.": {P: {"Melih Gökçek"}},
    "Zeynep Hanım ve Mehmet Efendi geldi.": {P: {"Zeynep", "Mehmet"}},
    "Atatürk Hastanesi açıldı.": {ORG: {"Atatürk Hastanesi"}},
    "Fatih Sultan Mehmet Köprüsü kapandı.": {L: {"Fatih Sultan Mehmet Köprüsü"}},
    "Atatürk Bulvarı'nda kaza.": {L: {"Atatürk Bulvarı"}},
    "Garanti Bankası kâr açıkladı. Garanti hisseleri yükseldi.": {ORG: {"Garanti Bankası", "Garanti"}},
    "İngiltere Başbakanı Tony Blair geldi.": {L: {"İngiltere"}, P: {"Tony Blair"}},
}
#: Known errors of the study: the text, its names, those of the extended rules.
LIMITS: dict[str, tuple[dict[str, set[str]], dict[str, set[str]]]] = {
    # the sea, not a person: extended rules doubt everyday words at the start of a sentence
    "Deniz bugün çok soğuk.": ({P: {"Deniz"}}, {U: {"Deniz"}}),
    # a comma is missing in the text, so no rule can separate the names
    "Atatürk Türk milletinin önderidir.": ({P: {"Atatürk Türk"}}, {P: {"Atatürk Türk"}}),
    # an inflected rule word without an apostrophe: extended rules cover the endings
    "Mersin Üniversitesine gitti.": ({L: {"Mersin"}}, {L: {"Mersin"}, ORG: {"Mersin Üniversitesine"}}),
    # a surname that is also a place: a title marks it as a person, a given name alone never does
    "Sayın Ali Mersin geldi.": ({P: {"Ali Mersin"}}, {P: {"Ali Mersin"}}),
    "Ali Mersin geldi.": ({P: {"Ali"}, L: {"Mersin"}}, {P: {"Ali"}, L: {"Mersin"}}),
}


def test_the_figure() -> None:
    expected = {
        P: {"Canan Ediboğlu", "Çağlayan Arkın", "İzzet Karaca"},
        L: {"Türkiye", "Mersin", "Muğla"},
        ORG: {
            "Unilever Türkiye Yönetim Kurulu",
            "Mersin Üniversitesi",
            "Muğla Çevre İl Müdürlüğü",
            "Microsoft Türkiye",
        },
        U: {"CEO", "Santrali"},
    }
    assert named(recogniser(FIGURE_LISTS).texts([FIGURE], ["tr"])[0]) == expected
    slow: dict[str, set[str]] = {}
    for start, end, kind in tuner.names(FIGURE, FIGURE_LISTS):
        slow.setdefault(kind, set()).add(FIGURE[start:end])
    assert slow == expected


@pytest.mark.parametrize("text", CHECKS)
def test_the_other_examples(text: str) -> None:
    found = named(recogniser(LISTS).texts([text], ["tr"])[0])
    assert {kind: names for kind, names in found.items() if kind != U} == CHECKS[text]


@pytest.mark.parametrize("text", CHECKS)
def test_our_rules_tell_the_same_in_the_examples(text: str) -> None:
    """With the lists of the package."""
    found = named(Recogniser().texts([text], ["tr"])[0])
    assert {kind: names for kind, names in found.items() if kind != U} == CHECKS[text]


@pytest.mark.parametrize("text", LIMITS)
def test_the_limits_of_the_study_and_of_our_rules(text: str) -> None:
    names = {"person": PERSONS.split(), "location": ["Mersin"], "organization": []}
    study = Recogniser("study", lists={"tr": {**pack("tr", "study"), **names}})
    ours = Recogniser("extended", lists={"tr": {**pack("tr"), **names}})
    assert [named(one.texts([text], ["tr"])[0]) for one in (study, ours)] == list(LIMITS[text])


def test_a_title_tells_of_whom_and_a_list_says_so() -> None:
    """Each name has the rule that matched."""
    (found,) = recogniser(FIGURE_LISTS).texts([FIGURE], ["tr"])
    reasons = {name.text: name.because for name in found}
    assert reasons["Canan Ediboğlu"] == "person_before: Müdürü"
    assert reasons["Mersin Üniversitesi"] == "organization_after: Üniversitesi"
    assert reasons["Mersin"] == "location list"
    assert reasons["CEO"] == "nothing"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Dün Mersin Üniversitesine gidildi ve orada uzun uzun konuşuldu.", "Mersin Üniversitesi"),
        ("Alman Parlamentosu dün akşam saatlerinde toplandı ve karar aldı.", "Alman Parlamentosu"),
    ],
)
def test_what_only_opens_a_sentence_is_no_part_of_a_name(text: str, expected: str) -> None:
    """Extended rules: a weekday at the start is not a name; a nationality before a parliament is part of it."""
    (names,) = Recogniser().texts([text], ["tr"])
    wide = [name.text for name in names if name.kind in ("organization", "person")]
    assert [name.removesuffix("ne") for name in wide] == [expected]
