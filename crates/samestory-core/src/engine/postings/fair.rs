//! Fair samples of long lists: every source has the same share, so that no source can crowd out the others.
//!
//! The entries of a source are ranked; a sample has the first of every source, then the second of every source, and so
//! on. It does not depend on the order in which entries are given.

/// Whether an article is crowded, by the number of its keys with long lists: one whose lists are mostly short is found
/// without the others.
pub fn is_crowded(long: usize, keys: usize) -> bool {
    long > 0 && 2 * long >= keys
}

/// Keeps at most `size` entries, evenly from all sources and of each those with the lowest ranks. Ranks of a source are
/// distinct. In O(n log n).
pub fn keep<T: Copy>(entries: &mut Vec<T>, size: usize, source: impl Fn(&T) -> u64, rank: impl Fn(&T) -> u64) {
    if entries.len() <= size {
        return;
    }
    let first = source(&entries[0]);
    if entries.iter().all(|entry| source(entry) == first) {
        entries.select_nth_unstable_by_key(size, rank);
        return entries.truncate(size);
    }
    let mut ranked: Vec<(u64, u64, T)> = entries.iter().map(|entry| (source(entry), rank(entry), *entry)).collect();
    ranked.sort_unstable_by_key(|&(source, rank, _)| (source, rank));
    let mut rows: Vec<(u32, u64, u64, T)> = vec![];
    for (source, rank, entry) in ranked {
        let place = rows.last().filter(|row| row.2 == source).map_or(0, |row| row.0 + 1);
        rows.push((place, rank, source, entry));
    }
    rows.select_nth_unstable_by_key(size, |&(place, rank, source, _)| (place, rank, source));
    rows.truncate(size);
    entries.clear();
    entries.extend(rows.into_iter().map(|row| row.3));
}

/// A fair sample of articles that grows by one article at a time: the same as `keep` of all of them.
#[derive(Default)]
pub struct FairSample {
    /// Source, rank and number of every article in the sample.
    entries: Vec<(u64, u64, u32)>,
    /// The numbers, sorted.
    numbers: Vec<u32>,
}

impl FairSample {
    pub fn numbers(&self) -> &[u32] {
        &self.numbers
    }

    pub fn contains(&self, number: u32) -> bool {
        self.numbers.binary_search(&number).is_ok()
    }

    pub fn remove(&mut self, number: u32) {
        self.entries.retain(|entry| entry.2 != number);
        self.numbers.retain(|&other| other != number);
    }

    /// Adds an article; of more than `size`, the last of the source with the most articles leaves.
    pub fn insert(&mut self, size: usize, source: u64, rank: u64, number: u32) {
        let FairSample { entries, numbers } = self;
        let at = entries.partition_point(|&(s, r, _)| (s, r) < (source, rank));
        entries.insert(at, (source, rank, number));
        let place = numbers.partition_point(|&other| other < number);
        numbers.insert(place, number);
        if entries.len() <= size {
            return;
        }
        let (mut last, mut max, mut start) = (0, (0, 0, 0), 0);
        for at in 0..entries.len() {
            if entries[at].0 != entries[start].0 {
                start = at;
            }
            let order = (at - start, entries[at].1, entries[at].0);
            if order >= max {
                (last, max) = (at, order);
            }
        }
        let (_, _, removed) = entries.remove(last);
        numbers.remove(numbers.partition_point(|&other| other < removed));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::hash;

    /// The definition: the place of every entry among those of its source, then the first of all.
    fn oracle(entries: &[(u64, u64)], size: usize) -> Vec<(u64, u64)> {
        let place = |&(source, rank): &(u64, u64)| entries.iter().filter(|e| e.0 == source && e.1 < rank).count();
        let mut out = entries.to_vec();
        out.sort_by_key(|entry| (place(entry), entry.1, entry.0));
        out.truncate(size);
        out.sort_unstable();
        out
    }

    #[test]
    fn both_ways_give_every_source_its_share_in_any_order() {
        for seed in 0..200 {
            let draw = |at: u64, of: u64| hash::numbered(seed, at) % of;
            let entries: Vec<(u64, u64)> =
                (0..draw(0, 60)).map(|at| (draw(at + 1, 5).min(draw(at + 99, 5)), hash::numbered(7, at))).collect();
            for size in [1, 7, 20] {
                let mut kept = entries.clone();
                keep(&mut kept, size, |e| e.0, |e| e.1);
                kept.sort_unstable();
                assert_eq!(kept, oracle(&entries, size));
                let mut sample = FairSample::default();
                for (number, &(source, rank)) in (0..).zip(&entries) {
                    sample.insert(size, source, rank, number);
                }
                let mut grown: Vec<(u64, u64)> = sample.numbers().iter().map(|&n| entries[n as usize]).collect();
                grown.sort_unstable();
                assert_eq!(grown, kept);
            }
        }
    }

    #[test]
    fn one_source_leaves_room_for_the_others() {
        let mut entries: Vec<(u64, u64)> = (0..5000).map(|rank| (1, rank)).chain([(2, 9), (3, 9)]).collect();
        keep(&mut entries, 100, |e| e.0, |e| e.1);
        assert!(entries.contains(&(2, 9)) && entries.contains(&(3, 9)));
    }
}
