-- Times are microseconds since 1970, in UTC. Articles are known by number here; ids are the user's.

CREATE TABLE meta (
  name TEXT PRIMARY KEY,
  value TEXT NOT NULL
);

CREATE TABLE articles (
  number COUNTER,
  id TEXT NOT NULL,
  text TEXT NOT NULL,
  title TEXT,
  published TEXT,
  url TEXT,
  source TEXT,
  lang TEXT,
  category TEXT
);
CREATE UNIQUE INDEX articles_id ON articles (id);

-- who nominated: a detector as it is used, and as it was asked, which finds more; or another way in which pairs arose
CREATE TABLE runs (
  number COUNTER,
  name TEXT NOT NULL,
  asked TEXT NOT NULL,
  found BIGINT NOT NULL,
  at BIGINT NOT NULL
);

-- what is judged: two articles, an article with its cluster (the first is judged), or a list to be put into sets.
-- key: the same articles are judged once; known: the right answer of a control or an exercise
CREATE TABLE items (
  number COUNTER,
  shape TEXT NOT NULL,
  role TEXT NOT NULL,
  key TEXT NOT NULL,
  articles TEXT NOT NULL,
  part BIGINT,
  query TEXT,
  week BIGINT,
  team TEXT,
  known TEXT
);
CREATE UNIQUE INDEX items_key ON items (key);
CREATE INDEX items_part ON items (part);
CREATE INDEX items_role ON items (role);

CREATE TABLE nominations (
  item BIGINT NOT NULL,
  run BIGINT NOT NULL,
  score DOUBLE PRECISION,
  PRIMARY KEY (item, run)
) IN_KEY_ORDER;

-- a pseudonym and a hash of the token in the personal link; nothing else is known of a person
CREATE TABLE assessors (
  number COUNTER,
  name TEXT NOT NULL,
  token TEXT NOT NULL,
  team TEXT
);
CREATE UNIQUE INDEX assessors_name ON assessors (name);
CREATE UNIQUE INDEX assessors_token ON assessors (token);

-- who judges what, and why: place is the order of one assessor, turned whether the second article stands left;
-- state: open, skipped, done; judgement: the answer that holds
CREATE TABLE tasks (
  number COUNTER,
  assessor BIGINT NOT NULL,
  item BIGINT NOT NULL,
  duty TEXT NOT NULL,
  place BIGINT NOT NULL,
  turned BIGINT NOT NULL,
  state TEXT NOT NULL,
  judgement BIGINT
);
CREATE UNIQUE INDEX tasks_place ON tasks (assessor, place);
CREATE UNIQUE INDEX tasks_item ON tasks (item, assessor, duty);
CREATE INDEX tasks_state ON tasks (assessor, state, place);

-- every answer that was ever given; key: an answer that is sent twice is one
CREATE TABLE judgements (
  number COUNTER,
  task BIGINT NOT NULL,
  answer TEXT,
  comment TEXT,
  questionable BIGINT NOT NULL,
  seconds DOUBLE PRECISION,
  at BIGINT NOT NULL,
  key TEXT NOT NULL
);
CREATE UNIQUE INDEX judgements_key ON judgements (key);
CREATE INDEX judgements_task ON judgements (task);
