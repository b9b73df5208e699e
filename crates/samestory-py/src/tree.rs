//! `_core.CorpusTree`: the tree of CoDet, for streams.

use std::collections::HashMap;

use pyo3::exceptions::{PyKeyError, PyValueError};
use pyo3::prelude::*;
use samestory_core::detectors::codet::{CoDet, Sentence};
use samestory_core::detectors::Article;
use samestory_core::engine::corpus_tree::{CorpusTree as Core, Found, Visitors};
use samestory_core::text::languages::is_turkish_case;
use samestory_core::text::tokens::tokenise;

use crate::detector::{parameters, Given};
use crate::frequencies::Frequencies;

#[pyclass(module = "samestory._core")]
pub struct CorpusTree {
    inner: Core,
}

fn paths(rule: &CoDet, text: &str, language: &str) -> Vec<Sentence> {
    let mut tokens = vec![];
    tokenise(text, is_turkish_case(language), |token| tokens.push(token));
    rule.paths(&Article { words: &[], tokens: &tokens, text, title: "", language, published: 0 })
}

/// number of the other article, forward, backward
type Row = (u32, f64, f64);

fn rows(found: Vec<Found>) -> Vec<Row> {
    found.into_iter().map(|one| (one.article, one.forward, one.backward)).collect()
}

#[pymethods]
impl CorpusTree {
    #[new]
    fn new(
        given: HashMap<String, Given>,
        frequencies: &Bound<'_, Frequencies>,
        visitors: &str,
        fold: bool,
    ) -> PyResult<Self> {
        let rule = CoDet::of(&parameters(given, Some(frequencies), None)).map_err(PyKeyError::new_err)?;
        let visitors = match visitors {
            "counts" => Visitors::Counts,
            "set" => Visitors::Set,
            other => return Err(PyValueError::new_err(format!("visitors are \"counts\" or \"set\", got {other:?}"))),
        };
        Ok(CorpusTree { inner: Core::new(rule, visitors, fold) })
    }

    fn add(&mut self, py: Python<'_>, article: u32, text: &str, language: &str) -> Vec<Row> {
        py.detach(|| {
            let sentences = paths(self.inner.rule(), text, language);
            rows(self.inner.add(article, sentences))
        })
    }

    fn query(&mut self, py: Python<'_>, text: &str, language: &str) -> Vec<Row> {
        py.detach(|| {
            let sentences = paths(self.inner.rule(), text, language);
            rows(self.inner.query(&sentences))
        })
    }

    fn remove(&mut self, article: u32) -> bool {
        self.inner.remove(article)
    }

    /// Nodes of the tree, and how many of them are stored.
    #[getter]
    fn sizes(&self) -> (usize, usize) {
        (self.inner.size(), self.inner.stored())
    }

    #[getter]
    fn computations(&self) -> u64 {
        self.inner.computations
    }

    fn __len__(&self) -> usize {
        self.inner.len()
    }
}

/// start, end, words with their weights
type Path = (usize, usize, Vec<(u32, f32)>);

/// The prepared sentences of a text: start and end in bytes, and the words of the path by number with their weights.
#[pyfunction]
pub fn codet_paths(
    py: Python<'_>,
    given: HashMap<String, Given>,
    frequencies: &Bound<'_, Frequencies>,
    text: &str,
    language: &str,
) -> PyResult<Vec<Path>> {
    let rule = CoDet::of(&parameters(given, Some(frequencies), None)).map_err(PyKeyError::new_err)?;
    let found = py.detach(|| paths(&rule, text, language));
    let steps = |sentence: &Sentence| sentence.path.iter().map(|step| (step.word, step.weight)).collect();
    Ok(found.iter().map(|sentence| (sentence.start, sentence.end, steps(sentence))).collect())
}
