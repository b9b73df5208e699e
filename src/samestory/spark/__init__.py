"""The same relations and groups on Apache Spark (the extra `samestory[spark]`)."""

from samestory.spark.api import find, frame_of_groups, group, job, relate
from samestory.spark.job import Job
from samestory.spark.lines import group_lines
from samestory.spark.reading import Input
from samestory.spark.session import session

__all__ = [
    "Input",
    "Job",
    "find",
    "frame_of_groups",
    "group",
    "group_lines",
    "job",
    "relate",
    "session",
]
