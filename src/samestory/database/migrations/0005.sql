-- CRC-32 of the columns of a row that statements never change in place, by which changed values are noticed; null in rows
-- of an older samestory: see archive/checksums.py
ALTER TABLE articles ADD COLUMN checksum BIGINT;
ALTER TABLE texts ADD COLUMN checksum BIGINT;
ALTER TABLE relations ADD COLUMN checksum BIGINT;
ALTER TABLE revisions ADD COLUMN checksum BIGINT;
ALTER TABLE decisions ADD COLUMN checksum BIGINT;
ALTER TABLE expired ADD COLUMN checksum BIGINT;
ALTER TABLE changes ADD COLUMN checksum BIGINT;
ALTER TABLE feeds ADD COLUMN checksum BIGINT;
ALTER TABLE feed_articles ADD COLUMN checksum BIGINT;
ALTER TABLE rejects ADD COLUMN checksum BIGINT;
ALTER TABLE answers ADD COLUMN checksum BIGINT;
ALTER TABLE sessions ADD COLUMN checksum BIGINT;
