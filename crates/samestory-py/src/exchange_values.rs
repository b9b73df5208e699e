//! Values of `_core.exchange`: the directory of a collection, grouping options, and what steps return.

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use samestory_core::base::hash;
use samestory_core::engine::exchange::assembly::{GroupRow, NearestRow};
use samestory_core::engine::exchange::{self as core, duplicates};

use crate::columns::{article_column, articles, invalid, named, Column, Named};
use crate::results::{method_of, representative_of};

type Bytes<'py> = Bound<'py, PyBytes>;

type Columns<'py> = Bound<'py, PyDict>;

/// Duplicate classes (`class`) and their articles (`article`).
fn members_of<'py>(py: Python<'py>, members: impl Iterator<Item = (u64, u64)> + Clone) -> PyResult<Columns<'py>> {
    let classes = article_column(py, members.clone().map(|member| member.0));
    named(py, [("class", classes), ("article", article_column(py, members.map(|member| member.1)))])
}

/// Where the articles of a collection are, and which of them are duplicates.
#[pyclass(module = "samestory._core.exchange", frozen)]
pub struct Directory {
    pub inner: core::directory::Directory,
    pub count: usize,
}

#[pymethods]
impl Directory {
    /// `splits`: the number before the first article of every split of the input (`start`), and its `partition`;
    /// `removed`: articles displaced by others with the same id; `members`: duplicate classes and their articles.
    #[new]
    fn new(
        count: usize,
        first_new: u64,
        splits: Named<'_>,
        removed: &Bound<'_, PyAny>,
        members: Named<'_>,
    ) -> PyResult<Self> {
        let owners: Vec<u32> = splits.numbers("partition")?;
        if owners.iter().any(|&owner| owner as usize >= count) {
            return Err(invalid(format!("expected partitions below {count}")));
        }
        let (starts, members) = (splits.articles("start")?, members.pairs("class", "article")?);
        let inner = core::directory::Directory::new(starts, owners, first_new, articles(removed)?, members);
        Ok(Directory { inner, count })
    }

    fn __getnewargs__<'py>(&self, py: Python<'py>) -> PyResult<(usize, u64, Columns<'py>, Py<Column>, Columns<'py>)> {
        let (ranges, members) = (self.inner.ranges(), self.inner.members().collect::<Vec<_>>());
        let owners = Column::new(py, ranges.partitions.iter().copied());
        let starts = article_column(py, ranges.starts.iter().copied());
        let splits = named(py, [("start", starts), ("partition", owners)])?;
        let members = members_of(py, members.iter().copied())?;
        Ok((self.count, self.inner.first_new, splits, self.removed(py)?, members))
    }

    /// The numbers of removed articles.
    #[getter]
    fn removed(&self, py: Python<'_>) -> PyResult<Py<Column>> {
        article_column(py, self.inner.removed().iter().copied())
    }

    /// Every `copy` and its `original`, in the order of the copies.
    #[getter]
    fn copies<'py>(&self, py: Python<'py>) -> PyResult<Columns<'py>> {
        let copies = article_column(py, self.inner.copies.iter().map(|pair| pair.0));
        named(py, [("copy", copies), ("original", article_column(py, self.inner.copies.iter().map(|pair| pair.1)))])
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
    Ok(core::options::RankOrder {
        representative: representative_of(representative)?,
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
pub struct PartDuplicates(pub duplicates::PartDuplicates);

#[pymethods]
impl PartDuplicates {
    /// The numbers of the articles displaced by others with the same id.
    #[getter]
    fn removed(&self, py: Python<'_>) -> PyResult<Py<Column>> {
        article_column(py, self.0.removed.iter().copied())
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

    /// Duplicate classes and their articles.
    #[getter]
    fn members<'py>(&self, py: Python<'py>) -> PyResult<Columns<'py>> {
        members_of(py, self.0.members.iter().copied())
    }
}
