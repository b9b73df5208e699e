//! Counts in how many of some posting lists each duplicate class occurs. Thousands of classes share one rare word with
//! a query, and a few of them two: so the counters are small and contiguous, and no other data is read of a class that
//! shares too few keys.

use std::mem;

/// Counter slots, one per class. Every thread that queries has its own counter.
#[derive(Default)]
pub struct OverlapCounter {
    slots: Vec<CounterSlot>,
    /// Version of the class numbering that the slots belong to.
    numbering: u32,
    /// Number of key lookups skipped because the posting list exceeded the ceiling.
    pub skipped: u64,
}

/// The number of posting keys of a class, and how many of them it shares with the current query; both saturate at
/// MAX_COUNT. A saturated value is counted again exactly.
#[derive(Clone, Copy)]
struct CounterSlot {
    keys: u16,
    count: u16,
}

const MAX_COUNT: u16 = u16::MAX;

impl OverlapCounter {
    /// Adds slots for new classes; `sizes` is the number of posting keys of every class. Renumbering clears all slots.
    pub fn follow(&mut self, sizes: &[u32], numbering: u32) {
        if self.numbering != numbering {
            self.slots.clear();
            self.numbering = numbering;
        }
        let new = sizes[self.slots.len()..].iter();
        self.slots.extend(new.map(|&size| CounterSlot { keys: size.try_into().unwrap_or(MAX_COUNT), count: 0 }));
    }

    /// Returns the classes that occur in enough of the lists, each once, with the number of those lists. Lists must be
    /// sorted. `quorums` is the required count by number of keys of the smaller side; its last entry applies to classes
    /// with at least as many keys as the query.
    pub fn candidates(&mut self, lists: &[&[u32]], sizes: &[u32], quorums: &[usize]) -> Vec<(u32, usize)> {
        for &class in lists.iter().copied().flatten() {
            let count = &mut self.slots[class as usize].count;
            *count = count.saturating_add(1);
        }
        let mut out = vec![];
        for &class in lists.iter().copied().flatten() {
            let slot = &mut self.slots[class as usize];
            let (mut keys, mut count) = (usize::from(slot.keys), usize::from(mem::take(&mut slot.count)));
            // the count was reset at the first occurrence of this class
            if count == 0 {
                continue;
            }
            if keys.max(count) == usize::from(MAX_COUNT) {
                keys = sizes[class as usize] as usize;
                count = lists.iter().filter(|list| list.binary_search(&class).is_ok()).count();
            }
            if count >= quorums[keys.min(quorums.len() - 1)] {
                out.push((class, count));
            }
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the classes that share at least half of their keys with a query.
    fn halves(counter: &mut OverlapCounter, classes: &[Vec<u32>], query: &[u32]) -> Vec<(u32, usize)> {
        let sizes: Vec<u32> = classes.iter().map(|keys| keys.len() as u32).collect();
        let postings = |key: &u32| {
            let has = |class: &&u32| classes[**class as usize].binary_search(key).is_ok();
            (0..classes.len() as u32).collect::<Vec<_>>().iter().filter(has).copied().collect::<Vec<u32>>()
        };
        let lists: Vec<Vec<u32>> = query.iter().map(postings).collect();
        let lists: Vec<&[u32]> = lists.iter().map(|list| &list[..]).collect();
        let quorums: Vec<usize> = (0..=query.len()).map(|fewer| fewer.div_ceil(2)).collect();
        counter.follow(&sizes, 0);
        let mut candidates = counter.candidates(&lists, &sizes, &quorums);
        candidates.sort_unstable();
        candidates
    }

    #[test]
    fn who_shares_half_is_met_however_many_numbers_there_are() {
        // below the limit of a counter, at the limit, and above
        for size in [10, u32::from(MAX_COUNT) - 1, u32::from(MAX_COUNT), 70_001, 140_000] {
            let query: Vec<u32> = (0..size).collect();
            let half = size.div_ceil(2);
            let enough: Vec<u32> = (size - half..2 * size - half).collect();
            let too_few: Vec<u32> = (size - half + 1..2 * size - half + 1).collect();
            let short: Vec<u32> = (0..3).chain(size..size + 3).collect();
            let classes = [query.clone(), enough, too_few, short];
            let wanted = [(0, size as usize), (1, half as usize), (3, 3)];
            let mut counter = OverlapCounter::default();
            // in the second round all counts start at zero again
            for _ in 0..2 {
                assert_eq!(halves(&mut counter, &classes, &query), wanted);
            }
        }
    }
}
