//! KOALA: all runs of twenty letters, or the least frequent of them.
//!
//! A signature of the full form is the sorted set; one of the selective form is the number of runs stored, these
//! sorted, then the runs searched, sorted.

use std::sync::Arc;

use super::api::{Article, Comparer, Detector, Overlap, Wants};
use super::pairwise;
use super::parameters::{Missing, Parameters};
use super::plan::CandidatePlan;
use super::plan_parts::Quorum;
use super::sets::{self, Rule};
use crate::base::hash;
use crate::base::sorted::common;
use crate::base::sorted::sorted;
use crate::statistics::term_counts::Frequencies;
use crate::text::shingles;
use crate::text::terms::{self, STEM};

#[derive(Clone, Debug)]
pub struct Koala {
    letters: usize,
    threshold: f64,
    selection: Option<Selection>,
}

/// How many of the least frequent runs are stored and searched; the frequency of a run is that of its first five
/// letters.
#[derive(Clone, Debug)]
struct Selection {
    stored: usize,
    searched: usize,
    frequencies: Arc<Frequencies>,
}

impl Koala {
    pub fn from_parameters(parameters: &Parameters) -> Result<Self, Missing> {
        let selection = match parameters.text("form")? {
            "full" => None,
            "selective" => Some(Selection {
                stored: parameters.count("stored")?,
                searched: parameters.count("searched")?,
                frequencies: parameters.frequencies.clone().ok_or("frequencies")?,
            }),
            _ => return Err("form".into()),
        };
        Ok(Koala { letters: parameters.count("letters")?, threshold: parameters.number("threshold")?, selection })
    }
}

impl Selection {
    /// The hashes of all distinct runs by ascending frequency, equal frequencies alphabetically.
    fn rarest(&self, text: &str, letters: &[u32], width: usize) -> Vec<u32> {
        let mut frequencies = vec![];
        if width >= STEM {
            terms::hashed_runs(text, STEM, |run| frequencies.push(self.frequencies.letters.get(run).unwrap_or(0)));
        }
        // the frequency and the first letters in one number, which decides nearly always
        let begins = |at: usize| letters[at..at + width.min(4)].iter().fold(0, |n, &c| n << 21 | u128::from(c));
        let mut runs = Vec::with_capacity(letters.len());
        hash::shingles(letters, u32::MAX, width, |at, run| {
            let frequency = frequencies.get(at).copied().unwrap_or(0);
            runs.push((u128::from(frequency) << 84 | begins(at), at as u32, (run >> 32) as u32));
        });
        let run = |at: u32| &letters[at as usize..at as usize + width];
        runs.sort_unstable_by(|x, y| x.0.cmp(&y.0).then_with(|| run(x.1).cmp(run(y.1))));
        runs.dedup_by_key(|run| run.2);
        runs.into_iter().map(|run| run.2).collect()
    }
}

impl Detector for Koala {
    fn wants(&self) -> Wants {
        Wants::Text
    }

    fn sign(&self, article: &Article, signature: &mut Vec<u32>) {
        let text = terms::letters(article);
        let letters: Vec<u32> = text.chars().map(u32::from).collect();
        if letters.is_empty() {
            return;
        }
        match &self.selection {
            None => signature.extend(shingles::shingles(&letters, self.letters)),
            Some(selection) => {
                let mut runs = selection.rarest(&text, &letters, self.letters.min(letters.len()));
                runs.truncate(selection.searched);
                let stored = sorted(runs[..selection.stored.min(runs.len())].to_vec());
                signature.push(stored.len() as u32);
                signature.extend(stored);
                signature.extend(sorted(runs));
            }
        }
    }

    fn is_well_formed(&self, signature: &[u32]) -> bool {
        match (&self.selection, signature.split_first()) {
            (None, _) => sets::is_set(signature),
            (_, None) => true,
            (_, Some((&stored, runs))) => runs.split_at_checked(stored as usize).is_some_and(|(stored, searched)| {
                stored.len() <= searched.len() && sets::is_set(stored) && sets::is_set(searched)
            }),
        }
    }

    fn keys(&self, signature: &[u32], keys: &mut Vec<u64>) {
        sets::keys(if self.selection.is_some() { parts(signature).1 } else { signature }, keys);
    }

    fn candidate_plan(&self) -> CandidatePlan {
        // the article with fewer searched runs stores no more than the other, and any match is searched by both
        let stored = self.selection.as_ref().map_or(usize::MAX, |selection| selection.stored);
        let threshold = self.threshold;
        CandidatePlan::with_quorum(Quorum::new(move |fewer| sets::quorum(threshold, fewer.min(stored))))
    }

    fn comparer(&self) -> Box<dyn Comparer + '_> {
        match self.selection {
            None => sets::comparer(Rule::Contains, self.threshold),
            Some(_) => pairwise::comparer(|left, right| search(left, right, self.threshold)),
        }
    }
}

/// The stored runs and the searched runs of a signature.
fn parts(signature: &[u32]) -> (&[u32], &[u32]) {
    signature.split_first().map_or((&[], &[]), |(&stored, runs)| runs.split_at(stored as usize))
}

/// The stored runs of each signature among the searched runs of the other.
fn search(left: &[u32], right: &[u32], threshold: f64) -> Overlap {
    let ((stored, searched), (others, in_others)) = (parts(left), parts(right));
    if stored.is_empty() || others.is_empty() {
        return sets::decide(Rule::Contains, threshold, 0, stored.len(), others.len());
    }
    let forward = common(stored, in_others) as f64 / stored.len() as f64;
    let backward = common(others, searched) as f64 / others.len() as f64;
    sets::contains(forward, backward, threshold)
}
