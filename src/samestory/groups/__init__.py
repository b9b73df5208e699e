"""Groups of related articles, each with its certificate; and decisions about pairs."""

from samestory.groups.decisions import Decisions
from samestory.groups.groups import (
    METHODS,
    REPRESENTATIVES,
    GroupingOptions,
    check_min_size,
    group,
    group_relations,
    rows_to_groups,
)

__all__ = [
    "METHODS",
    "REPRESENTATIVES",
    "Decisions",
    "GroupingOptions",
    "check_min_size",
    "group",
    "group_relations",
    "rows_to_groups",
]
