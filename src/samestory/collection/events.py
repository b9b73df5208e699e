"""Labels that came with the articles: any set of news with a group for every article. (Fomin 2017) [fomin2017]"""

from __future__ import annotations

from collections import defaultdict

from samestory.collection.answers import Shape
from samestory.collection.collection import Collection, Wanted, check_known, note_run, put
from samestory.errors import InputError
from samestory.lab.gold import GoldGroups, read_gold


def take_events(collection: Collection, path: str) -> int:
    """Takes groups from a file of lines `{"id": …, "cluster": …}`; gives how many groups there are."""
    gold = read_gold(path, collection.relation)
    if not isinstance(gold, GoldGroups):
        raise InputError(f"{path}: groups (id, cluster) are wanted")
    groups: dict[str, list[str]] = defaultdict(list)
    for id, cluster in zip(gold.articles, gold.groups, strict=True):
        groups[cluster].append(id)
    check_known(collection, gold.articles)
    days = dict(zip(gold.articles, gold.columns.get("day", [None] * len(gold)), strict=True))
    with collection.database.write() as session:
        run = note_run(session, "labels", path, len(groups))
        put(session, Shape.LIST, [Wanted(tuple(ids), query=name) for name, ids in groups.items()], run, "given")
        for name, ids in groups.items():
            day = days.get(ids[0])
            if day is not None:
                session.run("UPDATE items SET team = ? WHERE role = 'given' AND query = ?", (str(day), name))
    return len(groups)
