-- folded words by article; contentless: deleting an article requires its indexed words. The ascii tokenizer leaves all
-- other letters as they are: words are folded and separated by spaces, and unicode61 would split those of some scripts
CREATE VIRTUAL TABLE words USING fts5(title, text, content='', tokenize="ascii");
-- words are buffered in up to 16 MB of memory; 1 MB would be flushed and merged several times per batch
INSERT INTO words (words, rank) VALUES ('hashsize', 16777216);
INSERT INTO words (words, rank) VALUES ('automerge', 8);
