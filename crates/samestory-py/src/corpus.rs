//! `_core.Corpus`: the main pipeline without intermediate Python objects.

use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::sync::Arc;

use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use samestory_core::base::parallel::Watch;
use samestory_core::engine::find::GroupingOptions;
use samestory_core::engine::population::Corpus as Core;
use samestory_core::engine::rank::Representative;
use samestory_core::engine::relate::{KnownPairs, Related};
use samestory_core::engine::settings::Settings;
use samestory_core::input::readers::{self, Format, Options};
use samestory_core::input::record::{Fault, Fields, Role, ROLES};
use samestory_core::model::group::Decisions;

use crate::columns::{bytes, column, numbers, row};
use crate::detector::Detector;
use crate::reader::{doubted, Doubts};
use crate::results::{method_of, Groups, Relations};

enum State {
    Reading(Box<Core>),
    Related(Box<Related>),
    Stopped,
}

/// file, line, fault, detail, kept
type Problem = (String, u64, &'static str, String, bool);

/// A row from Python.
#[derive(FromPyObject)]
enum Given {
    Values([Option<String>; 7]),
    Refused(String, String),
    Doubted([Option<String>; 7], Doubts),
}

#[pyclass(module = "samestory._core")]
pub struct Corpus {
    state: State,
    largest: usize,
}

/// Calls Python from time to time to report progress and to check whether to continue.
struct Caller {
    tick: Option<Py<PyAny>>,
    failed: Option<PyErr>,
}

impl Caller {
    fn new(tick: Option<Py<PyAny>>) -> Self {
        Caller { tick, failed: None }
    }

    fn poll(&mut self, watch: &Watch) -> bool {
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
    let names: Vec<&str> = ROLES.iter().map(|(name, _)| *name).collect();
    ROLES
        .iter()
        .find(|(role, _)| *role == name)
        .map(|(_, role)| *role)
        .ok_or_else(|| PyValueError::new_err(format!("no field is called {name:?}; there are {}", names.join(", "))))
}

pub fn options(
    format: Option<&str>,
    encoding: Option<&str>,
    largest: usize,
    stop: Arc<AtomicBool>,
) -> PyResult<Options> {
    let format = match format {
        None => None,
        Some("jsonl") => Some(Format::Jsonl),
        Some("csv") => Some(Format::Csv),
        Some("tsv") => Some(Format::Tsv),
        Some("text") => Some(Format::Text),
        Some(other) => {
            return Err(PyValueError::new_err(format!(
                "no format is called {other:?}; there are jsonl, csv, tsv, text, parquet"
            )))
        }
    };
    let encoding = match encoding {
        None => None,
        Some(name) => Some(
            readers::encoding(name).ok_or_else(|| PyValueError::new_err(format!("no encoding is called {name:?}")))?,
        ),
    };
    Ok(Options { format, encoding, largest, eager: false, stop })
}

impl Corpus {
    fn reading(&mut self) -> PyResult<&mut Core> {
        match &mut self.state {
            State::Reading(corpus) => Ok(corpus),
            State::Related(_) => Err(PyRuntimeError::new_err("the corpus is closed: its articles have been related")),
            State::Stopped => Err(PyRuntimeError::new_err("the work was stopped")),
        }
    }

    fn related(&self) -> PyResult<&Related> {
        match &self.state {
            State::Related(related) => Ok(related),
            State::Reading(_) => Err(PyRuntimeError::new_err("the articles have not been related yet")),
            State::Stopped => Err(PyRuntimeError::new_err("the work was stopped")),
        }
    }

    fn core(&self) -> PyResult<&Core> {
        match &self.state {
            State::Reading(corpus) => Ok(corpus),
            State::Related(related) => Ok(&related.corpus),
            State::Stopped => Err(PyRuntimeError::new_err("the work was stopped")),
        }
    }
}

#[pymethods]
impl Corpus {
    #[new]
    #[allow(clippy::too_many_arguments)] // the settings of a run
    #[pyo3(signature = (detector, fields, threads, largest, titles, strict, empty, details = None, as_is = false))]
    fn new(
        detector: &Detector,
        fields: Vec<(String, String)>,
        threads: usize,
        largest: usize,
        titles: bool,
        strict: bool,
        empty: bool,
        details: Option<u64>,
        as_is: bool,
    ) -> PyResult<Self> {
        let (fields, threads, details) = (self::fields(fields)?, threads.max(1), details.unwrap_or(u64::MAX));
        let settings = Settings { fields, threads, largest, titles, strict, details, empty, as_is };
        let inner = detector.inner.clone();
        Ok(Corpus { state: State::Reading(Box::new(Core::new(inner, settings))), largest })
    }

    /// Reads a file or folder ("-": standard input). A file that cannot be opened is recorded as a problem.
    #[pyo3(signature = (path, format, encoding, tick))]
    fn read(
        &mut self,
        py: Python<'_>,
        path: PathBuf,
        format: Option<&str>,
        encoding: Option<&str>,
        tick: Option<Py<PyAny>>,
    ) -> PyResult<()> {
        let name = readers::name(&path);
        let stop = self.reading()?.watch.stopper();
        let options = options(format, encoding, self.largest, stop)?;
        let corpus = self.reading()?;
        match readers::open(&path, &corpus.settings.fields, &options) {
            Err(detail) => {
                let detail = detail.strip_prefix(&format!("{name}: ")).unwrap_or(&detail).to_owned();
                corpus.refuse(&name, detail);
                Ok(())
            }
            Ok(source) => {
                let mut caller = Caller::new(tick);
                py.detach(|| corpus.read(&name, source, &mut |watch| caller.poll(watch)));
                caller.failed.map_or(Ok(()), Err)
            }
        }
    }

    /// Adds articles in memory: rows of (id, title, text, published, url, source, lang), or of (fault, detail) for
    /// rejected records; the first row is number `first` of its file.
    fn add(&mut self, py: Python<'_>, name: &str, rows: Vec<Given>, first: u64) -> PyResult<()> {
        let rows = rows
            .into_iter()
            .map(|row| match row {
                Given::Values(values) => Ok(readers::record(values)),
                Given::Doubted(values, doubts) => Ok(doubted(values, doubts)),
                Given::Refused(fault, detail) => Err((Fault::of(&fault).unwrap_or(Fault::BrokenLine), detail)),
            })
            .collect();
        let corpus = self.reading()?;
        let mut caller = Caller::new(None);
        py.detach(|| corpus.read(name, readers::rows(rows, first.max(1)), &mut |watch| caller.poll(watch)));
        caller.failed.map_or(Ok(()), Err)
    }

    /// Adds lines of JSON that the caller has read, all in one column.
    fn take(
        &mut self,
        py: Python<'_>,
        name: &str,
        values: &Bound<'_, PyAny>,
        offsets: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        let (values, offsets): (Vec<u8>, Vec<i64>) = (bytes(py, values)?, numbers(py, offsets)?);
        let mut lines = Vec::with_capacity(values.len() + offsets.len());
        for at in 1..offsets.len() {
            lines.extend_from_slice(row(&values, &offsets, at - 1)?);
            lines.push(b'\n');
        }
        let corpus = self.reading()?;
        py.detach(|| corpus.read(name, readers::block(lines), &mut |_| true));
        Ok(())
    }

    /// The articles in columns: line, time, source, number of words; and their signatures.
    fn columns<'py>(&self, py: Python<'py>) -> PyResult<[Bound<'py, PyBytes>; 6]> {
        let corpus = self.core()?;
        let articles = || 0..corpus.len();
        let mut ends = vec![0i64];
        ends.extend(articles().scan(0, |end, article| {
            *end += 4 * corpus.signature(article).len() as i64;
            Some(*end)
        }));
        Ok([
            column(py, articles().map(|a| corpus.line(a))),
            column(py, articles().map(|a| corpus.published(a))),
            column(py, articles().map(|a| corpus.source(a))),
            column(py, articles().map(|a| corpus.words(a))),
            column(py, articles().flat_map(|a| corpus.signature(a).iter().copied())),
            column(py, ends),
        ])
    }

    /// Records a file that could not be opened.
    fn refuse(&mut self, name: &str, detail: String) -> PyResult<()> {
        self.reading()?.refuse(name, detail);
        Ok(())
    }

    /// Marks all articles so far as old: new ones are compared with them, but they are not related to each other.
    fn age(&mut self) -> PyResult<()> {
        self.reading()?.age();
        Ok(())
    }

    fn __len__(&self) -> PyResult<usize> {
        Ok(self.core()?.len())
    }

    #[getter]
    fn new_articles(&self) -> PyResult<usize> {
        Ok(self.core()?.new_articles())
    }

    /// The number of records read, kept or rejected.
    #[getter]
    fn records(&self) -> PyResult<u64> {
        Ok(self.core()?.records)
    }

    /// How many articles have a date.
    #[getter]
    fn dated(&self) -> PyResult<usize> {
        Ok(self.core()?.dated())
    }

    /// The number of records per fault: (fault, count, kept).
    fn faults(&self) -> PyResult<Vec<(&'static str, u64, bool)>> {
        Ok(self.core()?.faults().map(|(fault, count)| (fault.name(), count, fault.is_kept())).collect())
    }

    /// How many articles were repaired, by the kind of repair.
    fn repairs(&self) -> PyResult<Vec<(&'static str, u64)>> {
        let corpus = self.core()?;
        let boilerplate = Some((samestory_core::engine::population::BOILERPLATE, corpus.with_boilerplate as u64))
            .filter(|(_, count)| *count > 0);
        Ok(corpus.repairs().map(|(kind, count)| (kind.name(), count)).chain(boilerplate).collect())
    }

    /// (file, line, fault, detail, kept) of records rejected or kept with a warning, as far as details are kept.
    fn problems(&self) -> PyResult<Vec<Problem>> {
        let corpus = self.core()?;
        let row = |p: &samestory_core::input::problem::Problem| {
            (
                p.own.as_ref().unwrap_or(&corpus.files[p.file as usize]).clone(),
                p.line,
                p.fault.name(),
                p.detail.clone(),
                p.fault.is_kept(),
            )
        };
        Ok(corpus.problems.iter().map(row).collect())
    }

    fn id(&self, article: usize) -> PyResult<String> {
        let corpus = self.core()?;
        (article < corpus.len())
            .then(|| corpus.id(article).to_owned())
            .ok_or_else(|| PyValueError::new_err("no such article"))
    }

    fn title(&self, article: usize) -> PyResult<String> {
        let corpus = self.core()?;
        (article < corpus.len())
            .then(|| corpus.title(article).to_owned())
            .ok_or_else(|| PyValueError::new_err("no such article"))
    }

    /// Is there an article with this id?
    fn has(&self, id: &str) -> PyResult<bool> {
        Ok(self.core()?.find(id).is_some())
    }

    fn ids(&self) -> PyResult<Vec<String>> {
        let corpus = self.core()?;
        Ok((0..corpus.len()).map(|a| corpus.id(a).to_owned()).collect())
    }

    /// How many words every article has.
    fn words<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let corpus = self.core()?;
        Ok(column(py, (0..corpus.len()).map(|a| corpus.words(a))))
    }

    /// The user's field names that no record has had.
    fn unmatched(&self) -> PyResult<Vec<String>> {
        Ok(self.core()?.settings.fields.unmatched().into_iter().map(str::to_owned).collect())
    }

    /// Removes the old articles that new ones have replaced; returns how many there were.
    fn settle(&mut self) -> PyResult<usize> {
        Ok(self.reading()?.settle())
    }

    /// The calibration of the detector on the articles read so far.
    fn calibration<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        if let State::Reading(corpus) = &mut self.state {
            corpus.settle();
            py.detach(|| corpus.calibrate());
        }
        Ok(PyBytes::new(py, &self.core()?.detector.calibration()))
    }

    /// Generates candidates from shared keys; nothing can be added afterwards.
    fn meet(&mut self, py: Python<'_>, tick: Option<Py<PyAny>>) -> PyResult<()> {
        self.reading()?.settle();
        let State::Reading(corpus) = std::mem::replace(&mut self.state, State::Stopped) else {
            unreachable!("checked above")
        };
        let mut caller = Caller::new(tick);
        match py.detach(|| Related::new(*corpus, &mut |watch| caller.poll(watch))) {
            Some(related) => {
                self.state = State::Related(Box::new(related));
                Ok(())
            }
            None => Err(caller.failed.unwrap_or_else(|| PyRuntimeError::new_err("the work was stopped"))),
        }
    }

    /// Keys that were too common to be used for candidates.
    #[getter]
    fn skipped(&self) -> PyResult<usize> {
        Ok(self.related()?.postings.skipped)
    }

    /// Articles without keys: too short for the detector.
    #[getter]
    fn unsigned(&self) -> PyResult<usize> {
        Ok(self.related()?.postings.key_counts.iter().filter(|&&keys| keys == 0).count())
    }

    fn relations(&self, py: Python<'_>, tick: Option<Py<PyAny>>) -> PyResult<Relations> {
        let related = self.related()?;
        let mut caller = Caller::new(tick);
        match py.detach(|| related.relations(&mut |watch| caller.poll(watch))) {
            Some((relations, compared, forms)) => Ok(Relations { relations, compared, forms }),
            None => Err(caller.failed.unwrap_or_else(|| PyRuntimeError::new_err("the work was stopped"))),
        }
    }

    /// The relations of all pairs except those given as columns of numbers; None if that is more work than `most`.
    fn relations_beside<'py>(
        &self,
        py: Python<'py>,
        pairs: (Bound<'py, PyAny>, Bound<'py, PyAny>),
        most: u64,
    ) -> PyResult<Option<Relations>> {
        let related = self.related()?;
        let (left, right): (Vec<u32>, Vec<u32>) = (numbers(py, &pairs.0)?, numbers(py, &pairs.1)?);
        let count = related.corpus.len();
        if left.len() != right.len() || left.iter().chain(&right).any(|&article| article as usize >= count) {
            return Err(PyValueError::new_err("pairs of articles of the corpus are wanted"));
        }
        let found = py.detach(|| {
            let known = KnownPairs::new(count, left.into_iter().zip(right));
            related.relations_beside(&known, most, &mut |_| true)
        });
        Ok(found.map(|(relations, compared, forms)| Relations { relations, compared, forms }))
    }

    /// Greedy grouping: each unassigned article, in order, takes the unassigned ones that form one group with it.
    /// Returns relations of taken and taking article; stops after `most` work.
    fn taken(&self, py: Python<'_>, most: u64) -> PyResult<Relations> {
        let related = self.related()?;
        Ok(Relations { relations: py.detach(|| related.taken(most)), compared: 0, forms: 0 })
    }

    fn relation_lines<'py>(
        &self,
        py: Python<'py>,
        relations: &Relations,
        detector: &str,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let related = self.related()?;
        let out = py.detach(|| related.relation_lines(&relations.relations, detector));
        Ok(PyBytes::new(py, &out))
    }

    /// Groups; decisions name articles by id, and those that name no article of this corpus are ignored.
    #[allow(clippy::too_many_arguments)] // the choices that a user has
    fn groups(
        &self,
        py: Python<'_>,
        method: &str,
        policy: &str,
        preferred: Vec<String>,
        join_parts: bool,
        same: Vec<(String, String)>,
        apart: Vec<(String, String)>,
        tick: Option<Py<PyAny>>,
    ) -> PyResult<Groups> {
        let related = self.related()?;
        let pairs = |pairs: Vec<(String, String)>| -> Vec<(u32, u32)> {
            pairs
                .iter()
                .filter_map(|(a, b)| related.corpus.find(a).zip(related.corpus.find(b)))
                .filter(|(a, b)| a != b)
                .collect()
        };
        let choice = GroupingOptions {
            policy: match policy {
                "longest" => Representative::Longest,
                "earliest" => Representative::Earliest,
                "latest" => Representative::Latest,
                other => {
                    return Err(PyValueError::new_err(format!(
                        "no policy is called {other:?}; there are longest, earliest, latest"
                    )))
                }
            },
            preferred: preferred.iter().map(|source| samestory_core::base::hash::source(source)).collect(),
            method: method_of(method)?,
            join_parts,
            decisions: Decisions::new(&pairs(same), &pairs(apart)),
        };
        let mut caller = Caller::new(tick);
        match py.detach(|| related.groups(&choice, &mut |watch| caller.poll(watch))) {
            Some((groups, compared, forms)) => Ok(Groups { groups, compared, forms }),
            None => Err(caller.failed.unwrap_or_else(|| PyRuntimeError::new_err("the work was stopped"))),
        }
    }

    #[pyo3(signature = (groups, least, gists = false))]
    fn group_lines<'py>(
        &self,
        py: Python<'py>,
        groups: &Groups,
        least: usize,
        gists: bool,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let related = self.related()?;
        let out = py.detach(|| related.group_lines(&groups.groups, least, gists));
        Ok(PyBytes::new(py, &out))
    }
}
