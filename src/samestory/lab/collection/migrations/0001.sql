-- Times are microseconds since 1970, UTC. `number` is an internal key; `id` is the id of the user.

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

-- nomination runs: name is a detector in its usual configuration, or another source of pairs; asked is the more
-- permissive configuration that nominated
CREATE TABLE runs (
  number COUNTER,
  name TEXT NOT NULL,
  asked TEXT NOT NULL,
  found BIGINT NOT NULL,
  at BIGINT NOT NULL
);

-- items to judge: two articles, an article with its cluster (the first is judged), or a list to group into sets.
-- key: unique per set of articles; known: the correct answer of a control or an exercise
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

-- a pseudonym and a hash of the token in the personal link; no other personal data is stored
CREATE TABLE assessors (
  number COUNTER,
  name TEXT NOT NULL,
  token TEXT NOT NULL,
  team TEXT
);
CREATE UNIQUE INDEX assessors_name ON assessors (name);
CREATE UNIQUE INDEX assessors_token ON assessors (token);

-- items assigned to assessors; place: order within one assessor; turned: the second article is shown on the left;
-- state: open, skipped, done; judgement: the current answer
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

-- every answer ever given; key: idempotency key of the form
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
