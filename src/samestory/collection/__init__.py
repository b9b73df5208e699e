"""Test collections: what is judged, by whom, how far they agree, and the gold that comes of it."""

from samestory.collection.answers import Shape
from samestory.collection.arbitration import arbitrate
from samestory.collection.collection import Collection, Item
from samestory.collection.desk import Desk
from samestory.collection.exercises import exercise
from samestory.collection.people import hire
from samestory.collection.plan import assign, second_pass

__all__ = ["Collection", "Desk", "Item", "Shape", "arbitrate", "assign", "exercise", "hire", "second_pass"]
