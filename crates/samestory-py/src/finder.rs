//! `_core.engine.Finder`: the live index, relations of articles that are added and removed one batch at a time.

use std::path::{Path, PathBuf};

use pyo3::prelude::*;
use samestory_core::engine::compare::is_reversed;
use samestory_core::engine::index::{Index as Core, RelatedRows, SignedArticle};
use samestory_core::engine::segments::check::check;
use samestory_core::engine::segments::merge::merge;
use samestory_core::engine::segments::SegmentError;

use crate::columns::{check_lengths, numbers, Column, Signatures, Two};
use crate::detector::Detector;
use crate::errors::{error_at, Class};
use crate::failure::Failure;

/// Writes the articles of some segments, given with the ids of removed ones, as one segment; returns how many there are.
#[pyfunction]
pub fn merge_segments(py: Python<'_>, parts: Vec<(PathBuf, Vec<String>)>, out: PathBuf, mark: &str) -> PyResult<usize> {
    let parts: Vec<(&Path, &[String])> = parts.iter().map(|(path, dead)| (path.as_path(), &dead[..])).collect();
    py.detach(|| merge(&parts, &out, mark)).map_err(segment_error)
}

/// Reads all of a segment, and raises the first error in it; returns the number of its articles. With a detector, its
/// signatures must be of this detector.
#[pyfunction]
#[pyo3(signature = (path, mark, detector=None))]
pub fn check_segment(py: Python<'_>, path: PathBuf, mark: &str, detector: Option<&Detector>) -> PyResult<usize> {
    let detector = detector.map(|detector| detector.inner.clone());
    py.detach(|| check(&path, mark, detector.as_deref())).map_err(segment_error)
}

/// The exception for a segment that cannot be read or written.
fn segment_error(error: SegmentError) -> PyErr {
    error_at(Class::Store, &error.path.to_string_lossy(), error.detail, "")
}

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
            None => self.inner.file(&signed).map(|_| RelatedRows::default()),
        });
        self.failure.check()?;
        self.hits(py, &batch, found.map_err(segment_error)?)
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
        self.hits(py, &batch, found.map_err(segment_error)?)
    }

    /// Compares pairs of articles; None where one of them is not indexed.
    fn compare(&self, pairs: Vec<(String, String)>) -> PyResult<Vec<Option<Comparison>>> {
        let compared = pairs.iter().map(|(left, right)| {
            let overlap = self.inner.compare(left, right).map_err(segment_error)?;
            Ok(overlap.map(|overlap| Comparison {
                kind: overlap.kind as u8,
                forward: overlap.forward,
                backward: overlap.backward,
                is_template: overlap.is_template(),
            }))
        });
        compared.collect()
    }

    /// Reports these articles individually from now on, even if they are copies of others.
    fn set_alone(&mut self, ids: Vec<String>) -> PyResult<()> {
        ids.iter().try_for_each(|id| self.inner.set_alone(id)).map_err(segment_error)
    }

    /// Removes articles by id, and those published before a time; returns how many there were.
    #[pyo3(signature = (ids=vec![], *, before=None))]
    fn remove(&mut self, py: Python<'_>, ids: Vec<String>, before: Option<i64>) -> PyResult<usize> {
        let remove = || {
            let removed = self.inner.remove(ids.iter().map(String::as_str))?;
            before.map_or(Ok(removed), |before| Ok(removed + self.inner.expire(before)?))
        };
        py.detach(remove).map_err(segment_error)
    }

    /// Writes the articles in memory to a segment, which is attached in their place; returns how many there were. `mark`
    /// names what signatures depend on: a segment with another one cannot be attached.
    fn freeze(&mut self, py: Python<'_>, path: PathBuf, mark: &str) -> PyResult<usize> {
        py.detach(|| self.inner.freeze(&path, mark)).map_err(segment_error)
    }

    /// Attaches a segment, without the articles with the given ids.
    #[pyo3(signature = (path, mark, dead=vec![]))]
    fn attach(&mut self, py: Python<'_>, path: PathBuf, mark: &str, dead: Vec<String>) -> PyResult<()> {
        py.detach(|| self.inner.attach(&path, mark, &dead)).map_err(segment_error)
    }

    /// Detaches segments and attaches the one that they were merged into, if any, without the articles that were removed
    /// from them meanwhile.
    fn replace(&mut self, py: Python<'_>, old: Vec<PathBuf>, new: Option<PathBuf>, mark: &str) -> PyResult<()> {
        let old: Vec<&Path> = old.iter().map(PathBuf::as_path).collect();
        py.detach(|| self.inner.replace(&old, new.as_deref(), mark)).map_err(segment_error)
    }

    /// The attached segments, with the ids of the articles that were removed from each.
    fn segments(&self) -> PyResult<Vec<(String, Vec<String>)>> {
        let segments = self.inner.segments().map_err(segment_error)?;
        Ok(segments.into_iter().map(|(path, dead)| (path.to_string_lossy().into_owned(), dead)).collect())
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
        let are_reversed = found
            .iter()
            .map(|each| u8::from(is_reversed(&each.overlap, batch.published[each.row as usize], each.published)));
        Ok(Hits {
            rows: Column::new(py, found.iter().map(|each| i64::from(each.row)))?,
            ids: found.iter().map(|each| each.id.to_string()).collect(),
            published: Column::new(py, found.iter().map(|each| each.published))?,
            sources: Column::new(py, found.iter().map(|each| each.source))?,
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
