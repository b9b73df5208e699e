//! Incremental groups of a stream: articles arrive one by one, and groups keep their numbers.
//!
//! The rule is that of `majority`, applied to each new article. Copies count individually and are compared once.
//!
//! Related pairs are not stored. Where no two groups have a majority between them, one more article makes such a
//! majority only with groups in which it has one itself: only the pairs of those are searched again.

mod clusters;
mod decided;
mod decisions;
mod kept;
mod split;
mod stream;

pub use decisions::Conflict;
pub use kept::StoredArticle;
pub use stream::{Change, ChangeKind, Incoming, RelatedArticle, Stream};
