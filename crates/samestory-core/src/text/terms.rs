//! Tokens to terms, the units that weighting methods count. A term is the base of a token (without its apostrophe
//! suffix), folded, optionally without stop words, and optionally cut to its first five letters.

use super::characters::fold;
use super::stop_words;
use super::tokens::Token;
use crate::base::hash;
use crate::text::article::Article;

/// How many letters a stem keeps (F5 of Varol 2012).
pub const STEM: usize = 5;

/// How tokens become terms.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Preparation {
    /// Keep the first five letters of a word; figures stay whole, since half a figure is another number.
    pub stem: bool,
    /// Leave stop words out, before stemming.
    pub stop_words: bool,
}

/// A term: its hash, and the byte range of its token's base in the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Term {
    pub hash: u64,
    pub start: usize,
    pub end: usize,
    pub figure: bool,
}

impl Preparation {
    /// Calls `each` for every term of an article, in order.
    pub fn terms(&self, article: &Article, mut each: impl FnMut(Term)) {
        let stops = if self.stop_words { stop_words::bit(article.language) } else { 0 };
        let mut folded = String::new();
        for token in article.tokens {
            if stops == 0 || stop_words::languages_of(token.base) & stops == 0 {
                let hash = if self.stem && !token.figure { stem(article, token, &mut folded) } else { token.base };
                each(Term { hash, start: token.start, end: token.base_end, figure: token.figure });
            }
        }
    }

    /// The term as text.
    pub fn write(&self, article: &Article, term: &Term, out: &mut String) {
        fold(&article.text[term.start..term.end], article.is_turkish(), out);
        if self.stem && !term.figure {
            out.truncate(stem_end(out));
        }
    }
}

fn stem_end(folded: &str) -> usize {
    folded.char_indices().nth(STEM).map_or(folded.len(), |(at, _)| at)
}

fn stem(article: &Article, token: &Token, folded: &mut String) -> u64 {
    let (start, end) = (token.start, token.base_end);
    let bytes = article.text.as_bytes();
    if end - start <= STEM {
        return token.base;
    }
    let beginning = &bytes[start..start + STEM];
    // the hash folds ASCII itself; but a mark may follow the fifth letter, and I is another letter in Turkish
    if beginning.is_ascii() && bytes[start + STEM].is_ascii() && !(article.is_turkish() && beginning.contains(&b'I')) {
        return hash::token_in(bytes, start, start + STEM);
    }
    fold(&article.text[start..end], article.is_turkish(), folded);
    hash::token(&folded.as_bytes()[..stem_end(folded)])
}

/// The text reduced to its letters, folded, without anything between them.
pub fn letters(article: &Article) -> String {
    reduced(article, char::is_alphabetic)
}

/// The text reduced to its letters and digits, likewise.
pub fn letters_and_digits(article: &Article) -> String {
    reduced(article, char::is_alphanumeric)
}

fn reduced(article: &Article, kept: impl Fn(char) -> bool) -> String {
    let mut out = String::with_capacity(article.text.len());
    let mut folded = String::new();
    for token in article.tokens {
        fold(&article.text[token.start..token.end], article.is_turkish(), &mut folded);
        out.extend(folded.chars().filter(|&c| kept(c)));
    }
    out
}

/// Calls `each` for every run of `width` characters of a text, one beginning at each character.
pub fn runs(text: &str, width: usize, mut each: impl FnMut(&str)) {
    ends_of_runs(text, width, |start, end| each(&text[start..end]));
}

/// Calls `each` with the hash of every run of `width` characters of a text; of all together where there are fewer.
pub fn hashed_runs(text: &str, width: usize, mut each: impl FnMut(u64)) {
    let bytes = text.as_bytes();
    if text.is_ascii() {
        for start in 0..(bytes.len() + 1).saturating_sub(width) {
            each(hash::token_in(bytes, start, start + width));
        }
    } else {
        ends_of_runs(text, width, |start, end| each(hash::token_in(bytes, start, end)));
    }
    if !text.is_empty() && text.chars().nth(width - 1).is_none() {
        each(hash::token(bytes));
    }
}

fn ends_of_runs(text: &str, width: usize, mut each: impl FnMut(usize, usize)) {
    let starts = text.char_indices().map(|(at, _)| at);
    let ends = text.char_indices().map(|(at, c)| at + c.len_utf8()).skip(width.saturating_sub(1));
    starts.zip(ends).for_each(|(start, end)| each(start, end));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::tokens::tokenise;

    fn terms(text: &str, language: &str, preparation: Preparation) -> Vec<String> {
        let mut tokens = vec![];
        tokenise(text, matches!(language, "tr" | "az"), |token| tokens.push(token));
        let article = Article { tokens: &tokens, text, language, ..Article::default() };
        let mut out = vec![];
        preparation.terms(&article, |term| {
            let mut word = String::new();
            preparation.write(&article, &term, &mut word);
            assert_eq!(hash::token(word.as_bytes()), term.hash, "{word}");
            out.push(word);
        });
        out
    }

    #[test]
    fn stems_are_the_first_five_letters() {
        let stem = Preparation { stem: true, stop_words: false };
        assert_eq!(terms("Üniversitesi BAKAN Gül’ün 2008-2009", "tr", stem), ["ünive", "bakan", "gül", "2008-2009"]);
        assert_eq!(terms("ISPARTALI Iğdırlılar Émilienne", "tr", stem), ["ıspar", "ığdır", "émili"]);
        assert_eq!(terms("ISSUING Cafe\u{301}terias naïveté", "en", stem), ["issui", "cafét", "naïve"]);
    }

    #[test]
    fn stop_words_go_before_stems_and_by_language() {
        let both = Preparation { stem: true, stop_words: true };
        assert_eq!(terms("Bunun için hepsini ALDI", "tr", both), ["aldı"]);
        assert_eq!(terms("The minister and the bank", "en", both), ["minis", "bank"]);
        assert_eq!(terms("The minister", "xx", both), ["the", "minis"]);
    }
    #[test]
    fn runs_of_characters_are_hashed_where_they_stand_and_short_texts_whole() {
        for text in ["", "a", "ığ", "abcdefghijklmnopqrstuvwxyz0123456789", "kuzeylimanındaonarımbaşladı", "東京"]
        {
            for width in [1, 3, 5, 15, 17, 20, 40] {
                let (mut hashed, mut expected) = (vec![], vec![]);
                hashed_runs(text, width, |hash| hashed.push(hash));
                runs(text, width, |run| expected.push(hash::token(run.as_bytes())));
                if expected.is_empty() && !text.is_empty() {
                    expected.push(hash::token(text.as_bytes()));
                }
                assert_eq!(hashed, expected, "{text} {width}");
            }
        }
    }

    #[test]
    fn letters_and_digits_are_all_that_is_left() {
        let text = "Ab'c 12_d — 3kg IĞDIR!";
        let mut tokens = vec![];
        tokenise(text, true, |token| tokens.push(token));
        let article = Article { tokens: &tokens, text, language: "tr", ..Article::default() };
        assert_eq!((letters(&article), letters_and_digits(&article)), ("abcdkgığdır".into(), "abc12d3kgığdır".into()));
    }
}
