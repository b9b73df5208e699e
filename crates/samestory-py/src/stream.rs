//! The groups of a stream.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use samestory_core::engine::cluster::incremental::{Change, Conflict, Incoming, StoredArticle, Stream as Core};

use crate::columns::row;
use crate::detector::{signatures, Detector};

/// What happened, to which group, the articles, the other group.
type Told = (&'static str, u64, Vec<String>, Option<u64>);

#[pyclass(module = "samestory._core")]
pub struct Stream {
    inner: Core,
}

fn told(changes: Vec<Change>) -> Vec<Told> {
    let ids = |change: &Change| change.articles.iter().map(|id| id.to_string()).collect();
    changes.iter().map(|change| (change.what.name(), change.group, ids(change), change.other)).collect()
}

/// A likeness as a signature.
fn words(likeness: Option<&u64>) -> Vec<u32> {
    let known = likeness.copied().filter(|&likeness| likeness != 0);
    known.map_or(vec![], |likeness| vec![likeness as u32, (likeness >> 32) as u32])
}

#[pymethods]
impl Stream {
    /// Without a detector, somebody else compares, and says who is related.
    #[new]
    #[pyo3(signature = (detector=None, window=None))]
    fn new(detector: Option<&Detector>, window: Option<i64>) -> Self {
        Stream { inner: Core::new(detector.map(|detector| detector.inner.clone()), window) }
    }

    fn __len__(&self) -> usize {
        self.inner.len()
    }

    /// Takes signed articles in.
    fn add<'py>(
        &mut self,
        py: Python<'py>,
        ids: Vec<String>,
        published: Vec<i64>,
        sources: Vec<u64>,
        rows: (Bound<'py, PyAny>, Bound<'py, PyAny>),
    ) -> PyResult<Vec<Told>> {
        let (values, offsets) = signatures(py, &rows.0, &rows.1)?;
        let batch = ids.iter().enumerate().map(|(at, id)| {
            let about = published.get(at).copied().zip(sources.get(at).copied());
            let (published, source) = about.ok_or_else(|| PyValueError::new_err("columns of one length are wanted"))?;
            Ok(Incoming { id, published, source, signature: row(&values, &offsets, at)?, related: &[] })
        });
        let batch: Vec<Incoming> = batch.collect::<PyResult<_>>()?;
        Ok(told(py.detach(|| self.inner.add(&batch))))
    }

    /// Takes articles in of which somebody else says to whom each is related, and how much. Those of one likeness are
    /// copies; 0 is like nobody.
    #[pyo3(signature = (ids, published, related, likeness=vec![]))]
    fn add_related(
        &mut self,
        py: Python<'_>,
        ids: Vec<String>,
        published: Vec<i64>,
        related: Vec<Vec<(String, f64)>>,
        likeness: Vec<u64>,
    ) -> Vec<Told> {
        let likeness: Vec<Vec<u32>> = (0..ids.len()).map(|at| words(likeness.get(at))).collect();
        let mut batch = vec![];
        for (((id, &published), related), signature) in ids.iter().zip(&published).zip(&related).zip(&likeness) {
            batch.push(Incoming { id, published, source: 0, signature, related });
        }
        told(py.detach(|| self.inner.add(&batch)))
    }

    /// Takes articles in whose groups are known, with their times and likenesses; and says who is related to whom.
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

    /// Takes articles away, and leaves the others where they are.
    fn drop(&mut self, ids: Vec<String>) -> Vec<Told> {
        told(ids.iter().flat_map(|id| self.inner.drop_quietly(id)).collect())
    }

    /// Decides that two articles are one story, or are not; None takes back what was decided.
    fn decide(&mut self, py: Python<'_>, left: &str, right: &str, same: Option<bool>) -> Result<Vec<Told>, PyErr> {
        match py.detach(|| self.inner.decide(left, right, same)) {
            Ok(changes) => Ok(told(changes)),
            Err(Conflict(one, other)) => Err(PyValueError::new_err((one.to_string(), other.to_string()))),
        }
    }

    fn remove(&mut self, py: Python<'_>, ids: Vec<String>) -> Vec<Told> {
        told(py.detach(|| self.inner.remove(ids.iter().map(String::as_str))))
    }

    fn expire(&mut self, py: Python<'_>, before: i64) -> Vec<Told> {
        told(py.detach(|| self.inner.expire(before)))
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
