"""Persons, places and organisations: who and what an article is about."""

from samestory.entities.gazetteer import Gazetteer, read_gazetteer
from samestory.entities.models import Model, load
from samestory.entities.recogniser import Entity, Recogniser, entities, recogniser

__all__ = ["Entity", "Gazetteer", "Model", "Recogniser", "entities", "load", "read_gazetteer", "recogniser"]
