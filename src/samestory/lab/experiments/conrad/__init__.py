"""Conrad and Schriber 2006: building collections of nonidentical duplicates (DDD)."""
