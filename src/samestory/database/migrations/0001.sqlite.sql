-- folded words by article; contentless: who deletes an article gives its old words. ascii takes every other letter as it
-- is: words come folded and with blanks between, and unicode61 would take those of some scripts apart
CREATE VIRTUAL TABLE words USING fts5(title, text, content='', tokenize="ascii");
-- words are gathered in up to 16 MB of memory, where 1 MB would be written and merged several times in a batch
INSERT INTO words (words, rank) VALUES ('hashsize', 16777216);
INSERT INTO words (words, rank) VALUES ('automerge', 8);
