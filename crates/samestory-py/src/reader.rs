//! `_core.Reader`: articles one batch at a time, for those who want to look at them.

use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use samestory_core::article::{time, Fault, Fields, Record, Role, NO_TIME, ROLES};
use samestory_core::readers::{self, parse, Block, Source};

use crate::corpus::{fields, options};

type Values = [Option<String>; 7];
/// line; (id, title, text, published, url, source, lang) or nothing; fault and detail or nothing. A file of a folder has
/// its name in place of the line.
type Row = (Place, Option<Values>, Option<(&'static str, String)>);

#[derive(IntoPyObject)]
enum Place {
    Line(u64),
    File(String),
}

#[pyclass(module = "samestory._core")]
pub struct Reader {
    source: Mutex<Box<dyn Source>>,
    fields: Fields,
    line: u64,
}

#[pymethods]
impl Reader {
    #[new]
    fn new(
        path: PathBuf,
        own: Vec<(String, String)>,
        format: Option<&str>,
        encoding: Option<&str>,
        largest: usize,
    ) -> PyResult<Self> {
        let fields = fields(own)?;
        let source = readers::open(&path, &fields, &options(format, encoding, largest, Arc::default())?)
            .map_err(PyOSError::new_err)?;
        Ok(Reader { source: Mutex::new(source), fields, line: 0 })
    }

    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__(&mut self, py: Python<'_>) -> PyResult<Option<Vec<Row>>> {
        let block = py
            .detach(|| self.source.get_mut().expect("nobody panics with the lock").next(vec![]))
            .map_err(|e| PyOSError::new_err(readers::plain(&e)))?;
        Ok(block.map(|block| match block {
            Block::Records(records) => {
                records.into_iter().map(|(line, record)| row(Place::Line(line), record)).collect()
            }
            Block::Files(files) => files.into_iter().map(|(name, record)| row(Place::File(name), record)).collect(),
            Block::Lines(bytes, filled) => {
                let mut out = vec![];
                let bytes = &bytes[..filled];
                for line in bytes.strip_suffix(b"\n").unwrap_or(bytes).split(|&b| b == b'\n') {
                    self.line += 1;
                    if !line.trim_ascii().is_empty() {
                        out.push(row(Place::Line(self.line), parse(line, &self.fields)));
                    }
                }
                out
            }
        }))
    }
}

fn row(place: Place, record: Result<Record, (Fault, String)>) -> Row {
    match record {
        Ok(record) => (place, Some(ROLES.map(|(_, role): (&str, Role)| record.get(role).map(str::to_owned))), None),
        Err((fault, detail)) => (place, None, Some((fault.name(), detail))),
    }
}

/// Microseconds since 1970 of a date as news carries it, or nothing.
#[pyfunction]
pub fn microseconds(value: &str) -> Option<i64> {
    time(value).filter(|&at| at != NO_TIME)
}
