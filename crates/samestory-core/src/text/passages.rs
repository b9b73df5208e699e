//! The passages that two articles share, for people to look at.
//!
//! Maximal runs of the same words, longest first; a word of either article is part of one passage at most.

use std::collections::HashMap;

use crate::base::hash;
use crate::text::tokens::{word, WORD};

/// A run of `words` equal words, beginning at token `left` and token `right`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Passage {
    pub left: usize,
    pub right: usize,
    pub words: usize,
}

/// Places of one shingle that are extended to a run; further places are reached by extending rarer shingles.
const MAX_PLACES_PER_SHINGLE: usize = 16;

/// Passages of at least `least` words (fewer only when an article has fewer), in the order of the left article.
pub fn passages(left: &[u32], right: &[u32], least: usize) -> Vec<Passage> {
    if left.is_empty() || right.is_empty() {
        return vec![];
    }
    let least = least.max(1).min(left.len()).min(right.len());
    let mut places: HashMap<u64, Vec<usize>> = HashMap::new();
    hash::shingles(left, WORD, least, |at, h| {
        let list = places.entry(h).or_default();
        if list.len() < MAX_PLACES_PER_SHINGLE {
            list.push(at);
        }
    });
    let (left_hashes, right_hashes) = (PrefixHashes::new(left), PrefixHashes::new(right));
    let mut runs = vec![];
    // diagonal (left place minus right place) to the end of its last run in the right text
    let mut followed: HashMap<isize, usize> = HashMap::new();
    hash::shingles(right, WORD, least, |r, h| {
        for &l in places.get(&h).map_or(&[][..], Vec::as_slice) {
            let shift = l as isize - r as isize;
            if followed.get(&shift).is_some_and(|&end| r < end) {
                continue;
            }
            // back to the beginning of the run: its first words may be too frequent to be in `places`
            let back = largest_count(l.min(r), |count| {
                left_hashes.range_hash(l - count, count) == right_hashes.range_hash(r - count, count)
            });
            let (l, r) = (l - back, r - back);
            let limit = (left.len() - l).min(right.len() - r);
            let words =
                largest_count(limit, |count| left_hashes.range_hash(l, count) == right_hashes.range_hash(r, count));
            followed.insert(shift, r + words);
            if words >= least {
                runs.push(Passage { left: l, right: r, words });
            }
        }
    });
    runs.sort_unstable_by_key(|p| (std::cmp::Reverse(p.words), p.left, p.right));
    let (mut free_left, mut free_right) = (FreeWords::new(left.len()), FreeWords::new(right.len()));
    let mut out = vec![];
    for run in runs {
        // the parts of this run that no longer passage covers
        let mut start = 0;
        while start < run.words {
            // advance to the next word that is free on both sides
            start = free_left.next(run.left + start) - run.left;
            if start >= run.words || !free_right.is_free(run.right + start) {
                start = free_right.next(run.right + start.min(run.words)) - run.right;
                continue;
            }
            let is_free = |i: &usize| free_left.is_free(run.left + i) && free_right.is_free(run.right + i);
            let words = (start..run.words).take_while(is_free).count();
            if words >= least {
                for i in start..start + words {
                    free_left.mark_used(run.left + i);
                    free_right.mark_used(run.right + i);
                }
                out.push(Passage { left: run.left + start, right: run.right + start, words });
            }
            start += words;
        }
    }
    out.sort_unstable_by_key(|p| p.left);
    out
}

/// The largest count from 0 to `limit` for which a monotone predicate is true: galloping, then binary search.
fn largest_count(limit: usize, holds: impl Fn(usize) -> bool) -> usize {
    let (mut low, mut high) = (0, 1);
    while high <= limit && holds(high) {
        (low, high) = (high, 2 * high);
    }
    high = high.min(limit + 1);
    while high - low > 1 {
        let middle = (low + high) / 2;
        *(if holds(middle) { &mut low } else { &mut high }) = middle;
    }
    low
}

/// Hashes of all ranges of a text, each in O(1), so that a text repeating one word a thousand times does not cost a
/// scan per range.
struct PrefixHashes {
    before: Vec<u64>,
    powers: Vec<u64>,
}

/// A prime just large enough that two ranges with equal hashes are equal.
const PRIME: u64 = (1 << 61) - 1;
const BASE: u64 = 0x1d8a_f066_5dcd_1bd1 % PRIME;

fn times(a: u64, b: u64) -> u64 {
    (u128::from(a) * u128::from(b) % u128::from(PRIME)) as u64
}

impl PrefixHashes {
    fn new(tokens: &[u32]) -> Self {
        let (mut before, mut powers) = (vec![0], vec![1]);
        for (at, &token) in tokens.iter().enumerate() {
            before.push((times(before[at], BASE) + u64::from(word(token)) + 1) % PRIME);
            powers.push(times(powers[at], BASE));
        }
        PrefixHashes { before, powers }
    }

    /// The hash of `count` words from `start` on.
    fn range_hash(&self, start: usize, count: usize) -> u64 {
        let whole = self.before[start + count];
        (whole + PRIME - times(self.before[start], self.powers[count])) % PRIME
    }
}

/// Words that are in no passage yet: a union-find over places, which skips used words.
struct FreeWords {
    next: Vec<usize>,
}

impl FreeWords {
    fn new(count: usize) -> Self {
        FreeWords { next: (0..=count).collect() }
    }

    fn is_free(&self, at: usize) -> bool {
        self.next[at] == at
    }

    fn mark_used(&mut self, at: usize) {
        self.next[at] = at + 1;
    }

    /// The first free word from here on, or the end.
    fn next(&mut self, mut at: usize) -> usize {
        while self.next[at] != at {
            self.next[at] = self.next[self.next[at]];
            at = self.next[at];
        }
        at
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(text: &str) -> Vec<u32> {
        let mut out = vec![];
        crate::text::tokens::tokenise(text, false, |t| out.push(t.packed()));
        out
    }

    #[test]
    fn moved_passages_are_found_and_no_word_is_used_twice() {
        let left = tokens("one two three four five six seven eight nine ten");
        let right = tokens("Seven eight nine ten! And then: one, two, three, four.");
        assert_eq!(
            passages(&left, &right, 3),
            [Passage { left: 0, right: 6, words: 4 }, Passage { left: 6, right: 0, words: 4 }]
        );
        let twice = tokens("one two three one two three");
        let shared: usize = passages(&left, &twice, 3).iter().map(|p| p.words).sum();
        assert_eq!(shared, 3);
    }

    #[test]
    fn a_passage_that_begins_with_a_worn_phrase_is_found_whole() {
        let worn: String = (0..20).map(|n| format!("the cat sat u{n} ")).collect();
        let tail: String = (0..40).map(|n| format!("q{n} ")).collect();
        let left = tokens(&format!("{worn} the cat sat {tail}"));
        let right = tokens(&format!("the cat sat {tail}"));
        assert_eq!(passages(&left, &right, 3), [Passage { left: 80, right: 0, words: 43 }]);
    }

    #[test]
    fn articles_shorter_than_a_passage_still_share_what_they_have() {
        assert_eq!(passages(&tokens("fire out"), &tokens("the fire out now"), 5).len(), 1);
        assert!(passages(&[], &tokens("x"), 3).is_empty());
    }

    /// The same, word by word.
    fn slowly(left: &[u32], right: &[u32], least: usize) -> Vec<Passage> {
        let same = |l: usize, r: usize| word(left[l]) == word(right[r]);
        let mut runs = vec![];
        for l in 0..left.len() {
            for r in 0..right.len() {
                if l > 0 && r > 0 && same(l - 1, r - 1) {
                    continue;
                }
                let words = (0..(left.len() - l).min(right.len() - r)).take_while(|&i| same(l + i, r + i)).count();
                runs.push(Passage { left: l, right: r, words });
            }
        }
        runs.retain(|run| run.words >= least);
        runs.sort_unstable_by_key(|p| (std::cmp::Reverse(p.words), p.left, p.right));
        let (mut left_taken, mut right_taken) = (vec![false; left.len()], vec![false; right.len()]);
        let mut out = vec![];
        for run in runs {
            let mut i = 0;
            while i < run.words {
                let start = i;
                while i < run.words && !left_taken[run.left + i] && !right_taken[run.right + i] {
                    i += 1;
                }
                if i - start >= least {
                    left_taken[run.left + start..run.left + i].fill(true);
                    right_taken[run.right + start..run.right + i].fill(true);
                    out.push(Passage { left: run.left + start, right: run.right + start, words: i - start });
                }
                i += 1;
            }
        }
        out.sort_unstable_by_key(|p| p.left);
        out
    }

    #[test]
    fn passages_are_those_found_word_by_word() {
        let mut state = 7u64;
        let mut draw = |below: u64| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 33) % below
        };
        for round in 0..400 {
            // few enough words that no shingle exceeds the limit of places
            let mut text = |length: u64| (0..draw(length) + 1).map(|_| 16 * draw(2 + round % 7) as u32).collect();
            let (left, right): (Vec<u32>, Vec<u32>) = (text(16), text(40));
            let least = 3.min(left.len()).min(right.len());
            assert_eq!(passages(&left, &right, 3), slowly(&left, &right, least), "{left:?} {right:?}");
        }
    }

    #[test]
    fn a_word_said_over_and_over_does_not_take_for_ever() {
        let (left, right) = (vec![16; 60_000], vec![16; 59_000]);
        assert_eq!(passages(&left, &right, 3), [Passage { left: 0, right: 0, words: 59_000 }]);
        let turns: Vec<u32> = (0..60_000).map(|n| 16 * (n % 2)).collect();
        assert_eq!(passages(&turns, &turns[1..], 3), [Passage { left: 1, right: 0, words: 59_999 }]);
    }
}
