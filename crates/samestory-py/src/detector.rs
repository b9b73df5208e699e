//! Native detectors: `_core.Detector("reuse", {...})`.

use pyo3::exceptions::{PyKeyError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use samestory_core::detectors::{Detector as Core, Exact, MinHash, Reuse, Why};

use crate::columns::{bytes, column, numbers, row};

#[pyclass(module = "samestory._core", frozen)]
pub struct Detector {
    inner: Box<dyn Core>,
    name: String,
    parameters: Py<PyDict>,
}

fn get<'py, T: FromPyObjectOwned<'py>>(parameters: &Bound<'py, PyDict>, name: &str) -> PyResult<T> {
    let value = parameters.get_item(name)?.ok_or_else(|| PyKeyError::new_err(name.to_owned()))?;
    value.extract().map_err(Into::into)
}

pub fn build(name: &str, parameters: &Bound<'_, PyDict>) -> PyResult<Box<dyn Core>> {
    Ok(match name {
        "exact" => Box::new(Exact),
        "minhash" => Box::new(MinHash::new(
            get(parameters, "bands")?,
            get(parameters, "rows")?,
            get(parameters, "shingle")?,
            get(parameters, "threshold")?,
            get(parameters, "verify")?,
        )),
        "reuse" => Box::new(Reuse {
            shingle: get(parameters, "shingle")?,
            sample: get(parameters, "sample")?,
            least: get(parameters, "least")?,
            ceiling: get(parameters, "ceiling")?,
            quorum: get(parameters, "quorum_share")?,
            threshold: get(parameters, "threshold")?,
            facts: get(parameters, "facts")?,
            length: get(parameters, "length")?,
            minimum: get(parameters, "minimum")?,
            part: get(parameters, "part")?,
            form: get(parameters, "form")?,
        }),
        other => return Err(PyValueError::new_err(format!("no native detector is called {other:?}"))),
    })
}

/// Signatures as rows of 32-bit numbers.
fn signatures(py: Python<'_>, values: &Bound<'_, PyAny>, offsets: &Bound<'_, PyAny>) -> PyResult<(Vec<u32>, Vec<i64>)> {
    let offsets: Vec<i64> = numbers(py, offsets)?;
    let values = bytes(py, values)?;
    if offsets.iter().any(|o| o % 4 != 0) || values.len() % 4 != 0 {
        return Err(PyValueError::new_err("these are not signatures of a native detector"));
    }
    let values = values.chunks_exact(4).map(|c| u32::from_le_bytes(c.try_into().expect("four bytes"))).collect();
    Ok((values, offsets.into_iter().map(|o| o / 4).collect()))
}

type Rows<'py> = (Bound<'py, PyBytes>, Bound<'py, PyBytes>);

impl Detector {
    /// The same detector again, for somebody who must own one.
    pub fn again(&self, py: Python<'_>) -> PyResult<Box<dyn Core>> {
        build(&self.name, self.parameters.bind(py))
    }
}

#[pymethods]
impl Detector {
    #[new]
    fn new(name: &str, parameters: &Bound<'_, PyDict>) -> PyResult<Self> {
        Ok(Detector { inner: build(name, parameters)?, name: name.to_owned(), parameters: parameters.clone().unbind() })
    }

    /// Tokens (values, offsets) to signatures (bytes, offsets).
    fn sign<'py>(
        &self,
        py: Python<'py>,
        values: &Bound<'py, PyAny>,
        offsets: &Bound<'py, PyAny>,
    ) -> PyResult<Rows<'py>> {
        let (tokens, offsets): (Vec<u32>, Vec<i64>) = (numbers(py, values)?, numbers(py, offsets)?);
        let (out, ends) = py.detach(|| -> PyResult<_> {
            let (mut out, mut ends) = (vec![], vec![0i64]);
            for at in 0..offsets.len().saturating_sub(1) {
                self.inner.sign(row(&tokens, &offsets, at)?, &mut out);
                ends.push(4 * out.len() as i64);
            }
            Ok((out, ends))
        })?;
        Ok((column(py, out), column(py, ends)))
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

    /// How many keys two articles must share, for every number of keys of the one that has fewer.
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

    /// For pairs of rows: forward, backward, kind, why they are apart if they are, and the score.
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

/// Why pairs are apart, by number: names for people.
pub const WHYS: [(u8, &str); 3] = [
    (Why::Apart as u8, "too little in common"),
    (Why::Form as u8, "one form, other facts"),
    (Why::Facts as u8, "enough text in common, but other facts"),
];
