-- the number of an article's first version: a new version has a new number, and pagination uses the first
ALTER TABLE articles ADD COLUMN came BIGINT NOT NULL DEFAULT 0;
UPDATE articles SET came = number;
