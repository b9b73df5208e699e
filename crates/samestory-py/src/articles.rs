//! The articles of a corpus in columns, and the report of reading them.

use pyo3::prelude::*;
use samestory_core::engine::population::{Corpus, BOILERPLATE};
use samestory_core::input::problem::Problem;

use crate::columns::{Column, Rows};

#[pyclass(module = "samestory._core.engine", frozen, get_all)]
pub struct Articles {
    pub ids: Vec<String>,
    /// The line of every article in its file.
    pub lines: Py<Column>,
    pub published: Py<Column>,
    pub sources: Py<Column>,
    /// How many words every article has.
    pub words: Py<Column>,
    pub signatures: Option<Py<Rows>>,
}

/// File, line, fault, detail, whether the record was kept.
type ProblemRow = (String, u64, &'static str, String, bool);

#[pyclass(module = "samestory._core.engine", frozen, get_all)]
pub struct Report {
    /// Records read, kept or rejected.
    records: u64,
    /// Articles with a date.
    dated: usize,
    /// Old articles that new ones have replaced.
    replaced: usize,
    /// The number of records per fault, and whether they were kept.
    faults: Vec<(&'static str, u64, bool)>,
    /// How many articles were repaired, by the kind of repair.
    repairs: Vec<(&'static str, u64)>,
    /// Records rejected or kept with a warning, as far as details are kept.
    problems: Vec<ProblemRow>,
    /// The user's field names that no record has had.
    unmatched: Vec<String>,
}

impl Report {
    pub fn new(corpus: &Corpus, replaced: usize) -> Self {
        let boilerplate = Some((BOILERPLATE, corpus.with_boilerplate as u64)).filter(|(_, count)| *count > 0);
        let problem = |p: &Problem| {
            let file = p.own.as_ref().unwrap_or(&corpus.files[p.file as usize]).clone();
            (file, p.line, p.fault.name(), p.detail.clone(), p.fault.is_kept())
        };
        Report {
            records: corpus.records,
            dated: corpus.dated(),
            replaced,
            faults: corpus.faults().map(|(fault, count)| (fault.name(), count, fault.is_kept())).collect(),
            repairs: corpus.repairs().map(|(kind, count)| (kind.name(), count)).chain(boilerplate).collect(),
            problems: corpus.problems.iter().map(problem).collect(),
            unmatched: corpus.settings.fields.unmatched().into_iter().map(str::to_owned).collect(),
        }
    }
}
