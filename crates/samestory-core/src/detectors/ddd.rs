//! Feature sets of Conrad: date, length, and the sixty rarest words.
//!
//! A signature is the date, the number of words, and the rarest terms, the rarest first.

use super::api::{Article, Comparer, Detector, Overlap, Wants};
use super::lookup::Lookup;
use super::parameters::{Missing, Parameters};
use super::plan::CandidatePlan;
use super::vocabulary::{Entry, Vocabulary};
use super::{dates, sets};
use crate::base::hash;
use crate::base::time::DAY;
use crate::statistics::term_counts::Weights;
use crate::text::terms::Preparation;

/// Index of the first term in a signature.
const HEAD: usize = 3;

/// How vectors with fewer than the full number of terms are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Short {
    /// Relative to the larger of the two.
    Larger,
    /// Relative to the smaller of the two, with only as many of the rarest terms of the larger.
    Smaller,
    /// Padded to full length with terms that all short vectors share.
    Padded,
    /// Padded, but a minimum share of the smaller must be common without padding.
    Guarded,
    /// Relative to the larger; filled up with words that are not in the table.
    Unknown,
}

/// How near two related articles are: the most days between them, and the least ratio of their lengths.
#[derive(Clone, Copy, Debug)]
struct Likely {
    days: u64,
    length: f64,
}

impl Likely {
    /// Whether two articles are near enough in time, if both dates are known, and in length.
    fn admits(self, left: &[u32], right: &[u32]) -> bool {
        let day = |signature: &[u32]| dates::read(signature).map(|at| at.div_euclid(DAY));
        let ratio = f64::from(left[2].min(right[2])) / f64::from(left[2].max(right[2]));
        ratio >= self.length && dates::within(day(left), day(right), self.days)
    }
}

#[derive(Clone, Debug)]
pub struct Ddd {
    likely: Likely,
    terms: usize,
    threshold: f64,
    short: Short,
    least: usize,
    preparation: Preparation,
    weights: Weights,
}

impl Ddd {
    pub fn from_parameters(parameters: &Parameters) -> Result<Self, Missing> {
        let preparation = parameters.preparation()?;
        Ok(Ddd {
            likely: Likely { days: parameters.count("days")? as u64, length: parameters.number("length")? },
            terms: parameters.count("terms")?,
            threshold: parameters.number("threshold")?,
            short: match parameters.text("short")? {
                "a" => Short::Larger,
                "b" => Short::Smaller,
                "c-pad" => Short::Padded,
                "c-guarded" => Short::Guarded,
                "c-oov" => Short::Unknown,
                _ => return Err("short".to_owned()),
            },
            least: parameters.count("least")?,
            preparation,
            weights: parameters.weights(preparation.stem)?,
        })
    }

    /// The share that two vectors have in common.
    fn overlap(&self, left: usize, right: usize, lookup: &mut Lookup, terms: &[u32]) -> f64 {
        let fewer = left.min(right);
        if self.short == Short::Smaller {
            let mut common = 0;
            lookup.matches(&terms[..fewer], |here, _| common += usize::from(here < fewer));
            return common as f64 / fewer as f64;
        }
        let common = lookup.common(terms);
        if matches!(self.short, Short::Larger | Short::Unknown) {
            return common as f64 / left.max(right) as f64;
        }
        let padding = self.terms - left.max(right);
        let padded = (common + padding) as f64 / self.terms as f64;
        if self.short == Short::Padded {
            padded
        } else {
            padded.min(common as f64 / fewer as f64)
        }
    }
}

impl Detector for Ddd {
    fn wants(&self) -> Wants {
        Wants::Text
    }

    fn sign(&self, article: &Article, signature: &mut Vec<u32>) {
        let mut own = Vocabulary::weighed(self.preparation, &self.weights, article);
        if own.terms.len() < self.least.max(1) {
            return;
        }
        if self.short == Short::Unknown {
            // rarer than all others, but placed behind them
            let is_known = |entry: &Entry| self.weights.knows(entry.term.hash);
            own.order(self.terms, |entry| if is_known(entry) { entry.idf } else { -1.0 });
        } else {
            own.order(self.terms, |entry| entry.idf);
        }
        dates::write(article.published, signature);
        signature.push(article.tokens.len() as u32);
        signature.extend(own.terms.iter().take(self.terms).map(Entry::short));
    }

    fn is_well_formed(&self, signature: &[u32]) -> bool {
        signature.is_empty() || (HEAD + 1..=HEAD + self.terms).contains(&signature.len())
    }

    fn keys(&self, signature: &[u32], keys: &mut Vec<u64>) {
        let Some(terms) = signature.get(HEAD..) else {
            return;
        };
        let prefix = match self.short {
            Short::Padded | Short::Guarded => sets::prefix(self.threshold, self.terms).min(terms.len()),
            _ => sets::prefix(self.threshold, terms.len()),
        };
        sets::keys(&terms[..prefix], keys);
        if self.short == Short::Padded && terms.len() + sets::reaching(self.threshold, self.terms) <= self.terms {
            keys.push(hash::numbered(1, 0)); // so short that padding alone is enough: all are candidates
        }
    }

    fn candidate_plan(&self) -> CandidatePlan {
        let likely = self.likely;
        CandidatePlan::default().with_filter(move |left, right, _, _| likely.admits(left, right))
    }

    fn comparer(&self) -> Box<dyn Comparer + '_> {
        Box::new(Rarest { detector: self, left: vec![], lookup: Lookup::default() })
    }
}

struct Rarest<'a> {
    detector: &'a Ddd,
    left: Vec<u32>,
    lookup: Lookup,
}

impl Comparer for Rarest<'_> {
    fn load(&mut self, left: &[u32]) {
        self.left.clear();
        self.left.extend_from_slice(left);
        self.lookup.load(left.get(HEAD..).unwrap_or(&[]));
    }

    fn compare(&mut self, right: &[u32]) -> Overlap {
        if let Some(known) = Overlap::without(self.left.is_empty(), right.is_empty()) {
            return known;
        }
        let (detector, terms) = (self.detector, &right[HEAD..]);
        let share = detector.overlap(self.left.len() - HEAD, terms.len(), &mut self.lookup, terms);
        Overlap::near_if(share >= detector.threshold && detector.likely.admits(&self.left, right), share, share, share)
    }
}
