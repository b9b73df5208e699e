"""Fomin and Belousov 2017: semantic duplicates of short news."""
