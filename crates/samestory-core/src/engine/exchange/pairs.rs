//! Candidate pairs: each is moved to one partition, and the articles of a pair after it.
//!
//! A pair goes to the partition of its hub: of its later article and all earlier ones paired with that, the lowest by
//! hash. So the pairs of one story mostly meet in one partition, which has the signature of the hub already; by hash,
//! since the earliest articles would overload the first partitions.

use std::collections::BTreeSet;

use super::articles::{copy_article, put_articles};
use super::directory::Directory;
use crate::engine::population::Corpus;
use crate::engine::postings::partitioned::{
    count_overlaps, mixed, put_column, BufferReader, CorruptBuffer, CountedPair,
};
use crate::engine::shard::Shard;

/// The pairs of originals that share enough keys and whose later article is in this partition, by its posting lists; and
/// the requests for their articles and all copies of these. A buffer for every partition.
///
/// Originals with copies, and those that decisions name, are pairs with themselves. Old articles make no pairs.
pub fn find_pairs(
    lists: &[&[u8]],
    directory: &Directory,
    partition: u32,
    partitions: usize,
    decided: &[u64],
) -> Result<Vec<Vec<u8>>, CorruptBuffer> {
    let mut pairs = count_overlaps(lists, &directory.ranges(), partition)?;
    pairs.retain(|pair| directory.has_new(pair.earlier) || directory.has_new(pair.later));
    let mut to_hubs: Vec<Vec<CountedPair>> = vec![vec![]; partitions];
    for own in pairs.chunk_by(|one, other| one.later == other.later) {
        let articles = own.iter().map(|pair| pair.earlier).chain([own[0].later]);
        let hub = articles.min_by_key(|&article| (mixed(article), article)).expect("a pair has articles");
        to_hubs[directory.partition_of(hub) as usize].extend(own);
    }
    let decided = decided.iter().map(|&article| directory.original_of(article));
    let alone: BTreeSet<u64> =
        directory.originals().chain(decided).filter(|&own| directory.partition_of(own) == partition).collect();
    to_hubs[partition as usize].extend(alone.into_iter().map(|own| CountedPair { later: own, earlier: own, long: 0 }));
    let mut requests: Vec<Vec<(u64, u64)>> = vec![vec![]; partitions];
    for (hub, pairs) in (0..).zip(&to_hubs) {
        let originals: BTreeSet<u64> = pairs.iter().flat_map(|pair| [pair.earlier, pair.later]).collect();
        for article in originals.into_iter().flat_map(|own| [own].into_iter().chain(directory.copies_of(own))) {
            requests[directory.partition_of(article) as usize].push((hub, article));
        }
    }
    let buffers = to_hubs.iter().zip(&requests).map(|(pairs, requests)| {
        let mut out = vec![];
        put_column(&mut out, 8, pairs.iter().map(|pair| pair.earlier));
        put_column(&mut out, 8, pairs.iter().map(|pair| pair.later));
        // without long lists an empty column
        let counted = if pairs.iter().any(|pair| pair.long > 0) { &pairs[..] } else { &[] };
        put_column(&mut out, 4, counted.iter().map(|pair| pair.long.into()));
        put_column(&mut out, 8, requests.iter().map(|row| row.0));
        put_column(&mut out, 8, requests.iter().map(|row| row.1));
        out
    });
    Ok(buffers.collect())
}

/// What a partition receives from `find_pairs`.
pub(super) struct Received {
    /// The pairs to compare, sorted.
    pub pairs: Vec<CountedPair>,
    /// The requesting partitions and the articles, sorted.
    requests: Vec<(u64, u64)>,
}

impl Received {
    pub fn read(buffers: &[&[u8]]) -> Result<Self, CorruptBuffer> {
        let (mut pairs, mut requests) = (vec![], vec![]);
        for buffer in buffers {
            let mut buffer = BufferReader(buffer);
            let (earlier, later) = (buffer.column(8)?, buffer.column(8)?);
            let mut long = buffer.column(4)?;
            if long.is_empty() {
                long.resize(later.len(), 0);
            }
            if [earlier.len(), long.len()] != [later.len(); 2] {
                return Err(CorruptBuffer);
            }
            let rows = later.into_iter().zip(earlier).zip(long);
            pairs.extend(rows.map(|((later, earlier), long)| CountedPair { later, earlier, long: long as u32 }));
            let (hubs, articles) = (buffer.column(8)?, buffer.column(8)?);
            requests.extend(hubs.into_iter().zip(articles));
        }
        pairs.sort_unstable();
        pairs.dedup_by_key(|pair| (pair.later, pair.earlier));
        requests.sort_unstable();
        requests.dedup();
        Ok(Received { pairs, requests })
    }

    /// Adds the articles that a partition has requested to a shard, the originals with their signatures.
    pub fn select(
        &self,
        hub: u64,
        corpus: &Corpus,
        directory: &Directory,
        shard: &mut Shard,
    ) -> Result<(), CorruptBuffer> {
        let first = self.requests.partition_point(|&(other, _)| other < hub);
        for &(_, number) in self.requests[first..].iter().take_while(|&&(other, _)| other == hub) {
            let article = corpus.at_line(number).ok_or(CorruptBuffer)?;
            copy_article(shard, corpus, article, directory.is_original(number));
        }
        Ok(())
    }
}

/// The articles that other partitions have requested from this one, with the number of each partition.
pub fn send_articles(
    corpus: &Corpus,
    directory: &Directory,
    received: &[&[u8]],
    partition: u32,
) -> Result<Vec<(u64, Vec<u8>)>, CorruptBuffer> {
    let received = Received::read(received)?;
    let hubs: BTreeSet<u64> = received.requests.iter().map(|request| request.0).collect();
    let mut out = vec![];
    for hub in hubs.into_iter().filter(|&hub| hub != u64::from(partition)) {
        let (mut shard, mut buffer) = (Shard::default(), vec![]);
        received.select(hub, corpus, directory, &mut shard)?;
        put_articles(&mut buffer, &shard);
        out.push((hub, buffer));
    }
    Ok(out)
}
