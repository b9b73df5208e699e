//! Detects two groups that are one topic but two events: pairs inside each are stronger than pairs between them.
//!
//! Two groups of several articles stay apart if the mean log odds of the pairs between them are lower than those inside
//! of either by a factor of four, although most pairs between them are related. A merger that fails and the resignation
//! that follows share names and background: each has strong pairs, and between them there are weak ones.

/// Minimum articles of each group, copies not counted: with fewer, the means are unreliable.
pub const MIN_ARTICLES: usize = 4;
/// Maximum articles of a group that a stream compares with the whole group, to estimate the strength inside it.
pub const MAX_ARTICLES: usize = 64;
/// Minimum gap of the mean log odds: 1.4 is a factor of four. Chosen on ecbplus, whose topics consist of two events
/// each (pair F1 .861 without the rule, .887 with 1.4), where tr_mds, which has no such topics, loses nothing.
const LOG_ODDS_GAP: f64 = 1.4;
/// The score that counts as certain, and that of an unrelated pair.
const CERTAIN_SCORE: f64 = 0.999;
const UNRELATED_SCORE: f64 = 0.2;
/// Log odds are summed as integer multiples of 1/this, so that the order does not matter.
const LOG_ODDS_UNIT: f64 = (1u64 << 32) as f64;

/// The sum of the log odds of some pairs, those of copies (score 1) not counted.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Strength {
    pairs: u64,
    copies: u64,
    sum: i128,
}

impl Strength {
    /// The strength of `pairs` related pairs with one score.
    pub fn new(pairs: u64, score: f64) -> Self {
        if score >= 1.0 {
            return Strength { copies: pairs, ..Strength::default() };
        }
        let score = score.clamp(1.0 - CERTAIN_SCORE, CERTAIN_SCORE);
        let odds = ((score / (1.0 - score)).ln() * LOG_ODDS_UNIT) as i128;
        Strength { pairs, copies: 0, sum: i128::from(pairs) * odds }
    }

    pub fn add(&mut self, other: Strength) {
        self.pairs += other.pairs;
        self.copies += other.copies;
        self.sum += other.sum;
    }

    /// Adds unrelated pairs up to a total of `all`.
    pub fn among(mut self, all: u64) -> Self {
        self.add(Strength::new(all.saturating_sub(self.pairs + self.copies), UNRELATED_SCORE));
        self
    }

    /// Whether all pairs are pairs of copies.
    pub fn is_of_copies(&self) -> bool {
        self.pairs == 0 && self.copies > 0
    }

    fn mean(&self) -> f64 {
        self.sum as f64 / LOG_ODDS_UNIT / self.pairs as f64
    }

    /// Whether pairs of this strength between two groups indicate two events, given the strength inside of each. All
    /// pairs must be counted (`among`). A group whose members were decided manually has no measured pairs inside.
    pub fn is_topic(&self, one: &Strength, other: &Strength) -> bool {
        self.pairs > 0 && one.pairs > 0 && other.pairs > 0 && self.mean() < one.mean().min(other.mean()) - LOG_ODDS_GAP
    }
}
