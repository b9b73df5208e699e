//! How a corpus is read and compared.

use crate::input::record::Fields;

#[derive(Default)]
pub struct Settings {
    pub fields: Fields,
    pub threads: usize,
    /// Maximum bytes of text of one article.
    pub largest: usize,
    /// Keep titles; only where the output uses them.
    pub titles: bool,
    /// Stop at the first problem.
    pub strict: bool,
    /// Maximum number of problems of one fault kept with details; all are counted.
    pub details: u64,
    /// Keep articles with empty text: they are articles, but copies of none. From files they are rejected.
    pub empty: bool,
    /// Compare texts as they are: entities, control characters and page remnants are not repaired.
    pub as_is: bool,
}
