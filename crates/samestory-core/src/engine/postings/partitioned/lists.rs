//! Counts the keys that pairs of articles share.
//!
//! A part has the keys of a range of hashes, and builds a posting list for each. Every partition receives the lists
//! that contain its articles, cut behind the last of them, and counts how often each of its articles follows another:
//! so a pair is counted by the partition of the later article, and nothing is sent for a pair that shares too little. A
//! list that many pairs have in common is sent once to a partition, not once for every pair.

use std::convert::Infallible;

use super::buffer::{put, BufferReader, CorruptBuffer};
use super::keys::unpack;
use crate::engine::postings::overlap_counter::OverlapCounter;
use crate::engine::postings::Postings;

/// Low bits of a list entry that store its article's required overlap, capped at `LARGEST_QUORUM`.
pub(super) const QUORUM_BITS: u32 = 4;
pub const LARGEST_QUORUM: u8 = (1 << QUORUM_BITS) - 1;
/// Where a short list has the number of its occurrences, which is not zero: a long list follows.
pub(super) const LONG_LIST: u64 = 0;

/// Article numbers of the partitions: those from `starts[at]` up to the next start belong to `partitions[at]`.
pub struct Ranges<'a> {
    pub starts: &'a [u64],
    pub partitions: &'a [u32],
}

impl Ranges<'_> {
    pub(crate) fn partition_of(&self, number: u64) -> Option<u32> {
        let at = self.starts.partition_point(|&start| start <= number).checked_sub(1)?;
        self.partitions.get(at).copied()
    }
}

/// The partition of an article, which must be one of so many.
pub(super) fn partition_among(ranges: &Ranges, number: u64, partitions: usize) -> Result<u32, CorruptBuffer> {
    ranges.partition_of(number).filter(|&partition| (partition as usize) < partitions).ok_or(CorruptBuffer)
}

/// The posting lists of a part.
pub struct PartLists {
    /// A buffer for every partition.
    pub lists: Vec<Vec<u8>>,
    /// The hashes of the keys with more than `ceiling` postings, sorted.
    pub skipped: Vec<u64>,
    /// The lists of these keys, if they are sampled.
    pub long_lists: Vec<u8>,
}

/// The posting lists of a part. Those with more than `ceiling` articles are sent to no partition; `with_long_lists`: the
/// part keeps them for `select_hubs`.
pub fn build_lists(
    buffers: &[&[u8]],
    part: usize,
    parts: usize,
    ceiling: usize,
    with_long_lists: bool,
    ranges: &Ranges,
    partitions: usize,
) -> Result<PartLists, CorruptBuffer> {
    let part_keys = unpack(buffers, part, parts)?;
    let partition: Vec<u32> = part_keys
        .articles
        .iter()
        .map(|&(number, _)| partition_among(ranges, number, partitions))
        .collect::<Result<_, _>>()?;
    let (mut skipped, mut long) = (vec![], vec![]);
    // the articles of all lists, and for every partition the ranges it receives, each ending behind its last article
    let mut members: Vec<u32> = Vec::with_capacity(part_keys.keys.len());
    let mut lists: Vec<Vec<(usize, usize)>> = vec![vec![]; partitions];
    let mut ends = vec![0usize; partitions];
    let mut present: Vec<u32> = vec![];
    for list in part_keys.keys.chunk_by(|x, y| x.0 == y.0) {
        if list.len() > ceiling {
            skipped.push(list[0].0);
            if with_long_lists {
                long.push((members.len(), members.len() + list.len()));
                members.extend(list.iter().map(|key| key.1));
            }
            continue;
        }
        present.clear();
        let begin = members.len();
        for (at, &(_, article)) in list.iter().enumerate() {
            members.push(article);
            let partition = partition[article as usize];
            if std::mem::replace(&mut ends[partition as usize], at + 1) == 0 {
                present.push(partition);
            }
        }
        for &partition in &present {
            let end = std::mem::take(&mut ends[partition as usize]);
            // no article precedes the first one of a list
            if end > 1 {
                lists[partition as usize].push((begin, begin + end));
            }
        }
    }
    let packed = |own: Vec<(usize, usize)>| packed(own, &members, &part_keys.articles);
    Ok(PartLists { lists: lists.into_iter().map(packed).collect(), skipped, long_lists: packed(long) })
}

/// Lists as a buffer: how often a list occurs (copies share many keys), its length, its articles. Numbers ascend and are
/// written as distances from the previous one.
fn packed(mut lists: Vec<(usize, usize)>, members: &[u32], articles: &[(u64, u8)]) -> Vec<u8> {
    lists.sort_unstable_by(|x, y| members[x.0..x.1].cmp(&members[y.0..y.1]));
    let mut buffer = vec![];
    let mut first = 0;
    for same in lists.chunk_by(|x, y| members[x.0..x.1] == members[y.0..y.1]) {
        let list = &members[same[0].0..same[0].1];
        put(&mut buffer, same.len() as u64);
        put(&mut buffer, list.len() as u64);
        let mut last = first;
        for &article in list {
            let (number, quorum) = articles[article as usize];
            let step = number - std::mem::replace(&mut last, number);
            put(&mut buffer, step << QUORUM_BITS | u64::from(quorum.min(LARGEST_QUORUM)));
        }
        first = articles[list[0] as usize].0;
    }
    buffer
}

/// A list as an article of the partition reads it.
#[derive(Clone, Copy, Default)]
struct OwnPosting {
    /// The members to count.
    begin: usize,
    end: usize,
    /// How often the list occurs.
    times: u32,
    is_long: bool,
}

/// The posting lists that a partition of articles has received.
struct PartitionPostings {
    /// Numbers of all articles of the lists, sorted; they are addressed by position.
    articles: Vec<u64>,
    /// How many keys each article must share.
    quorums: Vec<u8>,
    /// The articles of the partition.
    own: Vec<u32>,
    members: Vec<u32>,
    /// For every article of the partition, in all its lists, the articles before it.
    postings: Vec<OwnPosting>,
    /// Where the entries of each article of `articles` begin in `postings`.
    firsts: Vec<usize>,
}

impl Postings for PartitionPostings {
    type Query<'q, 'a>
        = u32
    where
        Self: 'a;
    type Error = Infallible;

    /// The articles before this one in its lists; of long ones the hubs, unless it is a hub.
    fn lists<'a>(&'a self, article: u32, lists: &mut Vec<&'a [u32]>) -> Result<usize, Infallible> {
        lists.clear();
        for own in self.own_postings(article) {
            // no quorum is larger than the largest that can be sent
            let times = (own.times as usize).min(LARGEST_QUORUM.into());
            lists.extend(std::iter::repeat_n(self.list(own), times).filter(|list| !list.is_empty()));
        }
        Ok(0)
    }
}

impl PartitionPostings {
    fn read(buffers: &[&[u8]], ranges: &Ranges, partition: u32) -> Result<Self, CorruptBuffer> {
        // the articles of the lists and their required overlaps, behind those of a long list its hubs again; the end of
        // every list and of its hubs, and how often it occurs
        let (mut numbers, mut list_quorums, mut ends) = (vec![], vec![], vec![]);
        let mut hubs = vec![];
        for buffer in buffers {
            let mut buffer = BufferReader(buffer);
            let mut first = 0u64;
            while !buffer.is_empty() {
                let times = buffer.number()?;
                let is_long = times == LONG_LIST;
                let times = if is_long { buffer.number()? } else { times } as u32;
                let mut number = if is_long { 0 } else { first };
                let begin = numbers.len();
                for _ in 0..buffer.number()? {
                    let packed = buffer.number()?;
                    let step = packed >> QUORUM_BITS;
                    number = number.checked_add(step >> u32::from(is_long)).ok_or(CorruptBuffer)?;
                    let quorum = packed as u8 & LARGEST_QUORUM;
                    numbers.push(number);
                    list_quorums.push(quorum);
                    if is_long && step & 1 == 1 {
                        hubs.push((number, quorum));
                    }
                }
                let end = numbers.len();
                first = *numbers.get(begin).ok_or(CorruptBuffer)?;
                for (number, quorum) in hubs.drain(..) {
                    numbers.push(number);
                    list_quorums.push(quorum);
                }
                ends.push((end, numbers.len(), times, is_long));
            }
        }
        let mut articles = numbers.clone();
        articles.sort_unstable();
        articles.dedup();
        let members: Vec<u32> = places(&numbers, &articles);
        let mut quorums = vec![0u8; articles.len()];
        members.iter().zip(&list_quorums).for_each(|(&article, &quorum)| quorums[article as usize] = quorum.max(1));
        let is_own: Vec<bool> = articles.iter().map(|&number| ranges.partition_of(number) == Some(partition)).collect();
        let mut firsts = vec![0usize; articles.len() + 1];
        let mut begin = 0;
        for &(end, hub_end, ..) in &ends {
            for &article in members[begin..end].iter().filter(|&&article| is_own[article as usize]) {
                firsts[article as usize + 1] += 1;
            }
            begin = hub_end;
        }
        for at in 0..articles.len() {
            firsts[at + 1] += firsts[at];
        }
        let mut next = firsts.clone();
        let mut postings = vec![OwnPosting::default(); firsts[articles.len()]];
        let mut begin = 0;
        for &(end, hub_end, times, is_long) in &ends {
            // the hubs up to this member
            let mut hubs = end;
            for (at, &article) in (begin..end).zip(&members[begin..end]) {
                let is_hub = hubs < hub_end && members[hubs] == article;
                let article = article as usize;
                if is_own[article] {
                    let (begin, end) = if is_long && !is_hub { (end, hubs) } else { (begin, at) };
                    postings[next[article]] = OwnPosting { begin, end, times, is_long };
                    next[article] += 1;
                }
                hubs += usize::from(is_hub);
            }
            begin = hub_end;
        }
        let own = (0..articles.len() as u32).filter(|&article| is_own[article as usize]).collect();
        Ok(PartitionPostings { articles, quorums, own, members, postings, firsts })
    }

    fn own_postings(&self, article: u32) -> &[OwnPosting] {
        &self.postings[self.firsts[article as usize]..self.firsts[article as usize + 1]]
    }

    fn list(&self, own: &OwnPosting) -> &[u32] {
        &self.members[own.begin..own.end]
    }

    /// Updates the counters of all articles that an article reads in its long lists; `new`: of the count and how often the
    /// list occurs.
    fn update_long_counts(&self, article: u32, counts: &mut [u32], new: impl Fn(u32, u32) -> u32) {
        for own in self.own_postings(article).iter().filter(|own| own.is_long) {
            self.list(own).iter().map(|&other| other as usize).for_each(|o| counts[o] = new(counts[o], own.times));
        }
    }
}

/// A pair of articles that may share enough keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct CountedPair {
    pub later: u64,
    pub earlier: u64,
    /// Number of keys with long lists that both have as crowded articles, one of them as a hub.
    pub long: u32,
}

/// The pairs of a partition that share at least the smaller required overlap of the two; the later article belongs to the
/// partition. Sorted.
pub fn count_overlaps(buffers: &[&[u8]], ranges: &Ranges, partition: u32) -> Result<Vec<CountedPair>, CorruptBuffer> {
    let postings = PartitionPostings::read(buffers, ranges, partition)?;
    let PartitionPostings { articles, quorums, own, .. } = &postings;
    let mut counter = OverlapCounter::default();
    counter.extend(quorums.iter().copied());
    let (mut lists, mut candidates, mut pairs) = (vec![], vec![], vec![]);
    let mut long_counts = vec![0u32; articles.len()];
    for &article in own {
        let Ok(_) = postings.lists(article, &mut lists);
        let least = quorums[article as usize];
        counter.count(&lists, |_| true, |_, shared, quorum| shared >= quorum.min(least), &mut candidates);
        candidates.sort_unstable();
        postings.update_long_counts(article, &mut long_counts, u32::saturating_add);
        pairs.extend(candidates.drain(..).map(|(other, _)| CountedPair {
            later: articles[article as usize],
            earlier: articles[other as usize],
            long: long_counts[other as usize],
        }));
        postings.update_long_counts(article, &mut long_counts, |_, _| 0);
    }
    Ok(pairs)
}

/// The index of each number in `articles`, which are sorted. A table of the first index for each value of the upper
/// bits leaves few to search.
fn places(numbers: &[u64], articles: &[u64]) -> Vec<u32> {
    let (Some(&first), Some(&last)) = (articles.first(), articles.last()) else {
        return vec![];
    };
    let bits = (64 - (articles.len() as u64).leading_zeros()).min(24);
    let shift = (64 - (last - first).leading_zeros()).saturating_sub(bits);
    let mut table = vec![0u32; ((last - first) >> shift) as usize + 2];
    for &article in articles {
        table[((article - first) >> shift) as usize + 1] += 1;
    }
    for at in 1..table.len() {
        table[at] += table[at - 1];
    }
    let place = |&number: &u64| {
        let bucket = ((number - first) >> shift) as usize;
        let (begin, end) = (table[bucket], table[bucket + 1]);
        begin + articles[begin as usize..end as usize].partition_point(|&article| article < number) as u32
    };
    numbers.iter().map(place).collect()
}

#[cfg(test)]
mod tests {
    use super::super::{buffer::hashed, keys::pack};
    use super::*;
    use std::collections::BTreeSet;

    type Rows = Vec<Vec<u64>>;

    /// Every four articles share keys that no others have, so that equal lists occur more than once.
    fn rows() -> Rows {
        let row = |a: u64| (0..12).map(|k| (a * 7 + k * k * 3) % 41).collect::<BTreeSet<u64>>();
        let own = |a: u64| (0..9).map(move |k| 1000 + 10 * (a / 4) + k);
        (0..60).map(|a| row(a).into_iter().chain(own(a)).collect()).collect()
    }

    /// The pairs found by `partitions` partitions, to which ranges of three articles are assigned in turn.
    fn found_pairs(
        rows: &Rows,
        quorums: &[u8],
        partitions: usize,
        parts: usize,
        ceiling: usize,
    ) -> (BTreeSet<(u64, u64)>, usize) {
        let number = |row: usize| 1000 + 5 * row as u64;
        let starts: Vec<u64> = (0..rows.len()).step_by(3).map(number).collect();
        let owner: Vec<u32> = (0..starts.len()).map(|range| (range % partitions) as u32).collect();
        let ranges = Ranges { starts: &starts, partitions: &owner };
        let mut to_parts = vec![vec![]; parts];
        for partition in 0..partitions {
            let own: Vec<usize> = (0..rows.len()).filter(|row| row / 3 % partitions == partition).collect();
            let numbers: Vec<u64> = own.iter().map(|&row| number(row)).collect();
            let keys: Vec<u64> = own.iter().flat_map(|&row| rows[row].clone()).collect();
            let ends: Vec<usize> = own
                .iter()
                .scan(0, |end, &row| {
                    *end += rows[row].len();
                    Some(*end)
                })
                .collect();
            let own_quorums: Vec<u8> = own.iter().map(|&row| quorums[row]).collect();
            let packed = pack(&numbers, &keys, &ends, &own_quorums, &vec![true; keys.len()], parts);
            to_parts.iter_mut().zip(packed).for_each(|(part, buffer)| part.push(buffer));
        }
        let (mut to_partitions, mut skipped) = (vec![vec![]; partitions], 0);
        for (part, buffers) in to_parts.iter().enumerate() {
            let views: Vec<&[u8]> = buffers.iter().map(|buffer| &buffer[..]).collect();
            let made = build_lists(&views, part, parts, ceiling, false, &ranges, partitions).unwrap();
            assert!(made.long_lists.is_empty());
            to_partitions.iter_mut().zip(made.lists).for_each(|(partition, buffer)| partition.push(buffer));
            skipped += made.skipped.len();
        }
        let mut pairs = BTreeSet::new();
        for (partition, buffers) in to_partitions.iter().enumerate() {
            let views: Vec<&[u8]> = buffers.iter().map(|buffer| &buffer[..]).collect();
            for CountedPair { earlier, later, long } in count_overlaps(&views, &ranges, partition as u32).unwrap() {
                assert_eq!(long, 0);
                let row = |number: u64| (number - 1000) / 5;
                assert_eq!(row(later) as usize / 3 % partitions, partition);
                assert!(pairs.insert((row(earlier), row(later))), "a pair is found once");
            }
        }
        (pairs, skipped)
    }

    fn wanted(rows: &Rows, quorums: &[u8], skipped: &[u64]) -> BTreeSet<(u64, u64)> {
        let shared = |a: usize, b: usize| {
            rows[a].iter().filter(|key| rows[b].contains(key) && !skipped.contains(&hashed(**key))).count()
        };
        (0..rows.len())
            .flat_map(|b| (0..b).map(move |a| (a, b)))
            .filter(|&(a, b)| shared(a, b) >= usize::from(quorums[a].min(quorums[b])))
            .map(|(a, b)| (a as u64, b as u64))
            .collect()
    }

    #[test]
    fn pairs_that_share_enough_are_found_in_any_number_of_parts_and_homes() {
        let rows = rows();
        for least in [1, 2, 4] {
            let quorums: Vec<u8> = (0..rows.len()).map(|row| least + (row % 3) as u8).collect();
            let all = wanted(&rows, &quorums, &[]);
            assert!(!all.is_empty());
            for (partitions, parts) in [(1, 1), (2, 7), (5, 3), (20, 300)] {
                assert_eq!(found_pairs(&rows, &quorums, partitions, parts, usize::MAX), (all.clone(), 0));
            }
        }
    }

    #[test]
    fn a_key_of_too_many_is_named_and_makes_no_pairs() {
        let mut rows = rows();
        rows.iter_mut().for_each(|row| row.push(1 << 40));
        let quorums = vec![2; rows.len()];
        let without = wanted(&rows, &quorums, &[hashed(1 << 40)]);
        assert_ne!(without, wanted(&rows, &quorums, &[]));
        for (partitions, parts) in [(1, 1), (3, 4)] {
            assert_eq!(found_pairs(&rows, &quorums, partitions, parts, rows.len() - 1), (without.clone(), 1));
        }
    }

    #[test]
    fn truncated_buffers_are_rejected() {
        let ranges = Ranges { starts: &[0], partitions: &[0] };
        let packed = pack(&[5, 6], &[1, 2, 1, 2], &[2, 4], &[1, 1], &[true; 4], 1);
        let made = build_lists(&[&packed[0]], 0, 1, 9, false, &ranges, 1).unwrap().lists;
        assert_eq!(count_overlaps(&[&made[0]], &ranges, 0), Ok(vec![CountedPair { later: 6, earlier: 5, long: 0 }]));
        assert!(build_lists(&[&packed[0][..5]], 0, 1, 9, false, &ranges, 1).is_err());
        assert!(build_lists(&[&packed[0]], 0, 1, 9, false, &Ranges { starts: &[6], partitions: &[0] }, 1).is_err());
        assert!(count_overlaps(&[&made[0][..made[0].len() - 1]], &ranges, 0).is_err());
    }
}
