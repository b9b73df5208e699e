//! Names of persons, places and organisations in news, by rules and lists (TuNER: Uyar 2009, chapter 3).
//!
//! ```text
//! text → words → runs of capitalised words → rules and lists per run → longer names of the text → unclassified
//! ```
//!
//! One engine serves all languages; language data is in packs. A literal pack reproduces the study; otherwise inflected
//! forms, words next to a name and the form of names are used too.

mod beside;
mod entity;
mod extract;
pub mod pack;
mod partial;
mod recogniser;
mod rules;
mod segments;
mod titles;
mod words;

pub use entity::{Class, Entity, Recognised};
pub use pack::Pack;
pub use recogniser::Recogniser;
pub use words::{EntityWord, Gap};
