//! Words that differ between runs of the same words: reports from one template.

use super::item::{flags, rarity, Item, DATE, IN_LEAD, NAME, NUMBER};

/// The short differences between two items with the same wording, by what they contain on both sides.
#[derive(Default)]
pub struct Slots {
    pub numbers: u32,
    /// Those of the numbers that are parts of dates on both sides.
    pub dates: u32,
    pub names: u32,
    pub words: u32,
    /// Whether a slot in the lead has different names of equal length: a longer one may be the full form of the same.
    pub swapped: bool,
}

/// The most words on one side of a slot.
const MAX_SLOT_WORDS: usize = 3;
/// From this rarity on, a word that the other item lacks counts as a name.
const MIN_NAME_RARITY: f64 = 7.0;

/// Counts the slots: gaps between two shared words that are consecutive among the shared words on both sides.
pub fn slots(left: &Item, right: &Item, shared: &[(usize, usize)], here: &[bool]) -> Slots {
    let mut out = Slots::default();
    let end = (left.notes.len(), right.notes.len());
    // the indexes behind the last shared word
    let mut last = (0, 0);
    for &(l, r) in shared.iter().chain([&end]) {
        let is_short = |first: usize, end: usize| end - first <= MAX_SLOT_WORDS;
        let gap = last.0 <= l && is_short(last.0, l) && is_short(last.1, r) && !here[last.0..l].contains(&true);
        if gap && last.0 < l && last.1 < r {
            let (x, y) = (&left.notes[last.0..l], &right.notes[last.1..r]);
            let has = |notes: &[u32], flag: u32| notes.iter().any(|&note| flags(note) & flag != 0);
            let leads = |notes: &[u32]| notes.iter().any(|&note| flags(note) & (NAME | IN_LEAD) == NAME | IN_LEAD);
            out.swapped |= x.len() == y.len() && leads(x) && leads(y);
            let named = |notes: &[u32]| has(notes, NAME) || notes.iter().any(|&note| rarity(note) >= MIN_NAME_RARITY);
            if has(x, NUMBER | DATE) && has(y, NUMBER | DATE) {
                out.numbers += 1;
                out.dates += u32::from(has(x, DATE) && has(y, DATE));
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
