//! Alignment of two articles: the runs of words they share, and the words between those runs.
//!
//! Where two neighbouring runs are the same distance apart in both articles, or nearly, the words between them were
//! edited. An edit that replaces facts by other facts is a slot: two reports from one template differ in their slots,
//! two versions of one story differ in other edits. An edit that repeats (a name that is corrected five times) counts
//! once.

use super::shingle_table::ABSENT;
use crate::base::hash;
use crate::text::calendar::is_calendar;
use crate::text::tokens::{word, CAPITAL, FIGURE};

/// The most words on one side of an edit; what is longer was moved, added or left out.
const MAX_EDIT_WORDS: i64 = 8;
/// The most words by which runs overlap if a word beside an edit is repeated: less than a shingle.
const MAX_OVERLAP_WORDS: i64 = 2;
/// From this length on, a run is seldom shared by chance.
const LONG_RUN_WORDS: usize = 10;
/// News has a name at least once in this many words; a capital also begins every sentence.
const MIN_WORDS_PER_NAME: usize = 7;
/// The lead of an article, in shingles.
const LEAD_SHINGLES: usize = 30;

/// One of the two articles: its packed tokens, and the shingle id at every position.
#[derive(Clone, Copy)]
pub struct Side<'a> {
    pub tokens: &'a [u32],
    pub shingles: &'a [u32],
}

/// What the shorter article shares with the longer one, and where they differ.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Alignment {
    /// Words of the longest run.
    pub longest_run: usize,
    /// The same of runs that are no footer: a footer ends both articles, and names hardly anything.
    pub longest_passage: usize,
    /// Words in runs of at least LONG_RUN_WORDS.
    pub in_long_runs: usize,
    /// The share of the lead of the shorter article that occurs anywhere in the longer one.
    pub lead: f64,
    /// Replaced words between two runs.
    pub edits: usize,
    /// Edits that replace figures, days or months by others; and names by others. Equal edits count once.
    pub fact_slots: usize,
    pub name_slots: usize,
    /// The words of the shorter article outside all runs.
    pub rest: Vec<u32>,
    slots: Vec<u64>,
}

#[derive(Clone, Copy)]
enum Slot {
    Fact,
    Name,
}

impl Alignment {
    /// Aligns the shorter article with the longer one; `first` maps a shingle id to its first position in the longer
    /// article. The buffers of an earlier alignment are reused.
    pub fn align(&mut self, shorter: Side, longer: Side, first: &[u32], width: usize) {
        let (mut rest, mut slots) = (std::mem::take(&mut self.rest), std::mem::take(&mut self.slots));
        rest.clear();
        slots.clear();
        *self = Alignment { rest, slots, ..Alignment::default() };
        let lead = &shorter.shingles[..shorter.shingles.len().min(LEAD_SHINGLES)];
        let shared = lead.iter().filter(|&&number| first[number as usize] != ABSENT).count();
        self.lead = shared as f64 / lead.len().max(1) as f64;
        // ends of the last run on either side, in words
        let mut last: Option<(usize, usize)> = None;
        let mut covered = 0;
        let mut at = 0;
        while at < shorter.shingles.len() {
            let number = shorter.shingles[at];
            let place = first[number as usize];
            if place == ABSENT {
                at += 1;
                continue;
            }
            // as far behind the last run as in the shorter article, if the same shingle is there; else its first
            // position
            let level = last.map_or(at, |(x, y)| (y + at).saturating_sub(x));
            let place = if longer.shingles.get(level) == Some(&number) { level } else { place as usize };
            let (here, there) = (&shorter.shingles[at..], &longer.shingles[place..]);
            let shingles = here.iter().zip(there).take_while(|(x, y)| x == y).count();
            let words = shingles + width.min(shorter.tokens.len()) - 1;
            self.longest_run = self.longest_run.max(words);
            let ends_both = at + words >= shorter.tokens.len() && place + words >= longer.tokens.len();
            if !(ends_both && is_footer(&shorter.tokens[at..])) {
                self.longest_passage = self.longest_passage.max(words);
            }
            self.in_long_runs += if words >= LONG_RUN_WORDS { words } else { 0 };
            if at > covered {
                self.rest.extend(shorter.tokens[covered..at].iter().map(|&token| word(token)));
            }
            if let Some((x, y)) = last {
                self.edit(shorter.tokens, longer.tokens, (x, at), (y, place));
            }
            covered = at + words;
            last = Some((covered, place + words));
            at += shingles;
        }
        if let Some(tail) = shorter.tokens.get(covered..) {
            self.rest.extend(tail.iter().map(|&token| word(token)));
        }
    }

    /// Records the words between two runs, given as the end of the one and the start of the next on either side.
    fn edit(&mut self, shorter: &[u32], longer: &[u32], x: (usize, usize), y: (usize, usize)) {
        let gap = |(end, start): (usize, usize)| start as i64 - end as i64;
        let (here, there) = (gap(x), gap(y));
        let is_edit = |gap: i64| (-MAX_OVERLAP_WORDS..=MAX_EDIT_WORDS).contains(&gap);
        if !is_edit(here) || !is_edit(there) || here.max(there) <= 0 {
            return;
        }
        self.edits += 1;
        // if runs overlap, the overlapping words belong to the edit on both sides
        let overlap = (-here.min(there)).max(0) as usize;
        let words = |tokens: &'_ [u32], (end, start): (usize, usize)| {
            let from = end.saturating_sub(overlap);
            let to = if start < end { from.max(start) + overlap } else { start };
            (from.min(tokens.len()), to.min(tokens.len()))
        };
        let ((a, b), (c, d)) = (words(shorter, x), words(longer, y));
        let (ours, theirs) = (&shorter[a..b], &longer[c..d]);
        self.slot(ours, theirs, Slot::Fact);
        self.slot(ours, theirs, Slot::Name);
    }

    /// Counts a slot if each side has facts (or names) that the other lacks.
    fn slot(&mut self, ours: &[u32], theirs: &[u32], kind: Slot) {
        let mut room = [[0; MAX_WORDS]; 2];
        let [ours_room, theirs_room] = &mut room;
        let ours = pick(ours, kind, ours_room);
        if ours.is_empty() {
            return;
        }
        let theirs = pick(theirs, kind, theirs_room);
        let common = ours.iter().filter(|fact| theirs.contains(fact)).count();
        if common >= ours.len().min(theirs.len()) {
            return;
        }
        let print = hash::sequence(theirs, hash::sequence(ours, kind as u64));
        if !self.slots.contains(&print) {
            self.slots.push(print);
            match kind {
                Slot::Fact => self.fact_slots += 1,
                Slot::Name => self.name_slots += 1,
            }
        }
    }
}

/// The most words on one side of an edit, including the overlaps of runs on either side.
const MAX_WORDS: usize = (MAX_EDIT_WORDS + 2 * MAX_OVERLAP_WORDS) as usize;

/// The distinct facts (or names) among some words, sorted.
fn pick<'a>(tokens: &[u32], kind: Slot, room: &'a mut [u32; MAX_WORDS]) -> &'a [u32] {
    let mut count = 0;
    for &token in tokens.iter().filter(|&&token| is_kind(token, kind)) {
        let at = room[..count].partition_point(|&other| other < word(token));
        if room[..count].get(at) != Some(&word(token)) {
            room.copy_within(at..count, at + 1);
            room[at] = word(token);
            count += 1;
        }
    }
    &room[..count]
}

/// Whether the closing words of an article contain no figure, no day and hardly any name.
fn is_footer(words: &[u32]) -> bool {
    let names = words.iter().filter(|&&token| is_kind(token, Slot::Name)).count();
    !words.iter().any(|&token| is_kind(token, Slot::Fact)) && MIN_WORDS_PER_NAME * names < words.len()
}

fn is_kind(token: u32, kind: Slot) -> bool {
    match kind {
        Slot::Fact => token & FIGURE != 0 || is_calendar(word(token)),
        Slot::Name => token & CAPITAL != 0 && !is_calendar(word(token)),
    }
}

#[cfg(test)]
mod tests {
    use super::super::shingle_table::ShingleTable;
    use super::*;
    use crate::text::tokens::tokenise;

    const WIDTH: usize = 3;

    fn tokens(text: &str) -> Vec<u32> {
        let mut out = vec![];
        tokenise(text, false, |t| out.push(t.packed()));
        out
    }

    /// The alignment of two texts, the shorter one first; checks that both directions agree.
    fn aligned(shorter: &str, longer: &str) -> Alignment {
        let (x, y) = (tokens(shorter), tokens(longer));
        let (mut one, mut other, mut room) = (Alignment::default(), Alignment::default(), vec![]);
        let mut table = ShingleTable::default();
        table.load(&x, WIDTH);
        table.find(&y, WIDTH);
        let (here, there) = (Side { tokens: &x, shingles: &table.left }, Side { tokens: &y, shingles: &table.right });
        one.align(here, there, table.first_in_right(&mut room), WIDTH);
        table.load(&y, WIDTH);
        table.find(&x, WIDTH);
        let (here, there) = (Side { tokens: &x, shingles: &table.right }, Side { tokens: &y, shingles: &table.left });
        other.align(here, there, table.first_in_left(), WIDTH);
        assert_eq!(one, other, "{shorter} | {longer}");
        one
    }

    #[test]
    fn an_article_and_itself_are_one_run() {
        let text = "the quay at Brackwater will close on Monday for eleven months of repairs";
        let found = aligned(text, text);
        assert_eq!((found.longest_run, found.edits, found.lead), (13, 0, 1.0));
        assert!(found.rest.is_empty());
    }

    #[test]
    fn other_figures_in_the_same_words_are_slots_and_other_words_are_edits() {
        let found = aligned(
            "gold closed at 104 liras a gram on Monday after a quiet day and traders at the bazaar expect little change so far",
            "gold closed at 102 liras a gram on Friday after a quiet day and traders at the bazaar expect hardly any change so far",
        );
        assert_eq!((found.edits, found.fact_slots, found.name_slots), (3, 2, 0));
    }

    #[test]
    fn a_correction_that_repeats_is_one_slot() {
        let found = aligned(
            "police said Ann Smith left the house and later that Smith came back before the morning when Smith was seen again",
            "police said Ann Smyth left the house and later that Smyth came back before the morning when Smyth was seen again",
        );
        assert_eq!((found.edits, found.name_slots, found.fact_slots), (3, 1, 0));
    }

    #[test]
    fn a_fact_that_is_only_added_is_no_slot() {
        let found = aligned(
            "the bridge over the river will open again next week the town said after a long wait",
            "the bridge over the river Tarn will open again in 2 weeks next week the town said after a long wait",
        );
        assert_eq!((found.fact_slots, found.name_slots), (0, 0));
        assert_eq!(found.edits, 2);
    }

    #[test]
    fn words_outside_runs_are_the_rest() {
        let found = aligned("one two three four nine eight seven", "zero one two three four five six");
        let mut rest = tokens("nine eight seven").into_iter().map(word).collect::<Vec<_>>();
        rest.sort_unstable();
        let mut got = found.rest.clone();
        got.sort_unstable();
        assert_eq!(got, rest);
    }
}
