//! Blocks: text that a browser shows without a break of the line. [gibson2007]
//!
//! Every tag ends a block but the inline tags of HTML 4; comments are no tags. Read literally: an image ends a block, and
//! so does every tag the study did not know; whoever wants HTML 5 names more inline tags (`Options::inline_extra`).
//! What script and style hold is never text. Everything else is, also what a browser with scripts would not show:
//! noscript, template, textarea, option, iframe, the title; whoever wants to be without names them (`Options::mute`).
//!
//! The spans of the gold annotation (`CedarContent` and its like) count tokens and leave no other trace: a page has the
//! same blocks, tags and ancestors with and without them.

use std::ops::Range;

use super::head::Head;

/// The tags that do not end a block: those of HTML 4 for phrases, fonts and stretches of text.
pub const INLINE: [&str; 28] = [
    "a", "ins", "del", "span", "bdo", "em", "strong", "dfn", "code", "samp", "kbd", "var", "cite", "abbr", "acronym",
    "q", "sub", "sup", "tt", "i", "b", "big", "small", "u", "s", "strike", "basefont", "font",
];

/// The elements of which a block knows whether it lies in one; the order is that of the bits in `Block::inside`. The last
/// is no tag: an element that says of itself that it is not shown, by its style or the attribute `hidden`.
pub const INSIDE: [&str; 18] = [
    "header", "footer", "nav", "aside", "article", "main", "figure", "li", "h1", "h2", "h3", "h4", "h5", "h6", "table",
    "form", "button", "hidden",
];
pub(super) const HIDDEN: u32 = 1 << 17;

/// Elements that stand for a paragraph, where nothing inside them does.
pub(super) const PARAGRAPHS: [&str; 38] = [
    "address",
    "article",
    "aside",
    "blockquote",
    "body",
    "caption",
    "center",
    "dd",
    "details",
    "dialog",
    "div",
    "dt",
    "fieldset",
    "figcaption",
    "figure",
    "footer",
    "form",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "head",
    "header",
    "html",
    "legend",
    "li",
    "main",
    "nav",
    "p",
    "pre",
    "section",
    "summary",
    "td",
    "template",
    "th",
    "title",
];

/// Elements that hold nothing and have no end tag.
pub(super) const VOID: [&str; 19] = [
    "area", "base", "basefont", "bgsound", "br", "col", "embed", "frame", "hr", "image", "img", "input", "keygen",
    "link", "meta", "param", "source", "track", "wbr",
];

/// The classes of the gold annotation; the order is that of `Block::cedar`.
pub const CEDAR: [&str; 6] = ["CedarContent", "CedarLocation", "CedarAuthor", "CedarDate", "CedarSource", "CedarTitle"];

/// What is never text, whatever the options say.
pub(super) const MUTE: [&str; 2] = ["script", "style"];

/// How blocks are made of a tree.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Tags that do not end a block either.
    pub inline_extra: Vec<String>,
    /// Elements that give no text, beside script and style.
    pub mute: Vec<String>,
}

/// A tag at the end of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Border {
    /// A number in `Blocks::names`.
    pub tag: u32,
    /// Whether it is an end tag.
    pub closes: bool,
}

#[derive(Clone, Debug)]
pub struct Block {
    /// Where in `Blocks::text`. Runs of white space are one space, as they are shown.
    pub text: Range<u32>,
    pub tokens: u32,
    /// Tokens inside a link.
    pub linked: u32,
    /// Tokens inside each class of the gold annotation.
    pub cedar: [u32; CEDAR.len()],
    /// The inline tags that begin in it or hold some of its text: a number in `Blocks::sets`.
    pub inline: u32,
    pub before: Border,
    pub after: Border,
    /// The innermost element that holds all of its text: a number in `Blocks::elements`.
    pub element: u32,
    /// Blocks of one paragraph have one number: parted only by line breaks and the like.
    pub paragraph: u32,
    /// A bit for every element of `INSIDE` that it lies in.
    pub inside: u32,
}

/// An element that holds text.
#[derive(Clone, Debug)]
pub struct Element {
    /// A number in `Blocks::elements`, smaller than its own; `NONE` for the outermost.
    pub parent: u32,
    /// A number in `Blocks::names`.
    pub tag: u32,
    /// Where in `Blocks::words` the words of its id and class are.
    pub words: Range<u32>,
}

/// What is unusual about a page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Flags {
    /// A set of frames: the text is what it has for browsers without.
    pub frames: bool,
    /// Nested deeper than is followed, or with so much left open that not all of it is.
    pub deep: bool,
    /// The encoding is a guess.
    pub guessed: bool,
    /// Some bytes are none of the encoding.
    pub malformed: bool,
}

#[derive(Debug, Default)]
pub struct Blocks {
    pub encoding: &'static str,
    pub title: String,
    pub flags: Flags,
    /// What the page says of itself.
    pub head: Head,
    pub blocks: Vec<Block>,
    pub text: String,
    pub elements: Vec<Element>,
    /// Numbers in `names`, all elements in turn.
    pub words: Vec<u32>,
    /// Sets of inline tags, each once: numbers in `names`, in the order of the names.
    pub sets: Vec<Vec<u32>>,
    /// All tags and words, each once.
    pub names: Vec<String>,
}

impl Blocks {
    pub fn text_of(&self, block: &Block) -> &str {
        &self.text[block.text.start as usize..block.text.end as usize]
    }

    /// The elements a block lies in, from the innermost out.
    pub fn ancestors<'a>(&'a self, block: &Block) -> impl Iterator<Item = &'a Element> + 'a {
        let at = |number: u32| self.elements.get(number as usize);
        std::iter::successors(at(block.element), move |element| at(element.parent))
    }
}
