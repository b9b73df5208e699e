//! What tasks on many machines hand to each other: keys, pairs, groups of what was compared elsewhere.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use samestory_core::detectors::{Kind, Overlap};
use samestory_core::exchange::{self, Broken};
use samestory_core::groups::Decisions;
use samestory_core::hash;
use samestory_core::lots::{How, Lots};
use samestory_core::readers::parse;
use samestory_core::relate::Relation;

use crate::columns::{bytes, column, numbers, row};
use crate::corpus::fields;
use crate::reader::{row as judged, Place, Row};
use crate::results::{method_of, Groups};

type Column<'py> = Bound<'py, PyAny>;
type Bytes<'py> = Bound<'py, PyBytes>;

fn broken(_: Broken) -> PyErr {
    PyValueError::new_err("what was packed is broken")
}

fn ends(py: Python<'_>, offsets: &Column<'_>) -> PyResult<Vec<usize>> {
    let offsets: Vec<i64> = numbers(py, offsets)?;
    Ok(offsets.iter().skip(1).map(|&end| end as usize).collect())
}

fn parcels<'py>(py: Python<'py>, parcels: Vec<Vec<u8>>) -> Vec<Bytes<'py>> {
    parcels.iter().map(|parcel| PyBytes::new(py, parcel)).collect()
}

/// Sixteen bytes for every row of bytes: the same for the same bytes, and for no others.
#[pyfunction]
pub fn prints<'py>(py: Python<'py>, values: &Column<'py>, offsets: &Column<'py>) -> PyResult<Bytes<'py>> {
    let (values, offsets): (Vec<u8>, Vec<i64>) = (bytes(py, values)?, numbers(py, offsets)?);
    let mut out = Vec::with_capacity(16 * offsets.len());
    let mut words: Vec<u32> = vec![];
    for at in 1..offsets.len() {
        let own = row(&values, &offsets, at - 1)?;
        words.clear();
        words.push(own.len() as u32);
        words.extend(own.chunks(4).map(|some| some.iter().rev().fold(0, |word, &byte| word << 8 | u32::from(byte))));
        for seed in [1, 2] {
            out.extend_from_slice(&hash::sequence(&words, seed).to_le_bytes());
        }
    }
    Ok(PyBytes::new(py, &out))
}

/// Rows as `Reader` gives them, of lines that somebody else has read; they are numbered from 1.
#[pyfunction]
pub fn read_lines(
    py: Python<'_>,
    values: &Column<'_>,
    offsets: &Column<'_>,
    own: Vec<(String, String)>,
    largest: usize,
) -> PyResult<Vec<Row>> {
    let (values, offsets, fields): (Vec<u8>, Vec<i64>, _) = (bytes(py, values)?, numbers(py, offsets)?, fields(own)?);
    let mut out = vec![];
    for at in 1..offsets.len() {
        let line = row(&values, &offsets, at - 1)?;
        if !line.trim_ascii().is_empty() {
            out.push(judged(Place::Line(at as u64), parse(line, &fields), largest));
        }
    }
    Ok(out)
}

/// The keys of articles in parcels, one a part; `aside`: how many keys of each need not count.
#[pyfunction]
pub fn pack_keys<'py>(
    py: Python<'py>,
    articles: &Column<'py>,
    keys: (Column<'py>, Column<'py>),
    aside: &Column<'py>,
    parts: usize,
) -> PyResult<Vec<Bytes<'py>>> {
    let (articles, aside): (Vec<u64>, Vec<u32>) = (numbers(py, articles)?, numbers(py, aside)?);
    let (keys, ends): (Vec<u64>, _) = (numbers(py, &keys.0)?, ends(py, &keys.1)?);
    if articles.len() != ends.len() || aside.len() != ends.len() || ends.last().is_some_and(|&end| end > keys.len()) {
        return Err(PyValueError::new_err("a row of keys an article is wanted"));
    }
    Ok(parcels(py, py.detach(|| exchange::pack(&articles, &keys, &ends, &aside, parts.max(1)))))
}

/// Who meets in a part (left, right, count, fewer keys), and the keys that more than `ceiling` have (0: no limit).
#[pyfunction]
pub fn meet_keys<'py>(
    py: Python<'py>,
    parcels: Vec<Vec<u8>>,
    part: usize,
    parts: usize,
    ceiling: usize,
) -> PyResult<[Bytes<'py>; 5]> {
    let views: Vec<&[u8]> = parcels.iter().map(|parcel| &parcel[..]).collect();
    let ceiling = if ceiling == 0 { usize::MAX } else { ceiling };
    let met = py.detach(|| exchange::meet(&views, part, parts, ceiling)).map_err(broken)?;
    Ok([
        column(py, met.pairs.iter().map(|pair| pair.0)),
        column(py, met.pairs.iter().map(|pair| pair.1)),
        column(py, met.counts),
        column(py, met.fewer),
        column(py, met.skipped),
    ])
}

/// Pairs in parcels, one a part: by the part of the left article.
#[pyfunction]
pub fn deal_pairs<'py>(
    py: Python<'py>,
    pairs: (Column<'py>, Column<'py>),
    counts: &Column<'py>,
    fewer: &Column<'py>,
    parts: usize,
) -> PyResult<Vec<Bytes<'py>>> {
    let (left, right): (Vec<u64>, Vec<u64>) = (numbers(py, &pairs.0)?, numbers(py, &pairs.1)?);
    let (counts, fewer): (Vec<u32>, Vec<u32>) = (numbers(py, counts)?, numbers(py, fewer)?);
    let pairs: Vec<(u64, u64)> = left.into_iter().zip(right).collect();
    if pairs.len() != counts.len() || pairs.len() != fewer.len() || pairs.iter().any(|pair| pair.0 > pair.1) {
        return Err(PyValueError::new_err("pairs in order are wanted"));
    }
    Ok(parcels(py, py.detach(|| exchange::deal(&pairs, &counts, &fewer, parts.max(1)))))
}

/// The pairs of parcels (left, right, count, fewer keys), those that are the same added up.
#[pyfunction]
pub fn add_pairs<'py>(py: Python<'py>, parcels: Vec<Vec<u8>>) -> PyResult<[Bytes<'py>; 4]> {
    let views: Vec<&[u8]> = parcels.iter().map(|parcel| &parcel[..]).collect();
    let pairs = py.detach(|| exchange::add(&views)).map_err(broken)?;
    Ok([column(py, pairs.left), column(py, pairs.right), column(py, pairs.counts), column(py, pairs.fewer)])
}

/// The part of every article, as pairs are dealt.
#[pyfunction]
pub fn parts_of<'py>(py: Python<'py>, articles: &Column<'py>, parts: usize) -> PyResult<Bytes<'py>> {
    let articles: Vec<u64> = numbers(py, articles)?;
    Ok(column(py, articles.into_iter().map(|article| exchange::part_of(article, parts.max(1)) as u32)))
}

/// How many keys the rows of every pair share, those aside that are `skipped` (sorted, as `meet_keys` names them).
#[pyfunction]
pub fn shared_keys<'py>(
    py: Python<'py>,
    keys: (Column<'py>, Column<'py>),
    pairs: (Column<'py>, Column<'py>),
    skipped: &Column<'py>,
) -> PyResult<Bytes<'py>> {
    let (keys, ends): (Vec<u64>, _) = (numbers(py, &keys.0)?, ends(py, &keys.1)?);
    let (left, right): (Vec<i64>, Vec<i64>) = (numbers(py, &pairs.0)?, numbers(py, &pairs.1)?);
    let skipped: Vec<u64> = numbers(py, skipped)?;
    let rows = ends.len();
    let pairs: Vec<(usize, usize)> = left.iter().zip(&right).map(|(&l, &r)| (l as usize, r as usize)).collect();
    if pairs.iter().any(|pair| pair.0.max(pair.1) >= rows) || ends.last().is_some_and(|&end| end > keys.len()) {
        return Err(PyValueError::new_err("pairs of the rows of keys are wanted"));
    }
    Ok(column(py, py.detach(|| exchange::shared(&keys, &ends, &pairs, &skipped))))
}

/// Groups of articles whose related pairs of originals are given: (original, published, source) of the articles, in the
/// order of the input; (left, right, forward, backward, kind, score) of the pairs.
#[pyfunction]
#[allow(clippy::too_many_arguments)] // columns of articles and pairs, and the choices that a user has
pub fn group_lots<'py>(
    py: Python<'py>,
    articles: (Column<'py>, Column<'py>, Column<'py>),
    old: u32,
    pairs: (Column<'py>, Column<'py>, Column<'py>, Column<'py>, Column<'py>, Column<'py>),
    order: &Column<'py>,
    method: &str,
    join_parts: bool,
    same: Vec<(u32, u32)>,
    apart: Vec<(u32, u32)>,
    days: Option<u32>,
) -> PyResult<Groups> {
    let (original, published): (Vec<u32>, Vec<i64>) = (numbers(py, &articles.0)?, numbers(py, &articles.1)?);
    let (sources, order): (Vec<u64>, Vec<u32>) = (numbers(py, &articles.2)?, numbers(py, order)?);
    let (left, right): (Vec<u32>, Vec<u32>) = (numbers(py, &pairs.0)?, numbers(py, &pairs.1)?);
    let (forward, backward): (Vec<f64>, Vec<f64>) = (numbers(py, &pairs.2)?, numbers(py, &pairs.3)?);
    let (kinds, scores): (Vec<u8>, Vec<f64>) = (numbers(py, &pairs.4)?, numbers(py, &pairs.5)?);
    let (count, decisions) = (original.len(), Decisions::new(&same, &apart));
    let known = |article: &u32| (*article as usize) < count;
    if ![published.len(), sources.len(), order.len()].iter().all(|&length| length == count)
        || !original.iter().chain(&order).chain(&left).chain(&right).all(known)
        || ![right.len(), forward.len(), backward.len(), kinds.len(), scores.len()].iter().all(|&l| l == left.len())
    {
        return Err(PyValueError::new_err("the columns do not fit each other"));
    }
    let mut relations = Vec::with_capacity(left.len());
    for at in 0..left.len() {
        let kind = *Kind::ALL.get(kinds[at] as usize).ok_or_else(|| PyValueError::new_err("no such kind"))?;
        let overlap = Overlap::related(forward[at], backward[at], kind, scores[at]);
        relations.push(Relation { left: left[at], right: right[at], overlap });
    }
    let method = method_of(method)?;
    let groups = py.detach(|| {
        let lots = Lots { original: &original, published: &published, sources: &sources, old, pairs: &relations };
        lots.groups(&How { method, order: &order, join_parts, decisions: &decisions, days })
    });
    Ok(Groups { groups, compared: 0, forms: 0 })
}
