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
//! share + facts * (agreement - 1/2) + length * ln(longer / 300) >= threshold
//! ```
//!
//! where agreement is the share of the figures, days and months of the article that has fewer of them found in the
//! other (drawn towards 0.4 when there are few), and longer the number of words of the longer article. The weights were
//! fitted by logistic regression on labelled news.

use super::form::differences;
use super::{common, Article, Comparer, Detector, Kind, Missing, Overlap, Parameters, Why};
use crate::hash;
use crate::text::calendar::calendar;
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
const LENGTHS: (f64, f64) = (100.0, 600.0);
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
    let (strength, aim) = FACTS_PRIOR;
    (common(left, right) as f64 + strength * aim) / (left.len().min(right.len()) as f64 + strength)
}

impl Reuse {
    pub fn of(parameters: &Parameters) -> Result<Self, Missing> {
        Ok(Reuse {
            shingle: parameters.count("shingle")?,
            sample: parameters.number("sample")?,
            least: parameters.count("least")?,
            ceiling: parameters.count("ceiling")?,
            quorum: parameters.number("quorum_share")?,
            threshold: parameters.number("threshold")?,
            facts: parameters.number("facts")?,
            length: parameters.number("length")?,
            minimum: parameters.number("minimum")?,
            part: parameters.number("part")?,
            form: parameters.flag("form")?,
        })
    }

    /// The share of its shingles that an article of this length has as keys.
    fn rate(&self, words: usize) -> f64 {
        let shingles = (words + 1).saturating_sub(self.shingle).max(1);
        (self.least as f64 / shingles as f64).min(1.0).max(self.sample)
    }

    /// What articles of these lengths are given beside their share.
    fn for_length(&self, left: usize, right: usize) -> f64 {
        let longer = (left.max(right) as f64).clamp(LENGTHS.0, LENGTHS.1);
        self.length * (longer / USUAL_LENGTH).ln()
    }

    /// What articles with these facts are given beside their share: less than nothing if most of them differ.
    fn for_facts(&self, left: &[u32], right: &[u32]) -> f64 {
        self.facts * (agreement(left, right) - 0.5)
    }
}

/// Takes out, behind `first`, what equals the value before it.
fn dedup<T: PartialEq + Copy>(values: &mut Vec<T>, first: usize) {
    let mut kept = first;
    for at in first..values.len() {
        values[kept] = values[at];
        kept += usize::from(kept == first || values[kept] != values[kept - 1]);
    }
    values.truncate(kept);
}

/// Sorts values that are spread evenly between 0 and `most`: dealt into as many drawers as there are values, roughly,
/// each lies near its place, and the rest is a few steps.
fn sort_spread(values: &mut [u64], most: u64) {
    const DRAWERS: usize = 64;
    const MANY: usize = 256;
    if values.len() > MANY {
        return values.sort_unstable();
    }
    let step = most / DRAWERS as u64 + 1;
    let scale = u64::MAX / step; // a product instead of a division; any drawer will do that does not fall
    let drawer = |value: u64| (((u128::from(value) * u128::from(scale)) >> 64) as usize).min(DRAWERS - 1);
    let mut next = [0u16; DRAWERS + 1];
    for &value in values.iter() {
        next[drawer(value) + 1] += 1;
    }
    for i in 0..DRAWERS {
        next[i + 1] += next[i];
    }
    let mut dealt = [0u64; MANY];
    for &value in values.iter() {
        let at = &mut next[drawer(value)];
        dealt[*at as usize] = value;
        *at += 1;
    }
    let dealt = &dealt[..values.len()];
    for (end, &value) in dealt.iter().enumerate() {
        let mut at = end;
        while at > 0 && values[at - 1] > value {
            values[at] = values[at - 1];
            at -= 1;
        }
        values[at] = value;
    }
}

impl Detector for Reuse {
    fn sign(&self, article: &Article, signature: &mut Vec<u32>) {
        let tokens = article.words;
        let calendar = calendar();
        let start = signature.len() + 1;
        signature.resize(start + tokens.len(), 0);
        // written always, kept if it may be a fact: no branch that the processor could only guess
        let mut end = start;
        for &token in tokens {
            signature[end] = token;
            end += usize::from((token & FIGURE != 0) | calendar.may_have(word(token)));
        }
        let mut kept = start;
        for at in start..end {
            let token = signature[at];
            if token & FIGURE != 0 || calendar.has(word(token)) {
                signature[kept] = word(token);
                kept += 1;
            }
        }
        signature.truncate(kept);
        signature[start..].sort_unstable();
        dedup(signature, start);
        signature[start - 1] = (signature.len() - start) as u32;
        signature.extend_from_slice(tokens);
    }

    fn keys(&self, signature: &[u32], keys: &mut Vec<u64>) {
        let (_, tokens) = split(signature);
        let first = keys.len();
        // saturates at u64::MAX: then every shingle is a key
        let limit = (self.sample * 2f64.powi(64)) as u64;
        // written always, kept if under the limit: no branch that the processor could only guess
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

    fn quorum(&self, fewer: usize) -> usize {
        ((self.quorum * fewer as f64) as usize).max(1).min(fewer)
    }

    /// The most that the shared keys leave possible must reach what the lengths and facts of the two ask for.
    fn admits(&self, left: &[u32], right: &[u32], shared: usize, fewer: usize) -> bool {
        let possible = shared as f64 + DOUBT * (shared as f64).sqrt();
        let ((left_facts, left), (right_facts, right)) = (split(left), split(right));
        let given = self.for_length(left.len(), right.len()) + self.for_facts(left_facts, right_facts);
        let (shorter, longer) = (left.len().min(right.len()), left.len().max(right.len()));
        // a short article keeps more of its shingles than a long one: only so many of its keys can be found there
        let comparable = fewer as f64 * self.rate(longer) / self.rate(shorter);
        possible >= (self.threshold - given).max(self.minimum) * comparable
    }

    fn ceiling(&self) -> usize {
        self.ceiling
    }

    fn comparer(&self) -> Box<dyn Comparer + '_> {
        Box::new(Reader { detector: self, left: vec![], shelf: Shelf::default(), first: vec![], places: vec![] })
    }
}

/// The shingles of the left article, ready to be looked up, and what the last search found. Every column of the shelf
/// begins with a shingle 0 that is nobody's: what is not on the shelf is found there, so that found and not found take
/// the same steps.
#[derive(Default)]
struct Shelf {
    /// Numbers of shingles, by the lowest bits of their hash; 0 is empty. The table is large, so that most questions are
    /// answered at the first look.
    table: Vec<u32>,
    /// Upper half of the hash. With the place in the table some 40 bits of the hash are compared.
    tags: Vec<u32>,
    /// Where it stands first in the left article, and how often.
    places: Vec<u32>,
    counts: Vec<u32>,
    /// The last right article in which it was found.
    seen: Vec<u32>,
    round: u32,
    /// For every place in the left article the number of the shingle that stands there; and in the right one.
    left: Vec<u32>,
    right: Vec<u32>,
}

/// Places in the table for each shingle, at least.
const ROOM: usize = 8;

pub(super) const ABSENT: u32 = u32::MAX;

/// The number of the shingle with this hash, or 0, and the place in the table where the search ended.
#[inline(always)]
fn look(table: &[u32], tags: &[u32], h: u64) -> (u32, usize) {
    let mask = table.len() - 1;
    let mut at = h as usize & mask;
    let mut number = table[at];
    // taken and by another one: asked as one question, which is nearly always answered with no
    while number.min(tags[number as usize] ^ (h >> 32) as u32) != 0 {
        at = (at + 1) & mask;
        number = table[at];
    }
    (number, at)
}

impl Shelf {
    fn load(&mut self, tokens: &[u32], width: usize) {
        let Shelf { table, tags, places, counts, seen, left, .. } = self;
        table.clear();
        table.resize((ROOM * tokens.len()).next_power_of_two(), 0);
        left.clear();
        for (column, nobody) in [(&mut *tags, 0), (places, ABSENT), (counts, 0)] {
            column.clear();
            column.push(nobody);
        }
        hash::shingles(tokens, WORD, width, |place, h| {
            let (mut number, at) = look(table, tags, h);
            if number == 0 {
                number = tags.len() as u32;
                table[at] = number;
                tags.push((h >> 32) as u32);
                places.push(place as u32);
                counts.push(0);
            }
            counts[number as usize] += 1;
            left.push(number);
        });
        seen.clear();
        seen.resize(tags.len(), 0);
        self.round = 0;
    }

    /// Looks up every shingle of the right article. Gives how many shingles of the left article are found in it, and how
    /// many of its own in the left one.
    fn find(&mut self, tokens: &[u32], width: usize) -> (usize, usize) {
        let Shelf { table, tags, counts, seen, right, .. } = self;
        right.resize(tokens.len() + 1 - width.min(tokens.len()), 0);
        hash::shingles(tokens, WORD, width, |at, h| right[at] = look(table, tags, h).0);
        self.round += 1;
        for &number in right.iter() {
            seen[number as usize] = self.round;
        }
        let found = counts.iter().zip(seen).map(|(&count, seen)| if *seen == self.round { count } else { 0 });
        (found.sum::<u32>() as usize, right.iter().filter(|&&number| number != 0).count())
    }

    /// For every shingle of the right article the place where the same stands first in the left one, or ABSENT.
    fn of_right(&self, out: &mut Vec<u32>) {
        out.clear();
        out.extend(self.right.iter().map(|&number| self.places[number as usize]));
    }

    /// For every shingle of the left article the place where the same stands first in the right one, or ABSENT.
    fn of_left(&self, first: &mut Vec<u32>, out: &mut Vec<u32>) {
        first.clear();
        first.resize(self.tags.len(), ABSENT);
        for (place, &number) in self.right.iter().enumerate().rev() {
            first[number as usize] = place as u32;
        }
        out.clear();
        out.extend(self.left.iter().map(|&number| first[number as usize]));
    }
}

struct Reader<'a> {
    detector: &'a Reuse,
    left: Vec<u32>,
    shelf: Shelf,
    /// Room for the places of shingles.
    first: Vec<u32>,
    places: Vec<u32>,
}

impl Reader<'_> {
    /// Laid side by side always in the same order, so that the answer does not depend on who asked.
    fn is_form(&mut self, right_facts: &[u32], right: &[u32]) -> bool {
        let width = self.detector.shingle;
        let (left_facts, left) = split(&self.left);
        let found = if (left.len(), left) <= (right.len(), right) {
            self.shelf.of_right(&mut self.places);
            differences(left, right, &self.places, width)
        } else {
            self.shelf.of_left(&mut self.first, &mut self.places);
            differences(right, left, &self.places, width)
        };
        let fewer = left_facts.len().min(right_facts.len()).max(1);
        found.is_form(left.len().min(right.len()), common(left_facts, right_facts) as f64 / fewer as f64)
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
                Overlap::related(1.0, 1.0, Kind::Identical, 1.0)
            } else {
                Overlap::apart(0.0, 0.0, Why::Apart)
            };
        }
        let (from_left, from_right) = self.shelf.find(right, rule.shingle);
        let forward = from_left as f64 / self.shelf.left.len() as f64;
        let backward = from_right as f64 / self.shelf.right.len() as f64;
        let share = forward.max(backward);
        if left.len() == right.len() && left.iter().zip(right).all(|(&l, &r)| word(l) == word(r)) {
            return Overlap::related(forward, backward, Kind::Identical, 1.0);
        }
        let plain = share + rule.for_length(left.len(), right.len());
        let score = plain + rule.for_facts(left_facts, right_facts);
        if share < rule.minimum || score < rule.threshold {
            // enough text in common, were it not for the facts
            let why = if share >= rule.minimum && plain >= rule.threshold { Why::Facts } else { Why::Apart };
            return Overlap::apart(forward, backward, why);
        }
        if rule.form && self.is_form(right_facts, right) {
            return Overlap::apart(forward, backward, Why::Form);
        }
        let kind = if is_part(forward, backward, rule.part) {
            Kind::PartOf
        } else if is_part(backward, forward, rule.part) {
            Kind::HasPart
        } else {
            Kind::Near
        };
        Overlap::related(forward, backward, kind, score)
    }
}
