//! The sketch of digital syntactic clustering: Rabin fingerprints of an article's word runs, sampled by value.

use super::api::Article;
use super::parameters::{Missing, Parameters};
use crate::base::rabin::{Mark, Reader};
use crate::text::terms::Preparation;

#[derive(Clone, Debug)]
pub struct Sketch {
    shingle: usize,
    modulus: u64,
    /// The most fingerprints that are kept; 0 for all.
    smallest: usize,
}

impl Sketch {
    pub fn from_parameters(parameters: &Parameters, smallest: usize) -> Result<Self, Missing> {
        Ok(Sketch { shingle: parameters.count("shingle")?, modulus: parameters.count("modulus")? as u64, smallest })
    }

    /// The fingerprints that are kept, ascending: those divisible by the modulus; all, if none is.
    pub fn fingerprints(&self, article: &Article) -> Vec<u64> {
        let every = self.every(article);
        let mut kept: Vec<u64> = every.iter().copied().filter(|fingerprint| fingerprint % self.modulus == 0).collect();
        let limit = if kept.is_empty() || self.smallest == 0 { usize::MAX } else { self.smallest };
        if kept.is_empty() {
            kept = every;
        }
        kept.sort_unstable();
        kept.dedup();
        kept.truncate(limit);
        kept
    }

    /// The fingerprint of every run of words, joined by blanks. Every word is read once.
    fn every(&self, article: &Article) -> Vec<u64> {
        let preparation = Preparation::default();
        let (mut reader, mut word) = (Reader::default(), String::new());
        let mut places: Vec<(Mark, Mark)> = Vec::with_capacity(article.tokens.len());
        preparation.terms(article, |term| {
            preparation.write(article, &term, &mut word);
            if !places.is_empty() {
                reader.read(b" ");
            }
            let start = reader.mark();
            reader.read(word.as_bytes());
            places.push((start, reader.mark()));
        });
        let width = self.shingle.min(places.len()).max(1);
        let lasts = places.iter().skip(width - 1);
        places.iter().zip(lasts).map(|(first, last)| reader.between(first.0, last.1)).collect()
    }
}
