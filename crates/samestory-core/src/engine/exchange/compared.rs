//! The comparison of candidate pairs, and compared pairs as a corpus whose relations are known.

use std::sync::Arc;

use super::articles::{copy_article, keys_of, put_articles, read_articles, row_of};
use super::directory::Directory;
use super::pairs::Received;
use crate::detectors::plan::CandidatePlan;
use crate::detectors::{Detector, Kind, Overlap, Why};
use crate::engine::compare::dated;
use crate::engine::compared_pairs::ComparedPairs;
use crate::engine::duplicates::Copies;
use crate::engine::population::Corpus;
use crate::engine::postings::fair;
use crate::engine::postings::overlap_counter::MAX_COUNT;
use crate::engine::postings::partitioned::{put_column, shared, BufferReader, CorruptBuffer};
use crate::engine::relate::IndexedCorpus;
use crate::engine::shard::Shard;
use crate::model::group::joins;

/// Pairs that a detector compares per call.
const PAIRS_PER_BATCH: usize = 1 << 16;

/// A compared pair of originals, by their numbers.
#[derive(Clone, Copy)]
pub(super) struct ComparedPair {
    pub left: u64,
    pub right: u64,
    /// Number of shared keys, at most 255.
    pub shared: u8,
    pub overlap: Overlap,
}

/// `dropped`: the number of candidates that were dropped.
pub(super) fn put_pairs<'a>(
    out: &mut Vec<u8>,
    pairs: impl ExactSizeIterator<Item = &'a ComparedPair> + Clone,
    dropped: u64,
) {
    put_column(out, 8, pairs.clone().map(|pair| pair.left));
    put_column(out, 8, pairs.clone().map(|pair| pair.right));
    put_column(out, 1, pairs.clone().map(|pair| pair.shared.into()));
    put_column(out, 8, pairs.clone().map(|pair| pair.overlap.forward.to_bits()));
    put_column(out, 8, pairs.clone().map(|pair| pair.overlap.backward.to_bits()));
    put_column(out, 1, pairs.clone().map(|pair| pair.overlap.kind as u64));
    put_column(out, 1, pairs.clone().map(|pair| pair.overlap.why as u64));
    put_column(out, 8, pairs.map(|pair| pair.overlap.score.to_bits()));
    put_column(out, 8, [dropped].into_iter());
}

/// The pairs, and the number of dropped candidates.
pub(super) fn read_pairs(buffer: &mut BufferReader) -> Result<(Vec<ComparedPair>, u64), CorruptBuffer> {
    let widths = [8, 8, 1, 8, 8, 1, 1, 8];
    let columns = widths.iter().map(|&width| buffer.column(width)).collect::<Result<Vec<_>, _>>()?;
    let count = columns[0].len();
    if columns.iter().any(|column| column.len() != count) {
        return Err(CorruptBuffer);
    }
    let pair = |at: usize| {
        let [forward, backward, score] = [3, 4, 7].map(|column| f64::from_bits(columns[column][at]));
        let kind = *Kind::ALL.get(columns[5][at] as usize).ok_or(CorruptBuffer)?;
        let why = *Why::ALL.get(columns[6][at] as usize).ok_or(CorruptBuffer)?;
        let overlap = Overlap { forward, backward, kind, why, score };
        Ok(ComparedPair { left: columns[0][at], right: columns[1][at], shared: columns[2][at] as u8, overlap })
    };
    let pairs = (0..count).map(pair).collect::<Result<_, _>>()?;
    let [dropped] = buffer.column(8)?[..] else { return Err(CorruptBuffer) };
    Ok((pairs, dropped))
}

/// Compares the pairs that a partition has received, with its own articles and those of the responses; `skipped` are the
/// hashes of keys of too many articles, sorted. Shared keys are counted exactly here.
pub fn compare(
    corpus: &Corpus,
    directory: &Directory,
    received: &[&[u8]],
    responses: &[&[u8]],
    skipped: &[u64],
    partition: u32,
) -> Result<Vec<u8>, CorruptBuffer> {
    let received = Received::read(received)?;
    let mut shard = Shard::default();
    received.select(partition.into(), corpus, directory, &mut shard)?;
    responses.iter().try_for_each(|response| read_articles(&mut BufferReader(response), &mut shard))?;
    let articles = Corpus::from_shard(corpus.detector.clone(), shard, directory.first_new);
    if (0..articles.len()).any(|article| !corpus.detector.is_well_formed(articles.signature(article))) {
        return Err(CorruptBuffer);
    }
    let row = |number: u64| articles.at_line(number).ok_or(CorruptBuffer);
    let rows = received.pairs.iter().map(|pair| Ok((row(pair.later)?, row(pair.earlier)?, pair.long)));
    let (pairs, dropped) = compare_candidates(&articles, rows.collect::<Result<Vec<_>, _>>()?, skipped);
    let mut metadata = Shard::default();
    (0..articles.len() as u32).for_each(|article| copy_article(&mut metadata, &articles, article, false));
    let mut out = vec![];
    put_articles(&mut out, &metadata);
    put_pairs(&mut out, pairs.iter(), dropped);
    Ok(out)
}

/// Compares the candidates (sorted) that share enough keys and that the detector admits: left, right, and the number of
/// shared keys among those that were skipped. Also returns how many candidates were dropped, by the rule of one machine.
fn compare_candidates(articles: &Corpus, mut rows: Vec<(u32, u32, u32)>, skipped: &[u64]) -> (Vec<ComparedPair>, u64) {
    let plan = articles.detector.candidate_plan();
    let signature = |article: u32| articles.signature(article as usize);
    let (keys, ends) = keys_of(articles);
    let indexes: Vec<(usize, usize)> = rows.iter().map(|&(left, right, _)| (left as usize, right as usize)).collect();
    let counts = shared(&keys, &ends, &indexes, skipped);
    let fewer = |(left, right): (u32, u32)| {
        [left, right].map(|article| row_of(&keys, &ends, article as usize).len()).into_iter().min().unwrap_or(0)
    };
    let rows = rows.drain(..).zip(counts);
    let mut counted: Vec<((u32, u32), usize)> =
        rows.map(|((left, right, long), shared)| ((left, right), shared as usize + long as usize)).collect();
    counted.retain(|&(pair, shared)| pair.0 == pair.1 || shared >= plan.quorum.of(fewer(pair)));
    let dropped = match plan.max_candidates {
        Some(max) => drop_weak_candidates(articles, &plan, max, &mut counted),
        None => 0,
    };
    let mut admitted = Vec::with_capacity(counted.len());
    for own in counted.chunk_by(|one, other| one.0 .0 == other.0 .0) {
        // an article is compared with itself even if it has no keys; no detector decides about such articles
        let is_decided = |&((left, right), _): &((u32, u32), usize)| {
            left != right && !signature(left).is_empty() && !signature(right).is_empty()
        };
        let decided = || own.iter().copied().filter(is_decided);
        let others: Vec<&[u32]> = decided().map(|((_, right), _)| signature(right)).collect();
        let counts: Vec<(usize, usize)> = decided().map(|(pair, shared)| (shared, fewer(pair))).collect();
        let mut answers = plan.admits_all(signature(own[0].0 .0), &others, &counts).into_iter();
        admitted.extend(own.iter().copied().filter(|row| match is_decided(row) {
            true => answers.next().unwrap_or(false),
            false => row.0 .0 == row.0 .1,
        }));
    }
    let pairs: Vec<(u32, u32)> = admitted.iter().map(|&(pair, _)| pair).collect();
    let number = |article: u32| articles.line(article as usize);
    let compared = admitted.iter().zip(compare_all(articles, &pairs)).map(|(&((left, right), shared), overlap)| {
        ComparedPair { left: number(left), right: number(right), shared: shared.min(255) as u8, overlap }
    });
    (compared.collect(), dropped)
}

/// Keeps at most `max` candidates of each left article, as a worker on one machine does: all candidates of an article
/// are in one partition. Returns the number of the others.
fn drop_weak_candidates(
    articles: &Corpus,
    plan: &CandidatePlan,
    max: usize,
    counted: &mut Vec<((u32, u32), usize)>,
) -> u64 {
    let summary = |article: u32| {
        plan.summary_filter.as_deref().map_or(0, |filter| filter.summary(articles.signature(article as usize)))
    };
    let summaries: Vec<u64> = (0..articles.len() as u32).map(summary).collect();
    let may_match = |(left, right): (u32, u32), shared: usize| {
        let filter = plan.summary_filter.as_deref().filter(|_| shared < MAX_COUNT.into());
        filter.is_none_or(|filter| filter.may_match(summaries[left as usize], summaries[right as usize], shared))
    };
    let (mut kept, mut dropped) = (Vec::with_capacity(counted.len()), 0);
    for own in counted.chunk_by(|one, other| one.0 .0 == other.0 .0) {
        kept.extend(own.iter().filter(|(pair, _)| pair.0 == pair.1));
        let mut others: Vec<_> =
            own.iter().copied().filter(|&(pair, shared)| pair.0 != pair.1 && may_match(pair, shared)).collect();
        dropped += others.len().saturating_sub(max) as u64;
        fair::keep(
            &mut others,
            max,
            |&((_, right), _)| articles.source(right as usize),
            |&((_, right), shared)| (usize::from(MAX_COUNT).saturating_sub(shared) as u64) << 32 | u64::from(right),
        );
        others.sort_unstable();
        kept.extend(others);
    }
    *counted = kept;
    dropped
}

/// Compares pairs; a left article with several of them is loaded once.
fn compare_all(articles: &Corpus, pairs: &[(u32, u32)]) -> Vec<Overlap> {
    let detector = &articles.detector;
    let signatures: Vec<&[u32]> = (0..articles.len()).map(|article| articles.signature(article)).collect();
    if let Some(detector) = detector.batch() {
        return pairs.chunks(PAIRS_PER_BATCH).flat_map(|some| detector.compare_pairs(&signatures, some)).collect();
    }
    let mut comparer = detector.comparer();
    let mut out = Vec::with_capacity(pairs.len());
    for own in pairs.chunk_by(|one, other| one.0 == other.0) {
        comparer.load(signatures[own[0].0 as usize]);
        out.extend(own.iter().map(|&(_, right)| comparer.compare(signatures[right as usize])));
    }
    out
}

/// The compared pairs of a partition, with their articles and all copies of these.
pub struct ComparedPartition {
    pub related: IndexedCorpus,
    pub(super) pairs: Vec<ComparedPair>,
}

/// Edges between originals: left and right, and whether one contains the other.
pub type Edge = (u64, u64, bool);

impl ComparedPartition {
    pub fn read(detector: Arc<dyn Detector>, directory: &Directory, buffers: &[&[u8]]) -> Result<Self, CorruptBuffer> {
        let (mut shard, mut pairs, mut dropped) = (Shard::default(), vec![], 0_u64);
        for buffer in buffers {
            let mut buffer = BufferReader(buffer);
            read_articles(&mut buffer, &mut shard)?;
            let (more, count) = read_pairs(&mut buffer)?;
            pairs.extend(more);
            dropped = count.saturating_add(dropped);
        }
        let corpus = Corpus::from_shard(detector, shard, directory.first_new);
        let row = |number: u64| corpus.at_line(number).ok_or(CorruptBuffer);
        let originals = (0..corpus.len()).map(|article| row(directory.original_of(corpus.line(article))));
        let copies = Copies::from_originals(originals.collect::<Result<_, _>>()?);
        let rows = pairs.iter().map(|pair| Ok((row(pair.left)?, row(pair.right)?, pair.shared, pair.overlap)));
        let rows = rows.collect::<Result<Vec<_>, _>>()?;
        let mut compared = ComparedPairs::from_overlaps(corpus.len(), rows.into_iter());
        compared.counts.dropped_candidates = dropped;
        Ok(ComparedPartition { related: IndexedCorpus::from_compared(corpus, copies, compared), pairs })
    }

    /// The kind of a pair for articles of one source at nearly the same time: other dates relate no more pairs.
    pub(super) fn best_kind(&self, pair: &ComparedPair) -> Kind {
        dated(self.related.day_rule.as_deref(), pair.overlap, (1, 0), (1, 1)).kind
    }

    /// The pairs that may join two articles for some dates and sources of their copies; and every original with itself.
    pub fn edges(&self) -> Vec<Edge> {
        let IndexedCorpus { corpus, copies, .. } = &self.related;
        let originals = (0..corpus.len() as u32).filter(|&article| copies.is_original(article));
        let own = originals.map(|article| corpus.line(article as usize)).map(|number| (number, number, false));
        let joined = self.pairs.iter().filter(|pair| pair.left != pair.right && joins(self.best_kind(pair), true));
        own.chain(joined.map(|pair| (pair.left, pair.right, !joins(self.best_kind(pair), false)))).collect()
    }
}
