"""Gibson et al. 2007: duplicate news stories in web pages (CEDAR)."""
