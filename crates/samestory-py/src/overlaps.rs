//! Results of comparisons in columns.

use pyo3::prelude::*;
use samestory_core::detectors::{Kind, Overlap, Why};

use crate::columns::{check_lengths, invalid, numbers, Column};

/// Reasons why pairs are unrelated, by number: names for users.
pub const WHYS: [(u8, &str); 5] = [
    (Why::Apart as u8, "too little in common"),
    (Why::Template as u8, "same template, other facts"),
    (Why::Facts as u8, "enough text in common, but other facts"),
    (Why::Figures as u8, "same template, other figures"),
    (Why::Days as u8, "too many days apart"),
];

/// Shares, kinds, reasons and scores, pair by pair.
#[pyclass(module = "samestory._core.detectors", frozen, get_all)]
pub struct Overlaps {
    forward: Py<Column>,
    backward: Py<Column>,
    kinds: Py<Column>,
    /// Numbers into `WHYS` where a pair is not related.
    whys: Py<Column>,
    scores: Py<Column>,
}

impl Overlaps {
    pub fn new(py: Python<'_>, overlaps: &[Overlap]) -> PyResult<Self> {
        Ok(Overlaps {
            forward: Column::new(py, overlaps.iter().map(|o| o.forward))?,
            backward: Column::new(py, overlaps.iter().map(|o| o.backward))?,
            kinds: Column::new(py, overlaps.iter().map(|o| o.kind as u8))?,
            whys: Column::new(py, overlaps.iter().map(|o| o.why as u8))?,
            scores: Column::new(py, overlaps.iter().map(|o| o.score))?,
        })
    }
}

/// Overlaps from the columns forward, backward, kinds, whys and scores.
pub fn overlaps(py: Python<'_>, columns: &[Bound<'_, PyAny>]) -> PyResult<Vec<Overlap>> {
    let [forward, backward, kinds, whys, scores] = columns else {
        return Err(invalid("expected five columns"));
    };
    let (forward, backward): (Vec<f64>, Vec<f64>) = (numbers(py, forward)?, numbers(py, backward)?);
    let (kinds, whys): (Vec<u8>, Vec<u8>) = (numbers(py, kinds)?, numbers(py, whys)?);
    let scores: Vec<f64> = numbers(py, scores)?;
    check_lengths(forward.len(), &[backward.len(), kinds.len(), whys.len(), scores.len()])?;
    let mut out = Vec::with_capacity(forward.len());
    for at in 0..forward.len() {
        let why = *Why::ALL.get(whys[at] as usize).ok_or_else(|| invalid("no such reason"))?;
        let (forward, backward, kind, score) = (forward[at], backward[at], kind_of(kinds[at])?, scores[at]);
        out.push(Overlap { forward, backward, kind, why, score });
    }
    Ok(out)
}

/// A kind by its number.
pub fn kind_of(number: u8) -> PyResult<Kind> {
    let kind = Kind::ALL.get(usize::from(number)).copied();
    kind.ok_or_else(|| invalid(format!("no kind has the number {number}")))
}
