//! How a population is read and compared.

use crate::input::record::Fields;

pub struct Settings {
    pub fields: Fields,
    pub threads: usize,
    /// The most bytes of text one article may have.
    pub largest: usize,
    /// Titles are kept only where somebody will look at them.
    pub titles: bool,
    /// Stop at the first problem.
    pub strict: bool,
    /// The most problems of one fault that are kept with their details; all are counted.
    pub details: u64,
    /// Keep articles whose text is empty: nobody's copies, but articles. From files they are refused.
    pub empty: bool,
    /// Compare texts as they are: entities, control characters and remains of pages are not repaired.
    pub as_is: bool,
}
