-- The sets of articles that detectors were compared on, one by one, and what each detector flagged of its set.
CREATE TABLE test_sets (
  number COUNTER,
  at BIGINT NOT NULL
);
CREATE TABLE members (
  test_set BIGINT NOT NULL,
  article TEXT NOT NULL,
  PRIMARY KEY (test_set, article)
) IN_KEY_ORDER;
CREATE TABLE flags (
  run BIGINT NOT NULL,
  article TEXT NOT NULL,
  PRIMARY KEY (run, article)
) IN_KEY_ORDER;
ALTER TABLE runs ADD COLUMN test_set BIGINT;

-- A task has the week in which it is to be done: a control that of the work it lies among, so that no count tells it.
-- What two disagree about is settled in the week after theirs.
ALTER TABLE tasks ADD COLUMN week BIGINT;
UPDATE tasks SET week = (SELECT i.week + CASE tasks.duty WHEN 'arbitrate' THEN 1 ELSE 0 END FROM items i WHERE i.number = tasks.item) WHERE duty != 'exercise';
DROP INDEX tasks_state;
CREATE INDEX tasks_state ON tasks (assessor, state, week, place);
CREATE INDEX judgements_at ON judgements (at);

-- Why the answer of an exercise is right.
ALTER TABLE items ADD COLUMN why TEXT;

-- An exact copy of another article, that stands in controls and nowhere else.
ALTER TABLE articles ADD COLUMN planted BIGINT NOT NULL DEFAULT 0;

-- What is to be talked over, and what came of it; the newest line of an item holds. state: wanted, done
CREATE TABLE talks (
  number COUNTER,
  item BIGINT NOT NULL,
  state TEXT NOT NULL,
  note TEXT NOT NULL,
  at BIGINT NOT NULL
);
CREATE INDEX talks_item ON talks (item);
