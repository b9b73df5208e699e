//! Document frequencies of the terms of a collection: counted in parallel, added up, written and read back.
//!
//! Words, five-letter stems and runs of five letters (across words) are counted separately, since the frequency of one
//! cannot be computed from those of the others; one table thus serves every method. Stop words are counted too.

use std::collections::HashSet;
use std::fmt::Write as _;
use std::sync::Mutex;

use super::counter::ArticleCounter;
use crate::base::hash::{self, Hashed};
use crate::text::article::Article;
use crate::text::terms::{self, Preparation};

const HEADING: &str = "samestory frequencies 1";

/// The terms of one kind, by hash.
#[derive(Clone, Debug, Default)]
pub struct Counts {
    counts: Hashed<Count>,
    /// The terms themselves, concatenated.
    words: String,
}

#[derive(Clone, Copy, Debug)]
struct Count {
    articles: u32,
    /// The last article counted, so that every article counts once.
    last: u32,
    start: u32,
    length: u32,
}

impl Counts {
    fn add(&mut self, hash: u64, articles: u32, number: u32, word: impl FnOnce(&mut String)) {
        let words = &mut self.words;
        let count = self.counts.entry(hash).or_insert_with(|| {
            let start = words.len();
            word(words);
            Count { articles: 0, last: 0, start: start as u32, length: (words.len() - start) as u32 }
        });
        if count.last != number || number == 0 {
            count.last = number;
            count.articles += articles;
        }
    }

    fn word(&self, count: &Count) -> &str {
        &self.words[count.start as usize..][..count.length as usize]
    }

    fn merge(&mut self, other: &Counts) {
        for (&hash, count) in &other.counts {
            self.add(hash, count.articles, 0, |words| words.push_str(other.word(count)));
        }
    }

    /// The number of articles with the term; None for an unknown term.
    pub fn get(&self, hash: u64) -> Option<u32> {
        self.counts.get(&hash).map(|count| count.articles)
    }

    /// Whether both have the same terms with the same numbers of articles.
    pub fn equals(&self, other: &Counts) -> bool {
        let equal = |(&hash, count): (&u64, &Count)| other.get(hash) == Some(count.articles);
        self.len() == other.len() && self.counts.iter().all(equal)
    }

    pub fn len(&self) -> usize {
        self.counts.len()
    }

    pub fn is_empty(&self) -> bool {
        self.counts.is_empty()
    }

    /// Every term with its number of articles, the most frequent first.
    pub fn sorted(&self) -> Vec<(&str, u32)> {
        let mut rows: Vec<_> = self.counts.values().map(|count| (self.word(count), count.articles)).collect();
        rows.sort_unstable_by(|x, y| y.1.cmp(&x.1).then_with(|| x.0.cmp(y.0)));
        rows
    }
}

/// Which kinds of terms are counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sections {
    pub words: bool,
    pub stems: bool,
    pub letters: bool,
}

#[derive(Clone, Debug, Default)]
pub struct Frequencies {
    pub articles: u64,
    pub words: Counts,
    pub stems: Counts,
    pub letters: Counts,
}

impl PartialEq for Frequencies {
    fn eq(&self, other: &Self) -> bool {
        self.articles == other.articles
            && self.words.equals(&other.words)
            && self.stems.equals(&other.stems)
            && self.letters.equals(&other.letters)
    }
}

impl Frequencies {
    /// Adds the terms of an article, each counted once.
    pub fn count(&mut self, article: &Article, sections: Sections) {
        self.articles += 1;
        let number = self.articles as u32;
        let mut term_text = String::new();
        let Sections { words, stems, letters } = sections;
        for (wanted, stem, counts) in [(words, false, &mut self.words), (stems, true, &mut self.stems)] {
            let preparation = Preparation { stem, stop_words: false };
            if wanted {
                preparation.terms(article, |term| {
                    counts.add(term.hash, 1, number, |words| {
                        preparation.write(article, &term, &mut term_text);
                        words.push_str(&term_text);
                    });
                });
            }
        }
        if letters {
            let text = terms::letters(article);
            terms::runs(&text, terms::STEM, |run| {
                self.letters.add(hash::token(run.as_bytes()), 1, number, |words| words.push_str(run));
            });
        }
    }

    pub fn merge(&mut self, other: &Frequencies) {
        self.articles += other.articles;
        self.words.merge(&other.words);
        self.stems.merge(&other.stems);
        self.letters.merge(&other.letters);
    }

    /// The table as text: a heading, then one line per term, the most frequent first. Equal counts produce equal text.
    pub fn write(&self) -> String {
        let mut out = format!("{HEADING}\narticles\t{}\n", self.articles);
        for (name, counts) in [("words", &self.words), ("stems", &self.stems), ("letters", &self.letters)] {
            let _ = writeln!(out, "{name}\t{}", counts.len());
            for (word, articles) in counts.sorted() {
                let _ = writeln!(out, "{articles}\t{word}");
            }
        }
        out
    }

    /// Parses the output of `write`; the error names the problem and the line.
    pub fn read(text: &str) -> Result<Self, String> {
        let mut lines = (1..).zip(text.lines());
        if lines.next().map(|(_, line)| line) != Some(HEADING) {
            return Err(format!("at line 1: expected {HEADING:?}"));
        }
        let mut out = Frequencies { articles: heading(lines.next(), "articles")?, ..Frequencies::default() };
        let sections = [("words", &mut out.words), ("stems", &mut out.stems), ("letters", &mut out.letters)];
        for (name, counts) in sections {
            for _ in 0..heading(lines.next(), name)? {
                let (at, line) = lines.next().ok_or_else(|| format!("the table of {name} is cut off"))?;
                let parsed = line.split_once('\t').and_then(|(n, word)| n.parse::<u32>().ok().map(|n| (n, word)));
                let (articles, word) = parsed
                    .filter(|&(n, word)| n > 0 && u64::from(n) <= out.articles && !word.is_empty())
                    .ok_or_else(|| format!("at line {at}: expected a number of articles and a term"))?;
                counts.add(hash::token(word.as_bytes()), articles, 0, |words| words.push_str(word));
            }
        }
        match lines.next() {
            None => Ok(out),
            Some((at, _)) => Err(format!("at line {at}: expected the end")),
        }
    }
}

fn heading(line: Option<(usize, &str)>, name: &str) -> Result<u64, String> {
    let (at, line) = line.ok_or_else(|| format!("the line of {name:?} is missing"))?;
    let number = line.strip_prefix(name).and_then(|rest| rest.strip_prefix('\t')).and_then(|n| n.parse().ok());
    number.ok_or_else(|| format!("at line {at}: expected {name:?} and a number"))
}

/// Term weights: idf = log(articles / articles with the term), in the given base, plus one if wanted. An unknown term
/// counts as one of a single article: the highest idf.
///
/// The table is small, to stay in the processor's cache: half of the hash and the number of articles, from which the
/// weight is computed.
#[derive(Clone, Debug)]
pub struct Weights {
    slots: Vec<(u32, u32)>,
    /// Weights by number of articles, for the small numbers that nearly all terms have; index 0 is an unknown term.
    cached: Vec<f64>,
    total: f64,
    base: f64,
    plus: f64,
    /// log(articles), the divisor of normalised idf.
    pub most: f64,
}

impl Weights {
    /// Number of precomputed weights.
    const CACHED_WEIGHTS: usize = 4096;

    pub fn new(frequencies: &Frequencies, stem: bool, base: f64, plus_one: bool) -> Self {
        let counts = if stem { &frequencies.stems } else { &frequencies.words };
        let total = frequencies.articles.max(1) as f64;
        let mut slots = vec![(0, 0); (2 * counts.len()).next_power_of_two().max(16)];
        let mask = slots.len() - 1;
        for (&hash, count) in &counts.counts {
            let mut at = hash as usize & mask;
            while slots[at].1 != 0 {
                at = (at + 1) & mask;
            }
            slots[at] = ((hash >> 32) as u32, count.articles);
        }
        let mut out = Weights {
            slots,
            cached: vec![],
            total,
            base: base.ln(),
            plus: f64::from(u8::from(plus_one)),
            most: total.ln() / base.ln(),
        };
        out.cached = (0..Self::CACHED_WEIGHTS).map(|articles| out.weight(articles.max(1) as f64)).collect();
        out
    }

    fn weight(&self, articles: f64) -> f64 {
        (self.total / articles).ln() / self.base + self.plus
    }

    /// The number of articles with a term; 0 for an unknown term.
    fn articles(&self, hash: u64) -> u32 {
        let mask = self.slots.len() - 1;
        let mut at = hash as usize & mask;
        loop {
            let (half, articles) = self.slots[at];
            if articles == 0 || half == (hash >> 32) as u32 {
                return articles;
            }
            at = (at + 1) & mask;
        }
    }

    /// The idf of a term.
    pub fn idf(&self, hash: u64) -> f64 {
        let articles = self.articles(hash);
        match self.cached.get(articles as usize) {
            Some(&weight) => weight,
            None => self.weight(f64::from(articles)),
        }
    }

    pub fn knows(&self, hash: u64) -> bool {
        self.articles(hash) != 0
    }
}

/// Counts the terms of all articles that are read, on all threads.
pub struct TermCounter {
    sections: Sections,
    /// One table per working thread, popped while a thread counts.
    tables: Mutex<Vec<Frequencies>>,
    counted: CountedArticles,
}

/// The articles counted so far: hashes of their ids and texts.
#[derive(Default)]
pub(crate) struct CountedArticles(Mutex<HashSet<(u64, u64)>>);

impl CountedArticles {
    /// Which of two articles with one id is the first is known only when all are read. So an article counts as seen
    /// only if its text is equal too: then it does not matter which of the two is counted.
    pub fn again(&self, id: &str, text: &str) -> bool {
        let article = (hash::token(id.as_bytes()), hash::token(text.as_bytes()));
        !id.is_empty() && !self.0.lock().expect("no panic while the lock is held").insert(article)
    }
}

impl TermCounter {
    pub fn new(sections: Sections) -> Self {
        TermCounter { sections, tables: Mutex::default(), counted: CountedArticles::default() }
    }

    /// The sum of all tables so far.
    pub fn frequencies(&self) -> Frequencies {
        let tables = self.tables.lock().expect("no panic while the lock is held");
        let mut out = Frequencies::default();
        tables.iter().for_each(|table| out.merge(table));
        out
    }
}

impl ArticleCounter for TermCounter {
    fn is_counted(&self, id: &str, text: &str) -> bool {
        self.counted.again(id, text)
    }

    fn count(&self, article: &Article) {
        let mut table = self.tables.lock().expect("no panic while the lock is held").pop().unwrap_or_default();
        table.count(article, self.sections);
        self.tables.lock().expect("no panic while the lock is held").push(table);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::tokens::tokenise;

    fn count(texts: &[&str]) -> Frequencies {
        let counter = TermCounter::new(Sections { words: true, stems: true, letters: true });
        for text in texts {
            let mut tokens = vec![];
            tokenise(text, false, |token| tokens.push(token));
            counter.count(&Article { tokens: &tokens, text, language: "en", ..Article::default() });
        }
        counter.frequencies()
    }

    #[test]
    fn an_article_counts_once_and_stems_apart_from_words() {
        let table = count(&["banking banker bank bank", "Bank's river"]);
        assert_eq!(table.articles, 2);
        assert_eq!(table.words.sorted(), [("bank", 2), ("banker", 1), ("banking", 1), ("river", 1)]);
        assert_eq!(table.stems.sorted(), [("bank", 2), ("banke", 1), ("banki", 1), ("river", 1)]);
        assert_eq!(table.letters.get(hash::token(b"gbank")), Some(1), "runs of letters cross from word to word");
    }

    #[test]
    fn what_is_written_reads_back_and_parts_add_up() {
        let (one, other) = (count(&["a b c", "a d"]), count(&["a", "e 42,9"]));
        let mut sum = one.clone();
        sum.merge(&other);
        assert_eq!(sum.write(), count(&["a b c", "a d", "a", "e 42,9"]).write());
        assert_eq!(Frequencies::read(&sum.write()).expect("written by write").write(), sum.write());
    }

    #[test]
    fn an_article_is_known_by_its_id_and_its_text() {
        let counter = TermCounter::new(Sections { words: true, ..Sections::default() });
        assert!(!counter.is_counted("a", "the bank") && counter.is_counted("a", "the bank"));
        assert!(!counter.is_counted("a", "the river") && !counter.is_counted("b", "the bank"));
        assert!(
            !counter.is_counted("", "the bank") && !counter.is_counted("", "the bank"),
            "without an id, by its place"
        );
    }

    #[test]
    fn tables_are_equal_where_all_counts_are() {
        let table = count(&["a b c", "a d"]);
        assert_eq!(table, count(&["d a", "c b a"]));
        for other in [&["a b c", "a e"][..], &["a b c d", "a d"], &["a b c", "a d", ""], &[]] {
            assert_ne!(table, count(other));
        }
    }

    #[test]
    fn a_damaged_table_is_refused_with_its_line() {
        let good = count(&["a b", "a"]).write();
        assert!(Frequencies::read("").is_err() && Frequencies::read("x\ny").is_err());
        let error = Frequencies::read(&good.replace("1\tb", "one\tb")).expect_err("no number");
        assert!(error.contains("line 5"), "{error}");
        assert!(Frequencies::read(&good[..good.len() - 4]).is_err());
        assert!(Frequencies::read(&good.replace("1\tb", "9\tb")).is_err(), "more articles than there are");
    }
}
