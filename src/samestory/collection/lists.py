"""Query-result sets: the first results of every query are a list, which assessors put into sets of duplicates.

Lists without duplicates stay: they tell false alarms. What stands beyond the first results is invisible. (Conrad 2006)
[conrad2006]
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from itertools import islice

from samestory.archive import Archive
from samestory.archive.search import hits
from samestory.collection.answers import Shape
from samestory.collection.collection import Collection, Wanted, check_known, note_run, put
from samestory.errors import ParameterError
from samestory.lab.jsonlines import lenient_lines

#: Results of a query that are judged; a query with fewer is passed over.
TOP = 20


def take_lists(collection: Collection, results: Mapping[str, Sequence[str]], name: str, top: int = TOP) -> list[str]:
    """Takes the first results of queries as lists; gives the queries that have too few."""
    if collection.shape is not Shape.LIST:
        raise ParameterError(f"this collection is made by the protocol {collection.protocol!r}, not by 'queries'")
    if top < 2:
        raise ParameterError(f"top: 2 or more are wanted, got {top}")
    few = [query for query, ids in results.items() if len(dict.fromkeys(ids)) < top]
    wanted = [
        Wanted(tuple(islice(dict.fromkeys(ids), top)), query=query)
        for query, ids in results.items()
        if query not in few
    ]
    check_known(collection, (id for each in wanted for id in each.articles))
    with collection.database.write() as session:
        run = note_run(session, name, f"first {top}", len(wanted))
        put(session, Shape.LIST, wanted, run)
    return few


def read_lists(path: str, known: Container[str]) -> tuple[dict[str, list[str]], list[str]]:
    """Results from a file of lines `{"query": …, "results": [ids]}`; and the lines that could not be taken."""
    out: dict[str, list[str]] = {}
    broken = []
    for number, line in lenient_lines(path):
        if isinstance(line, str):
            broken.append(f"{path}:{number}: {line}")
            continue
        query, results = line.get("query"), line.get("results")
        if not isinstance(query, str) or not isinstance(results, list):
            broken.append(f"{path}:{number}: a query and its results (ids) are wanted")
        elif query in out:
            broken.append(f"{path}:{number}: the query {query!r} was read before")
        elif absent := [id for id in map(str, results) if id not in known]:
            broken.append(f"{path}:{number}: no article has the id {absent[0]!r}")
        else:
            out[query] = [str(id) for id in results]
    return out, broken


def search_lists(collection: Collection, archive: Archive, queries: Iterable[str], top: int = TOP) -> list[str]:
    """Asks an archive, and takes the newest articles that answer into the collection; gives queries with too few.

    Results are unfolded: which of them repeat each other is what is asked.
    """
    results = {query: hits(archive.database, query, top) for query in queries}
    wanted = {id for ids in results.values() for id in ids}
    collection.take(each.article for each in archive.articles(wanted).values())
    return take_lists(collection, results, archive.database.name, top)
