//! Long posting lists: those with more articles than the ceiling, of which crowded articles read the hubs.
//!
//! A part does not know which articles are crowded. It keeps its long lists until the input partitions have sent these
//! articles, selects the hubs as on one machine, and sends every partition, of the crowded articles, those that its own
//! ones read: the hubs, and all before the last of its own hubs.

use super::buffer::{put, put_ascending, put_bytes, put_column, BufferReader, CorruptBuffer};
use super::lists::{partition_among, Ranges, LARGEST_QUORUM, LONG_LIST, QUORUM_BITS};
use crate::engine::postings::fair;

/// A crowded article, as a part must know it.
pub struct CrowdedArticle {
    pub number: u64,
    pub source: u64,
    /// Its rank as a representative, in bytes that order like ranks.
    pub rank: Vec<u8>,
}

/// The crowded articles of an input partition, in the order of their numbers; empty if there are none.
pub fn put_crowded(articles: &[CrowdedArticle]) -> Vec<u8> {
    let mut out = vec![];
    if !articles.is_empty() {
        put_ascending(&mut out, articles.iter().map(|article| article.number));
        put_column(&mut out, 8, articles.iter().map(|article| article.source));
        articles.iter().for_each(|article| put_bytes(&mut out, &article.rank));
    }
    out
}

/// The crowded articles of all buffers, sorted: number, source, position among them by rank.
fn read_crowded(buffers: &[&[u8]]) -> Result<Vec<(u64, u64, u64)>, CorruptBuffer> {
    let mut articles: Vec<(&[u8], u64, u64)> = vec![];
    for buffer in buffers.iter().filter(|buffer| !buffer.is_empty()) {
        let mut buffer = BufferReader(buffer);
        let (numbers, sources) = (buffer.ascending()?, buffer.column(8)?);
        if numbers.len() != sources.len() {
            return Err(CorruptBuffer);
        }
        for (number, source) in numbers.into_iter().zip(sources) {
            articles.push((buffer.bytes()?, number, source));
        }
    }
    articles.sort_unstable();
    let mut crowded: Vec<_> =
        articles.into_iter().zip(0..).map(|((_, number, source), position)| (number, source, position)).collect();
    crowded.sort_unstable();
    crowded.dedup_by_key(|article| article.0);
    Ok(crowded)
}

/// A crowded article of a list.
#[derive(Clone, Copy)]
struct Member {
    number: u64,
    quorum: u8,
    partition: u32,
    is_hub: bool,
}

/// What every partition reads of the long lists of a part (`build_lists`), to be appended to its other lists: of each
/// list at most `size` hubs, selected from its crowded articles.
pub fn select_hubs(
    long_lists: &[u8],
    crowded: &[&[u8]],
    size: usize,
    ranges: &Ranges,
    partitions: usize,
) -> Result<Vec<Vec<u8>>, CorruptBuffer> {
    let crowded = read_crowded(crowded)?;
    let mut records: Vec<Vec<Vec<u8>>> = vec![vec![]; partitions];
    let (mut buffer, mut first) = (BufferReader(long_lists), 0u64);
    while !buffer.is_empty() {
        let times = buffer.number()?;
        let (mut members, mut entries): (Vec<Member>, Vec<(usize, u64, u64)>) = Default::default();
        let mut number = first;
        for at in 0..buffer.number()? {
            let packed = buffer.number()?;
            number = number.checked_add(packed >> QUORUM_BITS).ok_or(CorruptBuffer)?;
            first = if at == 0 { number } else { first };
            let partition = partition_among(ranges, number, partitions)?;
            if let Ok(place) = crowded.binary_search_by_key(&number, |article| article.0) {
                entries.push((members.len(), crowded[place].1, crowded[place].2));
                members.push(Member { number, quorum: packed as u8 & LARGEST_QUORUM, partition, is_hub: false });
            }
        }
        fair::keep(&mut entries, size, |entry| entry.1, |entry| entry.2);
        entries.iter().for_each(|entry| members[entry.0].is_hub = true);
        put_records(&members, times, &mut records);
    }
    let merged = records.into_iter().map(|mut own| {
        own.sort_unstable(); // the same for any order of the lists
        own.into_iter().flat_map(|record| [vec![LONG_LIST as u8], record].concat()).collect()
    });
    Ok(merged.collect())
}

/// Writes what each partition reads of a list: how often the list occurs, its length, its articles.
fn put_records(members: &[Member], times: u64, records: &mut [Vec<Vec<u8>>]) {
    let hubs: Vec<usize> = (0..members.len()).filter(|&at| members[at].is_hub).collect();
    if hubs.is_empty() {
        return;
    }
    let mut by_partition: Vec<usize> = (0..members.len()).collect();
    by_partition.sort_by_key(|&at| members[at].partition);
    for own in by_partition.chunk_by(|&one, &other| members[one].partition == members[other].partition) {
        let last = own[own.len() - 1];
        let whole = own.iter().rev().find(|&&at| members[at].is_hub).map_or(0, |&hub| hub + 1);
        let behind = own.iter().chain(&hubs).copied().filter(|&at| at >= whole && at <= last);
        let mut read: Vec<usize> = (0..whole).chain(behind).collect();
        read.sort_unstable();
        read.dedup();
        // no article precedes the first one of a list
        if read.len() < 2 {
            continue;
        }
        let mut record = vec![];
        put(&mut record, times);
        put(&mut record, read.len() as u64);
        let mut before = 0;
        for Member { number, quorum, is_hub, .. } in read.into_iter().map(|at| members[at]) {
            let step = number - std::mem::replace(&mut before, number);
            put(&mut record, (step << 1 | u64::from(is_hub)) << QUORUM_BITS | u64::from(quorum));
        }
        records[members[last].partition as usize].push(record);
    }
}

#[cfg(test)]
mod tests {
    use super::super::{build_lists, count_overlaps, pack, CountedPair};
    use super::*;
    use crate::base::hash;

    const ARTICLES: u64 = 90;
    const CEILING: usize = 12;
    const SIZE: usize = 4;

    /// Few sources; ranks in another order than numbers.
    fn crowded_article(number: u64) -> CrowdedArticle {
        let source = hash::numbered(3, number) % 3;
        CrowdedArticle { number, source, rank: hash::numbered(4, number).to_be_bytes().to_vec() }
    }

    fn is_crowded(number: u64) -> bool {
        hash::numbered(5, number) % 4 > 0
    }

    /// Common keys, which most articles have, and rare ones.
    fn keys(number: u64) -> Vec<u64> {
        let common = (0..6).filter(move |key| hash::numbered(number, *key) % 3 > 0);
        common.chain((0..4).map(|key| 100 + hash::numbered(number, 50 + key) % 60)).collect()
    }

    /// By the definition: the number of shared keys with short lists, and of those with long ones, where both articles are
    /// crowded and one is a hub.
    fn wanted(required: usize) -> Vec<CountedPair> {
        let keys: Vec<Vec<u64>> = (0..ARTICLES)
            .map(|number| {
                let mut keys = keys(number);
                keys.sort_unstable();
                keys.dedup();
                keys
            })
            .collect();
        let list = |key: u64| (0..ARTICLES).filter(|&number| keys[number as usize].contains(&key)).collect::<Vec<_>>();
        let hubs = |key: u64| {
            let mut hubs: Vec<CrowdedArticle> =
                list(key).into_iter().filter(|&number| is_crowded(number)).map(crowded_article).collect();
            let place = |one: &CrowdedArticle| {
                let before = |other: &&CrowdedArticle| other.source == one.source && other.rank < one.rank;
                hubs.iter().filter(before).count()
            };
            let mut places: Vec<(usize, Vec<u8>, u64)> =
                hubs.iter().map(|one| (place(one), one.rank.clone(), one.number)).collect();
            places.sort();
            places.truncate(SIZE);
            hubs.retain(|hub| places.iter().any(|place| place.2 == hub.number));
            hubs.iter().map(|hub| hub.number).collect::<Vec<_>>()
        };
        let by_key: Vec<(usize, Vec<u64>)> = (0..160).map(|key| (list(key).len(), hubs(key))).collect();
        let mut pairs = vec![];
        for later in 0..ARTICLES {
            for earlier in 0..later {
                let shared = keys[later as usize].iter().filter(|key| keys[earlier as usize].contains(key));
                let (long, short): (Vec<u64>, Vec<u64>) = shared.partition(|&&key| by_key[key as usize].0 > CEILING);
                let is_read = |key: &&u64| by_key[**key as usize].1.iter().any(|hub| [later, earlier].contains(hub));
                let are_crowded = is_crowded(later) && is_crowded(earlier);
                let long = long.iter().filter(|key| are_crowded && is_read(key)).count();
                if short.len() + long >= required {
                    pairs.push(CountedPair { later, earlier, long: long as u32 });
                }
            }
        }
        pairs
    }

    fn found(required: u8, partitions: usize, parts: usize) -> Vec<CountedPair> {
        let starts: Vec<u64> = (0..ARTICLES).step_by(7).collect();
        let owners: Vec<u32> = (0..starts.len()).map(|range| (range % partitions) as u32).collect();
        let ranges = Ranges { starts: &starts, partitions: &owners };
        let of = |partition: usize| {
            (0..ARTICLES).filter(move |number| *number as usize / 7 % partitions == partition).collect::<Vec<_>>()
        };
        let (mut packed, mut crowded) = (vec![], vec![]);
        for partition in 0..partitions {
            let numbers = of(partition);
            let (mut rows, mut ends) = (vec![], vec![]);
            for &number in &numbers {
                rows.extend(keys(number));
                ends.push(rows.len());
            }
            let quorums = vec![required; numbers.len()];
            packed.push(pack(&numbers, &rows, &ends, &quorums, &vec![true; rows.len()], parts));
            let own: Vec<_> = numbers.into_iter().filter(|&number| is_crowded(number)).map(crowded_article).collect();
            crowded.push(put_crowded(&own));
        }
        let crowded: Vec<&[u8]> = crowded.iter().map(|buffer| &buffer[..]).collect();
        let mut received = vec![vec![]; partitions];
        for part in 0..parts {
            let buffers: Vec<&[u8]> = packed.iter().map(|buffers| &buffers[part][..]).collect();
            let built = build_lists(&buffers, part, parts, CEILING, true, &ranges, partitions).unwrap();
            let selected = select_hubs(&built.long_lists, &crowded, SIZE, &ranges, partitions).unwrap();
            for (to, (short, long)) in built.lists.iter().zip(&selected).enumerate() {
                received[to].push([&short[..], long].concat());
            }
        }
        let mut pairs = vec![];
        for (partition, buffers) in received.iter().enumerate() {
            let views: Vec<&[u8]> = buffers.iter().map(|buffer| &buffer[..]).collect();
            pairs.extend(count_overlaps(&views, &ranges, partition as u32).unwrap());
        }
        pairs.sort_unstable();
        pairs
    }

    #[test]
    fn pairs_of_long_lists_are_those_with_a_hub_in_any_number_of_parts_and_partitions() {
        for required in [1, 3, 5] {
            let all = wanted(required.into());
            assert!(all.iter().any(|pair| pair.long > 2));
            for (partitions, parts) in [(1, 1), (2, 5), (7, 3)] {
                assert!(found(required, partitions, parts) == all, "{required} {partitions} {parts}");
            }
        }
    }

    #[test]
    fn truncated_buffers_are_rejected() {
        let ranges = Ranges { starts: &[0], partitions: &[0] };
        let packed = pack(&[5, 6, 7], &[1, 2, 1, 1, 2], &[2, 3, 5], &[1; 3], &[true; 5], 1);
        let long = build_lists(&[&packed[0]], 0, 1, 1, true, &ranges, 1).unwrap().long_lists;
        let crowded = put_crowded(&[crowded_article(5), crowded_article(7)]);
        let selected = select_hubs(&long, &[&crowded, &[]], 1, &ranges, 1).unwrap().remove(0);
        assert_eq!(count_overlaps(&[&selected], &ranges, 0).unwrap().iter().map(|pair| pair.long).max(), Some(2));
        assert!(select_hubs(&long[..long.len() - 1], &[&crowded], 1, &ranges, 1).is_err());
        for end in 1..crowded.len() {
            assert!(select_hubs(&long, &[&crowded[..end]], 1, &ranges, 1).is_err());
        }
        assert!(select_hubs(&long, &[&crowded], 1, &Ranges { starts: &[6], partitions: &[0] }, 1).is_err());
        assert!(count_overlaps(&[&selected[..selected.len() - 1]], &ranges, 0).is_err());
    }
}
