//! Reuse: near-duplicates, containment and shared passages, decided by how likely one article reuses the other.
//!
//! A signature is the article's figures (each once), the days and months it names, then the row of its tokens. Keys are
//! a sample of its word shingles: those whose hash is below a threshold, or the smallest few if that leaves too few.
//! The sampling does not depend on the article, so an article and its container sample the same shingles, and the share
//! of common keys estimates the share of text. Candidates whose estimate leaves reuse possible are then aligned, over
//! all shingles, and `model` turns the evidence into a probability:
//!
//! ```text
//! p >= copy                 IDENTICAL, PART_OF / HAS_PART, NEAR
//! threshold <= p < copy     SHARES_TEXT
//! p < threshold             SHARES_TEXT if they have a passage in common, else not related
//! ```
//!
//! Two reports from one template share most of their words and differ in facts surrounded by the same words; they are
//! not related, and the reason is kept.

mod alignment;
mod boilerplate;
mod model;
mod shingle_table;
mod signature;
mod word_set;

use std::sync::Arc;

use super::api::{Article, CalibratedDetector, Comparer, DayRule, Detector, Kind, Overlap, Wants, Why, COPY_SHARE};
use super::parameters::{Missing, Parameters};
use super::plan::CandidatePlan;
use super::plan_parts::Quorum;
use super::sample::Sample;
use crate::base::hash;
use crate::base::sorted::{common, sort_spread};
use crate::text::tokens::WORD;
use alignment::{Alignment, Side};
use boilerplate::Boilerplate;
use model::{base_rate, days_apart, log_odds, probability, promise, MIN_PROMISE};
use shingle_table::ShingleTable;
use signature::{dedup, first_evidence, is_identical, sign_tokens, Parts};
use word_set::WordSet;

pub use model::{Evidence, NAMES};

#[derive(Clone, Debug)]
pub struct Reuse {
    /// Words in a shingle.
    pub shingle: usize,
    /// The share of shingles that become keys.
    pub sample: f64,
    /// The fewest keys of an article, if it has as many shingles.
    pub least: usize,
    /// The most articles that may share a key before it counts as boilerplate (0: no limit).
    pub ceiling: usize,
    /// The share of the smaller number of keys that two articles must have in common to be compared.
    pub quorum: f64,
    /// The least share of text in common; a pair with less is not related.
    pub minimum: f64,
    /// The least probability at which a pair is reported.
    pub threshold: f64,
    /// The least probability of a copy, a part or a new version; pairs below it share text.
    pub copy: f64,
    /// The fewest words of a common run that is a passage (0: passages are not reported).
    pub passage: usize,
    /// From this share on, the smaller of two unequal articles is part of the larger.
    pub part: f64,
    /// Log odds before any evidence, added to those of the model: by the number of articles that could be paired.
    pub prior: f64,
    /// The least promise of a pair that is compared: lower if the threshold is below 0.5.
    pub least_promise: f64,
    /// Phrases of the sources of the collection that are ignored between articles that are not identical. None: not
    /// calibrated on a collection.
    boilerplate: Option<Arc<Boilerplate>>,
}

/// The least share of the shorter article for a passage to be reported: smaller ones are mostly boilerplate, which any
/// two articles of a source have in common.
const PASSAGE_SHARE: f64 = 0.25;

/// A contained article is much smaller than its container, and the more so the smaller the share found in it.
const PART_SKEW: f64 = 0.75;

fn is_part(share: f64, other_share: f64, min_share: f64) -> bool {
    share >= min_share && other_share < PART_SKEW * share * share
}

/// Of a posting list above the ceiling, one in so many articles of the ceiling is a candidate.
const LONG_LIST_SHARE: usize = 10;

/// Fewer words do not identify a story: "Horoscope", day after day.
const MIN_WORDS: usize = 3;

/// A candidate is dropped if the estimate from its sampled keys is too low by more than this many standard deviations.
const MAX_DEVIATIONS: f64 = 2.0;

impl Reuse {
    pub fn from_parameters(parameters: &Parameters) -> Result<Self, Missing> {
        Ok(Reuse {
            shingle: parameters.count("shingle")?,
            sample: parameters.number("sample")?,
            least: parameters.count("least")?,
            ceiling: parameters.count("ceiling")?,
            quorum: parameters.number("quorum_share")?,
            minimum: parameters.number("minimum")?,
            threshold: parameters.number("threshold")?,
            copy: parameters.number("copy")?,
            passage: parameters.count("passage")?,
            part: parameters.number("part")?,
            prior: base_rate(parameters.count("population")?),
            least_promise: MIN_PROMISE + log_odds(parameters.number("threshold")?).min(0.0),
            boilerplate: match &parameters.calibration[..] {
                [] => None,
                bytes => Some(Arc::new(Boilerplate::read(bytes).ok_or("calibration")?)),
            },
        })
    }

    /// The share of the shingles of an article of this length that become keys.
    fn rate(&self, words: usize) -> f64 {
        let shingles = (words + 1).saturating_sub(self.shingle).max(1);
        (self.least as f64 / shingles as f64).min(1.0).max(self.sample)
    }

    /// Whether two articles have a common passage that is not the wording of a template.
    fn has_passage(&self, evidence: &Evidence) -> bool {
        self.passage > 0
            && evidence.longest_passage >= self.passage
            && evidence.share >= PASSAGE_SHARE
            && evidence.fact_slots + evidence.name_slots <= 1
    }

    /// Whether two signatures share enough keys to be candidates in a collection. Checked for shared text: a sample of
    /// few keys may miss it, and then `explain` would report what `find` does not.
    fn are_candidates(&self, left: &[u32], right: &[u32]) -> bool {
        let mut keys = (vec![], vec![]);
        self.keys(left, &mut keys.0);
        self.keys(right, &mut keys.1);
        let (shared, fewer) = (common(&keys.0, &keys.1), keys.0.len().min(keys.1.len()));
        shared >= quorum(self.quorum, fewer) && self.admits(left, right, shared, fewer)
    }

    /// Whether the largest share of text that the common keys leave possible, with the facts of both, promises reuse.
    fn admits(&self, left: &[u32], right: &[u32], shared: usize, fewer: usize) -> bool {
        let (left, right) = (Parts::new(left), Parts::new(right));
        // of two equally long ones always the same counts as the shorter
        let is_ordered = (left.tokens.len(), left.tokens) <= (right.tokens.len(), right.tokens);
        let (shorter, longer) = if is_ordered { (left, right) } else { (right, left) };
        // a larger share of shingles becomes keys in a short article than in a long one, which limits the shared keys
        let rate = self.rate(longer.tokens.len());
        let comparable = fewer as f64 * rate / self.rate(shorter.tokens.len());
        // the more shingles are keys, the smaller the error of the estimate
        let possible = (shared as f64 + MAX_DEVIATIONS * (shared as f64 * (1.0 - rate)).sqrt()) / comparable;
        if possible < self.minimum {
            return false;
        }
        if self.passage > 0 && shorter.tokens.len() >= self.passage && shared as f64 >= PASSAGE_SHARE * comparable {
            return true;
        }
        let promised = promise(&Evidence { share: possible.min(1.0), ..first_evidence(shorter, longer) });
        promised + self.prior >= self.least_promise
    }

    /// The relation of two articles that share enough text, by the probability of reuse.
    fn decide(&self, forward: f64, backward: f64, score: f64) -> Overlap {
        let kind = if score < self.threshold {
            return Overlap::apart(forward, backward, Why::Apart);
        } else if score < self.copy || forward.max(backward) < COPY_SHARE {
            Kind::SharesText
        } else if is_part(forward, backward, self.part) {
            Kind::PartOf
        } else if is_part(backward, forward, self.part) {
            Kind::HasPart
        } else {
            Kind::Near
        };
        Overlap::related(forward, backward, kind, score)
    }
}

impl Detector for Reuse {
    fn wants(&self) -> Wants {
        Wants::Words
    }

    fn sign(&self, article: &Article, signature: &mut Vec<u32>) {
        sign_tokens(article.words, signature);
    }

    fn is_well_formed(&self, signature: &[u32]) -> bool {
        is_signature(signature)
    }

    fn keys(&self, signature: &[u32], keys: &mut Vec<u64>) {
        let tokens = Parts::new(signature).tokens;
        if tokens.len() < MIN_WORDS {
            return;
        }
        let first = keys.len();
        // saturates at u64::MAX: then every shingle is a key
        let limit = (self.sample * 2f64.powi(64)) as u64;
        // always written, kept if under the limit: avoids an unpredictable branch
        let mut end = first;
        keys.resize(first + tokens.len(), 0);
        hash::shingles(tokens, WORD, self.shingle, |_, h| {
            keys[end] = h;
            end += usize::from(h <= limit);
        });
        keys.truncate(end);
        if end - first >= self.least {
            sort_spread(&mut keys[first..], limit);
            dedup(keys, first);
            return;
        }
        keys.truncate(first);
        hash::shingles(tokens, WORD, self.shingle, |_, h| keys.push(h));
        keys[first..].sort_unstable();
        dedup(keys, first);
        keys.truncate(first + keys[first..].partition_point(|&h| h <= limit).max(self.least.min(keys.len() - first)));
    }

    fn calibration(&self) -> Option<&dyn CalibratedDetector> {
        Some(self)
    }

    fn candidate_plan(&self) -> CandidatePlan {
        let share = self.quorum;
        let quorum = Quorum::new(move |fewer| quorum(share, fewer));
        let long_list_sample = self.ceiling.div_ceil(LONG_LIST_SHARE);
        let plan = CandidatePlan { long_list_sample, ..CandidatePlan::with_quorum(quorum).with_ceiling(self.ceiling) };
        let detector = self.clone();
        plan.with_filter(move |left, right, shared, fewer| detector.admits(left, right, shared, fewer))
    }

    fn comparer(&self) -> Box<dyn Comparer + '_> {
        Box::new(Reader {
            detector: self,
            left: vec![],
            left_rest: vec![],
            right_rest: vec![],
            tokens: vec![],
            buffers: Buffers::default(),
        })
    }

    fn day_rule(&self) -> Option<Arc<dyn DayRule>> {
        Some(Arc::new(self.clone()))
    }
}

impl CalibratedDetector for Reuse {
    fn calibrate(&self, sample: &Sample) -> Option<Arc<dyn Detector>> {
        let boilerplate = match sample.as_is {
            true => Boilerplate::default(),
            false => Boilerplate::find(sample, |signature| Parts::new(signature).tokens),
        };
        Some(Arc::new(Reuse { boilerplate: Some(Arc::new(boilerplate)), ..self.clone() }))
    }

    fn is_calibrated(&self) -> bool {
        self.boilerplate.is_some()
    }

    fn ignores_parts(&self, signature: &[u32]) -> bool {
        self.boilerplate.as_ref().is_some_and(|boilerplate| boilerplate.is_in(Parts::new(signature).tokens))
    }

    fn to_bytes(&self) -> Vec<u8> {
        self.boilerplate.as_ref().map_or(vec![], |boilerplate| boilerplate.write())
    }
}

impl DayRule for Reuse {
    /// Days between two articles are evidence: those of a copy or an update are few.
    fn adjust(&self, overlap: Overlap, days: u32) -> Overlap {
        let depends_on_days = match overlap.kind {
            Kind::Near | Kind::PartOf | Kind::HasPart | Kind::SharesText => overlap.score < 1.0,
            Kind::None => overlap.score > 0.0 && overlap.why != Why::Figures,
            _ => false,
        };
        if !depends_on_days {
            return overlap;
        }
        let score = probability(log_odds(overlap.score) + days_apart(days));
        // a passage and an unrelated pair stay as they are, unless the days lift them over the threshold
        let stays = overlap.score < self.threshold && score < self.threshold;
        match stays {
            true => overlap,
            false => self.decide(overlap.forward, overlap.backward, score),
        }
    }
}

/// How many keys two articles must share; `fewer` is the smaller of their numbers of keys.
fn quorum(share: f64, fewer: usize) -> usize {
    ((share * fewer as f64) as usize).max(1).min(fewer)
}

/// Buffers that comparisons reuse.
#[derive(Default)]
struct Buffers {
    table: ShingleTable,
    alignment: Alignment,
    first: Vec<u32>,
    words: WordSet,
}

struct Reader<'a> {
    detector: &'a Reuse,
    left: Vec<u32>,
    /// The signatures of both sides without boilerplate; empty if they have none.
    left_rest: Vec<u32>,
    right_rest: Vec<u32>,
    tokens: Vec<u32>,
    buffers: Buffers,
}

impl Reader<'_> {
    /// Puts into `rest` the signature without boilerplate; nothing if it has none.
    fn remove_boilerplate(detector: &Reuse, signature: &[u32], tokens: &mut Vec<u32>, rest: &mut Vec<u32>) {
        rest.clear();
        let Some(boilerplate) = detector.boilerplate.as_deref() else { return };
        if boilerplate.remove(Parts::new(signature).tokens, tokens) {
            sign_tokens(tokens, rest);
        }
    }
}

impl Buffers {
    /// The evidence of two articles whose shares are known, always from the side of the shorter one, so that it does
    /// not depend on which of the two is left. If it cannot reach `min_odds` log odds, the words outside common runs
    /// are not looked up and count as if all of them were common.
    fn evidence(&mut self, left: Parts, right: Parts, shares: (f64, f64), width: usize, min_odds: f64) -> Evidence {
        let Buffers { table, alignment, first, words } = self;
        let is_left = (left.tokens.len(), left.tokens) <= (right.tokens.len(), right.tokens);
        let sides = (
            Side { tokens: left.tokens, shingles: &table.left },
            Side { tokens: right.tokens, shingles: &table.right },
        );
        let (shorter, longer) = if is_left { (left, right) } else { (right, left) };
        let mut evidence = first_evidence(shorter, longer);
        evidence.share = if is_left { shares.0 } else { shares.1 };
        if is_left {
            alignment.align(sides.0, sides.1, table.first_in_right(first), width);
        } else {
            alignment.align(sides.1, sides.0, table.first_in_left(), width);
        }
        evidence.longest_run = alignment.longest_run;
        evidence.longest_passage = alignment.longest_passage;
        evidence.in_long_runs = alignment.in_long_runs;
        evidence.lead = alignment.lead;
        evidence.edits = alignment.edits;
        evidence.fact_slots = alignment.fact_slots;
        evidence.name_slots = alignment.name_slots;
        // most pairs that share text by chance, or a template, are decided without looking up their other words
        evidence.rest = model::rest(alignment.rest.len(), alignment.rest.len());
        if evidence.log_odds() < min_odds {
            return evidence;
        }
        words.fill(&alignment.rest);
        evidence.rest = model::rest(words.found_in(longer.tokens), words.len);
        evidence
    }
}

impl Comparer for Reader<'_> {
    fn load(&mut self, left: &[u32]) {
        self.left.clear();
        self.left.extend_from_slice(left);
        Self::remove_boilerplate(self.detector, left, &mut self.tokens, &mut self.left_rest);
        let compared = if self.left_rest.is_empty() { left } else { &self.left_rest };
        self.buffers.table.load(Parts::new(compared).tokens, self.detector.shingle);
    }

    fn compare(&mut self, right: &[u32]) -> Overlap {
        let rule = self.detector;
        let signature = right;
        if is_identical(Parts::new(&self.left).tokens, Parts::new(right).tokens) {
            return Overlap::related(1.0, 1.0, Kind::Identical, 1.0);
        }
        Self::remove_boilerplate(rule, right, &mut self.tokens, &mut self.right_rest);
        let left = Parts::new(if self.left_rest.is_empty() { &self.left } else { &self.left_rest });
        let right = Parts::new(if self.right_rest.is_empty() { right } else { &self.right_rest });
        if left.tokens.is_empty() || right.tokens.is_empty() {
            return Overlap::apart(0.0, 0.0, Why::Apart);
        }
        let (from_left, from_right) = self.buffers.table.find(right.tokens, rule.shingle);
        let forward = from_left as f64 / self.buffers.table.left.len() as f64;
        let backward = from_right as f64 / self.buffers.table.right.len() as f64;
        if forward.max(backward) < rule.minimum {
            return Overlap::apart(forward, backward, Why::Apart);
        }
        let min_odds = log_odds(rule.threshold);
        let min_undated_odds = min_odds - days_apart(0); // below this, no date lifts a pair to the threshold
        let min_evidence = min_undated_odds - rule.prior;
        let evidence = self.buffers.evidence(left, right, (forward, backward), rule.shingle, min_evidence);
        let odds = evidence.log_odds() + rule.prior;
        if probability(odds) >= rule.threshold {
            let decided = rule.decide(forward, backward, probability(odds));
            return match decided.kind == Kind::SharesText && !rule.are_candidates(&self.left, signature) {
                true => Overlap::apart(forward, backward, Why::Apart),
                false => decided,
            };
        }
        if rule.has_passage(&evidence) && rule.are_candidates(&self.left, signature) {
            return Overlap::related(forward, backward, Kind::SharesText, probability(odds));
        }
        let odds_without_facts = evidence.without_facts().log_odds() + rule.prior;
        let is_in_reach = odds >= min_undated_odds;
        let why = match odds_without_facts >= min_odds {
            true if evidence.is_figures() && !is_in_reach => Why::Figures,
            _ if evidence.is_template() => Why::Template,
            true => Why::Facts,
            false => Why::Apart,
        };
        // the score if the two turn out to be of one day, or an update with other figures
        let score = match why {
            Why::Figures => probability(odds_without_facts),
            _ if is_in_reach => probability(odds),
            _ => 0.0,
        };
        Overlap { score, ..Overlap::apart(forward, backward, why) }
    }
}

/// Whether a row has the layout of a signature; the empty one is of an article without words.
pub fn is_signature(row: &[u32]) -> bool {
    row.is_empty() || signature::is_signature(row)
}

/// The evidence of two signatures; None if one has no words.
pub fn evidence_of(left: &[u32], right: &[u32], width: usize) -> Option<Evidence> {
    let (left, right) = (Parts::new(left), Parts::new(right));
    if left.tokens.is_empty() || right.tokens.is_empty() {
        return None;
    }
    let mut buffers = Buffers::default();
    buffers.table.load(left.tokens, width);
    let (from_left, from_right) = buffers.table.find(right.tokens, width);
    let forward = from_left as f64 / buffers.table.left.len() as f64;
    let backward = from_right as f64 / buffers.table.right.len() as f64;
    Some(buffers.evidence(left, right, (forward, backward), width, f64::NEG_INFINITY))
}
