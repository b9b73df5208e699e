//! Names of persons, places and organisations in news, by rules and lists (TuNER: Uyar 2009, chapter 3).
//!
//! ```text
//! text → words → runs of capital words → rules and lists of each run → what earlier names tell → unclassified
//! ```
//!
//! The engine is one; what it knows of a language is in its pack. Read literally, a pack gives what the study gives;
//! otherwise inflected forms, words beside a name, and the shape of names are looked at too.

use std::collections::HashMap;
use std::sync::Arc;

use crate::detectors::Article;
use crate::hash::{self, Hashed};

mod beside;
mod extract;
pub mod pack;
mod partial;
mod rules;
mod segments;
mod titles;
mod words;

pub use pack::Pack;
pub use words::{Gap, Word};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Class {
    Person,
    Location,
    Organization,
    Unclassified,
}

impl Class {
    pub const ALL: [Class; 4] = [Class::Person, Class::Location, Class::Organization, Class::Unclassified];

    pub fn name(self) -> &'static str {
        match self {
            Class::Person => "person",
            Class::Location => "location",
            Class::Organization => "organization",
            Class::Unclassified => "unclassified",
        }
    }

    /// The list of its names.
    fn list(self) -> &'static str {
        match self {
            Class::Person => "person list",
            Class::Location => "location list",
            Class::Organization => "organization list",
            Class::Unclassified => "no list",
        }
    }
}

/// A name in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entity {
    pub class: Class,
    /// Its words, by number.
    pub words: std::ops::Range<usize>,
    /// The rule or list that told it.
    pub because: &'static str,
    /// The words that the rule went by, by number; none for lists.
    pub cue: std::ops::Range<usize>,
}

/// The words of a text and the names among them, in order.
#[derive(Debug, Default)]
pub struct Recognised {
    pub words: Vec<Word>,
    pub entities: Vec<Entity>,
}

/// The packs of all languages.
#[derive(Clone, Default)]
pub struct Recogniser {
    packs: HashMap<String, Arc<Pack>>,
    /// Names that somebody else has told, by the hash of the text: where they begin and end, in bytes.
    given: Hashed<Vec<(usize, usize, Class)>>,
}

impl std::fmt::Debug for Recogniser {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_set().entries(self.packs.keys()).finish()
    }
}

impl Recogniser {
    pub fn new(packs: impl IntoIterator<Item = (String, Pack)>) -> Self {
        let packs = packs.into_iter().map(|(language, pack)| (language, Arc::new(pack))).collect();
        Recogniser { packs, given: Hashed::default() }
    }

    /// One that knows nothing but what is given for certain texts.
    pub fn given<'a>(names: impl IntoIterator<Item = (&'a str, Vec<(usize, usize, Class)>)>) -> Self {
        let given = names.into_iter().map(|(text, names)| (hash::token(text.as_bytes()), names)).collect();
        Recogniser { packs: HashMap::new(), given }
    }

    /// Is there a pack for a language?
    pub fn knows(&self, language: &str) -> bool {
        self.packs.contains_key(language)
    }

    /// The words of an article, and its names; none in languages without a pack.
    pub fn recognise(&self, article: &Article) -> Recognised {
        let language = match article.language {
            known if self.packs.contains_key(known) || article.tokens.len() > SHORT => known,
            _ => likely(article.text),
        };
        if let Some(pack) = self.packs.get(language) {
            return extract::recognise(pack, article);
        }
        let words = words::Words::of(&Pack::default(), article).all;
        let entities = match self.given.is_empty() {
            true => vec![],
            false => {
                self.given.get(&hash::token(article.text.as_bytes())).map_or(vec![], |names| placed(&words, names))
            }
        };
        Recognised { words, entities }
    }
}

/// A text of so many words is too short to tell its language by: whoever guessed may have guessed anything.
const SHORT: usize = 8;

/// The language with a pack that such a text is likely in, by its letters.
fn likely(text: &str) -> &'static str {
    match text.chars().find(|c| c.is_alphabetic()) {
        Some('\u{400}'..='\u{4ff}') => "ru",
        Some('A'..='Z' | 'a'..='z') => "en",
        _ => "",
    }
}

/// The words that names cover which are given by their places in the text.
fn placed(words: &[Word], names: &[(usize, usize, Class)]) -> Vec<Entity> {
    let place = |&(start, end, class): &(usize, usize, Class)| {
        let first = words.partition_point(|word| word.end <= start);
        let last = words.partition_point(|word| word.start < end);
        (first < last).then_some(Entity { class, words: first..last, because: "given", cue: 0..0 })
    };
    let mut out: Vec<Entity> = names.iter().filter_map(place).collect();
    out.sort_by_key(|entity| (entity.words.start, std::cmp::Reverse(entity.words.end)));
    out
}
