//! Recognises places and organisations by a rule word in or after their name.

use std::ops::Range;

use super::entity::Class;
use super::extract::{NameExtraction, WordUse};
use super::pack::{
    Roles, JOIN, LOCATIONS, LOCATION_AFTER, LOCATION_BEFORE, LOCATION_CUE_AFTER, NOT_NAME, ORGANIZATIONS,
    ORGANIZATION_AFTER, ORGANIZATION_BEFORE, ORGANIZATION_CUE_AFTER, PERSONS, PERSON_BEFORE,
};
use super::words::Gap;

/// The longest name, in words, that is recognised by its first word.
const MAX_BEGUN_WORDS: usize = 6;

impl NameExtraction<'_> {
    /// Recognises places and organisations by a rule word at their end (or beginning), which is part of the name, or by
    /// a cue after them, which is not. A name begins after the preceding title or name.
    pub(super) fn rules(&mut self, run: Range<usize>, wanted: Roles) {
        let (mut cut, mut at) = (run.start, run.start);
        while at < run.end {
            if matches!(self.taken[at], WordUse::Location | WordUse::Organization) {
                at += 1;
                cut = at;
                continue;
            }
            let title = self.words.phrase(at, PERSON_BEFORE).min(run.end - at);
            let cue = self.cue(cut, at, wanted);
            if title.max(cue) > 0 {
                self.taken[at..at + title].fill(WordUse::Cue);
                at += title.max(cue);
                cut = at;
                continue;
            }
            let begun = self.beginning(at, run.end);
            if begun > at {
                at = begun;
                cut = at;
                continue;
            }
            let place = if wanted & LOCATION_AFTER != 0 { self.words.phrase(at, LOCATION_AFTER) } else { 0 };
            let body = if wanted & ORGANIZATION_AFTER != 0 { self.words.phrase(at, ORGANIZATION_AFTER) } else { 0 };
            let length = place.max(body);
            let end = at + length;
            if length == 0 || end > run.end || cut == at || !self.is_free(cut..end) {
                at += 1;
                continue;
            }
            let start = if cut == run.start { self.joined(cut) } else { cut };
            let listed = |this: &mut Self, roles| !this.literal() && this.words.phrase(start, roles) == end - start;
            let is_place = listed(self, LOCATIONS) || (place >= body && !listed(self, ORGANIZATIONS));
            match is_place {
                true => self.emit(Class::Location, start..end, "location_after", at..end),
                false if self.goes_on(start) => {
                    // "Ege Üniversitesi Tıp Fakültesi" is one name
                    let whole = self.entities.last_mut().expect("goes_on found a last entity");
                    whole.words.end = end;
                    self.taken[start..end].fill(WordUse::Organization);
                }
                false => self.emit(Class::Organization, start..end, "organization_after", at..end),
            }
            at = end;
            cut = at;
        }
    }

    /// Does an organisation recognised by its last word end right before this word?
    fn goes_on(&self, start: usize) -> bool {
        let last = self.entities.last().filter(|last| last.words.end == start && last.because == "organization_after");
        last.is_some_and(|_| !self.literal() && self.words.all[start].gap == Gap::Blank)
    }

    /// Records the name from `cut` to `at` if a cue begins at `at`; returns the length of the cue in words, or 0.
    fn cue(&mut self, cut: usize, at: usize, wanted: Roles) -> usize {
        if cut == at {
            return 0;
        }
        let place = self.words.phrase(at, LOCATION_CUE_AFTER & wanted);
        let body = self.words.phrase(at, ORGANIZATION_CUE_AFTER & wanted);
        let length = place.max(body);
        let may_be = length > 0 && (self.literal() || self.may_be_cued(cut..at, length));
        if !may_be || !self.is_free(cut..at) {
            return 0;
        }
        let listed = |this: &mut Self, roles| !this.literal() && this.words.phrase(cut, roles) == at - cut;
        let (is_body, is_place) = (listed(self, ORGANIZATIONS), listed(self, LOCATIONS));
        match !is_body && (is_place || place >= body) {
            true => self.emit(Class::Location, cut..at, "location_cue_after", at..at + length),
            false => self.emit(Class::Organization, cut..at, "organization_cue_after", at..at + length),
        }
        length
    }

    /// May this range be a name before a cue? It is short, not listed as a person, and the cue is not part of a name.
    fn may_be_cued(&mut self, range: Range<usize>, length: usize) -> bool {
        let part = self.words.phrase(range.end, LOCATION_AFTER | ORGANIZATION_AFTER);
        let words = &self.words;
        part < length
            && range.len() <= 3
            && range.clone().all(|at| !words.all[at].is(NOT_NAME))
            && (range.clone().any(|at| words.all[at].is(LOCATIONS | ORGANIZATIONS))
                || range.clone().all(|at| !words.all[at].is(PERSONS)))
    }

    /// Records a name recognised by its first word; returns the end of the name, or `at` if there is none.
    fn beginning(&mut self, at: usize, end: usize) -> usize {
        if self.literal() {
            return at;
        }
        let place = self.words.phrase(at, LOCATION_BEFORE);
        let body = self.words.phrase(at, ORGANIZATION_BEFORE);
        let length = place.max(body);
        if length == 0 {
            return at;
        }
        let mut to = at + length;
        let last = end.max(self.run_end(at + length, MAX_BEGUN_WORDS + 1));
        while to < last
            && to - at <= MAX_BEGUN_WORDS
            && self.words.all[to].capital
            && self.taken[to] == WordUse::Free
            && self.words.phrase(to, PERSON_BEFORE | LOCATION_CUE_AFTER | ORGANIZATION_CUE_AFTER) == 0
        {
            to += 1;
        }
        let has_rule = (at + length..to).any(|at| self.words.phrase(at, LOCATION_AFTER | ORGANIZATION_AFTER) > 0);
        if to == at + length || has_rule || to - at > MAX_BEGUN_WORDS {
            return at;
        }
        match place >= body {
            true => self.emit(Class::Location, at..to, "location_before", at..at + length),
            false => self.emit(Class::Organization, at..to, "organization_before", at..at + length),
        }
        to
    }

    /// The end of the run of capitalised words that begins here, looking at most at `max_words`.
    fn run_end(&self, at: usize, max_words: usize) -> usize {
        let words = &self.words.all[..self.words.all.len().min(at + max_words)];
        let goes_on = |at: usize| words[at].capital && words[at].gap == Gap::Blank && words[at - 1].suffix.is_none();
        (at..words.len()).find(|&at| !goes_on(at)).unwrap_or(words.len())
    }

    /// The start of a name found by a rule, extended over a lower-case conjunction to the capitalised words before it.
    fn joined(&mut self, start: usize) -> usize {
        if start < 2 || self.literal() || self.words.all[start].gap != Gap::Blank {
            return start;
        }
        let (join, last) = (start - 1, start - 2);
        let word = self.words.all[last];
        let joins = self.is_inside(join, JOIN)
            && self.words.all[join].gap == Gap::Blank
            && word.capital
            && word.suffix.is_none()
            && self.taken[last] == WordUse::Free
            && !word.is(PERSONS | LOCATIONS | ORGANIZATIONS | NOT_NAME)
            && !(word.opening && word.common);
        if !joins {
            return start;
        }
        let mut first = last;
        while first > 0
            && self.words.all[first].gap == Gap::Blank
            && self.words.all[first - 1].capital
            && self.words.all[first - 1].suffix.is_none()
            && self.taken[first - 1] == WordUse::Free
        {
            first -= 1;
        }
        // pending ranges of those words are obsolete
        while self.pending.last().is_some_and(|(range, _)| range.end > first) {
            self.pending.pop();
        }
        first
    }
}
