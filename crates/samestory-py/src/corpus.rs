//! `_core.Corpus`: the main pipeline without intermediate Python objects.

use std::path::PathBuf;

use pyo3::exceptions::{PyIndexError, PyRuntimeError};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use samestory_core::engine::candidates::ComparisonCounts;
use samestory_core::engine::deduplicate::DedupOptions;
use samestory_core::engine::find::GroupingOptions;
use samestory_core::engine::population::Corpus as Core;
use samestory_core::engine::relate::{IndexedCorpus, KnownPairs};
use samestory_core::engine::settings::Settings;
use samestory_core::input::readers;
use samestory_core::input::record::{Fault, Record};
use samestory_core::model::decisions::Decisions;

use crate::articles::{Articles, Report};
use crate::columns::{bytes, check_lengths, numbers, row, Column, Rows, Two};
use crate::dedup::KeptArticles;
use crate::detector::Detector;
use crate::errors::stopped;
use crate::failure::Failure;
use crate::overlaps::kind_of;
use crate::reader::{doubted, Doubts};
use crate::reading::{fields, options, Caller};
use crate::results::{check_articles, method_of, representative_of, Groups, Relations};

enum State {
    Reading(Box<Core>),
    Related(Box<IndexedCorpus>),
    Stopped,
}

/// A row from Python.
#[derive(FromPyObject)]
enum RowInput {
    Values([Option<String>; 7]),
    Refused(String, String),
    Doubted([Option<String>; 7], Doubts),
}

/// Records from Python: lines of JSON in one column, rows, or the reason why there are none.
#[derive(FromPyObject)]
enum Records<'py> {
    Unreadable(String),
    Rows(Vec<RowInput>),
    Lines(Bound<'py, PyAny>, Bound<'py, PyAny>),
}

#[pyclass(module = "samestory._core.engine")]
pub struct Corpus {
    state: State,
    largest: usize,
    failure: Failure,
    /// Old articles that new ones have replaced.
    replaced: usize,
}

impl Corpus {
    fn reading(&mut self) -> PyResult<&mut Core> {
        match &mut self.state {
            State::Reading(corpus) => Ok(corpus),
            State::Related(_) => Err(PyRuntimeError::new_err("the corpus is closed: its articles have been related")),
            State::Stopped => Err(stopped()),
        }
    }

    fn related(&self) -> PyResult<&IndexedCorpus> {
        match &self.state {
            State::Related(related) => Ok(related),
            State::Reading(_) => Err(PyRuntimeError::new_err("the articles have not been related yet")),
            State::Stopped => Err(stopped()),
        }
    }

    fn core(&self) -> PyResult<&Core> {
        match &self.state {
            State::Reading(corpus) => Ok(corpus),
            State::Related(related) => Ok(&related.corpus),
            State::Stopped => Err(stopped()),
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
        let failure = detector.failure.clone();
        Ok(Corpus { state: State::Reading(Box::new(Core::new(inner, settings))), largest, failure, replaced: 0 })
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
                corpus.refuse(&name, detail);
                Ok(())
            }
            Ok(source) => {
                let mut caller = Caller::new(tick);
                py.detach(|| corpus.read(&name, source, &mut |watch| caller.poll(watch)));
                self.failure.check()?;
                caller.failed.map_or(Ok(()), Err)
            }
        }
    }

    /// Adds the records of a file that Python has read: rows of (id, title, text, published, url, source, lang), or of
    /// (fault, detail) for rejected records, the first of them number `first` of its file; or lines of JSON, as values and
    /// offsets; or the reason why the file cannot be read.
    #[pyo3(signature = (name, records, first=1))]
    fn add(&mut self, py: Python<'_>, name: &str, records: Records<'_>, first: u64) -> PyResult<()> {
        let corpus = self.reading()?;
        let mut caller = Caller::new(None);
        match records {
            Records::Unreadable(detail) => corpus.refuse(name, detail),
            Records::Rows(rows) => {
                let rows = rows.into_iter().map(record).collect();
                py.detach(|| corpus.read(name, readers::rows(rows, first.max(1)), &mut |watch| caller.poll(watch)));
            }
            Records::Lines(values, offsets) => {
                let lines = lines(py, &values, &offsets)?;
                py.detach(|| corpus.read(name, readers::block(lines), &mut |watch| caller.poll(watch)));
            }
        }
        self.failure.check()?;
        caller.failed.map_or(Ok(()), Err)
    }

    /// The articles so far; their signatures only if asked for.
    #[pyo3(signature = (with_signatures=false))]
    fn articles(&self, py: Python<'_>, with_signatures: bool) -> PyResult<Articles> {
        let corpus = self.core()?;
        let articles = || 0..corpus.len();
        let signatures = || Py::new(py, Rows::of_signatures(py, articles().map(|a| corpus.signature(a)))?);
        Ok(Articles {
            ids: articles().map(|a| corpus.id(a).to_owned()).collect(),
            lines: Column::new(py, articles().map(|a| corpus.line(a)))?,
            published: Column::new(py, articles().map(|a| corpus.published(a)))?,
            sources: Column::new(py, articles().map(|a| corpus.source(a)))?,
            words: Column::new(py, articles().map(|a| corpus.words(a)))?,
            signatures: with_signatures.then(signatures).transpose()?,
        })
    }

    /// Marks all articles so far as old: new ones are compared with them, but they are not related to each other.
    fn age(&mut self) -> PyResult<()> {
        self.reading()?.age();
        Ok(())
    }

    fn __len__(&self) -> PyResult<usize> {
        Ok(self.core()?.len())
    }

    fn __contains__(&self, id: &str) -> PyResult<bool> {
        Ok(self.core()?.find(id).is_some())
    }

    /// Id and title of an article.
    fn __getitem__(&self, article: usize) -> PyResult<(String, String)> {
        let corpus = self.core()?;
        match article < corpus.len() {
            true => Ok((corpus.id(article).to_owned(), corpus.title(article).to_owned())),
            false => Err(PyIndexError::new_err("no such article")),
        }
    }

    #[getter]
    fn new_articles(&self) -> PyResult<usize> {
        Ok(self.core()?.new_articles())
    }

    /// Whether a record was rejected, or kept with a warning.
    #[getter]
    fn has_problems(&self) -> PyResult<bool> {
        Ok(self.core()?.faults().next().is_some())
    }

    /// What was read so far. Removes the old articles that new ones have replaced.
    fn report(&mut self) -> PyResult<Report> {
        if let State::Reading(corpus) = &mut self.state {
            self.replaced += corpus.settle();
        }
        Ok(Report::new(self.core()?, self.replaced))
    }

    /// The calibration of the detector on the articles read so far.
    fn calibration<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        if let State::Reading(corpus) = &mut self.state {
            self.replaced += corpus.settle();
            py.detach(|| corpus.calibrate());
            self.failure.check()?;
        }
        Ok(PyBytes::new(py, &self.core()?.detector.calibration().map_or(vec![], |calibration| calibration.to_bytes())))
    }

    /// Generates candidates from shared keys; nothing can be added afterwards.
    #[pyo3(signature = (tick, for_components=false))]
    fn find_candidates(&mut self, py: Python<'_>, tick: Option<Py<PyAny>>, for_components: bool) -> PyResult<()> {
        self.replaced += self.reading()?.settle();
        let State::Reading(corpus) = std::mem::replace(&mut self.state, State::Stopped) else {
            unreachable!("checked above")
        };
        let mut caller = Caller::new(tick);
        let related = py.detach(|| IndexedCorpus::new(*corpus, for_components, &mut |watch| caller.poll(watch)));
        self.failure.check()?;
        match related {
            Some(related) => {
                self.state = State::Related(Box::new(related));
                Ok(())
            }
            None => Err(caller.failed.unwrap_or_else(stopped)),
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

    /// All relations. `max_relations`: of each article, so many of the strongest to earlier ones, evenly by source.
    /// `beside`: of all pairs but those given as columns of numbers; `max_work`: None if that is more work.
    /// `greedy`: of each article with the one that takes it, if every unassigned article, in order, takes the unassigned
    /// ones that form one group with it; ends after `max_work`.
    #[pyo3(signature = (tick=None, *, beside=None, max_work=u64::MAX, greedy=false, max_relations=usize::MAX))]
    fn relations<'py>(
        &self,
        py: Python<'py>,
        tick: Option<Py<PyAny>>,
        beside: Option<Two<'py>>,
        max_work: u64,
        greedy: bool,
        max_relations: usize,
    ) -> PyResult<Option<Relations>> {
        let related = self.related()?;
        if greedy {
            let relations = py.detach(|| related.taken(max_work));
            return Ok(Some(Relations { relations, weaker: 0, counts: ComparisonCounts::default() }));
        }
        let mut caller = Caller::new(tick);
        let found = match beside {
            Some(beside) => {
                let (left, right): (Vec<u32>, Vec<u32>) = (numbers(py, &beside.0)?, numbers(py, &beside.1)?);
                let count = related.corpus.len();
                check_lengths(left.len(), &[right.len()])?;
                check_articles(count, left.iter().chain(&right))?;
                py.detach(|| {
                    let known = KnownPairs::new(count, left.into_iter().zip(right));
                    related.relations_beside(&known, max_work, &mut |watch| caller.poll(watch))
                })
            }
            None => Some(
                py.detach(|| related.relations(max_relations, &mut |watch| caller.poll(watch))).ok_or_else(stopped),
            )
            .transpose()
            .map_err(|error| caller.failed.take().unwrap_or(error))?,
        };
        self.failure.check()?;
        caller.failed.map_or(Ok(()), Err)?;
        Ok(found.map(|found| Relations { relations: found.relations, weaker: found.weaker, counts: found.counts }))
    }

    /// The JSON lines of relations that `detector` found, or of groups with at least `least` members, numbered from
    /// `first`, with labels or not.
    #[pyo3(signature = (found, *, detector="", least=1, labels=false, first=1))]
    fn lines<'py>(
        &self,
        py: Python<'py>,
        found: Lines,
        detector: &str,
        least: usize,
        labels: bool,
        first: usize,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let related = self.related()?;
        let out = py.detach(|| match &found {
            Lines::Relations(found) => related.relation_lines(&found.get().relations, detector),
            Lines::Groups(found) => related.group_lines(&found.get().groups, least, labels, first),
        });
        Ok(PyBytes::new(py, &out))
    }

    /// Groups; decisions name articles by id, and those that name no article of this corpus are ignored.
    #[allow(clippy::too_many_arguments)] // the choices that a user has
    fn groups(
        &self,
        py: Python<'_>,
        method: &str,
        representative: &str,
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
            representative: representative_of(representative)?,
            preferred: preferred.iter().map(|source| samestory_core::base::hash::source(source)).collect(),
            method: method_of(method)?,
            join_parts,
            decisions: Decisions::new(&pairs(same), &pairs(apart)),
        };
        let mut caller = Caller::new(tick);
        match py.detach(|| related.groups(&choice, &mut |watch| caller.poll(watch))) {
            Some((groups, counts)) => Ok(Groups { groups, counts }),
            None => Err(caller.failed.unwrap_or_else(stopped)),
        }
    }

    /// Which articles are kept if those are dropped that have a relation of these kinds to a kept one. `keep`: which of
    /// several articles is kept, by default the first of the input.
    fn duplicates(
        &self,
        py: Python<'_>,
        keep: Option<&str>,
        preferred: Vec<String>,
        kinds: Vec<u8>,
        tick: Option<Py<PyAny>>,
    ) -> PyResult<KeptArticles> {
        let related = self.related()?;
        let options = DedupOptions {
            keep: keep.map(representative_of).transpose()?,
            preferred: preferred.iter().map(|source| samestory_core::base::hash::source(source)).collect(),
            kinds: kinds.into_iter().map(kind_of).collect::<PyResult<_>>()?,
        };
        let mut caller = Caller::new(tick);
        match py.detach(|| related.duplicates(&options, &mut |watch| caller.poll(watch))) {
            Some(found) => KeptArticles::new(py, &related.corpus, found),
            None => Err(caller.failed.unwrap_or_else(stopped)),
        }
    }
}

/// What can be written as lines.
#[derive(FromPyObject)]
enum Lines {
    Relations(Py<Relations>),
    Groups(Py<Groups>),
}

fn record(row: RowInput) -> Result<Record<'static>, (Fault, String)> {
    match row {
        RowInput::Values(values) => Ok(readers::record(values)),
        RowInput::Doubted(values, doubts) => Ok(doubted(values, doubts)),
        RowInput::Refused(fault, detail) => Err((Fault::parse(&fault).unwrap_or(Fault::BrokenLine), detail)),
    }
}

/// The rows of a column as lines.
fn lines(py: Python<'_>, values: &Bound<'_, PyAny>, offsets: &Bound<'_, PyAny>) -> PyResult<Vec<u8>> {
    let (values, offsets): (Vec<u8>, Vec<i64>) = (bytes(py, values)?, numbers(py, offsets)?);
    let mut lines = Vec::with_capacity(values.len() + offsets.len());
    for at in 1..offsets.len() {
        lines.extend_from_slice(row(&values, &offsets, at - 1)?);
        lines.push(b'\n');
    }
    Ok(lines)
}
