//! The passage of a text with the most words that match a query, from the terms of its tokens.

use std::collections::HashSet;

/// The tokens of a text with their terms, as full-text search folds them.
#[derive(Default)]
pub struct FoldedText {
    /// The terms of all tokens, one after another.
    letters: String,
    /// Where each term ends in `letters`.
    ends: Vec<usize>,
    tokens: Vec<FoldedToken>,
}

struct FoldedToken {
    /// Where it begins and ends in the text, in characters.
    span: (usize, usize),
    /// The number of its first term.
    first: usize,
}

impl FoldedText {
    /// Appends a token, with its terms separated by blanks.
    pub fn push(&mut self, span: (usize, usize), terms: &str) {
        self.tokens.push(FoldedToken { span, first: self.ends.len() });
        for term in terms.split_ascii_whitespace() {
            self.letters.push_str(term);
            self.ends.push(self.letters.len());
        }
    }

    fn term(&self, number: usize) -> &str {
        let start = if number == 0 { 0 } else { self.ends[number - 1] };
        &self.letters[start..self.ends[number]]
    }

    /// The number of the first term of a token; that behind the last one ends it.
    fn first(&self, token: usize) -> usize {
        self.tokens.get(token).map_or(self.ends.len(), |token| token.first)
    }
}

/// What matches a query.
pub struct QueryTerms {
    pub words: HashSet<String>,
    /// Beginnings of words, all of one length.
    pub stems: HashSet<String>,
    /// Terms that follow each other.
    pub phrases: Vec<Vec<String>>,
}

/// A passage in characters of its text, and the matching tokens relative to its start.
pub type Passage = (usize, usize, Vec<(usize, usize)>);

impl QueryTerms {
    /// The first passage of at most so many tokens with the most matches, of which some tokens precede the first match;
    /// None for a text without tokens.
    pub fn passage(&self, text: &FoldedText, with_stems: bool, size: usize, before: usize) -> Option<Passage> {
        let marks = self.marks(text, with_stems);
        let first = densest(&marks, size - before);
        let begin = if first >= size - before { first.saturating_sub(before) } else { 0 };
        let end = text.tokens.len().min(begin + size);
        let start = if begin == 0 { 0 } else { text.tokens[begin].span.0 };
        let stop = text.tokens[begin..end].last()?.span.1;
        let inside = marks.iter().filter(|mark| (begin..end).contains(mark)).map(|&mark| text.tokens[mark].span);
        Some((start, stop, inside.map(|(from, to)| (from - start, to - start)).collect()))
    }

    /// The numbers of the tokens that match, sorted.
    fn marks(&self, text: &FoldedText, with_stems: bool) -> Vec<usize> {
        let mut is_marked = vec![false; text.tokens.len()];
        let stem_letters = self.stems.iter().next().map_or(0, |stem| stem.chars().count());
        for token in 0..text.tokens.len() {
            let terms = text.first(token)..text.first(token + 1);
            if terms.clone().any(|term| self.is_word(text.term(term), with_stems, stem_letters)) {
                is_marked[token] = true;
            }
            for phrase in &self.phrases {
                let tokens = phrase_tokens(text, token, phrase);
                is_marked[token..token + tokens].fill(true);
            }
        }
        (0..is_marked.len()).filter(|&token| is_marked[token]).collect()
    }

    fn is_word(&self, term: &str, with_stems: bool, stem_letters: usize) -> bool {
        if self.words.contains(term) {
            return true;
        }
        if !with_stems || stem_letters == 0 || term.bytes().all(|byte| byte.is_ascii_digit()) {
            return false;
        }
        let end = term.char_indices().nth(stem_letters - 1).map(|(at, last)| at + last.len_utf8());
        end.is_some_and(|end| self.stems.contains(&term[..end]))
    }
}

/// The number of tokens of a phrase that begins in a token; 0 if it does not.
fn phrase_tokens(text: &FoldedText, token: usize, phrase: &[String]) -> usize {
    let (first, next) = (text.first(token), text.first(token + 1));
    let starts_at = |at: usize, end: usize| {
        at + phrase.len() <= end && phrase.iter().zip(at..).all(|(term, at)| term == text.term(at))
    };
    let most = phrase.len().min(text.tokens.len() - token);
    (1..=most).find(|&tokens| (first..next).any(|at| starts_at(at, text.first(token + tokens)))).unwrap_or(0)
}

/// The mark that is followed by the most others within so many tokens; 0 without marks.
fn densest(marks: &[usize], size: usize) -> usize {
    let (mut best, mut most, mut last) = (marks.first().copied().unwrap_or(0), 0, 0);
    for (number, &mark) in marks.iter().enumerate() {
        while last < marks.len() && marks[last] < mark + size {
            last += 1;
        }
        if last - number > most {
            (best, most) = (mark, last - number);
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folded(words: &[&str]) -> FoldedText {
        let mut text = FoldedText::default();
        for (at, word) in words.iter().enumerate() {
            text.push((2 * at, 2 * at + 1), word);
        }
        text
    }

    fn query(words: &[&str], stems: &[&str], phrases: &[&[&str]]) -> QueryTerms {
        let owned = |terms: &[&str]| terms.iter().map(|&term| term.to_owned()).collect::<Vec<_>>();
        QueryTerms {
            words: owned(words).into_iter().collect(),
            stems: owned(stems).into_iter().collect(),
            phrases: phrases.iter().map(|phrase| owned(phrase)).collect(),
        }
    }

    #[test]
    fn words_stems_and_phrases_are_marked() {
        let text = folded(&["fire", "secimler", "covid 19", "cases", "rise", "12345678"]);
        let found = query(&["rise"], &["secim", "12345"], &[&["19", "cases"]]);
        assert_eq!(found.marks(&text, true), [1, 2, 3, 4]);
        assert_eq!(found.marks(&text, false), [2, 3, 4]);
        assert_eq!(query(&[], &[], &[&["covid", "19", "cases", "fall"]]).marks(&text, false), [0; 0]);
        assert_eq!(query(&[], &[], &[&["covid", "19"]]).marks(&text, false), [2]);
    }

    #[test]
    fn the_densest_passage_is_chosen() {
        let text = folded(&["x", "a", "b", "c", "d", "e", "a", "a", "f", "g"]);
        assert_eq!(query(&["a"], &[], &[]).passage(&text, false, 4, 1), Some((10, 17, vec![(2, 3), (4, 5)])));
        assert_eq!(query(&[], &[], &[]).passage(&text, false, 4, 1), Some((0, 7, vec![])));
        assert_eq!(query(&["a"], &[], &[]).passage(&folded(&[]), false, 4, 1), None);
    }
}
