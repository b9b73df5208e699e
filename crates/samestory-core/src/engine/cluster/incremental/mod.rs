//! Groups of a stream: articles come one after the other, and groups keep their numbers.
//!
//! The rule is that of `majority`, asked whenever an article comes. Copies count as many and are compared once.
//!
//! No related pair is remembered. Where no two groups have a majority between them, one more article makes such a majority
//! only with groups in which it has one itself: the pairs of those alone are looked for again.

mod clusters;
mod decided;
mod decisions;
mod kept;
mod split;
mod stream;

pub use decisions::Conflict;
pub use kept::StoredArticle;
pub use stream::{Change, Incoming, Stream, What};
