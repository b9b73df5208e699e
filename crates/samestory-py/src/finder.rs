//! `_core.Finder`: the live index, relations of articles that are added and removed one batch at a time.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use samestory_core::detectors::Overlap;
use samestory_core::engine::index::{Found, Index as Core, SignedArticle};

use crate::columns::{column, row};
use crate::detector::{signatures, Detector};

type Column<'py> = Bound<'py, PyAny>;
type HitColumns<'py> = (Bound<'py, PyBytes>, Vec<String>, [Bound<'py, PyBytes>; 6]);

#[pyclass(module = "samestory._core")]
pub struct Finder {
    inner: Core,
}

/// A batch of signed articles converted from Python.
struct Batch {
    ids: Vec<String>,
    about: (Vec<i64>, Vec<u64>),
    rows: (Vec<u32>, Vec<i64>),
}

impl Batch {
    fn new<'py>(
        py: Python<'py>,
        ids: Vec<String>,
        about: (Vec<i64>, Vec<u64>),
        rows: (Column<'py>, Column<'py>),
    ) -> PyResult<Self> {
        if about.0.len() != ids.len() || about.1.len() != ids.len() {
            return Err(PyValueError::new_err("columns of one length are wanted"));
        }
        Ok(Batch { ids, about, rows: signatures(py, &rows.0, &rows.1)? })
    }

    fn signed(&self) -> PyResult<Vec<SignedArticle<'_>>> {
        let each = self.ids.iter().enumerate().map(|(at, id)| {
            let (published, source) = (self.about.0[at], self.about.1[at]);
            Ok(SignedArticle { id, published, source, signature: row(&self.rows.0, &self.rows.1, at)? })
        });
        each.collect()
    }
}

#[pymethods]
impl Finder {
    #[new]
    fn new(detector: &Detector, window: Option<i64>) -> Self {
        Finder { inner: Core::new(detector.inner.clone(), window) }
    }

    fn __len__(&self) -> usize {
        self.inner.len()
    }

    /// Indexes signed articles, given as ids, (times, sources) and signatures, without a query.
    fn file<'py>(
        &mut self,
        py: Python<'py>,
        ids: Vec<String>,
        about: (Vec<i64>, Vec<u64>),
        rows: (Column<'py>, Column<'py>),
    ) -> PyResult<()> {
        let batch = Batch::new(py, ids, about, rows)?;
        let signed = batch.signed()?;
        py.detach(|| self.inner.file(&signed));
        Ok(())
    }

    /// Indexes signed articles, and returns the earlier articles that each is related to: rows, ids; and times,
    /// sources, shares both ways, kinds, scores.
    fn add<'py>(
        &mut self,
        py: Python<'py>,
        ids: Vec<String>,
        about: (Vec<i64>, Vec<u64>),
        rows: (Column<'py>, Column<'py>),
        every: bool,
    ) -> PyResult<HitColumns<'py>> {
        let batch = Batch::new(py, ids, about, rows)?;
        let signed = batch.signed()?;
        let found = py.detach(|| self.inner.add(&signed, every));
        Ok(self.hit_columns(py, &found))
    }

    /// The same query for articles that are not indexed.
    fn query<'py>(
        &self,
        py: Python<'py>,
        ids: Vec<String>,
        about: (Vec<i64>, Vec<u64>),
        rows: (Column<'py>, Column<'py>),
        every: bool,
    ) -> PyResult<HitColumns<'py>> {
        let batch = Batch::new(py, ids, about, rows)?;
        let signed = batch.signed()?;
        let found = py.detach(|| self.inner.query(&signed, every));
        Ok(self.hit_columns(py, &found))
    }

    /// For pairs of indexed articles: do they share a template, with other facts?
    fn forms(&self, pairs: Vec<(String, String)>) -> Vec<bool> {
        pairs.iter().map(|(left, right)| self.inner.is_template(left, right)).collect()
    }

    /// For pairs of indexed articles: the kind by comparison, and the shares both ways.
    fn compare(&self, pairs: Vec<(String, String)>) -> Vec<Option<(u8, f64, f64)>> {
        let to_row = |overlap: Overlap| (overlap.kind as u8, overlap.forward, overlap.backward);
        pairs.iter().map(|(left, right)| self.inner.compare(left, right).map(to_row)).collect()
    }

    /// Reports these articles individually from now on, even if they are copies of others.
    fn set_alone(&mut self, ids: Vec<String>) {
        ids.iter().for_each(|id| self.inner.set_alone(id));
    }

    fn remove(&mut self, py: Python<'_>, ids: Vec<String>) -> usize {
        py.detach(|| self.inner.remove(ids.iter().map(String::as_str)))
    }

    fn expire(&mut self, py: Python<'_>, before: i64) -> usize {
        py.detach(|| self.inner.expire(before))
    }

    #[getter]
    fn postings(&self) -> usize {
        self.inner.filings()
    }

    #[getter]
    fn skipped(&self) -> u64 {
        self.inner.skipped()
    }
}

impl Finder {
    fn hit_columns<'py>(&self, py: Python<'py>, found: &[Found]) -> HitColumns<'py> {
        let others = || found.iter().map(|each| self.inner.article(each.article));
        let ids = others().map(|article| article.id.to_string()).collect();
        let columns = [
            column(py, others().map(|article| article.published)),
            column(py, others().map(|article| article.source)),
            column(py, found.iter().map(|each| each.overlap.forward)),
            column(py, found.iter().map(|each| each.overlap.backward)),
            column(py, found.iter().map(|each| each.overlap.kind as u8)),
            column(py, found.iter().map(|each| each.overlap.score)),
        ];
        (column(py, found.iter().map(|each| i64::from(each.row))), ids, columns)
    }
}
