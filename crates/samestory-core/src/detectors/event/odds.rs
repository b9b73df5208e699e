//! The probability that two items report one event, from log odds.
//!
//! Headlines and short items are scored by trees over agreement and contradiction, whole articles by the cosine of
//! their terms relative to the level of both. The words of the shorter item decide how much either counts:
//!
//! ```text
//! log odds = long · (11.4 √cosine − 12.5 level − 4.4 − 0.5 ln(1 + days) − contradictions − genre − base rate)
//!          + (1 − long) · (trees − genre − base rate)
//! long     = 1 / (1 + (60 / words)⁵)
//! ```
//!
//! Contradictions of whole articles: other months, other dates in the texts, and the same sentences with other numbers
//! or names, which are reports from one template; in articles of one wording they count more, and so do opposite acts
//! and other ordinals. The coefficients were learned and chosen on judged pairs of whole
//! articles (benchmarks/event_terms.py). The base rate grows with the number of articles that could be paired
//! (calibration.rs).

use std::ops::Range;

use super::item::{Family, Item, TRANSITION_WORDS};
use super::numbers::{self, Numbers};
use crate::text::calendar::{Mask, MONTHS};

/// Level without a reference sample: the mean over whole articles of judged collections.
pub const DEFAULT_LEVEL: f64 = 0.085;
const COSINE: f64 = 11.4;
const LEVEL: f64 = 12.5;
const INTERCEPT: f64 = 4.4;
const DAYS: f64 = 0.5;
/// Log odds against articles whose beginnings name different months: last month's report, and this month's.
const OTHER_MONTHS: f64 = 1.0;
/// Log odds against articles that name different dates, and for every number or name that differs between runs of the
/// same words, up to three of each.
const OTHER_DATES: f64 = 0.5;
const OTHER_NUMBER: f64 = 0.5;
const OTHER_NAME: f64 = 0.3;
/// Log odds against articles in other words each of which has another main name, and what is added if numbers of one
/// thing or in the lead differ too. Of the judged pairs that reach the threshold, 0 to 8 in 100 of those of one event have
/// other main names, and 14 to 33 in 100 of the others.
const OTHER_MAIN_NAME: f64 = 0.5;
const OTHER_MAIN_NAME_AND_NUMBER: f64 = 2.5;
/// The same in articles of one wording, which are reports from one template unless they are copies: for names that have
/// changed places in the lead, other names or months there, opposite acts or other ordinals, other dates in the same
/// place, and other numbers of the same thing. Between judged pairs of one event and one wording, 1 in 300 has other
/// names in the same place of the lead, none other months or ordinals, and 1 in 14 other numbers.
const TEMPLATE_SWAPPED: f64 = 5.0;
const TEMPLATE_NAMES: f64 = 3.0;
const TEMPLATE_MONTHS: f64 = 5.0;
const TEMPLATE_ACTS: f64 = 6.0;
const TEMPLATE_DATES: f64 = 5.0;
const TEMPLATE_COUNTS: f64 = 1.5;
/// Shares of runs from which on articles begin to have one wording, and have it.
const TEMPLATE_RUNS: Range<f64> = 0.3..0.5;
/// Log odds against a pair with a column, a letter, a live blog or a digest: they mention the events of others.
const NO_SINGLE_EVENT: f64 = 2.0;
const TRANSITION_WORDS_OTHER: f64 = 30.0;
const STEEPNESS: f64 = 5.0;
/// From this multiple of the transition on, where the weight of the terms is 0.99, the trees are not evaluated.
const ARTICLE_LENGTH: f64 = 2.507;
/// Log odds against articles that have nothing in common after the same beginning, which a feed has put in front of two
/// stories.
const REST_APART: f64 = 9.0;

/// Upper bound of the log odds of the trees.
const MAX_TREES: f64 = 13.9;

/// Whether the beginnings of two articles name the same days of the week, or months: 1 if they share one, −1 if both
/// name others, 0 if one of them names none.
pub fn agreement(left: Mask, right: Mask) -> f64 {
    match (left != 0 && right != 0, left & right != 0) {
        (false, _) => 0.0,
        (true, true) => 1.0,
        (true, false) => -1.0,
    }
}

/// The level of an article, or the default.
pub fn level_of(item: &Item) -> f64 {
    item.level.map_or(DEFAULT_LEVEL, f64::from)
}

/// The mean of the levels of two articles.
pub fn level(left: &Item, right: &Item) -> f64 {
    (level_of(left) + level_of(right)) / 2.0
}

/// Weight of the terms, by the words of the shorter item: 0 for headlines, 1 for whole articles.
fn long(words: f64, middle: f64) -> f64 {
    // most articles are longer, and this function is the hottest part of candidate filtering
    if words >= ARTICLE_LENGTH * middle {
        return 1.0;
    }
    1.0 / (1.0 + (middle / words.max(1.0)).powf(STEEPNESS))
}

/// Lower bound of the cosine of a pair that reaches the log odds `min_odds`, whatever the trees return.
pub fn min_cosine(words: f64, level: f64, min_odds: f64, base_rate: f64) -> f64 {
    let of_terms = [TRANSITION_WORDS, TRANSITION_WORDS_OTHER].map(|transition| {
        let long = long(words, transition);
        (min_odds - (1.0 - long) * MAX_TREES) / long
    });
    let of_terms = of_terms[0].min(of_terms[1]);
    ((of_terms + LEVEL * level + INTERCEPT + base_rate) / COSINE).max(0.0).powi(2)
}

/// The evidence of a pair that does not depend on the trees.
#[derive(Clone, Copy)]
pub struct Odds {
    /// 0 for headlines, 1 for whole articles.
    long: f64,
    terms: f64,
    /// Log odds against the pair for the days between the two.
    days: f64,
    /// Log odds against the pair for what the articles are.
    genre: f64,
    has_other_months: bool,
    /// What the base rate subtracts, of articles and of short items.
    base_rate: (f64, f64),
}

impl Odds {
    /// `base_rate`: what it subtracts, of articles and of short items (calibration.rs).
    pub fn new(left: &Item, right: &Item, base_rate: (f64, f64)) -> Self {
        Self::with_cosine(left, right, left.cosine(right), base_rate)
    }

    /// The same, given the cosine of their terms.
    pub fn with_cosine(left: &Item, right: &Item, cosine: f64, base_rate: (f64, f64)) -> Self {
        let words = f64::from(left.words.min(right.words));
        let has_own_trees = left.family == right.family && left.family != Family::Other;
        let middle = if has_own_trees { TRANSITION_WORDS } else { TRANSITION_WORDS_OTHER };
        let has_other_months = agreement(left.calendar & MONTHS, right.calendar & MONTHS) < 0.0;
        let other_months = if has_other_months { OTHER_MONTHS } else { 0.0 };
        let days = left.day.zip(right.day).map_or(0.0, |(one, other)| f64::from(one.abs_diff(other)).ln_1p());
        Odds {
            long: long(words, middle),
            terms: COSINE * cosine.sqrt() - LEVEL * level(left, right) - INTERCEPT - other_months,
            days: DAYS * days,
            genre: if left.has_no_single_event() || right.has_no_single_event() { NO_SINGLE_EVENT } else { 0.0 },
            has_other_months,
            base_rate,
        }
    }

    /// The same evidence, minus the contradictions in the texts.
    pub fn with_contradictions(mut self, numbers: &Numbers) -> Self {
        let rest_apart = if numbers[numbers::REST_APART] > 0.0 { REST_APART } else { 0.0 };
        let is_set = |at: usize| f64::from(u8::from(numbers[at] > 0.0));
        let of_template = TEMPLATE_SWAPPED * is_set(numbers::SWAPPED)
            + TEMPLATE_NAMES * is_set(numbers::NAMES_APART)
            + TEMPLATE_MONTHS * f64::from(u8::from(self.has_other_months))
            + TEMPLATE_ACTS * (is_set(numbers::WAYS_CONFLICT) + is_set(numbers::ORDINALS_APART))
            + TEMPLATE_DATES * is_set(numbers::SLOTS_DATES)
            + TEMPLATE_COUNTS * is_set(numbers::COUNTS_CONFLICT);
        let Range { start, end } = TEMPLATE_RUNS;
        let one_wording = ((numbers[numbers::RUNS] - start) / (end - start)).clamp(0.0, 1.0);
        let main_names = numbers[numbers::MAIN_NAMES_APART];
        let in_other_words =
            OTHER_MAIN_NAME * main_names.min(1.0) + OTHER_MAIN_NAME_AND_NUMBER * (main_names - 1.0).max(0.0);
        self.terms -= rest_apart
            + (1.0 - one_wording) * in_other_words
            + one_wording * of_template
            + OTHER_DATES * numbers[numbers::DATES_APART]
            + OTHER_NUMBER * numbers[numbers::SLOTS_NUMBERS]
            + OTHER_NAME * numbers[numbers::SLOTS_NAMES];
        self
    }

    /// The weight of the terms: 0 for headlines, 1 for whole articles.
    pub fn weight_of_terms(&self) -> f64 {
        self.long
    }

    /// The log odds of two articles by their terms, before the base rate.
    pub fn of_terms(&self) -> f64 {
        self.terms - self.days - self.genre
    }

    /// The probability by the terms alone, before the base rate.
    pub fn probability_by_terms(&self) -> f64 {
        1.0 / (1.0 + (-self.of_terms()).exp())
    }

    /// Log odds against the pair for the days between the two.
    pub fn days(&self) -> f64 {
        self.days
    }

    /// What the base rate subtracts from the log odds of two articles, and of two short items.
    pub fn base_rate(&self) -> (f64, f64) {
        self.base_rate
    }

    /// Log odds against the pair for columns, letters, live blogs and digests.
    pub fn genre(&self) -> f64 {
        self.genre
    }

    /// Whether the beginnings of the two name different months.
    pub fn has_other_months(&self) -> bool {
        self.has_other_months
    }

    /// The same evidence for articles that report a single event each.
    pub fn without_genre(self) -> Self {
        Odds { genre: 0.0, ..self }
    }

    /// The same evidence with no base rate.
    pub fn without_base_rate(self) -> Self {
        Odds { base_rate: (0.0, 0.0), ..self }
    }

    /// Whether the trees count.
    pub fn asks_trees(&self) -> bool {
        self.long < 1.0
    }

    /// The probability of one event, from that of the trees.
    pub fn likelihood(&self, trees: f64) -> f64 {
        let trees = trees.clamp(1e-6, 1.0 - 1e-6);
        let articles = self.of_terms() - self.base_rate.0;
        let short = (trees / (1.0 - trees)).ln() - self.genre - self.base_rate.1;
        let odds = self.long * articles + (1.0 - self.long) * short;
        1.0 / (1.0 + (-odds).exp())
    }
}
