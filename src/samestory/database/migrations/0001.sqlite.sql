-- folded words by article; contentless: who deletes an article gives its old words. ascii takes every other letter as it
-- is: words come folded and with blanks between, and unicode61 would take those of some scripts apart
CREATE VIRTUAL TABLE words USING fts5(title, text, content='', tokenize="ascii");
