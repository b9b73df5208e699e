//! Text to tree: html5gum tokenises the markup; the tokens are assembled here and passed to the rules.
//!
//! Only attributes that are used are kept, truncated, so that neither their number nor their length matters. Comments
//! are dropped, and so is the content of script and style: large, and never words; only linked data is kept, as part of
//! the metadata of the page.

use std::borrow::Cow;
use std::convert::Infallible;

use html5gum::{Emitter, Error, State, Tokenizer};

use super::head::Head;
use super::head_reader::{Gatherer, HeadAttribute};
use super::rules::{Start, TreeRules};
use super::tree::Tree;

pub(super) fn parse(text: &str) -> (Tree, Head) {
    let (mut rules, mut head) = (TreeRules::new(), Gatherer::default());
    let Ok(()) = Tokenizer::new_with_emitter(text, Markup::new(&mut rules, &mut head)).finish();
    (rules.tree(), head.finish())
}

/// The attributes that are read, here or by the rules.
const READ: [&[u8]; 9] = [b"id", b"class", b"type", b"encoding", b"color", b"face", b"size", b"style", b"hidden"];
const ID: usize = 0;
const CLASS: usize = 1;
const TYPE: usize = 2;
const ENCODING: usize = 3;
const STYLE: usize = 7;
const HIDDEN: usize = 8;
/// Bytes kept of an attribute value: the rest of a longer class adds nothing.
const MAX_VALUE_BYTES: usize = 1024;
/// Bytes kept of an attribute name: one more than the longest name that is read, so that longer names match none.
const MAX_NAME_BYTES: usize = "http-equiv".len() + 1;
/// Bytes kept of a document type: the rules compare it with names shorter than this.
const MAX_DOCTYPE_BYTES: usize = 128;

struct Markup<'a> {
    rules: &'a mut TreeRules,
    head: &'a mut Gatherer,
    text: Vec<u8>,
    /// Inside script or style.
    silent: bool,
    name: Vec<u8>,
    is_end: bool,
    self_closing: bool,
    last_start: Vec<u8>,
    attribute: Vec<u8>,
    /// Where the value of the current attribute goes, once its name is complete.
    reading: Reading,
    values: [Option<Vec<u8>>; READ.len()],
    doctype: [Option<Vec<u8>>; 3],
    quirks: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Reading {
    Name,
    Value(usize),
    /// An attribute that only the head uses.
    HeadField(HeadAttribute),
    Nothing,
}

impl<'a> Markup<'a> {
    fn new(rules: &'a mut TreeRules, head: &'a mut Gatherer) -> Self {
        Markup {
            rules,
            head,
            text: vec![],
            silent: false,
            name: vec![],
            is_end: false,
            self_closing: false,
            last_start: vec![],
            attribute: vec![],
            reading: Reading::Nothing,
            values: Default::default(),
            doctype: Default::default(),
            quirks: false,
        }
    }

    fn flush(&mut self) {
        if !self.text.is_empty() {
            self.rules.text(&lossy(&self.text));
            self.text.clear();
        }
    }

    /// Called when the name of the attribute is complete. Of two attributes with one name the first counts.
    fn name_attribute(&mut self) {
        if self.reading == Reading::Name {
            let place = READ.iter().position(|name| *name == self.attribute.as_slice());
            self.reading = match place.filter(|&place| self.values[place].is_none()) {
                Some(place) => {
                    self.values[place] = Some(vec![]);
                    Reading::Value(place)
                }
                None => match self.head.wants(&self.name, &self.attribute) {
                    Some(field) => {
                        self.head.begin(field);
                        Reading::HeadField(field)
                    }
                    None => Reading::Nothing,
                },
            };
        }
    }
}

/// Whether a script of this type contains linked data.
fn is_linked_data(type_: &str) -> bool {
    let type_ = type_.split(';').next().unwrap_or_default().trim();
    type_.eq_ignore_ascii_case("application/ld+json")
}

/// Whether an inline style hides the element. Style sheets are not read: they are other files.
fn is_hidden(style: &[u8]) -> bool {
    style.split(|&byte| byte == b';').any(|declaration| {
        let mut parts = declaration.splitn(2, |&byte| byte == b':').map(<[u8]>::trim_ascii);
        let (name, value) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
        let value = value.split(|&byte| byte == b'!').next().unwrap_or_default().trim_ascii_end(); // !important
        (name.eq_ignore_ascii_case(b"display") && value.eq_ignore_ascii_case(b"none"))
            || (name.eq_ignore_ascii_case(b"visibility") && value.eq_ignore_ascii_case(b"hidden"))
    })
}

fn lossy(bytes: &[u8]) -> Cow<'_, str> {
    String::from_utf8_lossy(bytes)
}

/// Appends bytes, up to a total of `max_bytes`.
fn keep(out: &mut Vec<u8>, more: &[u8], max_bytes: usize) {
    let room = max_bytes.saturating_sub(out.len()).min(more.len());
    out.extend_from_slice(&more[..room]);
}

impl Emitter for Markup<'_> {
    type Token = Infallible;

    fn set_last_start_tag(&mut self, name: Option<&[u8]>) {
        self.last_start = name.unwrap_or_default().to_vec();
    }

    fn emit_eof(&mut self) {
        self.flush();
        self.rules.end_of_page();
    }

    fn emit_error(&mut self, _: Error) {}

    fn should_emit_errors(&mut self) -> bool {
        false
    }

    fn pop_token(&mut self) -> Option<Infallible> {
        None
    }

    fn emit_string(&mut self, text: &[u8]) {
        if !self.silent {
            self.text.extend_from_slice(text);
        }
        self.head.text(text, self.silent);
    }

    fn init_start_tag(&mut self) {
        self.name.clear();
        (self.is_end, self.self_closing, self.reading) = (false, false, Reading::Nothing);
        self.values = Default::default();
        self.head.next_tag();
    }

    fn init_end_tag(&mut self) {
        self.init_start_tag();
        self.is_end = true;
    }

    fn emit_current_tag(&mut self) -> Option<State> {
        self.name_attribute();
        self.flush();
        self.silent = false;
        let name = lossy(&self.name);
        if self.is_end {
            self.last_start.clear();
            self.head.end(&self.name);
            self.rules.end(&name);
            return None;
        }
        let value = |place: usize| lossy(self.values[place].as_deref().unwrap_or_default());
        let state = self.rules.start(&Start {
            name: &name,
            self_closing: self.self_closing,
            id: &value(ID),
            class: &value(CLASS),
            type_: &value(TYPE),
            encoding: &value(ENCODING),
            font: self.values[ENCODING + 1..STYLE].iter().any(Option::is_some),
            hidden: self.values[HIDDEN].is_some() || is_hidden(self.values[STYLE].as_deref().unwrap_or_default()),
        });
        self.silent = state == Some(State::ScriptData) || (state == Some(State::RawText) && name == "style");
        let is_data = state == Some(State::ScriptData) && is_linked_data(&value(TYPE));
        self.head.start(&self.name, &value(CLASS), is_data);
        self.last_start.clone_from(&self.name);
        state
    }

    fn set_self_closing(&mut self) {
        self.self_closing = true;
    }

    fn push_tag_name(&mut self, name: &[u8]) {
        self.name.extend_from_slice(name);
    }

    fn init_attribute(&mut self) {
        self.name_attribute();
        self.attribute.clear();
        self.reading = if self.is_end { Reading::Nothing } else { Reading::Name };
    }

    fn push_attribute_name(&mut self, name: &[u8]) {
        keep(&mut self.attribute, name, MAX_NAME_BYTES);
    }

    fn push_attribute_value(&mut self, value: &[u8]) {
        self.name_attribute();
        match self.reading {
            Reading::Value(place) => keep(self.values[place].get_or_insert_default(), value, MAX_VALUE_BYTES),
            Reading::HeadField(field) => self.head.push(field, value),
            Reading::Name | Reading::Nothing => {}
        }
    }

    fn init_comment(&mut self) {}

    fn push_comment(&mut self, _: &[u8]) {}

    fn emit_current_comment(&mut self) {}

    fn init_doctype(&mut self) {
        (self.doctype, self.quirks) = Default::default();
    }

    fn push_doctype_name(&mut self, name: &[u8]) {
        keep(self.doctype[0].get_or_insert_default(), name, MAX_DOCTYPE_BYTES);
    }

    fn set_doctype_public_identifier(&mut self, value: &[u8]) {
        self.doctype[1] = Some(vec![]);
        self.push_doctype_public_identifier(value);
    }

    fn push_doctype_public_identifier(&mut self, value: &[u8]) {
        keep(self.doctype[1].get_or_insert_default(), value, MAX_DOCTYPE_BYTES);
    }

    fn set_doctype_system_identifier(&mut self, value: &[u8]) {
        self.doctype[2] = Some(vec![]);
        self.push_doctype_system_identifier(value);
    }

    fn push_doctype_system_identifier(&mut self, value: &[u8]) {
        keep(self.doctype[2].get_or_insert_default(), value, MAX_DOCTYPE_BYTES);
    }

    fn set_force_quirks(&mut self) {
        self.quirks = true;
    }

    fn emit_current_doctype(&mut self) {
        self.flush();
        let [name, public, system] = self.doctype.each_ref().map(|part| part.as_deref().map(lossy));
        self.rules.doctype(name.as_deref(), public.as_deref(), system.as_deref(), self.quirks);
    }

    fn current_is_appropriate_end_tag_token(&mut self) -> bool {
        self.is_end && !self.last_start.is_empty() && self.last_start == self.name
    }

    fn adjusted_current_node_present_but_not_in_html_namespace(&mut self) -> bool {
        // pending text may still change the current node
        self.flush();
        self.rules.is_foreign()
    }
}
