-- what an article depends on, kept by archive/dependencies.py: the number of the earlier article of its story that it
-- depends on most, the kinds of its relations to earlier ones (a bit for each), whether its text derives from an earlier
-- text, and the number of the nearest article of another story
ALTER TABLE articles ADD COLUMN depends BIGINT;
ALTER TABLE articles ADD COLUMN earlier_kinds BIGINT NOT NULL DEFAULT 0;
ALTER TABLE articles ADD COLUMN derived BIGINT NOT NULL DEFAULT 0;
ALTER TABLE articles ADD COLUMN nearest BIGINT;
-- in chronological order: the first article of a story, of a page of it, and of a text of it is found without sorting
DROP INDEX articles_story;
DROP INDEX articles_likeness;
CREATE INDEX articles_story ON articles (story, coalesce(at, arrived), number);
CREATE INDEX articles_likeness ON articles (likeness, story, coalesce(at, arrived), number);
