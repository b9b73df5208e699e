//! Counts the keys that pairs of articles share.
//!
//! A part has the keys of a range of hashes, and builds a posting list for each. Every partition receives the lists
//! that contain its articles, cut behind the last of them, and counts how often each of its articles follows another:
//! so a pair is counted by the partition of the later article, and nothing is sent for a pair that shares too little. A
//! list that many pairs have in common is sent once to a partition, not once for every pair.

use super::buffer::{put, BufferReader, CorruptBuffer};
use super::keys::unpack;
use crate::engine::postings::overlap_counter::OverlapCounter;
use crate::engine::postings::Postings;

/// Low bits of a list entry that store its article's required overlap, capped at `LARGEST_QUORUM`.
const QUORUM_BITS: u32 = 4;
pub const LARGEST_QUORUM: u8 = (1 << QUORUM_BITS) - 1;

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

/// The posting lists of a part, a buffer for every partition; and the hashes of the keys with more than `ceiling`
/// postings, which make no list.
pub fn build_lists(
    buffers: &[&[u8]],
    part: usize,
    parts: usize,
    ceiling: usize,
    ranges: &Ranges,
    partitions: usize,
) -> Result<(Vec<Vec<u8>>, Vec<u64>), CorruptBuffer> {
    let part_keys = unpack(buffers, part, parts)?;
    let partition: Vec<u32> = part_keys
        .articles
        .iter()
        .map(|&(number, _)| {
            ranges.partition_of(number).filter(|&partition| (partition as usize) < partitions).ok_or(CorruptBuffer)
        })
        .collect::<Result<_, _>>()?;
    let mut skipped = vec![];
    // the articles of all lists, and for every partition the ranges it receives, each ending behind its last article
    let mut members: Vec<u32> = Vec::with_capacity(part_keys.keys.len());
    let mut lists: Vec<Vec<(usize, usize)>> = vec![vec![]; partitions];
    let mut ends = vec![0usize; partitions];
    let mut present: Vec<u32> = vec![];
    for list in part_keys.keys.chunk_by(|x, y| x.0 == y.0) {
        if list.len() > ceiling {
            skipped.push(list[0].0);
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
    let mut out = vec![];
    for mut own in lists {
        own.sort_unstable_by(|x, y| members[x.0..x.1].cmp(&members[y.0..y.1]));
        out.push(packed(&own, &members, &part_keys.articles));
    }
    Ok((out, skipped))
}

/// Sorted lists as a buffer: how often a list occurs (copies share many keys), its length, its articles. Numbers ascend
/// and are written as distances from the previous one.
fn packed(lists: &[(usize, usize)], members: &[u32], articles: &[(u64, u8)]) -> Vec<u8> {
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

/// The posting lists that a partition of articles has received.
struct PartitionPostings {
    /// Numbers of all articles of the lists, sorted; they are addressed by position.
    articles: Vec<u64>,
    /// How many keys each article must share.
    quorums: Vec<u8>,
    /// The articles of the partition.
    own: Vec<u32>,
    members: Vec<u32>,
    /// For every article of the partition, in all its lists: beginning of the list, position, how often the list occurs.
    postings: Vec<(usize, usize, u32)>,
    /// Where the entries of each article of `articles` begin in `postings`.
    firsts: Vec<usize>,
}

impl Postings for PartitionPostings {
    type Query<'q, 'a>
        = u32
    where
        Self: 'a;

    /// The articles before this one in its lists.
    fn lists<'a>(&'a self, article: u32, lists: &mut Vec<&'a [u32]>) -> usize {
        lists.clear();
        for &(begin, at, times) in &self.postings[self.firsts[article as usize]..self.firsts[article as usize + 1]] {
            // no quorum is larger than the largest that can be sent
            let times = (times as usize).min(LARGEST_QUORUM.into());
            lists.extend(std::iter::repeat_n(&self.members[begin..at], times).filter(|list| !list.is_empty()));
        }
        0
    }
}

impl PartitionPostings {
    fn read(buffers: &[&[u8]], ranges: &Ranges, partition: u32) -> Result<Self, CorruptBuffer> {
        // the articles of the lists and their required overlaps; the end of every list, and how often it occurs
        let (mut numbers, mut list_quorums, mut ends) = (vec![], vec![], vec![]);
        for buffer in buffers {
            let mut buffer = BufferReader(buffer);
            let mut first = 0u64;
            while !buffer.is_empty() {
                let times = buffer.number()? as u32;
                let mut number = first;
                let begin = numbers.len();
                for _ in 0..buffer.number()? {
                    let packed = buffer.number()?;
                    number = number.checked_add(packed >> QUORUM_BITS).ok_or(CorruptBuffer)?;
                    numbers.push(number);
                    list_quorums.push(packed as u8 & LARGEST_QUORUM);
                }
                first = *numbers.get(begin).ok_or(CorruptBuffer)?;
                ends.push((numbers.len(), times));
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
        for &article in members.iter().filter(|&&article| is_own[article as usize]) {
            firsts[article as usize + 1] += 1;
        }
        for at in 0..articles.len() {
            firsts[at + 1] += firsts[at];
        }
        let mut next = firsts.clone();
        let mut postings = vec![(0usize, 0usize, 0u32); firsts[articles.len()]];
        let mut begin = 0;
        for &(end, times) in &ends {
            for (at, &article) in (begin..end).zip(&members[begin..end]) {
                let article = article as usize;
                if is_own[article] {
                    postings[next[article]] = (begin, at, times);
                    next[article] += 1;
                }
            }
            begin = end;
        }
        let own = (0..articles.len() as u32).filter(|&article| is_own[article as usize]).collect();
        Ok(PartitionPostings { articles, quorums, own, members, postings, firsts })
    }
}

/// The pairs of a partition that share at least the smaller required overlap of the two: the earlier article, and the
/// later one, which belongs to the partition. Sorted by the later one, then by the earlier.
pub fn count_overlaps(buffers: &[&[u8]], ranges: &Ranges, partition: u32) -> Result<Vec<(u64, u64)>, CorruptBuffer> {
    let postings = PartitionPostings::read(buffers, ranges, partition)?;
    let PartitionPostings { articles, quorums, own, .. } = &postings;
    let mut counter = OverlapCounter::default();
    counter.extend(quorums.iter().copied());
    let (mut lists, mut candidates, mut pairs) = (vec![], vec![], vec![]);
    for &article in own {
        postings.lists(article, &mut lists);
        let least = quorums[article as usize];
        counter.count(&lists, |_| true, |_, shared, quorum| shared >= quorum.min(least), &mut candidates);
        candidates.sort_unstable();
        pairs.extend(candidates.drain(..).map(|(other, _)| (articles[other as usize], articles[article as usize])));
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
            let (made, too_common) = build_lists(&views, part, parts, ceiling, &ranges, partitions).unwrap();
            to_partitions.iter_mut().zip(made).for_each(|(partition, buffer)| partition.push(buffer));
            skipped += too_common.len();
        }
        let mut pairs = BTreeSet::new();
        for (partition, buffers) in to_partitions.iter().enumerate() {
            let views: Vec<&[u8]> = buffers.iter().map(|buffer| &buffer[..]).collect();
            for (earlier, later) in count_overlaps(&views, &ranges, partition as u32).unwrap() {
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
        let (made, _) = build_lists(&[&packed[0]], 0, 1, 9, &ranges, 1).unwrap();
        assert_eq!(count_overlaps(&[&made[0]], &ranges, 0), Ok(vec![(5, 6)]));
        assert!(build_lists(&[&packed[0][..5]], 0, 1, 9, &ranges, 1).is_err());
        assert!(build_lists(&[&packed[0]], 0, 1, 9, &Ranges { starts: &[6], partitions: &[0] }, 1).is_err());
        assert!(count_overlaps(&[&made[0][..made[0].len() - 1]], &ranges, 0).is_err());
    }
}
