//! `_core.Reader`: articles one batch at a time, for callers that process them in Python.

use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use pyo3::prelude::*;
use samestory_core::base::time::NO_TIME;
use samestory_core::input::readers::{self, parse, InputBlock, ReadOptions, Source};
use samestory_core::input::record::{time, Fault, Fields, Record, Role, ROLES};

use crate::errors::{error_at, Class};
use crate::reading::{fields, options};

type Values = [Option<String>; 7];
/// (id, title, text, published, url, source, lang) of an article, with its URL as id if it has none; fault and detail
/// of a record that is rejected, or kept with a warning.
type Verdict = (Option<Values>, Option<(&'static str, String)>);
/// The same after its line; a file of a folder has its name in place of the line. The last value has the fields
/// without a role, as a JSON object.
pub type Row = (Place, Option<Values>, Option<(&'static str, String)>, Option<String>);

#[derive(IntoPyObject)]
pub enum Place {
    Line(u64),
    File(String),
}

#[pyclass(module = "samestory._core.engine")]
pub struct Reader {
    name: String,
    source: Mutex<Box<dyn Source>>,
    fields: Fields,
    largest: usize,
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
        let fields = fields(own)?.keeping_others();
        let options = ReadOptions { eager: true, ..options(format, encoding, largest, Arc::default())? };
        let source = readers::open(&path, &fields, &options);
        let source = source.map_err(|why| error_at(Class::Input, &readers::name(&path), why, ""))?;
        Ok(Reader { name: readers::name(&path), source: Mutex::new(source), fields, largest, line: 0 })
    }

    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__(&mut self, py: Python<'_>) -> PyResult<Option<Vec<Row>>> {
        let source = self.source.get_mut().expect("no panic while the lock is held");
        let block = py.detach(|| source.next(vec![])).map_err(|e| {
            let place = match source.broken(self.line) {
                0 => String::new(),
                line => format!(" in line {line}"),
            };
            error_at(Class::Input, &self.name, format!("reading stopped{place}: {}", readers::plain(&e)), "")
        })?;
        let largest = self.largest;
        Ok(block.map(|block| match block {
            InputBlock::Records(records) => {
                records.into_iter().map(|(line, record)| row(Place::Line(line), record, largest)).collect()
            }
            InputBlock::Files(files) => {
                files.into_iter().map(|(name, record)| row(Place::File(name), record, largest)).collect()
            }
            InputBlock::Lines(bytes, filled) => {
                let mut out = vec![];
                let bytes = &bytes[..filled];
                for line in bytes.strip_suffix(b"\n").unwrap_or(bytes).split(|&b| b == b'\n') {
                    self.line += 1;
                    if !line.trim_ascii().is_empty() {
                        out.push(row(Place::Line(self.line), parse(line, &self.fields), largest));
                    }
                }
                out
            }
        }))
    }
}

pub fn row(place: Place, record: Result<Record, (Fault, String)>, largest: usize) -> Row {
    let others = record.as_ref().map_or(None, Record::others);
    let (values, fault) = verdict(record, largest);
    (place, values, fault, others)
}

fn verdict(record: Result<Record, (Fault, String)>, largest: usize) -> Verdict {
    let named = |(fault, detail): (Fault, String)| (fault.name(), detail);
    let record = match record {
        Err(fault) => return (None, Some(named(fault))),
        Ok(record) => record,
    };
    match record.text(largest, false) {
        Err(fault) => (None, Some(named(fault))),
        Ok(text) => {
            let value = |role| if role == Role::Text { Some(text) } else { record.get(role) };
            let mut values = ROLES.map(|(_, role)| value(role).map(str::to_owned));
            values[Role::Id as usize] = Some(record.identity().to_owned()).filter(|id| !id.is_empty());
            (Some(values), record.published().1.map(named))
        }
    }
}

/// Is this an article? Applies the reader's rules to values that were read elsewhere.
#[pyfunction]
pub fn judge(values: Values, doubts: Doubts, largest: usize) -> Verdict {
    verdict(Ok(doubted(values, doubts)), largest)
}

/// Roles with unusable fields, and the reasons.
pub type Doubts = Vec<(String, String)>;

/// The record of values that were read elsewhere, with its unusable fields.
pub fn doubted(values: Values, doubts: Doubts) -> Record<'static> {
    let mut record = readers::record(values);
    for (name, why) in doubts {
        if let Some((_, role)) = ROLES.into_iter().find(|(role, _)| *role == name) {
            record.doubt(role, why);
        }
    }
    record
}

/// Microseconds since 1970 of a date in one of the formats used in news, or None.
#[pyfunction]
pub fn microseconds(value: &str) -> Option<i64> {
    time(value).filter(|&at| at != NO_TIME)
}
