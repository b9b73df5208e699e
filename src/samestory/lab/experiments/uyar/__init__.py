"""Uyar 2009: near-duplicate news by named entities (TuNER, Tweezer)."""
