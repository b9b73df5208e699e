"""Controls: items among the work whose answer nobody can miss, and nobody is told which they are.

Of pairs, an article beside itself, or two of one language that have no word of more than four letters in common. Of
clusters, an article beside a stranger and its own copy, or beside strangers only. Of lists, what a search for words of
an article's headline could give, with an exact copy of that article and a stranger planted in it: the copy belongs into
the article's set, the stranger into none, and what is done with the others is not looked at.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice
from random import Random

from samestory.collection.answers import Shape
from samestory.collection.collection import Collection, Wanted, put
from samestory.collection.people import hashed
from samestory.database import Session
from samestory.model import Article

#: Strangers are sought among so many articles for each that is wanted, and by so many tries.
AMONG, TRIES = 4, 50
#: A word of fewer letters has no weight.
WEIGHT = 5
#: So many words of a headline are searched for.
SEARCHED = 2


def make_controls(collection: Collection, session: Session, random: Random, wanted: int) -> int:
    """Makes so many controls, if there are articles that are different enough; gives how many were made."""
    ids = [id for (id,) in session.rows("SELECT id FROM articles WHERE planted = 0 ORDER BY number")]
    size = _usual_size(session) if collection.shape is Shape.LIST else 0
    sample = random.sample(ids, min(len(ids), max(AMONG * wanted, 10 * size)))
    seen = _Articles(collection, sample, random)
    if collection.shape is Shape.LIST:
        found = _lists(collection, session, seen, size)
    else:
        found = _clusters(seen) if collection.shape is Shape.CLUSTER else _pairs(collection, session, seen)
    made = list(islice(found, wanted))
    put(session, collection.shape, made, role="control")
    return len(made)


def all_controls(session: Session) -> list[int]:
    """All there are, by number."""
    return [number for (number,) in session.rows("SELECT number FROM items WHERE role = 'control' ORDER BY number")]


def is_right(known: str | None, answer: str) -> bool:
    """Whether the answer to a control is what nobody can miss."""
    if known is None or not known.startswith("{"):
        return answer == known
    wanted, home = json.loads(known), {id: at for at, own in enumerate(json.loads(answer)) for id in own}
    one, copy = wanted["same"]
    return home.get(one, -1) == home.get(copy, -2) and not any(id in home for id in wanted["alone"])


class _Articles:
    """Some articles, and which of them have nothing in common."""

    def __init__(self, collection: Collection, ids: Sequence[str], random: Random) -> None:
        found = collection.articles(ids)
        self.random = random
        self.texts: dict[str, Article] = {id: found[id] for id in ids}
        self.bags = {
            id: {word for word in each.text.casefold().split() if len(word) >= WEIGHT}
            for id, each in self.texts.items()
        }
        self.ids = [id for id in ids if self.bags[id]]
        # of one event in two languages no word is the same
        self._by_day = collection.relation in ("semantic", "same")

    def strange(self, one: str, other: str) -> bool:
        """Can nobody take these two for the same?"""
        here, there = self.texts[one], self.texts[other]
        if one == other or here.lang != there.lang or (self._by_day and here.published == there.published):
            return False
        return not self.bags[one] & self.bags[other]

    def stranger(self, to: Sequence[str]) -> str | None:
        """One that has nothing in common with any of these."""
        drawn = (self.random.choice(self.ids) for _ in range(TRIES if self.ids else 0))
        return next((id for id in drawn if all(self.strange(id, each) for each in to)), None)


def _pairs(collection: Collection, session: Session, seen: _Articles) -> Iterator[Wanted]:
    same, other = ("yes", "no") if collection.meaning.symmetric else ("both", "none")
    pooled = {tuple(json.loads(ids)) for (ids,) in session.rows("SELECT articles FROM items WHERE role = 'work'")}
    for at, id in enumerate(seen.ids):
        if at % 2 == 0:
            yield Wanted((id, id), known=same)
        elif (far := seen.stranger([id])) and tuple(sorted((id, far))) not in pooled:
            yield Wanted((id, far), known=other)


def _clusters(seen: _Articles) -> Iterator[Wanted]:
    for at, id in enumerate(seen.ids):
        far = seen.stranger([id])
        if at % 2 == 0:
            yield Wanted((id, far, id) if far else (id, id), known="yes")
        elif far:
            more = seen.stranger([id, far])
            yield Wanted((id, far, more) if more else (id, far), known="no")


def _lists(collection: Collection, session: Session, seen: _Articles, size: int) -> Iterator[Wanted]:
    if len(seen.ids) < size:
        return
    for id in seen.ids:
        searched = _searched(seen.texts[id])
        order = seen.random.sample(seen.ids, len(seen.ids))
        found = sorted(order, key=lambda each: -len(searched & set(seen.texts[each].text.casefold().split())))
        others = [each for each in found if each != id][: size - 2]
        # it stands for the last of them
        if far := seen.stranger([id, *others[:-1]]):
            others = [*others[:-1], far]
        copy = _planted(collection, session, id)
        results = seen.random.sample([id, copy, *others], len(others) + 2)
        known = json.dumps({"same": [id, copy], "alone": [far] if far else []}, ensure_ascii=False)
        yield Wanted(tuple(results), query=" ".join(sorted(searched)), known=known)


def _searched(article: Article) -> set[str]:
    """Words that somebody could search for who looks for this article."""
    words = {word.strip(".,:;!?\"'()«»“”") for word in (article.title or article.text[:300]).casefold().split()}
    return set(sorted(words, key=lambda word: (-len(word), word))[:SEARCHED])


def _planted(collection: Collection, session: Session, id: str) -> str:
    """The copy of an article that stands in controls and nowhere else."""
    copy = f"control-{hashed(f'{collection.seed} {id}')[:16]}"
    if not session.one("SELECT 1 FROM articles WHERE id = ?", (copy,)):
        session.run(
            "INSERT INTO articles (id, text, title, published, url, source, lang, category, planted)"
            " SELECT ?, text, title, published, url, source, lang, NULL, 1 FROM articles WHERE id = ?",
            (copy, id),
        )
    return copy


def _usual_size(session: Session) -> int:
    """How many results most lists have."""
    rows = session.rows("SELECT articles FROM items WHERE role = 'work'")
    sizes = Counter(len(json.loads(articles)) for (articles,) in rows)
    return max(4, sizes.most_common(1)[0][0]) if sizes else 4
