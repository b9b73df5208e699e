//! Counts in how many of some posting lists each article occurs.
//!
//! Thousands of articles share one rare word with a query, and a few of them two: so the counters are small and
//! contiguous, and no other data is read of an article that shares too few keys.

use std::mem;

/// One counter per article (or duplicate class). Every thread that queries has its own.
#[derive(Default)]
pub struct OverlapCounter {
    slots: Vec<CounterSlot>,
    /// Articles of all posting lists of a query, with repetition.
    occurrences: Vec<u32>,
}

#[derive(Clone, Copy)]
struct CounterSlot {
    /// Number of lists with the article, saturating at MAX_COUNT; 0 between queries.
    count: u8,
    /// What the caller stored for the article, to decide whether its count is enough.
    tag: u8,
}

/// A count of MAX_COUNT means so many or more.
pub const MAX_COUNT: u8 = u8::MAX;

impl OverlapCounter {
    pub fn len(&self) -> usize {
        self.slots.len()
    }

    pub fn clear(&mut self) {
        self.slots.clear();
    }

    /// Adds counters for articles with these tags.
    pub fn extend(&mut self, tags: impl Iterator<Item = u8>) {
        self.slots.extend(tags.map(|tag| CounterSlot { count: 0, tag }));
    }

    /// Appends the accepted articles of the lists that occur often enough, each once, with their counts.
    /// `is_enough(article, count, tag)` must be false for a count of 0.
    ///
    /// The loops avoid branches that the processor could mispredict: article numbers are copied and counted without
    /// conditions, and the count is read at every occurrence. The first read of an article resets its count.
    pub fn count(
        &mut self,
        lists: &[&[u32]],
        is_accepted: impl Fn(u32) -> bool,
        is_enough: impl Fn(u32, u8, u8) -> bool,
        candidates: &mut Vec<(u32, u8)>,
    ) {
        let OverlapCounter { slots, occurrences } = self;
        let postings = lists.iter().map(|list| list.len()).sum();
        if occurrences.len() < postings {
            occurrences.resize(postings, 0);
        }
        let mut end = 0;
        for list in lists {
            for &article in *list {
                occurrences[end] = article;
                end += usize::from(is_accepted(article));
            }
        }
        let occurrences = &occurrences[..end];
        for &article in occurrences {
            let count = &mut slots[article as usize].count;
            *count = count.saturating_add(1);
        }
        for &article in occurrences {
            let slot = &mut slots[article as usize];
            let count = mem::take(&mut slot.count);
            if is_enough(article, count, slot.tag) {
                candidates.push((article, count));
            }
        }
    }
}

/// The number of sorted lists with an article: exact, for counts that are saturated.
pub fn count_exactly(lists: &[&[u32]], article: u32) -> usize {
    lists.iter().filter(|list| list.binary_search(&article).is_ok()).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn articles_in_enough_lists_are_found_whatever_was_counted_before() {
        let lists: [Vec<u32>; 300] =
            std::array::from_fn(|at| (0..5).filter(|&article| at % (article as usize + 1) == 0).collect());
        let lists: Vec<&[u32]> = lists.iter().map(|list| &list[..]).collect();
        let mut counter = OverlapCounter::default();
        counter.extend([1, 1, 101, 1, 1].into_iter());
        for _ in 0..2 {
            let mut found = vec![];
            counter.count(&lists, |article| article != 1, |_, count, needed| count >= needed, &mut found);
            found.sort_unstable();
            assert_eq!(found, [(0, MAX_COUNT), (3, 75), (4, 60)]);
        }
        assert_eq!(count_exactly(&lists, 0), 300);
        assert_eq!(count_exactly(&lists, 2), 100);
    }
}
