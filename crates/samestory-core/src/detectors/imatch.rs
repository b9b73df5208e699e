//! I-Match: one SHA-1 over the terms of an article that are neither common nor odd; equal digests, same story.
//!
//! A signature is the five words of the digest.

use sha1::{Digest, Sha1};

use super::equal::Equal;
use super::{Article, Comparer, Detector, Kind, Missing, Parameters, Wants};
use crate::frequencies::Weights;
use crate::text::terms::{Preparation, Term};

/// Which terms are taken.
#[derive(Clone, Debug)]
enum Choice {
    /// Those whose idf, as a share of the highest there can be, lies in a band.
    Band { low: f64, high: f64 },
    /// By falling idf, so many behind the first few, which are likely misspelt.
    Top { skip: usize, count: usize },
}

#[derive(Clone, Debug)]
pub struct IMatch {
    choice: Choice,
    preparation: Preparation,
    weights: Weights,
}

impl IMatch {
    pub fn band(parameters: &Parameters) -> Result<Self, Missing> {
        Self::of(parameters, Choice::Band { low: parameters.number("low")?, high: parameters.number("high")? })
    }

    pub fn top(parameters: &Parameters) -> Result<Self, Missing> {
        Self::of(parameters, Choice::Top { skip: parameters.count("skip")?, count: parameters.count("count")? })
    }

    fn of(parameters: &Parameters, choice: Choice) -> Result<Self, Missing> {
        let preparation = parameters.preparation()?;
        Ok(IMatch { choice, preparation, weights: parameters.weights(preparation.stem)? })
    }
}

impl Detector for IMatch {
    fn wants(&self) -> Wants {
        Wants::Text
    }

    fn sign(&self, article: &Article, signature: &mut Vec<u32>) {
        let mut terms: Vec<Term> = vec![];
        self.preparation.terms(article, |term| terms.push(term));
        terms.sort_unstable_by_key(|term| term.hash);
        terms.dedup_by_key(|term| term.hash);
        let mut words = match self.choice {
            Choice::Band { low, high } => {
                let most = self.weights.most.max(f64::MIN_POSITIVE);
                terms.retain(|term| (low..=high).contains(&(self.weights.idf(term.hash) / most)));
                self.words(article, &terms)
            }
            Choice::Top { skip, count } => {
                let mut weighed: Vec<(f64, String)> =
                    terms.iter().map(|term| self.weights.idf(term.hash)).zip(self.words(article, &terms)).collect();
                weighed.sort_unstable_by(|x, y| y.0.total_cmp(&x.0).then_with(|| x.1.cmp(&y.1)));
                weighed.into_iter().skip(skip).take(count).map(|(_, word)| word).collect()
            }
        };
        if !words.is_empty() {
            words.sort_unstable();
            signature.extend(digest(&words));
        }
    }

    fn keys(&self, signature: &[u32], keys: &mut Vec<u64>) {
        Equal::keys(signature, keys);
    }

    fn comparer(&self) -> Box<dyn Comparer + '_> {
        Equal::comparer(Kind::Near)
    }
}

impl IMatch {
    fn words(&self, article: &Article, terms: &[Term]) -> Vec<String> {
        terms
            .iter()
            .map(|term| {
                let mut word = String::new();
                self.preparation.write(article, term, &mut word);
                word
            })
            .collect()
    }
}

/// SHA-1 of sorted words, one a line.
pub fn digest(words: &[String]) -> impl Iterator<Item = u32> {
    let digest: [u8; 20] = Sha1::digest(words.join("\n").as_bytes()).into();
    (0..5).map(move |at| u32::from_be_bytes(digest[4 * at..4 * at + 4].try_into().expect("four bytes")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_digest_of_the_worked_example() {
        let words = ["day", "increase", "nasdaq", "starts"].map(String::from);
        let hex: String = digest(&words).map(|part| format!("{part:08x}")).collect();
        assert_eq!(hex, "d132e1d0ebc8d2e0bbb371684110ceb568df4b21");
    }
}
