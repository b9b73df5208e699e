//! Summary of a signature in 64 bits (day, level, words): rejects most candidates without reading their signatures.
//!
//! The cosine that two articles need follows from their levels (odds.rs), and pairs with a high cosine share many of
//! their heaviest terms. Of the pairs of six collections with a cosine c, 98 in 100 share at least ⌊10 c⌋ of their
//! twenty heaviest terms: three for 0.3, six for 0.6.
//!
//! Short items, which the trees score, share two key words, and more where the base rate is high: one more for every unit
//! of log odds above two, and for every twenty words of the shorter one, but never more than about a third of its words.
//! Of the pairs that exceed 1 to 5 in seven collections of headlines, at most 2 in 1,000 share fewer words; of the pairs
//! reported among 10,000 and 30,000 undated items of fi_short_news, 2 of 290 and 3 of 55 do. The rule was chosen on these.

use super::item::{Item, ARTICLE_WORDS, NO_DAY};
use super::odds;

/// Shared terms of twenty, for a cosine of 1.
const SHARED_OF_TWENTY: f64 = 10.0;
pub const MIN_SHARED_TERMS: usize = 2;
/// Words of a short item that count as one unit of log odds.
const WORDS_PER_SHARED: f64 = 20.0;
const LEVEL_STEPS: f64 = (1 << 15) as f64 - 1.0;

/// The smallest values that the base rate subtracts from the log odds of two articles, and of two short items: if one of
/// them has no date, and if both have.
pub type BaseRates = [(f64, f64); 2];

#[derive(Clone, Copy)]
pub struct Summary {
    day: u32,
    level: u16,
    words: u16,
    /// Whether the calibration has a base rate for the language.
    is_calibrated: bool,
}

impl Summary {
    pub fn new(item: &Item, is_calibrated: bool) -> Self {
        Summary {
            is_calibrated,
            day: item.day.unwrap_or(NO_DAY),
            level: (odds::level_of(item).clamp(0.0, 1.0) * LEVEL_STEPS) as u16,
            words: item.words.min(u16::MAX.into()) as u16,
        }
    }

    pub fn pack(self) -> u64 {
        let level = self.level << 1 | u16::from(self.is_calibrated);
        u64::from(self.day) << 32 | u64::from(level) << 16 | u64::from(self.words)
    }

    pub fn unpack(packed: u64) -> Self {
        let level = (packed >> 16) as u16;
        Summary { day: (packed >> 32) as u32, level: level >> 1, words: packed as u16, is_calibrated: level & 1 != 0 }
    }

    /// Whether two items are at most `days` apart; an unknown date is compatible with every date.
    pub fn is_within(self, other: Self, days: u32) -> bool {
        self.day == NO_DAY || other.day == NO_DAY || self.day.abs_diff(other.day) <= days
    }

    /// What the base rate subtracts at least from a pair, as articles and as short items.
    fn base_rate(self, other: Self, base_rates: &BaseRates) -> (f64, f64) {
        let are_dated = self.day != NO_DAY && other.day != NO_DAY;
        let is_calibrated = self.is_calibrated && other.is_calibrated;
        if is_calibrated {
            base_rates[usize::from(are_dated)]
        } else {
            (0.0, 0.0)
        }
    }

    /// Lower bound of the number of key words, of `of`, that a pair shares if it reaches the log odds `min_odds`.
    pub fn min_shared_terms(self, other: Self, of: usize, min_odds: f64, base_rates: &BaseRates) -> usize {
        let (of_articles, _) = self.base_rate(other, base_rates);
        let level = (f64::from(self.level) + f64::from(other.level)) / 2.0 / LEVEL_STEPS;
        let cosine = odds::min_cosine(self.words.min(other.words).into(), level, min_odds, of_articles);
        let by_cosine = (SHARED_OF_TWENTY * of as f64 / 20.0 * cosine) as usize;
        by_cosine.min(of).max(self.min_shared_words(other, of, min_odds, base_rates))
    }

    /// The same for two short items, and a minimum for others; computed faster.
    pub fn min_shared_words(self, other: Self, of: usize, min_odds: f64, base_rates: &BaseRates) -> usize {
        if u32::from(self.words.max(other.words)) >= ARTICLE_WORDS {
            return MIN_SHARED_TERMS;
        }
        let (_, of_items) = self.base_rate(other, base_rates);
        let words = f64::from(self.words.min(other.words));
        let by_odds = min_odds + of_items + words / WORDS_PER_SHARED;
        let shared = by_odds.min((words + 4.0) / 3.0) as usize;
        shared.clamp(MIN_SHARED_TERMS, of.max(MIN_SHARED_TERMS))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn summary(day: u32, level: u16, words: u16) -> Summary {
        Summary { day, level, words, is_calibrated: true }
    }

    #[test]
    fn survives_packing() {
        let packed = summary(19_000, 5, 400).pack();
        let Summary { day, level, words, is_calibrated } = Summary::unpack(packed);
        assert_eq!((day, level, words, is_calibrated), (19_000, 5, 400, true));
    }

    #[test]
    fn a_language_without_a_base_rate_needs_no_more_terms_for_it() {
        let unknown = Summary { is_calibrated: false, ..summary(1, 0, 400) };
        let of = |other: Summary, rate| summary(1, 0, 400).min_shared_terms(other, 20, 0.0, &[(rate, 0.0); 2]);
        assert_eq!(of(unknown, 5.0), of(summary(1, 0, 400), 0.0));
    }

    #[test]
    fn higher_levels_base_rates_and_thresholds_need_more_shared_terms() {
        let of = |level: u16, odds: f64, base_rate: f64| {
            summary(1, level, 400).min_shared_terms(summary(1, level, 400), 20, odds, &[(base_rate, 0.0); 2])
        };
        let (low, high) = (0, 6_500);
        assert!(of(low, 0.0, 0.0) < of(high, 0.0, 0.0));
        assert!(of(low, 0.0, 0.0) < of(low, 0.0, 4.0));
        assert!(of(low, 0.0, 0.0) < of(low, 4.0, 0.0));
        assert_eq!(of(u16::MAX >> 1, 9.0, 9.0), 20);
        assert_eq!(of(high, f64::NEG_INFINITY, 0.0), MIN_SHARED_TERMS);
    }

    #[test]
    fn a_short_item_and_an_article_need_two_shared_terms() {
        let (short, long) = (summary(1, 10_000, 12), summary(1, 10_000, 400));
        assert_eq!(short.min_shared_terms(long, 20, 0.0, &[(3.0, 5.0); 2]), MIN_SHARED_TERMS);
    }

    #[test]
    fn short_items_need_more_shared_words_the_more_evidence_they_need_and_the_more_words_they_have() {
        let of = |words: u16, odds: f64, of_items: f64| {
            let item = summary(1, 0, words);
            item.min_shared_terms(item, 20, odds, &[(0.0, of_items); 2])
        };
        assert_eq!([0.0, 1.0, 2.0, 4.0, 5.0].map(|rate| of(24, 0.0, rate)), [2, 2, 3, 5, 6]);
        assert_eq!([4, 6, 9, 12, 24].map(|words| of(words, 0.0, 6.0)), [2, 3, 4, 5, 7]);
        assert_eq!(of(24, 4.0, 0.0), of(24, 0.0, 4.0));
        assert_eq!(of(24, f64::NEG_INFINITY, 6.0), MIN_SHARED_TERMS);
    }

    #[test]
    fn pairs_with_an_unknown_date_have_their_own_base_rate() {
        let (dated, undated) = (summary(1, 0, 24), summary(NO_DAY, 0, 24));
        let of = |other: Summary| dated.min_shared_terms(other, 20, 0.0, &[(0.0, 5.0), (0.0, 0.0)]);
        assert_eq!((of(undated), of(dated)), (6, 2));
    }

    #[test]
    fn an_unknown_date_is_compatible_with_every_date() {
        assert!(summary(NO_DAY, 0, 9).is_within(summary(5, 0, 9), 0));
        assert!(summary(5, 0, 9).is_within(summary(8, 0, 9), 3));
        assert!(!summary(5, 0, 9).is_within(summary(9, 0, 9), 3));
    }
}
