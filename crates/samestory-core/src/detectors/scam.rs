//! SCAM: compares the frequencies of the words that two articles use about equally often.
//!
//! A signature is the sum of the squares of the frequencies, then the words, then their frequencies.
//!
//! All words are keys: a short article may be contained in a long one by words that nearly all articles have. But words
//! that occur once have other keys than words that occur more often, and the prefix filter (`required_overlap`) skips the
//! posting lists of the commonest words: a word of frequency F adds at most F times the highest frequency that is still
//! close to it.

use std::sync::Arc;

use super::api::{Article, Comparer, Detector, Overlap, Wants};
use super::lookup::Lookup;
use super::parameters::{Missing, Parameters};
use super::plan::CandidatePlan;
use super::plan_parts::{PrefixFilter, RequiredOverlap};
use super::sets;
use super::vocabulary::{Entry, Vocabulary};
use crate::base::hash;
use crate::text::terms::Preparation;

#[derive(Clone, Debug)]
pub struct Scam {
    epsilon: f64,
    threshold: f64,
    ceiling: usize,
    preparation: Preparation,
}

impl Scam {
    pub fn from_parameters(parameters: &Parameters) -> Result<Self, Missing> {
        Ok(Scam {
            epsilon: parameters.number("epsilon")?,
            threshold: parameters.number("threshold")?,
            ceiling: parameters.count("ceiling")?,
            preparation: parameters.preparation()?,
        })
    }
}

/// Numbers in front of the words.
const HEAD: usize = 2;

/// The highest frequency that is close to this one.
fn highest_close(count: u32, epsilon: f64) -> u32 {
    let ratio = (epsilon + (epsilon * epsilon - 4.0).sqrt()) / 2.0;
    let mut highest = ((f64::from(count) * ratio).ceil() as u32).max(count);
    while highest > count && !is_close(count, highest, epsilon) {
        highest -= 1;
    }
    highest
}

/// Whether two frequencies are about equal.
fn is_close(one: u32, other: u32, epsilon: f64) -> bool {
    let (one, other) = (f64::from(one), f64::from(other));
    epsilon - (one / other + other / one) > 0.0
}

struct Frequencies<'a> {
    squares: f64,
    words: &'a [u32],
    counts: &'a [u32],
}

impl<'a> Frequencies<'a> {
    fn read(signature: &'a [u32]) -> Self {
        let (head, rest) = signature.split_at(HEAD);
        let (words, counts) = rest.split_at(rest.len() / 2);
        Frequencies { squares: (u64::from(head[0]) | u64::from(head[1]) << 32) as f64, words, counts }
    }
}

impl Detector for Scam {
    fn wants(&self) -> Wants {
        Wants::Text
    }

    fn sign(&self, article: &Article, signature: &mut Vec<u32>) {
        let mut terms = Vocabulary::new(self.preparation, article).terms;
        if terms.is_empty() {
            return;
        }
        terms.sort_unstable_by_key(Entry::short);
        let squares: u64 = terms.iter().map(|entry| u64::from(entry.count).pow(2)).sum();
        signature.extend([squares as u32, (squares >> 32) as u32]);
        signature.extend(terms.iter().map(Entry::short));
        signature.extend(terms.iter().map(|entry| entry.count));
    }

    fn is_well_formed(&self, signature: &[u32]) -> bool {
        signature.is_empty() || signature.len() > HEAD && (signature.len() - HEAD) % 2 == 0
    }

    fn keys(&self, signature: &[u32], keys: &mut Vec<u64>) {
        if signature.is_empty() {
            return;
        }
        let Frequencies { words, counts, .. } = Frequencies::read(signature);
        // a frequency of one is close only to a frequency of one, unless epsilon is large
        let once_apart = highest_close(1, self.epsilon) == 1;
        keys.extend(
            words
                .iter()
                .zip(counts)
                .map(|(&word, &count)| hash::numbered(u64::from(once_apart && count == 1), u64::from(word))),
        );
    }

    fn candidate_plan(&self) -> CandidatePlan {
        // under a ceiling the number of shared words is unknown
        match self.ceiling {
            0 => CandidatePlan { prefix_filter: Some(Arc::new(self.clone())), ..CandidatePlan::default() },
            ceiling => CandidatePlan::default().with_ceiling(ceiling),
        }
    }

    fn comparer(&self) -> Box<dyn Comparer + '_> {
        Box::new(Relative { detector: self, left: vec![], lookup: Lookup::default() })
    }
}

impl PrefixFilter for Scam {
    fn required_overlap(&self, signature: &[u32], overlap: &mut RequiredOverlap) {
        overlap.max_gains.clear();
        overlap.needed = 0.0;
        if signature.is_empty() {
            return;
        }
        let Frequencies { squares, counts, .. } = Frequencies::read(signature);
        let max_gain = |&count: &u32| count.saturating_mul(highest_close(count, self.epsilon));
        overlap.max_gains.extend(counts.iter().map(max_gain));
        overlap.needed = self.threshold * squares;
    }
}

struct Relative<'a> {
    detector: &'a Scam,
    left: Vec<u32>,
    lookup: Lookup,
}

impl Comparer for Relative<'_> {
    fn load(&mut self, left: &[u32]) {
        self.left.clear();
        self.left.extend_from_slice(left);
        if !left.is_empty() {
            self.lookup.load(Frequencies::read(left).words);
        }
    }

    fn compare(&mut self, right: &[u32]) -> Overlap {
        if let Some(known) = Overlap::without(self.left.is_empty(), right.is_empty()) {
            return known;
        }
        let (left, right) = (Frequencies::read(&self.left), Frequencies::read(right));
        let mut common = 0;
        self.lookup.matches(right.words, |here, there| {
            let (one, other) = (left.counts[here], right.counts[there]);
            if is_close(one, other, self.detector.epsilon) {
                common += u64::from(one) * u64::from(other);
            }
        });
        let share = |of: f64| (common as f64 / of).min(1.0);
        sets::contains(share(left.squares), share(right.squares), self.detector.threshold)
    }
}
