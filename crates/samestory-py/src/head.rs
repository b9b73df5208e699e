//! The metadata of a page, as Python values.

use samestory_core::html::head::{HeadLink, Line, MarkedElement, SECTIONS};
use samestory_core::html::Head;

type Links = Vec<(String, String, String)>;
type Items = Vec<(String, String, String, String, String, Vec<&'static str>, u32)>;
type Lines = Vec<(String, Option<i64>, bool, bool)>;
/// Language, meta tags, links, items, linked data, heading, lines, notices, telling words, tokens, tokens in links.
pub type Row =
    (String, Vec<(String, String)>, Links, Items, Vec<String>, String, Lines, Vec<String>, Vec<&'static str>, u32, u32);

pub fn row(head: Head) -> Row {
    let link = |HeadLink { rel, href, hreflang }| (rel, href, hreflang);
    let item = |MarkedElement { tag, property, class, value, text, inside, behind }| {
        let sections = SECTIONS.into_iter().enumerate().filter(|(bit, _)| inside >> bit & 1 == 1);
        (tag, property, class, value, text, sections.map(|(_, name)| name).collect(), behind)
    };
    let line = |Line { text, from_heading, by_author, by_date }| (text, from_heading, by_author, by_date);
    (
        head.language,
        head.meta,
        head.links.into_iter().map(link).collect(),
        head.items.into_iter().map(item).collect(),
        head.linked_data,
        head.heading,
        head.lines.into_iter().map(line).collect(),
        head.notices,
        head.telling,
        head.tokens,
        head.linked,
    )
}
