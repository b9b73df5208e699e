"""Training data and models: annotated pages, content models, and the gazetteers of the language packs."""
