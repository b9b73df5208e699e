-- Earlier versions stored the articles of all test sets as one list.
INSERT INTO test_sets (number, at) SELECT 1, 0 FROM meta WHERE name = 'looked at';
INSERT OR IGNORE INTO members (test_set, article) SELECT 1, each.value FROM meta m, json_each(m.value) each WHERE m.name = 'looked at';
DELETE FROM meta WHERE name = 'looked at';
