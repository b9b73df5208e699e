ALTER TABLE texts ADD COLUMN found tsvector;
CREATE INDEX texts_found ON texts USING gin (found);
