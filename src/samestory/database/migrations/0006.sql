-- the decisions of editors, in order. what: same, apart, move, split, join, or undo (then undoes is the number of the
-- decision). undone_by: the decision that undid or replaced it. story: the number of the story that it opened, if any
CREATE TABLE decision_log (
  number NUMBER,
  what TEXT NOT NULL,
  who TEXT NOT NULL,
  why TEXT NOT NULL,
  at BIGINT NOT NULL,
  undoes BIGINT,
  undone_by BIGINT,
  story BIGINT,
  checksum BIGINT
);
-- the articles of a decision, by id, so that decisions outlive articles. same, join: side is the story, from 0 on;
-- apart, move, split: 0 stays, 1 leaves. place: their order, or null for a later article, which follows its nearest one
CREATE TABLE decision_articles (
  decision BIGINT NOT NULL,
  id TEXT NOT NULL,
  side BIGINT NOT NULL,
  place BIGINT,
  checksum BIGINT,
  PRIMARY KEY (decision, id)
);
CREATE INDEX decision_articles_id ON decision_articles (id);
INSERT INTO decision_log (number, what, who, why, at)
  SELECT row_number() OVER (ORDER BY decided, left_id, right_id), decision, '', '', decided FROM decisions;
INSERT INTO decision_articles (decision, id, side, place)
  SELECT row_number() OVER (ORDER BY decided, left_id, right_id), left_id, 0, 0 FROM decisions;
INSERT INTO decision_articles (decision, id, side, place)
  SELECT row_number() OVER (ORDER BY decided, left_id, right_id), right_id, 1, 0 FROM decisions;
-- the number that the story of an article would have without decisions; null: that of its story
ALTER TABLE articles ADD COLUMN measured BIGINT;
CREATE INDEX articles_measured ON articles (measured) WHERE measured IS NOT NULL;
-- the numbers of stories that became part of others, each with some of its articles as JSON: it leads to their story
CREATE TABLE addresses (
  story NUMBER,
  articles TEXT NOT NULL,
  checksum BIGINT
);
