//! `_core.detectors.Counter`: counts the terms or shingles of the articles that a corpus reads.

use std::sync::Arc;

use pyo3::prelude::*;
use samestory_core::engine::counting::Counting;
use samestory_core::statistics::shingle_counts::ShingleCounter;
use samestory_core::statistics::term_counts::{Sections, TermCounter};

use crate::detector::Detector;
use crate::failure::Failure;
use crate::statistics::{Statistics, Table};

enum Inner {
    Terms(Arc<TermCounter>),
    Shingles(Arc<ShingleCounter>),
}

/// Counts the articles that a corpus reads with its detector, or that this detector signs.
#[pyclass(module = "samestory._core.detectors", frozen)]
pub struct Counter {
    inner: Inner,
}

#[pymethods]
impl Counter {
    /// A counter of sections of terms (`words`, `stems`, `letters`), or of shingles of so many words.
    #[new]
    #[pyo3(signature = (sections = vec![], shingle = 0))]
    fn new(sections: Vec<String>, shingle: usize) -> Self {
        let counts = |section: &str| sections.iter().any(|own| own == section);
        let inner = match shingle {
            0 => Inner::Terms(Arc::new(TermCounter::new(Sections {
                words: counts("words"),
                stems: counts("stems"),
                letters: counts("letters"),
            }))),
            _ => Inner::Shingles(Arc::new(ShingleCounter::new(shingle))),
        };
        Counter { inner }
    }

    #[getter]
    fn detector(&self) -> Detector {
        let failure = Failure::default();
        match &self.inner {
            Inner::Terms(counter) => Detector { inner: Arc::new(Counting(counter.clone())), failure },
            Inner::Shingles(counter) => Detector { inner: Arc::new(Counting(counter.clone())), failure },
        }
    }

    /// The counts so far.
    #[getter]
    fn statistics(&self, py: Python<'_>) -> Statistics {
        let table = py.detach(|| match &self.inner {
            Inner::Terms(counter) => Table::Terms(Arc::new(counter.frequencies())),
            Inner::Shingles(counter) => Table::Shingles(Arc::new(counter.counts())),
        });
        Statistics { table }
    }
}
