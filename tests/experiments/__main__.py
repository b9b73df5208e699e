"""Writes docs/reference/experiments.md again."""

from tests.experiments.page import write

write()
