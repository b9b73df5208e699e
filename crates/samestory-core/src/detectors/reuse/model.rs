//! How likely it is that one of two articles reuses the other, by a logistic model of their evidence.
//!
//! ```text
//! log odds = intercept + sum of weight * evidence          probability = 1 / (1 + e^(-log odds))
//! ```
//!
//! Every weight is at least 0, so that more evidence for reuse never makes it less likely. The weights are
//! learned by `benchmarks/reuse_model.py` on judged pairs and on pairs that share text by chance (articles a month or
//! more apart), the latter as often as they occur in a collection.

use std::sync::OnceLock;

/// Evidence by name, in the order of `Evidence::values`.
pub const NAMES: [&str; 12] = [
    "share", "run", "long_runs", "length", "agreement", "weekday", "months", "rest", "lead", "slots", "fact_slots",
    "name_slots",
];

const WEIGHTS: &str = include_str!("model.txt");

/// What two articles have in common and where they differ; the first is the shorter one.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Evidence {
    /// The share of the shorter article that the longer one has.
    pub share: f64,
    /// Words of the longest run in common, and words in runs of ten and more.
    pub longest_run: usize,
    pub in_long_runs: usize,
    /// Words of the longest run that is no footer.
    pub longest_passage: usize,
    /// Words of the shorter article.
    pub words: usize,
    /// The share of figures, days and months of the article with fewer of them that the other one has too.
    pub agreement: f64,
    /// 1 if both name the same day of the week, -1 if both name days and none in common, else 0.
    pub weekday: f64,
    /// Months that only the shorter article names.
    pub months: usize,
    /// Of the words of the shorter article outside common runs, the share that the longer one has.
    pub rest: f64,
    /// The share of the lead of the shorter article that the longer one has.
    pub lead: f64,
    pub edits: usize,
    pub fact_slots: usize,
    pub name_slots: usize,
}

/// Keeps a share of nothing or of everything at a finite distance from the others.
const SHARE_MARGIN: f64 = 0.03;
/// Beyond these lengths a run adds no evidence.
const MAX_RUN_WORDS: usize = 30;
const MAX_LONG_RUN_WORDS: usize = 100;
/// The range in which length counts.
const WORDS: (f64, f64) = (20.0, 600.0);
const MAX_MONTHS: usize = 3;
/// In a short article a large share decides by itself, minus contradictions: there are too few runs and facts to learn
/// from. Of 30,000 items of 5 to 40 words (fi_short_news), no pair a month or more apart shared four fifths, and
/// nearly all pairs that shared seven tenths were a month or more apart: log odds of 2.2 at a share of .8 and of 0 at
/// .7. Up to 100 words the same holds: no more pairs of a wire match by chance, and 4 more of 19,000 short items full
/// of templates (reuters21578). In longer articles templates have room for many words between their slots.
const SHORT_WORDS: usize = 100;
const LARGE_SHARE_INTERCEPT: f64 = -3.55;
const LARGE_SHARE: f64 = 4.5;
/// The indexes of weekday, months and slots in `NAMES`.
const CONTRADICTIONS: [usize; 5] = [5, 6, 9, 10, 11];
/// The fewest slots of a template: one may be a correction.
const MIN_TEMPLATE_SLOTS: usize = 2;
/// Pseudo-count: edits added to every pair.
const EDITS_PRIOR: f64 = 2.0;
/// Prior of the agreement of facts: pseudo-count, and the share that agrees.
const FACTS_PRIOR: (f64, f64) = (2.0, 0.4);
/// The same for words outside common runs.
const REST_PRIOR: (f64, f64) = (15.0, 0.5);

/// A share, smoothed towards a prior (pseudo-count, share).
fn smoothed(count: usize, of: usize, (strength, prior): (f64, f64)) -> f64 {
    (count as f64 + strength * prior) / (of as f64 + strength)
}

pub fn agreement(common: usize, fewer: usize) -> f64 {
    smoothed(common, fewer, FACTS_PRIOR)
}

pub fn rest(found: usize, of: usize) -> f64 {
    smoothed(found, of, REST_PRIOR)
}

fn ln1p(count: usize) -> f64 {
    (count as f64).ln_1p()
}

impl Evidence {
    pub fn values(&self) -> [f64; NAMES.len()] {
        let slots = self.fact_slots + self.name_slots;
        [
            ((self.share + SHARE_MARGIN) / (1.0 + SHARE_MARGIN - self.share)).ln(),
            ln1p(self.longest_run.min(MAX_RUN_WORDS)),
            ln1p(self.in_long_runs.min(MAX_LONG_RUN_WORDS)),
            (self.words as f64).clamp(WORDS.0, WORDS.1).ln(),
            self.agreement,
            self.weekday,
            -(self.months.min(MAX_MONTHS) as f64),
            self.rest,
            self.lead,
            -(slots as f64) / (self.edits as f64 + EDITS_PRIOR),
            -ln1p(self.fact_slots),
            -ln1p(self.name_slots),
        ]
    }

    pub fn log_odds(&self) -> f64 {
        let model = model();
        let values = self.values();
        let weighed = |at: usize| values[at] * model.weights[at];
        let learned = model.intercept + (0..NAMES.len()).map(weighed).sum::<f64>();
        if self.words >= SHORT_WORDS {
            return learned;
        }
        // a single slot is a correction
        let kept = 1 - usize::from(self.fact_slots + self.name_slots == 1);
        let corrected = Evidence { fact_slots: self.fact_slots * kept, name_slots: self.name_slots * kept, ..*self };
        let values = corrected.values();
        let against: f64 = CONTRADICTIONS.iter().map(|&at| (values[at] * model.weights[at]).min(0.0)).sum();
        learned.max(LARGE_SHARE_INTERCEPT + LARGE_SHARE * values[0] + against)
    }

    /// The same evidence without slots.
    pub fn without_slots(&self) -> Self {
        Evidence { edits: 0, fact_slots: 0, name_slots: 0, ..*self }
    }

    /// Whether they differ mostly in facts surrounded by the same words.
    pub fn is_template(&self) -> bool {
        let slots = self.fact_slots + self.name_slots;
        slots >= MIN_TEMPLATE_SLOTS && 2 * slots >= self.edits
    }

    /// Whether they differ in figures and in hardly anything else. A number that begins a sentence looks like a name.
    pub fn is_figures(&self) -> bool {
        self.fact_slots > self.name_slots && self.name_slots <= 1 && self.weekday >= 0.0 && self.months == 0
    }

    /// The same evidence as if the facts neither agreed nor differed.
    pub fn without_facts(&self) -> Self {
        Evidence { agreement: 0.5, weekday: 0.0, months: 0, ..self.without_slots() }
    }
}

struct Model {
    intercept: f64,
    weights: [f64; NAMES.len()],
}

fn model() -> &'static Model {
    static MODEL: OnceLock<Model> = OnceLock::new();
    MODEL.get_or_init(|| {
        let of = |name: &str| {
            let line = WEIGHTS.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
            line.and_then(|value| value.trim().parse().ok()).unwrap_or_else(|| panic!("model.txt: no weight of {name}"))
        };
        Model { intercept: of("intercept"), weights: NAMES.map(of) }
    })
}

/// The probability of these log odds, rounded to SCORE_STEP so that a sum of probabilities does not depend on its
/// order.
pub fn probability(log_odds: f64) -> f64 {
    let plain = 1.0 / (1.0 + (-log_odds).exp());
    (plain / SCORE_STEP).round() * SCORE_STEP
}

const SCORE_STEP: f64 = 1.0 / (1u32 << 24) as f64;

/// The inverse of `probability`.
pub fn log_odds(probability: f64) -> f64 {
    (probability / (1.0 - probability)).ln()
}

/// The size of the collections that the model is learned on.
const LEARNED_POPULATION: f64 = 20_000.0;
/// The more articles there are, the more pairs of them share text by chance. With this reduction of the log odds per
/// e-fold the same share of articles is dropped for one of another month in 4,000 and in 35,000 articles of a wire.
const BASE_RATE: f64 = 0.24;

/// What the number of articles that could be paired adds to the log odds.
pub fn base_rate(population: usize) -> f64 {
    BASE_RATE * (LEARNED_POPULATION / population.max(2) as f64).ln()
}

/// What the days between two articles add to the log odds: a copy or a new version appears within days, and chance
/// matches are of any day.
pub fn days_apart(days: u32) -> f64 {
    match days {
        0..=3 => 1.5,
        4..=14 => 0.0,
        15..=60 => -2.4,
        _ => -3.0,
    }
}

/// A cheap guess from what is known before two articles are aligned: `share` is the largest that their common keys
/// leave possible. Learned on the same pairs as the model, with the pairs that reach log odds of -1 as positives. At
/// MIN_PROMISE a wire of 35,000 articles keeps all its copies, parts and updates and 97 % of the pairs that share
/// text, and two of three candidate pairs are not compared.
pub fn promise(evidence: &Evidence) -> f64 {
    let [share, _, _, length, agreement, weekday, months, ..] = evidence.values();
    let learned = -15.9 + 2.1 * share + 9.6 * agreement + 2.6 * weekday + 1.8 * length + 0.8 * months;
    match evidence.words < SHORT_WORDS {
        true => learned.max(LARGE_SHARE_INTERCEPT + LARGE_SHARE * share),
        false => learned,
    }
}

pub const MIN_PROMISE: f64 = -2.5;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_evidence_is_never_less_likely() {
        assert!(model().weights.iter().all(|&weight| weight >= 0.0));
        let weak =
            Evidence { share: 0.2, words: 200, longest_run: 6, agreement: 0.3, rest: 0.3, ..Evidence::default() };
        let more = [
            Evidence { share: 0.3, ..weak },
            Evidence { longest_run: 12, ..weak },
            Evidence { in_long_runs: 12, ..weak },
            Evidence { agreement: 0.5, ..weak },
            Evidence { weekday: 1.0, ..weak },
            Evidence { rest: 0.5, ..weak },
            Evidence { lead: 0.5, ..weak },
        ];
        assert!(more.iter().all(|more| more.log_odds() > weak.log_odds()));
        let less = [
            Evidence { weekday: -1.0, ..weak },
            Evidence { months: 1, ..weak },
            Evidence { fact_slots: 2, edits: 2, ..weak },
            Evidence { name_slots: 2, edits: 2, ..weak },
        ];
        assert!(less.iter().all(|less| less.log_odds() < weak.log_odds()));
        let short = Evidence { share: 0.8, words: 25, ..weak };
        let corrected = Evidence { fact_slots: 1, edits: 1, ..short };
        assert_eq!(corrected.log_odds(), short.log_odds());
    }

    #[test]
    fn probability_and_log_odds_are_inverse() {
        for odds in [-9.0, -1.0, 0.0, 2.5, 12.0] {
            assert!((log_odds(probability(odds)) - odds).abs() < 0.01);
        }
        assert_eq!(probability(0.0), 0.5);
    }

    #[test]
    fn more_articles_make_reuse_less_likely() {
        assert_eq!(base_rate(20_000), 0.0);
        assert_eq!(base_rate(0), base_rate(2));
        assert!(base_rate(2) > base_rate(1000) && base_rate(1000) > base_rate(1_000_000));
    }

    #[test]
    fn days_apart_never_help() {
        assert!((0..100).map(days_apart).collect::<Vec<_>>().windows(2).all(|two| two[0] >= two[1]));
    }
}
