//! The word-by-word difference of two texts: a short, readable list of edits.
//!
//! The histogram diff of version control: it anchors on tokens that are rare in both texts, so that "the" and "of" do
//! not align unrelated parts, and gives up the shortest result where that would take too long.

use imara_diff::{Algorithm, Diff, InternedInput};

use crate::text::tokens::word;

/// Runs of tokens that are in one text only or replace a run of the other: from, to in the left; from, to in the right.
/// Capitals make no difference.
pub fn differences(left: &[u32], right: &[u32]) -> Vec<[usize; 4]> {
    let mut input = InternedInput::default();
    input.update_before(left.iter().map(|&token| word(token)));
    input.update_after(right.iter().map(|&token| word(token)));
    let mut found = Diff::compute(Algorithm::Histogram, &input);
    found.postprocess_no_heuristic(&input);
    found
        .hunks()
        .map(|hunk| [hunk.before.start, hunk.before.end, hunk.after.start, hunk.after.end].map(|place| place as usize))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(left: &str, right: &str) -> Vec<[usize; 4]> {
        // the two lowest bits are flags
        let tokens = |text: &str| text.bytes().map(|byte| u32::from(byte) << 2).collect::<Vec<_>>();
        differences(&tokens(left), &tokens(right))
    }

    #[test]
    fn what_differs_is_told_and_nothing_else() {
        assert_eq!(of("abcd", "abcd"), [] as [[usize; 4]; 0]);
        assert_eq!(of("abcd", "abxd"), [[2, 3, 2, 3]]);
        assert_eq!(of("abcd", "xabcd"), [[0, 0, 0, 1]]);
        assert_eq!(of("", "ab"), [[0, 0, 0, 2]]);
        assert_eq!(differences(&[4 | 2], &[4]), [] as [[usize; 4]; 0]);
    }
}
