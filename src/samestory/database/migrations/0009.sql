-- the metadata of every version of an article: the fields that have no role, as a JSON object
CREATE TABLE metadata (
  id TEXT NOT NULL,
  revision BIGINT NOT NULL,
  fields TEXT NOT NULL,
  checksum BIGINT,
  PRIMARY KEY (id, revision)
);
-- short values of metadata, by which articles are found and counted: the name of the field and the value, both folded,
-- and the value as it was first given
CREATE TABLE facets (
  number NUMBER,
  name TEXT NOT NULL,
  key TEXT NOT NULL,
  value TEXT NOT NULL
);
CREATE UNIQUE INDEX facets_key ON facets (name, key);
-- the facets of articles, both by their numbers
CREATE TABLE article_facets (
  facet BIGINT NOT NULL,
  article BIGINT NOT NULL,
  PRIMARY KEY (facet, article)
) IN_KEY_ORDER;
CREATE INDEX article_facets_article ON article_facets (article);
