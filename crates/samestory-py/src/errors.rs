//! Errors of the core as exceptions of `samestory.errors`, with their place, detail and hint.

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// What went wrong: the class of `samestory.errors`.
#[derive(Clone, Copy)]
pub enum Class {
    Parameter,
    Input,
    NotAPage,
    Decision,
    Store,
}

impl Class {
    fn name(self) -> &'static str {
        match self {
            Class::Parameter => "ParameterError",
            Class::Input => "InputError",
            Class::NotAPage => "NotAPage",
            Class::Decision => "DecisionError",
            Class::Store => "StoreError",
        }
    }
}

/// The exception for an error of the core.
pub fn error(class: Class, detail: impl Into<String>) -> PyErr {
    error_at(class, "", detail, "")
}

/// The same, with its place and a hint.
pub fn error_at(class: Class, place: &str, detail: impl Into<String>, hint: &str) -> PyErr {
    let detail = detail.into();
    Python::attach(|py| {
        let made = || {
            let fields = PyDict::new(py);
            fields.set_item("place", place)?;
            let class = py.import("samestory.errors")?.getattr(class.name())?;
            class.call((detail, hint), Some(&fields))
        };
        made().map_or_else(|error| error, PyErr::from_value)
    })
}

/// An unknown choice of a parameter.
pub fn unknown(what: &str, got: &str, allowed: &[&str]) -> PyErr {
    error(Class::Parameter, format!("no {what} is called {got:?}; there are {}", allowed.join(", ")))
}

/// The exception for work that Python has stopped without an exception of its own.
pub fn stopped() -> PyErr {
    PyRuntimeError::new_err("the work was stopped")
}
