//! Values of `_core.exchange`: the directory of a collection, grouping options, and what steps return.

use pyo3::prelude::*;
use pyo3::types::PyBytes;
use samestory_core::base::hash;
use samestory_core::engine::exchange::assembly::{GroupRow, NearestRow};
use samestory_core::engine::exchange::{self as core, duplicates};
use samestory_core::engine::rank::Representative;

use crate::columns::{column, invalid, numbers};
use crate::errors::unknown;
use crate::results::method_of;

type Bytes<'py> = Bound<'py, PyBytes>;

/// Two columns of numbers in one.
pub fn pairs_of<'py>(py: Python<'py>, pairs: &Bound<'py, PyAny>) -> PyResult<Vec<(u64, u64)>> {
    Ok(numbers::<u64>(py, pairs)?.chunks_exact(2).map(|pair| (pair[0], pair[1])).collect())
}

/// Where the articles of a collection are, and which of them are duplicates.
#[pyclass(module = "samestory._core.exchange", frozen)]
pub struct Directory {
    pub inner: core::directory::Directory,
    pub count: usize,
}

#[pymethods]
impl Directory {
    /// `starts`, `partitions`: the number before the first article of every split of the input, and its partition;
    /// `removed`: articles displaced by others with the same id; `members`: duplicate classes and their articles.
    #[new]
    fn new<'py>(
        py: Python<'py>,
        count: usize,
        first_new: u64,
        starts: Bytes<'py>,
        partitions: Bytes<'py>,
        removed: Bytes<'py>,
        members: Bytes<'py>,
    ) -> PyResult<Self> {
        let owners: Vec<u32> = numbers(py, &partitions)?;
        if owners.iter().any(|&owner| owner as usize >= count) {
            return Err(invalid(format!("expected partitions below {count}")));
        }
        let (starts_column, removed_column) = (numbers(py, &starts)?, numbers(py, &removed)?);
        let classes = pairs_of(py, &members)?;
        let inner = core::directory::Directory::new(starts_column, owners, first_new, removed_column, classes);
        Ok(Directory { inner, count })
    }

    fn __getnewargs__<'py>(&self, py: Python<'py>) -> (usize, u64, Bytes<'py>, Bytes<'py>, Bytes<'py>, Bytes<'py>) {
        let (ranges, members) = (self.inner.ranges(), self.inner.members());
        let members = column(py, members.flat_map(|(class, article)| [class, article]));
        let owners = column(py, ranges.partitions.iter().copied());
        let starts = column(py, ranges.starts.iter().copied());
        (self.count, self.inner.first_new, starts, owners, self.removed(py), members)
    }

    /// The numbers of removed articles.
    #[getter]
    fn removed<'py>(&self, py: Python<'py>) -> Bytes<'py> {
        column(py, self.inner.removed().iter().copied())
    }

    /// Copies and their originals, as pairs, in the order of the copies.
    #[getter]
    fn copies<'py>(&self, py: Python<'py>) -> Bytes<'py> {
        column(py, self.inner.copies.iter().flat_map(|&(copy, original)| [copy, original]))
    }
}

/// The grouping options of a job.
#[derive(FromPyObject)]
pub struct Options {
    method: String,
    representative: String,
    prefer: Vec<String>,
    join_parts: bool,
    same: Vec<(u64, u64)>,
    apart: Vec<(u64, u64)>,
}

/// The order of representatives by its names.
pub fn rank_order(representative: &str, prefer: &[String]) -> PyResult<core::options::RankOrder> {
    let names = ["longest", "earliest", "latest"];
    Ok(core::options::RankOrder {
        representative: Representative::parse(representative)
            .ok_or_else(|| unknown("representative", representative, &names))?,
        preferred: prefer.iter().map(|source| hash::source(source)).collect(),
    })
}

impl Options {
    pub fn core(self) -> PyResult<core::options::ExchangeOptions> {
        Ok(core::options::ExchangeOptions {
            method: method_of(&self.method)?,
            order: rank_order(&self.representative, &self.prefer)?,
            join_parts: self.join_parts,
            same: self.same,
            apart: self.apart,
        })
    }
}

/// A group of a job, with the ids of its articles. Sorted by `rank`, groups have the order of one machine.
#[pyclass(module = "samestory._core.exchange", frozen)]
pub struct Group(pub GroupRow);

type GroupArguments<'py> =
    (Bytes<'py>, Vec<String>, Option<(String, String, String, f64, f64)>, Option<NearestRow>, bool);

#[pymethods]
impl Group {
    #[new]
    fn new(
        rank: Vec<u8>,
        members: Vec<String>,
        weakest: Option<(String, String, String, f64, f64)>,
        nearest: Option<NearestRow>,
        forced: bool,
    ) -> Self {
        Group(GroupRow { rank, members, weakest, nearest, forced })
    }

    fn __getnewargs__<'py>(&self, py: Python<'py>) -> GroupArguments<'py> {
        (self.rank(py), self.members(), self.weakest(), self.nearest(), self.forced())
    }

    #[getter]
    fn rank<'py>(&self, py: Python<'py>) -> Bytes<'py> {
        PyBytes::new(py, &self.0.rank)
    }

    /// The representative first.
    #[getter]
    fn members(&self) -> Vec<String> {
        self.0.members.clone()
    }

    /// Left, right, kind, forward, backward.
    #[getter]
    fn weakest(&self) -> Option<(String, String, String, f64, f64)> {
        self.0.weakest.clone()
    }

    /// Id, forward, backward, reason.
    #[getter]
    fn nearest(&self) -> Option<NearestRow> {
        self.0.nearest.clone()
    }

    #[getter]
    fn forced(&self) -> bool {
        self.0.forced
    }

    /// Its line of JSON, without the opening brace and its number.
    #[getter]
    fn line<'py>(&self, py: Python<'py>) -> Bytes<'py> {
        PyBytes::new(py, &self.0.line())
    }
}

/// What is repeated in a part.
#[pyclass(module = "samestory._core.exchange", frozen)]
pub struct Repeated(pub duplicates::Repeated);

#[pymethods]
impl Repeated {
    /// The numbers of the articles displaced by others with the same id.
    #[getter]
    fn removed<'py>(&self, py: Python<'py>) -> Bytes<'py> {
        column(py, self.0.removed.iter().copied())
    }

    /// Number and id of those that are rejected records.
    #[getter]
    fn rejected(&self) -> Vec<(u64, String)> {
        self.0.rejected.clone()
    }

    /// Number of old articles that new ones replace.
    #[getter]
    fn replaced(&self) -> usize {
        self.0.replaced
    }

    /// Duplicate classes and their articles, as pairs.
    #[getter]
    fn members<'py>(&self, py: Python<'py>) -> Bytes<'py> {
        column(py, self.0.members.iter().flat_map(|&(class, article)| [class, article]))
    }
}
