//! `_core.Frequencies`: the document frequency of every term; `_core.Counter`: counts them. `_core.ShingleCounts` and
//! `_core.ShingleCounter`: the same for runs of words.

use std::sync::Arc;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use samestory_core::engine::counting::Counting;
use samestory_core::statistics::shingle_counts::{ShingleCounter as CoreShingleCounter, ShingleCounts as CoreShingles};
use samestory_core::statistics::term_counts::{Frequencies as Core, Sections, TermCounter as CoreCounter};

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

    /// How many articles have a term, which must be folded; 0 for an unknown term.
    fn count(&self, term: &str, section: &str) -> PyResult<u32> {
        let counts = match section {
            "words" => &self.inner.words,
            "stems" => &self.inner.stems,
            "letters" => &self.inner.letters,
            other => return Err(PyValueError::new_err(format!("no section is called {other:?}"))),
        };
        Ok(counts.get(samestory_core::base::hash::token(term.as_bytes())).unwrap_or(0))
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

/// Counts the terms of the articles that a corpus reads through its detector, or that this detector signs.
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
        Detector { inner: Arc::new(Counting(self.inner.clone())) }
    }

    fn frequencies(&self, py: Python<'_>) -> Frequencies {
        Frequencies { inner: Arc::new(py.detach(|| self.inner.frequencies())) }
    }
}

#[pyclass(module = "samestory._core", frozen)]
pub struct ShingleCounts {
    pub inner: Arc<CoreShingles>,
}

#[pymethods]
impl ShingleCounts {
    /// Reads a table from its text.
    #[new]
    fn new(py: Python<'_>, text: &str) -> PyResult<Self> {
        let inner = py.detach(|| CoreShingles::read(text)).map_err(PyValueError::new_err)?;
        Ok(ShingleCounts { inner: Arc::new(inner) })
    }

    #[getter]
    fn shingle(&self) -> usize {
        self.inner.shingle
    }

    #[getter]
    fn articles(&self) -> u64 {
        self.inner.articles
    }

    fn __len__(&self) -> usize {
        self.inner.len()
    }

    fn text(&self, py: Python<'_>) -> String {
        py.detach(|| self.inner.write())
    }

    fn __add__(&self, py: Python<'_>, other: &ShingleCounts) -> Self {
        let inner = py.detach(|| {
            let mut sum = CoreShingles::clone(&self.inner);
            sum.merge(&other.inner);
            sum
        });
        ShingleCounts { inner: Arc::new(inner) }
    }
}

/// Counts the runs of words of the articles that a corpus reads through its detector, or that this detector signs.
#[pyclass(module = "samestory._core", frozen)]
pub struct ShingleCounter {
    inner: Arc<CoreShingleCounter>,
}

#[pymethods]
impl ShingleCounter {
    #[new]
    fn new(shingle: usize) -> Self {
        ShingleCounter { inner: Arc::new(CoreShingleCounter::new(shingle)) }
    }

    fn detector(&self) -> Detector {
        Detector { inner: Arc::new(Counting(self.inner.clone())) }
    }

    fn counts(&self, py: Python<'_>) -> ShingleCounts {
        ShingleCounts { inner: Arc::new(py.detach(|| self.inner.counts())) }
    }
}
