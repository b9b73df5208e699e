//! Text preparation and shared passages.

use std::borrow::Cow;

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use samestory_core::base::hash;
use samestory_core::text::headlines::feedless;
use samestory_core::text::passages::passages as core_passages;
use samestory_core::text::prepare::{prepare as core_prepare, Characters, Prepared};
use samestory_core::text::repair::{repair as core_repair, Repair, Repairs};
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

    /// The repaired text of every article whose text needed repair.
    #[getter]
    fn repaired(&self) -> Vec<Option<&str>> {
        self.rows.iter().map(|row| row.repaired.as_deref()).collect()
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

/// The label of a group: the headline that covers most of the others, and the words that they share.
#[pyfunction]
#[pyo3(signature = (headlines, language = None))]
pub fn gist(headlines: Vec<String>, language: Option<&str>) -> (Option<usize>, Vec<String>) {
    let headlines: Vec<&str> = headlines.iter().map(String::as_str).collect();
    let found = samestory_core::output::label::label(&headlines, language);
    (found.headline, found.words)
}

/// Prepares texts, repaired or unchanged; offsets count characters of the original texts.
#[pyfunction]
#[pyo3(signature = (texts, languages, as_is = false))]
pub fn prepare(py: Python<'_>, texts: Vec<String>, languages: Vec<Option<String>>, as_is: bool) -> Features {
    let prepared = |(text, language): (&String, &Option<String>)| core_prepare(text, language.as_deref(), as_is);
    Features { rows: py.detach(|| texts.iter().zip(&languages).map(prepared).collect()) }
}

/// The repaired text; None if it needs no repair.
#[pyfunction]
pub fn repair(text: &str) -> Option<String> {
    match core_repair(text).text {
        Cow::Owned(repaired) => Some(repaired),
        Cow::Borrowed(_) => None,
    }
}

/// How many articles, given by their texts and titles, need repair, by the kind of repair.
#[pyfunction]
pub fn count_repairs<'py>(py: Python<'py>, rows: Vec<(String, Option<String>)>) -> PyResult<Bound<'py, PyDict>> {
    let mut counts = Repairs::default();
    for (text, title) in &rows {
        let kinds = core_repair(text).kinds.union(core_repair(title.as_deref().unwrap_or("")).kinds);
        kinds.iter().for_each(|kind| counts[kind as usize] += 1);
    }
    let out = PyDict::new(py);
    for (kind, count) in Repair::ALL.into_iter().zip(counts).filter(|(_, count)| *count > 0) {
        out.set_item(kind.name(), count)?;
    }
    Ok(out)
}

/// For ascending character offsets in the repaired text, those in the original text.
#[pyfunction]
pub fn original_places(text: &str, places: Vec<u32>) -> Vec<u32> {
    let repaired = core_repair(text);
    let mut bytes = repaired.text.char_indices().map(|(byte, _)| byte).chain([repaired.text.len()]);
    let (mut characters, mut next, mut byte) = (Characters::new(text), 0, 0);
    let mut out = Vec::with_capacity(places.len());
    for place in places {
        while next <= place {
            byte = bytes.next().unwrap_or(repaired.text.len());
            next += 1;
        }
        out.push(characters.before(repaired.original(byte)));
    }
    out
}

/// The form under which a word is compared.
#[pyfunction]
pub fn fold(word: &str, turkish: bool) -> String {
    let mut out = String::new();
    core_fold(word, turkish, &mut out);
    out
}

/// The hash of a folded term with a seed: one hash function per number.
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
    let found = py.detach(|| samestory_core::text::differences::differences(&left, &right));
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
