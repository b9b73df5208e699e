//! One job on many machines: what a task computes from its articles and from the buffers that others have sent it.
//!
//! An input partition has the articles that one task has read; a part has the keys, ids or components of one range of
//! hashes. The number of an article orders like the input, and the directory finds its partition. The engine's own code
//! compares, relates and groups: here are the rules by which the work is distributed and put together again.
//!
//! ```text
//! articles ──duplicates──▶ directory            equal ids and signatures, keys that may be shared
//!          ──postings::partitioned──▶ lists     posting lists of the shared keys
//!          ──crowded──▶ lists                   what is read of long ones: their hubs
//!          ──pairs──▶ requests, signatures      every pair at one partition, with its articles
//!          ──compared──▶ relations              a corpus with compared pairs
//!          ──components──▶ groups               one connected component at one part
//!          ──nearest, assembly──▶ group rows    certificates, and groups of one
//! ```

pub mod articles;
pub mod assembly;
pub mod compared;
pub mod components;
pub mod crowded;
pub mod directory;
pub mod duplicates;
pub mod nearest;
pub mod options;
pub mod pairs;
