"""Controls: items among the work whose answer nobody can miss, and nobody is told which they are."""

from __future__ import annotations

import json
from itertools import combinations
from random import Random

from samestory.collection.answers import Shape
from samestory.collection.collection import Collection, Wanted, put
from samestory.database import Session

#: So many controls at most, of which everyone gets others.
MOST = 400


def controls(collection: Collection, session: Session, random: Random, work: int, share: float) -> list[int]:
    """Items whose answer nobody can miss: an article beside itself, and two that have no word of weight in common."""
    if collection.shape is not Shape.PAIR:
        return []
    many = max(2, min(MOST, round(work * share)))
    ids = [id for (id,) in session.rows("SELECT id FROM articles ORDER BY number")]
    same, other = ("yes", "no") if collection.meaning.symmetric else ("both", "none")
    texts = collection.articles(random.sample(ids, min(len(ids), 4 * many)))
    bags = {id: {word for word in each.text.casefold().split() if len(word) > 4} for id, each in texts.items()}
    wanted = [Wanted((id, id), known=same) for id in list(bags)[: many // 2] if bags[id]]
    pooled = {tuple(json.loads(ids)) for (ids,) in session.rows("SELECT articles FROM items WHERE role = 'work'")}
    for one, two in combinations(list(bags)[many // 2 :], 2):
        if len(wanted) >= many:
            break
        if bags[one] and bags[two] and not bags[one] & bags[two] and tuple(sorted((one, two))) not in pooled:
            # of one event in two languages no word is the same
            if collection.relation in ("semantic", "same") and texts[one].published == texts[two].published:
                continue
            if texts[one].lang == texts[two].lang:
                wanted.append(Wanted((one, two), known=other))
    put(session, Shape.PAIR, wanted, role="control")
    return [number for (number,) in session.rows("SELECT number FROM items WHERE role = 'control' ORDER BY number")]
