//! Numbers about pairs of signatures, for explanations and for learning weights.

use pyo3::prelude::*;
use samestory_core::detectors::{event, reuse};

use crate::columns::{Column, Signatures, Two};
use crate::errors::{error, unknown, Class};

/// Named numbers about pairs: a row per pair, NaN where a pair has nothing in common.
#[pyclass(module = "samestory._core.detectors", frozen, get_all)]
pub struct PairNumbers {
    names: Vec<&'static str>,
    values: Py<Column>,
}

/// The kinds of evidence.
const KINDS: [&str; 6] = ["reuse", "agreement", "odds", "terms", "probability", "contradiction"];

/// The parts of the log odds of `event`: the weight of the terms, their log odds, the probability by the trees, and the
/// deductions for days, articles' base rate and short items' base rate.
const ODDS: [&str; 6] = ["weight_of_terms", "terms", "trees", "days", "articles_base_rate", "items_base_rate"];

/// The cosine of the terms, the mean of their levels, the words of the shorter item, the likelihood by the trees, whether
/// the items diverge after the same beginning, and whether the months and the days that they name agree (1), differ (−1)
/// or are unknown (0).
const TERMS: [&str; 7] = ["cosine", "level", "words", "trees", "diverges", "months", "days"];

/// The parts of the probability of two items: the weight of their terms beside the trees, the cosine and the level of the
/// terms, the population, the probability before the base rate and after it, and 1 if one of them is a column, a letter, a
/// live blog or a digest, and if their beginnings name different months.
const PROBABILITY: [&str; 8] = [
    "weight_of_terms",
    "cosine",
    "level",
    "population",
    "before_base_rate",
    "probability",
    "has_no_single_event",
    "has_other_months",
];

/// What the evidence of a kind depends on besides the signatures.
struct Settings {
    shingle: usize,
    threshold: f64,
    calibration: Option<event::Calibration>,
}

type Measure<'a> = Box<dyn Fn(&[u32], &[u32]) -> Vec<f64> + 'a>;

/// The names of a kind of evidence, and the function that computes it.
fn measure<'a>(kind: &str, settings: &'a Settings) -> Option<(Vec<&'static str>, Measure<'a>)> {
    let calibration = settings.calibration.as_ref();
    let found: (Vec<&'static str>, Measure<'a>) = match kind {
        "reuse" => {
            let none = || vec![f64::NAN; reuse::NAMES.len()];
            let of = move |left: &[u32], right: &[u32]| {
                reuse::evidence_of(left, right, settings.shingle).map_or_else(none, |found| found.values().to_vec())
            };
            (reuse::NAMES.to_vec(), Box::new(of))
        }
        "agreement" => {
            let none = || vec![f64::NAN; event::NAMES.len()];
            let of = move |left: &[u32], right: &[u32]| {
                event::agreement_of(left, right).map_or_else(none, |found| found.to_vec())
            };
            (event::NAMES.to_vec(), Box::new(of))
        }
        "odds" => (ODDS.to_vec(), Box::new(move |left, right| event::odds_of(left, right, calibration).to_vec())),
        "terms" => (TERMS.to_vec(), Box::new(|left, right| event::evidence_of(left, right).to_vec())),
        "probability" => (PROBABILITY.to_vec(), Box::new(move |left, right| probability(left, right, settings))),
        // 1 at the contradiction that separates two items with enough in common
        "contradiction" => {
            let of = move |left: &[u32], right: &[u32]| {
                let name = event::decided(left, right, settings.threshold, calibration);
                event::NAMES.iter().map(|own| f64::from(u8::from(name == Some(own)))).collect()
            };
            (event::NAMES.to_vec(), Box::new(of))
        }
        _ => return None,
    };
    Some(found)
}

fn probability(left: &[u32], right: &[u32], settings: &Settings) -> Vec<f64> {
    let Some(w) = event::weighed(left, right, settings.threshold, settings.calibration.as_ref()) else {
        return vec![f64::NAN; PROBABILITY.len()];
    };
    let [genre, months] = [w.has_no_single_event, w.has_other_months].map(|flag| f64::from(u8::from(flag)));
    vec![w.weight_of_terms, w.cosine, w.level, w.population, w.before_base_rate, w.probability, genre, months]
}

/// The evidence of a kind for pairs of signatures of `reuse` (kind `reuse`, for runs of `shingle` words) or of `event` (all
/// other kinds).
#[pyfunction]
#[pyo3(signature = (kind, left, right, pairs, shingle = 0, threshold = 0.0, calibration = vec![]))]
#[allow(clippy::too_many_arguments)] // two batches, the pairs between them, and three settings
pub fn evidence<'py>(
    py: Python<'py>,
    kind: &str,
    left: Two<'py>,
    right: Two<'py>,
    pairs: Two<'py>,
    shingle: usize,
    threshold: f64,
    calibration: Vec<u8>,
) -> PyResult<PairNumbers> {
    let (left, right) = (Signatures::read(py, &left)?, Signatures::read(py, &right)?);
    let is_signature = |row: &[u32]| match kind {
        "reuse" => reuse::is_signature(row),
        _ => event::is_signature(row),
    };
    if kind == "reuse" && shingle == 0 {
        return Err(error(Class::Parameter, "shingle: expected at least 1, got 0"));
    }
    left.check(is_signature)?;
    right.check(is_signature)?;
    let settings = Settings { shingle, threshold, calibration: event::Calibration::read(&calibration) };
    let (names, measure) = measure(kind, &settings).ok_or_else(|| unknown("kind of evidence", kind, &KINDS))?;
    let mut values = vec![];
    for (l, r) in crate::columns::pairs(py, &pairs)? {
        values.extend(measure(left.row(l)?, right.row(r)?));
    }
    Ok(PairNumbers { names, values: Column::new(py, values)? })
}
