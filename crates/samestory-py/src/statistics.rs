//! `_core.detectors.Statistics`: document frequencies of terms, or of shingles.

use std::sync::Arc;

use pyo3::prelude::*;
use samestory_core::base::hash::token;
use samestory_core::statistics::shingle_counts::ShingleCounts;
use samestory_core::statistics::term_counts::Frequencies;

use crate::errors::{error, unknown, Class};

#[derive(Clone)]
pub enum Table {
    Terms(Arc<Frequencies>),
    Shingles(Arc<ShingleCounts>),
}

/// A table of document frequencies. The sum of two tables of one kind has the counts of both.
#[pyclass(module = "samestory._core.detectors", frozen)]
pub struct Statistics {
    pub table: Table,
}

#[pymethods]
impl Statistics {
    /// Reads a table of a kind, `terms` or `shingles`, from its text.
    #[new]
    fn new(py: Python<'_>, kind: &str, text: &str) -> PyResult<Self> {
        let table = match kind {
            "terms" => py.detach(|| Frequencies::read(text)).map(|table| Table::Terms(Arc::new(table))),
            "shingles" => py.detach(|| ShingleCounts::read(text)).map(|table| Table::Shingles(Arc::new(table))),
            other => return Err(unknown("kind of statistics", other, &["terms", "shingles"])),
        };
        Ok(Statistics { table: table.map_err(|why| error(Class::Input, why))? })
    }

    /// The number of articles counted.
    #[getter]
    fn articles(&self) -> u64 {
        match &self.table {
            Table::Terms(table) => table.articles,
            Table::Shingles(table) => table.articles,
        }
    }

    /// How many distinct terms each section has: words, stems and runs of letters, or shingles.
    #[getter]
    fn sizes(&self) -> Vec<usize> {
        match &self.table {
            Table::Terms(table) => vec![table.words.len(), table.stems.len(), table.letters.len()],
            Table::Shingles(table) => vec![table.len()],
        }
    }

    /// The number of words in a shingle; 0 for terms.
    #[getter]
    fn shingle(&self) -> usize {
        match &self.table {
            Table::Terms(_) => 0,
            Table::Shingles(table) => table.shingle,
        }
    }

    /// How many articles have a term of a section, which must be folded; 0 for an unknown term.
    fn __getitem__(&self, key: (String, String)) -> PyResult<u32> {
        let (section, term) = key;
        let counts = match (&self.table, section.as_str()) {
            (Table::Terms(table), "words") => &table.words,
            (Table::Terms(table), "stems") => &table.stems,
            (Table::Terms(table), "letters") => &table.letters,
            _ => return Err(unknown("section", &section, &["words", "stems", "letters"])),
        };
        Ok(counts.get(token(term.as_bytes())).unwrap_or(0))
    }

    fn __str__(&self, py: Python<'_>) -> String {
        match &self.table {
            Table::Terms(table) => py.detach(|| table.write()),
            Table::Shingles(table) => py.detach(|| table.write()),
        }
    }

    fn __eq__(&self, other: &Statistics) -> bool {
        match (&self.table, &other.table) {
            (Table::Terms(left), Table::Terms(right)) => left == right,
            (Table::Shingles(left), Table::Shingles(right)) => left.write() == right.write(),
            _ => false,
        }
    }

    fn __add__(&self, py: Python<'_>, other: &Statistics) -> PyResult<Self> {
        let table = py.detach(|| match (&self.table, &other.table) {
            (Table::Terms(left), Table::Terms(right)) => {
                let mut sum = Frequencies::clone(left);
                sum.merge(right);
                Some(Table::Terms(Arc::new(sum)))
            }
            (Table::Shingles(left), Table::Shingles(right)) => {
                let mut sum = ShingleCounts::clone(left);
                sum.merge(right);
                Some(Table::Shingles(Arc::new(sum)))
            }
            _ => None,
        });
        let different = || error(Class::Parameter, "statistics of terms and of shingles cannot be added");
        Ok(Statistics { table: table.ok_or_else(different)? })
    }
}
