-- Times are microseconds since 1970, days are counted from 1970, both in UTC. Words in capitals that differ between
-- the databases are replaced by migrate.py: NUMBER, COUNTER, BYTES, TEXT, IN_KEY_ORDER.

CREATE TABLE meta (
  name TEXT PRIMARY KEY,
  value TEXT NOT NULL
);

-- narrow: columns that are counted, sorted and joined; number is the order of arrival, equal likeness means equal words
CREATE TABLE articles (
  number NUMBER,
  id TEXT NOT NULL,
  source TEXT,
  lang TEXT,
  at BIGINT,
  day BIGINT NOT NULL,
  arrived BIGINT NOT NULL,
  words BIGINT NOT NULL,
  likeness BIGINT NOT NULL,
  story BIGINT,
  revision BIGINT NOT NULL
);
CREATE UNIQUE INDEX articles_id ON articles (id);
CREATE INDEX articles_story ON articles (story);
CREATE INDEX articles_day ON articles (day);
CREATE INDEX articles_at ON articles (at);
CREATE INDEX articles_likeness ON articles (likeness);

-- wide: columns that are displayed; published is as given in the input
CREATE TABLE texts (
  number NUMBER,
  text TEXT NOT NULL,
  title TEXT,
  published TEXT,
  url TEXT
);

-- index entries of the detectors; source is an unsigned 64-bit number, stored as signed
CREATE TABLE entries (
  number COUNTER,
  detector TEXT NOT NULL,
  id TEXT NOT NULL,
  published BIGINT,
  source BIGINT,
  signature BYTES NOT NULL
);
CREATE UNIQUE INDEX entries_id ON entries (detector, id);
CREATE INDEX entries_published ON entries (detector, published);

CREATE TABLE relations (
  left_number BIGINT NOT NULL,
  right_number BIGINT NOT NULL,
  kind TEXT NOT NULL,
  forward DOUBLE PRECISION NOT NULL,
  backward DOUBLE PRECISION NOT NULL,
  detector TEXT NOT NULL,
  score DOUBLE PRECISION NOT NULL,
  PRIMARY KEY (left_number, right_number)
) IN_KEY_ORDER;
CREATE INDEX relations_right ON relations (right_number);

-- earlier versions of articles that were added again with another text
CREATE TABLE revisions (
  id TEXT NOT NULL,
  revision BIGINT NOT NULL,
  text TEXT NOT NULL,
  title TEXT,
  published TEXT,
  at BIGINT,
  replaced BIGINT NOT NULL,
  PRIMARY KEY (id, revision)
);

-- by id and not by number, so that decisions outlive articles; left_id < right_id
CREATE TABLE decisions (
  left_id TEXT NOT NULL,
  right_id TEXT NOT NULL,
  decision TEXT NOT NULL,
  decided BIGINT NOT NULL,
  PRIMARY KEY (left_id, right_id)
);

-- log of the changes to stories, by which other processes catch up
CREATE TABLE changes (
  seq COUNTER,
  at BIGINT NOT NULL,
  what TEXT NOT NULL,
  story BIGINT,
  articles TEXT,
  other BIGINT
);

CREATE TABLE feeds (
  url TEXT PRIMARY KEY,
  title TEXT,
  etag TEXT,
  modified TEXT,
  checked BIGINT,
  due BIGINT,
  failures BIGINT NOT NULL DEFAULT 0,
  error TEXT,
  status BIGINT,
  seen BIGINT NOT NULL DEFAULT 0,
  taken BIGINT NOT NULL DEFAULT 0,
  site TEXT
);

CREATE TABLE rejects (
  seq COUNTER,
  at BIGINT NOT NULL,
  origin TEXT,
  why TEXT NOT NULL
);

-- responses to requests with an idempotency key
CREATE TABLE answers (
  key TEXT PRIMARY KEY,
  at BIGINT NOT NULL,
  status BIGINT NOT NULL,
  body TEXT NOT NULL
);
CREATE INDEX answers_at ON answers (at);
