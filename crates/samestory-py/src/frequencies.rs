//! `_core.Frequencies`: in how many articles every term stands; `_core.Counter`: counts them.

use std::sync::Arc;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use samestory_core::frequencies::{Counter as CoreCounter, Frequencies as Core, Sections};

use crate::detector::Detector;

#[pyclass(module = "samestory._core", frozen)]
pub struct Frequencies {
    pub inner: Arc<Core>,
}

#[pymethods]
impl Frequencies {
    /// Reads a table from its text.
    #[new]
    fn new(py: Python<'_>, text: &str) -> PyResult<Self> {
        let inner = py.detach(|| Core::read(text)).map_err(PyValueError::new_err)?;
        Ok(Frequencies { inner: Arc::new(inner) })
    }

    #[getter]
    fn articles(&self) -> u64 {
        self.inner.articles
    }

    /// How many words, stems and runs of letters it has.
    #[getter]
    fn sizes(&self) -> (usize, usize, usize) {
        (self.inner.words.len(), self.inner.stems.len(), self.inner.letters.len())
    }

    /// How many articles have a term, which must be folded; 0 where nobody has seen it.
    fn count(&self, term: &str, section: &str) -> PyResult<u32> {
        let counts = match section {
            "words" => &self.inner.words,
            "stems" => &self.inner.stems,
            "letters" => &self.inner.letters,
            other => return Err(PyValueError::new_err(format!("no section is called {other:?}"))),
        };
        Ok(counts.get(samestory_core::hash::token(term.as_bytes())).unwrap_or(0))
    }

    fn text(&self, py: Python<'_>) -> String {
        py.detach(|| self.inner.write())
    }

    fn __eq__(&self, other: &Frequencies) -> bool {
        self.inner == other.inner
    }

    fn __add__(&self, py: Python<'_>, other: &Frequencies) -> Self {
        let inner = py.detach(|| {
            let mut sum = Core::clone(&self.inner);
            sum.merge(&other.inner);
            sum
        });
        Frequencies { inner: Arc::new(inner) }
    }
}

/// Counts the terms of what a corpus reads through its detector, or of what that detector signs.
#[pyclass(module = "samestory._core", frozen)]
pub struct Counter {
    inner: Arc<CoreCounter>,
}

#[pymethods]
impl Counter {
    #[new]
    fn new(words: bool, stems: bool, letters: bool) -> Self {
        Counter { inner: Arc::new(CoreCounter::new(Sections { words, stems, letters })) }
    }

    fn detector(&self) -> Detector {
        Detector { inner: self.inner.clone() }
    }

    fn frequencies(&self, py: Python<'_>) -> Frequencies {
        Frequencies { inner: Arc::new(py.detach(|| self.inner.frequencies())) }
    }
}
