//! Beyond the study: classifies the words of a run that no rule or list matched, by adjacent cue words and by form.

use std::ops::Range;

use super::entity::Class;
use super::extract::{NameExtraction, WordUse};
use super::pack::{LISTED, LOCATIONS, NOT_NAME, PERSONS, SMALL_LOCATION_AFTER, SMALL_ORGANIZATION_AFTER};

/// The longest personal name, in words, that is accepted when only some of its words are listed.
const MAX_NAME_WORDS: usize = 5;

impl NameExtraction<'_> {
    /// Classifies the unclaimed segments of a run; `before` is the number of entities before the run.
    pub fn segments(&mut self, run: Range<usize>, before: usize) {
        let mut at = run.start;
        while at < run.end {
            let free = |at: &usize| self.taken[*at] == WordUse::Free && !self.words.all[*at].is(NOT_NAME);
            let end = at + (at..run.end).take_while(free).count();
            if end > at {
                self.segment(at..end, at == run.start && end == run.end);
            }
            at = end.max(at + 1);
        }
        let unknown = self.entities.len() == before && self.pending.last().is_none_or(|last| last.0.end < run.end);
        if unknown && run.clone().any(|at| !self.words.all[at].is(NOT_NAME)) {
            self.pending.push((run, true));
        }
    }

    fn segment(&mut self, range: Range<usize>, whole: bool) {
        let last = self.words.all[range.end - 1];
        // a rule word in lower case that is part of the name
        let person = range.clone().any(|at| self.words.is_listed(at, PERSONS));
        if last.suffix.is_none() && !person {
            if let Some(rule) = self.small_behind(range.end, SMALL_LOCATION_AFTER) {
                return self.emit(Class::Location, range.start..rule.end, "location_after", rule);
            }
            if let Some(rule) = self.small_behind(range.end, SMALL_ORGANIZATION_AFTER) {
                return self.emit(Class::Organization, range.start..rule.end, "organization_after", rule);
            }
        }
        // a person's name, fully or partly listed
        if let Some(name) = self.known_person(&range) {
            return self.emit(Class::Person, name, Class::Person.list(), range.start..range.start);
        }
        if let Some((class, because, cue)) = self.cued(&range) {
            return self.emit(class, range, because, cue);
        }
        let place = last.suffix.is_some_and(|suffix| self.words.pack.is_place(suffix));
        if place && range.len() <= 3 && !self.has_shouted(&range) {
            let cue = range.end - 1..range.end;
            return self.emit(Class::Location, range, "location_endings", cue);
        }
        let opening = self.words.all[range.start].opening;
        if range.len() <= 4 && self.words.is_surname(range.end - 1, range.len() > 1) && !(opening && range.len() == 1) {
            let start = if opening && !self.words.all[range.start].is(PERSONS) && range.len() > 2 { 1 } else { 0 };
            return self.emit(
                Class::Person,
                range.start + start..range.end,
                "person_endings",
                range.end - 1..range.end,
            );
        }
        if self.words.pack.is_person(range.len()) && !opening && !self.has_shouted(&range) {
            return self.emit(Class::Person, range, "person_words", 0..0);
        }
        self.pending.push((range, whole));
    }

    fn has_shouted(&self, range: &Range<usize>) -> bool {
        range.clone().any(|at| self.words.all[at].shouted)
    }

    /// The words of a segment that form a person's name, if one of them is listed: all of them except a first word that
    /// only opens a sentence. A word listed as a place is not part of the name.
    fn known_person(&mut self, range: &Range<usize>) -> Option<Range<usize>> {
        let is_name = |at: usize| self.words.is_listed(at, PERSONS);
        let first = range.clone().find(|&at| is_name(at))?;
        let all_listed = range.clone().all(is_name);
        if range.len() > MAX_NAME_WORDS && !all_listed {
            return None;
        }
        let unknown = |at: &usize| {
            let word = &self.words.all[*at];
            self.words.is_initial(*at)
                || self.words.is_roman(*at)
                || !(word.is(LISTED & !PERSONS) || word.common || (word.shouted && !word.is(PERSONS)))
        };
        let fits =
            |at: &usize| unknown(at) && (!self.words.all[*at].opening || is_name(*at) || self.words.is_initial(*at));
        let start = (range.start..first).rev().take_while(fits).last().unwrap_or(first);
        let end = first + 1 + (first + 1..range.end).take_while(unknown).count();
        // a single given name is weak evidence for a long segment of unlisted words
        let known = (start..end).filter(|&at| is_name(at)).count();
        let place = (start..end).any(|at| self.words.all[at].is(LOCATIONS) && !is_name(at));
        (!place && 2 * known + 1 >= end - start).then_some(start..end)
    }
}
