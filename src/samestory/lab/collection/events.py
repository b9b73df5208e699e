"""Existing labels: a cluster for every article, as in published news collections. (Fomin 2017) [fomin2017]"""

from __future__ import annotations

from collections import Counter, defaultdict

from samestory.errors import ParameterError
from samestory.lab.collection.answers import Shape
from samestory.lab.collection.collection import Collection, NewItem, add_items, record_run
from samestory.lab.evaluation.jsonlines import lenient_lines


def import_labels(collection: Collection, path: str) -> tuple[int, list[str]]:
    """Import clusters from a file of lines `{"id": …, "cluster": …, "day": …}`; clusters are distinct per day.

    Returns the number of clusters, and an error per rejected line. If all are rejected, existing labels stay.
    """
    if collection.protocol != "events":
        raise ParameterError(f"this collection has the protocol {collection.protocol!r}, not 'events'")
    known = collection.categories()
    groups: dict[tuple[str | None, str], list[str]] = defaultdict(list)
    broken, seen = list[str](), set[str]()
    for number, line in lenient_lines(path):
        if isinstance(line, str):
            broken.append(f"{path}:{number}: {line}")
        elif line.get("id") is None or line.get("cluster") is None:
            broken.append(f"{path}:{number}: expected an id and a cluster")
        elif (id := str(line["id"])) not in known or id in seen:
            why = "occurs twice" if id in seen else "is not in the collection"
            broken.append(f"{path}:{number}: the id {id!r} {why}")
        else:
            seen.add(id)
            day = line.get("day")
            groups[None if day is None else str(day), str(line["cluster"])].append(id)
    if not groups:
        return 0, broken
    names = Counter(name for _, name in groups)
    with collection.database.write() as session:
        # new labels replace the old ones
        session.run("DELETE FROM items WHERE role = 'given'")
        run = record_run(session, "labels", path, len(groups))
        wanted = [
            NewItem(tuple(ids), query=name if names[name] == 1 or day is None else f"{day} {name}", team=day)
            for (day, name), ids in groups.items()
        ]
        add_items(session, Shape.LIST, wanted, run, "given")
    return len(groups), broken
