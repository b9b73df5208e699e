"""tweezer and tweezer-set: names with the words around them (Uyar 2009, chapter 4)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from samestory import Article, parse, prepare, relate
from samestory.detectors.imatch import IMatchTop
from samestory.detectors.native import sign
from samestory.detectors.tweezer import NameShingles, Tweezer, TweezerSet
from samestory.entities import Recogniser
from samestory.entities.recogniser import Lists
from samestory.errors import ParameterError
from samestory.model import KINDS, Pairs, Signatures
from tests.detectors.oracles import EDGES, check_keys, results
from tests.entities.study import NAMES, lists, recogniser, texts
from tests.news import corpora
from tests.reference import tweezer as reference
from tests.reference.shares import Result, jaccard

FIGURE = (
    "Bursa'nın Orhangazi İlçesi'nde apandisit ameliyatı sırasında doktor hatasına bağlı olarak kalın bağırsağının "
    "yırtıldığı ve bunun sonucunda vücuduna enfeksiyon yayıldığı için öldüğü ileri sürülen 13 yaşındaki Sevecan "
    "Ercan'ın dün toprağa verilen cesedi, bugün otopsi yapılmak üzere mezardan çıkartıldı."
)
FIGURE_LISTS = lists(person="Sevecan Ercan", location="Bursa|Orhangazi")


def tr(text: str, name: str = "a") -> Article:
    return Article(name, text, lang="tr")


def signed(detector: NameShingles, articles: Sequence[Article], names: Recogniser) -> Signatures:
    """The signatures of articles, with the names of a recogniser."""
    return sign(detector.native_with(names.native), prepare(articles))


def verdict(detector: NameShingles, left: Article, right: Article, names: Recogniser) -> Result:
    """The shares and the kind that the detector reports for two articles."""
    signatures = signed(detector, [left, right], names)
    found = detector.compare(signatures, signatures, Pairs(np.array([0]), np.array([1])))
    kind = KINDS[found.kinds[0]]
    return float(found.forward[0]), float(found.backward[0]), None if kind == KINDS[0] else str(kind)


def words(detector: NameShingles, article: Article, names: Recogniser) -> list[str]:
    """The shingles of an article."""
    return [shingle.words for shingle in detector.shingles(prepare([article]), detector.native_with(names.native))]


def hex_of(signature: bytes) -> str:
    """The digest in a signature of tweezer."""
    return "".join(f"{number:08x}" for number in np.frombuffer(signature, "<u4")[:5])


def test_the_figure() -> None:
    """The print shows eight words behind the second name where it says five; five is what the method does."""
    names, article = recogniser(FIGURE_LISTS), tr(FIGURE)
    shingles = [
        "bursa orhangazi ilçesi apandisit ameliyatı sırasında doktor hatasına",
        "öldüğü ileri sürülen 13 yaşındaki sevecan ercan dün toprağa verilen cesedi bugün",
    ]
    assert words(Tweezer(), article, names) == shingles == reference.shingles(article, FIGURE_LISTS)
    (signature,) = signed(Tweezer(), [article], names)
    assert hex_of(signature) == "63d606b6e286f877dc0f338b0ba5b7fda5f64e1a" == reference.signature(shingles)


def test_a_shingle_knows_where_it_stands() -> None:
    detector = Tweezer()
    native = detector.native_with(recogniser(FIGURE_LISTS).native)
    first, second = detector.shingles(prepare([tr(FIGURE)]), native)
    assert FIGURE[slice(*first.name)] == "Bursa'nın Orhangazi İlçesi"
    assert FIGURE[slice(*second.name)] == "Sevecan Ercan"
    assert FIGURE[slice(*second.span)].startswith("öldüğü ileri sürülen 13")
    assert FIGURE[slice(*second.span)].endswith("cesedi, bugün")


#: A concert: no name within five words of the first sentence's end.
CONCERT = (
    "Biletler birkaç gün önce tükenmiş olmasına rağmen salonun önünde uzun kuyruklar oluştu. Konserin yıldızı Zeynep "
    "Öztürk, Mersin Üniversitesi'nde okuduğu yılları anlattı ve gençlere çok çalışmalarını öğütledi. Gece, Ali "
    "Öztürk'ün yönettiği koronun söylediği türkülerle sona erdi."
)
LEAD = "Kış boyunca süren müzik günleri, dün akşam yapılan görkemli bir törenle ve uzun alkışlarla kapandı. "
CONCERT_LISTS = lists(person="Ali Zeynep Öztürk", location="Mersin")
#: The same with a name at the joint.
JOINT = CONCERT.replace("Biletler birkaç", "Ali Öztürk'ün biletleri birkaç")


@pytest.mark.parametrize("window", ["document", "sentence"])
def test_a_sentence_more_without_names_changes_nothing(window: str) -> None:
    """What only Tweezer finds: ten new terms are in the way of I-Match."""
    one, other = tr(CONCERT), tr(LEAD + CONCERT, "b")
    assert verdict(Tweezer(window=window), one, other, recogniser(CONCERT_LISTS)) == (1, 1, "NEAR")
    weighed = IMatchTop().fit([prepare([one, other])])
    assert results(weighed, [one, other])[0][1] == (0, 0, None)


def test_a_name_at_the_joint_takes_words_of_the_new_sentence_into_its_own() -> None:
    one, other, names = tr(JOINT), tr(LEAD + JOINT, "b"), recogniser(CONCERT_LISTS)
    assert verdict(Tweezer(), one, other, names) == (0, 0, None)
    assert verdict(Tweezer(window="sentence"), one, other, names) == (1, 1, "NEAR")
    assert verdict(TweezerSet(rules="study"), one, other, names)[2] == "NEAR"


#: Party, and its share of the votes at two hours; in 21 more sentences nothing changes.
PARTIES = {"Çınar Partisi": (42, 43), "Irmak Partisi": (31, 30)}
ELECTION_LISTS = lists(location="Türkiye")
_PLACES = "Akça Beyli Candar Delice Elmalı Fındık Gerede Hisar Ilıca İncirli Kavak Laleli Meşe Narlı Ovacık Pınarlı"
_PLACES += " Söğüt Taşlı Ulucan Vezir Yazı"


def election(hour: int) -> str:
    """A report from the night of an election: 23 names, the figures of an hour right behind two of them."""
    said = [
        f"Sandıkların erkenden kapandığı {place} İlçesi sessiz ve sakin bir gün daha geçirdi."
        for place in _PLACES.split()
    ]
    counted = [
        f"Saat ilerledikçe oyların arttığı {party} yüzde {share[hour]} oyla önde." for party, share in PARTIES.items()
    ]
    return " ".join(said + counted)


def test_figures_right_behind_names_part_articles() -> None:
    """What only I-Match finds: 21 of 25 shingles are common, of the 23 that each article has."""
    one, other, names = tr(election(0)), tr(election(1), "b"), recogniser(ELECTION_LISTS)
    left, right = (set(words(Tweezer(), article, names)) for article in (one, other))
    assert (len(left), len(right), len(left & right), len(left | right)) == (23, 23, 21, 25)
    assert jaccard(left, right) == 0.84
    assert verdict(Tweezer(), one, other, names) == (0, 0, None)
    for threshold, kind in ((0.4, "NEAR"), (0.95, None)):
        found = verdict(TweezerSet(rules="study", threshold=threshold), one, other, names)
        assert found[:2] == pytest.approx((21 / 23, 21 / 23))
        assert found[2] == kind
    assert verdict(Tweezer(mask_figures=True), one, other, names) == (1, 1, "NEAR"), "figures taken for the same"


def plain(count: int, first: int = 0) -> str:
    return " ".join(f"kelime{number}" for number in range(first, first + count))


@pytest.mark.parametrize("count", [1, 2, 39])
def test_under_forty_words_all_stand_for_an_article_without_names(count: int) -> None:
    names = recogniser(NAMES)
    (shingle,) = words(Tweezer(), tr(plain(count)), names)
    assert shingle.strip("\x01") == plain(count)
    middle = plain(count).replace(f"kelime{count // 2}", "başka")
    assert verdict(Tweezer(), tr(plain(count)), tr(middle), names) == (0, 0, None)


@pytest.mark.parametrize("count", [40, 41, 200])
def test_from_forty_words_on_the_first_and_last_twenty_do(count: int) -> None:
    names = recogniser(NAMES)
    (shingle,) = words(Tweezer(), tr(plain(count)), names)
    assert shingle.strip("\x01") == f"{plain(20)} {plain(20, count - 20)}"
    for at, alike in ((19, False), (20, count > 40), (count - 20, False)):
        other = tr(plain(count).replace(f"kelime{at} ", "başka "))
        assert verdict(Tweezer(), tr(plain(count)), other, names)[2] == ("NEAR" if alike else None)


def test_an_article_without_names_is_never_one_with() -> None:
    """The same words; in one the list knows a name."""
    text = "dün Ankara soğuktu"
    with_name, without = recogniser(lists(location="Ankara")), recogniser(lists(location="Mersin"))
    for detector in (Tweezer(p=9, s=9), TweezerSet(p=9, s=9, rules="study", least=1)):
        (one,), (other,) = (signed(detector, [tr(text)], names) for names in (with_name, without))
        assert one and other and one != other
    (named,), (nameless,) = (words(Tweezer(p=9, s=9), tr(text), names) for names in (with_name, without))
    assert named == nameless.strip("\x01") != nameless


@pytest.mark.parametrize("detector", [Tweezer(), TweezerSet()], ids=str)
@pytest.mark.parametrize("text", ["", "  \n", "… — !", "😀"])
def test_an_article_without_words_has_no_signature(detector: NameShingles, text: str) -> None:
    (signature,) = detector.sign(prepare([tr(text)]))
    assert signature == b""


def test_so_many_words_before_and_behind() -> None:
    article, names = tr("bir iki üç Ali dört beş altı"), recogniser(NAMES)
    assert words(Tweezer(p=2, s=1), article, names) == ["iki üç ali dört"]
    assert words(Tweezer(p=0, s=0), article, names) == ["ali"]
    assert words(Tweezer(p=0, s=9), article, names) == ["ali dört beş altı"]
    assert words(Tweezer(p=1000, s=1000), article, names) == ["bir iki üç ali dört beş altı"]


def test_a_sentence_ends_the_words_around_a_name() -> None:
    article, names = tr("Hava soğuktu. Gelen Ali idi. Sonra gitti."), recogniser(NAMES)
    assert words(Tweezer(window="sentence"), article, names) == ["gelen ali idi"]
    assert words(Tweezer(), article, names) == ["hava soğuktu gelen ali idi sonra gitti"]


def test_figures_can_be_taken_for_the_same() -> None:
    article, names = tr("saat 13.30 Ali 42'nci yüzde 7%"), recogniser(NAMES)
    assert words(Tweezer(), article, names) == ["saat 13.30 ali 42'nci yüzde 7%"]
    assert words(Tweezer(mask_figures=True), article, names) == ["saat # ali #'nci yüzde #"]


def test_names_that_touch_are_one_and_a_comma_or_a_line_parts_them() -> None:
    names = recogniser(NAMES)
    detector = Tweezer(p=0, s=0)
    assert words(detector, tr("Ali'nin Mersin Üniversitesi'nde"), names) == ["ali mersin üniversitesi"]
    assert words(detector, tr("Ali, Mersin"), names) == ["ali", "mersin"]
    assert words(detector, tr("Ali\nMersin"), names) == ["ali", "mersin"]


def test_the_suffix_counts_in_words_that_are_of_no_name() -> None:
    names = recogniser(NAMES)
    assert words(Tweezer(), tr("Ali'nin CEO'su geldi"), names) == ["ali ceo'su geldi"]
    assert words(Tweezer(), tr("Ali’nin CEO’su geldi"), names) == ["ali ceo'su geldi"], "whichever apostrophe is typed"


@pytest.mark.parametrize(
    "given",
    [{"p": -1}, {"s": 1001}, {"window": "page"}, {"rules": "all"}, {"mask_figures": 2}, {"threshold": 1.5}],
    ids=str,
)
def test_what_makes_no_sense_is_refused(given: dict[str, Any]) -> None:
    with pytest.raises(ParameterError, match=f"tweezer-set: {next(iter(given))}"):
        TweezerSet(**given)


parameters = st.fixed_dictionaries(
    {
        "p": st.integers(0, 6),
        "s": st.integers(0, 6),
        "window": st.sampled_from(["document", "sentence"]),
        "mask_figures": st.booleans(),
    }
)


@st.composite
def pairs(draw: st.DrawFn) -> tuple[Article, Article]:
    """Two articles with most of their sentences in common, or with none."""
    left = draw(st.lists(texts(most=9), max_size=5))
    right = [text for text in left if draw(st.integers(0, 3))] + draw(st.lists(texts(most=9), max_size=1))
    return tr(". ".join(left)), tr(". ".join(right), "b")


def check_oracle(detector: NameShingles, pair: tuple[Article, Article], given: dict[str, Any], names: Lists) -> None:
    own = recogniser(names)
    for article in pair:
        assert words(detector, article, own) == reference.shingles(article, names, **given)
    if isinstance(detector, TweezerSet):
        expected = reference.compare_sets(*pair, lists=names, threshold=detector.threshold, **given)
    else:
        expected = reference.compare(*pair, lists=names, **given)
    found = verdict(detector, *pair, own)
    assert found[:2] == pytest.approx(expected[:2])
    assert found[2] == expected[2]


@given(pair=pairs(), given_=parameters)
@settings(max_examples=150)
def test_tweezer_does_as_its_oracle(pair: tuple[Article, Article], given_: dict[str, Any]) -> None:
    check_oracle(Tweezer(**given_), pair, given_, NAMES)


@given(pair=pairs(), given_=parameters, least=st.integers(1, 6), threshold=st.sampled_from([0.1, 0.4, 0.5, 1.0]))
@settings(max_examples=150)
def test_the_set_does_as_its_oracle(
    pair: tuple[Article, Article], given_: dict[str, Any], least: int, threshold: float
) -> None:
    given_ = {**given_, "least": least}
    check_oracle(TweezerSet(rules="study", threshold=threshold, **given_), pair, given_, NAMES)


@given(article=texts().map(tr))
@settings(max_examples=100)
def test_the_digest_is_the_sha1_of_the_sorted_shingles(article: Article) -> None:
    (signature,) = signed(Tweezer(), [article], recogniser(NAMES))
    expected = reference.signature(reference.shingles(article, NAMES))
    assert (hex_of(signature) if signature else None) == expected


@given(articles=corpora())
@pytest.mark.parametrize(
    "detector", [Tweezer(), TweezerSet(), TweezerSet(threshold=0.1), TweezerSet(p=0, s=0)], ids=str
)
def test_keys_lose_nothing(detector: NameShingles, articles: list[Article]) -> None:
    check_keys(detector, articles)


@pytest.mark.parametrize("detector", [Tweezer(), TweezerSet()], ids=str)
def test_articles_at_the_edges(detector: NameShingles) -> None:
    check_keys(detector, EDGES)
    for at, row in enumerate(results(detector, EDGES)):
        assert row[at] == (1, 1, "NEAR"), EDGES[at].id


def test_only_the_text_counts() -> None:
    one = Article("a", "Dün Ankara'da kar yağdı.", title="Ankara", lang="tr")
    other = Article("b", "Dün Ankara'da kar yağdı.", title="İzmir ve Bursa", lang="tr")
    assert [relation.kind for relation in relate([one, other], detector="tweezer")] == ["NEAR"]


def test_languages_without_rules_have_no_names() -> None:
    text = "Angela Merkel sprach am Montag in Berlin mit Vertretern der Opposition über Steuern."
    (signature,) = Tweezer().sign(prepare([Article("a", text, lang="de")]))
    assert np.frombuffer(signature, "<u4")[-1] == 1, "signed by its words"


def test_the_rules_are_those_of_the_study_or_ours() -> None:
    assert (Tweezer().rules, TweezerSet().rules) == ("study", "extended")
    assert parse("tweezer(rules='extended')") == replace(Tweezer(), rules="extended")
    assert Tweezer().fingerprint() != Tweezer(rules="extended").fingerprint()


def test_evidence_is_where_both_name_the_same() -> None:
    one, other = tr("Dün akşam Ankara'da kar yağdı ve yollar kapandı, trenler durdu."), tr("Sabah. " + FIGURE, "b")
    both = tr(f"{one.text} {plain(9)} {FIGURE}", "c")
    detector = Tweezer(window="sentence")
    (found,) = detector.explain(prepare([one]), prepare([both]))
    assert one.text[slice(*found.left)] == both.text[slice(*found.right)]
    assert "Ankara" in one.text[slice(*found.left)]
    assert detector.explain(prepare([one]), prepare([other])) == []
