//! What two news items have in common, and where they contradict each other, as numbers: the input of the trees.

use super::super::lookup::Lookup;
use super::exchanged::exchanged;
use super::item::{close, flags, Item, AHEAD, DATE, DONE, IN_LEAD, IN_TITLE, NAME, NUMBER, ORDINAL};
use super::numbers::{
    Numbers, COUNTS_CONFLICT, DATES_APART, MAIN_NAMES_APART, NAMES, NAMES_APART, ORDINALS_APART, REST_APART, RUNS,
    SLOTS_DATES, SLOTS_NAMES, SLOTS_NUMBERS, SWAPPED, WAYS_CONFLICT,
};
use super::preamble::is_rest_apart;
use super::slots::{slots, Slots};
use super::terms::short_stem;
use crate::text::background::RAREST;
use crate::text::opposites;

/// The weight of a name, a number and another word, in tenths. Weights are integers: their sums do not depend on the
/// order of addition, and so are the same from either side.
const NAMED: u64 = 16;
const NUMBERED: u64 = 13;
const PLAIN: u64 = 10;
/// Weight by the lowest flags of a note. A table, since a branch on names would be mispredicted.
const KINDS: [u64; 4] = {
    let mut kinds = [PLAIN; 4];
    kinds[NUMBER as usize] = NUMBERED;
    kinds[NAME as usize] = NAMED;
    kinds[(NAME | NUMBER) as usize] = NAMED;
    kinds
};
/// The weight of a plain word of rarity 10: the unit of weight in the numbers.
const WEIGHT_UNIT: f64 = (255 * PLAIN) as f64 / RAREST * 10.0;
/// Lower bounds for two items that report one event: the share of the weight of the words of one that the other has,
/// and the cosine of their words. Few judged pairs below them are one event; most pairs that share two key words by
/// chance are below them.
const MIN_HELD: f64 = 0.1;
const MIN_COSINE: f64 = 0.15;
/// From this share of runs on, two items have the same wording.
const MIN_SAME_WORDING_RUNS: f64 = 0.5;
/// From this value on, numbers that differ by at most this share are one number, rounded.
const MIN_ROUNDED: f32 = 20.0;
const ROUNDING_SHARE: f32 = 0.06;

/// From this number of words on, the heaviest name of an item is that of its event.
const MIN_WORDS_OF_MAIN_NAME: u32 = 20;

fn weight(note: u32) -> u64 {
    u64::from(note >> 24) * KINDS[(flags(note) & (NAME | NUMBER)) as usize]
}

/// The sums of the weights of all words of an item, and of their squares.
fn sums(item: &Item) -> (u64, u64) {
    let weights = item.notes.iter().map(|&note| weight(note));
    weights.fold((0, 0), |(mass, square), weight| (mass + weight, square + weight * weight))
}

/// Buffers for the comparison of one item with many.
#[derive(Default)]
pub struct Agreement {
    lookup: Lookup,
    /// For every word of the left and of the right item: whether it is shared.
    here: Vec<bool>,
    there: Vec<bool>,
    /// Indexes of the shared words in the left and in the right item, in the order of the right one.
    shared: Vec<(usize, usize)>,
    /// The sums of the weights of the left words, and of their squares.
    sums: (u64, u64),
}

/// The numbers of the agreement of two items; None if they share no word.
pub fn between(left: &[u32], right: &[u32]) -> Option<Numbers> {
    if left.is_empty() || right.is_empty() {
        return None;
    }
    let (left, right) = (Item::read(left), Item::read(right));
    let mut agreement = Agreement::default();
    agreement.load(&left);
    agreement.meet(&left, &right);
    agreement.is_any().then(|| agreement.measure(&left, &right))
}

/// Sums and flags of one item, over its shared and its other words.
#[derive(Default)]
struct Side {
    square: u64,
    mass: u64,
    lead: u64,
    lead_square: u64,
    lead_shared: u64,
    shared: u64,
    missing: u64,
    lead_missing: u64,
    names: u64,
    names_shared: u64,
    count_names_shared: u32,
    name_alone: bool,
    number_alone: bool,
    lead_number_alone: bool,
    has_number: bool,
    date_alone: bool,
    ahead: bool,
}

fn yes(is: bool) -> f64 {
    f64::from(u8::from(is))
}

/// More slots are no stronger evidence.
fn slots_counted(slots: u32) -> f64 {
    f64::from(slots.min(3))
}

/// Whether two names have changed places in the same wording.
fn swapped(runs: f64, slots: &Slots) -> f64 {
    yes(runs >= MIN_SAME_WORDING_RUNS && slots.swapped)
}

/// In how many opposites two items of one language go opposite ways, at most two.
fn ways_conflict(left: &Item, right: &Item) -> f64 {
    let ways = if left.family == right.family { opposites::conflicts(left.ways, right.ways) } else { 0 };
    f64::from(ways.min(2))
}

fn side(notes: &[u32], shared: &[bool]) -> Side {
    let mut out = Side::default();
    for (&note, &shared) in notes.iter().zip(shared) {
        let (weight, flags) = (weight(note), flags(note));
        let lead = flags & IN_LEAD != 0;
        out.square += weight * weight;
        out.mass += weight;
        if lead {
            out.lead += weight;
            out.lead_square += weight * weight;
        }
        if shared {
            out.shared += weight;
            out.lead_shared += if lead { weight } else { 0 };
        } else {
            out.missing = out.missing.max(weight);
            out.lead_missing = if lead { out.lead_missing.max(weight) } else { out.lead_missing };
            out.number_alone |= flags & NUMBER != 0;
            out.lead_number_alone |= flags & NUMBER != 0 && lead;
            out.date_alone |= flags & DATE != 0;
            out.name_alone |= flags & NAME != 0 && lead;
        }
        if flags & NAME != 0 {
            out.names += weight;
            out.names_shared += if shared { weight } else { 0 };
            out.count_names_shared += u32::from(shared);
        }
        out.has_number |= flags & NUMBER != 0;
        out.ahead |= flags & AHEAD != 0;
    }
    out
}

fn cosine(product: u64, one: u64, other: u64) -> f64 {
    product as f64 / (one as f64 * other as f64).sqrt().max(1.0)
}

fn part(some: u64, all: f64, without: f64) -> f64 {
    if all > 0.0 {
        some as f64 / all
    } else {
        without
    }
}

impl Agreement {
    pub fn load(&mut self, left: &Item) {
        self.lookup.load(left.stems);
        self.sums = sums(left);
    }

    /// Finds the words that `right` shares with the loaded item; returns whether they have enough in common to measure:
    /// more than figures and dates.
    pub fn meet(&mut self, left: &Item, right: &Item) -> bool {
        let Agreement { lookup, shared, .. } = self;
        shared.clear();
        lookup.matches(right.stems, |one, other| shared.push((one, other)));
        let (mut one, mut other, mut product) = (0, 0, 0);
        for &(l, r) in &*shared {
            let (x, y) = (weight(left.notes[l]), weight(right.notes[r]));
            one += x;
            other += y;
            product += x * y;
        }
        let (mass, square) = sums(right);
        let held = part(one, self.sums.0 as f64, 0.0).max(part(other, mass as f64, 0.0));
        // two unrelated headlines often have a number in common, and nothing else
        let is_word = |&(l, _): &(usize, usize)| flags(left.notes[l]) & (NUMBER | DATE) == 0;
        held >= MIN_HELD && cosine(product, self.sums.1, square) >= MIN_COSINE && shared.iter().any(is_word)
    }

    /// Whether any word is shared.
    pub fn is_any(&self) -> bool {
        !self.shared.is_empty()
    }

    /// The contradictions that count between whole articles, of the loaded item and the one last passed to `meet`; the
    /// other numbers are 0.
    pub fn contradictions_of_articles(&mut self, left: &Item, right: &Item) -> Numbers {
        let Agreement { here, there, shared, .. } = self;
        mark(here, left.stems.len(), shared.iter().map(|both| both.0));
        mark(there, right.stems.len(), shared.iter().map(|both| both.1));
        let is_any_alone = |notes: &[u32], shared: &[bool], wanted: u32| {
            notes.iter().zip(shared).any(|(&note, &shared)| !shared && flags(note) & wanted == wanted)
        };
        let are_alone =
            |wanted: u32| is_any_alone(left.notes, here, wanted) && is_any_alone(right.notes, there, wanted);
        let slots = slots(left, right, shared, here);
        let runs = runs(shared, (left.stems.len() as f64, right.stems.len() as f64));
        let mut numbers = [0.0; NAMES.len()];
        numbers[DATES_APART] = yes(are_alone(DATE));
        let names_apart = are_alone(NAME | IN_LEAD);
        numbers[NAMES_APART] = yes(names_apart);
        let conflict = counts(left, right).0;
        numbers[COUNTS_CONFLICT] = yes(conflict);
        let numbers_apart = conflict || are_alone(NUMBER | IN_LEAD);
        numbers[MAIN_NAMES_APART] = main_names_apart(names_apart, numbers_apart, left, right);
        numbers[WAYS_CONFLICT] = ways_conflict(left, right);
        numbers[ORDINALS_APART] = yes(ordinals_apart(left, right));
        numbers[SLOTS_NUMBERS] = slots_counted(slots.numbers);
        numbers[SLOTS_NAMES] = slots_counted(slots.names);
        numbers[SLOTS_DATES] = slots_counted(slots.dates);
        numbers[SWAPPED] = swapped(runs, &slots);
        numbers[RUNS] = runs;
        numbers[REST_APART] = yes(is_rest_apart(left, right, shared, runs));
        numbers
    }

    /// The numbers of the loaded item and the one last passed to `meet`.
    pub fn measure(&mut self, left: &Item, right: &Item) -> Numbers {
        let Agreement { here, there, shared, .. } = self;
        mark(here, left.stems.len(), shared.iter().map(|both| both.0));
        mark(there, right.stems.len(), shared.iter().map(|both| both.1));
        let (one, other) = (side(left.notes, here), side(right.notes, there));
        let (mut product, mut lead_product, mut close_mass, mut numbers_shared) = (0, 0, 0, false);
        let mut dates_shared = 0;
        for &(l, r) in &*shared {
            let (x, y) = (left.notes[l], right.notes[r]);
            let both = weight(x) * weight(y);
            product += both;
            lead_product += if flags(x) & flags(y) & IN_LEAD != 0 { both } else { 0 };
            // four letters may begin a month here and another word there ("mayo", "mayor")
            let are = |flag: u32| flags(x) & flags(y) & flag != 0;
            close_mass += if are(NUMBER) || close(x) == close(y) { weight(x) + weight(y) } else { 0 };
            numbers_shared |= are(NUMBER);
            dates_shared += u32::from(are(DATE));
        }
        let larger = |x: f64, y: f64| x.max(y);
        let smaller = |x: f64, y: f64| x.min(y);
        let cosine = cosine(product, one.square, other.square);
        let held = (part(one.shared, one.mass as f64, 0.0), part(other.shared, other.mass as f64, 0.0));
        let names = (part(one.names_shared, one.names as f64, 0.5), part(other.names_shared, other.names as f64, 0.5));
        let lead = part(lead_product, (one.lead_square as f64 * other.lead_square as f64).sqrt(), 0.0);
        let lead_held = (part(one.lead_shared, one.lead as f64, 0.5), part(other.lead_shared, other.lead as f64, 0.5));
        let lengths = (left.stems.len() as f64, right.stems.len() as f64);
        let words = (smaller(lengths.0, lengths.1).ln_1p(), larger(lengths.0, lengths.1).ln_1p());
        let numbers_other = yes(one.has_number && other.has_number && !numbers_shared);
        let turned = turned(left, right, shared);
        let (conflict, near) = counts(left, right);
        let slots = slots(left, right, shared, here);
        let runs = runs(shared, lengths);
        // an unknown date is compatible with every date
        let days = left.day.zip(right.day).map_or(0.0, |(x, y)| f64::from(x.abs_diff(y).min(30)).ln_1p());
        let ways = ways_conflict(left, right);
        let names_apart = one.name_alone && other.name_alone;
        let numbers_apart = conflict || one.lead_number_alone && other.lead_number_alone;
        let main_names = main_names_apart(names_apart, numbers_apart, left, right);
        [
            cosine,
            larger(held.0, held.1),
            smaller(held.0, held.1),
            part(close_mass, (one.shared + other.shared) as f64, 0.0),
            (one.shared.min(other.shared) as f64 / (WEIGHT_UNIT / 2.0)).ln_1p(),
            (shared.len() as f64).ln_1p(),
            one.missing.max(other.missing) as f64 / WEIGHT_UNIT,
            one.missing.min(other.missing) as f64 / WEIGHT_UNIT,
            one.lead_missing.min(other.lead_missing) as f64 / WEIGHT_UNIT,
            larger(names.0, names.1),
            smaller(names.0, names.1),
            yes(one.names == 0 || other.names == 0),
            yes(names_apart),
            f64::from(one.count_names_shared + other.count_names_shared).ln_1p(),
            yes(numbers_shared),
            numbers_other,
            yes(one.number_alone && other.number_alone),
            yes(one.has_number != other.has_number),
            yes(conflict),
            yes(near),
            yes(one.date_alone && other.date_alone),
            ways,
            words.0,
            words.1,
            lead,
            larger(lead_held.0, lead_held.1),
            smaller(lead_held.0, lead_held.1),
            runs,
            turned,
            letters(left.letters, right.letters),
            slots_counted(slots.numbers),
            slots_counted(slots.names),
            slots_counted(slots.words),
            runs * yes(slots.numbers + slots.names > 0),
            runs * turned,
            days,
            days * runs,
            // names exchanged around opposite acts keep their roles: one wins against the other, which loses to it
            if ways > 0.0 { 0.0 } else { f64::from(exchanged(left, right, shared).min(2)) },
            f64::from(ahead_of(left, right, shared).min(2)),
            yes(one.ahead != other.ahead),
            yes(ordinals_apart(left, right)),
            // opposite acts with names in another order may be the same statement: won against, lost to
            if ways > 0.0 && turned == 0.0 { smaller(held.0, held.1) } else { 0.0 },
            yes(is_rest_apart(left, right, shared, runs)),
            swapped(runs, &slots),
            f64::from(dates_shared).ln_1p(),
            slots_counted(slots.dates),
            main_names,
        ]
    }
}

fn mark(marks: &mut Vec<bool>, count: usize, places: impl Iterator<Item = usize>) {
    marks.clear();
    marks.resize(count, false);
    places.for_each(|place| marks[place] = true);
}

/// The share of adjacent words of the shorter item that are adjacent in the other too.
fn runs(shared: &[(usize, usize)], lengths: (f64, f64)) -> f64 {
    let follow = shared.windows(2).filter(|two| two[1].0 == two[0].0 + 1 && two[1].1 == two[0].1 + 1).count();
    follow as f64 / (lengths.0.min(lengths.1) - 1.0).max(1.0)
}

/// The share of pairs of shared words of the leads whose order is inverted, as when subject and object are exchanged.
fn turned(left: &Item, right: &Item, shared: &[(usize, usize)]) -> f64 {
    let lead = |&&(l, r): &&(usize, usize)| {
        let (x, y) = (flags(left.notes[l]), flags(right.notes[r]));
        // the word order of a title differs from that of a text
        x & y & IN_LEAD != 0 && (x ^ y) & IN_TITLE == 0
    };
    let (mut pairs, mut turns) = (0u32, 0u64);
    for (at, one) in shared.iter().enumerate().filter(|(_, both)| lead(both)) {
        for other in shared[at + 1..].iter().filter(lead) {
            pairs += 1;
            turns += u64::from(other.0 < one.0);
        }
    }
    part(turns, f64::from(pairs), 0.0)
}

/// Number of shared words whose form marks a future act in one item and a done one in the other.
fn ahead_of(left: &Item, right: &Item, shared: &[(usize, usize)]) -> u32 {
    let only = |note: u32, form: u32| flags(note) & (AHEAD | DONE) == form;
    let against = |x: u32, y: u32| only(x, AHEAD) && only(y, DONE);
    shared
        .iter()
        .filter(|&&(l, r)| against(left.notes[l], right.notes[r]) || against(right.notes[r], left.notes[l]))
        .count() as u32
}

/// Whether two items give different numbers for the same thing, and whether they have numbers equal but for rounding.
fn counts(left: &Item, right: &Item) -> (bool, bool) {
    let (mut conflict, mut near) = (false, false);
    for (x, of) in left.values() {
        for (y, what) in right.values() {
            if x.to_bits() == y.to_bits() {
                continue;
            }
            if x.is_finite() && y.is_finite() && x.min(y) >= MIN_ROUNDED && (x - y).abs() <= ROUNDING_SHARE * x.max(y) {
                near = true;
            } else if of == what && of != 0 {
                let has = |item: &Item, value: f32| item.values().any(|(other, _)| other.to_bits() == value.to_bits());
                conflict |= !has(right, x) && !has(left, y);
            }
        }
    }
    (conflict, near)
}

/// Whether each has an ordinal that the other lacks. The twelfth of something is not the thirteenth.
fn ordinals_apart(left: &Item, right: &Item) -> bool {
    let lacks = |one: &Item, other: &Item| {
        let mut ordinals = one.values().filter(|&(_, of)| of == (ORDINAL >> 32) as u32);
        ordinals.any(|(value, _)| other.values().all(|(found, _)| found.to_bits() != value.to_bits()))
    };
    lacks(left, right) && lacks(right, left)
}

/// Whether each of two items that begin with other names lacks the main name of the other: 0 if not, 1 if so, and 2 if
/// their numbers differ too, as reports of two events in two places do.
fn main_names_apart(names_apart: bool, numbers_apart: bool, left: &Item, right: &Item) -> f64 {
    if !names_apart || left.words.min(right.words) < MIN_WORDS_OF_MAIN_NAME {
        return 0.0;
    }
    let has = |item: &Item, name: u32| {
        item.stems.iter().chain(item.heaviest).any(|&stem| short_stem(stem) == short_stem(name))
    };
    let is_lacking = |one: &Item, other: &Item| main_name(one).is_some_and(|name| !has(other, name));
    match is_lacking(left, right) && is_lacking(right, left) {
        true => 1.0 + yes(numbers_apart),
        false => 0.0,
    }
}

/// The stem of the heaviest term that is a name at the beginning of the article.
fn main_name(item: &Item) -> Option<u32> {
    let is_name = |&&stem: &&u32| {
        let at = item.stems.iter().position(|&other| short_stem(other) == short_stem(stem));
        at.is_some_and(|at| flags(item.notes[at]) & (NAME | DATE) == NAME)
    };
    item.heaviest.iter().find(is_name).copied()
}

/// The Dice coefficient of two sets of letter runs.
fn letters(left: &[u32], right: &[u32]) -> f64 {
    let (mut both, mut all) = (0u32, 0u32);
    for (x, y) in left.iter().zip(right) {
        both += (x & y).count_ones();
        all += x.count_ones() + y.count_ones();
    }
    part(2 * u64::from(both), f64::from(all), 0.0)
}
