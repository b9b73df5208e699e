"""Controls: items with an obvious answer, hidden among the work to check attention.

Pairs: an article with itself, or two of one language that share no word of more than four letters (unrelated).
Clusters: an article with an unrelated one and its own copy, or with unrelated ones only. Lists: possible results of a
search for words of an article's headline, with an exact copy of that article and an unrelated one planted in it: the
copy belongs in the article's set, the unrelated one in none, and the others are not checked.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice
from random import Random

from samestory.database import Session
from samestory.lab.collection.answers import Shape
from samestory.lab.collection.collection import Collection, NewItem, add_items
from samestory.lab.collection.people import sha256_hex
from samestory.model import Article

#: Sample size per control, and random draws per unrelated article.
SAMPLE_PER_CONTROL, MAX_DRAWS = 4, 50
#: Shorter words are ignored.
MIN_WORD_CHARS = 5
#: Words of a headline in the query of a control.
QUERY_WORDS = 2


def make_controls(collection: Collection, session: Session, random: Random, wanted: int) -> int:
    """Add controls, at most `wanted` and as many as there are unrelated articles for; returns their number."""
    ids = [id for (id,) in session.rows("SELECT id FROM articles WHERE planted = 0 ORDER BY number")]
    size = _usual_size(session) if collection.shape is Shape.LIST else 0
    drawn = random.sample(ids, min(len(ids), max(SAMPLE_PER_CONTROL * wanted, 10 * size)))
    sample = _Sample(collection, drawn, random)
    if collection.shape is Shape.LIST:
        found = _lists(collection, session, sample, size)
    else:
        found = _clusters(sample) if collection.shape is Shape.CLUSTER else _pairs(collection, session, sample)
    made = list(islice(found, wanted))
    add_items(session, collection.shape, made, role="control")
    return len(made)


def all_controls(session: Session) -> list[int]:
    """Return the item numbers of all controls."""
    return [number for (number,) in session.rows("SELECT number FROM items WHERE role = 'control' ORDER BY number")]


def is_correct(known: str | None, answer: str) -> bool:
    """Return whether the answer to a control is correct."""
    if known is None or not known.startswith("{"):
        return answer == known
    wanted, set_of = json.loads(known), {id: at for at, own in enumerate(json.loads(answer)) for id in own}
    one, copy = wanted["same"]
    return set_of.get(one, -1) == set_of.get(copy, -2) and not any(id in set_of for id in wanted["alone"])


class _Sample:
    """A random sample of articles, and which of them are unrelated."""

    def __init__(self, collection: Collection, ids: Sequence[str], random: Random) -> None:
        found = collection.articles(ids)
        self.random = random
        self.texts: dict[str, Article] = {id: found[id] for id in ids}
        self.bags = {
            id: {word for word in each.text.casefold().split() if len(word) >= MIN_WORD_CHARS}
            for id, each in self.texts.items()
        }
        self.ids = [id for id in ids if self.bags[id]]
        # reports of one event may share no word
        self._by_day = collection.relation in ("semantic", "same")

    def are_unrelated(self, one: str, other: str) -> bool:
        """Return whether two articles share no long word, and no day if the relation is about events."""
        here, there = self.texts[one], self.texts[other]
        if one == other or here.lang != there.lang or (self._by_day and here.published == there.published):
            return False
        return not self.bags[one] & self.bags[other]

    def find_unrelated(self, to: Sequence[str]) -> str | None:
        """Return a random article that is unrelated to all of these; None if no draw succeeds."""
        drawn = (self.random.choice(self.ids) for _ in range(MAX_DRAWS if self.ids else 0))
        return next((id for id in drawn if all(self.are_unrelated(id, each) for each in to)), None)


def _pairs(collection: Collection, session: Session, sample: _Sample) -> Iterator[NewItem]:
    same, other = ("yes", "no") if collection.meaning.symmetric else ("both", "none")
    pooled = {tuple(json.loads(ids)) for (ids,) in session.rows("SELECT articles FROM items WHERE role = 'work'")}
    for at, id in enumerate(sample.ids):
        if at % 2 == 0:
            yield NewItem((id, id), known=same)
        elif (far := sample.find_unrelated([id])) and tuple(sorted((id, far))) not in pooled:
            yield NewItem((id, far), known=other)


def _clusters(sample: _Sample) -> Iterator[NewItem]:
    for at, id in enumerate(sample.ids):
        far = sample.find_unrelated([id])
        if at % 2 == 0:
            yield NewItem((id, far, id) if far else (id, id), known="yes")
        elif far:
            more = sample.find_unrelated([id, far])
            yield NewItem((id, far, more) if more else (id, far), known="no")


def _lists(collection: Collection, session: Session, sample: _Sample, size: int) -> Iterator[NewItem]:
    if len(sample.ids) < size:
        return
    for id in sample.ids:
        searched = _query_words(sample.texts[id])
        order = sample.random.sample(sample.ids, len(sample.ids))
        found = sorted(order, key=lambda each: -len(searched & set(sample.texts[each].text.casefold().split())))
        others = [each for each in found if each != id][: size - 2]
        # it replaces the last of them
        if far := sample.find_unrelated([id, *others[:-1]]):
            others = [*others[:-1], far]
        copy = _planted(collection, session, id)
        results = sample.random.sample([id, copy, *others], len(others) + 2)
        known = json.dumps({"same": [id, copy], "alone": [far] if far else []}, ensure_ascii=False)
        yield NewItem(tuple(results), query=" ".join(sorted(searched)), known=known)


def _query_words(article: Article) -> set[str]:
    """Return the longest words of the headline, as a query for this article."""
    words = {word.strip(".,:;!?\"'()«»“”") for word in (article.title or article.text[:300]).casefold().split()}
    return set(sorted(words, key=lambda word: (-len(word), word))[:QUERY_WORDS])


def _planted(collection: Collection, session: Session, id: str) -> str:
    """Return the id of the planted copy of an article, which exists only in controls; create it if necessary."""
    copy = f"control-{sha256_hex(f'{collection.seed} {id}')[:16]}"
    if not session.one("SELECT 1 FROM articles WHERE id = ?", (copy,)):
        session.run(
            "INSERT INTO articles (id, text, title, published, url, source, lang, category, planted)"
            " SELECT ?, text, title, published, url, source, lang, NULL, 1 FROM articles WHERE id = ?",
            (copy, id),
        )
    return copy


def _usual_size(session: Session) -> int:
    """Return the most frequent length of the lists, at least 4."""
    rows = session.rows("SELECT articles FROM items WHERE role = 'work'")
    sizes = Counter(len(json.loads(articles)) for (articles,) in rows)
    return max(4, sizes.most_common(1)[0][0]) if sizes else 4
