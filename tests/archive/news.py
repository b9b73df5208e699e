"""Generated news for archives: stories that are copied, changed and reworded."""

from __future__ import annotations

from random import Random
from typing import Any

from tests.news import SENTENCES

#: Reworded headlines of one event.
FIRE = [
    "Fire destroys historic mill in Oldmere",
    "Oldmere's historic mill destroyed by fire",
    "Historic mill in Oldmere destroyed in a fire",
]


def story(seed: int, sentences: int = 6) -> str:
    """Return a unique text: common sentences, each with a number and names that no other text has."""
    random = Random(seed)
    chosen = [random.choice(SENTENCES) for _ in range(sentences)]
    return " ".join(f"{sentence} {random.randrange(10**6)} {names(random)}." for sentence in chosen)


def names(random: Random, count: int = 6) -> str:
    """Return words that are in no other text."""
    return " ".join("".join(random.choices("abcdefghijklmnoprstuvyz", k=7)).title() for _ in range(count))


def item(id: str, text: str, day: int = 2, **more: Any) -> dict[str, Any]:
    """Return an article as a mapping."""
    return {"id": id, "text": text, "published": f"2026-03-{day:02}T08:00:00Z", "lang": "en", **more}


def news(seed: int, count: int) -> list[dict[str, Any]]:
    """Return articles of which many repeat others, in full or in part, in random order."""
    random = Random(seed)
    texts = [story(seed * 1000 + number) for number in range(max(1, count // 4))]
    out = []
    for number in range(count):
        text = random.choice(texts)
        if random.random() < 0.4:
            text = f"{text} {story(random.randrange(10**9), random.randrange(1, 4))}"
        elif random.random() < 0.3:
            text = text[: len(text) // 2]
        source = random.choice(["Post", "Herald", "Haber", ""])
        out.append(item(f"s{seed}-{number}", text, random.randrange(1, 8), title=text[:40], source=source))
    return out
