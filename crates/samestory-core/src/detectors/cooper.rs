//! Cooper's signature: the sum of the hash codes of the most informative terms of an article.
//!
//! A signature is that sum, then the terms, the rarest first, which verify equal sums.

use super::api::{Article, Comparer, Detector, Overlap, Wants};
use super::lookup::Lookup;
use super::parameters::{Missing, Parameters};
use super::sets::{self, Rule};
use super::vocabulary::{Entry, Vocabulary};
use crate::statistics::term_counts::Weights;
use crate::text::terms::Preparation;

#[derive(Clone, Debug)]
pub struct Cooper {
    salient: usize,
    threshold: f64,
    preparation: Preparation,
    weights: Weights,
}

impl Cooper {
    pub fn from_parameters(parameters: &Parameters) -> Result<Self, Missing> {
        let preparation = parameters.preparation()?;
        Ok(Cooper {
            salient: parameters.count("salient")?,
            threshold: parameters.number("threshold")?,
            preparation,
            weights: parameters.weights(preparation.stem)?,
        })
    }
}

/// Java's hash code of a string: 31 times the previous value, plus the next UTF-16 unit.
fn java_hash(word: &str) -> u32 {
    word.encode_utf16().fold(0, |hash: u32, unit| hash.wrapping_mul(31).wrapping_add(u32::from(unit)))
}

impl Detector for Cooper {
    fn wants(&self) -> Wants {
        Wants::Text
    }

    fn sign(&self, article: &Article, signature: &mut Vec<u32>) {
        let mut own = Vocabulary::weighed(self.preparation, &self.weights, article);
        if own.terms.iter().all(|entry| entry.idf == 0.0) {
            return;
        }
        if own.terms.len() > self.salient {
            own.order(self.salient, Entry::weight);
            own.terms.truncate(self.salient);
        }
        Vocabulary::rarest_first(&mut own.terms);
        let mut word = String::new();
        let sum = own.terms.iter().fold(0u32, |sum, entry| {
            own.word(entry, &mut word);
            sum.wrapping_add(java_hash(&word))
        });
        signature.push(sum);
        signature.extend(own.terms.iter().map(Entry::short));
    }

    fn is_well_formed(&self, signature: &[u32]) -> bool {
        signature.len() != 1 && signature.len() <= 1 + self.salient
    }

    fn keys(&self, signature: &[u32], keys: &mut Vec<u64>) {
        if let Some((&sum, terms)) = signature.split_first() {
            if self.threshold >= 1.0 {
                keys.push(sets::key(sum));
            } else {
                sets::keys(&terms[..sets::prefix(self.threshold, terms.len())], keys);
            }
        }
    }

    fn comparer(&self) -> Box<dyn Comparer + '_> {
        Box::new(Salient { threshold: self.threshold, terms: 0, lookup: Lookup::default() })
    }
}

struct Salient {
    threshold: f64,
    terms: usize,
    lookup: Lookup,
}

impl Comparer for Salient {
    fn load(&mut self, left: &[u32]) {
        let terms = left.get(1..).unwrap_or(&[]);
        self.terms = terms.len();
        self.lookup.load(terms);
    }

    fn compare(&mut self, right: &[u32]) -> Overlap {
        let right = right.get(1..).unwrap_or(&[]);
        sets::decide(Rule::Resembles, self.threshold, self.lookup.common(right), self.terms, right.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hash_code_of_java() {
        assert_eq!(java_hash("hello"), 99_162_322);
        assert_eq!(java_hash("😀"), 31 * 0xD83D + 0xDE00);
        assert_eq!(java_hash(""), 0);
    }
}
