//! Detectors written in Python, in the engine of the core (src/samestory/detectors/adapter.py).
//!
//! A signature of the core is a row of 32-bit numbers, one of Python is bytes; the row of a Python detector has both its
//! bytes and its keys, so that the engine reads keys without a call:
//!
//! ```text
//! number of bytes | number of keys | the bytes, padded with zeros | the keys, two numbers each
//! ```
//!
//! Articles are signed and pairs are compared many at a time. An exception ends the work: the detector keeps it for the
//! caller, and from then on signs and relates nothing.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use pyo3::prelude::*;
use pyo3::types::PyBytes;
use samestory_core::detectors::{
    Article, ArticleText, BatchDetector, CalibratedDetector, CandidatePlan, Comparer, Detector, Overlap, PairFilter,
    PairSource, Quorum, Sample, Wants, Why,
};

use crate::columns::{bytes, numbers, Column, Rows};
use crate::failure::Failure;
use crate::overlaps::overlaps;

pub struct PythonDetector {
    python: Arc<PythonCalls>,
    plan: CandidatePlan,
    calibrates: bool,
    is_calibrated: bool,
}

/// The adapter of a detector, and the exception that ended its work.
struct PythonCalls {
    adapter: Py<PyAny>,
    failure: Failure,
}

impl PythonCalls {
    /// Calls Python, unless a call has failed before; keeps an exception.
    fn call<T>(&self, work: impl FnOnce(Python<'_>, &Bound<'_, PyAny>) -> PyResult<T>) -> Option<T> {
        if self.failure.is_kept() {
            return None;
        }
        Python::attach(|py| match work(py, self.adapter.bind(py)) {
            Ok(value) => Some(value),
            Err(error) => {
                self.failure.keep(error);
                None
            }
        })
    }

    /// The quorum of the detector; Python is asked once for each number of keys.
    fn quorum(self: &Arc<Self>) -> Quorum {
        let (python, known) = (self.clone(), Mutex::<HashMap<usize, usize>>::default());
        Quorum::new(move |fewer| {
            let known = || known.lock().expect("no panic while the lock is held");
            if let Some(&quorum) = known().get(&fewer) {
                return quorum;
            }
            let asked = python.call(|_, adapter| adapter.call_method1("quorum", (fewer,))?.extract());
            let quorum = asked.unwrap_or_else(|| fewer.min(1));
            known().insert(fewer, quorum);
            quorum
        })
    }
}

impl PairFilter for PythonCalls {
    fn admits(&self, left: &[u32], right: &[u32], shared: usize, fewer: usize) -> bool {
        self.admits_all(left, &[right], &[(shared, fewer)])[0]
    }

    fn admits_all(&self, left: &[u32], rights: &[&[u32]], counts: &[(usize, usize)]) -> Vec<bool> {
        if rights.is_empty() {
            return vec![];
        }
        let rows = SignatureBytes::new(std::iter::once(left).chain(rights.iter().copied()));
        let found = self.call(|py, adapter| {
            let shared = Column::new(py, counts.iter().map(|&(shared, _)| shared as i64))?;
            let fewer = Column::new(py, counts.iter().map(|&(_, fewer)| fewer as i64))?;
            let arguments = (rows.into_rows(py)?, shared, fewer);
            numbers::<u8>(py, &adapter.call_method1("admits", arguments)?)
        });
        let found = found.filter(|found| found.len() == rights.len());
        found.map_or_else(|| vec![false; rights.len()], |found| found.into_iter().map(|is| is != 0).collect())
    }
}

impl PairSource for PythonCalls {
    fn candidate_pairs(&self, rows: &[&[u32]], for_components: bool) -> Vec<(u32, u32)> {
        let signatures = SignatureBytes::new(rows.iter().copied());
        let pairs = self.call(|py, adapter| {
            let arguments = (signatures.into_rows(py)?, for_components);
            let (left, right): (Bound<'_, PyAny>, Bound<'_, PyAny>) =
                adapter.call_method1("candidate_pairs", arguments)?.extract()?;
            let (left, right): (Vec<i64>, Vec<i64>) = (numbers(py, &left)?, numbers(py, &right)?);
            Ok(left.into_iter().zip(right).map(|(left, right)| (left as u32, right as u32)).collect())
        });
        let is_row = |&(left, right): &(u32, u32)| left.max(right) < rows.len() as u32;
        pairs.map_or(vec![], |pairs: Vec<_>| pairs.into_iter().filter(is_row).collect())
    }
}

const HEAD: usize = 2;

/// The row of a signature and its keys; empty if it has neither.
pub fn pack(signature: &[u8], keys: &[i64]) -> Vec<u32> {
    if signature.is_empty() && keys.is_empty() {
        return vec![];
    }
    let mut row = vec![signature.len() as u32, keys.len() as u32];
    row.extend(signature.chunks(4).map(|chunk| {
        let mut four = [0; 4];
        four[..chunk.len()].copy_from_slice(chunk);
        u32::from_le_bytes(four)
    }));
    row.extend(keys.iter().flat_map(|&key| [key as u32, (key as u64 >> 32) as u32]));
    row
}

/// The bytes of the signature in a row; none if the row is no valid one.
fn signature(row: &[u32]) -> Vec<u8> {
    let Some(&length) = row.first() else { return vec![] };
    let words = row.get(HEAD..HEAD + (length as usize).div_ceil(4)).unwrap_or_default();
    let mut out: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    out.truncate(length as usize);
    out
}

/// The signatures of some rows.
struct SignatureBytes {
    values: Vec<u8>,
    lengths: Vec<usize>,
}

impl SignatureBytes {
    fn new<'a>(rows: impl Iterator<Item = &'a [u32]>) -> Self {
        let mut out = SignatureBytes { values: vec![], lengths: vec![] };
        for row in rows {
            let own = signature(row);
            out.lengths.push(own.len());
            out.values.extend(own);
        }
        out
    }

    fn into_rows(self, py: Python<'_>) -> PyResult<Rows> {
        Ok(Rows { values: Column::new(py, self.values)?, offsets: Column::offsets(py, self.lengths)? })
    }
}

impl PythonDetector {
    /// The detector of an adapter; `failure` keeps its exceptions.
    pub fn new(py: Python<'_>, adapter: Py<PyAny>, failure: Failure) -> PyResult<Self> {
        let python = Arc::new(PythonCalls { adapter, failure });
        let about = python.adapter.bind(py);
        let (has_pairs, has_admits) =
            (about.getattr("has_pairs")?.extract::<bool>()?, about.getattr("has_admits")?.extract::<bool>()?);
        let plan = CandidatePlan {
            max_days: about.getattr("days")?.extract()?,
            pair_filter: has_admits.then(|| python.clone() as Arc<dyn PairFilter>),
            pair_source: has_pairs.then(|| python.clone() as Arc<dyn PairSource>),
            ..CandidatePlan::with_quorum(python.quorum())
        };
        Ok(PythonDetector {
            plan: plan.with_ceiling(about.getattr("ceiling")?.extract()?),
            calibrates: about.getattr("calibrates")?.extract()?,
            is_calibrated: about.getattr("is_calibrated")?.extract()?,
            python,
        })
    }

    fn compare_rows<'a>(
        &self,
        rows: impl Iterator<Item = &'a [u32]>,
        pairs: impl Iterator<Item = (u32, u32)> + Clone,
    ) -> Option<Vec<Overlap>> {
        let count = pairs.clone().count();
        let rows = SignatureBytes::new(rows);
        let found = self.python.call(|py, adapter| {
            let (left, right): (Vec<i64>, Vec<i64>) =
                pairs.map(|(left, right)| (i64::from(left), i64::from(right))).unzip();
            let arguments = (rows.into_rows(py)?, Column::new(py, left)?, Column::new(py, right)?);
            let columns: Vec<Bound<'_, PyAny>> = adapter.call_method1("compare", arguments)?.extract()?;
            overlaps(py, &columns)
        });
        found.filter(|found| found.len() == count)
    }
}

fn unrelated(count: usize) -> Vec<Overlap> {
    vec![Overlap::apart(0.0, 0.0, Why::Apart); count]
}

impl Detector for PythonDetector {
    fn wants(&self) -> Wants {
        Wants::Text
    }

    fn sign(&self, article: &Article, signature: &mut Vec<u32>) {
        let article = ArticleText {
            title: Some(article.title.to_owned()).filter(|title| !title.is_empty()),
            text: article.text.to_owned(),
            language: article.language.to_owned(),
            ..ArticleText::default()
        };
        signature.extend(self.sign_all(&[article]).swap_remove(0));
    }

    fn batch(&self) -> Option<&dyn BatchDetector> {
        Some(self)
    }

    fn keys(&self, row: &[u32], keys: &mut Vec<u64>) {
        let [length, _, ..] = *row else { return };
        let packed = row.get(HEAD + (length as usize).div_ceil(4)..).unwrap_or_default();
        keys.extend(packed.chunks_exact(2).map(|two| u64::from(two[0]) | u64::from(two[1]) << 32));
    }

    fn candidate_plan(&self) -> CandidatePlan {
        self.plan.clone()
    }

    fn calibration(&self) -> Option<&dyn CalibratedDetector> {
        self.calibrates.then_some(self)
    }

    fn comparer(&self) -> Box<dyn Comparer + '_> {
        Box::new(PythonComparer { detector: self, left: vec![] })
    }
}

impl CalibratedDetector for PythonDetector {
    fn is_calibrated(&self) -> bool {
        self.is_calibrated
    }

    fn calibrate(&self, sample: &Sample) -> Option<Arc<dyn Detector>> {
        let rows = SignatureBytes::new(sample.signatures.iter().copied());
        self.python.call(|py, adapter| {
            let arguments =
                (sample.ids.clone(), rows.into_rows(py)?, sample.sources.clone(), sample.total, sample.as_is);
            let calibrated = adapter.call_method1("calibrate", arguments)?.unbind();
            Ok(Arc::new(Self::new(py, calibrated, self.python.failure.clone())?) as Arc<dyn Detector>)
        })
    }

    fn to_bytes(&self) -> Vec<u8> {
        self.python.call(|py, adapter| bytes(py, &adapter.call_method0("state")?)).unwrap_or_default()
    }

    fn apply(&self, row: &mut [u32]) {
        let own = signature(row);
        if own.is_empty() {
            return;
        }
        let applied = self
            .python
            .call(|py, adapter| bytes(py, &adapter.call_method1("apply_calibration", (PyBytes::new(py, &own),))?));
        if let Some(applied) = applied.filter(|applied| applied.len() == own.len()) {
            let packed = pack(&applied, &[]);
            row[HEAD..packed.len()].copy_from_slice(&packed[HEAD..]);
        }
    }
}

impl BatchDetector for PythonDetector {
    fn sign_all(&self, articles: &[ArticleText]) -> Vec<Vec<u32>> {
        let signed = self.python.call(|py, adapter| {
            let rows: Vec<_> = articles
                .iter()
                .map(|a| (&a.id, a.title.as_deref(), &a.text, a.published.as_deref(), a.source.as_deref(), &a.language))
                .collect();
            let found: SignedColumns = adapter.call_method1("sign", (rows,))?.extract()?;
            rows_of(py, &found)
        });
        signed.filter(|signed| signed.len() == articles.len()).unwrap_or_else(|| vec![vec![]; articles.len()])
    }

    fn compare_pairs(&self, rows: &[&[u32]], pairs: &[(u32, u32)]) -> Vec<Overlap> {
        // only the rows of this batch are passed on
        let mut used: Vec<u32> = pairs.iter().flat_map(|&(left, right)| [left, right]).collect();
        used.sort_unstable();
        used.dedup();
        let place = |row: u32| used.partition_point(|&other| other < row) as u32;
        let pairs = pairs.iter().map(|&(left, right)| (place(left), place(right)));
        let count = pairs.len();
        let found = self.compare_rows(used.iter().map(|&row| rows[row as usize]), pairs);
        found.unwrap_or_else(|| unrelated(count))
    }
}

struct PythonComparer<'a> {
    detector: &'a PythonDetector,
    left: Vec<u32>,
}

impl Comparer for PythonComparer<'_> {
    fn load(&mut self, left: &[u32]) {
        self.left.clear();
        self.left.extend_from_slice(left);
    }

    fn compare(&mut self, right: &[u32]) -> Overlap {
        self.compare_all(&[right]).swap_remove(0)
    }

    fn compare_all(&mut self, rights: &[&[u32]]) -> Vec<Overlap> {
        if rights.is_empty() {
            return vec![];
        }
        let rows = std::iter::once(&self.left[..]).chain(rights.iter().copied());
        let pairs = (1..=rights.len() as u32).map(|right| (0, right));
        self.detector.compare_rows(rows, pairs).unwrap_or_else(|| unrelated(rights.len()))
    }
}

/// What a detector written in Python signs: the values and offsets of its signatures, and those of their keys.
pub type SignedColumns<'py> = [Bound<'py, PyAny>; 4];

/// Signatures and their keys as rows of the engine.
pub fn rows_of(py: Python<'_>, columns: &SignedColumns<'_>) -> PyResult<Vec<Vec<u32>>> {
    let (values, offsets): (Vec<u8>, Vec<i64>) = (bytes(py, &columns[0])?, numbers(py, &columns[1])?);
    let (keys, key_offsets): (Vec<i64>, Vec<i64>) = (numbers(py, &columns[2])?, numbers(py, &columns[3])?);
    let count = offsets.len().saturating_sub(1);
    (0..count)
        .map(|at| {
            let signature = crate::columns::row(&values, &offsets, at)?;
            Ok(pack(signature, crate::columns::row(&keys, &key_offsets, at)?))
        })
        .collect()
}
