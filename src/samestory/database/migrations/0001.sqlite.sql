-- folded words by article; contentless: who deletes an article gives its old words
CREATE VIRTUAL TABLE words USING fts5(title, text, content='', tokenize="unicode61 remove_diacritics 0");
