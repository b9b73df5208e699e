//! Lexical signatures: about five words that identify an article, usable as a search query for it.
//!
//! A signature is the words, sorted.

use super::api::{Article, Comparer, Detector, Overlap, Wants};
use super::pairwise;
use super::parameters::{Missing, Parameters};
use super::plan::CandidatePlan;
use super::sets;
use super::vocabulary::{Entry, Vocabulary};
use crate::base::sorted::common;
use crate::base::sorted::sorted;
use crate::statistics::term_counts::Weights;
use crate::text::terms::Preparation;

/// The largest frequency that counts (Phelps and Wilensky): a word must not win by being repeated.
const CAP: u32 = 5;

/// The weight by which words are selected after the rarest ones.
#[derive(Clone, Copy, Debug)]
enum Weighing {
    Frequency,
    Rarity,
    Both,
    Capped,
}

#[derive(Clone, Debug)]
pub struct Park {
    /// Number of words selected by rarity, before those selected by weight.
    rare: usize,
    weighing: Weighing,
    words: usize,
    threshold: f64,
    preparation: Preparation,
    weights: Weights,
}

impl Park {
    pub fn from_parameters(parameters: &Parameters) -> Result<Self, Missing> {
        let preparation = parameters.preparation()?;
        let (rare, weighing) = match parameters.text("variant")? {
            "tf" => (0, Weighing::Frequency),
            "df" => (0, Weighing::Rarity),
            "tfidf" => (0, Weighing::Both),
            "pw" => (0, Weighing::Capped),
            "df1tf4" => (1, Weighing::Frequency),
            "df2tf3" => (2, Weighing::Frequency),
            "df1tfidf4" => (1, Weighing::Both),
            "df2tfidf3" => (2, Weighing::Both),
            _ => return Err("variant".to_owned()),
        };
        Ok(Park {
            rare,
            weighing,
            words: parameters.count("words")?,
            threshold: parameters.number("threshold")?,
            preparation,
            weights: parameters.weights(preparation.stem)?,
        })
    }

    fn weight(&self, entry: &Entry) -> f64 {
        match self.weighing {
            Weighing::Frequency => f64::from(entry.count),
            Weighing::Rarity => entry.idf,
            Weighing::Both => entry.weight(),
            Weighing::Capped => f64::from(entry.count.min(CAP)) * entry.idf,
        }
    }
}

impl Detector for Park {
    fn wants(&self) -> Wants {
        Wants::Text
    }

    fn sign(&self, article: &Article, signature: &mut Vec<u32>) {
        let mut own = Vocabulary::weighed(self.preparation, &self.weights, article);
        if own.terms.iter().all(|entry| self.weight(entry) == 0.0) {
            return;
        }
        let mut chosen: Vec<u32> = Vec::with_capacity(self.words);
        let rare = self.rare.min(self.words);
        if rare > 0 {
            own.order(rare, |entry| entry.idf);
            chosen.extend(own.terms.drain(..rare.min(own.terms.len())).map(|entry| entry.short()));
        }
        own.order(self.words - rare, |entry| self.weight(entry));
        chosen.extend(own.terms.iter().take(self.words - rare).map(Entry::short));
        signature.extend(sorted(chosen));
    }

    fn is_well_formed(&self, signature: &[u32]) -> bool {
        sets::is_set(signature)
    }

    fn keys(&self, signature: &[u32], keys: &mut Vec<u64>) {
        sets::keys(signature, keys);
    }

    fn candidate_plan(&self) -> CandidatePlan {
        sets::plan(self.threshold)
    }

    fn comparer(&self) -> Box<dyn Comparer + '_> {
        pairwise::comparer(|left, right| {
            if let Some(known) = Overlap::without(left.is_empty(), right.is_empty()) {
                return known;
            }
            let common = common(left, right) as f64;
            let (forward, backward) = (common / left.len() as f64, common / right.len() as f64);
            let share = forward.max(backward);
            Overlap::near_if(share >= self.threshold, forward, backward, share)
        })
    }
}
