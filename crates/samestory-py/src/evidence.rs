//! Evidence of pairs of signatures, for explanations and for learning weights.

use pyo3::prelude::*;
use pyo3::types::PyBytes;
use samestory_core::detectors::{event, reuse};

use crate::columns::{column, numbers, row};
use crate::detector::signatures;

type Columns<'py> = (Bound<'py, PyAny>, Bound<'py, PyAny>);

/// Numbers about pairs of signatures, row by row.
fn over_pairs<'py, const N: usize>(
    py: Python<'py>,
    left: &Columns<'py>,
    right: &Columns<'py>,
    pairs: &Columns<'py>,
    measure: impl Fn(&[u32], &[u32]) -> [f64; N],
) -> PyResult<Bound<'py, PyBytes>> {
    let (left, right) = (signatures(py, &left.0, &left.1)?, signatures(py, &right.0, &right.1)?);
    let pairs: (Vec<i64>, Vec<i64>) = (numbers(py, &pairs.0)?, numbers(py, &pairs.1)?);
    let mut out = vec![];
    for (&l, &r) in pairs.0.iter().zip(&pairs.1) {
        out.extend(measure(row(&left.0, &left.1, l as usize)?, row(&right.0, &right.1, r as usize)?));
    }
    Ok(column(py, out))
}

/// The evidence of reuse between pairs of signatures of `reuse`, row by row; NaN if there is none.
#[pyfunction]
pub fn reuse_evidence<'py>(
    py: Python<'py>,
    left: (Bound<'py, PyAny>, Bound<'py, PyAny>),
    right: (Bound<'py, PyAny>, Bound<'py, PyAny>),
    pairs: (Bound<'py, PyAny>, Bound<'py, PyAny>),
    shingle: usize,
) -> PyResult<Bound<'py, PyBytes>> {
    over_pairs(py, &left, &right, &pairs, |left, right| {
        reuse::evidence_of(left, right, shingle).map_or([f64::NAN; reuse::NAMES.len()], |evidence| evidence.values())
    })
}

/// The agreement features of pairs of items, row by row; NaN for items with nothing in common.
#[pyfunction]
pub fn event_agreement<'py>(
    py: Python<'py>,
    left: (Bound<'py, PyAny>, Bound<'py, PyAny>),
    right: (Bound<'py, PyAny>, Bound<'py, PyAny>),
    pairs: (Bound<'py, PyAny>, Bound<'py, PyAny>),
) -> PyResult<Bound<'py, PyBytes>> {
    over_pairs(py, &left, &right, &pairs, |left, right| {
        event::agreement_of(left, right).unwrap_or([f64::NAN; event::NAMES.len()])
    })
}

/// The parts of the log odds of pairs of signatures of `event`, row by row: the weight of the terms, their log odds,
/// the probability by the trees, and the deductions for days, articles' base rate and short items' base rate.
#[pyfunction]
pub fn event_odds<'py>(
    py: Python<'py>,
    left: (Bound<'py, PyAny>, Bound<'py, PyAny>),
    right: (Bound<'py, PyAny>, Bound<'py, PyAny>),
    pairs: (Bound<'py, PyAny>, Bound<'py, PyAny>),
    calibration: &[u8],
) -> PyResult<Bound<'py, PyBytes>> {
    let calibration = event::Calibration::read(calibration);
    over_pairs(py, &left, &right, &pairs, |left, right| event::odds_of(left, right, calibration.as_ref()))
}

/// The evidence for pairs of signatures of `event`, row by row: the cosine of their terms, the mean of their levels,
/// the words of the shorter one, the likelihood by the trees, whether they diverge after the same beginning, and
/// whether the months and the days that they name agree (1), differ (−1) or are unknown (0).
#[pyfunction]
pub fn event_evidence<'py>(
    py: Python<'py>,
    rows: (Bound<'py, PyAny>, Bound<'py, PyAny>),
    pairs: (Bound<'py, PyAny>, Bound<'py, PyAny>),
) -> PyResult<Bound<'py, PyBytes>> {
    over_pairs(py, &rows, &rows, &pairs, event::evidence_of)
}

/// The parts of the probability of two items: the weight of their terms beside the trees, the cosine and the level of
/// the terms, the population, the probability before the base rate and after it, and 1 if one of them is a column, a
/// letter, a live blog or a digest. None if they have nothing in common.
#[pyfunction]
pub fn event_weighed<'py>(
    py: Python<'py>,
    left: (Bound<'py, PyAny>, Bound<'py, PyAny>),
    right: (Bound<'py, PyAny>, Bound<'py, PyAny>),
    threshold: f64,
    calibration: &[u8],
) -> PyResult<Option<[f64; 8]>> {
    let (left, right) = (signatures(py, &left.0, &left.1)?, signatures(py, &right.0, &right.1)?);
    let calibration = event::Calibration::read(calibration);
    let weighed =
        event::weighed(row(&left.0, &left.1, 0)?, row(&right.0, &right.1, 0)?, threshold, calibration.as_ref());
    Ok(weighed.map(|w| {
        let [genre, months] = [w.has_no_single_event, w.has_other_months].map(|flag| f64::from(u8::from(flag)));
        [w.weight_of_terms, w.cosine, w.level, w.population, w.before_base_rate, w.probability, genre, months]
    }))
}

/// The contradiction, by its name in the agreement, that separates two items that have enough in common.
#[pyfunction]
pub fn event_decided<'py>(
    py: Python<'py>,
    left: (Bound<'py, PyAny>, Bound<'py, PyAny>),
    right: (Bound<'py, PyAny>, Bound<'py, PyAny>),
    threshold: f64,
    calibration: &[u8],
) -> PyResult<Option<&'static str>> {
    let (left, right) = (signatures(py, &left.0, &left.1)?, signatures(py, &right.0, &right.1)?);
    let calibration = event::Calibration::read(calibration);
    Ok(event::decided(row(&left.0, &left.1, 0)?, row(&right.0, &right.1, 0)?, threshold, calibration.as_ref()))
}
