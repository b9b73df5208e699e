//! Names found in a text.

use super::words::Word;

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
    pub(super) fn list(self) -> &'static str {
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
