//! SpotSigs: at every stop word the chain of the next content words; compared as multisets, by Jaccard.
//!
//! A multiset is the set of its spots with their numbers (the first "a:rally:kick", the second, ...): two multisets
//! have as many of those in common as they have spots, so that the filters of sets apply.

use super::api::Article;
use super::parameters::{Missing, Parameters};
use super::set_detector::SetFeatures;
use crate::base::hash;
use crate::base::sorted::sorted;
use crate::text::stop_words;

#[derive(Clone, Debug)]
pub struct SpotSigs {
    distance: usize,
    chain: usize,
}

impl SpotSigs {
    pub fn from_parameters(parameters: &Parameters) -> Result<Self, Missing> {
        Ok(SpotSigs { distance: parameters.count("distance")?, chain: parameters.count("chain")? })
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

impl SetFeatures for SpotSigs {
    fn features(&self, article: &Article) -> Vec<u32> {
        let mut spots = self.spots(article);
        spots.sort_unstable();
        let counted = spots.chunk_by(|x, y| x == y).flat_map(|equal| (0..).zip(equal));
        sorted(counted.map(|(n, &spot)| (hash::numbered(n, spot) >> 32) as u32).collect())
    }
}
