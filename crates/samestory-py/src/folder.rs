//! The words of texts as full-text search files them, every word of an archive once: a word that was seen before is looked
//! up, and only one that was not is put to Python, where it is said how words are folded.

use std::collections::HashMap;

use pyo3::prelude::*;
use samestory_core::text::lexemes::{vector, Filed, Limits};
use samestory_core::text::tokens::tokenise;

/// So many words are remembered; then memory is given back and begins anew.
const MOST: usize = 1 << 20;

#[pyclass(module = "samestory._core")]
pub struct Folder {
    /// From a word and its suffix (None without an apostrophe) to its terms, with blanks between.
    rule: Py<PyAny>,
    /// By word; the suffix, if there is one, behind a NUL, which no word has.
    known: HashMap<String, Box<str>>,
}

#[pymethods]
impl Folder {
    #[new]
    fn new(rule: Py<PyAny>) -> Self {
        Folder { rule, known: HashMap::new() }
    }

    /// The terms of every text, in order, with blanks between.
    fn fold(&mut self, py: Python<'_>, texts: Vec<String>) -> PyResult<Vec<String>> {
        texts.iter().map(|text| self.folded(py, text)).collect()
    }
}

impl Folder {
    fn folded(&mut self, py: Python<'_>, text: &str) -> PyResult<String> {
        let mut out = String::with_capacity(text.len());
        let mut failed = None;
        tokenise(text, false, |token| {
            let (word, whole) = (&text[token.start..token.base_end], &text[token.start..token.end]);
            // of plain letters and digits the rule makes small letters, and nothing else
            if word.len() == whole.len() && word.len() <= 64 && word.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
                append(&mut out, |out| {
                    out.extend(word.bytes().map(|byte| char::from(byte.to_ascii_lowercase())));
                });
            } else if failed.is_none() {
                match self.looked_up(py, word, &whole[word.len()..]) {
                    Ok("") => {}
                    Ok(terms) => append(&mut out, |out| out.push_str(terms)),
                    Err(error) => failed = Some(error),
                }
            }
        });
        failed.map_or(Ok(out), Err)
    }

    fn looked_up(&mut self, py: Python<'_>, word: &str, rest: &str) -> PyResult<&str> {
        let key = if rest.is_empty() { word.to_owned() } else { format!("{word}\0{rest}") };
        if !self.known.contains_key(&key) {
            // behind the apostrophe, which is one character, and before which there may be a blank
            let rest = rest.trim_start();
            let suffix = rest.char_indices().nth(1).map_or("", |(at, _)| &rest[at..]);
            let suffix = (!rest.is_empty()).then_some(suffix);
            let terms: String = self.rule.call1(py, (word, suffix))?.extract(py)?;
            if self.known.len() >= MOST {
                self.known.clear();
            }
            self.known.insert(key.clone(), terms.into());
        }
        Ok(&self.known[&key])
    }
}

fn append(out: &mut String, put: impl FnOnce(&mut String)) {
    if !out.is_empty() {
        out.push(' ');
    }
    put(out);
}

/// Titles and texts, as terms with blanks between, and the stems of both as PostgreSQL reads a `tsvector`. `limits`: bytes
/// of its words, the last place, places of a word.
#[pyfunction]
pub fn tsvectors(
    py: Python<'_>,
    rows: Vec<(String, String, Vec<String>, Vec<String>)>,
    mark: &str,
    limits: (usize, usize, usize),
) -> Vec<String> {
    let limits = Limits { room: limits.0, last: limits.1, places: limits.2 };
    let written = |(title, text, title_stems, text_stems): &(String, String, Vec<String>, Vec<String>)| {
        vector(&Filed { title, text, title_stems, text_stems }, mark, limits)
    };
    py.detach(|| rows.iter().map(written).collect())
}
