//! Names of persons, places and organisations in news, by rules and lists (TuNER: Uyar 2009, chapter 3).
//!
//! ```text
//! text → words → runs of capital words → rules and lists of each run → what earlier names tell → unclassified
//! ```
//!
//! The engine is one; what it knows of a language is in its pack. Read literally, a pack gives what the study gives;
//! otherwise inflected forms, words beside a name, and the shape of names are looked at too.

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
pub use words::{Gap, Word};
