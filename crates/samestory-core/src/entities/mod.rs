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

mod extract;
pub mod pack;
mod partial;
mod segments;
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
}

impl std::fmt::Debug for Recogniser {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_set().entries(self.packs.keys()).finish()
    }
}

impl Recogniser {
    pub fn new(packs: impl IntoIterator<Item = (String, Pack)>) -> Self {
        Recogniser { packs: packs.into_iter().map(|(language, pack)| (language, Arc::new(pack))).collect() }
    }

    /// The words of an article, and its names; none in languages without a pack.
    pub fn recognise(&self, article: &Article) -> Recognised {
        match self.packs.get(article.language) {
            Some(pack) => extract::recognise(pack, article),
            None => Recognised { words: words::Words::of(&Pack::default(), article).all, entities: vec![] },
        }
    }
}
