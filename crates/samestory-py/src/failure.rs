//! Where a detector written in Python keeps an exception until the engine returns.

use std::sync::{Arc, Mutex};

use pyo3::prelude::*;

/// Shared by a detector and everything that works with it; that of a native detector stays empty.
#[derive(Clone, Default)]
pub struct Failure(Arc<Mutex<Option<PyErr>>>);

impl Failure {
    /// Raises the exception that was kept, once.
    pub fn check(&self) -> PyResult<()> {
        let kept = self.0.lock().expect("no panic while the lock is held").take();
        kept.map_or(Ok(()), Err)
    }

    pub fn is_kept(&self) -> bool {
        self.0.lock().expect("no panic while the lock is held").is_some()
    }

    /// Keeps an exception, unless there is one.
    pub fn keep(&self, error: PyErr) {
        self.0.lock().expect("no panic while the lock is held").get_or_insert(error);
    }
}
