//! Keys and posting lists exchanged between machines, in compact buffers: one task writes them, others read them.
//!
//! An article is a 64-bit number that orders like the input. Keys are sent as 48 bits of their hash: articles that
//! share a key are always brought together, and by a rare collision some that do not; the comparison counts again.

mod buffer;
mod keys;
mod lists;
mod long_lists;
mod shared;
mod shared_filter;
mod stars;
mod words;

pub use buffer::{mixed, part_of, part_of_key, CorruptBuffer};
pub(crate) use buffer::{put, put_ascending, put_bytes, put_column, BufferReader};
pub use keys::pack;
pub use lists::{build_lists, count_overlaps, CountedPair, PartLists, Ranges, LARGEST_QUORUM};
pub use long_lists::{put_crowded, select_hubs, CrowdedArticle};
pub use shared::{is_among, shared};
pub use shared_filter::{bits_for, read_responses, request, respond};
pub use stars::stars;
pub use words::{pack_words, unpack_words};
