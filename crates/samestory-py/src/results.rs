//! Results: `_core.Relations` and `_core.Groups`, groups of relations made elsewhere, and groups at thresholds.

use std::collections::HashSet;

use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use samestory_core::base::time::NO_TIME;
use samestory_core::detectors::Overlap;
use samestory_core::engine::candidates::ComparisonCounts;
use samestory_core::engine::cluster::cuts::{cuts as cut, Pair};
use samestory_core::engine::cluster::majority::{self, Days};
use samestory_core::engine::cluster::star::{self, Owners, Question, Rules};
use samestory_core::engine::rank::{ranked, RankKey, Representative};
use samestory_core::engine::strongest::{self as core, EarlierRelation};
use samestory_core::model::decisions::Decisions;
use samestory_core::model::group::{joins, Group, Method};
use samestory_core::model::relation::{Link, Relation};

use crate::columns::{check_lengths, invalid, numbers, Column, Number, Two};
use crate::errors::unknown;
use crate::overlaps::kind_of;

#[pyclass(module = "samestory._core.engine", frozen)]
pub struct Relations {
    pub relations: Vec<Relation>,
    /// Relations that are weaker than those that were kept of their article.
    #[pyo3(get)]
    pub weaker: u64,
    pub counts: ComparisonCounts,
}

impl Relations {
    fn column<T: Number>(&self, py: Python<'_>, value: impl Fn(&Relation) -> T) -> PyResult<Py<Column>> {
        Column::new(py, self.relations.iter().map(value))
    }
}

#[pymethods]
impl Relations {
    #[getter]
    fn counts(&self) -> CountRow {
        count_row(self.counts)
    }

    fn __len__(&self) -> usize {
        self.relations.len()
    }

    /// The numbers of the left articles.
    #[getter]
    fn left(&self, py: Python<'_>) -> PyResult<Py<Column>> {
        self.column(py, |r| r.left)
    }

    /// The numbers of the right articles.
    #[getter]
    fn right(&self, py: Python<'_>) -> PyResult<Py<Column>> {
        self.column(py, |r| r.right)
    }

    #[getter]
    fn kinds(&self, py: Python<'_>) -> PyResult<Py<Column>> {
        self.column(py, |r| r.overlap.kind as u8)
    }

    #[getter]
    fn forward(&self, py: Python<'_>) -> PyResult<Py<Column>> {
        self.column(py, |r| r.overlap.forward)
    }

    #[getter]
    fn backward(&self, py: Python<'_>) -> PyResult<Py<Column>> {
        self.column(py, |r| r.overlap.backward)
    }

    #[getter]
    fn scores(&self, py: Python<'_>) -> PyResult<Py<Column>> {
        self.column(py, |r| r.overlap.score)
    }
}

/// Groups, as a sequence of `GroupRow`.
#[pyclass(module = "samestory._core.engine", frozen)]
pub struct Groups {
    pub groups: Vec<Group>,
    pub counts: ComparisonCounts,
}

/// Numbers of compared pairs, of those with one template and other facts, and of candidates that were dropped.
pub type CountRow = (u64, u64, u64);

pub fn count_row(counts: ComparisonCounts) -> CountRow {
    (counts.compared, counts.template_pairs, counts.dropped_candidates)
}

/// left, right, kind, forward, backward, score
type Weakest = (u32, u32, &'static str, f64, f64, f64);
/// article, forward, backward, why
type Nearest = (u32, f64, f64, &'static str);

/// A group; articles are numbers.
#[pyclass(module = "samestory._core.engine", frozen, get_all)]
pub struct GroupRow {
    representative: u32,
    members: Vec<u32>,
    /// The weakest relation between a member and the others.
    weakest: Option<Weakest>,
    /// The nearest article of another group.
    nearest: Option<Nearest>,
    /// Whether a decision has put an article into it.
    forced: bool,
}

#[pymethods]
impl Groups {
    #[getter]
    fn counts(&self) -> CountRow {
        count_row(self.counts)
    }

    fn __len__(&self) -> usize {
        self.groups.len()
    }

    fn __getitem__(&self, at: usize) -> PyResult<GroupRow> {
        let group = self.groups.get(at).ok_or_else(|| PyIndexError::new_err("no such group"))?;
        Ok(GroupRow {
            representative: group.representative,
            members: group.members.clone(),
            weakest: group.weakest.map(|(l, r, o)| (l, r, o.kind.name(), o.forward, o.backward, o.score)),
            nearest: group.nearest.map(|(to, o, why)| (to, o.forward, o.backward, why.name())),
            forced: group.forced,
        })
    }

    /// How many articles are in groups of at least two.
    #[getter]
    fn grouped(&self) -> usize {
        self.groups.iter().map(|group| group.members.len()).filter(|&members| members > 1).sum()
    }

    /// How many groups have one article.
    #[getter]
    fn alone(&self) -> usize {
        self.groups.iter().filter(|group| group.members.len() == 1).count()
    }
}

pub fn method_of(name: &str) -> PyResult<Method> {
    match name {
        "star" => Ok(Method::Star),
        "components" => Ok(Method::Components),
        "majority" => Ok(Method::Majority),
        other => Err(unknown("grouping", other, &["star", "components", "majority"])),
    }
}

/// The positions of the strongest relations of an article to earlier ones; of each: kind, score, the id of the earlier
/// article and the hash of its source.
#[pyfunction]
pub fn strongest(relations: Vec<(u8, f64, String, u64)>, limit: usize) -> PyResult<Vec<usize>> {
    let mut found = vec![];
    for (kind, score, id, source) in &relations {
        found.push(EarlierRelation { kind: kind_of(*kind)?, score: *score, id, source: *source });
    }
    Ok(core::strongest(&found, limit))
}

pub fn representative_of(name: &str) -> PyResult<Representative> {
    Representative::parse(name).ok_or_else(|| unknown("representative", name, &Representative::NAMES))
}

/// An error unless these are numbers of `count` articles.
pub fn check_articles<'a>(count: usize, mut numbers: impl Iterator<Item = &'a u32>) -> PyResult<()> {
    match numbers.all(|&article| (article as usize) < count) {
        true => Ok(()),
        false => Err(invalid("no such article")),
    }
}

/// An error unless an order names each of `count` articles once.
fn check_order(count: usize, order: &[u32]) -> PyResult<()> {
    check_articles(count, order.iter())?;
    let mut sorted = order.to_vec();
    sorted.sort_unstable();
    match (0..count).eq(sorted.into_iter().map(|article| article as usize)) {
        true => Ok(()),
        false => Err(invalid("expected an order that names each article once")),
    }
}

/// What decides which of several articles represents the others, in columns: ids, lengths, times and places of sources.
type RankKeys = (Vec<String>, Vec<u32>, Vec<Option<i64>>, Vec<usize>);

/// Groups of relations made elsewhere. Scores may be unknown. `max_days`: the maximum number of days between related
/// articles, for majorities.
#[pyfunction]
#[pyo3(signature = (
    articles, representative, pairs, shares, kinds, method, join_parts, same, apart, scores = None, max_days = None
))]
#[allow(clippy::too_many_arguments)] // columns of relations, and the choices that a user has
pub fn group<'py>(
    py: Python<'py>,
    articles: RankKeys,
    representative: &str,
    pairs: Two<'py>,
    shares: Two<'py>,
    kinds: &Bound<'py, PyAny>,
    method: &str,
    join_parts: bool,
    same: Vec<(u32, u32)>,
    apart: Vec<(u32, u32)>,
    scores: Option<Bound<'py, PyAny>>,
    max_days: Option<u32>,
) -> PyResult<Groups> {
    let (ids, lengths, times, places) = articles;
    let count = ids.len();
    check_lengths(count, &[lengths.len(), times.len(), places.len()])?;
    let published: Vec<i64> = times.into_iter().map(|at| at.unwrap_or(NO_TIME)).collect();
    let key = |article: usize| RankKey {
        place: places[article],
        words: lengths[article],
        published: published[article],
        id: &ids[article],
    };
    let order = ranked(count, key, representative_of(representative)?);
    let (left, right): (Vec<u32>, Vec<u32>) = (numbers(py, &pairs.0)?, numbers(py, &pairs.1)?);
    let (forward, backward): (Vec<f64>, Vec<f64>) = (numbers(py, &shares.0)?, numbers(py, &shares.1)?);
    let kinds: Vec<u8> = numbers(py, kinds)?;
    let scores: Vec<f64> = scores.map_or(Ok(vec![]), |scores| numbers(py, &scores))?;
    check_lengths(left.len(), &[right.len(), forward.len(), backward.len(), kinds.len()])?;
    let decided = same.iter().chain(&apart).flat_map(|(one, other)| [one, other]);
    check_articles(count, left.iter().chain(&right).chain(decided))?;
    let decisions = Decisions::new(&same, &apart);
    let mut relations = vec![];
    for at in 0..left.len() {
        let kind = kind_of(kinds[at])?;
        let score = scores.get(at).copied().unwrap_or(0.0);
        let overlap = Overlap::related(forward[at], backward[at], kind, score);
        relations.push(Relation { left: left[at], right: right[at], overlap });
    }
    if method_of(method)? == Method::Majority {
        relations.retain(|relation| joins(relation.overlap.kind, join_parts));
        let days = max_days.map(|most| Days { published: &published, most });
        let groups = majority::group_days(&order, &relations, &decisions, &[], &[], days);
        return Ok(Groups { groups, counts: ComparisonCounts::default() });
    }
    let mut links: Vec<Vec<Link>> = vec![vec![]; count];
    for &Relation { left, right, overlap } in &relations {
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
    let mut groups = star::group(&owners, &rules, &mut ask).unwrap_or_default();
    // the weakest link is one of the given relations, in its direction
    let given: HashSet<(u32, u32)> = relations.iter().map(|relation| (relation.left, relation.right)).collect();
    for (left, right, overlap) in groups.iter_mut().filter_map(|group| group.weakest.as_mut()) {
        if !given.contains(&(*left, *right)) {
            (*left, *right, *overlap) = (*right, *left, overlap.flipped());
        }
    }
    Ok(Groups { groups, counts: ComparisonCounts::default() })
}

/// For every threshold the group of every article, by the pairs whose score reaches it.
#[pyfunction]
pub fn cuts<'py>(
    py: Python<'py>,
    pairs: Two<'py>,
    scores: &Bound<'py, PyAny>,
    order: &Bound<'py, PyAny>,
    method: &str,
    thresholds: Vec<f64>,
) -> PyResult<Vec<Py<Column>>> {
    let (left, right): (Vec<u32>, Vec<u32>) = (numbers(py, &pairs.0)?, numbers(py, &pairs.1)?);
    let (scores, order): (Vec<f64>, Vec<u32>) = (numbers(py, scores)?, numbers(py, order)?);
    let method = method_of(method)?;
    check_lengths(left.len(), &[right.len(), scores.len()])?;
    check_order(order.len(), &order)?;
    check_articles(order.len(), left.iter().chain(&right))?;
    let labels = py.detach(|| {
        let columns = left.into_iter().zip(right).zip(scores);
        let pairs: Vec<Pair> = columns.map(|((left, right), score)| Pair { left, right, score }).collect();
        cut(&pairs, &order, method, &thresholds)
    });
    labels.into_iter().map(|row| Column::new(py, row)).collect()
}
