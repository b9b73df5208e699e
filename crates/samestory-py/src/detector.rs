//! Native detectors: `_core.Detector("reuse", {...})`.

use std::collections::HashMap;
use std::sync::Arc;

use pyo3::exceptions::{PyKeyError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use samestory_core::detectors::{
    build, Article, Detector as Core, Exhaustive, Kind, Overlap, Parameters, Sample, Value, Wants, Why, Within,
};
use samestory_core::engine::compare;
use samestory_core::text::languages::is_turkish_case;
use samestory_core::text::tokens::tokenise;

use crate::columns::{bytes, column, numbers, row};
use crate::entities::Recogniser;
use crate::frequencies::{Frequencies, ShingleCounts};

#[pyclass(module = "samestory._core", frozen)]
pub struct Detector {
    pub inner: Arc<dyn Core>,
}

#[derive(FromPyObject)]
pub enum Given {
    Flag(bool),
    Number(f64),
    Text(String),
}

/// The parameters of a detector, from Python.
pub fn parameters(
    given: HashMap<String, Given>,
    frequencies: Option<&Bound<'_, Frequencies>>,
    recogniser: Option<&Bound<'_, Recogniser>>,
) -> Parameters {
    let values = given.into_iter().map(|(name, given)| {
        let value = match given {
            Given::Flag(flag) => Value::Flag(flag),
            Given::Number(number) => Value::Number(number),
            Given::Text(text) => Value::Text(text),
        };
        (name, value)
    });
    Parameters {
        values: values.collect(),
        frequencies: frequencies.map(|table| table.get().inner.clone()),
        recogniser: recogniser.map(|recogniser| recogniser.get().inner.clone()),
        ..Parameters::default()
    }
}

/// Signatures as rows of 32-bit numbers.
pub fn signatures(
    py: Python<'_>,
    values: &Bound<'_, PyAny>,
    offsets: &Bound<'_, PyAny>,
) -> PyResult<(Vec<u32>, Vec<i64>)> {
    let offsets: Vec<i64> = numbers(py, offsets)?;
    let values = bytes(py, values)?;
    if offsets.iter().any(|o| o % 4 != 0) || values.len() % 4 != 0 {
        return Err(PyValueError::new_err("these are not signatures of a native detector"));
    }
    let values = values.chunks_exact(4).map(|c| u32::from_le_bytes(c.try_into().expect("four bytes"))).collect();
    Ok((values, offsets.into_iter().map(|o| o / 4).collect()))
}

type Rows<'py> = (Bound<'py, PyBytes>, Bound<'py, PyBytes>);

#[pymethods]
impl Detector {
    #[new]
    #[pyo3(signature = (name, parameters, frequencies=None, recogniser=None, shingles=None, calibration=vec![]))]
    #[allow(clippy::too_many_arguments)] // its name, its parameters, and one table of each sort that detectors need
    fn new(
        name: &str,
        parameters: HashMap<String, Given>,
        frequencies: Option<&Bound<'_, Frequencies>>,
        recogniser: Option<&Bound<'_, Recogniser>>,
        shingles: Option<&Bound<'_, ShingleCounts>>,
        calibration: Vec<u8>,
    ) -> PyResult<Self> {
        let shingles = shingles.map(|counts| counts.get().inner.clone());
        let built =
            build(name, &Parameters { shingles, calibration, ..self::parameters(parameters, frequencies, recogniser) })
                .map_err(|missing| PyKeyError::new_err(format!("{name}: {missing}")))?;
        let inner = built.ok_or_else(|| PyValueError::new_err(format!("no native detector is called {name:?}")))?;
        Ok(Detector { inner })
    }

    /// Compares all pairs, without candidate generation, as a detector does.
    #[staticmethod]
    fn exhaustive(inner: &Detector) -> Self {
        Detector { inner: Arc::new(Exhaustive { inner: inner.inner.clone() }) }
    }

    /// The same for articles at most so many days apart.
    fn within(&self, days: u32) -> Self {
        Detector { inner: Arc::new(Within { inner: self.inner.clone(), days }) }
    }

    /// Does it need the text, or only the packed tokens?
    #[getter]
    fn wants_text(&self) -> bool {
        self.inner.wants() == Wants::Text
    }

    /// Its calibration on a collection of `total` articles, from the ids and signatures of all of them or of a sample;
    /// empty if it does not calibrate.
    #[pyo3(signature = (ids, rows, sources=vec![], total=None, as_is=false))]
    fn calibrate<'py>(
        &self,
        py: Python<'py>,
        ids: Vec<String>,
        rows: (Bound<'py, PyAny>, Bound<'py, PyAny>),
        sources: Vec<u64>,
        total: Option<usize>,
        as_is: bool,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let rows = signatures(py, &rows.0, &rows.1)?;
        let signatures = (0..ids.len()).map(|at| row(&rows.0, &rows.1, at)).collect::<PyResult<Vec<_>>>()?;
        let hashes = ids.iter().map(|id| samestory_core::base::hash::token(id.as_bytes()));
        let source = |at: usize| sources.get(at).copied().unwrap_or(0);
        let articles = hashes.zip(signatures).enumerate().map(|(at, (hash, signature))| (hash, signature, source(at)));
        let mut sample = Sample::draw(articles, as_is);
        sample.total = total.unwrap_or(sample.total);
        let bytes = py.detach(|| self.inner.calibrate(&sample).map_or(vec![], |detector| detector.calibration()));
        Ok(PyBytes::new(py, &bytes))
    }

    /// The bytes of signatures with their calibrated fields filled in.
    fn apply_calibration<'py>(
        &self,
        py: Python<'py>,
        values: &Bound<'py, PyAny>,
        offsets: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let (mut rows, offsets) = signatures(py, values, offsets)?;
        for at in 0..offsets.len().saturating_sub(1) {
            self.inner
                .apply_calibration(rows.get_mut(offsets[at] as usize..offsets[at + 1] as usize).unwrap_or_default());
        }
        Ok(column(py, rows))
    }

    /// The rows of the signatures with boilerplate that comparisons ignore.
    fn with_boilerplate(&self, py: Python, values: &Bound<PyAny>, offsets: &Bound<PyAny>) -> PyResult<Vec<usize>> {
        let (rows, offsets) = signatures(py, values, offsets)?;
        let mut found = vec![];
        for at in 0..offsets.len().saturating_sub(1) {
            if self.inner.ignores_parts(row(&rows, &offsets, at)?) {
                found.push(at);
            }
        }
        Ok(found)
    }

    /// Tokens (values, offsets) to signatures (bytes, offsets), for detectors that need only tokens.
    fn sign_words<'py>(
        &self,
        py: Python<'py>,
        values: &Bound<'py, PyAny>,
        offsets: &Bound<'py, PyAny>,
        published: Vec<i64>,
    ) -> PyResult<Rows<'py>> {
        let (tokens, offsets): (Vec<u32>, Vec<i64>) = (numbers(py, values)?, numbers(py, offsets)?);
        let (out, ends) = py.detach(|| -> PyResult<_> {
            let (mut out, mut ends) = (vec![], vec![0i64]);
            for (at, &published) in published.iter().enumerate() {
                let words = row(&tokens, &offsets, at)?;
                self.inner
                    .sign(&Article { words, tokens: &[], text: "", title: "", language: "", published }, &mut out);
                ends.push(4 * out.len() as i64);
            }
            Ok((out, ends))
        })?;
        Ok((column(py, out), column(py, ends)))
    }

    /// Texts with their titles and languages to signatures (bytes, offsets).
    fn sign_texts<'py>(
        &self,
        py: Python<'py>,
        texts: Vec<String>,
        titles: Vec<Option<String>>,
        languages: Vec<String>,
        published: Vec<i64>,
    ) -> Rows<'py> {
        let (out, ends) = py.detach(|| {
            let (mut out, mut ends) = (vec![], vec![0i64]);
            let (mut words, mut tokens) = (vec![], vec![]);
            for (((text, title), language), &published) in texts.iter().zip(&titles).zip(&languages).zip(&published) {
                let title = title.as_deref().unwrap_or("");
                words.clear();
                tokens.clear();
                tokenise(text, is_turkish_case(language), |token| {
                    tokens.push(token);
                    words.push(token.packed());
                });
                self.inner
                    .sign(&Article { words: &words, tokens: &tokens, text, title, language, published }, &mut out);
                ends.push(4 * out.len() as i64);
            }
            (out, ends)
        });
        (column(py, out), column(py, ends))
    }

    /// Signatures to keys (64-bit, signed; values, offsets).
    fn keys<'py>(
        &self,
        py: Python<'py>,
        values: &Bound<'py, PyAny>,
        offsets: &Bound<'py, PyAny>,
    ) -> PyResult<Rows<'py>> {
        let (rows, offsets) = signatures(py, values, offsets)?;
        let (out, ends) = py.detach(|| -> PyResult<_> {
            let (mut out, mut ends) = (vec![], vec![0i64]);
            for at in 0..offsets.len().saturating_sub(1) {
                self.inner.keys(row(&rows, &offsets, at)?, &mut out);
                ends.push(out.len() as i64);
            }
            Ok((out, ends))
        })?;
        Ok((column(py, out.into_iter().map(|key| key as i64)), column(py, ends)))
    }

    /// How many keys two articles must share, for every number of keys of the article with fewer keys.
    fn quorum<'py>(&self, py: Python<'py>, fewer: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyBytes>> {
        let fewer: Vec<i64> = numbers(py, fewer)?;
        Ok(column(py, fewer.into_iter().map(|count| self.inner.quorum(count.max(0) as usize) as i64)))
    }

    #[getter]
    fn ceiling(&self) -> usize {
        self.inner.ceiling()
    }

    /// Which candidates are worth comparing, as one byte each.
    #[allow(clippy::too_many_arguments)] // two batches, the pairs between them, and two columns about the pairs
    fn admits<'py>(
        &self,
        py: Python<'py>,
        left: (Bound<'py, PyAny>, Bound<'py, PyAny>),
        right: (Bound<'py, PyAny>, Bound<'py, PyAny>),
        pairs: (Bound<'py, PyAny>, Bound<'py, PyAny>),
        shared: &Bound<'py, PyAny>,
        fewer: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let (left, right) = (signatures(py, &left.0, &left.1)?, signatures(py, &right.0, &right.1)?);
        let pairs: (Vec<i64>, Vec<i64>) = (numbers(py, &pairs.0)?, numbers(py, &pairs.1)?);
        let (shared, fewer): (Vec<i64>, Vec<i64>) = (numbers(py, shared)?, numbers(py, fewer)?);
        let mut out = Vec::with_capacity(shared.len());
        for (((l, r), shared), fewer) in pairs.0.iter().zip(&pairs.1).zip(&shared).zip(&fewer) {
            let (l, r) = (row(&left.0, &left.1, *l as usize)?, row(&right.0, &right.1, *r as usize)?);
            out.push(u8::from(self.inner.admits(l, r, *shared as usize, *fewer as usize)));
        }
        Ok(column(py, out))
    }

    /// For pairs of rows: forward, backward, kind, the reason if they are unrelated, and the score.
    fn compare<'py>(
        &self,
        py: Python<'py>,
        left: (Bound<'py, PyAny>, Bound<'py, PyAny>),
        right: (Bound<'py, PyAny>, Bound<'py, PyAny>),
        pairs: (Bound<'py, PyAny>, Bound<'py, PyAny>),
    ) -> PyResult<[Bound<'py, PyBytes>; 5]> {
        let (left, right) = (signatures(py, &left.0, &left.1)?, signatures(py, &right.0, &right.1)?);
        let pairs: (Vec<i64>, Vec<i64>) = (numbers(py, &pairs.0)?, numbers(py, &pairs.1)?);
        let overlaps = py.detach(|| -> PyResult<Vec<_>> {
            let mut comparer = self.inner.comparer();
            let mut loaded = None;
            let mut out = Vec::with_capacity(pairs.0.len());
            for (&l, &r) in pairs.0.iter().zip(&pairs.1) {
                if loaded != Some(l) {
                    comparer.load(row(&left.0, &left.1, l as usize)?);
                    loaded = Some(l);
                }
                out.push(comparer.compare(row(&right.0, &right.1, r as usize)?));
            }
            Ok(out)
        })?;
        Ok([
            column(py, overlaps.iter().map(|o| o.forward)),
            column(py, overlaps.iter().map(|o| o.backward)),
            column(py, overlaps.iter().map(|o| o.kind as u8)),
            column(py, overlaps.iter().map(|o| o.why as u8)),
            column(py, overlaps.iter().map(|o| o.score)),
        ])
    }
}

/// Reasons why pairs are unrelated, by number: names for users.
pub const WHYS: [(u8, &str); 5] = [
    (Why::Apart as u8, "too little in common"),
    (Why::Template as u8, "same template, other facts"),
    (Why::Facts as u8, "enough text in common, but other facts"),
    (Why::Figures as u8, "same template, other figures"),
    (Why::Days as u8, "too many days apart"),
];

/// Results of comparisons from columns: forward, backward, kind, why, score.
pub fn overlaps(py: Python<'_>, columns: &[Bound<'_, PyAny>]) -> PyResult<Vec<Overlap>> {
    let [forward, backward, kinds, whys, scores] = columns else {
        return Err(PyValueError::new_err("five columns are wanted"));
    };
    let (forward, backward): (Vec<f64>, Vec<f64>) = (numbers(py, forward)?, numbers(py, backward)?);
    let (kinds, whys): (Vec<u8>, Vec<u8>) = (numbers(py, kinds)?, numbers(py, whys)?);
    let scores: Vec<f64> = numbers(py, scores)?;
    if ![backward.len(), kinds.len(), whys.len(), scores.len()].iter().all(|&length| length == forward.len()) {
        return Err(PyValueError::new_err("the columns do not fit each other"));
    }
    let mut out = Vec::with_capacity(forward.len());
    for at in 0..forward.len() {
        let kind = *Kind::ALL.get(kinds[at] as usize).ok_or_else(|| PyValueError::new_err("no such kind"))?;
        let why = *Why::ALL.get(whys[at] as usize).ok_or_else(|| PyValueError::new_err("no such reason"))?;
        out.push(Overlap { forward: forward[at], backward: backward[at], kind, why, score: scores[at] });
    }
    Ok(out)
}

type Abouts<'py> = (Bound<'py, PyAny>, Bound<'py, PyAny>);

/// Relations from comparisons of articles with these sources and times (two columns per side): kinds, scores, reasons,
/// and whether the relation is reported from its right side. A native detector weighs the days between articles.
#[pyfunction]
pub fn dated<'py>(
    py: Python<'py>,
    detector: Option<&Detector>,
    found: [Bound<'py, PyAny>; 5],
    left: Abouts<'py>,
    right: Abouts<'py>,
) -> PyResult<[Bound<'py, PyBytes>; 4]> {
    let found = overlaps(py, &found)?;
    let about = |columns: Abouts<'py>| -> PyResult<Vec<(u64, i64)>> {
        let (sources, times): (Vec<u64>, Vec<i64>) = (numbers(py, &columns.0)?, numbers(py, &columns.1)?);
        Ok(sources.into_iter().zip(times).collect())
    };
    let (left, right) = (about(left)?, about(right)?);
    if left.len() != found.len() || right.len() != found.len() {
        return Err(PyValueError::new_err("the columns do not fit each other"));
    }
    let detector = detector.map(|detector| &*detector.inner);
    let rows = found.into_iter().zip(&left).zip(&right);
    let dated: Vec<Overlap> =
        rows.map(|((found, &left), &right)| compare::dated(detector, found, left, right)).collect();
    let sides = dated.iter().zip(left).zip(right);
    let reversed: Vec<bool> =
        sides.map(|((overlap, left), right)| compare::is_reversed(overlap, left.1, right.1)).collect();
    Ok([
        column(py, dated.iter().map(|o| o.kind as u8)),
        column(py, dated.iter().map(|o| o.score)),
        column(py, dated.iter().map(|o| o.why as u8)),
        column(py, reversed.into_iter().map(u8::from)),
    ])
}

/// Positions of the ids in the sample: those with the smallest hashes.
#[pyfunction]
pub fn drawn(ids: Vec<String>) -> Vec<usize> {
    let mut hashes: Vec<(u64, usize)> =
        ids.iter().enumerate().map(|(at, id)| (samestory_core::base::hash::token(id.as_bytes()), at)).collect();
    hashes.sort_unstable();
    hashes.truncate(Sample::MAX_ARTICLES);
    hashes.into_iter().map(|(_, at)| at).collect()
}
