-- What an assessor has filled in and not saved yet, as JSON; at most one per task.
CREATE TABLE drafts (
  task BIGINT PRIMARY KEY,
  form TEXT NOT NULL,
  at BIGINT NOT NULL
);
