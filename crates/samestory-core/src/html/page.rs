//! Bytes of a page to characters and blocks.

use super::blocks::{Blocks, Options};
use super::refuse::NotAPage;
use super::{decode, head_lines, markup, refuse, walk};

/// The blocks of a page. `charset` is what the server said of it, `tld` the end of its host name ("tr" of example.com.tr),
/// which helps to guess an encoding that nobody named.
pub fn page_blocks(
    raw: &[u8],
    charset: Option<&str>,
    tld: Option<&str>,
    options: &Options,
) -> Result<Blocks, NotAPage> {
    let decoded = page_text(raw, charset, tld)?;
    let (tree, said) = markup::parse(&decoded.text);
    let mut out = walk::blocks(&tree, options);
    out.head = head_lines::complete(said, &out);
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
