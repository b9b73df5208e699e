//! Names found in a text.

use super::words::EntityWord;

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

    /// The name of the list that holds names of this class.
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
    /// The range of its words.
    pub words: std::ops::Range<usize>,
    /// The rule or list that matched.
    pub because: &'static str,
    /// The range of the words that triggered the rule; empty for lists.
    pub cue: std::ops::Range<usize>,
}

/// The words of a text and the names among them, in order.
#[derive(Debug, Default)]
pub struct Recognised {
    pub words: Vec<EntityWord>,
    pub entities: Vec<Entity>,
}
