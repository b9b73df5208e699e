-- Test sets of articles on which detectors were compared, and the articles that each detector flagged.
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

-- The planned week of a task. Controls have the week of the work around them, so that counts do not reveal them.
-- Arbitration is planned for the following week.
ALTER TABLE tasks ADD COLUMN week BIGINT;
UPDATE tasks SET week = (SELECT i.week + CASE tasks.duty WHEN 'arbitrate' THEN 1 ELSE 0 END FROM items i WHERE i.number = tasks.item) WHERE duty != 'exercise';
DROP INDEX tasks_state;
CREATE INDEX tasks_state ON tasks (assessor, state, week, place);
CREATE INDEX judgements_at ON judgements (at);

-- Explanation of the correct answer of an exercise.
ALTER TABLE items ADD COLUMN why TEXT;

-- 1 for an exact copy of another article that exists only in controls.
ALTER TABLE articles ADD COLUMN planted BIGINT NOT NULL DEFAULT 0;

-- Discussion notes; the newest row of an item determines its state: wanted, done
CREATE TABLE talks (
  number COUNTER,
  item BIGINT NOT NULL,
  state TEXT NOT NULL,
  note TEXT NOT NULL,
  at BIGINT NOT NULL
);
CREATE INDEX talks_item ON talks (item);
