//! Results: `_core.Relations` and `_core.Groups`, groups of relations made elsewhere, and groups at thresholds.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use samestory_core::base::time::NO_TIME;
use samestory_core::detectors::{Kind, Overlap};
use samestory_core::engine::cluster::cuts::{cuts as cut, Pair};
use samestory_core::engine::cluster::majority::{self, Days};
use samestory_core::engine::cluster::star::{self, Owners, Question, Rules};
use samestory_core::model::group::{Decisions, Group, Method};
use samestory_core::model::relation::{Link, Relation};

use crate::columns::{column, numbers};
use samestory_core::model::group::joins;

#[pyclass(module = "samestory._core", frozen)]
pub struct Relations {
    pub relations: Vec<Relation>,
    #[pyo3(get)]
    pub compared: u64,
    #[pyo3(get)]
    pub forms: u64,
}

#[pymethods]
impl Relations {
    fn __len__(&self) -> usize {
        self.relations.len()
    }

    /// left, right (numbers of articles), kind, forward, backward, score.
    fn columns<'py>(&self, py: Python<'py>) -> [Bound<'py, PyBytes>; 6] {
        let all = &self.relations;
        [
            column(py, all.iter().map(|r| r.left)),
            column(py, all.iter().map(|r| r.right)),
            column(py, all.iter().map(|r| r.overlap.kind as u8)),
            column(py, all.iter().map(|r| r.overlap.forward)),
            column(py, all.iter().map(|r| r.overlap.backward)),
            column(py, all.iter().map(|r| r.overlap.score)),
        ]
    }
}

#[pyclass(module = "samestory._core", frozen)]
pub struct Groups {
    pub groups: Vec<Group>,
    #[pyo3(get)]
    pub compared: u64,
    #[pyo3(get)]
    pub forms: u64,
}

/// left, right, kind, forward, backward, score
type Weakest = (u32, u32, &'static str, f64, f64, f64);
/// representative, members, weakest, nearest (article, forward, backward, why), forced
type Row = (u32, Vec<u32>, Option<Weakest>, Option<(u32, f64, f64, &'static str)>, bool);

#[pymethods]
impl Groups {
    fn __len__(&self) -> usize {
        self.groups.len()
    }

    /// How many groups have at least so many members, and how many articles are in them.
    fn count(&self, least: usize) -> (usize, usize) {
        let large = self.groups.iter().filter(|g| g.members.len() >= least);
        large.fold((0, 0), |(groups, articles), g| (groups + 1, articles + g.members.len()))
    }

    fn rows(&self, least: usize) -> Vec<Row> {
        let row = |g: &Group| {
            (
                g.representative,
                g.members.clone(),
                g.weakest.map(|(l, r, o)| (l, r, o.kind.name(), o.forward, o.backward, o.score)),
                g.nearest.map(|(to, o, why)| (to, o.forward, o.backward, why.name())),
                g.forced,
            )
        };
        self.groups.iter().filter(|g| g.members.len() >= least).map(row).collect()
    }
}

pub fn method_of(name: &str) -> PyResult<Method> {
    match name {
        "star" => Ok(Method::Star),
        "components" => Ok(Method::Components),
        "majority" => Ok(Method::Majority),
        other => {
            Err(PyValueError::new_err(format!("no grouping is called {other:?}; there are star, components, majority")))
        }
    }
}

/// Groups of relations made elsewhere; `order` names the articles, best representative first. Scores may be unknown.
/// `days`: the time of every article, and the maximum number of days between related ones. `sizes`: how many articles
/// each represents, for majorities; one by default.
#[pyfunction]
#[pyo3(signature = (
    count, pairs, shares, kinds, order, method, join_parts, same, apart, scores = None, days = None, sizes = None
))]
#[allow(clippy::too_many_arguments)] // columns of relations, and the choices that a user has
pub fn group<'py>(
    py: Python<'py>,
    count: usize,
    pairs: (Bound<'py, PyAny>, Bound<'py, PyAny>),
    shares: (Bound<'py, PyAny>, Bound<'py, PyAny>),
    kinds: &Bound<'py, PyAny>,
    order: &Bound<'py, PyAny>,
    method: &str,
    join_parts: bool,
    same: Vec<(u32, u32)>,
    apart: Vec<(u32, u32)>,
    scores: Option<Bound<'py, PyAny>>,
    days: Option<(Vec<Option<i64>>, u32)>,
    sizes: Option<Bound<'py, PyAny>>,
) -> PyResult<Groups> {
    let (left, right): (Vec<u32>, Vec<u32>) = (numbers(py, &pairs.0)?, numbers(py, &pairs.1)?);
    let (forward, backward): (Vec<f64>, Vec<f64>) = (numbers(py, &shares.0)?, numbers(py, &shares.1)?);
    let (kinds, order): (Vec<u8>, Vec<u32>) = (numbers(py, kinds)?, numbers(py, order)?);
    let scores: Vec<f64> = scores.map_or(Ok(vec![]), |scores| numbers(py, &scores))?;
    let sizes: Vec<u32> = sizes.map_or(Ok(vec![]), |sizes| numbers(py, &sizes))?;
    let decisions = Decisions::new(&same, &apart);
    let mut relations = vec![];
    for at in 0..left.len() {
        let kind = *Kind::ALL.get(kinds[at] as usize).ok_or_else(|| PyValueError::new_err("no such kind"))?;
        let score = scores.get(at).copied().unwrap_or(0.0);
        let overlap = Overlap::related(forward[at], backward[at], kind, score);
        relations.push(Relation { left: left[at], right: right[at], overlap });
    }
    if method_of(method)? == Method::Majority {
        relations.retain(|relation| joins(relation.overlap.kind, join_parts));
        let known = |(times, most): (Vec<Option<i64>>, u32)| {
            (times.into_iter().map(|at| at.unwrap_or(NO_TIME)).collect::<Vec<i64>>(), most)
        };
        let days = days.map(known).filter(|(published, _)| published.len() == count);
        let days = days.as_ref().map(|(published, most)| Days { published, most: *most });
        let groups = majority::group_days(&order, &relations, &decisions, &sizes, &[], days);
        return Ok(Groups { groups, compared: 0, forms: 0 });
    }
    let mut links: Vec<Vec<Link>> = vec![vec![]; count];
    for Relation { left, right, overlap } in relations {
        links[left as usize].push(Link { to: right, overlap });
        links[right as usize].push(Link { to: left, overlap: overlap.flipped() });
    }
    for list in &mut links {
        list.sort_by_key(|link| link.to);
    }
    let owners = Owners::new(count);
    let rules =
        Rules { method: method_of(method)?, order: &order, join_parts, decisions: &decisions, all_nearest: true };
    let mut ask = |questions: Vec<Question>| {
        let answer = |question: Question| match question {
            Question::Links(article) => links[article as usize].clone(),
            Question::Support(article, among) => star::first_copied(&links[article as usize], &among),
            Question::Nearest(article, before) => {
                let taken = links[article as usize].iter().filter(|link| owners.get(link.to) < before);
                taken.copied().collect()
            }
        };
        Some(questions.into_iter().map(answer).collect())
    };
    let groups = star::group(&owners, &rules, &mut ask).unwrap_or_default();
    Ok(Groups { groups, compared: 0, forms: 0 })
}

/// For every threshold the group of every article, by the pairs whose score reaches it; a row of bytes each.
#[pyfunction]
pub fn cuts<'py>(
    py: Python<'py>,
    pairs: (Bound<'py, PyAny>, Bound<'py, PyAny>),
    scores: &Bound<'py, PyAny>,
    order: &Bound<'py, PyAny>,
    method: &str,
    thresholds: Vec<f64>,
) -> PyResult<Vec<Bound<'py, PyBytes>>> {
    let (left, right): (Vec<u32>, Vec<u32>) = (numbers(py, &pairs.0)?, numbers(py, &pairs.1)?);
    let (scores, order): (Vec<f64>, Vec<u32>) = (numbers(py, scores)?, numbers(py, order)?);
    let method = method_of(method)?;
    let known = |article: &u32| (*article as usize) < order.len();
    if left.len() != right.len() || left.len() != scores.len() || !left.iter().chain(&right).chain(&order).all(known) {
        return Err(PyValueError::new_err("the columns do not fit each other"));
    }
    let labels = py.detach(|| {
        let columns = left.into_iter().zip(right).zip(scores);
        let pairs: Vec<Pair> = columns.map(|((left, right), score)| Pair { left, right, score }).collect();
        cut(&pairs, &order, method, &thresholds)
    });
    Ok(labels.into_iter().map(|row| column(py, row)).collect())
}
