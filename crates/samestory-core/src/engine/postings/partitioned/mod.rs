//! Keys and posting lists exchanged between machines, in compact buffers: one task writes them, others read them.
//!
//! An article is a 64-bit number that orders like the input. Keys are sent as 48 bits of their hash: articles that
//! share a key are always brought together, and by a rare collision some that do not; the comparison counts again.

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
