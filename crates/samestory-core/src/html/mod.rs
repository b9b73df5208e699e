//! A page as it was served, to blocks of text: bytes, characters, tree, blocks.
//!
//! Nothing is executed and nothing is fetched. Every step takes time and memory in proportion to the page, whatever the
//! page holds, and no step calls itself.

pub mod blocks;
pub mod charset;
pub mod content;
pub mod decode;
mod markup;
mod names;
mod refuse;
mod rules;
pub mod tree;
mod walk;

pub use blocks::{Block, Blocks, Border, Element, Flags, Options, CEDAR, INLINE, INSIDE};
pub use content::{Extraction, Extractor, Method};
pub use refuse::{NotAPage, LARGEST};

/// The blocks of a page. `charset` is what the server said of it, `tld` the end of its host name ("tr" of example.com.tr),
/// which helps to guess an encoding that nobody named.
pub fn page_blocks(
    raw: &[u8],
    charset: Option<&str>,
    tld: Option<&str>,
    options: &Options,
) -> Result<Blocks, NotAPage> {
    let decoded = page_text(raw, charset, tld)?;
    let tree = markup::parse(&decoded.text);
    let mut out = walk::blocks(&tree, options);
    out.encoding = decoded.encoding.name();
    out.flags.guessed = decoded.guessed;
    out.flags.malformed = decoded.malformed;
    Ok(out)
}

/// The characters of a page, decoded as browsers do it.
pub fn page_text(raw: &[u8], charset: Option<&str>, tld: Option<&str>) -> Result<decode::Decoded, NotAPage> {
    refuse::by_bytes(raw)?;
    let decoded = decode::decode(raw, charset, tld);
    refuse::by_text(&decoded.text)?;
    Ok(decoded)
}

#[cfg(test)]
mod tests;
