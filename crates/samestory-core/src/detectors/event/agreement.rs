//! What two items of news have in common, and where they contradict each other, in numbers: what the weights weigh.

use super::super::lookup::Lookup;
use super::exchanged::exchanged;
use super::item::{close, flags, rarity, Item, AHEAD, DATE, DONE, IN_LEAD, IN_TITLE, NAME, NUMBER, ORDINAL};
use crate::base::sorted::common;
use crate::text::background::RAREST;
use crate::text::opposites;

/// The numbers, by name; the order is that of `Agreement::of`.
pub const NAMES: [&str; 45] = [
    "cosine",
    "held_most",
    "held_least",
    "close",
    "mass",
    "words_shared",
    "missing_most",
    "missing_least",
    "lead_missing_least",
    "names_most",
    "names_least",
    "nameless",
    "names_apart",
    "names_shared",
    "numbers_shared",
    "numbers_other",
    "numbers_apart",
    "numbers_one",
    "counts_conflict",
    "counts_near",
    "dates_apart",
    "ways_conflict",
    "words_least",
    "words_most",
    "lead",
    "lead_held_most",
    "lead_held_least",
    "runs",
    "turned",
    "letters",
    "slots_numbers",
    "slots_names",
    "slots_words",
    "runs_slots",
    "runs_turned",
    "days",
    "days_runs",
    "exchanged",
    "ahead_of",
    "ahead_one",
    "ordinals_apart",
    "opposed",
    "rest_apart",
    "swapped",
    "dates_shared",
];

/// Places of those that also count between whole articles.
pub const REST_APART: usize = 42;
pub const DATES_APART: usize = 20;
pub const SLOTS_NUMBERS: usize = 30;
pub const SLOTS_NAMES: usize = 31;
const _: () = assert!(matches!(NAMES[REST_APART].as_bytes(), b"rest_apart"));
const _: () = assert!(matches!(NAMES[DATES_APART].as_bytes(), b"dates_apart"));
const _: () = assert!(matches!(NAMES[SLOTS_NUMBERS].as_bytes(), b"slots_numbers"));
const _: () = assert!(matches!(NAMES[SLOTS_NAMES].as_bytes(), b"slots_names"));

/// One for every name.
pub type Numbers = [f64; NAMES.len()];

/// How much a name, a number and another word say, in tenths. Weights are whole numbers: sums of them are the same in
/// whatever order they are added up, and so from either side.
const NAMED: u64 = 16;
const NUMBERED: u64 = 13;
const PLAIN: u64 = 10;
/// By the lowest flags of a note. A table: which word is a name, no processor can guess.
const KINDS: [u64; 4] = {
    let mut kinds = [PLAIN; 4];
    kinds[NUMBER as usize] = NUMBERED;
    kinds[NAME as usize] = NAMED;
    kinds[(NAME | NUMBER) as usize] = NAMED;
    kinds
};
/// What the rarest plain word weighs.
const HEAVY: f64 = (255 * PLAIN) as f64 / RAREST * 10.0;
/// Of two items that tell one event, one holds at least so much of the weight of the other's words, and their words lie
/// in one direction by so much. Few judged pairs have less and are one event; of pairs that share two telling words by
/// chance most have less.
const LEAST_HELD: f64 = 0.1;
const LEAST_COSINE: f64 = 0.15;
/// With so many runs in common, what is looked at of two items is a copy; of what comes behind it, copies share at
/// least half of the rarest words, if there are so many.
const COPIED: f64 = 0.9;
/// So many words in front of everything are no news, if so many follow.
const IN_FRONT: usize = 6;
const BEHIND: usize = 3;
const REST: usize = 8;
/// With so many runs in common, two items stand in the same words.
const ALIKE: f64 = 0.5;
/// From this on, numbers that differ little are one number, rounded.
const ROUNDED: f32 = 20.0;
const NEAR: f32 = 0.06;

fn weight(note: u32) -> u64 {
    u64::from(note >> 24) * KINDS[(flags(note) & (NAME | NUMBER)) as usize]
}

/// What all words of an item weigh, and the squares of that.
fn sums(item: &Item) -> (u64, u64) {
    let weights = item.notes.iter().map(|&note| weight(note));
    weights.fold((0, 0), |(mass, square), weight| (mass + weight, square + weight * weight))
}

/// Room for the comparison of one item with many.
#[derive(Default)]
pub struct Agreement {
    lookup: Lookup,
    /// Of every word of this and of the other item: is it in both?
    here: Vec<bool>,
    there: Vec<bool>,
    /// Places here and there, in the order of those there.
    shared: Vec<(usize, usize)>,
    /// What all words here weigh, and the squares of that.
    sums: (u64, u64),
}

/// The numbers of the agreement of two items; none where they have nothing in common.
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

/// What one side has, shared and not.
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
    has_number: bool,
    date_alone: bool,
    ahead: bool,
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

    /// Looks for the words that an item shares with the one that is loaded. Have they enough in common to be weighed?
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
        held >= LEAST_HELD && cosine(product, self.sums.1, square) >= LEAST_COSINE
    }

    /// Do both have any word?
    pub fn is_any(&self) -> bool {
        !self.shared.is_empty()
    }

    /// The numbers of the item that is loaded and the one that it met.
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
        let yes = |is: bool| f64::from(u8::from(is));
        let most = |x: f64, y: f64| x.max(y);
        let least = |x: f64, y: f64| x.min(y);
        let cosine = cosine(product, one.square, other.square);
        let held = (part(one.shared, one.mass as f64, 0.0), part(other.shared, other.mass as f64, 0.0));
        let names = (part(one.names_shared, one.names as f64, 0.5), part(other.names_shared, other.names as f64, 0.5));
        let lead = part(lead_product, (one.lead_square as f64 * other.lead_square as f64).sqrt(), 0.0);
        let lead_held = (part(one.lead_shared, one.lead as f64, 0.5), part(other.lead_shared, other.lead as f64, 0.5));
        let lengths = (left.stems.len() as f64, right.stems.len() as f64);
        let words = (least(lengths.0, lengths.1).ln_1p(), most(lengths.0, lengths.1).ln_1p());
        let numbers_other = yes(one.has_number && other.has_number && !numbers_shared);
        let turned = turned(left, right, shared);
        let (conflict, near) = counts(left, right);
        let slots = slots(left, right, shared, here);
        let runs = runs(shared, lengths);
        // a day that nobody knows keeps nobody apart
        let days = left.day.zip(right.day).map_or(0.0, |(x, y)| f64::from(x.abs_diff(y).min(30)).ln_1p());
        let ways = if left.family == right.family { opposites::conflicts(left.ways, right.ways) } else { 0 };
        [
            cosine,
            most(held.0, held.1),
            least(held.0, held.1),
            part(close_mass, (one.shared + other.shared) as f64, 0.0),
            (one.shared.min(other.shared) as f64 / (HEAVY / 2.0)).ln_1p(),
            (shared.len() as f64).ln_1p(),
            one.missing.max(other.missing) as f64 / HEAVY,
            one.missing.min(other.missing) as f64 / HEAVY,
            one.lead_missing.min(other.lead_missing) as f64 / HEAVY,
            most(names.0, names.1),
            least(names.0, names.1),
            yes(one.names == 0 || other.names == 0),
            yes(one.name_alone && other.name_alone),
            f64::from(one.count_names_shared + other.count_names_shared).ln_1p(),
            yes(numbers_shared),
            numbers_other,
            yes(one.number_alone && other.number_alone),
            yes(one.has_number != other.has_number),
            yes(conflict),
            yes(near),
            yes(one.date_alone && other.date_alone),
            f64::from(ways.min(2)),
            words.0,
            words.1,
            lead,
            most(lead_held.0, lead_held.1),
            least(lead_held.0, lead_held.1),
            runs,
            turned,
            letters(left.letters, right.letters),
            f64::from(slots.numbers.min(3)),
            f64::from(slots.names.min(3)),
            f64::from(slots.words.min(3)),
            runs * yes(slots.numbers + slots.names > 0),
            runs * turned,
            days,
            days * runs,
            // who has changed places in the opposite act is where he was: one wins against the other, who loses to him
            if ways > 0 { 0.0 } else { f64::from(exchanged(left, right, shared).min(2)) },
            f64::from(ahead_of(left, right, shared).min(2)),
            yes(one.ahead != other.ahead),
            yes(ordinals_apart(left, right)),
            // who stands in another order may say the same the other way round: won against, lost to
            if ways > 0 && turned == 0.0 { least(held.0, held.1) } else { 0.0 },
            yes(runs >= COPIED && goes_on_apart(left.rest, right.rest) || begins_alike(left, right, shared)),
            yes(runs >= ALIKE && slots.swapped),
            f64::from(dates_shared).ln_1p(),
        ]
    }
}

fn mark(marks: &mut Vec<bool>, count: usize, places: impl Iterator<Item = usize>) {
    marks.clear();
    marks.resize(count, false);
    places.for_each(|place| marks[place] = true);
}

/// Of the words that follow each other in the shorter item, how many do so in the other too.
fn runs(shared: &[(usize, usize)], lengths: (f64, f64)) -> f64 {
    let follow = shared.windows(2).filter(|two| two[1].0 == two[0].0 + 1 && two[1].1 == two[0].1 + 1).count();
    follow as f64 / (lengths.0.min(lengths.1) - 1.0).max(1.0)
}

/// Of every two shared words of the leads, how many stand the other way round: who did what to whom.
fn turned(left: &Item, right: &Item, shared: &[(usize, usize)]) -> f64 {
    let lead = |&&(l, r): &&(usize, usize)| {
        let (x, y) = (flags(left.notes[l]), flags(right.notes[r]));
        // a title says in its own order what the text says in another
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

/// How many shared words say of an act in one item that it is to come, and in the other that it is done.
fn ahead_of(left: &Item, right: &Item, shared: &[(usize, usize)]) -> u32 {
    let only = |note: u32, form: u32| flags(note) & (AHEAD | DONE) == form;
    let against = |x: u32, y: u32| only(x, AHEAD) && only(y, DONE);
    shared
        .iter()
        .filter(|&&(l, r)| against(left.notes[l], right.notes[r]) || against(right.notes[r], left.notes[l]))
        .count() as u32
}

/// Where two items stand in the same words but for a few, what those are on both sides.
#[derive(Default)]
struct Slots {
    numbers: u32,
    names: u32,
    words: u32,
    /// In the lead stands one name here and another there; not a longer one, which may be the same in full.
    swapped: bool,
}

/// The most words on one side of a slot.
const SLOT: usize = 3;
/// From this on, a word that the other lacks is as good as a name.
const RARE: f64 = 7.0;

/// A slot lies between two shared words that follow each other, among the shared ones, on both sides.
fn slots(left: &Item, right: &Item, shared: &[(usize, usize)], here: &[bool]) -> Slots {
    let mut out = Slots::default();
    let end = (left.notes.len(), right.notes.len());
    // the places behind the last shared word
    let mut last = (0, 0);
    for &(l, r) in shared.iter().chain([&end]) {
        let gap = last.0 <= l && l - last.0 <= SLOT && r - last.1 <= SLOT && !here[last.0..l].contains(&true);
        if gap && last.0 < l && last.1 < r {
            let (x, y) = (&left.notes[last.0..l], &right.notes[last.1..r]);
            let has = |notes: &[u32], flag: u32| notes.iter().any(|&note| flags(note) & flag != 0);
            let leads = |notes: &[u32]| notes.iter().any(|&note| flags(note) & (NAME | IN_LEAD) == NAME | IN_LEAD);
            out.swapped |= x.len() == y.len() && leads(x) && leads(y);
            let named = |notes: &[u32]| has(notes, NAME) || notes.iter().any(|&note| rarity(note) >= RARE);
            if has(x, NUMBER | DATE) && has(y, NUMBER | DATE) {
                out.numbers += 1;
            } else if named(x) && named(y) {
                out.names += 1;
            } else {
                out.words += 1;
            }
        }
        last = (l + 1, r + 1);
    }
    out
}

/// Do two items count the same thing and come to other numbers? Do they have numbers that are one, rounded?
fn counts(left: &Item, right: &Item) -> (bool, bool) {
    let (mut conflict, mut near) = (false, false);
    for (x, of) in left.values() {
        for (y, what) in right.values() {
            if x.to_bits() == y.to_bits() {
                continue;
            }
            if x.is_finite() && y.is_finite() && x.min(y) >= ROUNDED && (x - y).abs() <= NEAR * x.max(y) {
                near = true;
            } else if of == what && of != 0 {
                let said = |value: f32, item: &Item| item.values().any(|(other, _)| other.to_bits() == value.to_bits());
                conflict |= !said(x, right) && !said(y, left);
            }
        }
    }
    (conflict, near)
}

/// Has each an ordinal that the other lacks? The twelfth of something is not the thirteenth.
fn ordinals_apart(left: &Item, right: &Item) -> bool {
    let lacks = |one: &Item, other: &Item| {
        let mut ordinals = one.values().filter(|&(_, of)| of == (ORDINAL >> 32) as u32);
        ordinals.any(|(value, _)| other.values().all(|(said, _)| said.to_bits() != value.to_bits()))
    };
    lacks(left, right) && lacks(right, left)
}

/// Do two items go on in quite other words?
fn goes_on_apart(left: &[u32], right: &[u32]) -> bool {
    let words = |rest: &[u32]| -> Vec<u32> { rest.iter().flat_map(|two| [two >> 16, two & 0xffff]).collect() };
    let fewer = 2 * left.len().min(right.len());
    fewer >= REST && 2 * common(&words(left), &words(right)) < fewer
}

/// Have two items nothing in common but how their texts begin, in words that name nobody and count nothing: what a feed
/// puts in front of everything? News in the same words names somebody, and goes on about the same.
fn begins_alike(left: &Item, right: &Item, shared: &[(usize, usize)]) -> bool {
    let tells = |note: u32| flags(note) & (NAME | NUMBER) != 0;
    let titled = |note: u32| flags(note) & IN_TITLE != 0;
    let begins = |item: &Item, places: &mut dyn Iterator<Item = usize>| {
        let (mut end, mut in_text, mut told) = (0, 0, false);
        for place in places {
            end = end.max(place + 1);
            in_text += usize::from(!titled(item.notes[place]));
            told |= tells(item.notes[place]);
        }
        let (front, rest) = item.notes.split_at(end);
        // one more where nothing behind it names or counts anything
        let behind = BEHIND + usize::from(!rest.iter().any(|&note| tells(note)));
        let text = front.iter().filter(|&&note| !titled(note)).count();
        !told && in_text >= IN_FRONT && text == in_text && rest.len() >= behind
    };
    begins(left, &mut shared.iter().map(|both| both.0)) && begins(right, &mut shared.iter().map(|both| both.1))
}

/// How alike two sets of runs of letters are.
fn letters(left: &[u32], right: &[u32]) -> f64 {
    let (mut both, mut all) = (0u32, 0u32);
    for (x, y) in left.iter().zip(right) {
        both += (x & y).count_ones();
        all += x.count_ones() + y.count_ones();
    }
    part(2 * u64::from(both), f64::from(all), 0.0)
}
