//! Blocks: text that a browser shows without a break of the line. [gibson2007]
//!
//! Every tag ends a block except the inline tags of HTML 4; comments are not tags. Taken literally: an image ends a
//! block, and so does every tag unknown to the study; for HTML 5, add inline tags with `BlockOptions::inline_extra`.
//! The content of script and style is never text. Everything else is, including what a browser with scripts would not
//! show: noscript, template, textarea, option, iframe, the title; `BlockOptions::mute` excludes them.
//!
//! The spans of the gold annotation (`CedarContent` etc.) only affect token counts: a page has the same blocks, tags
//! and ancestors with and without them.

use std::ops::Range;

use super::head::Head;

/// The tags that do not end a block: those of HTML 4 for phrases, fonts and spans of text.
pub const INLINE: [&str; 28] = [
    "a", "ins", "del", "span", "bdo", "em", "strong", "dfn", "code", "samp", "kbd", "var", "cite", "abbr", "acronym",
    "q", "sub", "sup", "tt", "i", "b", "big", "small", "u", "s", "strike", "basefont", "font",
];

/// The elements that `Block::inside` records as ancestors, in the order of its bits. The last is not a tag: any element
/// that is hidden by its style or by the attribute `hidden`.
pub const INSIDE: [&str; 18] = [
    "header", "footer", "nav", "aside", "article", "main", "figure", "li", "h1", "h2", "h3", "h4", "h5", "h6", "table",
    "form", "button", "hidden",
];
pub(super) const HIDDEN: u32 = 1 << 17;

/// Elements that form a paragraph, unless a nested one does.
pub(super) const PARAGRAPHS: [&str; 38] = [
    "address", "article", "aside", "blockquote", "body", "caption", "center", "dd", "details", "dialog", "div", "dt",
    "fieldset", "figcaption", "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "head", "header", "html",
    "legend", "li", "main", "nav", "p", "pre", "section", "summary", "td", "template", "th", "title",
];

/// Elements without content and without an end tag.
pub(super) const VOID: [&str; 19] = [
    "area", "base", "basefont", "bgsound", "br", "col", "embed", "frame", "hr", "image", "img", "input", "keygen",
    "link", "meta", "param", "source", "track", "wbr",
];

/// The classes of the gold annotation; the order is that of `Block::cedar`.
pub const CEDAR: [&str; 6] = ["CedarContent", "CedarLocation", "CedarAuthor", "CedarDate", "CedarSource", "CedarTitle"];

/// Elements whose content is never text, whatever the options.
pub(super) const MUTE: [&str; 2] = ["script", "style"];

/// How blocks are made of a tree.
#[derive(Clone, Debug, Default)]
pub struct BlockOptions {
    /// Tags that do not end a block either.
    pub inline_extra: Vec<String>,
    /// Elements whose text is skipped, in addition to script and style.
    pub mute: Vec<String>,
}

/// A tag at the end of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Border {
    /// An index into `Blocks::names`.
    pub tag: u32,
    /// Whether it is an end tag.
    pub closes: bool,
}

#[derive(Clone, Debug)]
pub struct Block {
    /// The byte range in `Blocks::text`. Runs of white space are collapsed to one space, as in a browser.
    pub text: Range<u32>,
    pub tokens: u32,
    /// Tokens inside a link.
    pub linked: u32,
    /// Tokens inside each class of the gold annotation.
    pub cedar: [u32; CEDAR.len()],
    /// The inline tags that begin in it or contain some of its text: an index into `Blocks::sets`.
    pub inline: u32,
    pub before: Border,
    pub after: Border,
    /// The innermost element that contains all of its text: an index into `Blocks::elements`.
    pub element: u32,
    /// The paragraph number, shared by blocks that are separated only by line breaks and the like.
    pub paragraph: u32,
    /// A bit for every element of `INSIDE` that contains it.
    pub inside: u32,
}

/// An element that contains text.
#[derive(Clone, Debug)]
pub struct Element {
    /// An index into `Blocks::elements`, smaller than its own; `NONE` for the outermost.
    pub parent: u32,
    /// An index into `Blocks::names`.
    pub tag: u32,
    /// The range of the words of its id and class in `Blocks::words`.
    pub words: Range<u32>,
}

/// What is unusual about a page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Flags {
    /// A frameset: the text is its fallback for browsers without frames.
    pub frames: bool,
    /// Nested deeper than `DEPTH`, or with so many unclosed elements that some were closed.
    pub deep: bool,
    /// The encoding is a guess.
    pub guessed: bool,
    /// Some bytes are invalid in the encoding.
    pub malformed: bool,
}

#[derive(Debug, Default)]
pub struct Blocks {
    pub encoding: &'static str,
    pub title: String,
    pub flags: Flags,
    /// The metadata that the page declares.
    pub head: Head,
    pub blocks: Vec<Block>,
    pub text: String,
    pub elements: Vec<Element>,
    /// Indices into `names`, concatenated over all elements.
    pub words: Vec<u32>,
    /// Distinct sets of inline tags: indices into `names`, ascending.
    pub sets: Vec<Vec<u32>>,
    /// All distinct tags and words.
    pub names: Vec<String>,
}

impl Blocks {
    pub fn text_of(&self, block: &Block) -> &str {
        &self.text[block.text.start as usize..block.text.end as usize]
    }

    /// The elements that contain a block, from the innermost out.
    pub fn ancestors<'a>(&'a self, block: &Block) -> impl Iterator<Item = &'a Element> + 'a {
        let at = |number: u32| self.elements.get(number as usize);
        std::iter::successors(at(block.element), move |element| at(element.parent))
    }
}
