//! `_core.CorpusTree`: the tree of CoDet, for streams.

use std::collections::HashMap;

use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;
use samestory_core::detectors::codet::{CoDet, Sentence};
use samestory_core::detectors::Article;
use samestory_core::engine::corpus_tree::{CorpusTree as Core, TreeOverlap, Visitors};
use samestory_core::text::languages::is_turkish_case;
use samestory_core::text::tokens::tokenise;

use crate::detector::{parameters, ParameterInput};
use crate::errors::{error, unknown, Class};
use crate::statistics::Statistics;

#[pyclass(module = "samestory._core.engine")]
pub struct CorpusTree {
    inner: Core,
}

fn paths(rule: &CoDet, text: &str, language: &str) -> Vec<Sentence> {
    let mut tokens = vec![];
    tokenise(text, is_turkish_case(language), |token| tokens.push(token));
    rule.paths(&Article { tokens: &tokens, text, language, ..Article::default() })
}

/// number of the other article, forward, backward
type Row = (u32, f64, f64);

fn rows(found: Vec<TreeOverlap>) -> Vec<Row> {
    found.into_iter().map(|one| (one.article, one.forward, one.backward)).collect()
}

#[pymethods]
impl CorpusTree {
    #[new]
    fn new(
        given: HashMap<String, ParameterInput>,
        statistics: &Bound<'_, Statistics>,
        visitors: &str,
        fold: bool,
    ) -> PyResult<Self> {
        let rule = CoDet::from_parameters(&parameters(given, Some(statistics), None))
            .map_err(|missing| error(Class::Parameter, format!("codet: {missing} is missing or damaged")))?;
        let visitors = match visitors {
            "counts" => Visitors::Counts,
            "set" => Visitors::Set,
            other => return Err(unknown("kind of visitors", other, &["counts", "set"])),
        };
        Ok(CorpusTree { inner: Core::new(rule, visitors, fold) })
    }

    /// The articles of the tree that a text is related to; with a number, the text is added as that article.
    #[pyo3(signature = (text, language, article=None))]
    fn relate(&mut self, py: Python<'_>, text: &str, language: &str, article: Option<u32>) -> Vec<Row> {
        py.detach(|| {
            let sentences = paths(self.inner.rule(), text, language);
            rows(match article {
                Some(article) => self.inner.add(article, sentences),
                None => self.inner.query(&sentences),
            })
        })
    }

    fn __delitem__(&mut self, article: u32) -> PyResult<()> {
        self.inner.remove(article).then_some(()).ok_or_else(|| PyKeyError::new_err(article))
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
