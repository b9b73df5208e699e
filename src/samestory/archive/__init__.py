"""The archive: articles and stories that are kept, searched and shown."""
