"""Statements that make a database one of an older schema version."""

#: Drops what later versions have created.
TO_VERSION_5 = (
    *(
        f"DROP TABLE {table}"
        for table in ("decision_log", "decision_articles", "addresses", "metadata", "facets", "article_facets")
    ),
    "DROP INDEX articles_measured",
    "ALTER TABLE articles DROP COLUMN measured",
    "ALTER TABLE feeds DROP COLUMN warning",
    "DROP TABLE segments",
    "DROP TABLE removed_entries",
    "UPDATE meta SET value = '5' WHERE name = 'version'",
)
