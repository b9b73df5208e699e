//! The distinct terms of an article for detectors that weight words: the frequency and idf of each, in a given order,
//! and as text on request.
//!
//! No allocation per word: terms are ranges of the text until their words are requested, which are then written one
//! after the other into one buffer.

use super::api::Article;
use crate::statistics::term_counts::Weights;
use crate::text::terms::{Preparation, Term};

/// A term of an article.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    pub term: Term,
    pub count: u32,
    /// Zero until it is set by `weighed`.
    pub idf: f64,
}

impl Entry {
    /// The 32-bit hash of the term in signatures.
    pub fn short(&self) -> u32 {
        (self.term.hash >> 32) as u32
    }

    /// Its frequency in the article times its idf.
    pub fn weight(&self) -> f64 {
        f64::from(self.count) * self.idf
    }
}

pub struct Vocabulary<'a> {
    article: &'a Article<'a>,
    preparation: Preparation,
    pub terms: Vec<Entry>,
}

impl<'a> Vocabulary<'a> {
    /// The distinct terms of an article, in the order of their first occurrence.
    pub fn new(preparation: Preparation, article: &'a Article<'a>) -> Self {
        let mut terms: Vec<Entry> = Vec::with_capacity(article.tokens.len());
        let mut slots = vec![0u32; (2 * article.tokens.len()).next_power_of_two()];
        let mask = slots.len() - 1;
        preparation.terms(article, |term| {
            let mut at = term.hash as usize & mask;
            loop {
                match slots[at] as usize {
                    0 => {
                        terms.push(Entry { term, count: 1, idf: 0.0 });
                        slots[at] = terms.len() as u32;
                        return;
                    }
                    place if terms[place - 1].term.hash == term.hash => {
                        terms[place - 1].count += 1;
                        return;
                    }
                    _ => at = (at + 1) & mask,
                }
            }
        });
        Vocabulary { article, preparation, terms }
    }

    /// The same, every term with its idf.
    pub fn weighed(preparation: Preparation, weights: &Weights, article: &'a Article<'a>) -> Self {
        let mut own = Self::new(preparation, article);
        own.terms.iter_mut().for_each(|entry| entry.idf = weights.idf(entry.term.hash));
        own
    }

    /// Moves the `first` terms of the greatest weight to the front, by falling weight and then alphabetically; the
    /// others follow by weight. Words are written only if weights are equal.
    pub fn order(&mut self, first: usize, weight: impl Fn(&Entry) -> f64) {
        let mut order: Vec<(f64, u32)> = self.terms.iter().map(weight).zip(0..).collect();
        order.sort_unstable_by(|x, y| y.0.total_cmp(&x.0));
        let mut terms: Vec<Entry> = order.iter().map(|&(_, at)| self.terms[at as usize]).collect();
        let mut start = 0;
        while start < first.min(terms.len()) {
            let run = order[start..].iter().take_while(|(weight, _)| *weight == order[start].0).count();
            if run > 1 {
                let words = self.words(&terms[start..start + run]);
                let equal: Vec<Entry> = words.iter().map(|(which, _)| terms[start + which]).collect();
                terms[start..start + run].copy_from_slice(&equal);
            }
            start += run;
        }
        self.terms = terms;
    }

    /// Orders all terms by falling idf and then by hash: the same order in every article, and no words are needed.
    pub fn rarest_first(terms: &mut [Entry]) {
        terms.sort_unstable_by(|x, y| y.idf.total_cmp(&x.idf).then_with(|| x.term.hash.cmp(&y.term.hash)));
    }

    /// Terms as text, in alphabetical order.
    pub fn words(&self, terms: &[Entry]) -> SortedWords {
        let mut words =
            SortedWords { text: String::with_capacity(8 * terms.len()), spans: Vec::with_capacity(terms.len()) };
        let mut word = String::new();
        for (which, entry) in (0..).zip(terms) {
            let start = words.text.len() as u32;
            self.preparation.write(self.article, &entry.term, &mut word);
            words.text.push_str(&word);
            words.spans.push(Span { beginning: beginning(&word), start, end: words.text.len() as u32, which });
        }
        let SortedWords { text, spans } = &mut words;
        let rest = |span: &Span| &text[span.start as usize..span.end as usize];
        spans.sort_unstable_by(|x, y| x.beginning.cmp(&y.beginning).then_with(|| rest(x).cmp(rest(y))));
        words
    }

    /// A term as text.
    pub fn word(&self, entry: &Entry, out: &mut String) {
        self.preparation.write(self.article, &entry.term, out);
    }
}

/// Words in alphabetical order, each with the index of its term among those requested.
pub struct SortedWords {
    text: String,
    spans: Vec<Span>,
}

struct Span {
    /// The first eight bytes, which nearly always distinguish two words.
    beginning: u64,
    start: u32,
    end: u32,
    which: u32,
}

fn beginning(word: &str) -> u64 {
    let mut bytes = [0; 8];
    let count = word.len().min(8);
    bytes[..count].copy_from_slice(&word.as_bytes()[..count]);
    u64::from_be_bytes(bytes)
}

impl SortedWords {
    pub fn iter(&self) -> impl Iterator<Item = (usize, &str)> {
        self.spans.iter().map(|span| (span.which as usize, &self.text[span.start as usize..span.end as usize]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::tokens::tokenise;

    #[test]
    fn terms_are_counted_once_and_ordered_by_weight_and_then_by_the_alphabet() {
        let text = "Pier by pier: the quay, the PIER and a boat";
        let mut tokens = vec![];
        tokenise(text, false, |token| tokens.push(token));
        let article = Article { tokens: &tokens, text, language: "en", ..Article::default() };
        let mut own = Vocabulary::new(Preparation::default(), &article);
        assert_eq!(own.terms.iter().map(|entry| entry.count).collect::<Vec<_>>(), [3, 1, 2, 1, 1, 1, 1]);
        own.order(4, |entry| f64::from(entry.count));
        let mut word = String::new();
        let first: Vec<String> = own.terms[..4]
            .iter()
            .map(|entry| {
                own.word(entry, &mut word);
                word.clone()
            })
            .collect();
        assert_eq!(first, ["pier", "the", "a", "and"]);
        let words = own.words(&own.terms[..2]);
        assert_eq!(words.iter().collect::<Vec<_>>(), [(0, "pier"), (1, "the")]);
    }

    #[test]
    fn words_come_by_the_alphabet_of_unicode_however_long_they_are() {
        let text = "international internationally interna çay zoo ça a-b-c-d-e a-b-c-d интернет 1 internationals";
        let mut tokens = vec![];
        tokenise(text, false, |token| tokens.push(token));
        let article = Article { tokens: &tokens, text, language: "en", ..Article::default() };
        let own = Vocabulary::new(Preparation::default(), &article);
        let mut wanted: Vec<&str> = text.split(' ').collect();
        wanted.sort_unstable();
        assert_eq!(own.words(&own.terms).iter().map(|(_, word)| word).collect::<Vec<_>>(), wanted);
    }

    #[test]
    fn an_article_without_words_has_no_terms() {
        let article = Article { tokens: &[], text: "", language: "en", ..Article::default() };
        let mut own = Vocabulary::new(Preparation::default(), &article);
        own.order(5, Entry::weight);
        assert!(own.terms.is_empty());
    }
}
