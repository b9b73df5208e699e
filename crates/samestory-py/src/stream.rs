//! The groups of a stream.

use std::collections::HashSet;
use std::sync::Arc;

use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use samestory_core::detectors::Detector as CoreDetector;
use samestory_core::engine::cluster::incremental::{
    Change, Conflict, Incoming, RelatedArticle, StoredArticle, Stream as Core,
};

use crate::columns::{check_lengths, invalid, Signatures, Two};
use crate::detector::Detector;
use crate::errors::{error_at, Class};
use crate::failure::Failure;

/// Kind of change, group, articles, other group.
type ChangeRow = (&'static str, u64, Vec<String>, Option<u64>);

/// Id, score, whether the relation is kept, sample.
type RelatedRow = (String, f64, bool, Option<usize>);

#[pyclass(module = "samestory._core.engine")]
pub struct Stream {
    inner: Core,
    detector: Option<Arc<dyn CoreDetector>>,
    failure: Failure,
}

fn change_rows(changes: Vec<Change>) -> Vec<ChangeRow> {
    let ids = |change: &Change| change.articles.iter().map(|id| id.to_string()).collect();
    changes.iter().map(|change| (change.what.name(), change.group, ids(change), change.other)).collect()
}

/// An error if an id is repeated.
fn check_distinct<'a>(mut ids: impl Iterator<Item = &'a String>) -> PyResult<()> {
    let mut seen = HashSet::new();
    match ids.find(|id| !seen.insert(id.as_str())) {
        Some(id) => Err(invalid(format!("the id {id:?} is repeated"))),
        None => Ok(()),
    }
}

/// A likeness (equal for copies) as a signature; empty for none.
fn words(likeness: Option<&u64>) -> Vec<u32> {
    let known = likeness.copied().filter(|&likeness| likeness != 0);
    known.map_or(vec![], |likeness| vec![likeness as u32, (likeness >> 32) as u32])
}

/// Id, time, likeness, group.
type StoredRow = (String, i64, u64, u64);

#[pymethods]
impl Stream {
    /// Without a detector, the caller compares and passes the relations.
    #[new]
    #[pyo3(signature = (detector=None, window=None))]
    fn new(detector: Option<&Detector>, window: Option<i64>) -> Self {
        let failure = detector.map(|detector| detector.failure.clone()).unwrap_or_default();
        let detector = detector.map(|detector| detector.inner.clone());
        Stream { inner: Core::new(detector.clone(), window), detector, failure }
    }

    /// Restores articles with their times, likenesses and groups, and the relations between them; later groups have
    /// numbers above `last`.
    fn restore(
        &mut self,
        py: Python<'_>,
        articles: Vec<StoredRow>,
        edges: Vec<(String, String, f64)>,
        last: u64,
    ) -> PyResult<()> {
        check_distinct(articles.iter().map(|article| &article.0))?;
        py.detach(|| {
            let likeness: Vec<Vec<u32>> = articles.iter().map(|article| words(Some(&article.2))).collect();
            let kept = articles.iter().zip(&likeness).map(|((id, published, _, group), signature)| StoredArticle {
                id,
                published: *published,
                source: 0,
                signature,
                group: *group,
            });
            self.inner.restore(&kept.collect::<Vec<_>>());
            self.inner.restore_edges(edges.iter().map(|(left, right, score)| (left.as_str(), right.as_str(), *score)));
            self.inner.begin_after(last);
        });
        Ok(())
    }

    /// Calibrates the detector on the articles, for those added from now on; returns the calibration, which is empty if
    /// the detector needs none.
    fn calibrate<'py>(&mut self, py: Python<'py>) -> Bound<'py, PyBytes> {
        let calibrated = py.detach(|| self.inner.calibrate());
        let calibration = calibrated.as_ref().and_then(|detector| Some(detector.calibration()?.to_bytes()));
        self.detector = calibrated.or(self.detector.take());
        PyBytes::new(py, &calibration.unwrap_or_default())
    }

    fn __len__(&self) -> usize {
        self.inner.len()
    }

    /// Adds articles, and returns the changes of groups. With a detector, `rows` are their signatures and `sources` the
    /// hashes of their sources. Without one, `related` are the articles that each is related to: id, score, whether the
    /// relation is kept, and if a sample was searched, how many related articles of one group it can have. Articles of
    /// equal likeness are copies, and 0 equals no other.
    #[pyo3(signature = (ids, published, *, sources=vec![], rows=None, related=vec![], likeness=vec![]))]
    #[allow(clippy::too_many_arguments)] // the columns of articles
    fn add<'py>(
        &mut self,
        py: Python<'py>,
        ids: Vec<String>,
        published: Vec<i64>,
        sources: Vec<u64>,
        rows: Option<Two<'py>>,
        related: Vec<Vec<RelatedRow>>,
        likeness: Vec<u64>,
    ) -> PyResult<Vec<ChangeRow>> {
        check_distinct(ids.iter())?;
        let likeness: Vec<Vec<u32>> = (0..ids.len()).map(|at| words(likeness.get(at))).collect();
        let related_of = |(id, score, is_kept, sample)| RelatedArticle { id, score, is_kept, sample };
        let related: Vec<Vec<RelatedArticle>> =
            related.into_iter().map(|rows| rows.into_iter().map(related_of).collect()).collect();
        let is_signature = |row: &[u32]| self.detector.as_ref().is_none_or(|detector| detector.is_well_formed(row));
        let signed = rows.map(|rows| Signatures::read(py, &rows)).transpose()?;
        signed.iter().try_for_each(|signed| signed.check(is_signature))?;
        let signatures = match &signed {
            Some(signed) => signed.rows()?,
            None => likeness.iter().map(Vec::as_slice).collect(),
        };
        check_lengths(ids.len(), &[published.len(), signatures.len()])?;
        let batch = ids.iter().enumerate().map(|(at, id)| Incoming {
            id,
            published: published[at],
            source: sources.get(at).copied().unwrap_or(0),
            signature: signatures[at],
            related: related.get(at).map_or(&[], Vec::as_slice),
        });
        let batch: Vec<Incoming> = batch.collect();
        let changes = py.detach(|| self.inner.add(&batch));
        self.failure.check()?;
        Ok(change_rows(changes))
    }

    /// Decides that two articles are one story, or are not; None withdraws the decision. A decision that contradicts it is
    /// a DecisionError with that pair as `pair`. With `split`, articles decided to be one story leave groups that must
    /// stay apart, and only decisions that contradict it are an error.
    #[pyo3(signature = (left, right, same, split=false))]
    fn decide(
        &mut self,
        py: Python<'_>,
        left: &str,
        right: &str,
        same: Option<bool>,
        split: bool,
    ) -> PyResult<Vec<ChangeRow>> {
        match py.detach(|| self.inner.decide(left, right, same, split)) {
            Ok(changes) => Ok(change_rows(changes)),
            Err(Conflict(one, other)) => {
                let detail = format!("the decision about {one} and {other} contradicts it");
                Err(error_at(Class::Decision, "", detail, "withdraw that decision first"))
            }
        }
    }

    /// Removes articles by id, and those published before a time. Others are grouped anew where ids are removed, unless
    /// `regroup` is false.
    #[pyo3(signature = (ids=vec![], *, before=None, regroup=true))]
    fn remove(
        &mut self,
        py: Python<'_>,
        ids: Vec<String>,
        before: Option<i64>,
        regroup: bool,
    ) -> PyResult<Vec<ChangeRow>> {
        let changes = py.detach(|| {
            let mut changes = match regroup {
                true => self.inner.remove(ids.iter().map(String::as_str)),
                false => ids.iter().flat_map(|id| self.inner.remove_without_split(id)).collect(),
            };
            changes.extend(before.map(|before| self.inner.expire(before)).unwrap_or_default());
            changes
        });
        self.failure.check()?;
        Ok(change_rows(changes))
    }

    fn __contains__(&self, id: &str) -> bool {
        self.inner.group_of(id).is_some()
    }

    /// The group of an article.
    fn __getitem__(&self, id: &str) -> PyResult<u64> {
        self.inner.group_of(id).ok_or_else(|| PyKeyError::new_err(id.to_owned()))
    }

    /// The articles of every group.
    #[getter]
    fn groups(&self) -> Vec<(u64, Vec<String>)> {
        let ids = |ids: Vec<Arc<str>>| ids.iter().map(|id| id.to_string()).collect();
        self.inner.groups().into_iter().map(|(number, members)| (number, ids(members))).collect()
    }

    #[getter]
    fn sizes(&self) -> [usize; 3] {
        self.inner.sizes()
    }

    #[getter]
    fn skipped(&self) -> u64 {
        self.inner.skipped()
    }
}
