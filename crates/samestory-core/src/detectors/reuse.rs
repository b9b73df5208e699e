//! Reuse: near-duplicates and containment in one pass, with the facts of the two articles as a second witness.
//!
//! A signature is the article's facts (figures, days, months; each once), then the row of its tokens. Keys are a sample
//! of its word shingles: those whose hash lies under a threshold, or the smallest few where that leaves too little. What
//! is sampled does not depend on the article, so the part of a story samples as the story does, and the share of keys in
//! common estimates the share of text. Candidates whose estimate can still reach what they need are then measured
//! exactly, over all shingles, both ways.
//!
//! Whether a share means the same story depends on what else agrees. Recurring reports reuse half of last month's text
//! and none of its figures; an update rewrites most of a story and keeps them. Hence
//!
//! ```text
//! share >= threshold - facts * (agreement - 1/2) - length * ln(longer / 300)
//! ```
//!
//! where agreement is the share of the figures, days and months of the article that has fewer of them found in the
//! other (drawn towards 0.4 when there are few), and longer the number of words of the longer article. The weights were
//! fitted by logistic regression on labelled news.

use super::form::slots;
use super::{Comparer, Detector, Kind, Overlap, Why};
use crate::hash;
use crate::text::calendar::is_calendar;
use crate::text::tokens::{word, FIGURE, WORD};

#[derive(Clone, Debug)]
pub struct Reuse {
    /// Words in a shingle.
    pub shingle: usize,
    /// The share of shingles that become keys.
    pub sample: f64,
    /// The fewest keys of an article that has as many shingles.
    pub least: usize,
    /// The most articles that may share a key before it counts as boilerplate (0: no limit).
    pub ceiling: usize,
    /// The share of the smaller number of keys that two articles must have in common to be compared.
    pub quorum: f64,
    pub threshold: f64,
    pub facts: f64,
    pub length: f64,
    /// No pair under this share is reported, whatever its facts.
    pub minimum: f64,
    /// From this share on, the smaller of two unequal articles is part of the larger.
    pub part: f64,
    /// Refuse pairs that share a form and differ in its facts.
    pub form: bool,
}

/// The strength and the aim of the pull on the agreement of articles with few facts.
const FACTS_PRIOR: (f64, f64) = (2.0, 0.4);
/// The length at which the threshold holds as it stands, and the range in which length counts.
const USUAL_LENGTH: f64 = 300.0;
const LENGTHS: (f64, f64) = (60.0, 1000.0);
/// A part is much smaller than its whole, and the more so the less of it is found there.
const PART_SKEW: f64 = 0.75;

fn is_part(found: f64, other: f64, least: f64) -> bool {
    found >= least && other < PART_SKEW * found * found
}

/// How many standard deviations an estimate from sampled keys may be wrong before a candidate is given up.
const DOUBT: f64 = 2.0;

/// The facts and the tokens of a signature.
fn split(signature: &[u32]) -> (&[u32], &[u32]) {
    match signature {
        [] => (&[], &[]),
        [facts, rest @ ..] => rest.split_at(*facts as usize),
    }
}

/// The share of the facts of the article with fewer of them found in the other, drawn towards the prior.
fn agreement(left: &[u32], right: &[u32]) -> f64 {
    let (mut i, mut j, mut common) = (0, 0, 0usize);
    while i < left.len() && j < right.len() {
        let (x, y) = (left[i], right[j]);
        common += usize::from(x == y);
        i += usize::from(x <= y);
        j += usize::from(y <= x);
    }
    let (strength, aim) = FACTS_PRIOR;
    (common as f64 + strength * aim) / (left.len().min(right.len()) as f64 + strength)
}

impl Reuse {
    /// The share that articles of these lengths need when nothing is known of their facts.
    fn needed(&self, left: usize, right: usize) -> f64 {
        let longer = (left.max(right) as f64).clamp(LENGTHS.0, LENGTHS.1);
        self.threshold - self.length * (longer / USUAL_LENGTH).ln()
    }
}

impl Detector for Reuse {
    fn sign(&self, tokens: &[u32], signature: &mut Vec<u32>) {
        let start = signature.len();
        signature.push(0);
        signature.extend(tokens.iter().filter(|&&t| t & FIGURE != 0 || is_calendar(word(t))).map(|&t| word(t)));
        signature[start + 1..].sort_unstable();
        let mut end = start + 1;
        for at in start + 1..signature.len() {
            if at == start + 1 || signature[at] != signature[end - 1] {
                signature[end] = signature[at];
                end += 1;
            }
        }
        signature.truncate(end);
        signature[start] = (end - start - 1) as u32;
        signature.extend_from_slice(tokens);
    }

    fn keys(&self, signature: &[u32], keys: &mut Vec<u64>) {
        let (_, tokens) = split(signature);
        let first = keys.len();
        let limit = (self.sample * 2f64.powi(64)) as u64; // saturates at u64::MAX: then every shingle is a key
        // written always, kept if under the limit: no branch that the processor could only guess
        let mut end = first;
        keys.resize(first + tokens.len(), 0);
        hash::shingles(tokens, WORD, self.shingle, |_, h| {
            keys[end] = h;
            end += usize::from(h <= limit);
        });
        keys.truncate(end);
        if end - first < self.least {
            keys.truncate(first);
            hash::shingles(tokens, WORD, self.shingle, |_, h| keys.push(h));
        }
        keys[first..].sort_unstable();
        let mut kept = first;
        for at in first..keys.len() {
            if at == first || keys[at] != keys[kept - 1] {
                keys[kept] = keys[at];
                kept += 1;
            }
        }
        keys.truncate(kept);
        let sampled = keys[first..].partition_point(|&h| h <= limit);
        keys.truncate(first + sampled.max(self.least.min(kept - first)));
    }

    fn quorum(&self, fewer: usize) -> usize {
        ((self.quorum * fewer as f64).ceil() as usize).max(1).min(fewer)
    }

    /// The most that the shared keys leave possible must reach what the lengths and facts of the two ask for.
    fn admits(&self, left: &[u32], right: &[u32], shared: usize, fewer: usize) -> bool {
        let possible = shared as f64 + DOUBT * (shared as f64).sqrt();
        let ((left_facts, left), (right_facts, right)) = (split(left), split(right));
        let needed = self.needed(left.len(), right.len()) - self.facts * (agreement(left_facts, right_facts) - 0.5);
        possible >= needed.max(self.minimum) * fewer as f64
    }

    fn ceiling(&self) -> usize {
        self.ceiling
    }

    fn comparer(&self) -> Box<dyn Comparer + '_> {
        Box::new(Reader { detector: self, left: vec![], shelf: Shelf::default(), places: vec![] })
    }
}

/// The shingles of the left article, ready to be looked up.
#[derive(Default)]
struct Shelf {
    /// Upper half of the hash, and the number of the shingle plus one; 0 is empty. With the place in the table some 40
    /// bits of the hash are compared. The table is large, so that most questions are answered at the first look.
    table: Vec<u64>,
    shingles: Vec<Shingle>,
    /// For every place in the left article the number of the shingle that stands there.
    numbers: Vec<u32>,
    round: u32,
}

struct Shingle {
    /// Where it stands first in the left article, and how often.
    place: u32,
    count: u32,
    /// The last right article in which it was found.
    seen: u32,
}

/// Places in the table for each shingle, at least.
const ROOM: usize = 5;

pub(super) const ABSENT: u32 = u32::MAX;

impl Shelf {
    fn load(&mut self, tokens: &[u32], width: usize) {
        self.table.clear();
        self.table.resize((ROOM * tokens.len()).next_power_of_two(), 0);
        self.shingles.clear();
        self.numbers.clear();
        self.round = 0;
        let (table, shingles, numbers) = (&mut self.table[..], &mut self.shingles, &mut self.numbers);
        let mask = table.len() - 1;
        hash::shingles(tokens, WORD, width, |place, h| {
            let mut at = h as usize & mask;
            loop {
                let entry = table[at];
                if entry == 0 {
                    shingles.push(Shingle { place: place as u32, count: 1, seen: 0 });
                    table[at] = h >> 32 << 32 | shingles.len() as u64;
                    numbers.push(shingles.len() as u32 - 1);
                    break;
                }
                if entry >> 32 == h >> 32 {
                    let number = entry as u32 - 1;
                    shingles[number as usize].count += 1;
                    numbers.push(number);
                    break;
                }
                at = (at + 1) & mask;
            }
        });
    }

    /// For every shingle of the right article the place where the same stands first in the left one, or ABSENT; and how
    /// many shingles of the left article are found in the right one, and of the right in the left.
    fn find(&mut self, tokens: &[u32], width: usize, places: &mut Vec<u32>) -> (usize, usize) {
        self.round += 1;
        places.clear();
        places.reserve(tokens.len());
        let (table, shingles, round) = (&self.table[..], &mut self.shingles[..], self.round);
        let mask = table.len() - 1;
        let (mut left, mut right) = (0u32, 0usize);
        hash::shingles(tokens, WORD, width, |_, h| {
            let mut at = h as usize & mask;
            let mut entry = table[at];
            while entry != 0 && entry >> 32 != h >> 32 {
                at = (at + 1) & mask;
                entry = table[at];
            }
            if entry == 0 {
                places.push(ABSENT);
                return;
            }
            let shingle = &mut shingles[entry as u32 as usize - 1];
            right += 1;
            left += if shingle.seen == round { 0 } else { shingle.count };
            shingle.seen = round;
            places.push(shingle.place);
        });
        (left as usize, right)
    }

    /// The same answer as `find`, asked from the other side: for every shingle of the left article its first place in
    /// the right one.
    fn turned(&self, places: &[u32]) -> Vec<u32> {
        let mut there = vec![ABSENT; self.numbers.len()];
        for (place, &first) in places.iter().enumerate().rev() {
            if first != ABSENT {
                there[first as usize] = place as u32;
            }
        }
        self.numbers.iter().map(|&number| there[self.shingles[number as usize].place as usize]).collect()
    }
}

struct Reader<'a> {
    detector: &'a Reuse,
    left: Vec<u32>,
    shelf: Shelf,
    places: Vec<u32>,
}

impl Reader<'_> {
    /// Laid side by side always in the same order, so that the answer does not depend on who asked.
    fn is_form(&self, left: &[u32], right: &[u32]) -> bool {
        let width = self.detector.shingle;
        let differences = if (left.len(), left) <= (right.len(), right) {
            slots(left, right, &self.places, width)
        } else {
            slots(right, left, &self.shelf.turned(&self.places), width)
        };
        differences.is_form()
    }
}

impl Comparer for Reader<'_> {
    fn load(&mut self, left: &[u32]) {
        self.left.clear();
        self.left.extend_from_slice(left);
        self.shelf.load(split(left).1, self.detector.shingle);
    }

    fn compare(&mut self, right: &[u32]) -> Overlap {
        let rule = self.detector;
        let (right_facts, right) = split(right);
        let (left_facts, left) = split(&self.left);
        if left.is_empty() || right.is_empty() {
            return if left.is_empty() && right.is_empty() {
                Overlap::related(1.0, 1.0, Kind::Identical)
            } else {
                Overlap::apart(0.0, 0.0, Why::Apart)
            };
        }
        let (from_left, from_right) = self.shelf.find(right, rule.shingle, &mut self.places);
        let forward = from_left as f64 / self.shelf.numbers.len() as f64;
        let backward = from_right as f64 / self.places.len() as f64;
        let share = forward.max(backward);
        if left.len() == right.len() && left.iter().zip(right).all(|(&l, &r)| word(l) == word(r)) {
            return Overlap::related(forward, backward, Kind::Identical);
        }
        let plain = rule.needed(left.len(), right.len());
        let needed = plain - rule.facts * (agreement(left_facts, right_facts) - 0.5);
        if share < needed.max(rule.minimum) {
            // enough text in common, were it not for the facts
            let why = if share >= plain.max(rule.minimum) { Why::Form } else { Why::Apart };
            return Overlap::apart(forward, backward, why);
        }
        if rule.form && self.is_form(left, right) {
            return Overlap::apart(forward, backward, Why::Form);
        }
        let kind = if is_part(forward, backward, rule.part) {
            Kind::PartOf
        } else if is_part(backward, forward, rule.part) {
            Kind::HasPart
        } else {
            Kind::Near
        };
        Overlap::related(forward, backward, kind)
    }
}
