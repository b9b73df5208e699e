//! The word lists of one language: names of persons, places and organisations, and the cue words that classify a name.
//!
//! Phrases are looked up by the hash of their words. A word form without an entry is looked up without its endings.

use crate::base::hash::{self, Hashed};
use crate::text::characters::fold;
use crate::text::languages::is_turkish_case;
use crate::text::tokens::tokenise;

/// The longest abbreviation, in letters: a full stop after it does not necessarily end a sentence.
pub const ABBREVIATION: usize = 4;

/// The roles of a word or phrase, as a bit set.
pub type Roles = u32;

macro_rules! roles {
    ($($name:ident = $bit:literal, $key:literal;)*) => {
        $(pub const $name: Roles = 1 << $bit;)*
        /// The roles by their names in rule files and lists.
        pub const NAMES: &[(&str, Roles)] = &[$(($key, $name)),*];
    };
}

roles! {
    PERSON = 0, "person";
    LOCATION = 1, "location";
    ORGANIZATION = 2, "organization";
    OWN_PERSON = 3, "own_person";
    OWN_LOCATION = 4, "own_location";
    OWN_ORGANIZATION = 5, "own_organization";
    PERSON_BEFORE = 6, "person_before";
    PERSON_AFTER = 7, "person_after";
    PERSON_CUE_AFTER = 8, "person_cue_after";
    LOCATION_AFTER = 9, "location_after";
    LOCATION_CUE_AFTER = 10, "location_cue_after";
    LOCATION_BEFORE = 11, "location_before";
    LOCATION_CUE_BEFORE = 12, "location_cue_before";
    ORGANIZATION_AFTER = 13, "organization_after";
    ORGANIZATION_BEFORE = 14, "organization_before";
    ORGANIZATION_CUE_BEFORE = 15, "organization_cue_before";
    ORGANIZATION_CUE_AFTER = 16, "organization_cue_after";
    JOIN = 17, "joins";
    PARTICLE = 18, "particles";
    NOT_NAME = 19, "not_names";
    AMBIGUOUS = 20, "ambiguous";
    PEOPLE = 23, "peoples";
    SMALL_LOCATION_AFTER = 21, "small_location_after";
    SMALL_ORGANIZATION_AFTER = 22, "small_organization_after";
}

/// Roles of listed persons, of listed places, of listed organisations; of any list.
pub const PERSONS: Roles = PERSON | OWN_PERSON;
pub const LOCATIONS: Roles = LOCATION | OWN_LOCATION;
pub const ORGANIZATIONS: Roles = ORGANIZATION | OWN_ORGANIZATION;
pub const LISTED: Roles = PERSONS | LOCATIONS | ORGANIZATIONS;

/// The roles of a word by itself, and the length in words of the longest phrase that begins with it.
#[derive(Clone, Copy, Debug, Default)]
pub struct PackEntry {
    pub roles: Roles,
    pub longest: u8,
}

#[derive(Default)]
pub struct Pack {
    words: Hashed<PackEntry>,
    phrases: Hashed<Roles>,
    /// Inflectional endings, each with its replacement, in the order of the list.
    endings: Vec<(String, String)>,
    /// Surname endings; and those that count only next to another name, because adjectives share them.
    person_endings: Vec<String>,
    person_endings_beside: Vec<String>,
    /// Lengths at which a run of unknown capitalised words inside a sentence is classified as a person.
    person_words: Vec<usize>,
    /// Hashes of the suffixes after an apostrophe that mark a place.
    location_endings: Hashed<()>,
    turkish: bool,
    /// Apply only the rules of the study, without our extensions?
    pub literal: bool,
}

/// Extends the hash of a phrase by one more word.
pub fn joined(phrase: u64, word: u64) -> u64 {
    hash::mix(phrase ^ 0x9E37_79B9_7F4A_7C15, word | 1)
}

impl Pack {
    pub fn new(language: &str, literal: bool) -> Self {
        Pack { turkish: is_turkish_case(language), literal, ..Pack::default() }
    }

    /// Adds the entries of the list with this name; returns false if there is no such list.
    pub fn add<'a>(&mut self, name: &str, entries: impl Iterator<Item = &'a str>) -> bool {
        match name {
            "endings" => self.endings.extend(entries.filter_map(|entry| {
                let (ending, instead) = entry.split_once(' ')?;
                Some((self::folded(ending, self.turkish), self::folded(instead.trim_matches('-'), self.turkish)))
            })),
            "person_endings" => self.person_endings.extend(entries.map(|entry| folded(entry, self.turkish))),
            "person_words" => self.person_words.extend(entries.filter_map(|entry| entry.parse::<usize>().ok())),
            "person_endings_beside" => {
                self.person_endings_beside.extend(entries.map(|entry| folded(entry, self.turkish)));
            }
            "location_endings" => {
                let hashes = entries.map(|entry| (hash::token(folded(entry, self.turkish).as_bytes()), ()));
                self.location_endings.extend(hashes);
            }
            _ => {
                let Some(&(_, role)) = NAMES.iter().find(|(known, _)| *known == name) else {
                    return false;
                };
                entries.for_each(|entry| self.put(entry, role));
            }
        }
        true
    }

    /// Rule words in lower case in the pack also match lower case in a text: "Челябинская область". Acronyms match only
    /// as spelled in the list: "US" is not "us".
    fn put(&mut self, entry: &str, role: Roles) {
        let small = entry.starts_with(char::is_lowercase);
        let role = match role {
            LOCATION_AFTER if small => LOCATION_AFTER | SMALL_LOCATION_AFTER,
            ORGANIZATION_AFTER if small => ORGANIZATION_AFTER | SMALL_ORGANIZATION_AFTER,
            PEOPLE => PEOPLE | NOT_NAME,
            other => other,
        };
        let mut words = vec![];
        tokenise(entry, self.turkish, |token| words.push(token.base));
        let Some(&first) = words.first() else { return };
        if words.len() == 1 {
            let word = if role & LISTED != 0 && is_acronym(entry) { acronym(first) } else { first };
            self.words.entry(word).or_default().roles |= role;
            return;
        }
        for &word in &words {
            self.words.entry(word).or_default();
        }
        let longest = &mut self.words.entry(first).or_default().longest;
        *longest = (*longest).max(words.len().min(usize::from(u8::MAX)) as u8);
        *self.phrases.entry(words.into_iter().fold(0, joined)).or_insert(0) |= role;
    }

    /// The hash of the entry that a word form resolves to, and the entry; the form and an empty entry if there is none.
    pub fn look(&self, form: u64, text: &str, room: &mut String) -> (u64, PackEntry) {
        let own = self.words.get(&form).copied();
        if self.endings.is_empty() || own.is_some_and(|entry| entry.roles != 0) {
            return (form, own.unwrap_or_default());
        }
        fold(text, self.turkish, room);
        let mut known = None;
        let mut stripped = String::new();
        for (ending, instead) in &self.endings {
            let Some(stem) = room.strip_suffix(ending.as_str()).filter(|stem| stem.chars().nth(1).is_some()) else {
                continue;
            };
            stripped.clear();
            stripped.push_str(stem);
            stripped.push_str(instead);
            let word = hash::token(stripped.as_bytes());
            if let Some(&entry) = self.words.get(&word) {
                // of several stems prefer a place to a person ("России" is not of Mr Росси), and either to no list
                let rank = |entry: PackEntry| {
                    usize::from(entry.roles & LISTED != 0) + usize::from(entry.roles & (LOCATIONS | ORGANIZATIONS) != 0)
                };
                if known.is_none_or(|(_, best): (u64, PackEntry)| rank(entry) > rank(best)) {
                    known = Some((word, entry));
                }
            }
        }
        match (own, known) {
            // the form itself is part of phrases, its stem has roles: "России" of "Почта России"
            (Some(own), Some((_, entry))) => (form, PackEntry { roles: entry.roles, longest: own.longest }),
            (Some(own), None) => (form, own),
            (None, known) => known.unwrap_or((form, PackEntry::default())),
        }
    }

    /// The additional roles of a word when all its letters are capitals.
    pub fn acronym(&self, form: u64) -> Roles {
        self.words.get(&acronym(form)).map_or(0, |entry| entry.roles)
    }

    pub fn phrase(&self, hash: u64) -> Roles {
        self.phrases.get(&hash).copied().unwrap_or(0)
    }

    /// Does a word end in a surname ending? `beside`: it is next to another name.
    pub fn is_surname(&self, text: &str, beside: bool, room: &mut String) -> bool {
        if self.person_endings.is_empty() && self.person_endings_beside.is_empty() {
            return false;
        }
        fold(text, self.turkish, room);
        let more = if beside { self.person_endings_beside.as_slice() } else { &[] };
        let ends = |word: &str| {
            let mut endings = self.person_endings.iter().chain(more);
            endings.any(|ending| word.len() > ending.len() + 2 && word.ends_with(ending.as_str()))
        };
        ends(room)
            || self.endings.iter().any(|(ending, instead)| {
                room.strip_suffix(ending.as_str()).is_some_and(|stem| ends(&format!("{stem}{instead}")))
            })
    }

    /// Is a run of this many unknown capitalised words classified as a person?
    pub fn is_person(&self, words: usize) -> bool {
        self.person_words.contains(&words)
    }

    /// Does a suffix, by its hash, mark a place?
    pub fn is_place(&self, suffix: u64) -> bool {
        self.location_endings.contains_key(&suffix)
    }
}

/// The hash of a word as an acronym.
fn acronym(word: u64) -> u64 {
    hash::numbered(1, word)
}

/// Are all letters capitals, and are there at least two?
pub fn is_acronym(word: &str) -> bool {
    let mut letters = 0;
    word.chars().filter(|c| c.is_alphabetic()).all(|c| {
        letters += 1;
        c.is_uppercase()
    }) && letters > 1
}

fn folded(text: &str, turkish: bool) -> String {
    let mut out = String::new();
    fold(text, turkish, &mut out);
    out
}
