//! The passages that two articles share, for people to look at.
//!
//! Maximal runs of the same words, longest first; a word of either article is part of one passage at most.

use std::collections::HashMap;

use crate::hash;
use crate::text::tokens::{word, WORD};

/// A run of `words` same words, beginning at token `left` and token `right`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Passage {
    pub left: usize,
    pub right: usize,
    pub words: usize,
}

/// How many places of one shingle are followed up: a phrase said more often than this is said again elsewhere.
const PLACES: usize = 16;

/// Passages of at least `least` words (fewer only when an article has fewer), in the order of the left article.
pub fn passages(left: &[u32], right: &[u32], least: usize) -> Vec<Passage> {
    if left.is_empty() || right.is_empty() {
        return vec![];
    }
    let least = least.max(1).min(left.len()).min(right.len());
    let mut places: HashMap<u64, Vec<usize>> = HashMap::new();
    hash::shingles(left, WORD, least, |at, h| {
        let list = places.entry(h).or_default();
        if list.len() < PLACES {
            list.push(at);
        }
    });
    let same = |l: usize, r: usize| word(left[l]) == word(right[r]);
    let mut runs = vec![];
    // for every way of laying one text along the other, how far it has been followed
    let mut followed: HashMap<isize, usize> = HashMap::new();
    hash::shingles(right, WORD, least, |r, h| {
        for &l in places.get(&h).map_or(&[][..], Vec::as_slice) {
            let shift = l as isize - r as isize;
            if followed.get(&shift).is_some_and(|&end| r < end) {
                continue;
            }
            // back to where the run begins: its first words may have been said too often to be looked up
            let back = (1..=l.min(r)).take_while(|&i| same(l - i, r - i)).count();
            let (l, r) = (l - back, r - back);
            let words = (0..(left.len() - l).min(right.len() - r)).take_while(|&i| same(l + i, r + i)).count();
            followed.insert(shift, r + words);
            if words >= least {
                runs.push(Passage { left: l, right: r, words });
            }
        }
    });
    runs.sort_unstable_by_key(|p| (std::cmp::Reverse(p.words), p.left, p.right));
    let (mut left_taken, mut right_taken) = (vec![false; left.len()], vec![false; right.len()]);
    let mut out = vec![];
    for run in runs {
        // what longer passages have left of this one
        let mut i = 0;
        while i < run.words {
            let free = |i: usize| !left_taken[run.left + i] && !right_taken[run.right + i];
            let start = i;
            while i < run.words && free(i) {
                i += 1;
            }
            if i - start >= least {
                for j in start..i {
                    left_taken[run.left + j] = true;
                    right_taken[run.right + j] = true;
                }
                out.push(Passage { left: run.left + start, right: run.right + start, words: i - start });
            }
            i += 1;
        }
    }
    out.sort_unstable_by_key(|p| p.left);
    out
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
}
