"""The same relations and groups on Apache Spark (the extra `samestory[spark]`)."""

from samestory.spark.job import Job
from samestory.spark.lines import group_lines, relation_lines
from samestory.spark.reading import Input
from samestory.spark.session import session

__all__ = ["Input", "Job", "group_lines", "relation_lines", "session"]
