//! Text preparation, repair, languages and shared passages.

use pyo3::prelude::*;
use samestory_core::output::label::label as core_label;
use samestory_core::text::calendar::{ambiguous_month, calendar};
use samestory_core::text::characters::fold;
use samestory_core::text::headlines::{feedless, headline};
use samestory_core::text::languages::is_turkish_case;
use samestory_core::text::opposites;
use samestory_core::text::passages::passages as core_passages;
use samestory_core::text::prepare::{prepare as core_prepare, Characters, Prepared as Core};
use samestory_core::text::repair::repair as core_repair;
use samestory_core::text::tokens::{tokenise, word as word_of};

use crate::columns::{numbers, Column, Rows};

/// For every text its language, its tokens and its sentences. Offsets count characters of the original text.
#[pyclass(module = "samestory._core.text", frozen, get_all)]
pub struct Prepared {
    languages: Vec<String>,
    /// The repaired text of every article whose text needed repair.
    repaired: Vec<Option<String>>,
    tokens: Py<Rows>,
    starts: Py<Rows>,
    /// Where the bases of tokens end.
    bases: Py<Rows>,
    ends: Py<Rows>,
    /// Starts and ends of sentences, alternating.
    sentences: Py<Rows>,
}

impl Prepared {
    fn new(py: Python<'_>, rows: Vec<Core>) -> PyResult<Self> {
        let offsets = Column::offsets(py, rows.iter().map(|row| row.tokens.len()))?;
        let of_tokens = |values: Py<Column>| Py::new(py, Rows { values, offsets: offsets.clone_ref(py) });
        let spans = |part: usize| {
            let values = rows.iter().flat_map(|row| row.spans.iter().map(move |span| span[part]));
            of_tokens(Column::new(py, values)?)
        };
        let sentences = Rows {
            values: Column::new(py, rows.iter().flat_map(|row| row.sentences.iter().flatten().copied()))?,
            offsets: Column::offsets(py, rows.iter().map(|row| 2 * row.sentences.len()))?,
        };
        Ok(Prepared {
            tokens: of_tokens(Column::new(py, rows.iter().flat_map(|row| row.tokens.iter().copied()))?)?,
            starts: spans(0)?,
            bases: spans(1)?,
            ends: spans(2)?,
            sentences: Py::new(py, sentences)?,
            languages: rows.iter().map(|row| row.language.clone()).collect(),
            repaired: rows.into_iter().map(|row| row.repaired).collect(),
        })
    }
}

/// Prepares texts, repaired or unchanged.
#[pyfunction]
#[pyo3(signature = (texts, languages, as_is = false))]
pub fn prepare(py: Python<'_>, texts: Vec<String>, languages: Vec<Option<String>>, as_is: bool) -> PyResult<Prepared> {
    let prepared = |(text, language): (&String, &Option<String>)| core_prepare(text, language.as_deref(), as_is);
    let rows = py.detach(|| texts.iter().zip(&languages).map(prepared).collect());
    Prepared::new(py, rows)
}

/// A text after its repair.
#[pyclass(module = "samestory._core.text", frozen)]
pub struct Repaired {
    original: String,
    /// The repaired text; the original if it needed no repair.
    #[pyo3(get)]
    text: String,
    /// The kinds of repairs.
    #[pyo3(get)]
    kinds: Vec<&'static str>,
}

/// Repairs a text.
#[pyfunction]
pub fn repair(text: String) -> Repaired {
    let found = core_repair(&text);
    let kinds = found.kinds.iter().map(|kind| kind.name()).collect();
    Repaired { text: found.text.into_owned(), kinds, original: text }
}

#[pymethods]
impl Repaired {
    /// The offset in the original text of every character of the repaired text, and that of its end.
    #[getter]
    fn offsets(&self, py: Python<'_>) -> PyResult<Py<Column>> {
        let repaired = core_repair(&self.original);
        let mut characters = Characters::new(&self.original);
        let places = repaired.text.char_indices().map(|(byte, _)| byte).chain([repaired.text.len()]);
        Column::new(py, places.map(|byte| characters.before(repaired.original(byte))))
    }
}

/// A language by its code.
#[pyclass(module = "samestory._core.text", frozen)]
pub struct Language {
    code: String,
}

#[pymethods]
impl Language {
    #[new]
    fn new(code: String) -> Self {
        Language { code }
    }

    #[getter]
    fn stop_words(&self) -> Vec<&'static str> {
        samestory_core::text::stop_words::list(&self.code).lines().collect()
    }

    /// The form under which a word is compared.
    fn fold(&self, word: &str) -> String {
        let mut out = String::new();
        fold(word, is_turkish_case(&self.code), &mut out);
        out
    }

    /// The days and months that a word names, as a mask (text/calendar.rs); `before` is the word before it.
    fn calendar(&self, word: &str, before: &str, is_beside_figure: bool) -> u32 {
        let mut found = ambiguous_month(&self.code, word, before, is_beside_figure);
        tokenise(word, is_turkish_case(&self.code), |token| found |= calendar().mask(word_of(token.packed())));
        found
    }

    /// The two directions of opposite acts or stages that a folded word belongs to, as masks; `before` is the word before it.
    fn directions(&self, folded: &str, before: &str) -> (u32, u32) {
        let mut ways = [0, 0];
        opposites::note(&self.code, before, folded, &mut ways);
        (ways[0], ways[1])
    }
}

/// The label of a group.
#[pyclass(module = "samestory._core.text", frozen, get_all)]
pub struct Label {
    /// The headline that covers most of the others.
    headline: Option<String>,
    /// The words that the headlines share.
    words: Vec<String>,
}

/// The label of articles, given as titles and texts: an article without a title has the first line of its text as
/// headline; names of feeds are left out.
#[pyfunction]
#[pyo3(signature = (articles, language = None))]
pub fn label(articles: Vec<(Option<String>, String)>, language: Option<&str>) -> Label {
    let headlines: Vec<&str> =
        articles.iter().map(|(title, text)| feedless(headline(title.as_deref(), text))).collect();
    let found = core_label(&headlines, language);
    Label { headline: found.headline.map(|at| headlines[at].to_owned()), words: found.words }
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
