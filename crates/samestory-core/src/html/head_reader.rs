//! Collects the metadata of a page from its start tags. It works on the token stream, not on the tree, so misplaced
//! meta tags are read too.

use super::head::{
    Head, HeadLink, MarkedElement, MAX_DATA_BYTES, MAX_ELEMENTS, MAX_LINKED_DATA, MAX_TEXT_BYTES, MAX_VALUE_BYTES,
    SECTIONS,
};
use crate::html::blocks::VOID;

/// Attributes that are read in addition to those that every element may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(usize)]
pub(in crate::html) enum HeadAttribute {
    Language,
    Name,
    Property,
    Header,
    Content,
    Relation,
    Address,
    AddressLanguage,
    Time,
    Mark,
    Title,
}

const FIELD_COUNT: usize = HeadAttribute::Title as usize + 1;

/// Values of `itemprop` that are kept, in lower case.
const MARKS: [&str; 6] = ["author", "creator", "datecreated", "datemodified", "datepublished", "headline"];

#[derive(Default)]
pub(in crate::html) struct Gatherer {
    head: Head,
    values: [Vec<u8>; FIELD_COUNT],
    /// A bit for every value that the current tag has.
    present: u16,
    /// How many of each of `SECTIONS` are open.
    open: [u32; SECTIONS.len()],
    headings: u32,
    /// Where the current text is stored.
    reading: Reading,
    text: Vec<u8>,
}

#[derive(Default)]
enum Reading {
    #[default]
    Nothing,
    /// The text of the last item, until this many end tags of this name.
    MarkedElement(Vec<u8>, u32),
    LinkedData,
}

impl Gatherer {
    /// The field for an attribute of a tag, if it is read and has no value yet.
    pub fn wants(&self, tag: &[u8], attribute: &[u8]) -> Option<HeadAttribute> {
        let field = match (attribute, tag) {
            (b"content", _) => HeadAttribute::Content,
            (b"datetime", _) => HeadAttribute::Time,
            (b"itemprop", _) => HeadAttribute::Mark,
            (b"rel", b"a" | b"link") => HeadAttribute::Relation,
            (b"href", b"link") => HeadAttribute::Address,
            (b"hreflang", b"link") => HeadAttribute::AddressLanguage,
            (b"name", b"meta") => HeadAttribute::Name,
            (b"property", b"meta") => HeadAttribute::Property,
            (b"http-equiv", b"meta") => HeadAttribute::Header,
            (b"title", b"abbr") => HeadAttribute::Title,
            (b"lang", b"html") => HeadAttribute::Language,
            _ => return None,
        };
        (self.present >> field as usize & 1 == 0).then_some(field)
    }

    /// Begins a value, clearing that of the previous tag.
    pub fn begin(&mut self, field: HeadAttribute) {
        self.present |= 1 << field as usize;
        self.values[field as usize].clear();
    }

    pub fn push(&mut self, field: HeadAttribute, value: &[u8]) {
        keep(&mut self.values[field as usize], value, MAX_VALUE_BYTES);
    }

    fn value(&self, field: HeadAttribute) -> String {
        match self.present >> field as usize & 1 {
            0 => String::new(),
            _ => to_text(&self.values[field as usize]),
        }
    }

    /// Must be called before every tag.
    pub fn next_tag(&mut self) {
        self.present = 0;
    }

    /// Handles a start tag; `data` if it begins a script with linked data.
    pub fn start(&mut self, tag: &[u8], class: &str, data: bool) {
        if let Some(section) = section(tag) {
            self.open[section] = self.open[section].saturating_add(1);
        }
        match tag {
            b"h1" => self.headings = self.headings.saturating_add(1),
            b"html" if self.head.language.is_empty() => self.head.language = self.value(HeadAttribute::Language),
            b"meta" => self.meta(),
            b"link" => self.link(),
            _ => {}
        }
        if let Reading::MarkedElement(name, depth) = &mut self.reading {
            *depth += u32::from(name == tag);
        }
        if data {
            self.close();
            self.reading = Reading::LinkedData;
        } else if self.present != 0 || tag == b"time" {
            self.item(tag, class);
        }
    }

    pub fn end(&mut self, tag: &[u8]) {
        if let Some(section) = section(tag) {
            self.open[section] = self.open[section].saturating_sub(1);
        }
        match &mut self.reading {
            Reading::Nothing => {}
            Reading::MarkedElement(name, depth) if name != tag || *depth > 1 => *depth -= u32::from(name == tag),
            Reading::MarkedElement(..) | Reading::LinkedData => self.close(),
        }
    }

    /// Handles visible text, or the content of a script or style (`silent`).
    #[inline]
    pub fn text(&mut self, text: &[u8], silent: bool) {
        match (&self.reading, silent) {
            (Reading::MarkedElement(..), false) => keep(&mut self.text, text, MAX_TEXT_BYTES),
            (Reading::LinkedData, true) => keep(&mut self.text, text, MAX_DATA_BYTES),
            _ => {}
        }
    }

    /// Stores the text read so far and ends the current item or linked data.
    fn close(&mut self) {
        match std::mem::take(&mut self.reading) {
            Reading::MarkedElement(..) => {
                if let Some(item) = self.head.items.last_mut() {
                    item.text = to_text(&self.text).split_whitespace().collect::<Vec<_>>().join(" ");
                }
            }
            Reading::LinkedData if self.head.linked_data.len() < MAX_LINKED_DATA => {
                self.head.linked_data.push(to_text(&self.text));
            }
            _ => {}
        }
        self.text.clear();
    }

    pub fn finish(mut self) -> Head {
        self.close();
        self.head
    }

    fn meta(&mut self) {
        let content = self.value(HeadAttribute::Content);
        for field in [HeadAttribute::Name, HeadAttribute::Property, HeadAttribute::Header] {
            let name = self.value(field).trim().to_ascii_lowercase();
            if !name.is_empty() && !content.trim().is_empty() && self.head.meta.len() < MAX_ELEMENTS {
                self.head.meta.push((name, content.clone()));
            }
        }
    }

    fn link(&mut self) {
        let rel = self.value(HeadAttribute::Relation).trim().to_ascii_lowercase();
        let wanted = |word: &str| matches!(word, "canonical" | "amphtml" | "alternate" | "shortlink");
        if rel.split_ascii_whitespace().any(wanted) && self.head.links.len() < MAX_ELEMENTS {
            let (href, hreflang) = (self.value(HeadAttribute::Address), self.value(HeadAttribute::AddressLanguage));
            self.head.links.push(HeadLink { rel, href, hreflang });
        }
    }

    /// Adds an item if the tag is one, ending the text of the last: a time inside an author is not part of its text.
    fn item(&mut self, tag: &[u8], class: &str) {
        let marks = self.value(HeadAttribute::Mark).to_ascii_lowercase();
        let mut property = marks.split_ascii_whitespace().find(|mark| MARKS.contains(mark)).unwrap_or("");
        let is_author = |word: &str| word.eq_ignore_ascii_case("author");
        if property.is_empty()
            && tag == b"a"
            && self.value(HeadAttribute::Relation).split_ascii_whitespace().any(is_author)
        {
            property = "author";
        }
        // the old way to write a time: <abbr class=published title=2024-05-12>
        let is_time =
            tag == b"time" || self.value(HeadAttribute::Title).starts_with(|first: char| first.is_ascii_digit());
        if property.is_empty() && !is_time {
            return;
        }
        self.close();
        if self.head.items.len() == MAX_ELEMENTS {
            return;
        }
        let values = [HeadAttribute::Time, HeadAttribute::Content, HeadAttribute::Title].map(|field| self.value(field));
        self.head.items.push(MarkedElement {
            tag: to_text(tag),
            property: property.into(),
            class: class.into(),
            value: values.into_iter().find(|value| !value.trim().is_empty()).unwrap_or_default(),
            text: String::new(),
            inside: self.open.iter().enumerate().fold(0, |bits, (bit, &open)| bits | u8::from(open > 0) << bit),
            behind: self.headings,
        });
        if !VOID.iter().any(|void| void.as_bytes() == tag) {
            self.reading = Reading::MarkedElement(tag.into(), 1);
        }
    }
}

fn section(tag: &[u8]) -> Option<usize> {
    SECTIONS.iter().position(|section| section.as_bytes() == tag)
}

/// Appends bytes, up to a total of `max_bytes`.
fn keep(out: &mut Vec<u8>, more: &[u8], max_bytes: usize) {
    let room = max_bytes.saturating_sub(out.len()).min(more.len());
    out.extend_from_slice(&more[..room]);
}

/// Decodes UTF-8 bytes, without an incomplete character at the end.
fn to_text(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) => text.into(),
        Err(error) if error.error_len().is_none() => String::from_utf8_lossy(&bytes[..error.valid_up_to()]).into(),
        Err(_) => String::from_utf8_lossy(bytes).into(),
    }
}
