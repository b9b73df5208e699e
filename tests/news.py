"""Small invented news and random variations of them, for tests that need many related articles."""

from __future__ import annotations

from random import Random

from hypothesis import strategies as st

from samestory import Article

#: Sentences that articles are put together from: long enough to share shingles, with figures, days and names in some.
SENTENCES = (
    "The harbour council of Oldmere voted on Monday to rebuild the wooden pier before the winter storms arrive.",
    "Workers will replace 240 planks and the cost is put at 1.5 million crowns by the harbour engineer.",
    "Fishermen had asked for the repair since two boats broke loose in March and drifted onto the rocks.",
    "Mayor Lena Brandt said that the town could not wait for another season of promises from the capital.",
    "The old lighthouse keeper remembers how the first pier was carried away by the flood when he was a boy.",
    "A second tender will be opened in September for the stone wall that shelters the small boats.",
    "Local schools collected 3,200 crowns for a bench that will carry the names of the lost crew.",
    "The opposition wants an inquiry because the last repair cost 20% more than the council had planned.",
    "Kuzey limanında onarım 12 Nisan Salı günü başladı ve işçiler gece yarısına kadar çalıştı.",
    "Belediye başkanı yeni iskelenin İstanbul'daki örneğine göre yapılacağını ve 85 gün süreceğini söyledi.",
    "Старый причал закроют до конца ноября, а паром будет ходить от южной пристани каждые 40 минут.",
    "Жители посёлка собрали подписи за то, чтобы деревянный причал восстановили к весне.",
)

SOURCES = (None, "Oldmere Post", "oldmere post ", "The Coast")
DATES = (None, "2026-03-02", "2026-03-02T08:00:00Z", "2026-03-05T18:30:00+03:00", "not a date")

_edits = st.lists(st.tuples(st.integers(0, 60), st.sampled_from(["new", "7", "Friday", "Anna", ""])), max_size=3)
_bodies = st.lists(st.integers(0, len(SENTENCES) - 1), max_size=7)


def body(picked: list[int], edits: list[tuple[int, str]]) -> str:
    """Sentences, some words of which were exchanged (or left out)."""
    words = " ".join(SENTENCES[at] for at in picked).split(" ")
    for at, word in edits:
        words[at % len(words)] = word
    return " ".join(words)


@st.composite
def corpora(draw: st.DrawFn, most: int = 10) -> list[Article]:
    """Articles many of which share sentences: new ones and, more often, earlier ones edited and continued.

    Some are empty, some are in capitals in part; sources and dates are few, so that there are updates.
    """
    parts = draw(st.lists(st.tuples(_bodies, _edits, st.booleans(), st.integers(-2, 4)), min_size=1, max_size=most))
    out: list[Article] = []
    bodies: list[list[int]] = []
    for number, (picked, edits, loud, earlier) in enumerate(parts):
        if bodies and earlier >= 0:
            picked = bodies[earlier % len(bodies)] + picked[:2]
        bodies.append(picked)
        text = body(picked, edits)
        out.append(
            Article(
                f"a{number}",
                text.replace("i", "I") if loud else text,
                published=draw(st.sampled_from(DATES)),
                source=draw(st.sampled_from(SOURCES)),
                lang=draw(st.sampled_from([None, None, "en", "tr"])),
            )
        )
    return out


def plain_words(count: int, prefix: str) -> str:
    """So many different words that no other prefix has."""
    return " ".join(f"{prefix}{number}x" for number in range(count))


def short_reports(count: int, seed: int = 3) -> list[dict[str, str]]:
    """Items of random words; most events are reported twice, and a third of the items has no table of words."""
    syllables = ("bor", "kal", "mer", "tun", "vel", "zar", "dig", "fos", "hup", "jil", "nep", "ras", "sov", "wim")
    out = []
    for number in range(count):
        event = number // 2
        of_event = Random(f"{seed} {event if number % 5 else -number}")
        words = ["".join(of_event.choices(syllables, k=4)) for _ in range(9)]
        if number % 2:
            of_event.shuffle(words)
        row = {"id": f"r{number}", "title": " ".join(words[:8]).capitalize(), "text": " ".join(words[2:])}
        out.append(row | {"published": f"2026-03-{1 + event % 28:02}", "lang": "eu" if event % 3 == 0 else "en"})
    Random(seed).shuffle(out)
    return out
