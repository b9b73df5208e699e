"""Query-result sets: the first results of every query are a list, which assessors group into sets of duplicates.

Lists without duplicates are kept: they measure false alarms. Results beyond the first ones are invisible. (Conrad 2006)
[conrad2006]
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from itertools import islice

from samestory.archive import Archive
from samestory.archive.search import search_ids
from samestory.errors import ParameterError
from samestory.lab.collection.answers import Shape
from samestory.lab.collection.collection import Collection, NewItem, add_items, check_article_ids, record_run
from samestory.lab.evaluation.jsonlines import lenient_lines

#: Results judged per query; queries with fewer are skipped.
TOP = 20


def add_lists(collection: Collection, results: Mapping[str, Sequence[str]], name: str, top: int = TOP) -> list[str]:
    """Add the first results of queries as lists; returns the queries with too few results."""
    if collection.shape is not Shape.LIST:
        raise ParameterError(f"this collection has the protocol {collection.protocol!r}, not 'queries'")
    if top < 2:
        raise ParameterError(f"top: expected 2 or more, got {top}")
    too_few = [query for query, ids in results.items() if len(dict.fromkeys(ids)) < top]
    wanted = [
        NewItem(tuple(islice(dict.fromkeys(ids), top)), query=query)
        for query, ids in results.items()
        if query not in too_few
    ]
    check_article_ids(collection, (id for each in wanted for id in each.articles))
    with collection.database.write() as session:
        run = record_run(session, name, f"first {top}", len(wanted))
        add_items(session, Shape.LIST, wanted, run)
    return too_few


def read_lists(path: str, known: Container[str]) -> tuple[dict[str, list[str]], list[str]]:
    """Read results from a file of lines `{"query": …, "results": [ids]}`; returns also an error per rejected line."""
    out: dict[str, list[str]] = {}
    broken = []
    for number, line in lenient_lines(path):
        if isinstance(line, str):
            broken.append(f"{path}:{number}: {line}")
            continue
        query, results = line.get("query"), line.get("results")
        if not isinstance(query, str) or not isinstance(results, list):
            broken.append(f"{path}:{number}: expected a query and its results (ids)")
        elif query in out:
            broken.append(f"{path}:{number}: the query {query!r} occurs twice")
        elif absent := [id for id in map(str, results) if id not in known]:
            broken.append(f"{path}:{number}: no article has the id {absent[0]!r}")
        else:
            out[query] = [str(id) for id in results]
    return out, broken


def search_lists(collection: Collection, archive: Archive, queries: Iterable[str], top: int = TOP) -> list[str]:
    """Search an archive, and add the newest matching articles as lists; returns the queries with too few results.

    Results are not grouped by story: finding repetitions among them is the task of the assessors.
    """
    results = {query: search_ids(archive.database, query, top) for query in queries}
    wanted = {id for ids in results.values() for id in ids}
    collection.add_articles(each.article for each in archive.articles(wanted).values())
    return add_lists(collection, results, archive.database.name, top)
