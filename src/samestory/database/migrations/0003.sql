-- expired articles during their grace period; record is JSON: the fields of the article and its earlier versions
CREATE TABLE expired (
  id TEXT PRIMARY KEY,
  expired_at BIGINT NOT NULL,
  record TEXT NOT NULL
);
CREATE INDEX expired_expired_at ON expired (expired_at);
-- relations that were found, but are weaker than those that are stored
ALTER TABLE articles ADD COLUMN weaker_relations BIGINT NOT NULL DEFAULT 0;
-- signed-in browsers of the portal, by the hash of what is in the cookie
CREATE TABLE sessions (
  id TEXT PRIMARY KEY,
  until BIGINT NOT NULL
);
-- the feed that added an article whose id is a URL of its server: other feeds of the server must not change it
CREATE TABLE feed_articles (
  id TEXT PRIMARY KEY,
  feed TEXT NOT NULL
);
