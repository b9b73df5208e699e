//! SpotSigs: at every stop word the chain of the next content words; compared as multisets, by Jaccard.
//!
//! A multiset is the set of its spots with their numbers (the first "a:rally:kick", the second, ...): two multisets
//! have as many of those in common as they have spots, so that the filters of sets apply.

use super::api::{Article, Comparer, Detector, Wants};
use super::parameters::{Missing, Parameters};
use super::plan::CandidatePlan;
use super::sets::{self, Rule};
use crate::base::hash;
use crate::base::sorted::sorted;
use crate::text::stop_words;

#[derive(Clone, Debug)]
pub struct SpotSigs {
    distance: usize,
    chain: usize,
    threshold: f64,
}

impl SpotSigs {
    pub fn of(parameters: &Parameters) -> Result<Self, Missing> {
        Ok(SpotSigs {
            distance: parameters.count("distance")?,
            chain: parameters.count("chain")?,
            threshold: parameters.number("threshold")?,
        })
    }

    /// The hashes of the spots; an incomplete chain at the end of the text is dropped.
    fn spots(&self, article: &Article) -> Vec<u64> {
        let stops = stop_words::bit(article.language);
        if stops == 0 {
            return vec![];
        }
        // the content words, and every stop word with the number of content words before it
        let (mut content, mut antecedents) = (vec![], vec![]);
        for token in article.tokens {
            let word = (token.base >> 32) as u32;
            if stop_words::languages_of(token.base) & stops == 0 {
                content.push(word);
            } else {
                antecedents.push((word, content.len()));
            }
        }
        let (mut spot, mut out) = (vec![], Vec::with_capacity(antecedents.len()));
        for (word, before) in antecedents {
            spot.clear();
            spot.push(word);
            let behind = content.iter().skip(before + self.distance - 1);
            spot.extend(behind.step_by(self.distance).take(self.chain));
            if spot.len() == self.chain + 1 {
                out.push(hash::sequence(&spot, 0));
            }
        }
        out
    }
}

impl Detector for SpotSigs {
    fn wants(&self) -> Wants {
        Wants::Text
    }

    fn sign(&self, article: &Article, signature: &mut Vec<u32>) {
        let mut spots = self.spots(article);
        spots.sort_unstable();
        let counted = spots.chunk_by(|x, y| x == y).flat_map(|equal| (0..).zip(equal));
        signature.extend(sorted(counted.map(|(n, &spot)| (hash::numbered(n, spot) >> 32) as u32).collect()));
    }

    fn is_well_formed(&self, signature: &[u32]) -> bool {
        sets::is_set(signature)
    }

    fn keys(&self, signature: &[u32], keys: &mut Vec<u64>) {
        sets::keys(signature, keys);
    }

    /// Multisets of which one is much larger cannot resemble each other: |A ∩ B| / |A ∪ B| <= |A| / |B|.
    fn admits(&self, left: &[u32], right: &[u32], _shared: usize, _fewer: usize) -> bool {
        let (less, more) = (left.len().min(right.len()), left.len().max(right.len()));
        less >= sets::reaching(self.threshold, more)
    }

    fn candidate_plan(&self) -> CandidatePlan {
        CandidatePlan { required: Some(sets::share(self.threshold)), ..sets::plan(self.threshold) }
    }

    fn comparer(&self) -> Box<dyn Comparer + '_> {
        sets::comparer(Rule::Resembles, self.threshold)
    }
}
