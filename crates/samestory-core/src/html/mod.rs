//! A page as it was served, to blocks of text: bytes, characters, tree, blocks.
//!
//! Nothing is executed and nothing is fetched. Every step is linear in the size of the page, in time and memory, for
//! any input, and no step is recursive.

pub mod blocks;
pub mod charset;
pub mod content;
pub mod decode;
pub mod head;
mod head_lines;
mod head_reader;
mod markup;
mod names;
pub mod page;
mod refuse;
mod rules;
pub mod tree;
mod walk;

pub use blocks::{Block, BlockOptions, Blocks, Border, Element, Flags, CEDAR, INLINE, INSIDE};
pub use content::{Extraction, ExtractionMethod, Extractor};
pub use head::Head;
pub use page::{page_blocks, page_text};
pub use refuse::{NotAPage, LARGEST};

#[cfg(test)]
mod tests;
