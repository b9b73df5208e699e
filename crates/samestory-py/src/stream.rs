//! The groups of a stream.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use samestory_core::engine::cluster::incremental::{Change, Conflict, Incoming, StoredArticle, Stream as Core};

use crate::columns::row;
use crate::detector::{signatures, Detector};

/// Kind of change, group, articles, other group.
type ChangeRow = (&'static str, u64, Vec<String>, Option<u64>);

#[pyclass(module = "samestory._core")]
pub struct Stream {
    inner: Core,
}

fn change_rows(changes: Vec<Change>) -> Vec<ChangeRow> {
    let ids = |change: &Change| change.articles.iter().map(|id| id.to_string()).collect();
    changes.iter().map(|change| (change.what.name(), change.group, ids(change), change.other)).collect()
}

/// A likeness (equal for copies) as a signature; empty for none.
fn words(likeness: Option<&u64>) -> Vec<u32> {
    let known = likeness.copied().filter(|&likeness| likeness != 0);
    known.map_or(vec![], |likeness| vec![likeness as u32, (likeness >> 32) as u32])
}

#[pymethods]
impl Stream {
    /// Without a detector, the caller compares and passes the relations.
    #[new]
    #[pyo3(signature = (detector=None, window=None))]
    fn new(detector: Option<&Detector>, window: Option<i64>) -> Self {
        Stream { inner: Core::new(detector.map(|detector| detector.inner.clone()), window) }
    }

    fn __len__(&self) -> usize {
        self.inner.len()
    }

    /// Adds signed articles; returns the changes of groups.
    fn add<'py>(
        &mut self,
        py: Python<'py>,
        ids: Vec<String>,
        published: Vec<i64>,
        sources: Vec<u64>,
        rows: (Bound<'py, PyAny>, Bound<'py, PyAny>),
    ) -> PyResult<Vec<ChangeRow>> {
        let (values, offsets) = signatures(py, &rows.0, &rows.1)?;
        let batch = ids.iter().enumerate().map(|(at, id)| {
            let about = published.get(at).copied().zip(sources.get(at).copied());
            let (published, source) = about.ok_or_else(|| PyValueError::new_err("columns of one length are wanted"))?;
            Ok(Incoming { id, published, source, signature: row(&values, &offsets, at)?, related: &[] })
        });
        let batch: Vec<Incoming> = batch.collect::<PyResult<_>>()?;
        Ok(change_rows(py.detach(|| self.inner.add(&batch))))
    }

    /// Adds articles with the ids and scores of the articles that each is related to. Articles of equal likeness are
    /// copies; 0 equals no other.
    #[pyo3(signature = (ids, published, related, likeness=vec![]))]
    fn add_related(
        &mut self,
        py: Python<'_>,
        ids: Vec<String>,
        published: Vec<i64>,
        related: Vec<Vec<(String, f64)>>,
        likeness: Vec<u64>,
    ) -> Vec<ChangeRow> {
        let likeness: Vec<Vec<u32>> = (0..ids.len()).map(|at| words(likeness.get(at))).collect();
        let mut batch = vec![];
        for (((id, &published), related), signature) in ids.iter().zip(&published).zip(&related).zip(&likeness) {
            batch.push(Incoming { id, published, source: 0, signature, related });
        }
        change_rows(py.detach(|| self.inner.add(&batch)))
    }

    /// Restores articles with their times, likenesses and groups, and the relations between them.
    fn restore(
        &mut self,
        py: Python<'_>,
        articles: Vec<(String, i64, u64, u64)>,
        ties: Vec<(String, String, f64)>,
        last: u64,
    ) {
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
            self.inner.restore_ties(ties.iter().map(|(left, right, score)| (left.as_str(), right.as_str(), *score)));
            self.inner.begin_after(last);
        });
    }

    /// Removes articles without regrouping the others.
    fn drop(&mut self, ids: Vec<String>) -> Vec<ChangeRow> {
        change_rows(ids.iter().flat_map(|id| self.inner.drop_quietly(id)).collect())
    }

    /// Decides that two articles are one story, or are not; None withdraws the decision.
    fn decide(&mut self, py: Python<'_>, left: &str, right: &str, same: Option<bool>) -> Result<Vec<ChangeRow>, PyErr> {
        match py.detach(|| self.inner.decide(left, right, same)) {
            Ok(changes) => Ok(change_rows(changes)),
            Err(Conflict(one, other)) => Err(PyValueError::new_err((one.to_string(), other.to_string()))),
        }
    }

    fn remove(&mut self, py: Python<'_>, ids: Vec<String>) -> Vec<ChangeRow> {
        change_rows(py.detach(|| self.inner.remove(ids.iter().map(String::as_str))))
    }

    fn expire(&mut self, py: Python<'_>, before: i64) -> Vec<ChangeRow> {
        change_rows(py.detach(|| self.inner.expire(before)))
    }

    fn group_of(&self, id: &str) -> Option<u64> {
        self.inner.group_of(id)
    }

    fn groups(&self) -> Vec<(u64, Vec<String>)> {
        let ids = |ids: Vec<std::sync::Arc<str>>| ids.iter().map(|id| id.to_string()).collect();
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
