//! Posting lists: keys to the articles that have them, in four layouts with one interface; the fourth, in files, is that
//! of `engine/segments`.

pub mod batch;
pub(crate) mod fair;
pub mod hubs;
pub(crate) mod live;
pub(crate) mod overlap_counter;
pub mod partitioned;
pub(crate) mod prefix;

/// Posting lists in one layout. `OverlapCounter` finds the candidates of a query from them.
pub trait Postings {
    /// An article whose candidates are wanted; 'a is the lifetime of the lists.
    type Query<'q, 'a>
    where
        Self: 'a;
    /// That lists cannot be read; Infallible for those in memory.
    type Error;

    /// Fills `lists` with the posting lists of the keys of a query; returns how many exceed the ceiling, so that a sample
    /// of them was used, or none. In some layouts such lists are not stored and counted elsewhere.
    fn lists<'a>(&'a self, query: Self::Query<'_, 'a>, lists: &mut Vec<&'a [u32]>) -> Result<usize, Self::Error>;
}
