"""Relations to groups, each with its certificate; and what people decided about pairs."""

from samestory.groups.decisions import Decisions
from samestory.groups.groups import METHODS, POLICIES, Choice, group, rows_to_groups

__all__ = ["METHODS", "POLICIES", "Choice", "Decisions", "group", "rows_to_groups"]
