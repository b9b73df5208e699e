//! The rules of a relation between two articles: days, sources and direction.

use pyo3::prelude::*;
use samestory_core::base::hash::source;
use samestory_core::detectors::{Overlap, Sample};
use samestory_core::engine::compare;

use crate::columns::{check_lengths, numbers, Column, Two};
use crate::detector::Detector;
use crate::overlaps::overlaps;

/// The number that identifies a source; 0 for none.
#[pyfunction]
pub fn source_hash(name: &str) -> u64 {
    source(name)
}

/// Relations between articles with sources and times, pair by pair.
#[pyclass(module = "samestory._core.detectors", frozen, get_all)]
pub struct DatedOverlaps {
    kinds: Py<Column>,
    scores: Py<Column>,
    whys: Py<Column>,
    /// 1 where the relation is reported from its right side.
    is_reversed: Py<Column>,
}

/// Relations from comparisons (forward, backward, kinds, whys, scores) of articles with these sources and times (two
/// columns per side). With a detector, the days between the articles are evidence.
#[pyfunction]
pub fn dated<'py>(
    py: Python<'py>,
    detector: Option<&Detector>,
    found: [Bound<'py, PyAny>; 5],
    left: Two<'py>,
    right: Two<'py>,
) -> PyResult<DatedOverlaps> {
    let found = overlaps(py, &found)?;
    let about = |columns: Two<'py>| -> PyResult<Vec<(u64, i64)>> {
        let (sources, times): (Vec<u64>, Vec<i64>) = (numbers(py, &columns.0)?, numbers(py, &columns.1)?);
        check_lengths(found.len(), &[sources.len(), times.len()])?;
        Ok(sources.into_iter().zip(times).collect())
    };
    let (left, right) = (about(left)?, about(right)?);
    let rule = detector.and_then(|detector| detector.inner.day_rule());
    let rows = found.iter().zip(&left).zip(&right);
    let dated: Vec<Overlap> =
        rows.map(|((&found, &left), &right)| compare::dated(rule.as_deref(), found, left, right)).collect();
    let sides = dated.iter().zip(left).zip(right);
    let is_reversed = sides.map(|((overlap, left), right)| compare::is_reversed(overlap, left.1, right.1));
    Ok(DatedOverlaps {
        is_reversed: Column::new(py, is_reversed.map(u8::from))?,
        kinds: Column::new(py, dated.iter().map(|o| o.kind as u8))?,
        scores: Column::new(py, dated.iter().map(|o| o.score))?,
        whys: Column::new(py, dated.iter().map(|o| o.why as u8))?,
    })
}

/// Positions of the ids in the sample of a collection: those with the smallest hashes.
#[pyfunction]
pub fn drawn(ids: Vec<String>) -> Vec<usize> {
    let hash = |id: &String| samestory_core::base::hash::token(id.as_bytes());
    let mut hashes: Vec<(u64, usize)> = ids.iter().enumerate().map(|(at, id)| (hash(id), at)).collect();
    hashes.sort_unstable();
    hashes.truncate(Sample::MAX_ARTICLES);
    hashes.into_iter().map(|(_, at)| at).collect()
}
