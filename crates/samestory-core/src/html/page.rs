//! Bytes of a page to characters and blocks.

use super::blocks::{BlockOptions, Blocks};
use super::refuse::NotAPage;
use super::{decode, head_lines, markup, refuse, walk};

/// The blocks of a page. `charset` is from the HTTP headers; `tld` is the top-level domain of its host ("tr" of
/// example.com.tr), a hint for guessing an undeclared encoding.
pub fn page_blocks(
    raw: &[u8],
    charset: Option<&str>,
    tld: Option<&str>,
    options: &BlockOptions,
) -> Result<Blocks, NotAPage> {
    let decoded = page_text(raw, charset, tld)?;
    let (tree, head) = markup::parse(&decoded.text);
    let mut out = walk::blocks(&tree, options);
    out.head = head_lines::complete(head, &out);
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
