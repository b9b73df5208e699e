//! Recognises persons by a title before or an honorific after the name.

use std::ops::Range;

use super::entity::Class;
use super::extract::{NameExtraction, WordUse};
use super::pack::{
    LOCATIONS, NOT_NAME, ORGANIZATIONS, PERSONS, PERSON_AFTER, PERSON_BEFORE, SMALL_LOCATION_AFTER,
    SMALL_ORGANIZATION_AFTER,
};

impl NameExtraction<'_> {
    /// Recognises persons by a title before or an honorific after the name; neither is part of the name.
    pub(super) fn titled(&mut self, run: Range<usize>) {
        let mut at = run.start;
        if !self.literal() && self.taken[at] == WordUse::Free {
            if let Some(title) = self.small_before(at, PERSON_BEFORE) {
                self.person_behind(title, at, run.end);
            }
        }
        while at < run.end {
            if self.taken[at] == WordUse::Cue {
                let title = at;
                while at < run.end && self.taken[at] == WordUse::Cue {
                    at += 1;
                }
                self.person_behind(title..at, at, run.end);
            } else {
                at += 1;
            }
        }
        for at in run.clone() {
            if self.taken[at] != WordUse::Free || self.words.phrase(at, PERSON_AFTER) == 0 {
                continue;
            }
            let free = |word: &usize| self.taken[*word] == WordUse::Free && !self.words.all[*word].is(PERSON_AFTER);
            let first = (run.start..at).rev().take_while(free).last();
            if let Some(first) = first {
                self.taken[at] = WordUse::Cue;
                self.emit(Class::Person, first..at, "person_after", at..at + 1);
            }
        }
    }

    /// Recognises the person's name that follows a title.
    fn person_behind(&mut self, title: Range<usize>, mut start: usize, end: usize) {
        if !self.literal() {
            // "президент России Владимир Путин"
            let place = self.words.phrase(start.min(end - 1), LOCATIONS);
            let both = start < end && self.words.all[start].is(PERSONS);
            if place > 0 && start + place < end && !both && self.is_free(start..start + place) {
                start += place;
            }
            if start + 1 < end && self.words.all[start].shouted && !self.words.all[start].is(PERSONS) {
                start += 1; // "CEO'su IBM Ali Kaya", "глава ФБР Джеймс Коми"
            }
        }
        let mut to = start;
        while to < end && self.taken[to] == WordUse::Free && self.words.phrase(to, PERSON_AFTER) == 0 {
            let word = self.words.all[to];
            if !self.literal() && (word.is(NOT_NAME) || self.words.phrase(to, ORGANIZATIONS) > 0 || to - start == 5) {
                break;
            }
            to += 1;
        }
        let is_place = !self.literal() && to > start && {
            let word = self.words.all[start];
            (word.is(LOCATIONS) && !word.is(PERSONS))
                || self.small_behind(to, SMALL_LOCATION_AFTER | SMALL_ORGANIZATION_AFTER).is_some()
        };
        if to > start && !is_place {
            self.emit(Class::Person, start..to, "person_before", title);
        }
    }
}
