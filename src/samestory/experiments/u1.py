"""U1: how many words around a named entity make a signature."""

from __future__ import annotations

from samestory.experiments.experiment import Experiment
from samestory.experiments.values import Published

#: Method: clusters and articles that it calls duplicates, among 10,000.
FOUND = {
    "I-Match": (527, 1075),
    "1NE1": (595, 1234),
    "2NE2": (577, 1191),
    "3NE3": (556, 1141),
    "4NE4": (542, 1112),
    "5NE5": (528, 1083),
    "6NE6": (528, 1082),
    "7NE7": (528, 1082),
}

EXPERIMENT = Experiment(
    name="U1",
    title="words before and after a named entity, 1 to 7",
    study="uyar2009",
    place="Table 4.1",
    relation="near",
    key="duplicates fall from 1,234 to 1,083 at 5NE5 and stay; I-Match 1,075",
    published=tuple(
        Published(f"{method}, {what}", value, "count")
        for method, values in FOUND.items()
        for what, value in zip(("clusters", "articles"), values, strict=True)
    ),
    docs="must",
    methods={"I-Match": "imatch-idf", "pNEs": "tweezer"},
    components=("entities",),
)
