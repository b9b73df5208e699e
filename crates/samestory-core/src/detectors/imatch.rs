//! I-Match: one SHA-1 over the terms of an article that are neither common nor very rare; equal digests, same story.
//! With random lexicons there are several digests: each lexicon omits some terms, and one equal digest is enough.
//!
//! A signature is the five 32-bit words of every digest, zeros for a lexicon that has none of the terms.

use sha1::{Digest, Sha1};

use super::api::{Article, Comparer, Detector, Overlap, Wants};
use super::equal;
use super::pairwise;
use super::parameters::{Missing, Parameters};
use super::vocabulary::{Entry, Vocabulary};
use crate::base::hash;
use crate::statistics::term_counts::Weights;
use crate::text::terms::Preparation;

/// Words in a digest.
const DIGEST: usize = 5;

/// How terms are selected.
#[derive(Clone, Debug)]
enum Choice {
    /// Those whose idf, as a share of the highest possible, lies in a band; they must be at least a share `least` of
    /// all.
    Band { low: f64, high: f64, least: f64 },
    /// By falling idf, a fixed number behind the first few, which are likely misspelt.
    Top { skip: usize, count: usize },
}

#[derive(Clone, Debug)]
pub struct IMatch {
    choice: Choice,
    /// Number of lexicons in addition to the complete one.
    lexicons: u64,
    /// The share of terms that each of them omits.
    drop: f64,
    preparation: Preparation,
    weights: Weights,
}

impl IMatch {
    pub fn band(parameters: &Parameters) -> Result<Self, Missing> {
        let (low, high) = (parameters.number("low")?, parameters.number("high")?);
        Self::new(parameters, Choice::Band { low, high, least: 0.0 })
    }

    pub fn top(parameters: &Parameters) -> Result<Self, Missing> {
        Self::new(parameters, Choice::Top { skip: parameters.count("skip")?, count: parameters.count("count")? })
    }

    pub fn random(parameters: &Parameters) -> Result<Self, Missing> {
        let (low, high) = (parameters.number("low")?, parameters.number("high")?);
        let one = Self::new(parameters, Choice::Band { low, high, least: parameters.number("least")? })?;
        Ok(IMatch { lexicons: parameters.count("lexicons")? as u64, drop: parameters.number("drop")?, ..one })
    }

    fn new(parameters: &Parameters, choice: Choice) -> Result<Self, Missing> {
        let preparation = parameters.preparation()?;
        let weights = parameters.weights(preparation.stem)?;
        Ok(IMatch { choice, lexicons: 0, drop: 0.0, preparation, weights })
    }

    fn choose(&self, own: &mut Vocabulary) -> Vec<Entry> {
        match self.choice {
            Choice::Band { low, high, least } => {
                let most = self.weights.most;
                let is_in = |entry: &&Entry| most > 0.0 && (low..=high).contains(&(entry.idf / most));
                let chosen: Vec<Entry> = own.terms.iter().filter(is_in).copied().collect();
                let share = chosen.len() as f64 / own.terms.len() as f64;
                if share >= least {
                    chosen
                } else {
                    vec![]
                }
            }
            Choice::Top { skip, count } => {
                own.order(skip + count, |entry| entry.idf);
                own.terms.iter().skip(skip).take(count).copied().collect()
            }
        }
    }

    /// Whether a lexicon has a term; the first lexicon has all.
    fn has(&self, lexicon: u64, term: u64) -> bool {
        lexicon == 0 || hash::numbered(lexicon, term) as f64 / 2f64.powi(64) >= self.drop
    }
}

impl Detector for IMatch {
    fn wants(&self) -> Wants {
        Wants::Text
    }

    fn sign(&self, article: &Article, signature: &mut Vec<u32>) {
        let mut own = Vocabulary::weighed(self.preparation, &self.weights, article);
        let chosen = self.choose(&mut own);
        if chosen.is_empty() {
            return;
        }
        let words = own.words(&chosen);
        let mut lines = String::new();
        for lexicon in 0..=self.lexicons {
            lines.clear();
            for (_, word) in words.iter().filter(|&(which, _)| self.has(lexicon, chosen[which].term.hash)) {
                lines.push_str(word);
                lines.push('\n');
            }
            signature.extend(if lines.is_empty() { [0; DIGEST] } else { digest(lines.trim_end_matches('\n')) });
        }
    }

    fn is_well_formed(&self, signature: &[u32]) -> bool {
        signature.is_empty() || signature.len() == DIGEST * (self.lexicons as usize + 1)
    }

    fn keys(&self, signature: &[u32], keys: &mut Vec<u64>) {
        for (lexicon, digest) in
            signature.chunks_exact(DIGEST).enumerate().filter(|(_, digest)| **digest != [0; DIGEST])
        {
            equal::keys(digest, keys);
            if let Some(key) = keys.last_mut().filter(|_| lexicon > 0) {
                *key = hash::numbered(lexicon as u64, *key);
            }
        }
    }

    fn comparer(&self) -> Box<dyn Comparer + '_> {
        pairwise::comparer(compare)
    }
}

/// SHA-1 of sorted words, one a line.
fn digest(lines: &str) -> [u32; DIGEST] {
    let digest: [u8; 4 * DIGEST] = Sha1::digest(lines.as_bytes()).into();
    std::array::from_fn(|at| u32::from_be_bytes(digest[4 * at..4 * at + 4].try_into().expect("four bytes")))
}

/// Near if any lexicon yields equal digests; the share is relative to the lexicons that yield a digest for both.
fn compare(left: &[u32], right: &[u32]) -> Overlap {
    if let Some(known) = Overlap::without(left.is_empty(), right.is_empty()) {
        return known;
    }
    let (mut both, mut agreeing) = (0, 0);
    for (one, other) in left.chunks_exact(DIGEST).zip(right.chunks_exact(DIGEST)) {
        both += usize::from(*one != [0; DIGEST] && *other != [0; DIGEST]);
        agreeing += usize::from(*one != [0; DIGEST] && one == other);
    }
    let share = agreeing as f64 / both.max(1) as f64;
    Overlap::near_if(agreeing > 0, share, share, share)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_digest_of_the_worked_example() {
        let hex: String = digest("day\nincrease\nnasdaq\nstarts").iter().map(|part| format!("{part:08x}")).collect();
        assert_eq!(hex, "d132e1d0ebc8d2e0bbb371684110ceb568df4b21");
    }
}
