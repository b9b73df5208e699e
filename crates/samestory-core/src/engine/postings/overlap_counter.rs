//! Which lots stand in how many of some lists. Thousands share one rare word with somebody, and a few of them two: so
//! the counts of all are small and lie together, and nothing else is fetched of those that share too few.

use std::mem;

/// Room to count in. Everybody who asks has their own.
#[derive(Default)]
pub struct OverlapCounter {
    shared: Vec<Shared>,
    /// Which numbering of lots the counts are of.
    tidied: u32,
    /// Questions about a number that too many lots are filed under.
    pub skipped: u64,
}

/// Under how many numbers a lot is filed, and how many of them it shares with the one whose turn it is; both as far as
/// MANY goes. What comes so far is counted again.
#[derive(Clone, Copy)]
struct Shared {
    of: u16,
    count: u16,
}

const MANY: u16 = u16::MAX;

impl OverlapCounter {
    /// Makes room for lots that are filed under so many numbers each.
    pub fn follow(&mut self, sizes: &[u32], tidied: u32) {
        if self.tidied != tidied {
            self.shared.clear();
            self.tidied = tidied;
        }
        let new = sizes[self.shared.len()..].iter();
        self.shared.extend(new.map(|&size| Shared { of: size.try_into().unwrap_or(MANY), count: 0 }));
    }

    /// The lots that stand in enough of the lists, each once, with the number of lists they stand in. Lists are in
    /// order. `quorums` says how many are enough, by how many numbers the one with fewer has; the last is for whoever has
    /// as many as the one who asks.
    pub fn candidates(&mut self, lists: &[&[u32]], sizes: &[u32], quorums: &[usize]) -> Vec<(u32, usize)> {
        for &class in lists.iter().copied().flatten() {
            let count = &mut self.shared[class as usize].count;
            *count = count.saturating_add(1);
        }
        let mut out = vec![];
        for &class in lists.iter().copied().flatten() {
            let shared = &mut self.shared[class as usize];
            let (mut of, mut count) = (usize::from(shared.of), usize::from(mem::take(&mut shared.count)));
            // nothing is left of the count when it comes again
            if count == 0 {
                continue;
            }
            if of.max(count) == usize::from(MANY) {
                of = sizes[class as usize] as usize;
                count = lists.iter().filter(|list| list.binary_search(&class).is_ok()).count();
            }
            if count >= quorums[of.min(quorums.len() - 1)] {
                out.push((class, count));
            }
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Who shares half, of lots that are filed under some numbers, with one who is filed under some.
    fn halves(counter: &mut OverlapCounter, classes: &[Vec<u32>], asked: &[u32]) -> Vec<(u32, usize)> {
        let sizes: Vec<u32> = classes.iter().map(|numbers| numbers.len() as u32).collect();
        let filed = |number: &u32| {
            let has = |class: &&u32| classes[**class as usize].binary_search(number).is_ok();
            (0..classes.len() as u32).collect::<Vec<_>>().iter().filter(has).copied().collect::<Vec<u32>>()
        };
        let lists: Vec<Vec<u32>> = asked.iter().map(filed).collect();
        let lists: Vec<&[u32]> = lists.iter().map(|list| &list[..]).collect();
        let quorums: Vec<usize> = (0..=asked.len()).map(|fewer| fewer.div_ceil(2)).collect();
        counter.follow(&sizes, 0);
        let mut candidates = counter.candidates(&lists, &sizes, &quorums);
        candidates.sort_unstable();
        candidates
    }

    #[test]
    fn who_shares_half_is_met_however_many_numbers_there_are() {
        // fewer than can be counted, as many, and more
        for size in [10, u32::from(MANY) - 1, u32::from(MANY), 70_001, 140_000] {
            let asked: Vec<u32> = (0..size).collect();
            let half = size.div_ceil(2);
            let enough: Vec<u32> = (size - half..2 * size - half).collect();
            let too_few: Vec<u32> = (size - half + 1..2 * size - half + 1).collect();
            let short: Vec<u32> = (0..3).chain(size..size + 3).collect();
            let classes = [asked.clone(), enough, too_few, short];
            let wanted = [(0, size as usize), (1, half as usize), (3, 3)];
            let mut counter = OverlapCounter::default();
            // the second time all counts begin at nothing again
            for _ in 0..2 {
                assert_eq!(halves(&mut counter, &classes, &asked), wanted);
            }
        }
    }
}
