-- the segments of the index: files with the entries of a detector numbered after "first" and up to "last", which can be
-- made again from the table entries; outside: JSON with the ids of those that are kept in memory instead
CREATE TABLE segments (
  name TEXT PRIMARY KEY,
  detector TEXT NOT NULL,
  first BIGINT NOT NULL,
  last BIGINT NOT NULL,
  articles BIGINT NOT NULL,
  outside TEXT NOT NULL
);
-- entries that were deleted after their segment was written
CREATE TABLE removed_entries (
  number NUMBER,
  detector TEXT NOT NULL,
  id TEXT NOT NULL
);
