//! Text preparation and shared passages.

use pyo3::prelude::*;
use pyo3::types::PyBytes;
use samestory_core::hash;
use samestory_core::passages::passages as core_passages;
use samestory_core::text::headlines::feedless;
use samestory_core::text::prepare::{prepare as core_prepare, Prepared};
use samestory_core::text::tokens::fold as core_fold;

use crate::columns::{column, numbers};

/// For every text its language, its tokens (packed; starts, ends of bases, ends; as one column of rows each) and its
/// sentences (starts, ends). Offsets count characters.
#[pyclass(module = "samestory._core", frozen)]
pub struct Features {
    rows: Vec<Prepared>,
}

impl Features {
    fn offsets<'py>(&self, py: Python<'py>, length: impl Fn(&Prepared) -> usize) -> Bound<'py, PyBytes> {
        let mut end = 0i64;
        let ends = self.rows.iter().map(|row| {
            end += length(row) as i64;
            end
        });
        column(py, std::iter::once(0).chain(ends))
    }
}

#[pymethods]
impl Features {
    #[getter]
    fn languages(&self) -> Vec<String> {
        self.rows.iter().map(|row| row.language.clone()).collect()
    }

    /// packed tokens, starts, ends of bases, ends, offsets
    fn tokens<'py>(&self, py: Python<'py>) -> [Bound<'py, PyBytes>; 5] {
        let spans =
            |part: usize| column(py, self.rows.iter().flat_map(move |row| row.spans.iter().map(move |s| s[part])));
        [
            column(py, self.rows.iter().flat_map(|row| row.tokens.iter().copied())),
            spans(0),
            spans(1),
            spans(2),
            self.offsets(py, |row| row.tokens.len()),
        ]
    }

    /// starts, ends, offsets
    fn sentences<'py>(&self, py: Python<'py>) -> [Bound<'py, PyBytes>; 3] {
        let spans =
            |part: usize| column(py, self.rows.iter().flat_map(move |row| row.sentences.iter().map(move |s| s[part])));
        [spans(0), spans(1), self.offsets(py, |row| row.sentences.len())]
    }
}

/// The headline of an article, without the name of its feed, or the first line of its text.
#[pyfunction]
pub fn headline(title: Option<&str>, text: &str) -> String {
    feedless(samestory_core::text::headlines::headline(title, text)).to_owned()
}

/// Which of the headlines of a group says most of what the others say, and the words that hold them together.
#[pyfunction]
#[pyo3(signature = (headlines, language = None))]
pub fn gist(headlines: Vec<String>, language: Option<&str>) -> (Option<usize>, Vec<String>) {
    let headlines: Vec<&str> = headlines.iter().map(String::as_str).collect();
    let found = samestory_core::gist::gist(&headlines, language);
    (found.headline, found.words)
}

#[pyfunction]
pub fn prepare(py: Python<'_>, texts: Vec<String>, languages: Vec<Option<String>>) -> Features {
    let rows = py.detach(|| {
        texts.iter().zip(&languages).map(|(text, language)| core_prepare(text, language.as_deref())).collect()
    });
    Features { rows }
}

/// The form under which a word is compared.
#[pyfunction]
pub fn fold(word: &str, turkish: bool) -> String {
    let mut out = String::new();
    core_fold(word, turkish, &mut out);
    out
}

/// The hash of a folded term under a number: as many hash functions as there are numbers.
#[pyfunction]
pub fn hash64(number: u64, term: &str) -> u64 {
    hash::numbered(number, hash::token(term.as_bytes()))
}

/// The stop words of a language.
#[pyfunction]
pub fn stop_words(language: &str) -> Vec<&'static str> {
    samestory_core::text::stop_words::list(language).lines().collect()
}

/// Runs of tokens in which two rows of packed tokens differ: (left from, left to, right from, right to).
#[pyfunction]
pub fn differences(
    py: Python<'_>,
    left: &Bound<'_, PyAny>,
    right: &Bound<'_, PyAny>,
) -> PyResult<Vec<(usize, usize, usize, usize)>> {
    let (left, right): (Vec<u32>, Vec<u32>) = (numbers(py, left)?, numbers(py, right)?);
    let found = py.detach(|| samestory_core::differences::differences(&left, &right));
    Ok(found.into_iter().map(|[a, b, c, d]| (a, b, c, d)).collect())
}

/// Shared runs of words of two rows of packed tokens: (left token, right token, words).
#[pyfunction]
pub fn passages(
    py: Python<'_>,
    left: &Bound<'_, PyAny>,
    right: &Bound<'_, PyAny>,
    least: usize,
) -> PyResult<Vec<(usize, usize, usize)>> {
    let (left, right): (Vec<u32>, Vec<u32>) = (numbers(py, left)?, numbers(py, right)?);
    Ok(core_passages(&left, &right, least).into_iter().map(|p| (p.left, p.right, p.words)).collect())
}
