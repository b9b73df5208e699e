//! What readers of files need from Python: fields, formats, and a caller that reports progress.

use std::sync::atomic::AtomicBool;
use std::sync::Arc;

use pyo3::prelude::*;
use samestory_core::base::parallel::Watch;
use samestory_core::input::readers::{self, Format, ReadOptions};
use samestory_core::input::record::{Fields, Role, ROLES};

use crate::errors::{error, unknown, Class};

/// Calls Python from time to time to report progress and to check whether to continue.
pub struct Caller {
    tick: Option<Py<PyAny>>,
    pub failed: Option<PyErr>,
}

impl Caller {
    pub fn new(tick: Option<Py<PyAny>>) -> Self {
        Caller { tick, failed: None }
    }

    pub fn poll(&mut self, watch: &Watch) -> bool {
        use std::sync::atomic::Ordering::Relaxed;
        let polled = Python::attach(|py| {
            py.check_signals()?;
            if let Some(tick) = &self.tick {
                let (bytes, articles) = (watch.bytes.load(Relaxed), watch.articles.load(Relaxed));
                tick.call1(py, (bytes, articles, watch.done.load(Relaxed), watch.total.load(Relaxed)))?;
            }
            Ok(())
        });
        match polled {
            Ok(()) => true,
            Err(error) => {
                self.failed = Some(error);
                false
            }
        }
    }
}

pub fn fields(own: Vec<(String, String)>) -> PyResult<Fields> {
    let mut out = vec![];
    for (role, name) in own {
        out.push((name, role_of(&role)?));
    }
    Ok(Fields::new(out))
}

fn role_of(name: &str) -> PyResult<Role> {
    let found = ROLES.iter().find(|(role, _)| *role == name).map(|(_, role)| *role);
    found.ok_or_else(|| unknown("field", name, &ROLES.map(|(role, _)| role)))
}

pub fn options(
    format: Option<&str>,
    encoding: Option<&str>,
    largest: usize,
    stop: Arc<AtomicBool>,
) -> PyResult<ReadOptions> {
    let format = match format {
        None => None,
        Some("jsonl") => Some(Format::Jsonl),
        Some("csv") => Some(Format::Csv),
        Some("tsv") => Some(Format::Tsv),
        Some("text") => Some(Format::Text),
        Some(other) => return Err(unknown("format", other, &["jsonl", "csv", "tsv", "text", "parquet"])),
    };
    let encoding = match encoding {
        None => None,
        Some(name) => Some(
            readers::encoding(name)
                .ok_or_else(|| error(Class::Parameter, format!("no encoding is called {name:?}")))?,
        ),
    };
    Ok(ReadOptions { format, encoding, largest, eager: false, stop })
}
