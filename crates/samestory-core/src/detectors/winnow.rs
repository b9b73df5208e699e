//! Winnowing: of every window of hashes of character runs the smallest is kept, so that any common run of text as long
//! as a window and a gram is always detected, at any position.

use super::api::Article;
use super::parameters::{Missing, Parameters};
use super::set_detector::SetFeatures;
use crate::base::hash;
use crate::base::sorted::sorted;
use crate::text::terms;

#[derive(Clone, Debug)]
pub struct Winnow {
    gram: usize,
    window: usize,
}

impl Winnow {
    pub fn from_parameters(parameters: &Parameters) -> Result<Self, Missing> {
        Ok(Winnow { gram: parameters.count("gram")?, window: parameters.count("window")? })
    }
}

/// Calls `each` with the index of the smallest hash of every window, the rightmost of equal ones, each index once; if
/// there are fewer hashes than a window has, they are one window.
fn select(hashes: &[u64], window: usize, mut each: impl FnMut(usize)) {
    let least_of = |from: usize, to: usize| (from..to).rev().min_by_key(|&at| hashes[at]);
    let window = window.min(hashes.len());
    let Some(mut least) = least_of(0, window) else { return };
    each(least);
    for last in window..hashes.len() {
        let first = last + 1 - window;
        if hashes[last] <= hashes[least] {
            least = last;
        } else if least < first {
            least = least_of(first, last + 1).unwrap_or(last);
        } else {
            continue;
        }
        each(least);
    }
}

impl SetFeatures for Winnow {
    fn features(&self, article: &Article) -> Vec<u32> {
        let text = terms::letters_and_digits(article);
        let mut hashes = Vec::with_capacity(text.len());
        terms::hashed_runs(&text, self.gram, |hash| hashes.push(hash::numbered(0, hash)));
        let mut kept = Vec::with_capacity(2 * hashes.len() / (self.window + 1) + 1);
        // the low half: the smallest hashes are similar in their highest bits
        select(&hashes, self.window, |place| kept.push(hashes[place] as u32));
        sorted(kept)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn selected(hashes: &[u64], window: usize) -> Vec<(u64, usize)> {
        let mut out = vec![];
        select(hashes, window, |place| out.push((hashes[place], place)));
        out
    }

    #[test]
    fn the_fingerprints_of_the_worked_example() {
        let hashes = [77, 72, 42, 17, 98, 50, 17, 98, 8, 88, 67, 39, 77, 72, 42, 17, 98];
        assert_eq!(selected(&hashes, 4), [(17, 3), (17, 6), (8, 8), (39, 11), (17, 15)]);
        assert_eq!(selected(&[3, 1, 1], 4), [(1, 2)]);
        assert_eq!(selected(&[5, 5, 5], 2), [(5, 1), (5, 2)]);
        assert_eq!(selected(&[], 4), []);
    }

    #[test]
    fn the_places_are_those_of_every_window_looked_at_by_itself() {
        for values in [2, 5, 1000] {
            let hashes: Vec<u64> = (0..400).map(|at| hash::numbered(values, at) % values).collect();
            for window in [1, 2, 3, 7, 50, 400, 500] {
                let mut expected = vec![];
                for (first, seen) in hashes.windows(window.min(hashes.len())).enumerate() {
                    let least = *seen.iter().min().expect("not empty");
                    let place = first + seen.iter().rposition(|&hash| hash == least).expect("in the window");
                    if expected.last() != Some(&(least, place)) {
                        expected.push((least, place));
                    }
                }
                assert_eq!(selected(&hashes, window), expected, "{values} {window}");
            }
        }
    }
}
