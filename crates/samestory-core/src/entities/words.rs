//! The recogniser's input: the words of a text with their capitalisation, the gaps between them, and their roles.

use std::cell::OnceCell;

use super::pack::{
    is_acronym, joined, Pack, PackEntry, Roles, ABBREVIATION, AMBIGUOUS, JOIN, LISTED, LOCATION_CUE_BEFORE, NOT_NAME,
    ORGANIZATION_CUE_BEFORE, PARTICLE, PERSONS, PERSON_BEFORE, PERSON_CUE_AFTER,
};
use crate::base::hash::{self, Hashed};
use crate::text::article::Article;
use crate::text::characters::fold;
use crate::text::stop_words;

/// The characters between a word and the one before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gap {
    /// Nothing but blanks.
    Blank,
    /// A full stop, and perhaps blanks.
    Stop,
    /// Anything else; also the beginning of the text.
    Break,
}

#[derive(Clone, Copy, Debug)]
pub struct EntityWord {
    /// The hash of the pack entry that the word resolves to; of its own form if there is none.
    pub known: u64,
    /// The hash of its form in the text.
    pub form: u64,
    pub entry: PackEntry,
    pub start: usize,
    /// The end of the word without its suffix, and with it.
    pub base_end: usize,
    pub end: usize,
    pub gap: Gap,
    /// Begins with a capital that may mark a name.
    pub capital: bool,
    /// All its letters are capitals, and there are at least two.
    pub shouted: bool,
    pub figure: bool,
    /// Begins a sentence, a line or a quotation: its capital is weak evidence for a name.
    pub opening: bool,
    /// The hash of the suffix after an apostrophe, if any.
    pub suffix: Option<u64>,
    /// Too common to be a name.
    pub common: bool,
}

impl EntityWord {
    pub fn is(&self, roles: Roles) -> bool {
        self.entry.roles & roles != 0
    }
}

/// Roles of words that are next to a name in lower case and not part of it.
const CONTEXT_ROLES: Roles = PERSON_CUE_AFTER | LOCATION_CUE_BEFORE | ORGANIZATION_CUE_BEFORE | JOIN | PARTICLE;

fn is_initial(text: &str) -> bool {
    let mut letters = text.chars();
    letters.next().is_some_and(char::is_uppercase) && letters.next().is_none()
}

pub struct EntityWords<'a> {
    pub pack: &'a Pack,
    pub text: &'a str,
    pub all: Vec<EntityWord>,
    /// Hashes of the words that occur in the text in lower case, computed on first use.
    small: OnceCell<Hashed<()>>,
    room: String,
}

impl<'a> EntityWords<'a> {
    pub fn new(pack: &'a Pack, article: &Article<'a>) -> Self {
        let all = Vec::with_capacity(article.tokens.len());
        let mut words = EntityWords { pack, text: article.text, all, small: OnceCell::new(), room: String::new() };
        let stops = stop_words::bit(article.language);
        for token in article.tokens {
            let base = &article.text[token.start..token.base_end];
            let between = &article.text[words.all.last().map_or(0, |word| word.end)..token.start];
            let (form, base_end) = (token.base, token.base_end);
            let (known, mut entry) = match token.capital {
                true => pack.look(form, base, &mut words.room),
                false => (form, PackEntry::default()), // looked up on demand, next to a name
            };
            let shouted = token.capital && is_acronym(base);
            if shouted {
                entry.roles |= pack.acronym(form);
            }
            let (gap, mut opening) = gap(between, words.all.is_empty());
            if let Some(last) = words.all.last() {
                let short = last.is(PERSON_BEFORE) || is_initial(words.slice(last));
                opening &= !(gap == Gap::Stop && short);
            }
            let suffix = (token.end > base_end).then(|| words.suffix_hash(token.suffix(article.text)));
            words.all.push(EntityWord {
                known,
                form,
                entry,
                start: token.start,
                base_end,
                end: token.end,
                gap,
                capital: token.capital,
                shouted,
                figure: token.figure,
                opening,
                suffix,
                common: token.capital && stops != 0 && stop_words::languages_of(form) & stops != 0,
            });
        }
        words.ignore_all_capitals();
        words
    }

    fn suffix_hash(&mut self, suffix: &str) -> u64 {
        fold(suffix, false, &mut self.room);
        hash::token(self.room.as_bytes())
    }

    pub fn slice(&self, word: &EntityWord) -> &'a str {
        &self.text[word.start..word.base_end]
    }

    /// In sentences written entirely in capitals, capitals carry no information: there, a word counts as capitalised
    /// only if it is listed as a name or as a rule word and is not a common word.
    fn ignore_all_capitals(&mut self) {
        let (text, mut start) = (self.text, 0);
        while start < self.all.len() {
            let next = self.all[start + 1..].iter().position(|word| word.opening);
            let end = next.map_or(self.all.len(), |next| start + 1 + next);
            let sentence = &mut self.all[start..end];
            let written = sentence.iter().filter(|word| !word.figure).count();
            let is_upper = |word: &EntityWord| {
                word.figure || word.shouted || (word.capital && is_initial(&text[word.start..word.base_end]))
            };
            if written >= 3 && sentence.iter().any(|word| word.shouted) && sentence.iter().all(is_upper) {
                let mut named = false;
                for word in sentence.iter_mut() {
                    let is_name_word = word.entry.roles & !CONTEXT_ROLES != 0 && !word.is(NOT_NAME | AMBIGUOUS);
                    // an everyday word after a given name is a surname
                    let surname = named && word.gap == Gap::Blank && word.is(PERSONS) && !word.is(NOT_NAME);
                    word.capital = (is_name_word || surname) && !word.common;
                    word.shouted = false;
                    named = word.capital && word.is(PERSONS) && word.suffix.is_none();
                }
            }
            start = end;
        }
    }

    /// The pack entry of a word, looked up now if the word is in lower case.
    pub fn entry(&mut self, at: usize) -> PackEntry {
        let word = self.all[at];
        if !word.capital && word.entry.roles == 0 && word.entry.longest == 0 && !word.figure {
            let (known, entry) = self.pack.look(word.known, &self.text[word.start..word.base_end], &mut self.room);
            self.all[at].known = known;
            self.all[at].entry = entry;
        }
        self.all[at].entry
    }

    /// The length in words of the longest phrase (or word) with one of these roles that begins here; 0 for none. Full
    /// stops between the words are allowed, as in abbreviations ("Prof. Dr", "St. Louis"); but not in the study, whose
    /// names are capitalised words with blanks between them.
    pub fn phrase(&mut self, at: usize, roles: Roles) -> usize {
        let entry = self.entry(at);
        let mut best = usize::from(entry.roles & roles != 0);
        let longest = usize::from(entry.longest).min(self.all.len() - at);
        if longest < 2 {
            return best;
        }
        let mut hash = joined(0, self.all[at].known);
        for length in 2..=longest {
            let next = at + length - 1;
            if !self.goes_on(next) {
                break;
            }
            self.entry(next);
            hash = joined(hash, self.all[next].known);
            if self.pack.phrase(hash) & roles != 0 {
                best = length;
            }
        }
        best
    }

    /// Can a word belong to the same phrase as the one before it?
    fn goes_on(&self, at: usize) -> bool {
        let (last, word) = (&self.all[at - 1], &self.all[at]);
        let together = match word.gap {
            Gap::Blank => word.capital || !self.pack.literal,
            Gap::Stop => !self.pack.literal && self.slice(last).chars().nth(ABBREVIATION).is_none(),
            Gap::Break => false,
        };
        together && last.suffix.is_none()
    }

    pub fn is_surname(&mut self, at: usize, beside: bool) -> bool {
        let word = self.all[at];
        self.pack.is_surname(&self.text[word.start..word.base_end], beside, &mut self.room)
    }

    /// A single capital letter before a full stop, as of an abbreviated given name.
    pub fn is_initial(&self, at: usize) -> bool {
        is_initial(self.slice(&self.all[at])) && self.all.get(at + 1).is_some_and(|next| next.gap == Gap::Stop)
    }

    /// A Roman numeral, as in the names of kings and popes.
    pub fn is_roman(&self, at: usize) -> bool {
        self.slice(&self.all[at]).bytes().all(|byte| matches!(byte, b'I' | b'V' | b'X'))
    }

    /// Does the word also occur in the text in lower case? Then its capital may only open a sentence.
    pub fn is_written_small(&self, at: usize) -> bool {
        let small = |word: &&EntityWord| !word.capital && !word.shouted;
        let all = self.small.get_or_init(|| self.all.iter().filter(small).map(|word| (word.form, ())).collect());
        let word = &self.all[at];
        all.contains_key(&word.form) || all.contains_key(&word.known)
    }

    /// Is the word listed as a name, and unambiguously so where it opens a sentence?
    pub fn is_listed(&self, at: usize, roles: Roles) -> bool {
        let word = &self.all[at];
        word.is(roles & LISTED)
            && !is_initial(self.slice(word))
            && (self.pack.literal
                || !word.opening
                || word.shouted // in a sentence that is not all capitals
                || word.suffix.is_some()
                || !(word.is(AMBIGUOUS) || word.common || self.is_written_small(at)))
    }
}

/// The kind of a gap, and whether the word after it opens a sentence, a line or a quotation.
fn gap(between: &str, first: bool) -> (Gap, bool) {
    if first {
        return (Gap::Break, true);
    }
    if between.bytes().all(|b| b == b' ' || b == b'\t') {
        return (Gap::Blank, false);
    }
    let (mut blank, mut stop, mut opening) = (true, 0, false);
    for (at, c) in between.char_indices() {
        let space = c.is_whitespace() && !matches!(c, '\n' | '\r' | '\u{2028}' | '\u{2029}');
        stop += usize::from(c == '.');
        blank &= space || (c == '.' && at == 0);
        opening |= matches!(
            c,
            '.' | '!'
                | '?'
                | '…'
                | '\n'
                | '\r'
                | '\u{2028}'
                | '\u{2029}'
                | ':'
                | '"'
                | '“'
                | '«'
                | '„'
                | '•'
                | '*'
                | '-'
                | '–'
                | '—'
        );
    }
    match (blank, stop) {
        (true, 0) => (Gap::Blank, false),
        (true, 1) => (Gap::Stop, true),
        _ => (Gap::Break, opening),
    }
}
