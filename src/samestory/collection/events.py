"""Labels that came with the articles: any set of news with a group for every article. (Fomin 2017) [fomin2017]"""

from __future__ import annotations

from collections import Counter, defaultdict

from samestory.collection.answers import Shape
from samestory.collection.collection import Collection, Wanted, note_run, put
from samestory.errors import ParameterError
from samestory.lab.jsonlines import lenient_lines


def take_events(collection: Collection, path: str) -> tuple[int, list[str]]:
    """Takes groups from a file of lines `{"id": …, "cluster": …, "day": …}`; days have groups of their own.

    Gives how many groups there are, and the lines that could not be taken. Where none could, old labels stay.
    """
    if collection.protocol != "events":
        raise ParameterError(f"this collection is made by the protocol {collection.protocol!r}, not by 'events'")
    known = collection.categories()
    groups: dict[tuple[str | None, str], list[str]] = defaultdict(list)
    broken, seen = list[str](), set[str]()
    for number, line in lenient_lines(path):
        if isinstance(line, str):
            broken.append(f"{path}:{number}: {line}")
        elif line.get("id") is None or line.get("cluster") is None:
            broken.append(f"{path}:{number}: an id and a cluster are wanted")
        elif (id := str(line["id"])) not in known or id in seen:
            why = "was read before" if id in seen else "is that of no article"
            broken.append(f"{path}:{number}: the id {id!r} {why}")
        else:
            seen.add(id)
            day = line.get("day")
            groups[None if day is None else str(day), str(line["cluster"])].append(id)
    if not groups:
        return 0, broken
    names = Counter(name for _, name in groups)
    with collection.database.write() as session:
        # labels that come again stand for the old ones
        session.run("DELETE FROM items WHERE role = 'given'")
        run = note_run(session, "labels", path, len(groups))
        wanted = [
            Wanted(tuple(ids), query=name if names[name] == 1 or day is None else f"{day} {name}", team=day)
            for (day, name), ids in groups.items()
        ]
        put(session, Shape.LIST, wanted, run, "given")
    return len(groups), broken
