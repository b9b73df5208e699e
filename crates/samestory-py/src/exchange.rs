//! Data exchanged between tasks on many machines: keys, candidate pairs, groups from comparisons made elsewhere.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use samestory_core::base::hash;
use samestory_core::engine::duplicates::{DuplicateClasses, GroupingOptions};
use samestory_core::engine::postings::partitioned::{self, CorruptBuffer};
use samestory_core::input::readers::parse;
use samestory_core::model::group::Decisions;
use samestory_core::model::relation::Relation;

use crate::columns::{bytes, column, numbers, row};
use crate::corpus::fields;
use crate::detector::{overlaps, Detector};
use crate::reader::{row as reader_row, Place, Row};
use crate::results::{method_of, Groups};

type Column<'py> = Bound<'py, PyAny>;
type Bytes<'py> = Bound<'py, PyBytes>;

fn broken(_: CorruptBuffer) -> PyErr {
    PyValueError::new_err("what was packed is broken")
}

fn ends(py: Python<'_>, offsets: &Column<'_>) -> PyResult<Vec<usize>> {
    let offsets: Vec<i64> = numbers(py, offsets)?;
    Ok(offsets.iter().skip(1).map(|&end| end as usize).collect())
}

fn buffers<'py>(py: Python<'py>, buffers: Vec<Vec<u8>>) -> Vec<Bytes<'py>> {
    buffers.iter().map(|parcel| PyBytes::new(py, parcel)).collect()
}

/// A 16-byte fingerprint of every row of bytes: equal for equal rows only.
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

/// Rows as `Reader` returns them, of lines that the caller has read; they are numbered from 1.
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
            out.push(reader_row(Place::Line(at as u64), parse(line, &fields), largest));
        }
    }
    Ok(out)
}

/// Evenly distributed hashes of keys.
#[pyfunction]
pub fn hashes_of<'py>(py: Python<'py>, keys: &Column<'py>) -> PyResult<Bytes<'py>> {
    let keys: Vec<u64> = numbers(py, keys)?;
    Ok(column(py, keys.into_iter().map(partitioned::mixed)))
}

/// How many bits of this many hashes distinguish them.
#[pyfunction]
pub fn bits_for(count: u64) -> u32 {
    partitioned::bits_for(count)
}

/// Requests of the shared-key filter: one buffer of hashes per partition.
#[pyfunction]
pub fn ask<'py>(py: Python<'py>, hashes: &Column<'py>, bits: u32, parts: usize) -> PyResult<Vec<Bytes<'py>>> {
    let hashes: Vec<u64> = numbers(py, hashes)?;
    Ok(buffers(py, py.detach(|| partitioned::ask(&hashes, bits.clamp(1, 63), parts.max(1)))))
}

/// The responses of a partition to all requests it received.
#[pyfunction]
pub fn answer<'py>(py: Python<'py>, asked: Vec<Vec<u8>>) -> PyResult<Vec<Bytes<'py>>> {
    let views: Vec<&[u8]> = asked.iter().map(|parcel| &parcel[..]).collect();
    Ok(buffers(py, py.detach(|| partitioned::answer(&views)).map_err(broken)?))
}

/// For every hash, by the responses of the partitions: 1 if it occurs here more than once, or elsewhere too.
#[pyfunction]
pub fn heard<'py>(py: Python<'py>, hashes: &Column<'py>, bits: u32, answers: Vec<Vec<u8>>) -> PyResult<Bytes<'py>> {
    let hashes: Vec<u64> = numbers(py, hashes)?;
    let views: Vec<&[u8]> = answers.iter().map(|answer| &answer[..]).collect();
    let found =
        py.detach(|| partitioned::heard(&hashes, bits.clamp(1, 63), views.len().max(1), &views)).map_err(broken)?;
    Ok(column(py, found.into_iter().map(u8::from)))
}

/// The keys of articles in buffers, one per partition; `quorums`: how many each must share; `shared`: which keys may
/// also be those of other articles.
#[pyfunction]
pub fn pack_keys<'py>(
    py: Python<'py>,
    articles: &Column<'py>,
    keys: (Column<'py>, Column<'py>),
    quorums: &Column<'py>,
    shared: &Column<'py>,
    parts: usize,
) -> PyResult<Vec<Bytes<'py>>> {
    let shared: Vec<bool> = bytes(py, shared)?.into_iter().map(|one| one != 0).collect();
    let (articles, quorums): (Vec<u64>, Vec<i64>) = (numbers(py, articles)?, numbers(py, quorums)?);
    let (keys, ends): (Vec<u64>, _) = (numbers(py, &keys.0)?, ends(py, &keys.1)?);
    if articles.len() != ends.len()
        || quorums.len() != ends.len()
        || ends.last().is_some_and(|&end| end > keys.len())
        || shared.len() != keys.len()
    {
        return Err(PyValueError::new_err("a row of keys an article is wanted"));
    }
    let quorums: Vec<u8> = quorums.iter().map(|&own| own.clamp(1, partitioned::LARGEST_QUORUM.into()) as u8).collect();
    Ok(buffers(py, py.detach(|| partitioned::pack(&articles, &keys, &ends, &quorums, &shared, parts.max(1)))))
}

/// The posting lists of a partition of keys, in buffers, one per partition of articles; and the keys of more than
/// `ceiling` articles (0: no limit). `ranges`: the first number of each partition of articles, and the partition.
#[pyfunction]
pub fn gather_keys<'py>(
    py: Python<'py>,
    packed: Vec<Vec<u8>>,
    place: (usize, usize),
    ceiling: usize,
    ranges: (Column<'py>, Column<'py>),
    partitions: usize,
) -> PyResult<(Vec<Bytes<'py>>, Bytes<'py>)> {
    let views: Vec<&[u8]> = packed.iter().map(|parcel| &parcel[..]).collect();
    let (starts, owners): (Vec<u64>, Vec<u32>) = (numbers(py, &ranges.0)?, numbers(py, &ranges.1)?);
    let ranges = partitioned::Ranges { starts: &starts, partitions: &owners };
    let ceiling = if ceiling == 0 { usize::MAX } else { ceiling };
    let (part, parts) = (place.0, place.1.max(1));
    let (lists, skipped) =
        py.detach(|| partitioned::gather(&views, part, parts, ceiling, &ranges, partitions)).map_err(broken)?;
    Ok((buffers(py, lists), column(py, skipped)))
}

/// The pairs (earlier, later) of a partition of articles that share enough keys, by all posting lists.
#[pyfunction]
pub fn tally_lists<'py>(
    py: Python<'py>,
    lists: Vec<Vec<u8>>,
    ranges: (Column<'py>, Column<'py>),
    partition: u32,
) -> PyResult<[Bytes<'py>; 2]> {
    let views: Vec<&[u8]> = lists.iter().map(|parcel| &parcel[..]).collect();
    let (starts, owners): (Vec<u64>, Vec<u32>) = (numbers(py, &ranges.0)?, numbers(py, &ranges.1)?);
    let ranges = partitioned::Ranges { starts: &starts, partitions: &owners };
    let pairs = py.detach(|| partitioned::count_overlaps(&views, &ranges, partition)).map_err(broken)?;
    Ok([column(py, pairs.iter().map(|pair| pair.0)), column(py, pairs.iter().map(|pair| pair.1))])
}

/// The partition of every article, by which all its data is distributed.
#[pyfunction]
pub fn parts_of<'py>(py: Python<'py>, articles: &Column<'py>, parts: usize) -> PyResult<Bytes<'py>> {
    let articles: Vec<u64> = numbers(py, articles)?;
    Ok(column(py, articles.into_iter().map(|article| partitioned::part_of(article, parts.max(1)) as u32)))
}

/// How many keys the rows of every pair share, except those `skipped` (sorted, as `gather_keys` returns them).
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
    Ok(column(py, py.detach(|| partitioned::shared(&keys, &ends, &pairs, &skipped))))
}

/// The connected components of edges, as stars: every article but the smallest of its component, and that one.
#[pyfunction]
pub fn stars<'py>(py: Python<'py>, left: &Column<'py>, right: &Column<'py>) -> PyResult<[Bytes<'py>; 2]> {
    let (left, right): (Vec<i64>, Vec<i64>) = (numbers(py, left)?, numbers(py, right)?);
    let edges: Vec<(i64, i64)> = left.into_iter().zip(right).collect();
    let found = py.detach(|| partitioned::stars(&edges));
    Ok([column(py, found.iter().map(|star| star.0)), column(py, found.iter().map(|star| star.1))])
}

/// Rows of 32-bit words as one buffer; row `at` ends at `offsets[at + 1]` bytes.
#[pyfunction]
pub fn pack_words<'py>(py: Python<'py>, values: &Column<'py>, offsets: &Column<'py>) -> PyResult<Bytes<'py>> {
    let (words, ends): (Vec<u32>, Vec<usize>) = (numbers(py, values)?, ends(py, offsets)?);
    if !ends.iter().all(|end| end % 4 == 0) || !ends.is_sorted() || ends.last().map_or(0, |end| end / 4) != words.len()
    {
        return Err(PyValueError::new_err("rows of whole words are wanted"));
    }
    let ends: Vec<usize> = ends.iter().map(|end| end / 4).collect();
    Ok(PyBytes::new(py, &py.detach(|| partitioned::pack_words(&words, &ends))))
}

/// The rows of a buffer of words: their bytes, and the offsets of the rows.
#[pyfunction]
pub fn unpack_words<'py>(py: Python<'py>, parcel: &[u8]) -> PyResult<[Bytes<'py>; 2]> {
    let (words, ends) = py.detach(|| partitioned::unpack_words(parcel)).map_err(broken)?;
    Ok([column(py, words), column(py, [0].into_iter().chain(ends.iter().map(|&end| 4 * end as i64)))])
}

/// Groups of articles whose related pairs of originals are given: (original, published, source) of the articles, in the
/// order of the input; (left, right, forward, backward, kind, why, score) of the pairs. A native detector weighs the
/// days between articles.
#[pyfunction]
#[allow(clippy::too_many_arguments)] // columns of articles and pairs, and the choices that a user has
pub fn group_lots<'py>(
    py: Python<'py>,
    articles: (Column<'py>, Column<'py>, Column<'py>),
    old: u32,
    pairs: [Column<'py>; 7],
    order: &Column<'py>,
    method: &str,
    join_parts: bool,
    same: Vec<(u32, u32)>,
    apart: Vec<(u32, u32)>,
    days: Option<u32>,
    detector: Option<&Detector>,
) -> PyResult<Groups> {
    let (original, published): (Vec<u32>, Vec<i64>) = (numbers(py, &articles.0)?, numbers(py, &articles.1)?);
    let (sources, order): (Vec<u64>, Vec<u32>) = (numbers(py, &articles.2)?, numbers(py, order)?);
    let (left, right): (Vec<u32>, Vec<u32>) = (numbers(py, &pairs[0])?, numbers(py, &pairs[1])?);
    let overlaps = overlaps(py, &pairs[2..])?;
    let (count, decisions) = (original.len(), Decisions::new(&same, &apart));
    let known = |article: &u32| (*article as usize) < count;
    if ![published.len(), sources.len(), order.len()].iter().all(|&length| length == count)
        || !original.iter().chain(&order).chain(&left).chain(&right).all(known)
        || ![right.len(), overlaps.len()].iter().all(|&length| length == left.len())
    {
        return Err(PyValueError::new_err("the columns do not fit each other"));
    }
    let ids = left.iter().zip(&right).zip(&overlaps);
    let relations: Vec<Relation> = ids.map(|((&left, &right), &overlap)| Relation { left, right, overlap }).collect();
    let method = method_of(method)?;
    let groups = py.detach(|| {
        let detector = detector.map(|detector| &*detector.inner);
        let (published, sources) = (&published, &sources);
        let classes = DuplicateClasses { original: &original, published, sources, old, detector, pairs: &relations };
        classes.groups(&GroupingOptions { method, order: &order, join_parts, decisions: &decisions, days })
    });
    Ok(Groups { groups, compared: 0, forms: 0 })
}
