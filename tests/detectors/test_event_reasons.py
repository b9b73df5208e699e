"""What speaks for one event and against it, and how it is explained."""

import math
import pickle
from collections.abc import Sequence

import pytest

from samestory import Article, explain, prepare
from samestory.detectors.ddd import Ddd
from samestory.detectors.event import REASONS, Event, with_detail
from samestory.model import Reason

PAIRS = [
    # language, one, other, what is said of them
    ("en", "Wexland beat Norsted 3-1 in Ambrook", "Norsted beat Wexland 3-1 in Ambrook", "exchanged"),
    ("ru", "Нордия высылает посла Вестлии из столицы", "Вестлия высылает посла Нордии из столицы", "exchanged"),
    ("en", "Council approves 12th package for Oldmere", "Oldmere: 13th package approved by council", "ordinals_apart"),
    ("ru", "Совет одобрил 12-й пакет для Ольмерии", "Одобрен 13-й пакет для Ольмерии", "ordinals_apart"),
    ("tr", "Meclis Oldmere için 12. paketi onayladı", "Oldmere için 13. paket onaylandı", "ordinals_apart"),
    ("tr", "Bakan Oldmere'de anlaşmayı imzaladı", "Bakan Oldmere'de anlaşmayı imzalayacak", "ahead_of"),
    ("ru", "Министр подписал в Ольмере соглашение", "Министр подпишет в Ольмере соглашение", "ahead_of"),
    ("en", "Minister signs pact in Oldmere", "Minister to sign pact in Oldmere", "ahead_of"),
]


def reasons(language: str, one: str, other: str) -> tuple[str, ...]:
    return Event().reasons(*(prepare([Article(id, text, lang=language)]) for id, text in (("a", one), ("b", other))))


def names_of(reasons: tuple[str, ...]) -> set[str]:
    """The kinds of evidence among reasons, whatever their details."""
    starts = {name: (words, with_detail(name, "…").removesuffix("…)")) for name, words in REASONS.items()}
    return {name for name, words in starts.items() if any(reason.startswith(words) for reason in reasons)}


@pytest.mark.parametrize(("language", "one", "other", "name"), PAIRS)
def test_a_contradiction_is_explained_from_both_sides(language: str, one: str, other: str, name: str) -> None:
    assert name in names_of(reasons(language, one, other))
    assert name in names_of(reasons(language, other, one))
    assert not any(reason.startswith("against") for reason in reasons(language, one, one))


@pytest.mark.parametrize(
    ("language", "one", "other", "name"),
    [
        # the order is reversed, but no roles are exchanged
        ("en", "Wexland beat Norsted 3-1 in Ambrook", "Norsted beaten by Wexland 3-1 in Ambrook", "exchanged"),
        ("en", "Fire destroys historic mill in Oldmere", "Oldmere's historic mill destroyed by fire", "exchanged"),
        ("en", "12th package for Oldmere in 3rd quarter", "In 3rd quarter: 12th package for Oldmere", "ordinals_apart"),
        ("en", "Minister to visit Oldmere", "Minister will visit Oldmere", "ahead_of"),
    ],
)
def test_the_same_in_another_order_is_no_contradiction(language: str, one: str, other: str, name: str) -> None:
    assert name not in names_of(reasons(language, one, other))


@pytest.mark.parametrize(("language", "one", "other", "name"), [pair for pair in PAIRS if pair[3] != "ahead_of"])
def test_what_is_as_good_as_proof_keeps_items_apart(language: str, one: str, other: str, name: str) -> None:
    explanation = explain(Article("a", one, lang=language), Article("b", other, lang=language), detector="event")
    assert explanation.relation is None


def test_evidence_is_words_that_say_something() -> None:
    one = Article("a", "The fire in the mill of Oldmere was put out on Monday", lang="en")
    other = Article("b", "Oldmere: fire destroys the mill", lang="en")
    explanation = explain(one, other, detector="event")
    passages = {one.text[each.left.start : each.left.end].lower() for each in explanation.evidence}
    assert passages == {"fire", "the mill", "oldmere"}
    assert "for: names in common (Oldmere)" in explanation.reasons


def test_items_without_words_have_no_reasons() -> None:
    assert reasons("en", "...", "Fire in Oldmere") == ()


@pytest.mark.parametrize(("one", "other"), [("…", "!!!"), ("…", "…"), ("…", "Fire in Oldmere"), ("", "")])
@pytest.mark.parametrize("detector", ["event", "fusion(model='letters')", "vectors(model='letters')", "reuse"])
def test_items_without_words_are_not_related(one: str, other: str, detector: str) -> None:
    explanation = explain(Article("a", one), Article("b", other), detector=detector)
    assert (explanation.relation, explanation.why) == (None, "too little text to compare")


DECIDED = [
    ("Wexland beat Norsted", "Norsted beat Wexland", "two names have exchanged roles"),
    (
        "Council approves 12th package",
        "Council approves 13th package",
        "different ordinals, as in the 12th and the 13th",
    ),
    ("Wexland bank raises key rate", "Wexland bank cuts key rate", "opposite acts or stages (raises / cuts)"),
]


@pytest.mark.parametrize(("one", "other", "reason"), DECIDED)
def test_the_contradiction_that_decided_is_the_reason_given(one: str, other: str, reason: str) -> None:
    explanation = explain(Article("a", one, lang="en"), Article("b", other, lang="en"), detector="event")
    assert explanation.why == f"enough in common, but {reason}"


def test_too_little_in_common_is_the_reason_where_nothing_contradicts() -> None:
    pair = Article("a", "Storm damages the pier", lang="en"), Article("b", "Museum shows coins of the pier", lang="en")
    assert explain(*pair, detector="event").why == "too little in common"


STORM = (
    "A storm flooded the harbour of Oldmere on Tuesday night and tore nine boats from their moorings. Firefighters "
    "pumped water from forty cellars along the quay until the morning, said the mayor, Edda Brunn, and two ferries "
    "to Norsted stayed in port. The railway line behind the fish market was closed because gravel had been washed "
    "away below the tracks. Insurers expect claims of several million crowns, and the harbour office wants to raise "
    "the wall by half a metre. Schools in the lower town remained closed, while volunteers filled sandbags at the "
    "old brewery for the next high tide."
)
AGAIN = (
    "Nine boats were torn from their moorings when a storm flooded the harbour of Oldmere on Tuesday night. The "
    "mayor, Edda Brunn, said that firefighters had pumped water from forty cellars along the quay. Two ferries to "
    "Norsted stayed in port, and gravel was washed away below the tracks of the railway line behind the fish "
    "market, which was closed. The harbour office wants a wall that is half a metre higher; insurers expect claims "
    "of several million crowns. Volunteers filled sandbags at the old brewery for the next high tide, and schools "
    "in the lower town remained closed."
)


@pytest.mark.parametrize("mark", ["Opinion: ", "Comment | ", "LIVE | "])
def test_columns_letters_and_live_blogs_are_evidence_against(mark: str) -> None:
    news = Article("news", STORM, title="Storm floods harbour of Oldmere", lang="en")
    plain, marked = (
        explain(news, Article("other", AGAIN, title=f"{begin}Storm in Oldmere", lang="en"), detector="event")
        for begin in ("", mark)
    )
    against = "against: one of them is a column, a letter, a live blog or a digest"
    assert against in marked.reasons
    assert against not in plain.reasons
    log_odds = [math.log(found.overlap.forward / (1 - found.overlap.forward)) for found in (plain, marked)]
    assert log_odds[0] - log_odds[1] > 1.5, "a factor of seven, but for the words of the mark"


def test_articles_from_one_template_are_evidence_against() -> None:
    other = STORM.replace("nine boats", "seven boats").replace("forty cellars", "sixty cellars").replace("Edda", "Olga")
    plain = explain(
        Article("one", STORM, lang="en"), Article("other", STORM + " Trains run.", lang="en"), detector="event"
    )
    found = explain(Article("one", STORM, lang="en"), Article("other", other, lang="en"), detector="event")
    assert {"slots_names", "slots_numbers"} <= names_of(found.reasons)
    assert found.overlap.forward < plain.overlap.forward


DETAILS = [
    ("Inflation in Oldmere rises to 3.4 percent", "Inflation in Oldmere rises to 4.2 percent", "counts_conflict",
     "3.4 / 4.2"),
    ("Inflation in Oldmere rises to 3.4 percent", "Inflation in Oldmere rises to 4.2 percent", "slots_numbers",
     "3.4 / 4.2"),
    ("Fire in Oldmere: 12 dead", "12 dead in Oldmere fire", "numbers_shared", "12"),
    ("Fire in Oldmere: 1,210 homes lost", "1,200 homes lost in Oldmere fire", "counts_near", "1,210 / 1,200"),
    ("Oldmere mayor resigns after vote", "Westbrook mayor resigns after vote", "names_apart", "Oldmere / Westbrook"),
    ("Oldmere mayor resigns after vote", "Westbrook mayor resigns after vote", "swapped", "Oldmere / Westbrook"),
    ("Council approves 12th package", "Council approves 13th package", "ordinals_apart", "12th / 13th"),
    ("Oldmere bank raises key rate", "Oldmere bank cuts key rate", "ways_conflict", "raises / cuts"),
    ("Brenner arrested in Oldmere over bribes", "Brenner sentenced in Oldmere over bribes", "ways_conflict",
     "arrested / sentenced"),
    ("Mill in Oldmere burned on 14 March", "Mill in Oldmere burned on 2 September", "dates_apart",
     "14 March / 2 September"),
    ("Mill in Oldmere burned on Monday", "On Monday a mill burned in Oldmere", "dates_shared", "Monday"),
]  # fmt: skip


@pytest.mark.parametrize(("one", "other", "name", "detail"), DETAILS)
def test_names_and_numbers_are_printed(one: str, other: str, name: str, detail: str) -> None:
    assert with_detail(name, detail) in reasons("en", one, other)
    turned = " / ".join(reversed(detail.split(" / ")))
    assert with_detail(name, turned) in reasons("en", other, one)


def test_numbers_are_not_claimed_where_days_differ() -> None:
    """ "different numbers between the same words" used to be printed for horoscopes without numbers."""
    one, other = (f"Horoscope for {day}: love and luck are with the moon" for day in ("Monday", "Tuesday"))
    assert "against: different numbers, days or months between the same words" in reasons("en", one, other)


def dated(id: str, text: str, day: int) -> Article:
    return Article(id, text, lang="en", published=f"2026-01-{day:02}T23:00:00Z")


@pytest.mark.parametrize("detector", ["event", "event(days=8)", "exhaustive(inner='event')"])
def test_articles_beyond_the_window_of_days_are_never_related(detector: str) -> None:
    """The header used to print "under 1 %" and the last line "29 %"."""
    found = explain(
        dated("a", "12 dead in Oldmere fire", 5), dated("b", "12 dead in Oldmere fire", 14), detector=detector
    )
    days = 8 if "days" in str(detector) else 7
    name = str(detector).partition("(")[0]
    never = f"{name} never relates articles more than {days} days apart"
    assert Ddd(days=8).days_limit == 8
    assert found.is_beyond_days and found.reasons == ()
    assert found.why == f"published 9 days apart; {never}"


def test_articles_at_the_end_of_the_window_are_compared() -> None:
    found = explain(dated("a", "12 dead in Oldmere fire", 5), dated("b", "Oldmere fire: 12 dead", 12), detector="event")
    assert not found.is_beyond_days and "against: published on different days (7 days apart)" in found.reasons


def collection() -> list[Article]:
    """News of many places, to calibrate on."""
    return [
        Article(f"{n}", f"Council of town{n} votes on bridge{n % 7} and road{n % 11} after storm{n % 13}", lang="en")
        for n in range(300)
    ]


def last_lines(one: str, other: str) -> tuple[Sequence[str], str, Event]:
    detector = Event().fit([prepare(collection())])
    found = explain(Article("a", one, lang="en"), Article("b", other, lang="en"), detector=detector)
    return found.reasons, detector.describe(found.overlap, "", ""), detector


def test_the_probability_is_printed_once_if_chance_changes_nothing() -> None:
    reasons, described, _ = last_lines(
        "Storm hits the pier of Oldmere", "Museum of Norsted shows the coins on the pier"
    )
    assert described.startswith("under 1 %")
    assert not any("%" in reason or "chance" in reason for reason in reasons)


def test_the_probability_before_and_after_allowing_for_chance() -> None:
    reasons, described, _ = last_lines("Storm hits the pier of Oldmere", "Pier of Oldmere damaged in storm")
    assert reasons[-2] == "against: among 300 articles, chance alone would produce such pairs"
    before, after = reasons[-1].removesuffix(" after allowing for chance among 300 articles").split(" before, ")
    assert described.startswith(after) and before != after


def test_wording_near_that_of_unrelated_articles_is_no_evidence() -> None:
    one, other = Article("one", STORM, lang="en"), Article("other", AGAIN, lang="en")
    (line,) = (reason for reason in explain(one, other, detector="event").reasons if "wording" in reason)
    assert line.startswith("for: wording ") and " % alike; unrelated articles reach about " in line
    words = [f"wor{chr(97 + n % 26)}{chr(97 + n // 26)}d" for n in range(95)]
    for shared, side in (
        ("harbour", "against: wording "),
        ("harbour storm boats mayor ferries gravel volunteers sandbags", "wording "),
    ):
        far = Article("far", " ".join(words) + " " + shared, lang="en")
        reasons = explain(one, far, detector="event").reasons
        assert any(reason.startswith(side) for reason in reasons), reasons


def test_the_threshold_is_the_reason_where_it_is() -> None:
    """ "too little in common" used to be printed above 48 %."""
    pair = (
        Article("a", "Storm damages the pier of Oldmere", lang="en"),
        Article("b", "Pier of Oldmere damaged in storm", lang="en"),
    )
    assert 0.5 < explain(*pair, detector="event").overlap.forward < 0.995
    assert explain(*pair, detector="event(threshold=0.995)").why == "below the threshold of 99.5 %"


@pytest.mark.parametrize(
    ("language", "one", "other"),
    [
        ("en", "The mill by the lake burned on Monday", "Fire on Monday destroys the mill by the lake"),
        ("tr", "Göldeki fabrika geçen Pazartesi yandı", "Yangın geçen Pazartesi göldeki fabrikayı yok etti"),
    ],
)
def test_days_and_months_are_no_names_in_common(language: str, one: str, other: str) -> None:
    assert "names_shared" not in names_of(reasons(language, one, other))


def test_days_and_months_are_no_other_names() -> None:
    found = reasons(
        "en", "In March prices rose by three percent in Oldmere", "In July prices rose by three percent in Oldmere"
    )
    assert "against: each names a day or month that the other lacks (March / July)" in found
    assert not names_of(found) & {"names_apart", "swapped", "slots_names"}
    assert "for: names in common (Oldmere)" in found


ARRESTED = (
    "Karl Brenner, the former mayor of Eastholm, was arrested on suspicion of taking bribes from builders. Police "
    "searched his house by the lake and took away files. Brenner led the town for nine years, and his lawyer said "
    "that he denies everything. The harbour permits are at the centre of the case, which began with a letter from a "
    "mason. Builders had waited for years for permits in the harbour district, and some of them paid, the "
    "prosecutor said. The council met in the evening and asked the deputy to lead the town for the time being. A "
    "bank has closed two accounts that belonged to the family. Neighbours spoke of a quiet man who loved his boat. "
    "The party of the mayor did not want to comment on the case before it had read the files, and the opposition "
    "called for an election in spring."
)
SENTENCED = (
    "A court sentenced Karl Brenner, once the mayor of Eastholm, for bribes paid by builders who wanted permits in "
    "the harbour district. The judge said that he had abused his office for years; the lawyer will appeal. The case "
    "began with a letter that a mason wrote to the prosecutor, and files found in the house by the lake proved the "
    "payments. Brenner denies everything. He was head of the town for nine years. His party expelled him before the "
    "trial, and the opposition won the election in spring. Two accounts of the family remain closed by the bank. "
    "Some builders testified that they had waited for years and paid in the end. The deputy who has led the council "
    "since then said that the town wants the money back. In the court room, neighbours spoke of his boat, which has "
    "been sold to pay the costs."
)


def test_differences_that_do_not_count_between_whole_articles_are_printed() -> None:
    found = reasons("en", ARRESTED, SENTENCED)
    words = "against: opposite acts or stages (arrested / sentenced); not counted in articles of different wording"
    assert words in found


def test_a_reason_is_a_value_with_a_side() -> None:
    reason = Reason("against", "opposite acts")
    assert pickle.loads(pickle.dumps(reason)) == reason == "against: opposite acts"
    assert (pickle.loads(pickle.dumps(reason)).side, reason.with_detail("up / down").words) == (
        "against",
        "opposite acts (up / down)",
    )
    assert {type(each) for each in REASONS.values()} == {Reason}
