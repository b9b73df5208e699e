"""Varol 2012: containment in text corpora (CoDet)."""
