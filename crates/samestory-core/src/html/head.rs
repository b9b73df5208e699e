//! The metadata that a page declares, collected while it is parsed: its language, meta tags, links, times, marked items
//! and linked data. The values are not verified here.
//!
//! Everything is bounded, in number and in length, whatever the size of the page.

/// Maximum number of meta tags, links and items, of pieces of linked data, of lines, and of notices.
pub const MAX_ELEMENTS: usize = 256;
pub const MAX_LINKED_DATA: usize = 16;
pub const MAX_LINES: usize = 64;
pub const MAX_NOTICES: usize = 16;
/// Maximum bytes of a value or heading, of a piece of linked data, and of the text of an item or a line.
pub const MAX_VALUE_BYTES: usize = 1024;
pub const MAX_DATA_BYTES: usize = 256 << 10;
pub const MAX_TEXT_BYTES: usize = 256;

/// The elements that `MarkedElement::inside` records as ancestors, in the order of its bits.
pub const SECTIONS: [&str; 6] = ["article", "main", "header", "footer", "nav", "aside"];

/// Words of ids and classes that mark a paywalled text.
pub(super) const PAYWALL_WORDS: [&str; 6] = ["paywall", "paywalled", "piano", "subscriber", "subscribers", "regwall"];

/// A `link` element: a link of the page as a whole, not one to click.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HeadLink {
    pub rel: String,
    pub href: String,
    pub hreflang: String,
}

/// A time, or an element that is marked as author, headline or date.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MarkedElement {
    pub tag: String,
    /// Its property in lower case: `datepublished`, `author`; empty for a time without one.
    pub property: String,
    /// The words of its class, as written.
    pub class: String,
    /// The value of its attribute `datetime`, `content` or `title`.
    pub value: String,
    /// The beginning of its text.
    pub text: String,
    /// A bit for every element of `SECTIONS` that contains it.
    pub inside: u8,
    /// How many first-level headings began before it.
    pub behind: u32,
}

/// A short block that may name the author or the date of the page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Line {
    pub text: String,
    /// Its position among the blocks relative to the heading: -1 is right before it, 0 is the heading itself. None
    /// without a heading.
    pub from_heading: Option<i64>,
    /// The id or class of an enclosing element refers to authors, or to dates.
    pub by_author: bool,
    pub by_date: bool,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Head {
    /// Of the element `html`.
    pub language: String,
    /// Name (or property, or header) in lower case, and content.
    pub meta: Vec<(String, String)>,
    pub links: Vec<HeadLink>,
    pub items: Vec<MarkedElement>,
    /// The content of scripts of the type application/ld+json, unparsed.
    pub linked_data: Vec<String>,
    /// The heading of the first level that resembles the title, or else the first one.
    pub heading: String,
    pub lines: Vec<Line>,
    /// Short blocks that mention subscribers, scripts or robots.
    pub notices: Vec<String>,
    /// The words of `PAYWALL_WORDS` that are ids or classes of elements with text.
    pub telling: Vec<&'static str>,
    /// Tokens of all blocks, and how many of those in links.
    pub tokens: u32,
    pub linked: u32,
}
