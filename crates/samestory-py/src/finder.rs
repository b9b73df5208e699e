//! `_core.engine.Finder`: the live index, relations of articles that are added and removed one batch at a time.

use pyo3::prelude::*;
use samestory_core::engine::compare::is_reversed;
use samestory_core::engine::index::{Index as Core, RelatedRows, SignedArticle};

use crate::columns::{check_lengths, numbers, Column, Signatures, Two};
use crate::detector::Detector;
use crate::failure::Failure;

#[pyclass(module = "samestory._core.engine")]
pub struct Finder {
    inner: Core,
    failure: Failure,
}

/// Indexed articles that articles of a batch are related to, with the kinds of the relations between articles.
#[pyclass(module = "samestory._core.engine", frozen, get_all)]
pub struct Hits {
    /// The row of the batch.
    rows: Py<Column>,
    ids: Vec<String>,
    published: Py<Column>,
    sources: Py<Column>,
    forward: Py<Column>,
    backward: Py<Column>,
    kinds: Py<Column>,
    scores: Py<Column>,
    /// 1 where the relation is reported from the indexed article.
    is_reversed: Py<Column>,
    /// The rows whose queries read samples of posting lists, and how many related articles of one group these have.
    sampled: Vec<u32>,
    sample_size: usize,
}

/// The comparison of two indexed articles by their texts alone.
#[pyclass(module = "samestory._core.engine", frozen, get_all)]
pub struct Comparison {
    kind: u8,
    forward: f64,
    backward: f64,
    /// Whether they share a template, with other facts.
    is_template: bool,
}

/// A batch of signed articles converted from Python.
struct Batch {
    ids: Vec<String>,
    published: Vec<i64>,
    sources: Vec<u64>,
    signatures: Signatures,
}

impl Batch {
    fn new(py: Python<'_>, ids: Vec<String>, about: Two<'_>, rows: Two<'_>) -> PyResult<Self> {
        let (published, sources): (Vec<i64>, Vec<u64>) = (numbers(py, &about.0)?, numbers(py, &about.1)?);
        let signatures = Signatures::read(py, &rows)?;
        check_lengths(ids.len(), &[published.len(), sources.len(), signatures.len()])?;
        Ok(Batch { ids, published, sources, signatures })
    }

    fn signed(&self) -> PyResult<Vec<SignedArticle<'_>>> {
        let each = self.ids.iter().enumerate().map(|(at, id)| {
            let (published, source) = (self.published[at], self.sources[at]);
            Ok(SignedArticle { id, published, source, signature: self.signatures.row(at)? })
        });
        each.collect()
    }
}

#[pymethods]
impl Finder {
    #[new]
    fn new(detector: &Detector, window: Option<i64>) -> Self {
        Finder { inner: Core::new(detector.inner.clone(), window), failure: detector.failure.clone() }
    }

    fn __len__(&self) -> usize {
        self.inner.len()
    }

    /// Indexes signed articles, given as ids, (times, sources) and signatures, and returns the earlier articles that each
    /// is related to: all copies with `every`, or the first of them; None searches for no relations.
    fn add<'py>(
        &mut self,
        py: Python<'py>,
        ids: Vec<String>,
        about: Two<'py>,
        rows: Two<'py>,
        every: Option<bool>,
    ) -> PyResult<Hits> {
        let batch = Batch::new(py, ids, about, rows)?;
        let signed = batch.signed()?;
        let found = py.detach(|| match every {
            Some(every) => self.inner.add(&signed, every),
            None => {
                self.inner.file(&signed);
                RelatedRows::default()
            }
        });
        self.failure.check()?;
        self.hits(py, &batch, found)
    }

    /// The same query for articles that are not indexed.
    fn query<'py>(
        &self,
        py: Python<'py>,
        ids: Vec<String>,
        about: Two<'py>,
        rows: Two<'py>,
        every: bool,
    ) -> PyResult<Hits> {
        let batch = Batch::new(py, ids, about, rows)?;
        let signed = batch.signed()?;
        let found = py.detach(|| self.inner.query(&signed, every));
        self.failure.check()?;
        self.hits(py, &batch, found)
    }

    /// Compares pairs of articles; None where one of them is not indexed.
    fn compare(&self, pairs: Vec<(String, String)>) -> Vec<Option<Comparison>> {
        let compared = pairs.iter().map(|(left, right)| {
            self.inner.compare(left, right).map(|overlap| Comparison {
                kind: overlap.kind as u8,
                forward: overlap.forward,
                backward: overlap.backward,
                is_template: overlap.is_template(),
            })
        });
        compared.collect()
    }

    /// Reports these articles individually from now on, even if they are copies of others.
    fn set_alone(&mut self, ids: Vec<String>) {
        ids.iter().for_each(|id| self.inner.set_alone(id));
    }

    /// Removes articles by id, and those published before a time; returns how many there were.
    #[pyo3(signature = (ids=vec![], *, before=None))]
    fn remove(&mut self, py: Python<'_>, ids: Vec<String>, before: Option<i64>) -> usize {
        py.detach(|| {
            let removed = self.inner.remove(ids.iter().map(String::as_str));
            removed + before.map_or(0, |before| self.inner.expire(before))
        })
    }

    #[getter]
    fn postings(&self) -> usize {
        self.inner.posting_count()
    }

    #[getter]
    fn skipped(&self) -> u64 {
        self.inner.skipped()
    }
}

impl Finder {
    fn hits(&self, py: Python<'_>, batch: &Batch, found: RelatedRows) -> PyResult<Hits> {
        let RelatedRows { found, sampled } = found;
        let others = || found.iter().map(|each| self.inner.article(each.article));
        let are_reversed = found.iter().zip(others()).map(|(each, other)| {
            u8::from(is_reversed(&each.overlap, batch.published[each.row as usize], other.published))
        });
        Ok(Hits {
            rows: Column::new(py, found.iter().map(|each| i64::from(each.row)))?,
            ids: others().map(|article| article.id.to_string()).collect(),
            published: Column::new(py, others().map(|article| article.published))?,
            sources: Column::new(py, others().map(|article| article.source))?,
            forward: Column::new(py, found.iter().map(|each| each.overlap.forward))?,
            backward: Column::new(py, found.iter().map(|each| each.overlap.backward))?,
            kinds: Column::new(py, found.iter().map(|each| each.overlap.kind as u8))?,
            scores: Column::new(py, found.iter().map(|each| each.overlap.score))?,
            is_reversed: Column::new(py, are_reversed)?,
            sampled,
            sample_size: self.inner.sample_size(),
        })
    }
}
