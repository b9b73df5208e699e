"""Writes docs/reference/experiments.md again."""

from tests.lab.experiments.page import write

write()
