//! One form, other facts: do two articles differ just where a form has its blanks?
//!
//! The shared shingles are laid side by side. Between two neighbouring shared runs stands a difference: a blank when
//! both sides have a few words there and each side's hold a figure, a day, a month or a name; an edit otherwise (words
//! changed, added, removed, or whole passages that only one side has). Two market reports differ in blanks; two versions
//! of one story differ in edits, and in a blank or two where a figure was corrected.

use super::reuse::ABSENT;
use crate::text::calendar::is_calendar;
use crate::text::tokens::{word, CAPITAL, FIGURE};

/// The most words on one side of a blank.
const BLANK: usize = 8;
/// The fewest blanks of a form.
const FEWEST: usize = 2;
/// Corrections stand at least so many words apart, on average, and leave so large a share of the facts as it was.
const SPARSE: usize = 150;
const AGREED: f64 = 0.85;
/// So many words of a long edit weigh as much as one blank.
const EDIT: f64 = 12.0;

/// The differences of two articles that share passages.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Differences {
    /// Places where other facts stand in the same words.
    pub blanks: usize,
    /// Other differences, long ones counted as several.
    pub edits: f64,
}

impl Differences {
    /// `words`: of the shorter article; `agreed`: the share of its facts (of the one with fewer) that the other has too.
    /// A blank or two in a long article whose facts otherwise agree are corrections.
    pub fn is_form(&self, words: usize, agreed: f64) -> bool {
        let corrections = agreed >= AGREED && self.blanks * SPARSE < words;
        self.blanks >= FEWEST && self.blanks as f64 >= self.edits && !corrections
    }
}

/// `found` gives for every shingle of the right article its place in the left one.
pub fn differences(left: &[u32], right: &[u32], found: &[u32], width: usize) -> Differences {
    let mut out = Differences::default();
    // the end of the last shared run on either side
    let (mut left_end, mut right_end) = (0usize, 0usize);
    let mut at = 0;
    while at < found.len() {
        if found[at] == ABSENT {
            at += 1;
            continue;
        }
        let (place, start) = (found[at] as usize, at);
        while at + 1 < found.len() && found[at + 1] != ABSENT && found[at + 1] as usize == place + (at + 1 - start) {
            at += 1;
        }
        at += 1;
        let length = at - start + width - 1;
        if place + length <= left_end {
            continue; // a phrase that was passed before
        }
        difference(left, right, (left_end, place), (right_end, start), &mut out);
        left_end = place + length;
        right_end = start + length;
    }
    difference(left, right, (left_end, left.len()), (right_end, right.len()), &mut out);
    out
}

fn difference(left: &[u32], right: &[u32], l: (usize, usize), r: (usize, usize), out: &mut Differences) {
    // runs may overlap by some words when a word beside the difference is repeated
    let (l, r) = ((l.0, l.1.max(l.0)), (r.0, r.1.max(r.0)));
    let (a, b) = (&left[l.0.min(left.len())..l.1.min(left.len())], &right[r.0.min(right.len())..r.1.min(right.len())]);
    if a.is_empty() && b.is_empty() {
        return;
    }
    let blank = !a.is_empty() && !b.is_empty() && a.len() <= BLANK && b.len() <= BLANK && has_fact(a) && has_fact(b);
    if blank {
        out.blanks += 1;
    } else {
        out.edits += ((a.len() + b.len()) as f64 / EDIT).max(1.0);
    }
}

fn has_fact(tokens: &[u32]) -> bool {
    tokens.iter().any(|&t| t & (FIGURE | CAPITAL) != 0 || is_calendar(word(t)))
}
