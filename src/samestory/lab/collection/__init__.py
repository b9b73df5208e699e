"""Test collections: items, assessors, their judgements and agreement, and the resulting gold."""

from samestory.lab.collection.answers import Shape
from samestory.lab.collection.arbitration import arbitrate
from samestory.lab.collection.assessor_session import AssessorSession
from samestory.lab.collection.collection import Collection, JudgingItem
from samestory.lab.collection.exercises import exercise
from samestory.lab.collection.people import hire
from samestory.lab.collection.plan import assign, second_pass

__all__ = [
    "AssessorSession",
    "Collection",
    "JudgingItem",
    "Shape",
    "arbitrate",
    "assign",
    "exercise",
    "hire",
    "second_pass",
]
