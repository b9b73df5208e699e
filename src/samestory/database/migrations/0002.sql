-- the number that an article had when it came first: a new version has a new number, and pages go by the first
ALTER TABLE articles ADD COLUMN came BIGINT NOT NULL DEFAULT 0;
UPDATE articles SET came = number;
