//! Columns pass between Python and Rust as little-endian bytes, one copy per batch: no shared pointers, no unsafe code.

use pyo3::buffer::PyBuffer;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyMemoryView};

/// A number with a fixed-size byte representation.
pub trait Number: Sized + Copy {
    const SIZE: usize;
    fn read(bytes: &[u8]) -> Self;
    fn write(self, out: &mut Vec<u8>);
}

macro_rules! numbers {
    ($($t:ty),*) => {$(
        impl Number for $t {
            const SIZE: usize = std::mem::size_of::<$t>();
            fn read(bytes: &[u8]) -> Self {
                <$t>::from_le_bytes(bytes.try_into().expect("as many bytes as the number has"))
            }
            fn write(self, out: &mut Vec<u8>) {
                out.extend_from_slice(&self.to_le_bytes());
            }
        }
    )*};
}

numbers!(u8, u32, i64, u64, f64);

/// The numbers in any object with the buffer protocol (Arrow and NumPy arrays among them).
pub fn numbers<T: Number>(py: Python<'_>, column: &Bound<'_, PyAny>) -> PyResult<Vec<T>> {
    let bytes = bytes(py, column)?;
    if bytes.len() % T::SIZE != 0 {
        return Err(PyValueError::new_err(format!("a column of {}-byte numbers has {} bytes", T::SIZE, bytes.len())));
    }
    Ok(bytes.chunks_exact(T::SIZE).map(T::read).collect())
}

pub fn bytes(py: Python<'_>, column: &Bound<'_, PyAny>) -> PyResult<Vec<u8>> {
    let view = PyMemoryView::from(column)?;
    if view.getattr("nbytes")?.extract::<usize>()? == 0 {
        return Ok(vec![]); // a view of nothing cannot be cast
    }
    PyBuffer::<u8>::get(&view.call_method1("cast", ("B",))?)?.to_vec(py)
}

pub fn column<'py, T: Number>(py: Python<'py>, numbers: impl IntoIterator<Item = T>) -> Bound<'py, PyBytes> {
    let numbers = numbers.into_iter();
    let mut out = Vec::with_capacity(numbers.size_hint().0 * T::SIZE);
    for number in numbers {
        number.write(&mut out);
    }
    PyBytes::new(py, &out)
}

/// Row `at` of a column of rows that end at `offsets[at + 1]`.
pub fn row<'a, T>(values: &'a [T], offsets: &[i64], at: usize) -> PyResult<&'a [T]> {
    let bounds = offsets.get(at).zip(offsets.get(at + 1));
    bounds
        .and_then(|(&start, &end)| values.get(usize::try_from(start).ok()?..usize::try_from(end).ok()?))
        .ok_or_else(|| PyValueError::new_err(format!("row {at} lies outside its column")))
}
