//! `_core.MemoryStore`: entries and postings for streams.

use pyo3::exceptions::{PyKeyError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use samestory_core::base::hash::source as core_source_hash;
use samestory_core::detectors::Kind;
use samestory_core::engine::compare;
use samestory_core::engine::postings::store::MemoryStore as Core;

use crate::columns::{bytes, column, numbers, row};

#[pyclass(module = "samestory._core")]
#[derive(Default)]
pub struct MemoryStore {
    inner: Core,
}

#[pymethods]
impl MemoryStore {
    #[new]
    fn new() -> Self {
        Self::default()
    }

    fn __len__(&self) -> usize {
        self.inner.len()
    }

    #[getter]
    fn postings(&self) -> usize {
        self.inner.postings()
    }

    #[getter]
    fn skipped(&self) -> u64 {
        self.inner.skipped
    }

    /// Indexes articles; returns their entry numbers.
    fn put<'py>(
        &mut self,
        py: Python<'py>,
        ids: Vec<String>,
        about: (Bound<'py, PyAny>, Bound<'py, PyAny>),
        keys: (Bound<'py, PyAny>, Bound<'py, PyAny>),
        signatures: (Bound<'py, PyAny>, Bound<'py, PyAny>),
    ) -> PyResult<Bound<'py, PyBytes>> {
        let (published, sources): (Vec<i64>, Vec<u64>) = (numbers(py, &about.0)?, numbers(py, &about.1)?);
        let (keys, key_offsets): (Vec<u64>, Vec<i64>) = (numbers(py, &keys.0)?, numbers(py, &keys.1)?);
        let (rows, row_offsets): (Vec<u8>, Vec<i64>) = (bytes(py, &signatures.0)?, numbers(py, &signatures.1)?);
        let mut out = vec![];
        for (at, id) in ids.iter().enumerate() {
            let (keys, signature) = (row(&keys, &key_offsets, at)?, row(&rows, &row_offsets, at)?);
            out.push(i64::from(self.inner.put(id, published[at], sources[at], keys, signature)));
        }
        Ok(column(py, out))
    }

    /// Candidates of every row of keys inside its window: (row, entry, shared keys).
    fn find<'py>(
        &mut self,
        py: Python<'py>,
        keys: (Bound<'py, PyAny>, Bound<'py, PyAny>),
        windows: Option<(Bound<'py, PyAny>, Bound<'py, PyAny>)>,
        ceiling: usize,
    ) -> PyResult<[Bound<'py, PyBytes>; 3]> {
        let (keys, offsets): (Vec<u64>, Vec<i64>) = (numbers(py, &keys.0)?, numbers(py, &keys.1)?);
        let windows: Option<(Vec<i64>, Vec<i64>)> = match windows {
            None => None,
            Some((since, until)) => Some((numbers(py, &since)?, numbers(py, &until)?)),
        };
        let mut out = vec![];
        for at in 0..offsets.len().saturating_sub(1) {
            let window = windows.as_ref().map_or((i64::MIN, i64::MAX), |(since, until)| (since[at], until[at]));
            self.inner.find(at as u32, row(&keys, &offsets, at)?, window, windows.is_some(), ceiling, &mut out);
        }
        Ok([
            column(py, out.iter().map(|c| i64::from(c.row))),
            column(py, out.iter().map(|c| i64::from(c.entry))),
            column(py, out.iter().map(|c| i64::from(c.shared))),
        ])
    }

    fn ids(&self, entries: Vec<u32>) -> Vec<String> {
        entries.into_iter().map(|entry| self.inner.id(entry).to_owned()).collect()
    }

    /// published, source, number of keys of some entries
    fn about<'py>(&self, py: Python<'py>, entries: Vec<u32>) -> [Bound<'py, PyBytes>; 3] {
        [
            column(py, entries.iter().map(|&e| self.inner.published(e))),
            column(py, entries.iter().map(|&e| self.inner.source(e))),
            column(py, entries.iter().map(|&e| self.inner.key_count(e) as i64)),
        ]
    }

    /// Signatures (bytes, offsets) of some entries.
    fn signatures<'py>(&self, py: Python<'py>, entries: Vec<u32>) -> (Bound<'py, PyBytes>, Bound<'py, PyBytes>) {
        let (mut rows, mut ends) = (vec![], vec![0i64]);
        for entry in entries {
            rows.extend_from_slice(self.inner.signature(entry));
            ends.push(rows.len() as i64);
        }
        (PyBytes::new(py, &rows), column(py, ends))
    }

    fn remove(&mut self, ids: Vec<String>) -> usize {
        ids.iter().filter(|id| self.inner.remove(id)).count()
    }

    fn expire(&mut self, before: i64) -> PyResult<usize> {
        if before == i64::MIN {
            return Err(PyKeyError::new_err("no time before which to forget"));
        }
        Ok(self.inner.expire(before))
    }
}

/// The number that identifies a source; 0 for none.
#[pyfunction]
pub fn source_hash(source: &str) -> u64 {
    core_source_hash(source)
}

/// The kind of a relation, by its number, between two articles, each given as (source, time): an update, if one is a
/// new version of the other; and whether the relation is reported from its right side.
#[pyfunction]
pub fn directed(kind: usize, left: (u64, i64), right: (u64, i64), forward: f64, backward: f64) -> PyResult<(u8, bool)> {
    let kind = *Kind::ALL.get(kind).ok_or_else(|| PyValueError::new_err(format!("no kind has the number {kind}")))?;
    let (kind, is_reversed) = compare::directed(kind, left, right, forward, backward);
    Ok((kind as u8, is_reversed))
}
