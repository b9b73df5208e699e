//! What a page says of itself, gathered while it is parsed: its language, meta tags, links, times, marked items and
//! linked data. What of it is true is for others to judge.
//!
//! Everything is bounded, in number and in length, so that a page can say as much as it likes.

/// How many meta tags, links and items are kept, how many pieces of linked data, and how many lines.
pub const MOST: usize = 256;
pub const MOST_DATA: usize = 16;
pub const MOST_LINES: usize = 64;
pub const MOST_NOTICES: usize = 16;
/// How many bytes of a value, of a piece of linked data, of the text of an item or a line, of all headings.
pub const VALUE: usize = 1024;
pub const DATA: usize = 256 << 10;
pub const TEXT: usize = 256;

/// The elements of which an item knows whether it lies in one; the order is that of the bits in `Item::inside`.
pub const SECTIONS: [&str; 6] = ["article", "main", "header", "footer", "nav", "aside"];

/// Words of ids and classes that tell of a text that is not for everybody.
pub(super) const TELLING: [&str; 6] = ["paywall", "paywalled", "piano", "subscriber", "subscribers", "regwall"];

/// A link of the page as a whole, not one to be clicked at.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Link {
    pub rel: String,
    pub href: String,
    pub hreflang: String,
}

/// A time, or something that is marked as author, headline or date.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Item {
    pub tag: String,
    /// What it is marked as, small: `datepublished`, `author`; empty for a time that is nothing else.
    pub property: String,
    /// The words of its class, as written.
    pub class: String,
    /// What its attributes say: `datetime`, `content` or `title`.
    pub value: String,
    /// The beginning of its text.
    pub text: String,
    /// A bit for every element of `SECTIONS` it lies in.
    pub inside: u8,
    /// How many first-level headings began before it.
    pub behind: u32,
}

/// A short block that may say who wrote the page, or when.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Line {
    pub text: String,
    /// Its place among the blocks, counted from the heading: -1 stands right before it, 0 is the heading itself. None without a heading.
    pub from_heading: Option<i64>,
    /// An element around it is called after authors, or after dates.
    pub by_author: bool,
    pub by_date: bool,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Head {
    /// Of the element `html`.
    pub language: String,
    /// Name (or property, or header), small, and content.
    pub meta: Vec<(String, String)>,
    pub links: Vec<Link>,
    pub items: Vec<Item>,
    /// What scripts of the type application/ld+json hold, unread.
    pub linked_data: Vec<String>,
    /// The heading of the first level that resembles the title, or else the first one.
    pub heading: String,
    pub lines: Vec<Line>,
    /// Short blocks that speak of subscribers, of scripts or of robots.
    pub notices: Vec<String>,
    /// Which words of `TELLING` are ids or classes of elements that hold text.
    pub telling: Vec<&'static str>,
    /// Tokens of all blocks, and how many of those in links.
    pub tokens: u32,
    pub linked: u32,
}
