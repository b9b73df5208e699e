//! Columns pass between Python and Rust as little-endian bytes, one copy per batch: no shared pointers, no unsafe code.

use pyo3::buffer::PyBuffer;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyMemoryView};
use samestory_core::detectors::Detector;

use crate::errors::{error, Class};

/// The exception for a value that cannot be what it is passed as.
pub fn invalid(detail: impl Into<String>) -> PyErr {
    error(Class::Input, detail)
}

/// A number with a fixed-size byte representation.
pub trait Number: Sized + Copy {
    const SIZE: usize;
    /// Its type as NumPy writes it.
    const NAME: &'static str;
    const TYPE: (&'static str, usize) = (Self::NAME, Self::SIZE);
    fn read(bytes: &[u8]) -> Self;
    fn write(self, out: &mut Vec<u8>);
}

macro_rules! numbers {
    ($($t:ty: $name:literal),*) => {$(
        impl Number for $t {
            const SIZE: usize = std::mem::size_of::<$t>();
            const NAME: &'static str = $name;
            fn read(bytes: &[u8]) -> Self {
                <$t>::from_le_bytes(bytes.try_into().expect("as many bytes as the number has"))
            }
            fn write(self, out: &mut Vec<u8>) {
                out.extend_from_slice(&self.to_le_bytes());
            }
        }
    )*};
}

numbers!(u8: "|u1", u32: "<u4", i64: "<i8", u64: "<u8", f64: "<f8");

/// A read-only column of numbers with their type: `numpy.asarray(column)` is a view of it.
#[pyclass(module = "samestory._core", frozen)]
pub struct Column {
    bytes: Py<PyBytes>,
    size: usize,
    name: &'static str,
}

impl Column {
    pub fn new<T: Number>(py: Python<'_>, numbers: impl IntoIterator<Item = T>) -> PyResult<Py<Self>> {
        Py::new(py, Column { bytes: column(py, numbers).unbind(), size: T::SIZE, name: T::NAME })
    }

    /// Where rows of these lengths begin, from 0, and where the last one ends.
    pub fn offsets(py: Python<'_>, lengths: impl IntoIterator<Item = usize>) -> PyResult<Py<Self>> {
        let ends = lengths.into_iter().scan(0i64, |end, length| {
            *end += length as i64;
            Some(*end)
        });
        Self::new(py, std::iter::once(0).chain(ends))
    }
}

#[pymethods]
impl Column {
    /// A column of numbers of the type `name`, as NumPy writes it.
    #[new]
    fn load(bytes: Bound<'_, PyBytes>, name: &str) -> PyResult<Self> {
        let types = [u8::TYPE, u32::TYPE, i64::TYPE, u64::TYPE, f64::TYPE];
        let found = types.into_iter().find(|(known, size)| *known == name && bytes.as_bytes().len() % size == 0);
        let (name, size) = found.ok_or_else(|| invalid("the bytes are not a column of these numbers"))?;
        Ok(Column { bytes: bytes.unbind(), size, name })
    }

    fn __getnewargs__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyBytes>, &'static str) {
        (self.__bytes__(py), self.name)
    }

    fn __len__(&self, py: Python<'_>) -> usize {
        self.bytes.bind(py).as_bytes().len() / self.size
    }

    fn __bytes__<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        self.bytes.bind(py).clone()
    }

    #[getter(__array_interface__)]
    fn array_interface<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let interface = PyDict::new(py);
        interface.set_item("version", 3)?;
        interface.set_item("typestr", self.name)?;
        interface.set_item("shape", (self.__len__(py),))?;
        interface.set_item("data", &self.bytes)?;
        Ok(interface)
    }
}

/// Rows of numbers of different lengths: row `at` is `values[offsets[at]:offsets[at + 1]]`.
#[pyclass(module = "samestory._core", frozen, get_all)]
pub struct Rows {
    pub values: Py<Column>,
    pub offsets: Py<Column>,
}

impl Rows {
    /// Signatures as rows of bytes.
    pub fn of_signatures<'a>(py: Python<'_>, rows: impl Iterator<Item = &'a [u32]> + Clone) -> PyResult<Self> {
        Ok(Rows {
            offsets: Column::offsets(py, rows.clone().map(|row| 4 * row.len()))?,
            values: Column::new(py, rows.flatten().flat_map(|word| word.to_le_bytes()))?,
        })
    }
}

/// The numbers in any object with the buffer protocol (Arrow and NumPy arrays among them), or in a column.
pub fn numbers<T: Number>(py: Python<'_>, column: &Bound<'_, PyAny>) -> PyResult<Vec<T>> {
    let bytes = bytes(py, column)?;
    if bytes.len() % T::SIZE != 0 {
        return Err(invalid(format!("a column of {}-byte numbers has {} bytes", T::SIZE, bytes.len())));
    }
    Ok(bytes.chunks_exact(T::SIZE).map(T::read).collect())
}

/// Columns from Python by their names: an Arrow batch or table, or a mapping of arrays. The only reader of named columns.
#[derive(FromPyObject)]
pub struct Named<'py>(Bound<'py, PyAny>);

impl Named<'_> {
    pub fn numbers<T: Number>(&self, name: &str) -> PyResult<Vec<T>> {
        typed(&self.0.get_item(name)?)
    }

    /// Article numbers: 64-bit integers, none negative.
    pub fn articles(&self, name: &str) -> PyResult<Vec<u64>> {
        articles(&self.0.get_item(name)?)
    }

    /// Two columns of article numbers as pairs.
    pub fn pairs(&self, left: &str, right: &str) -> PyResult<Vec<(u64, u64)>> {
        let (left, right) = (self.articles(left)?, self.articles(right)?);
        check_lengths(left.len(), &[right.len()])?;
        Ok(left.into_iter().zip(right).collect())
    }

    pub fn texts(&self, name: &str) -> PyResult<Vec<String>> {
        self.0.get_item(name)?.call_method0("to_pylist")?.extract()
    }
}

/// The numbers of an Arrow or NumPy array or a column of this type; an error for any other type.
pub fn typed<T: Number>(column: &Bound<'_, PyAny>) -> PyResult<Vec<T>> {
    if let Ok(own) = column.cast::<Column>() {
        return match own.get().name == T::NAME {
            true => numbers(column.py(), column),
            false => Err(invalid(format!("expected a column of {}, got {}", T::NAME, own.get().name))),
        };
    }
    let array = match column.hasattr("to_numpy")? {
        true => column.call_method0("to_numpy")?,
        false => column.clone(),
    };
    let name: String = array.getattr("dtype")?.getattr("str")?.extract()?;
    match name == T::NAME {
        true => numbers(column.py(), &array),
        false => Err(invalid(format!("expected a column of {}, got {name}", T::NAME))),
    }
}

/// Article numbers from Python.
pub fn articles(column: &Bound<'_, PyAny>) -> PyResult<Vec<u64>> {
    let numbers = typed::<i64>(column)?.into_iter().map(u64::try_from);
    numbers.collect::<Result<_, _>>().map_err(|_| invalid("article numbers are never negative"))
}

/// Columns for Python, by their names; `samestory.model.record_batch` makes an Arrow batch of them.
pub fn named<'py, const N: usize>(
    py: Python<'py>,
    columns: [(&str, PyResult<Py<Column>>); N],
) -> PyResult<Bound<'py, PyDict>> {
    let named = PyDict::new(py);
    for (name, column) in columns {
        named.set_item(name, column?)?;
    }
    Ok(named)
}

/// Article numbers for Python.
pub fn article_column(py: Python<'_>, articles: impl IntoIterator<Item = u64>) -> PyResult<Py<Column>> {
    Column::new(py, articles.into_iter().map(|article| article as i64))
}

pub fn bytes(py: Python<'_>, column: &Bound<'_, PyAny>) -> PyResult<Vec<u8>> {
    if let Ok(column) = column.cast::<Column>() {
        return Ok(column.get().bytes.bind(py).as_bytes().to_vec());
    }
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
        .ok_or_else(|| invalid(format!("row {at} lies outside its column")))
}

/// Two columns from Python that belong together: values and offsets of rows, or the left and right rows of pairs.
pub type Two<'py> = (Bound<'py, PyAny>, Bound<'py, PyAny>);

/// Signatures from Python: rows of 32-bit numbers, with offsets in bytes.
pub struct Signatures {
    values: Vec<u32>,
    offsets: Vec<i64>,
}

impl Signatures {
    pub fn read(py: Python<'_>, rows: &Two<'_>) -> PyResult<Self> {
        let (values, offsets) = (bytes(py, &rows.0)?, numbers::<i64>(py, &rows.1)?);
        if offsets.iter().any(|o| o % 4 != 0) || values.len() % 4 != 0 {
            return Err(invalid("these are not signatures of a native detector"));
        }
        let values = values.chunks_exact(4).map(u32::read).collect();
        Ok(Signatures { values, offsets: offsets.into_iter().map(|o| o / 4).collect() })
    }

    /// The same, with an error for a row that is no signature of the detector.
    pub fn checked(py: Python<'_>, rows: &Two<'_>, detector: &dyn Detector) -> PyResult<Self> {
        let signatures = Self::read(py, rows)?;
        signatures.check(|row| detector.is_well_formed(row))?;
        Ok(signatures)
    }

    /// An error unless all rows are signatures.
    pub fn check(&self, is_signature: impl Fn(&[u32]) -> bool) -> PyResult<()> {
        match self.rows()?.into_iter().position(|row| !is_signature(row)) {
            Some(at) => Err(invalid(format!("signature {} is damaged or of another detector", at + 1))),
            None => Ok(()),
        }
    }

    pub fn len(&self) -> usize {
        self.offsets.len().saturating_sub(1)
    }

    pub fn row(&self, at: usize) -> PyResult<&[u32]> {
        row(&self.values, &self.offsets, at)
    }

    pub fn rows(&self) -> PyResult<Vec<&[u32]>> {
        (0..self.len()).map(|at| self.row(at)).collect()
    }

    /// Applies a change to every row, in place.
    pub fn for_each(&mut self, change: impl Fn(&mut [u32])) -> PyResult<()> {
        self.rows()?;
        for at in 0..self.len() {
            let bounds = self.offsets[at] as usize..self.offsets[at + 1] as usize;
            change(self.values.get_mut(bounds).unwrap_or_default());
        }
        Ok(())
    }

    pub fn into_values(self) -> Vec<u32> {
        self.values
    }

    /// Where every row ends, and the values.
    pub fn into_ends(self) -> (Vec<u32>, Vec<u32>) {
        (self.offsets.into_iter().skip(1).map(|end| end as u32).collect(), self.values)
    }
}

/// Pairs of rows from Python.
pub fn pairs(py: Python<'_>, pairs: &Two<'_>) -> PyResult<Vec<(usize, usize)>> {
    let (left, right): (Vec<i64>, Vec<i64>) = (numbers(py, &pairs.0)?, numbers(py, &pairs.1)?);
    check_lengths(left.len(), &[right.len()])?;
    Ok(left.into_iter().zip(right).map(|(left, right)| (left as usize, right as usize)).collect())
}

/// An error unless all columns have one length.
pub fn check_lengths(length: usize, others: &[usize]) -> PyResult<()> {
    match others.iter().all(|&other| other == length) {
        true => Ok(()),
        false => Err(invalid("expected columns of one length")),
    }
}
