//! Keys of articles, dealt into parts by their hash; and who of a part meets whom.
//!
//! Two articles are candidates when they share so many keys, the one with fewer of them deciding how many. So every
//! article may set some of its keys aside, fewer than that, and still be found by the others: it sets aside those that
//! most others have where it comes from. Common phrases then bring nobody together.

use super::{first_of, hashed, part_of_hash, put, Broken, Parcel, BITS};
use crate::hash::Hashed;

/// The bytes of a key of a part: its distance from the first one, and a bit.
fn width(parts: usize) -> usize {
    let most = (1u64 << BITS).div_ceil(parts as u64) << 1;
    (64 - most.leading_zeros() as usize).div_ceil(8)
}

/// The keys of articles, in the order of their numbers, a parcel for every part. Row `at` of the keys ends at `ends[at]`;
/// `aside` says how many keys of each are set aside, `shared` which keys somebody else may have: the others stay.
pub fn pack(
    numbers: &[u64],
    keys: &[u64],
    ends: &[usize],
    aside: &[u32],
    shared: &[bool],
    parts: usize,
) -> Vec<Vec<u8>> {
    let mut counts: Hashed<u32> = Hashed::with_capacity_and_hasher(keys.len(), Default::default());
    for &key in keys {
        *counts.entry(hashed(key)).or_default() += 1;
    }
    let width = width(parts);
    let (mut out, mut last) = (vec![vec![]; parts], vec![0u64; parts]);
    let mut row: Vec<(u64, u32, bool)> = vec![];
    let mut begin = 0;
    for ((&number, &end), &aside) in numbers.iter().zip(ends).zip(aside) {
        row.clear();
        let own = keys[begin..end].iter().zip(&shared[begin..end]);
        row.extend(
            own.map(|(&key, &shared)| (hashed(key), shared)).map(|(hash, shared)| (hash, counts[&hash], shared)),
        );
        begin = end;
        let count = row.len() as u64;
        // the commonest first; of those, which does not matter, so long as it is always the same
        row.sort_unstable_by(|x, y| y.1.cmp(&x.1).then(x.0.cmp(&y.0)));
        for (at, key) in row.iter_mut().enumerate() {
            key.1 = u32::from(at < aside as usize);
        }
        row.retain(|key| key.2);
        row.sort_unstable();
        let mut rest = &row[..];
        while let Some(&(first, ..)) = rest.first() {
            let part = part_of_hash(first, BITS, parts);
            let here = rest.partition_point(|key| part_of_hash(key.0, BITS, parts) == part);
            let parcel = &mut out[part];
            put(parcel, number.wrapping_sub(std::mem::replace(&mut last[part], number)));
            put(parcel, count);
            put(parcel, here as u64);
            for &(hash, aside, _) in &rest[..here] {
                let key = (hash - first_of(part, BITS, parts)) << 1 | u64::from(aside);
                parcel.extend_from_slice(&key.to_le_bytes()[..width]);
            }
            rest = &rest[here..];
        }
    }
    out
}

/// Who met in a part: pairs of numbers, the smaller first, the keys that count between them, and how many keys the one
/// with fewer of them has.
#[derive(Default)]
pub struct Met {
    pub pairs: Vec<(u64, u64)>,
    pub counts: Vec<u32>,
    pub fewer: Vec<u32>,
    /// The hashes of the keys that were too common.
    pub skipped: Vec<u64>,
}

/// So many meetings are noted before those of one pair are added up.
const ROOM: usize = 1 << 22;

/// Brings together the articles of a part. A key that more than `ceiling` have makes no candidates.
pub fn meet(parcels: &[&[u8]], part: usize, parts: usize, ceiling: usize) -> Result<Met, Broken> {
    let width = width(parts);
    let first = first_of(part, BITS, parts);
    // number and keys of the articles; hash with its bit, and article, of the keys
    let mut articles: Vec<(u64, u32)> = vec![];
    let mut keys: Vec<(u64, u32)> = vec![];
    for parcel in parcels {
        let mut parcel = Parcel(parcel);
        let mut number = 0u64;
        while !parcel.is_empty() {
            number = number.wrapping_add(parcel.number()?);
            let count = parcel.number()?;
            for _ in 0..parcel.number()? {
                keys.push((parcel.wide(width)?, articles.len() as u32));
            }
            articles.push((number, count as u32));
        }
    }
    keys.sort_unstable();
    let mut out = Met::default();
    let mut tally = Tally::default();
    let mut rest = &keys[..];
    while let Some(&(key, _)) = rest.first() {
        let (here, behind) = rest.split_at(rest.partition_point(|other| other.0 >> 1 == key >> 1));
        rest = behind;
        if here.len() > ceiling {
            out.skipped.push(first + (key >> 1));
            continue;
        }
        for (at, &(one_key, one)) in here.iter().enumerate() {
            for &(other_key, other) in &here[at + 1..] {
                let (x, y) = (articles[one as usize], articles[other as usize]);
                // the one with fewer keys has them all counted but those it has set aside
                let decides = if (x.1, x.0) < (y.1, y.0) { one_key } else { other_key };
                if decides & 1 == 0 && one != other {
                    tally.note(one.min(other), one.max(other));
                }
            }
        }
    }
    for ((one, other), count) in tally.finish() {
        let (x, y) = (articles[one as usize], articles[other as usize]);
        out.pairs.push((x.0.min(y.0), x.0.max(y.0)));
        out.counts.push(count);
        out.fewer.push(x.1.min(y.1));
    }
    Ok(out)
}

/// How often every pair was noted. What is noted is added up now and then, so that room is needed for the pairs that
/// there are, not for how often they meet.
#[derive(Default)]
struct Tally {
    noted: Vec<u64>,
    known: Vec<(u64, u32)>,
}

impl Tally {
    fn note(&mut self, one: u32, other: u32) {
        self.noted.push(u64::from(one) << 32 | u64::from(other));
        if self.noted.len() >= ROOM.max(self.known.len() / 2) {
            self.settle();
        }
    }

    fn settle(&mut self) {
        self.noted.sort_unstable();
        let mut known = Vec::with_capacity(self.known.len() + self.noted.len() / 4);
        let (mut old, mut new) = (std::mem::take(&mut self.known).into_iter().peekable(), &self.noted[..]);
        while let Some(&pair) = new.first() {
            let same = new.partition_point(|&other| other == pair);
            new = &new[same..];
            while let Some(before) = old.next_if(|entry| entry.0 < pair) {
                known.push(before);
            }
            let more = old.next_if(|entry| entry.0 == pair).map_or(0, |entry| entry.1);
            known.push((pair, same as u32 + more));
        }
        known.extend(old);
        self.known = known;
        self.noted.clear();
    }

    fn finish(mut self) -> impl Iterator<Item = ((u32, u32), u32)> {
        self.settle();
        self.known.into_iter().map(|(pair, count)| (((pair >> 32) as u32, pair as u32), count))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ends(rows: &[Vec<u64>]) -> Vec<usize> {
        rows.iter()
            .scan(0, |end, row| {
                *end += row.len();
                Some(*end)
            })
            .collect()
    }

    #[test]
    fn whoever_shares_keys_meets_in_any_number_of_parts_and_homes() {
        let rows: Vec<Vec<u64>> = (0..60u64).map(|a| (0..12).map(|k| (a * 7 + k * k * 3) % 97).collect()).collect();
        let rows: Vec<Vec<u64>> = rows
            .into_iter()
            .map(|mut r| {
                r.sort_unstable();
                r.dedup();
                r
            })
            .collect();
        let mut wanted = std::collections::BTreeMap::new();
        for a in 0..rows.len() {
            for b in a + 1..rows.len() {
                let shared = rows[a].iter().filter(|key| rows[b].contains(key)).count();
                if shared > 0 {
                    wanted.insert((a as u64, b as u64), shared as u32);
                }
            }
        }
        for parts in [1, 2, 7, 300] {
            for home in [1, 13, 60] {
                let mut found = std::collections::BTreeMap::new();
                let mut parcels = vec![vec![]; parts];
                for (at, some) in rows.chunks(home).enumerate() {
                    let numbers: Vec<u64> = (0..some.len()).map(|row| (at * home + row) as u64).collect();
                    let keys = some.concat();
                    let packed =
                        pack(&numbers, &keys, &ends(some), &vec![0; some.len()], &vec![true; keys.len()], parts);
                    parcels.iter_mut().zip(packed).for_each(|(part, parcel)| part.push(parcel));
                }
                for (part, parcels) in parcels.iter().enumerate() {
                    let parcels: Vec<&[u8]> = parcels.iter().map(|parcel| &parcel[..]).collect();
                    let met = meet(&parcels, part, parts, usize::MAX).unwrap();
                    met.pairs
                        .iter()
                        .zip(met.counts)
                        .for_each(|(&pair, count)| *found.entry(pair).or_insert(0) += count);
                }
                assert_eq!(found, wanted);
            }
        }
    }

    #[test]
    fn a_key_of_too_many_is_named_and_one_set_aside_does_not_count_for_the_one_with_fewer() {
        let keys = [1, 2, 3, 1, 2, 3, 4, 1];
        let mut shared = [true; 8];
        shared[6] = false; // nobody else has it: it stays, and counts
        let packed = pack(&[5, 6, 9], &keys, &[3, 7, 8], &[1, 0, 0], &shared, 1);
        let met = meet(&[&packed[0]], 0, 1, 2).unwrap();
        assert_eq!(met.skipped, [hashed(1)]);
        assert_eq!((met.pairs, met.counts, met.fewer), (vec![(5, 6)], vec![2], vec![3]));
        let all = meet(&[&packed[0]], 0, 1, 3).unwrap();
        assert_eq!(all.pairs, [(5, 6), (5, 9), (6, 9)]);
        assert_eq!(all.counts, [2, 1, 1]);
        assert!(meet(&[&packed[0][..5]], 0, 1, 3).is_err());
    }
}
