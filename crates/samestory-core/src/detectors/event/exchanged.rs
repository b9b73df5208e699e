//! Exchanged roles: two names that have changed places between two items.
//!
//! In one item the first name is next to the word that the second name is next to in the other: "Denmark beat Croatia",
//! "Croatia beat Denmark". If a name is marked as the doer, or the adjacent word has another form ("beaten by"), the
//! sentence is only inverted and the roles are not exchanged; nor are they in a list ("Denmark and Croatia"), or if the
//! act is mutual (text/mutual.rs).
//!
//! Turkish and Russian mark the doer by endings, in any word order (text/cases.rs): names that keep their endings, and
//! have different ones, have not changed places. Without informative endings, the word order decides.

use super::item::{case, flags, Family, Item, AHEAD, CAPITAL, DOER, DONE, IN_LEAD, IN_TITLE, NAME, NUMBER};
use crate::text::cases::{BARE, OBJECT};
use crate::text::mutual::is_mutual;

/// A shared word: its index in the left and in the right item.
type SharedWord = (usize, usize);

/// How many pairs of shared names have changed places.
pub fn exchanged(left: &Item, right: &Item, shared: &[SharedWord]) -> u32 {
    let sides = Sides { left, right, shared };
    let names: Vec<SharedWord> = shared.iter().copied().filter(|&both| sides.is_name(both)).collect();
    let mut count = 0;
    for (at, &one) in names.iter().enumerate() {
        for &other in &names[at + 1..] {
            count += u32::from(sides.have_changed(one, other));
        }
    }
    count
}

struct Sides<'a> {
    left: &'a Item<'a>,
    right: &'a Item<'a>,
    shared: &'a [SharedWord],
}

impl Sides<'_> {
    fn notes(&self, (l, r): SharedWord) -> (u32, u32) {
        (self.left.notes[l], self.right.notes[r])
    }

    /// Whether a shared word is in both leads and written as a name in at least one: in the other it may begin the
    /// item.
    fn is_name(&self, both: SharedWord) -> bool {
        let (x, y) = self.notes(both);
        let capital = |at: usize, note: u32| at == 0 || note & CAPITAL != 0;
        let inflected = self.left.family == Family::Turkish && (case(x) | case(y)) != BARE;
        flags(x) & flags(y) & IN_LEAD != 0
            && (flags(x) | flags(y)) & DOER == 0
            && ((flags(x) | flags(y)) & NAME != 0
                || capital(both.0, x) && capital(both.1, y) && (both != (0, 0) || inflected))
    }

    /// Whether two names have changed places; `one` precedes `other` in the right item.
    fn have_changed(&self, one: SharedWord, other: SharedWord) -> bool {
        let turned = other.0 < one.0;
        if !self.endings_allow(one, other, turned) {
            return false;
        }
        let (here, there) = if turned { (other.0, one.0) } else { (one.0, other.0) };
        self.have_same_neighbour(here, one.1) && self.have_same_neighbour(there, other.1)
    }

    /// Whether their endings, or their order if the endings decide nothing, allow that they have changed places.
    fn endings_allow(&self, one: SharedWord, other: SharedWord, turned: bool) -> bool {
        let cases = |both| {
            let (x, y) = self.notes(both);
            (case(x), case(y))
        };
        let (x, y) = (cases(one), cases(other));
        let parted = || turned && parted(self.left, other.0, one.0) && parted(self.right, one.1, other.1);
        let alike = x.0 == x.1 && y.0 == y.1 && x.0 == y.0;
        match (self.left.family, self.right.family) {
            // each has the ending that the other had, and one of them is the object; or they follow each other
            // without endings, and not in a list
            (Family::Turkish, Family::Turkish) => {
                x == (y.1, y.0) && x.0 != x.1 && (x.0 == OBJECT || x.1 == OBJECT)
                    || alike && (parted() || x.0 == BARE && turned)
            }
            (Family::Russian, Family::Russian) => match u8::from(x.0 != x.1) + u8::from(y.0 != y.1) {
                0 => alike && parted(),
                1 => parted(),
                _ => turned,
            },
            _ => parted(),
        }
    }

    /// Whether word `l` and word `r` have the same neighbour. A neighbour of a name of several words is one of each.
    fn have_same_neighbour(&self, l: usize, r: usize) -> bool {
        let same = |l: Option<usize>, r: Option<usize>| {
            l.zip(r).is_some_and(|both| {
                let (l, r) = both;
                l < self.left.notes.len() && r < self.right.notes.len() && self.shared.contains(&both) && {
                    let (x, y) = self.notes(both);
                    (flags(x) ^ flags(y)) & (AHEAD | DONE) == 0 && !is_mutual(self.left.stems[l])
                }
            })
        };
        let capital = |item: &Item, at: usize| item.notes[at] & CAPITAL != 0;
        let before = |item: &Item, at: usize| (0..at).rev().find(|&at| !capital(item, at));
        let after = |item: &Item, at: usize| (at + 1..item.notes.len()).find(|&at| !capital(item, at));
        same(l.checked_sub(1), r.checked_sub(1))
            || same(Some(l + 1), Some(r + 1))
            || same(before(self.left, l), before(self.right, r))
            || same(after(self.left, l), after(self.right, r))
    }
}

/// Whether two names have other words than names between them; if every word has a capital, any word at all.
fn parted(item: &Item, first: usize, last: usize) -> bool {
    let place = flags(item.notes[first]) & IN_TITLE | IN_LEAD;
    let lead = || item.notes.iter().skip(1).filter(|&&note| flags(note) & (IN_LEAD | IN_TITLE | NUMBER) == place);
    let is_title_case = || lead().all(|&note| note & CAPITAL != 0);
    item.notes[first + 1..last].iter().any(|&note| note & CAPITAL == 0) || last - first > 1 && is_title_case()
}
