//! Tree construction by the rules of the HTML Standard (the tree builder of html5ever), bounded to linear cost.
//!
//! The rules scan all open elements at almost every tag and all attributes of a formatting element, and reopen after
//! every paragraph the elements left open in it. On adversarial pages that is quadratic in their length.
//! So the rules receive only the few attributes they read, and therefore keep at most three formatting elements of
//! one name; when those alone make the tree grow far beyond the page, they are closed; and when `DEPTH` elements are
//! open, one more is closed as soon as it is opened.
//!
//! Two deviations: frames are not opened, so that the fallback for browsers without them can be read; and `iframe`,
//! `noembed` and `noframes` contain markup as in HTML 4, not raw text.

use std::cell::Cell;
use std::collections::HashMap;

use html5ever::interface::{Attribute, QualName, Tracer, TreeSink};
use html5ever::tendril::StrTendril;
use html5ever::tokenizer::states::RawKind;
use html5ever::tokenizer::{Doctype, Tag, TagKind, Token, TokenSink, TokenSinkResult};
use html5ever::tree_builder::{TreeBuilder, TreeBuilderOpts};
use html5ever::{local_name, ns, LocalName};
use html5gum::State;

use super::blocks::VOID;
use super::tree::{Handle, Tree, TreeWriter, DEPTH, PLAIN};

/// A start tag.
pub(super) struct Start<'a> {
    pub name: &'a str,
    pub self_closing: bool,
    pub id: &'a str,
    pub class: &'a str,
    /// Of an input: hidden ones are allowed in tables.
    pub type_: &'a str,
    /// Of an annotation in a formula: it may declare that HTML follows.
    pub encoding: &'a str,
    /// Has a `font` attribute (color, face, size): a `font` tag with one ends an SVG or MathML element.
    pub font: bool,
    /// Hidden by its style or by the attribute `hidden`.
    pub hidden: bool,
}

pub(super) struct TreeRules {
    builder: TreeBuilder<Handle, TreeWriter>,
    /// Start tags so far.
    tags: usize,
    /// Start tags until the open elements are counted again.
    tags_until_count: usize,
    /// The maximum number of elements is open.
    is_full: bool,
    /// Inside a raw text element: the next tag is its end tag.
    in_raw_text: bool,
    /// Elements that were closed as soon as they were opened, by name: their end tags are still to come.
    closed: HashMap<LocalName, u32>,
}

/// Elements that occur once, or extend to the end of the page.
const SINGLE_ELEMENTS: [&str; 4] = ["body", "head", "html", "plaintext"];

/// One start tag can open this many elements at most, including those that the rules reopen.
const MAX_OPENED_PER_TAG: usize = 64;
/// Start tags after which the open elements are counted again, when the maximum is open.
const RECOUNT_TAGS: usize = 32;

/// Elements that the rules reopen if the page left them open in an element that was closed.
const FORMATTING: [&str; 14] =
    ["a", "b", "big", "code", "em", "font", "i", "nobr", "s", "small", "strike", "strong", "tt", "u"];
/// The number of formatting elements of one name that the rules keep.
const KEPT_PER_NAME: usize = 3;
/// Bound on the tree: elements per start tag, plus a constant; pages with many unclosed elements have two per tag.
const ELEMENTS_PER_TAG: usize = 3;
const EXTRA_ELEMENTS: usize = 10_000;

struct Count(Cell<usize>);

impl Tracer for Count {
    type Handle = Handle;

    fn trace_handle(&self, _: &Handle) {
        self.0.set(self.0.get() + 1);
    }
}

impl TreeRules {
    pub fn new() -> Self {
        // with scripting disabled, the content of noscript is part of the page
        let options = TreeBuilderOpts { scripting_enabled: false, drop_doctype: true, ..TreeBuilderOpts::default() };
        TreeRules {
            builder: TreeBuilder::new(TreeWriter::new(), options),
            tags: 0,
            tags_until_count: 0,
            is_full: false,
            in_raw_text: false,
            closed: HashMap::new(),
        }
    }

    pub fn tree(self) -> Tree {
        self.builder.sink.finish()
    }

    fn process(&mut self, token: Token) -> TokenSinkResult<Handle> {
        // line numbers are not used
        self.builder.process_token(token, 1)
    }

    /// Processes a token and ignores the result: only start tags change the state of the tokeniser.
    fn feed(&mut self, token: Token) {
        let _ = self.process(token);
    }

    pub fn text(&mut self, text: &str) {
        for (number, part) in text.split('\0').enumerate() {
            if number > 0 {
                self.feed(Token::NullCharacterToken);
            }
            if !part.is_empty() {
                self.feed(Token::CharacterTokens(StrTendril::from_slice(part)));
            }
        }
    }

    pub fn doctype(&mut self, name: Option<&str>, public: Option<&str>, system: Option<&str>, quirks: bool) {
        let part = |part: Option<&str>| part.map(StrTendril::from_slice);
        let (name, public_id, system_id) = (part(name), part(public), part(system));
        self.feed(Token::DoctypeToken(Doctype { name, public_id, system_id, force_quirks: quirks }));
    }

    pub fn end_of_page(&mut self) {
        self.feed(Token::EOFToken);
        self.builder.end();
    }

    /// Inside an SVG or MathML element.
    pub fn is_foreign(&self) -> bool {
        self.builder.adjusted_current_node_present_but_not_in_html_namespace()
    }

    /// Processes a start tag; returns the tokeniser state for its content if that is not markup.
    pub fn start(&mut self, tag: &Start<'_>) -> Option<State> {
        if matches!(tag.name, "frameset" | "frame") {
            self.builder.sink.set_frames();
            return None;
        }
        if self.tags_until_count == 0 {
            // a start tag may also close many elements, as one that ends an SVG; room for one is not worth a recount
            self.measure(if self.is_full { MAX_OPENED_PER_TAG } else { 1 });
        }
        self.tags_until_count -= 1;
        self.tags += 1;
        if self.builder.sink.elements() > ELEMENTS_PER_TAG * self.tags + EXTRA_ELEMENTS {
            self.close_formatting();
        }
        let is_exempt =
            SINGLE_ELEMENTS.contains(&tag.name) || VOID.contains(&tag.name) || (tag.self_closing && self.is_foreign());
        let name = local_name(tag.name);
        self.builder.sink.begin();
        let attrs = attributes(&name, tag);
        let result = self.process(token(TagKind::StartTag, name.clone(), attrs, tag.self_closing));
        if tag.hidden || !(tag.id.is_empty() && tag.class.is_empty()) {
            self.builder.sink.mark(&name, tag.id, tag.class, tag.hidden);
        }
        if self.is_full && !is_exempt && matches!(result, TokenSinkResult::Continue) {
            self.builder.sink.set_deep();
            self.feed(token(TagKind::EndTag, name.clone(), vec![], false));
            *self.closed.entry(name).or_default() += 1;
        }
        self.in_raw_text = matches!(result, TokenSinkResult::RawData(_));
        match result {
            TokenSinkResult::Plaintext => Some(State::PlainText),
            TokenSinkResult::RawData(RawKind::Rcdata) => Some(State::RcData),
            TokenSinkResult::RawData(RawKind::Rawtext) => Some(State::RawText),
            TokenSinkResult::RawData(_) => Some(State::ScriptData),
            _ => None,
        }
    }

    pub fn end(&mut self, name: &str) {
        let name = local_name(name);
        if std::mem::take(&mut self.in_raw_text) {
            return self.feed(token(TagKind::EndTag, name, vec![], false));
        }
        if let Some(count) = self.closed.get_mut(&name).filter(|count| **count > 0) {
            *count -= 1;
            // the element is closed already, but the tag is a block border: insert an empty element
            self.feed(token(TagKind::StartTag, name.clone(), vec![], false));
            self.feed(token(TagKind::EndTag, name, vec![], false));
            return;
        }
        self.feed(token(TagKind::EndTag, name, vec![], false));
        if self.is_full {
            self.measure(1);
        }
    }

    fn close_formatting(&mut self) {
        self.builder.sink.set_deep();
        for name in FORMATTING.iter().flat_map(|name| [name; KEPT_PER_NAME]) {
            self.feed(token(TagKind::EndTag, LocalName::from(*name), vec![], false));
        }
    }

    /// Counts the open elements; full if there is room for fewer than `min_room`.
    fn measure(&mut self, min_room: usize) {
        let count = Count(Cell::new(0));
        self.builder.trace_handles(&count);
        let room = usize::from(DEPTH).saturating_sub(count.0.get());
        self.is_full = room < min_room;
        self.tags_until_count = if self.is_full { RECOUNT_TAGS } else { (room / MAX_OPENED_PER_TAG).max(1) };
        if !self.is_full {
            // their ancestors are closed, and they with them
            self.closed.clear();
        }
    }
}

fn local_name(name: &str) -> LocalName {
    match name {
        "iframe" | "noembed" | "noframes" => LocalName::from(format!("{name}{PLAIN}")),
        _ => LocalName::from(name),
    }
}

fn attributes(name: &LocalName, tag: &Start<'_>) -> Vec<Attribute> {
    let one = |name: LocalName, value: &str| {
        vec![Attribute { name: QualName::new(None, ns!(), name), value: StrTendril::from_slice(value) }]
    };
    match *name {
        local_name!("input") if !tag.type_.is_empty() => one(local_name!("type"), tag.type_),
        local_name!("annotation-xml") if !tag.encoding.is_empty() => one(local_name!("encoding"), tag.encoding),
        local_name!("font") if tag.font => one(local_name!("color"), ""),
        _ => vec![],
    }
}

fn token(kind: TagKind, name: LocalName, attrs: Vec<Attribute>, self_closing: bool) -> Token {
    Token::TagToken(Tag { kind, name, self_closing, attrs, had_duplicate_attributes: false })
}
