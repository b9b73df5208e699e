//! The rules of the HTML Standard for putting a tree together (the tree builder of html5ever), kept in proportion.
//!
//! The rules look through all open elements at almost every tag, through all attributes of a formatting element, and
//! open again behind every paragraph what was left open in it. On pages made to hurt, that is the square of their length.
//! So the rules are given no attributes but the few they read, whereby they keep at most three formatting elements of
//! one name; when those alone make the tree grow far beyond the page, they are closed; and when `DEPTH` elements are
//! open, one more is closed as soon as it is opened.
//!
//! Two liberties are taken: frames are not opened, so that what is written for browsers without them can be read; and
//! `iframe`, `noembed` and `noframes` hold markup as in HTML 4, not bare text.

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
use super::tree::{Handle, Sink, Tree, DEPTH, PLAIN};

/// A start tag.
pub(super) struct Start<'a> {
    pub name: &'a str,
    pub self_closing: bool,
    pub id: &'a str,
    pub class: &'a str,
    /// Of an input: those that are hidden may stand in tables.
    pub type_: &'a str,
    /// Of an annotation in a formula: it may say that HTML follows.
    pub encoding: &'a str,
    /// Has one of the attributes of a font: with those it ends a drawing.
    pub font: bool,
    /// Says of itself that it is not shown.
    pub hidden: bool,
}

pub(super) struct Rules {
    builder: TreeBuilder<Handle, Sink>,
    /// Start tags so far.
    tags: usize,
    /// Start tags until the open elements are counted again.
    until: usize,
    /// As many are open as may be.
    full: bool,
    /// In an element that holds bare text: its end tag is the next.
    bare: bool,
    /// What was closed as soon as it was opened: its end tags are to come.
    closed: HashMap<LocalName, u32>,
}

/// Elements that are there once, or to the end of the page.
const ONCE: [&str; 4] = ["body", "head", "html", "plaintext"];

/// One start tag can open this many elements at most, counting what the rules open again.
const AT_ONCE: usize = 64;
/// Start tags after which the open elements are counted again, when as many are open as may be.
const AGAIN: usize = 32;

/// Elements that the rules open again, where the page left them open in an element that was closed.
const FORMATTING: [&str; 14] =
    ["a", "b", "big", "code", "em", "font", "i", "nobr", "s", "small", "strike", "strong", "tt", "u"];
/// How many of one name the rules keep.
const KEPT: usize = 3;
/// A tree may have this many elements for every start tag, and so many more; pages that leave much open have two.
const PER_TAG: usize = 3;
const MORE: usize = 10_000;

struct Count(Cell<usize>);

impl Tracer for Count {
    type Handle = Handle;

    fn trace_handle(&self, _: &Handle) {
        self.0.set(self.0.get() + 1);
    }
}

impl Rules {
    pub fn new() -> Self {
        // without scripts, what is written for browsers that have none is part of the page
        let options = TreeBuilderOpts { scripting_enabled: false, drop_doctype: true, ..TreeBuilderOpts::default() };
        Rules {
            builder: TreeBuilder::new(Sink::new(), options),
            tags: 0,
            until: 0,
            full: false,
            bare: false,
            closed: HashMap::new(),
        }
    }

    pub fn tree(self) -> Tree {
        self.builder.sink.finish()
    }

    fn process(&mut self, token: Token) -> TokenSinkResult<Handle> {
        // nobody asks for lines
        self.builder.process_token(token, 1)
    }

    /// Only what a start tag opens changes how the rest is read.
    fn tell(&mut self, token: Token) {
        let _ = self.process(token);
    }

    pub fn text(&mut self, text: &str) {
        for (number, part) in text.split('\0').enumerate() {
            if number > 0 {
                self.tell(Token::NullCharacterToken);
            }
            if !part.is_empty() {
                self.tell(Token::CharacterTokens(StrTendril::from_slice(part)));
            }
        }
    }

    pub fn doctype(&mut self, name: Option<&str>, public: Option<&str>, system: Option<&str>, quirks: bool) {
        let part = |part: Option<&str>| part.map(StrTendril::from_slice);
        let (name, public_id, system_id) = (part(name), part(public), part(system));
        self.tell(Token::DoctypeToken(Doctype { name, public_id, system_id, force_quirks: quirks }));
    }

    pub fn end_of_page(&mut self) {
        self.tell(Token::EOFToken);
        self.builder.end();
    }

    /// Within a drawing or a formula.
    pub fn is_foreign(&self) -> bool {
        self.builder.adjusted_current_node_present_but_not_in_html_namespace()
    }

    /// What the content of the element is, where it is not markup.
    pub fn start(&mut self, tag: &Start<'_>) -> Option<State> {
        if matches!(tag.name, "frameset" | "frame") {
            self.builder.sink.set_frames();
            return None;
        }
        if self.until == 0 {
            // a start tag may close much too, as those do that end a drawing; a single element is not worth the turn
            self.measure(if self.full { AT_ONCE } else { 1 });
        }
        self.until -= 1;
        self.tags += 1;
        if self.builder.sink.elements() > PER_TAG * self.tags + MORE {
            self.close_formatting();
        }
        let never = ONCE.contains(&tag.name) || VOID.contains(&tag.name) || (tag.self_closing && self.is_foreign());
        let name = local_name(tag.name);
        self.builder.sink.begin();
        let attrs = attributes(&name, tag);
        let result = self.process(token(TagKind::StartTag, name.clone(), attrs, tag.self_closing));
        if tag.hidden || !(tag.id.is_empty() && tag.class.is_empty()) {
            self.builder.sink.mark(&name, tag.id, tag.class, tag.hidden);
        }
        if self.full && !never && matches!(result, TokenSinkResult::Continue) {
            self.builder.sink.set_deep();
            self.tell(token(TagKind::EndTag, name.clone(), vec![], false));
            *self.closed.entry(name).or_default() += 1;
        }
        self.bare = matches!(result, TokenSinkResult::RawData(_));
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
        if std::mem::take(&mut self.bare) {
            return self.tell(token(TagKind::EndTag, name, vec![], false));
        }
        if let Some(count) = self.closed.get_mut(&name).filter(|count| **count > 0) {
            *count -= 1;
            // it is closed already, but a border it is: one more that holds nothing
            self.tell(token(TagKind::StartTag, name.clone(), vec![], false));
            self.tell(token(TagKind::EndTag, name, vec![], false));
            return;
        }
        self.tell(token(TagKind::EndTag, name, vec![], false));
        if self.full {
            self.measure(1);
        }
    }

    fn close_formatting(&mut self) {
        self.builder.sink.set_deep();
        for name in FORMATTING.iter().flat_map(|name| [name; KEPT]) {
            self.tell(token(TagKind::EndTag, LocalName::from(*name), vec![], false));
        }
    }

    /// Counts what is open. With room for fewer than `least`, it stays full.
    fn measure(&mut self, least: usize) {
        let count = Count(Cell::new(0));
        self.builder.trace_handles(&count);
        let room = usize::from(DEPTH).saturating_sub(count.0.get());
        self.full = room < least;
        self.until = if self.full { AGAIN } else { (room / AT_ONCE).max(1) };
        if !self.full {
            // what lay around them is closed, and they with it
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
