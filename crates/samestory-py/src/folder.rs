//! The words of texts as terms of full-text search, with a cache of words: the folding rule, a Python function, is
//! called only for words that are not in it.

use std::collections::{HashMap, HashSet};

use pyo3::prelude::*;
use samestory_core::text::lexemes::{vector, LexemeFields, Limits};
use samestory_core::text::snippet::{FoldedText, Passage, QueryTerms};
use samestory_core::text::tokens::{tokenise, Token};

use crate::columns::{check_lengths, invalid};

/// Capacity of the cache in words; a full cache is cleared.
const MAX_CACHED_WORDS: usize = 1 << 20;

#[pyclass(module = "samestory._core.text")]
pub struct Folder {
    /// Maps a word and its suffix (None without an apostrophe) to its terms, separated by blanks.
    rule: Py<PyAny>,
    /// Terms by word; the suffix, if any, follows a NUL, which no word contains.
    cache: HashMap<String, Box<str>>,
}

#[pymethods]
impl Folder {
    #[new]
    fn new(rule: Py<PyAny>) -> Self {
        Folder { rule, cache: HashMap::new() }
    }

    /// The terms of every text, in order, separated by blanks.
    fn __call__(&mut self, py: Python<'_>, texts: Vec<String>) -> PyResult<Vec<String>> {
        texts.iter().map(|text| self.folded(py, text)).collect()
    }

    /// The passage of every text that matches a query best: its characters, and the matching tokens relative to its
    /// start. `with_stems`: whether words of a text match by their beginnings. `limits`: tokens of a passage, and of
    /// those before the first match.
    #[allow(clippy::too_many_arguments)] // a query has as many parts
    fn passages(
        &mut self,
        py: Python<'_>,
        texts: Vec<String>,
        with_stems: Vec<bool>,
        words: HashSet<String>,
        stems: HashSet<String>,
        phrases: Vec<Vec<String>>,
        limits: (usize, usize),
    ) -> PyResult<Vec<Option<Passage>>> {
        check_lengths(texts.len(), &[with_stems.len()])?;
        if limits.1 >= limits.0 {
            return Err(invalid("expected more tokens in a passage than before its first match"));
        }
        let query = QueryTerms { words, stems, phrases };
        let mut passage = |(text, with_stems): (&String, bool)| {
            let folded = self.folded_tokens(py, text)?;
            Ok(query.passage(&folded, with_stems, limits.0, limits.1))
        };
        texts.iter().zip(with_stems).map(&mut passage).collect()
    }
}

impl Folder {
    fn folded(&mut self, py: Python<'_>, text: &str) -> PyResult<String> {
        let mut out = String::with_capacity(text.len());
        self.for_each_token(py, text, |_, terms| {
            if !(out.is_empty() || terms.is_empty()) {
                out.push(' ');
            }
            out.push_str(terms);
        })?;
        Ok(out)
    }

    fn folded_tokens(&mut self, py: Python<'_>, text: &str) -> PyResult<FoldedText> {
        let mut out = FoldedText::default();
        let (mut last, mut characters) = (0, 0);
        let mut count_to = |end: usize| {
            characters += text[last..end].chars().count();
            last = end;
            characters
        };
        self.for_each_token(py, text, |token, terms| out.push((count_to(token.start), count_to(token.end)), terms))?;
        Ok(out)
    }

    /// Calls a function with every token and its terms, separated by blanks.
    fn for_each_token(&mut self, py: Python<'_>, text: &str, mut each: impl FnMut(&Token, &str)) -> PyResult<()> {
        let mut lower = String::new();
        let mut failed = None;
        tokenise(text, false, |token| {
            let (word, whole) = (&text[token.start..token.base_end], &text[token.start..token.end]);
            // the rule only lowercases plain letters and digits
            if word.len() == whole.len() && word.len() <= 64 && word.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
                lower.clear();
                lower.extend(word.bytes().map(|byte| char::from(byte.to_ascii_lowercase())));
                each(&token, &lower);
            } else if failed.is_none() {
                match self.cached_terms(py, word, &whole[word.len()..]) {
                    Ok(terms) => each(&token, terms),
                    Err(error) => failed = Some(error),
                }
            }
        });
        failed.map_or(Ok(()), Err)
    }

    fn cached_terms(&mut self, py: Python<'_>, word: &str, rest: &str) -> PyResult<&str> {
        let key = if rest.is_empty() { word.to_owned() } else { format!("{word}\0{rest}") };
        if !self.cache.contains_key(&key) {
            // after the apostrophe, which is one character and may follow a blank
            let rest = rest.trim_start();
            let suffix = rest.char_indices().nth(1).map_or("", |(at, _)| &rest[at..]);
            let suffix = (!rest.is_empty()).then_some(suffix);
            let terms: String = self.rule.call1(py, (word, suffix))?.extract(py)?;
            if self.cache.len() >= MAX_CACHED_WORDS {
                self.cache.clear();
            }
            self.cache.insert(key.clone(), terms.into());
        }
        Ok(&self.cache[&key])
    }
}

/// Titles and texts, as terms separated by blanks, and the stems of both, in PostgreSQL's text form of a `tsvector`.
/// `limits`: bytes of its words, the last position, positions of a word.
#[pyfunction]
pub fn tsvectors(
    py: Python<'_>,
    rows: Vec<(String, String, Vec<String>, Vec<String>)>,
    mark: &str,
    limits: (usize, usize, usize),
) -> Vec<String> {
    let limits = Limits { room: limits.0, last: limits.1, places: limits.2 };
    let written = |(title, text, title_stems, text_stems): &(String, String, Vec<String>, Vec<String>)| {
        vector(&LexemeFields { title, text, title_stems, text_stems }, mark, limits)
    };
    py.detach(|| rows.iter().map(written).collect())
}
