"""Persons, places and organisations: who and what an article is about."""
