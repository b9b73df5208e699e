//! Splits a text into runs of capitalised words and applies the rules and lists to each.
//!
//! Places and organisations are matched before persons, since their names often contain a person's; rules before lists.

use std::ops::Range;

use super::entity::{Class, Entity, Recognised};
use super::pack::{
    Pack, Roles, LOCATIONS, LOCATION_AFTER, LOCATION_CUE_AFTER, NOT_NAME, ORGANIZATIONS, ORGANIZATION_AFTER,
    ORGANIZATION_CUE_AFTER, PARTICLE, PEOPLE, PERSONS, PERSON_BEFORE,
};
use super::words::{EntityWords, Gap};
use crate::text::article::Article;

pub fn recognise(pack: &Pack, article: &Article) -> Recognised {
    let words = EntityWords::new(pack, article);
    let taken = vec![WordUse::Free; words.all.len()];
    let mut state = NameExtraction { words, taken, entities: vec![], pending: vec![] };
    let mut at = 0;
    while let Some(run) = state.next_run(&mut at) {
        state.run(run);
    }
    state.match_parts();
    let NameExtraction { words, mut entities, .. } = state;
    entities.sort_by_key(|entity| (entity.words.start, std::cmp::Reverse(entity.words.end)));
    Recognised { words: words.all, entities }
}

/// The name, if any, that a word is already part of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WordUse {
    Free,
    /// A title, or another cue word that is not part of the name.
    Cue,
    Person,
    Location,
    Organization,
}

pub struct NameExtraction<'a> {
    pub words: EntityWords<'a>,
    pub taken: Vec<WordUse>,
    pub entities: Vec<Entity>,
    /// Ranges that are not classified yet, and whether the range is a whole run.
    pub pending: Vec<(Range<usize>, bool)>,
}

impl NameExtraction<'_> {
    pub fn literal(&self) -> bool {
        self.words.pack.literal
    }

    /// The next run of capitalised words from `at` on. A suffix after an apostrophe ends a run, and so does anything
    /// but blanks between two words; but a full stop may follow initials and titles, and a name may contain particles.
    fn next_run(&mut self, at: &mut usize) -> Option<Range<usize>> {
        let count = self.words.all.len();
        let start = (*at..count).find(|&at| self.words.all[at].capital)?;
        let mut end = start + 1;
        while end < count && self.words.all[end - 1].suffix.is_none() {
            let (last, next) = (self.words.all[end - 1], self.words.all[end]);
            let abbreviated =
                !self.literal() && next.gap == Gap::Stop && (last.is(PERSON_BEFORE) || self.words.is_initial(end - 1));
            if next.capital && (next.gap == Gap::Blank || abbreviated) {
                end += 1;
            } else if next.gap == Gap::Blank && !next.capital && self.is_inside(end, PARTICLE) {
                end += 2;
            } else {
                break;
            }
        }
        *at = end;
        Some(start..end)
    }

    /// Is this a lower-case word of this role, followed by a capitalised word?
    pub(super) fn is_inside(&mut self, at: usize, role: Roles) -> bool {
        let follows = self.words.all.get(at + 1).is_some_and(|next| next.capital && next.gap == Gap::Blank);
        follows && !self.literal() && self.words.entry(at).roles & role != 0
    }

    fn run(&mut self, run: Range<usize>) {
        let run = self.trimmed(run);
        if run.is_empty() {
            return;
        }
        let before = self.entities.len();
        if self.literal() {
            self.rules(run.clone(), LOCATION_AFTER | LOCATION_CUE_AFTER);
            self.rules(run.clone(), ORGANIZATION_AFTER);
        } else {
            let cues = LOCATION_CUE_AFTER | ORGANIZATION_CUE_AFTER;
            self.rules(run.clone(), LOCATION_AFTER | ORGANIZATION_AFTER | cues);
        }
        // in the study listed organisations take precedence over persons; beyond it, titles find the end of the name
        if self.literal() {
            self.organizations(run.clone());
            self.titled(run.clone());
        } else {
            self.titled(run.clone());
            self.organizations(run.clone());
        }
        self.locations(run.clone());
        if self.literal() {
            self.persons(run.clone());
            if self.entities.len() == before {
                self.pending.push((run, true));
            }
        } else {
            self.segments(run, before);
        }
    }

    /// Drops leading words that are capitalised only because they open a sentence.
    fn trimmed(&mut self, mut run: Range<usize>) -> Range<usize> {
        while !self.literal() && !run.is_empty() {
            let word = self.words.all[run.start];
            let length = self.words.phrase(run.start, NOT_NAME);
            let named = self.words.phrase(run.start, LOCATIONS | ORGANIZATIONS) > 1;
            let initial = self.words.is_initial(run.start);
            if !word.opening || word.suffix.is_some() || named || initial || !(word.common || length > 0) {
                break;
            }
            // but not where a place or organisation is named after a people: "Alman Parlamentosu"
            let named_after = word.is(PEOPLE) && run.len() > 1 && {
                let roles = LOCATION_AFTER | ORGANIZATION_AFTER;
                (run.start + 1..run.end).any(|at| self.words.phrase(at, roles) > 0)
            };
            if named_after {
                break;
            }
            run.start = (run.start + length.max(1)).min(run.end);
        }
        run
    }

    pub fn is_free(&self, mut range: Range<usize>) -> bool {
        range.all(|at| self.taken[at] == WordUse::Free)
    }

    /// Records a name and marks its words as taken, except for places inside an organisation.
    pub fn emit(&mut self, class: Class, words: Range<usize>, because: &'static str, cue: Range<usize>) {
        let nested = words.clone().any(|at| self.taken[at] == WordUse::Organization);
        if !nested {
            let taken = match class {
                Class::Person => WordUse::Person,
                Class::Location => WordUse::Location,
                Class::Organization => WordUse::Organization,
                Class::Unclassified => WordUse::Free,
            };
            self.taken[words.clone()].fill(taken);
        }
        self.entities.push(Entity { class, words, because, cue });
    }

    /// Matches listed organisations; places that follow directly become part of the name.
    fn organizations(&mut self, run: Range<usize>) {
        let mut at = run.start;
        while at < run.end {
            let mut length = self.words.phrase(at, ORGANIZATIONS);
            if length == 1 && !self.words.is_listed(at, ORGANIZATIONS) {
                length = 0;
            }
            if length == 0 || !self.is_free(at..at + length) {
                at += 1;
                continue;
            }
            let mut end = at + length;
            while end < run.end && self.taken[end] == WordUse::Free {
                let place = self.words.phrase(end, LOCATIONS);
                if place == 0 || end + place > run.end {
                    break;
                }
                end += place;
            }
            self.emit(Class::Organization, at..end, Class::Organization.list(), at..at);
            at = end;
        }
    }

    /// Matches listed places: also inside organisations, but not inside a person matched by a rule.
    fn locations(&mut self, run: Range<usize>) {
        let mut at = run.start;
        while at < run.end {
            let inside = self.taken[at] == WordUse::Organization;
            let mut length = self.words.phrase(at, LOCATIONS);
            if length == 1 && (!self.words.is_listed(at, LOCATIONS) || self.is_surname_here(at, &run)) {
                length = 0;
            }
            let end = at + length;
            let fits = length > 0
                && (self.is_free(at..end) || (inside && (at..end).all(|at| self.taken[at] == WordUse::Organization)));
            if !fits || self.entities.iter().rev().take(4).any(|entity| entity.words == (at..end)) {
                at += 1;
                continue;
            }
            self.emit(Class::Location, at..end, Class::Location.list(), at..at);
            at = end;
        }
    }

    /// Is a word that is listed both as a place and as a person next to a person's name?
    fn is_surname_here(&self, at: usize, run: &Range<usize>) -> bool {
        if self.literal() || !self.words.all[at].is(PERSONS) {
            return false;
        }
        let beside = |other: usize| {
            let word = &self.words.all[other];
            self.taken[other] == WordUse::Free && word.is(PERSONS) && !word.is(LOCATIONS)
        };
        (at > run.start && beside(at - 1)) || (at + 1 < run.end && beside(at + 1))
    }

    /// Matches persons: runs of words that are all listed.
    fn persons(&mut self, run: Range<usize>) {
        let mut at = run.start;
        while at < run.end {
            let is_name = |at: &usize| self.taken[*at] == WordUse::Free && self.words.is_listed(*at, PERSONS);
            let end = at + (at..run.end).take_while(is_name).count();
            if end > at {
                self.emit(Class::Person, at..end, Class::Person.list(), at..at);
            }
            at = end.max(at + 1);
        }
    }
}
