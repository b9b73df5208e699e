//! The signature of an article: its facts and its tokens.

use super::model::{self, Evidence};
use crate::base::sorted::common;
use crate::detectors::sets::is_set;
use crate::text::calendar::{calendar, Mask, DAYS, MONTHS};
use crate::text::tokens::{word, FIGURE};

/// A parsed signature.
#[derive(Clone, Copy)]
pub struct Parts<'a> {
    figures: &'a [u32],
    calendar: Mask,
    pub tokens: &'a [u32],
}

impl<'a> Parts<'a> {
    pub fn new(signature: &'a [u32]) -> Self {
        let [figures, calendar, rest @ ..] = signature else {
            return Parts { figures: &[], calendar: 0, tokens: &[] };
        };
        let (figures, tokens) = rest.split_at(*figures as usize);
        Parts { figures, calendar: *calendar, tokens }
    }

    pub fn facts(&self) -> usize {
        self.figures.len() + self.calendar.count_ones() as usize
    }
}

/// Whether a row has the layout of a signature: figures that are a set, then tokens.
pub fn is_signature(row: &[u32]) -> bool {
    let [figures, _, rest @ ..] = row else { return false };
    rest.split_at_checked(*figures as usize).is_some_and(|(figures, _)| is_set(figures))
}

/// The evidence of two signatures that needs no alignment; the shorter one first.
pub fn first_evidence(shorter: Parts, longer: Parts) -> Evidence {
    let both = shorter.calendar & longer.calendar;
    let agreed = common(shorter.figures, longer.figures) + both.count_ones() as usize;
    let weekday = match (shorter.calendar & DAYS != 0 && longer.calendar & DAYS != 0, both & DAYS != 0) {
        (false, _) => 0.0,
        (true, true) => 1.0,
        (true, false) => -1.0,
    };
    Evidence {
        words: shorter.tokens.len(),
        agreement: model::agreement(agreed, shorter.facts().min(longer.facts())),
        weekday,
        months: (shorter.calendar & !longer.calendar & MONTHS).count_ones() as usize,
        ..Evidence::default()
    }
}

/// Appends the signature of a token row.
pub fn sign_tokens(tokens: &[u32], signature: &mut Vec<u32>) {
    let calendar = calendar();
    let start = signature.len() + 2;
    signature.resize(start + tokens.len(), 0);
    // always written, kept if it may be a fact: avoids an unpredictable branch
    let mut end = start;
    for &token in tokens {
        signature[end] = token;
        end += usize::from((token & FIGURE != 0) | calendar.may_have(word(token)));
    }
    let (mut kept, mut named) = (start, 0);
    for at in start..end {
        let token = signature[at];
        if token & FIGURE != 0 {
            signature[kept] = word(token);
            kept += 1;
        } else {
            named |= calendar.mask(word(token));
        }
    }
    signature.truncate(kept);
    signature[start..].sort_unstable();
    dedup(signature, start);
    signature[start - 2] = (signature.len() - start) as u32;
    signature[start - 1] = named;
    signature.extend_from_slice(tokens);
}

/// Whether two token rows have the same words.
pub fn is_identical(left: &[u32], right: &[u32]) -> bool {
    left.len() == right.len() && left.iter().zip(right).all(|(&l, &r)| word(l) == word(r))
}

/// Removes, from index `first` on, values equal to their predecessor.
pub fn dedup<T: PartialEq + Copy>(values: &mut Vec<T>, first: usize) {
    let mut kept = first;
    for at in first..values.len() {
        values[kept] = values[at];
        kept += usize::from(kept == first || values[kept] != values[kept - 1]);
    }
    values.truncate(kept);
}
