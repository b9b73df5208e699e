//! Runs of capital words, and what rules and lists say about each.
//!
//! Places and organisations come before persons, since their names often hold a person's; rules come before lists.

use std::ops::Range;

use super::pack::{
    Pack, Roles, JOIN, LOCATIONS, LOCATION_AFTER, LOCATION_BEFORE, LOCATION_CUE_AFTER, LOCATION_CUE_BEFORE, NOT_NAME,
    ORGANIZATIONS, ORGANIZATION_AFTER, ORGANIZATION_BEFORE, ORGANIZATION_CUE_AFTER, ORGANIZATION_CUE_BEFORE, PARTICLE,
    PERSONS, PERSON_AFTER, PERSON_BEFORE, PERSON_CUE_AFTER, SMALL_LOCATION_AFTER, SMALL_ORGANIZATION_AFTER,
};
use super::words::{Gap, Words};
use super::{Class, Entity, Recognised};
use crate::detectors::Article;

/// The longest abbreviation, in letters: a full stop behind it may end no sentence.
pub const ABBREVIATION: usize = 4;
/// The longest name that is told by the word at its beginning, in words.
const LONGEST_BEGUN: usize = 6;

pub fn recognise(pack: &Pack, article: &Article) -> Recognised {
    let words = Words::of(pack, article);
    let taken = vec![Taken::Free; words.all.len()];
    let mut state = Extraction { words, taken, entities: vec![], pending: vec![] };
    let mut at = 0;
    while let Some(run) = state.next_run(&mut at) {
        state.run(run);
    }
    state.match_parts();
    let Extraction { words, mut entities, .. } = state;
    entities.sort_by_key(|entity| (entity.words.start, std::cmp::Reverse(entity.words.end)));
    Recognised { words: words.all, entities }
}

/// What has a word already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Taken {
    Free,
    /// A title, or another word that told a name and is no part of it.
    Cue,
    Person,
    Location,
    Organization,
}

pub struct Extraction<'a> {
    pub words: Words<'a>,
    pub taken: Vec<Taken>,
    pub entities: Vec<Entity>,
    /// Runs of which nothing is known yet, and whether all of a run is one.
    pub pending: Vec<(Range<usize>, bool)>,
}

impl Extraction<'_> {
    pub fn literal(&self) -> bool {
        self.words.pack.literal
    }

    /// The next run of capital words from `at` on. A suffix behind an apostrophe ends a run, and so does whatever else
    /// stands between two words; but initials and titles may have a full stop behind them, and a name may have particles.
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

    /// Is a small word of this role here, and a capital word behind it?
    fn is_inside(&mut self, at: usize, role: Roles) -> bool {
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
        // nobody is called like a listed organisation; beyond the study a title looks for itself where the person ends
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

    /// Leaves out the words that begin with a capital only because a sentence does.
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
            let named_after = length == 1 && run.len() > 1 && !word.common && {
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
        range.all(|at| self.taken[at] == Taken::Free)
    }

    /// Notes a name. What it covers is taken, except by places that lie in an organisation.
    pub fn emit(&mut self, class: Class, words: Range<usize>, because: &'static str, cue: Range<usize>) {
        let nested = words.clone().any(|at| self.taken[at] == Taken::Organization);
        if !nested {
            let taken = match class {
                Class::Person => Taken::Person,
                Class::Location => Taken::Location,
                Class::Organization => Taken::Organization,
                Class::Unclassified => Taken::Free,
            };
            self.taken[words.clone()].fill(taken);
        }
        self.entities.push(Entity { class, words, because, cue });
    }

    /// Places and organisations told by a word at their end (or beginning), which is part of the name, or by one behind
    /// them, which is not. A name begins behind the last title and the last name before it.
    fn rules(&mut self, run: Range<usize>, wanted: Roles) {
        let (mut cut, mut at) = (run.start, run.start);
        while at < run.end {
            if matches!(self.taken[at], Taken::Location | Taken::Organization) {
                at += 1;
                cut = at;
                continue;
            }
            let title = self.words.phrase(at, PERSON_BEFORE).min(run.end - at);
            let cue = self.cue(cut, at, wanted);
            if title.max(cue) > 0 {
                self.taken[at..at + title].fill(Taken::Cue);
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
                    // "Ege Üniversitesi Tıp Fakültesi" is one
                    let whole = self.entities.last_mut().expect("one before");
                    whole.words.end = end;
                    self.taken[start..end].fill(Taken::Organization);
                }
                false => self.emit(Class::Organization, start..end, "organization_after", at..end),
            }
            at = end;
            cut = at;
        }
    }

    /// Does an organisation told by its last word end right before this word?
    fn goes_on(&self, start: usize) -> bool {
        let last = self.entities.last().filter(|last| last.words.end == start && last.because == "organization_after");
        last.is_some_and(|_| !self.literal() && self.words.all[start].gap == Gap::Blank)
    }

    /// Notes the name that a word behind it tells, if there is one; gives how many words that has.
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

    /// A short name that no list calls a person, before a cue that is no part of a name.
    fn may_be_cued(&mut self, range: Range<usize>, length: usize) -> bool {
        let part = self.words.phrase(range.end, LOCATION_AFTER | ORGANIZATION_AFTER);
        let words = &self.words;
        part < length
            && range.len() <= 3
            && range.clone().all(|at| !words.all[at].is(NOT_NAME))
            && (range.clone().any(|at| words.all[at].is(LOCATIONS | ORGANIZATIONS))
                || range.clone().all(|at| !words.all[at].is(PERSONS)))
    }

    /// Notes a name that a word at its beginning tells, which is part of it; gives where it ends, or `at`.
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
        let last = end.max(self.run_end(at + length, LONGEST_BEGUN + 1));
        while to < last
            && to - at <= LONGEST_BEGUN
            && self.words.all[to].capital
            && self.taken[to] == Taken::Free
            && self.words.phrase(to, PERSON_BEFORE | LOCATION_CUE_AFTER | ORGANIZATION_CUE_AFTER) == 0
        {
            to += 1;
        }
        let has_rule = (at + length..to).any(|at| self.words.phrase(at, LOCATION_AFTER | ORGANIZATION_AFTER) > 0);
        if to == at + length || has_rule || to - at > LONGEST_BEGUN {
            return at;
        }
        match place >= body {
            true => self.emit(Class::Location, at..to, "location_before", at..at + length),
            false => self.emit(Class::Organization, at..to, "organization_before", at..at + length),
        }
        to
    }

    /// Where the capital words end that begin here; no more than so many are looked at.
    fn run_end(&self, at: usize, most: usize) -> usize {
        let words = &self.words.all[..self.words.all.len().min(at + most)];
        let goes_on = |at: usize| words[at].capital && words[at].gap == Gap::Blank && words[at - 1].suffix.is_none();
        (at..words.len()).find(|&at| !goes_on(at)).unwrap_or(words.len())
    }

    /// Where a name made by a rule begins, if small words join it to capital words before it.
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
            && self.taken[last] == Taken::Free
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
            && self.taken[first - 1] == Taken::Free
        {
            first -= 1;
        }
        // what was said about those words alone is not true any more
        while self.pending.last().is_some_and(|(range, _)| range.end > first) {
            self.pending.pop();
        }
        first
    }

    /// Persons told by a title before them or an honorific behind them; neither is part of the name.
    fn titled(&mut self, run: Range<usize>) {
        let mut at = run.start;
        if !self.literal() && self.taken[at] == Taken::Free {
            if let Some(title) = self.small_before(at, PERSON_BEFORE) {
                self.person_behind(title, at, run.end);
            }
        }
        while at < run.end {
            if self.taken[at] == Taken::Cue {
                let title = at;
                while at < run.end && self.taken[at] == Taken::Cue {
                    at += 1;
                }
                self.person_behind(title..at, at, run.end);
            } else {
                at += 1;
            }
        }
        for at in run.clone() {
            if self.taken[at] != Taken::Free || self.words.phrase(at, PERSON_AFTER) == 0 {
                continue;
            }
            let free = |word: &usize| self.taken[*word] == Taken::Free && !self.words.all[*word].is(PERSON_AFTER);
            let first = (run.start..at).rev().take_while(free).last();
            if let Some(first) = first {
                self.taken[at] = Taken::Cue;
                self.emit(Class::Person, first..at, "person_after", at..at + 1);
            }
        }
    }

    /// The words of a person behind a title.
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
        while to < end && self.taken[to] == Taken::Free && self.words.phrase(to, PERSON_AFTER) == 0 {
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

    /// A phrase of small words with one of these roles that ends right before a word.
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
                    && self.taken[start] == Taken::Free
                    && self.words.phrase(start, roles) == at - start
            })
            .map(|start| start..at)
    }

    /// Is the full stop before a word more than that of an abbreviation?
    fn ends_sentence(&self, at: usize) -> bool {
        let last = &self.words.all[at - 1];
        self.words.all[at].gap == Gap::Stop && self.words.slice(last).chars().count() > ABBREVIATION
    }

    /// A phrase of small words with one of these roles that begins right behind a word.
    pub fn small_behind(&mut self, at: usize, roles: Roles) -> Option<Range<usize>> {
        let next = self.words.all.get(at)?;
        if next.gap != Gap::Blank || next.capital {
            return None;
        }
        let length = self.words.phrase(at, roles);
        (length > 0).then_some(at..at + length)
    }

    /// Organisations of a list; one takes the places that follow it.
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
            while end < run.end && self.taken[end] == Taken::Free {
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

    /// Places of a list: also inside organisations, but not where a rule has told a person.
    fn locations(&mut self, run: Range<usize>) {
        let mut at = run.start;
        while at < run.end {
            let inside = self.taken[at] == Taken::Organization;
            let mut length = self.words.phrase(at, LOCATIONS);
            if length == 1 && (!self.words.is_listed(at, LOCATIONS) || self.is_surname_here(at, &run)) {
                length = 0;
            }
            let end = at + length;
            let fits = length > 0
                && (self.is_free(at..end) || (inside && (at..end).all(|at| self.taken[at] == Taken::Organization)));
            if !fits || self.entities.iter().rev().take(4).any(|entity| entity.words == (at..end)) {
                at += 1;
                continue;
            }
            self.emit(Class::Location, at..end, Class::Location.list(), at..at);
            at = end;
        }
    }

    /// Is a word that lists call both a place and a person beside a person's name?
    fn is_surname_here(&self, at: usize, run: &Range<usize>) -> bool {
        if self.literal() || !self.words.all[at].is(PERSONS) {
            return false;
        }
        let beside = |other: usize| {
            let word = &self.words.all[other];
            self.taken[other] == Taken::Free && word.is(PERSONS) && !word.is(LOCATIONS)
        };
        (at > run.start && beside(at - 1)) || (at + 1 < run.end && beside(at + 1))
    }

    /// Persons of a list: words that all stand in it.
    fn persons(&mut self, run: Range<usize>) {
        let mut at = run.start;
        while at < run.end {
            let is_name = |at: &usize| self.taken[*at] == Taken::Free && self.words.is_listed(*at, PERSONS);
            let end = at + (at..run.end).take_while(is_name).count();
            if end > at {
                self.emit(Class::Person, at..end, Class::Person.list(), at..at);
            }
            at = end.max(at + 1);
        }
    }

    /// What stands beside a name in small letters and tells it.
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
        behind(self, PERSON_CUE_AFTER).map(|cue| (Class::Person, "person_cue_after", cue))
    }
}
