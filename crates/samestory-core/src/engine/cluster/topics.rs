//! When two groups are one topic and two events: the articles of each are more alike than those of the two.
//!
//! Two groups of several articles stay apart if the mean log odds of the pairs between them are lower than those inside of
//! either by a factor of four, although most pairs between them are related. A merger that fails and the
//! resignation that follows share names and background: each has strong pairs, and between them there are weak ones.

/// Fewest articles of each group, copies not counted: of fewer, the means say little.
pub const MIN_ARTICLES: usize = 4;
/// How many articles of a group a stream compares with all of it, to know how strong the pairs inside of it are.
pub const MAX_ARTICLES: usize = 64;
/// How much lower the mean log odds between the groups are: 1.4 is a factor of four. Chosen on ecbplus, whose topics consist
/// of two events each (pair F1 .861 without the rule, .887 with 1.4), where tr_mds, which has no such topics, loses nothing.
const MARGIN: f64 = 1.4;
/// Scores that count as certain, and that of a pair that is not related.
const CERTAIN: f64 = 0.999;
const UNRELATED: f64 = 0.2;
/// Log odds are added up in parts of this, so that the order does not matter.
const UNIT: f64 = (1u64 << 32) as f64;

/// The sum of the log odds of some pairs, those of copies (score 1) not counted.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Strength {
    pairs: u64,
    copies: u64,
    sum: i128,
}

impl Strength {
    /// So many related pairs with one score.
    pub fn of(pairs: u64, score: f64) -> Self {
        if score >= 1.0 {
            return Strength { copies: pairs, ..Strength::default() };
        }
        let score = score.clamp(1.0 - CERTAIN, CERTAIN);
        let odds = ((score / (1.0 - score)).ln() * UNIT) as i128;
        Strength { pairs, copies: 0, sum: i128::from(pairs) * odds }
    }

    pub fn add(&mut self, other: Strength) {
        self.pairs += other.pairs;
        self.copies += other.copies;
        self.sum += other.sum;
    }

    /// The same with pairs that are not related, so that there are `all`.
    pub fn among(mut self, all: u64) -> Self {
        self.add(Strength::of(all.saturating_sub(self.pairs + self.copies), UNRELATED));
        self
    }

    /// Whether all pairs are those of copies.
    pub fn is_of_copies(&self) -> bool {
        self.pairs == 0 && self.copies > 0
    }

    fn mean(&self) -> f64 {
        self.sum as f64 / UNIT / self.pairs as f64
    }

    /// Whether pairs of this strength between two groups say that they are two events, given what is inside of each. All
    /// pairs must be counted (`among`). A group whose members people chose has nothing inside that was measured.
    pub fn is_topic(&self, one: &Strength, other: &Strength) -> bool {
        self.pairs > 0 && one.pairs > 0 && other.pairs > 0 && self.mean() < one.mean().min(other.mean()) - MARGIN
    }
}
