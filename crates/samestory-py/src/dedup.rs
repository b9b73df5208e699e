//! What deduplication needs: which articles are kept, and the rows of files as they are stored.

use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use pyo3::prelude::*;
use pyo3::types::PyBytes;
use samestory_core::engine::deduplicate::Duplicates;
use samestory_core::engine::population::Corpus;
use samestory_core::input::readers::{self, StoredRows};

use crate::columns::Column;
use crate::errors::{error_at, Class};
use crate::reading::options;
use crate::results::{count_row, CountRow};

/// For every article, in columns: the kept one, the kind of the relation to it as a number, the share of its text that
/// is also in it, and its line.
#[pyclass(module = "samestory._core.engine", frozen, get_all)]
pub struct KeptArticles {
    kept: Py<Column>,
    kinds: Py<Column>,
    shares: Py<Column>,
    lines: Py<Column>,
    counts: CountRow,
}

impl KeptArticles {
    pub fn new(py: Python<'_>, corpus: &Corpus, found: Duplicates) -> PyResult<Self> {
        Ok(KeptArticles {
            kept: Column::new(py, found.kept)?,
            kinds: Column::new(py, found.kinds.into_iter().map(|kind| kind as u8))?,
            shares: Column::new(py, found.shares)?,
            lines: Column::new(py, (0..corpus.len()).map(|article| corpus.line(article)))?,
            counts: count_row(found.counts),
        })
    }
}

/// The rows of a file as they are stored, in blocks of lines and bytes.
#[pyclass(module = "samestory._core.engine")]
pub struct StoredRowReader {
    name: String,
    rows: Mutex<StoredRows>,
}

#[pymethods]
impl StoredRowReader {
    #[new]
    fn new(path: PathBuf, format: Option<&str>, encoding: Option<&str>, largest: usize) -> PyResult<Self> {
        let options = options(format, encoding, largest, Arc::default())?;
        let name = readers::name(&path);
        let rows = readers::open_stored(&path, &options).map_err(|why| error_at(Class::Input, &name, why, ""))?;
        Ok(StoredRowReader { name, rows: Mutex::new(rows) })
    }

    /// The first row of a table; None for lines.
    #[getter]
    fn header<'py>(&mut self, py: Python<'py>) -> Option<Bound<'py, PyBytes>> {
        let rows = self.rows.get_mut().expect("no panic while the lock is held");
        rows.header.as_ref().map(|bytes| PyBytes::new(py, bytes))
    }

    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__<'py>(&mut self, py: Python<'py>) -> PyResult<Option<Vec<(u64, Bound<'py, PyBytes>)>>> {
        let rows = self.rows.get_mut().expect("no panic while the lock is held");
        let block = py.detach(|| rows.next_block()).map_err(|why| {
            error_at(Class::Input, &self.name, format!("reading stopped: {}", readers::plain(&why)), "")
        })?;
        Ok(block.map(|block| block.into_iter().map(|(line, bytes)| (line, PyBytes::new(py, &bytes))).collect()))
    }
}
