//! Lower-case cue words next to a name that determine its class.

use std::ops::Range;

use super::entity::Class;
use super::extract::{NameExtraction, WordUse};
use super::pack::{
    Roles, ABBREVIATION, LOCATIONS, LOCATION_CUE_AFTER, LOCATION_CUE_BEFORE, ORGANIZATIONS, ORGANIZATION_CUE_AFTER,
    ORGANIZATION_CUE_BEFORE, PERSON_CUE_AFTER,
};
use super::words::Gap;

impl NameExtraction<'_> {
    /// A phrase of lower-case words with one of these roles that ends right before a word.
    pub fn small_before(&mut self, at: usize, roles: Roles) -> Option<Range<usize>> {
        if at == 0 || self.words.all[at].gap == Gap::Break || self.ends_sentence(at) {
            return None;
        }
        (at.saturating_sub(4)..at)
            .find(|&start| {
                let word = self.words.all[start];
                !word.figure
                    && (start + 1..at).all(|between| self.words.all[between].gap != Gap::Break)
                    && (!word.capital || start + 1 < at || word.opening)
                    && self.taken[start] == WordUse::Free
                    && self.words.phrase(start, roles) == at - start
            })
            .map(|start| start..at)
    }

    /// Does the full stop before a word end a sentence rather than an abbreviation?
    fn ends_sentence(&self, at: usize) -> bool {
        let last = &self.words.all[at - 1];
        self.words.all[at].gap == Gap::Stop && self.words.slice(last).chars().count() > ABBREVIATION
    }

    /// A phrase of lower-case words with one of these roles that begins at `at`.
    pub fn small_behind(&mut self, at: usize, roles: Roles) -> Option<Range<usize>> {
        let next = self.words.all.get(at)?;
        if next.gap != Gap::Blank || next.capital {
            return None;
        }
        let length = self.words.phrase(at, roles);
        (length > 0).then_some(at..at + length)
    }

    /// The class of a name by an adjacent lower-case cue, with the rule and the cue.
    pub fn cued(&mut self, range: &Range<usize>) -> Option<(Class, &'static str, Range<usize>)> {
        let behind = |this: &mut Self, roles| {
            let plain = this.words.all[range.end - 1].suffix.is_none();
            if plain {
                this.small_behind(range.end, roles)
            } else {
                None
            }
        };
        if let Some(cue) = behind(self, LOCATION_CUE_AFTER) {
            return Some((Class::Location, "location_cue_after", cue));
        }
        if let Some(cue) = behind(self, ORGANIZATION_CUE_AFTER) {
            return Some((Class::Organization, "organization_cue_after", cue));
        }
        if let Some(cue) = self.small_before(range.start, LOCATION_CUE_BEFORE) {
            return Some((Class::Location, "location_cue_before", cue));
        }
        if let Some(cue) = self.small_before(range.start, ORGANIZATION_CUE_BEFORE) {
            return Some((Class::Organization, "organization_cue_before", cue));
        }
        if self.words.all[range.clone()].iter().any(|word| word.is(LOCATIONS | ORGANIZATIONS)) {
            return None; // "Moscow said": the subject may be a place
        }
        behind(self, PERSON_CUE_AFTER).map(|cue| (Class::Person, "person_cue_after", cue))
    }
}
