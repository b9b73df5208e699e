//! `_core.exchange`: what the tasks of a cluster compute. Buffers are made and read by the core alone; columns have names.

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use samestory_core::engine::exchange::articles::Columns;
use samestory_core::engine::exchange::{self as core, assembly, components, crowded, duplicates, pairs};
use samestory_core::engine::population::Corpus;
use samestory_core::engine::postings::partitioned::{self, CorruptBuffer};
use samestory_core::model::relation::Relation;

use crate::columns::{self, article_column, invalid, named, Column, Named, Signatures, Two};
use crate::detector::Detector;
use crate::exchange_values::{rank_order, Directory, Group, Options, PartDuplicates};
use crate::failure::Failure;
use crate::results::{count_row, CountRow};

type Array<'py> = Bound<'py, PyAny>;
type Bytes<'py> = Bound<'py, PyBytes>;
/// Buffers with the number of the partition that receives each.
type Addressed<'py> = Vec<(u64, Bytes<'py>)>;

fn corrupt(_: CorruptBuffer) -> PyErr {
    invalid("a buffer from another task is truncated or has impossible content")
}

fn stopped() -> PyErr {
    PyRuntimeError::new_err("the work was stopped")
}

fn views(buffers: &[Vec<u8>]) -> Vec<&[u8]> {
    buffers.iter().map(|buffer| &buffer[..]).collect()
}

/// A buffer for every partition.
fn for_all<'py>(py: Python<'py>, buffers: Vec<Vec<u8>>) -> Addressed<'py> {
    (0..).zip(buffers).map(|(to, buffer)| (to, PyBytes::new(py, &buffer))).collect()
}

fn not_empty(buffers: Addressed) -> Addressed {
    buffers.into_iter().filter(|(_, buffer)| !buffer.as_bytes().is_empty()).collect()
}

fn sorted(hashes: &Array) -> PyResult<Vec<u64>> {
    let mut hashes: Vec<u64> = columns::typed(hashes)?;
    hashes.sort_unstable();
    Ok(hashes)
}

fn addressed<'py, N: Into<u64>>(py: Python<'py>, buffers: Vec<(N, Vec<u8>)>) -> Addressed<'py> {
    buffers.into_iter().map(|(to, buffer)| (to.into(), PyBytes::new(py, &buffer))).collect()
}

/// The articles of an input partition.
#[pyclass(module = "samestory._core.exchange", name = "Articles", frozen)]
pub struct PartitionArticles {
    corpus: Corpus,
    failure: Failure,
}

#[pymethods]
impl PartitionArticles {
    /// Columns `number`, `id`, `published`, `source` and `words`, and the signatures.
    #[new]
    fn new(
        py: Python<'_>,
        detector: &Detector,
        directory: &Directory,
        articles: Named<'_>,
        signatures: Two<'_>,
    ) -> PyResult<Self> {
        let (ends, signatures) = Signatures::read(py, &signatures)?.into_ends();
        let columns = Columns {
            numbers: articles.articles("number")?,
            ids: articles.texts("id")?,
            published: articles.numbers("published")?,
            sources: articles.numbers("source")?,
            words: articles.numbers("words")?,
            signatures,
            signature_ends: ends,
        };
        let corpus = columns.corpus(detector.inner.clone(), directory.inner.first_new);
        let corpus = corpus.ok_or_else(|| invalid("the columns do not fit each other or the detector"))?;
        Ok(PartitionArticles { corpus, failure: detector.failure.clone() })
    }

    /// What every part must know to find equal ids, equal signatures and shared keys; `articles`: their number in the
    /// whole collection.
    fn request_shared<'py>(&self, py: Python<'py>, articles: u64, parts: usize) -> PyResult<Addressed<'py>> {
        let requests = py.detach(|| duplicates::request_shared(&self.corpus, articles, parts.max(1)));
        self.failure.check()?;
        Ok(for_all(py, requests))
    }

    /// The keys that may be shared, for every part, given the responses of the parts; and the number of articles
    /// without keys.
    fn pack_keys<'py>(
        &self,
        py: Python<'py>,
        directory: &Directory,
        responses: Vec<Vec<u8>>,
        articles: u64,
    ) -> PyResult<(Addressed<'py>, usize)> {
        let packed = py.detach(|| duplicates::pack_keys(&self.corpus, &directory.inner, &views(&responses), articles));
        self.failure.check()?;
        let (buffers, unsigned) = packed.map_err(corrupt)?;
        Ok((for_all(py, buffers), unsigned))
    }

    /// The crowded articles, for the parts of their long keys; `skipped`: the keys with long lists, `order`: the
    /// representative and the preferred sources.
    fn find_crowded<'py>(
        &self,
        py: Python<'py>,
        directory: &Directory,
        skipped: &Array<'py>,
        order: (String, Vec<String>),
        parts: usize,
    ) -> PyResult<Addressed<'py>> {
        let (skipped, order) = (sorted(skipped)?, rank_order(&order.0, &order.1)?);
        let directory = &directory.inner;
        let found = py.detach(|| crowded::find_crowded(&self.corpus, directory, &skipped, &order, parts.max(1)));
        self.failure.check()?;
        Ok(not_empty(for_all(py, found)))
    }

    /// The articles that other partitions have requested (`find_pairs`), for each of these.
    fn send_requested<'py>(
        &self,
        py: Python<'py>,
        directory: &Directory,
        requests: Vec<Vec<u8>>,
        partition: u32,
    ) -> PyResult<Addressed<'py>> {
        let sent = py.detach(|| pairs::send_articles(&self.corpus, &directory.inner, &views(&requests), partition));
        Ok(addressed(py, sent.map_err(corrupt)?))
    }

    /// Compares the pairs of this partition, with the articles that others have sent; `skipped`: the keys of too many
    /// articles. Returns a buffer for `ComparedPartition`.
    fn compare<'py>(
        &self,
        py: Python<'py>,
        directory: &Directory,
        pairs: Vec<Vec<u8>>,
        articles: Vec<Vec<u8>>,
        skipped: &Array<'py>,
        partition: u32,
    ) -> PyResult<Bytes<'py>> {
        let skipped = sorted(skipped)?;
        let (directory, pairs, articles) = (&directory.inner, views(&pairs), views(&articles));
        let compared =
            py.detach(|| core::compared::compare(&self.corpus, directory, &pairs, &articles, &skipped, partition));
        self.failure.check()?;
        Ok(PyBytes::new(py, &compared.map_err(corrupt)?))
    }

    /// The groups whose representatives are in this partition, its articles without a group included.
    fn group_rows(
        &self,
        py: Python<'_>,
        directory: &Directory,
        messages: Vec<Vec<u8>>,
        options: Options,
    ) -> PyResult<Vec<Group>> {
        let options = options.core()?;
        let rows = py.detach(|| assembly::group_rows(&self.corpus, &directory.inner, &views(&messages), &options));
        Ok(rows.map_err(corrupt)?.into_iter().map(Group).collect())
    }
}

/// The compared pairs of a partition.
#[pyclass(module = "samestory._core.exchange", frozen)]
pub struct ComparedPartition {
    inner: core::compared::ComparedPartition,
    name: String,
    failure: Failure,
}

impl ComparedPartition {
    fn sorted_relations(&self, py: Python<'_>) -> PyResult<Vec<Relation>> {
        let relations = py.detach(|| self.inner.related.relations(usize::MAX, &mut |_| true));
        self.failure.check()?;
        Ok(relations.ok_or_else(stopped)?.relations)
    }
}

#[pymethods]
impl ComparedPartition {
    /// `name`: that of the detector in the lines of relations; `buffer`: a result of `Articles.compare`.
    #[new]
    fn new(detector: &Detector, name: String, directory: &Directory, buffer: &[u8]) -> PyResult<Self> {
        let inner = core::compared::ComparedPartition::read(detector.inner.clone(), &directory.inner, &[buffer]);
        Ok(ComparedPartition { inner: inner.map_err(corrupt)?, name, failure: detector.failure.clone() })
    }

    #[getter]
    fn counts(&self) -> CountRow {
        count_row(self.inner.related.compared_in_advance())
    }

    /// Pairs of originals that may join two articles, and every original with itself: `left`, `right`, and `is_part`, 1
    /// where one contains the other.
    #[getter]
    fn edges<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let edges = self.inner.edges();
        named(
            py,
            [
                ("left", article_column(py, edges.iter().map(|edge| edge.0))),
                ("right", article_column(py, edges.iter().map(|edge| edge.1))),
                ("is_part", Column::new(py, edges.iter().map(|edge| u8::from(edge.2)))),
            ],
        )
    }

    /// The ids of all articles, and the relations; `left` and `right` are rows of the ids, `later` the later article of
    /// the input and `source` the hash of the source of the earlier one.
    #[getter]
    fn relations<'py>(&self, py: Python<'py>) -> PyResult<(Vec<String>, Bound<'py, PyDict>)> {
        let (corpus, all) = (&self.inner.related.corpus, self.sorted_relations(py)?);
        let ids = (0..corpus.len()).map(|article| corpus.id(article).to_owned()).collect();
        let columns = [
            ("left", Column::new(py, all.iter().map(|r| r.left))),
            ("right", Column::new(py, all.iter().map(|r| r.right))),
            ("kind", Column::new(py, all.iter().map(|r| r.overlap.kind as u8))),
            ("forward", Column::new(py, all.iter().map(|r| r.overlap.forward))),
            ("backward", Column::new(py, all.iter().map(|r| r.overlap.backward))),
            ("score", Column::new(py, all.iter().map(|r| r.overlap.score))),
            ("later", Column::new(py, all.iter().map(|r| r.left.max(r.right)))),
            ("source", Column::new(py, all.iter().map(|r| corpus.source(r.left.min(r.right) as usize)))),
        ];
        Ok((ids, named(py, columns)?))
    }

    /// The numbers of the `later` and the `earlier` article of every relation, and the relations as JSON lines.
    #[getter]
    fn relation_lines<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyDict>, Bytes<'py>)> {
        let (corpus, all) = (&self.inner.related.corpus, self.sorted_relations(py)?);
        let numbers = |row: fn(&Relation) -> u32| {
            article_column(py, all.iter().map(|relation| corpus.line(row(relation) as usize)))
        };
        let columns = [("later", numbers(|r| r.left.max(r.right))), ("earlier", numbers(|r| r.left.min(r.right)))];
        let lines = self.inner.related.relation_lines(&all, &self.name);
        Ok((named(py, columns)?, PyBytes::new(py, &lines)))
    }

    /// What grouping needs, for the part of every component; `labels`: articles (`node`) with the smallest article of
    /// their component (`other`).
    fn send_components<'py>(
        &self,
        py: Python<'py>,
        directory: &Directory,
        labels: Named<'py>,
        join_parts: bool,
        parts: usize,
    ) -> PyResult<Addressed<'py>> {
        let mut labels = labels.pairs("node", "other")?;
        labels.sort_unstable();
        let sent =
            py.detach(|| components::send_components(&self.inner, &directory.inner, &labels, join_parts, parts.max(1)));
        Ok(not_empty(for_all(py, sent)))
    }

    /// The nearest candidates of representatives, for their input partitions.
    fn nearest<'py>(
        &self,
        py: Python<'py>,
        directory: &Directory,
        memberships: Vec<Vec<u8>>,
        options: Options,
    ) -> PyResult<Addressed<'py>> {
        let options = options.core()?;
        let found = py.detach(|| core::nearest::nearest(&self.inner, &directory.inner, &views(&memberships), &options));
        self.failure.check()?;
        Ok(addressed(py, found.map_err(corrupt)?))
    }
}

/// The responses of a part to the requests for shared keys, in their order, and what is repeated. Articles with numbers
/// below `stored_end` were stored by earlier runs, those below `first_new` are old.
#[pyfunction]
pub fn respond_shared<'py>(
    py: Python<'py>,
    requests: Vec<Vec<u8>>,
    stored_end: u64,
    first_new: u64,
) -> PyResult<(Vec<Bytes<'py>>, PartDuplicates)> {
    let (responses, repeated) =
        py.detach(|| duplicates::respond_shared(&views(&requests), stored_end, first_new)).map_err(corrupt)?;
    Ok((responses.iter().map(|response| PyBytes::new(py, response)).collect(), PartDuplicates(repeated)))
}

/// The posting lists of a part (number, of how many), for every partition of articles; the keys of more than `ceiling`
/// articles (0: no limit); and their lists, if they are sampled, which the part keeps for `select_hubs`.
#[pyfunction]
pub fn build_lists<'py>(
    py: Python<'py>,
    directory: &Directory,
    keys: Vec<Vec<u8>>,
    part: (usize, usize),
    ceiling: usize,
    is_sampled: bool,
) -> PyResult<(Addressed<'py>, Py<Column>, Bytes<'py>)> {
    let ceiling = if ceiling == 0 { usize::MAX } else { ceiling };
    let (ranges, count, keys) = (directory.inner.ranges(), directory.count, views(&keys));
    let build = || partitioned::build_lists(&keys, part.0, part.1.max(1), ceiling, is_sampled, &ranges, count);
    let built = py.detach(build).map_err(corrupt)?;
    Ok((for_all(py, built.lists), Column::new(py, built.skipped)?, PyBytes::new(py, &built.long_lists)))
}

/// What every partition reads of the long lists of a part (`build_lists`), given the crowded articles
/// (`Articles.find_crowded`): to be appended to the lists for this partition.
#[pyfunction]
pub fn select_hubs<'py>(
    py: Python<'py>,
    detector: &Detector,
    directory: &Directory,
    long_lists: Vec<u8>,
    crowded: Vec<Vec<u8>>,
) -> PyResult<Addressed<'py>> {
    let (ranges, count, crowded) = (directory.inner.ranges(), directory.count, views(&crowded));
    let size = detector.inner.candidate_plan().long_list_sample;
    let selected = py.detach(|| partitioned::select_hubs(&long_lists, &crowded, size, &ranges, count));
    Ok(for_all(py, selected.map_err(corrupt)?))
}

/// The pairs of originals that share enough keys, by the posting lists of a partition, and the requests for their
/// articles, for every partition. Originals with copies and `decided` articles are pairs with themselves.
#[pyfunction]
pub fn find_pairs<'py>(
    py: Python<'py>,
    directory: &Directory,
    lists: Vec<Vec<u8>>,
    partition: u32,
    decided: Vec<u64>,
) -> PyResult<Addressed<'py>> {
    let found = py.detach(|| pairs::find_pairs(&views(&lists), &directory.inner, partition, directory.count, &decided));
    Ok(for_all(py, found.map_err(corrupt)?))
}

/// The connected components of edges (`node`, `other`) as stars: every article but the smallest of its component, and
/// that one.
#[pyfunction]
pub fn stars<'py>(py: Python<'py>, edges: Named<'py>) -> PyResult<Bound<'py, PyDict>> {
    let (nodes, others): (Vec<i64>, Vec<i64>) = (edges.numbers("node")?, edges.numbers("other")?);
    columns::check_lengths(nodes.len(), &[others.len()])?;
    let edges: Vec<(i64, i64)> = nodes.into_iter().zip(others).collect();
    let found = py.detach(|| partitioned::stars(&edges));
    let (nodes, others) = (found.iter().map(|star| star.0), found.iter().map(|star| star.1));
    named(py, [("node", Column::new(py, nodes)), ("other", Column::new(py, others))])
}

/// Groups the components of a part, by what partitions have sent (`ComparedPartition.send_components`). Returns the memberships
/// for these partitions (`ComparedPartition.nearest`), and the groups for the input partitions (`Articles.group_rows`).
#[pyfunction]
pub fn group<'py>(
    py: Python<'py>,
    detector: &Detector,
    directory: &Directory,
    received: Vec<(u32, Vec<u8>)>,
    options: Options,
) -> PyResult<(Addressed<'py>, Addressed<'py>)> {
    let options = options.core()?;
    let received: Vec<(u32, &[u8])> = received.iter().map(|(origin, buffer)| (*origin, &buffer[..])).collect();
    let inner = detector.inner.clone();
    let grouped = py.detach(|| components::group(inner, &directory.inner, &received, &options));
    detector.failure.check()?;
    let (memberships, groups) = grouped.map_err(corrupt)?;
    Ok((addressed(py, memberships), addressed(py, groups)))
}
