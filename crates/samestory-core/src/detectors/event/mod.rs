//! Events: items of news that tell the same happening, in whatever words.

mod agreement;
mod decided;
mod exchanged;
mod item;
mod trees;

use agreement::{Agreement, Numbers};
use item::{Family, Item, IN_LEAD, NAME, NUMBER};

use super::{Article, Comparer, Detector, Kind, Missing, Overlap, Parameters, Wants, Why};
use crate::hash;

pub use agreement::NAMES;
pub use decided::decided;

#[derive(Clone, Debug)]
pub struct Event {
    threshold: f64,
    /// How many of its most telling words an item is filed under, two by two.
    telling: usize,
    ceiling: usize,
    /// How many days two items may lie apart.
    days: u32,
}

impl Event {
    pub fn of(parameters: &Parameters) -> Result<Self, Missing> {
        Ok(Event {
            threshold: parameters.number("threshold")?,
            telling: parameters.count("telling")?,
            ceiling: parameters.count("ceiling")?,
            days: parameters.count("days")? as u32,
        })
    }
}

impl Detector for Event {
    fn wants(&self) -> Wants {
        Wants::Text
    }

    fn sign(&self, article: &Article, signature: &mut Vec<u32>) {
        item::write(article, signature);
    }

    fn keys(&self, signature: &[u32], keys: &mut Vec<u64>) {
        if signature.is_empty() {
            return;
        }
        let words = telling(&Item::read(signature), self.telling);
        if let [only] = words[..] {
            keys.push(hash::numbered(1, only.into()));
        }
        for (at, &one) in words.iter().enumerate() {
            keys.extend(words[at + 1..].iter().map(|&other| {
                let (low, high) = (one.min(other), one.max(other));
                hash::numbered(2, u64::from(low) << 32 | u64::from(high))
            }));
        }
    }

    fn ceiling(&self) -> usize {
        self.ceiling
    }

    /// Who shares two words shares one pair of them: sixteen numbers say what a hundred and twenty keys do. But they do
    /// not say how many have both, which a ceiling asks.
    fn filings(&self, signature: &[u32], filings: &mut Vec<u64>) {
        if self.ceiling != 0 || signature.is_empty() {
            return self.keys(signature, filings);
        }
        let words = telling(&Item::read(signature), self.telling);
        // who has but one word meets nobody who has more
        let alone = 1 + u64::from(words.len() > 1);
        filings.extend(words.into_iter().map(|word| hash::numbered(alone, word.into())));
    }

    fn filed_quorum(&self, fewer: usize) -> usize {
        fewer.min(if self.ceiling == 0 { 2 } else { 1 })
    }

    fn days(&self) -> Option<u32> {
        Some(self.days)
    }

    fn admits(&self, left: &[u32], right: &[u32], _shared: usize, _fewer: usize) -> bool {
        item::days_apart(left, right).is_none_or(|days| days <= self.days)
    }

    fn hints(&self) -> bool {
        true
    }

    /// Its day and whether that is known: most items that share two words lie weeks apart.
    fn hint(&self, signature: &[u32]) -> u64 {
        item::day_of(signature).map_or(u64::MAX, u64::from)
    }

    fn meets(&self, left: u64, right: u64, _shared: usize) -> bool {
        left == u64::MAX || right == u64::MAX || left.abs_diff(right) <= u64::from(self.days)
    }

    fn comparer(&self) -> Box<dyn Comparer + '_> {
        Box::new(Told { threshold: self.threshold, days: self.days, left: vec![], agreement: Agreement::default() })
    }
}

/// The most telling words of an item: rare ones, names, those of the headline and the lead. Numbers bring together
/// whoever counts to five, so they are taken only where there is nothing else.
fn telling(item: &Item, most: usize) -> Vec<u32> {
    let tells = |note: u32| {
        let flags = item::flags(note);
        let named = if flags & NAME != 0 { 1.3 } else { 1.0 };
        let lead = if flags & IN_LEAD != 0 { 1.4 } else { 1.0 };
        let number = if flags & NUMBER != 0 { 0.01 } else { 1.0 };
        (item::rarity(note) * named * lead * number * 1e6) as u64
    };
    let mut words: Vec<(u64, u32)> =
        item.notes.iter().zip(item.stems).map(|(&note, &stem)| (tells(note), stem)).collect();
    words.sort_unstable_by(|x, y| y.cmp(x));
    words.truncate(most);
    words.into_iter().map(|(_, stem)| stem).collect()
}

/// Whose trees judge two items.
fn family(left: &Item, right: &Item) -> Family {
    if left.family == right.family {
        left.family
    } else {
        Family::Other
    }
}

/// The numbers of the agreement of two items; none where they have nothing in common.
pub fn agreement_of(left: &[u32], right: &[u32]) -> Option<Numbers> {
    if left.is_empty() || right.is_empty() {
        return None;
    }
    let (left, right) = (Item::read(left), Item::read(right));
    let mut agreement = Agreement::default();
    agreement.load(&left);
    agreement.meet(&left, &right);
    agreement.is_any().then(|| agreement.measure(&left, &right))
}

struct Told {
    threshold: f64,
    days: u32,
    left: Vec<u32>,
    agreement: Agreement,
}

impl Comparer for Told {
    fn load(&mut self, left: &[u32]) {
        self.left.clear();
        self.left.extend_from_slice(left);
        if !left.is_empty() {
            self.agreement.load(&Item::read(left));
        }
    }

    fn compare(&mut self, right: &[u32]) -> Overlap {
        if self.left == right {
            return Overlap::related(1.0, 1.0, Kind::SameEvent, 1.0);
        }
        if self.left.is_empty() || right.is_empty() {
            return Overlap::apart(0.0, 0.0, Why::Apart);
        }
        if item::days_apart(&self.left, right).is_some_and(|days| days > self.days) {
            return Overlap::apart(0.0, 0.0, Why::Facts);
        }
        let (one, other) = (Item::read(&self.left), Item::read(right));
        if !self.agreement.meet(&one, &other) {
            return Overlap::apart(0.0, 0.0, Why::Apart);
        }
        let share = trees::likelihood(family(&one, &other), &self.agreement.measure(&one, &other));
        if share >= self.threshold {
            Overlap::related(share, share, Kind::SameEvent, share)
        } else {
            Overlap::apart(share, share, Why::Apart)
        }
    }
}
