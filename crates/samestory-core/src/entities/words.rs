//! A text as the recogniser sees it: its words, how they begin, what lies between them, and what each can be.

use std::cell::OnceCell;

use super::pack::{
    is_acronym, joined, Entry, Pack, Roles, ABBREVIATION, AMBIGUOUS, JOIN, LISTED, LOCATION_CUE_BEFORE, NOT_NAME,
    ORGANIZATION_CUE_BEFORE, PARTICLE, PERSONS, PERSON_BEFORE, PERSON_CUE_AFTER,
};
use crate::base::hash::{self, Hashed};
use crate::text::article::Article;
use crate::text::stop_words;
use crate::text::tokens::fold;

/// What lies between a word and the one before it.
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
pub struct Word {
    /// The hash of the form under which the word is known; of its own form, where it is not.
    pub known: u64,
    /// The hash of its form as it stands.
    pub form: u64,
    pub entry: Entry,
    pub start: usize,
    /// Where the word ends, without its suffix, and with it.
    pub base_end: usize,
    pub end: usize,
    pub gap: Gap,
    /// Does it begin with a capital, and may that mean something?
    pub capital: bool,
    /// All its letters are capitals, and there are several.
    pub shouted: bool,
    pub figure: bool,
    /// Begins a sentence, a line or a quotation: a capital means little.
    pub opening: bool,
    /// Has a suffix behind an apostrophe; its hash.
    pub suffix: Option<u64>,
    /// Too common to be a name.
    pub common: bool,
}

impl Word {
    pub fn is(&self, roles: Roles) -> bool {
        self.entry.roles & roles != 0
    }
}

/// What is no part of a name, and written small beside one.
const BESIDE: Roles = PERSON_CUE_AFTER | LOCATION_CUE_BEFORE | ORGANIZATION_CUE_BEFORE | JOIN | PARTICLE;

fn is_initial(text: &str) -> bool {
    let mut letters = text.chars();
    letters.next().is_some_and(char::is_uppercase) && letters.next().is_none()
}

pub struct Words<'a> {
    pub pack: &'a Pack,
    pub text: &'a str,
    pub all: Vec<Word>,
    /// The words that stand in the text with a small letter, made when first asked for.
    small: OnceCell<Hashed<()>>,
    room: String,
}

impl<'a> Words<'a> {
    pub fn of(pack: &'a Pack, article: &Article<'a>) -> Self {
        let all = Vec::with_capacity(article.tokens.len());
        let mut words = Words { pack, text: article.text, all, small: OnceCell::new(), room: String::new() };
        let stops = stop_words::bit(article.language);
        for token in article.tokens {
            let base = &article.text[token.start..token.base_end];
            let between = &article.text[words.all.last().map_or(0, |word| word.end)..token.start];
            let (form, base_end) = (token.base, token.base_end);
            let (known, mut entry) = match token.capital {
                true => pack.look(form, base, &mut words.room),
                false => (form, Entry::default()), // looked up where it stands beside a name
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
            words.all.push(Word {
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
        words.hush();
        words
    }

    fn suffix_hash(&mut self, suffix: &str) -> u64 {
        fold(suffix, false, &mut self.room);
        hash::token(self.room.as_bytes())
    }

    pub fn slice(&self, word: &Word) -> &'a str {
        &self.text[word.start..word.base_end]
    }

    /// Where everything is written in capitals they say nothing: there, a word counts as capital that is known as a name or
    /// as what tells one, and is no common word.
    fn hush(&mut self) {
        let (text, mut start) = (self.text, 0);
        while start < self.all.len() {
            let next = self.all[start + 1..].iter().position(|word| word.opening);
            let end = next.map_or(self.all.len(), |next| start + 1 + next);
            let sentence = &mut self.all[start..end];
            let written = sentence.iter().filter(|word| !word.figure).count();
            let loud = |word: &Word| {
                word.figure || word.shouted || (word.capital && is_initial(&text[word.start..word.base_end]))
            };
            if written >= 3 && sentence.iter().any(|word| word.shouted) && sentence.iter().all(loud) {
                let mut named = false;
                for word in sentence.iter_mut() {
                    let says = word.entry.roles & !BESIDE != 0 && !word.is(NOT_NAME | AMBIGUOUS);
                    // an everyday word behind a given name is a surname
                    let surname = named && word.gap == Gap::Blank && word.is(PERSONS) && !word.is(NOT_NAME);
                    word.capital = (says || surname) && !word.common;
                    word.shouted = false;
                    named = word.capital && word.is(PERSONS) && word.suffix.is_none();
                }
            }
            start = end;
        }
    }

    /// What a word can be: capital or not.
    pub fn entry(&mut self, at: usize) -> Entry {
        let word = self.all[at];
        if !word.capital && word.entry.roles == 0 && word.entry.longest == 0 && !word.figure {
            let (known, entry) = self.pack.look(word.known, &self.text[word.start..word.base_end], &mut self.room);
            self.all[at].known = known;
            self.all[at].entry = entry;
        }
        self.all[at].entry
    }

    /// The longest phrase (or word) with one of these roles that begins here: how many words it has; 0 for none. Its words
    /// may have full stops between them, as abbreviations do ("Prof. Dr", "St. Louis"); but not in the study, whose names
    /// are capital words with blanks between them.
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

    /// Can a word be of the same phrase as the one before it?
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

    /// A capital letter alone, as of a given name that is not written out.
    pub fn is_initial(&self, at: usize) -> bool {
        is_initial(self.slice(&self.all[at])) && self.all.get(at + 1).is_some_and(|next| next.gap == Gap::Stop)
    }

    /// A number of kings and popes.
    pub fn is_roman(&self, at: usize) -> bool {
        self.slice(&self.all[at]).bytes().all(|byte| matches!(byte, b'I' | b'V' | b'X'))
    }

    /// Does the word also stand in the text with a small letter? Then its capital may be that of a sentence.
    pub fn is_written_small(&self, at: usize) -> bool {
        let small = |word: &&Word| !word.capital && !word.shouted;
        let all = self.small.get_or_init(|| self.all.iter().filter(small).map(|word| (word.form, ())).collect());
        let word = &self.all[at];
        all.contains_key(&word.form) || all.contains_key(&word.known)
    }

    /// Known as a name by a list, and by more than chance where it opens a sentence?
    pub fn is_listed(&self, at: usize, roles: Roles) -> bool {
        let word = &self.all[at];
        word.is(roles & LISTED)
            && !is_initial(self.slice(word))
            && (self.pack.literal
                || !word.opening
                || word.shouted // not as the sentence is
                || word.suffix.is_some()
                || !(word.is(AMBIGUOUS) || word.common || self.is_written_small(at)))
    }
}

/// What a gap is, and whether what follows opens something.
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
