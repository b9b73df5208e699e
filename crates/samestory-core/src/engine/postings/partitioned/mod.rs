//! Keys and lists of articles on their way between machines, packed small: what one task writes, others read.
//!
//! An article is a 64-bit number that orders like the input. Keys travel as 48 bits of their hash, which is enough to
//! bring together all who share a key, and now and then two who do not; whoever compares them counts again.

mod asking;
mod buffer;
mod keys;
mod lists;
mod shared;
mod stars;
mod words;

pub use asking::{answer, ask, bits_for, heard};
pub use buffer::{mixed, part_of, CorruptBuffer};
pub use keys::pack;
pub use lists::{count_overlaps, gather, Ranges, LARGEST_QUORUM};
pub use shared::shared;
pub use stars::stars;
pub use words::{pack_words, unpack_words};
