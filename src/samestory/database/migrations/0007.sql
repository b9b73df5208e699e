-- what was wrong with the last response of a feed that could be read nevertheless, such as one that ended too early
ALTER TABLE feeds ADD COLUMN warning TEXT;
