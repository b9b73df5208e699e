//! Files to blocks of records. A source returns blocks in order, one at a time; many threads may share it.

mod flat;
mod folder;
mod json;
mod lines;
mod open;
mod rows;
mod source;
mod stored;
mod table;
mod value;

pub use json::parse;
pub use open::{block, encoding, open, open_stored, record, rows};
pub use source::{name, plain, Format, InputBlock, ReadOptions, ReadRecord, Source, LARGEST};
pub use stored::{StoredRow, StoredRows};
