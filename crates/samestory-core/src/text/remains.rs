//! Remains of web pages in a text: tags, style sheets and scripts. Only what is clearly code is removed.

use super::repair_pass::{Pass, Repair};

/// Maximum bytes of a tag, of a comment or script, and of a rule of a style sheet.
const MAX_TAG_BYTES: usize = 4_000;
const MAX_SCRIPT_BYTES: usize = 100_000;
const MAX_RULE_BYTES: usize = 4_000;
/// Maximum bytes before a brace that belong to it: the condition of an at-rule, the arguments of a function.
const MAX_HEAD_BYTES: usize = 300;

/// Maximum failed searches for an end: a text with more of them is hostile, and the rest of it is left unchanged.
const MAX_FAILED_SEARCHES: usize = 100;

/// Replaces tags, comments, scripts and style sheets by blanks and line ends.
pub(super) fn remove(pass: &mut Pass) {
    let bytes = pass.text.as_bytes();
    let (mut at, mut ends) = (0, Ends { failed: 0 });
    while let Some(skipped) = memchr::memchr3(b'<', b'{', b'=', &bytes[at..]) {
        let place = at + skipped;
        let found = match bytes[place] {
            b'<' => tag(pass.text, place, &mut ends),
            b'{' => rule(pass.text, place, pass.copied, &mut ends)
                .or_else(|| function(pass.text, place, pass.copied, &mut ends)),
            _ => assignment(pass.text, place, pass.copied, &mut ends),
        };
        at = place + 1;
        if let Some(Remains { from, to, with, kind }) = found {
            pass.replace(from, to, with, kind);
            at = to;
        }
    }
}

/// Searches for the ends of tags and code, with a count of those that failed.
struct Ends {
    failed: usize,
}

impl Ends {
    fn find(&mut self, search: impl FnOnce() -> Option<usize>) -> Option<usize> {
        if self.failed >= MAX_FAILED_SEARCHES {
            return None;
        }
        let found = search();
        self.failed += usize::from(found.is_none());
        found
    }
}

struct Remains {
    from: usize,
    to: usize,
    with: char,
    kind: Repair,
}

/// Block-level tags: replaced by line ends.
const BLOCKS: &[&str] = &[
    "address", "article", "aside", "blockquote", "br", "dd", "div", "dl", "dt", "figcaption", "figure", "footer",
    "form", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hr", "li", "main", "nav", "ol", "p", "pre", "section",
    "table", "tbody", "td", "tfoot", "th", "thead", "tr", "ul",
];
/// Other tags.
const INLINE: &[&str] = &[
    "a", "abbr", "acronym", "b", "base", "big", "body", "button", "caption", "center", "cite", "code", "col", "del",
    "em", "embed", "font", "head", "html", "i", "iframe", "img", "input", "ins", "label", "link", "meta", "noscript",
    "object", "option", "param", "q", "s", "script", "select", "small", "source", "span", "strike", "strong", "style",
    "sub", "sup", "svg", "time", "title", "tt", "u", "video",
];
/// Attributes without a value.
const SWITCHES: &[&str] =
    &["allowfullscreen", "async", "checked", "controls", "defer", "disabled", "hidden", "novalidate", "nowrap"];

/// The tag that begins at a <, with its contents where those are code.
fn tag(text: &str, from: usize, ends: &mut Ends) -> Option<Remains> {
    let bytes = text.as_bytes();
    let limit = bytes.len().min(from + MAX_TAG_BYTES);
    if text[from..].starts_with("<!--") {
        let comment = &bytes[from..bytes.len().min(from + MAX_SCRIPT_BYTES)];
        let end = ends.find(|| memchr::memmem::find(comment, b"-->"))?;
        return Some(Remains { from, to: from + end + 3, with: ' ', kind: Repair::Tags });
    }
    let closes = bytes.get(from + 1) == Some(&b'/');
    let start = from + 1 + usize::from(closes);
    let end = start + bytes[start..limit].iter().position(|byte| !byte.is_ascii_alphanumeric())?;
    let name = text[start..end].to_ascii_lowercase();
    let is_block = BLOCKS.binary_search(&name.as_str()).is_ok();
    if !is_block && INLINE.binary_search(&name.as_str()).is_err() {
        return None;
    }
    let mut to = attributes(text, end, limit)?;
    let mut kind = Repair::Tags;
    if !closes && matches!(name.as_str(), "script" | "style") {
        if let Some(end) = ends.find(|| closing(bytes, to, &name)) {
            (to, kind) = (end, Repair::Code);
        }
    }
    Some(Remains { from, to, with: if is_block { '\n' } else { ' ' }, kind })
}

/// Where a tag ends whose attributes begin at `at`; None if they are not attributes.
fn attributes(text: &str, mut at: usize, limit: usize) -> Option<usize> {
    let bytes = &text.as_bytes()[..limit];
    let blanks = |at: usize| bytes[at..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
    loop {
        let apart = blanks(at);
        at += apart;
        match bytes.get(at)? {
            b'>' => return Some(at + 1),
            b'/' if bytes.get(at + 1) == Some(&b'>') => return Some(at + 2),
            _ if apart == 0 => return None,
            _ => {}
        }
        let name = bytes[at..]
            .iter()
            .take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b':' | b'.' | b'@'))
            .count();
        let written = text[at..at + name].to_ascii_lowercase();
        at += name;
        let equals = at + blanks(at);
        if name == 0 || bytes.get(equals) != Some(&b'=') {
            if SWITCHES.binary_search(&written.as_str()).is_err() {
                return None;
            }
            continue;
        }
        at = equals + 1;
        at += blanks(at);
        at = match bytes.get(at)? {
            quote @ (b'"' | b'\'') => at + 2 + memchr::memchr(*quote, &bytes[at + 1..])?,
            _ => at + bytes[at..].iter().position(|b| b.is_ascii_whitespace() || matches!(b, b'>' | b'<' | b'"'))?,
        };
    }
}

/// The offset after the closing tag of a name.
fn closing(bytes: &[u8], from: usize, name: &str) -> Option<usize> {
    let limit = bytes.len().min(from + MAX_SCRIPT_BYTES);
    for at in memchr::memchr_iter(b'<', &bytes[from..limit]) {
        let rest = &bytes[from + at + 1..limit];
        let Some(tail) = rest.strip_prefix(b"/").filter(|tail| tail.len() > name.len()) else {
            continue;
        };
        if tail[..name.len()].eq_ignore_ascii_case(name.as_bytes()) {
            let end = memchr::memchr(b'>', tail)?;
            return Some(from + at + 2 + end + 1);
        }
    }
    None
}

/// Beginnings of the properties that style sheets of news pages use.
const PROPERTIES: &[&str] = &[
    "align", "animation", "background", "border", "bottom", "box-", "clear", "clip", "color", "cursor", "display",
    "flex", "float", "font", "grid", "height", "justify", "left", "letter-spacing", "line-height", "list-style",
    "margin", "max-height", "max-width", "min-height", "min-width", "opacity", "outline", "overflow", "padding",
    "position", "right", "src", "text-", "top", "transform", "transition", "vertical-align", "visibility",
    "white-space", "width", "word-", "z-index", "zoom",
];
/// The rules of style sheets that contain other rules or declarations.
const AT_RULES: &[&str] =
    &["@media", "@font-face", "@keyframes", "@-webkit-keyframes", "@-moz-keyframes", "@supports", "@page"];

/// The rule of a style sheet whose braces begin at `brace`: its selectors begin at or after `floor`.
fn rule(text: &str, brace: usize, floor: usize, ends: &mut Ends) -> Option<Remains> {
    let bytes = text.as_bytes();
    let head = text_before(text, brace, floor);
    let code = |from: usize, to: usize| Some(Remains { from, to, with: ' ', kind: Repair::Code });
    if let Some(at) = head.rfind('@').filter(|&at| !head[at..].contains(['}', ';'])) {
        if AT_RULES.iter().any(|rule| head[at..].starts_with(rule)) {
            return code(brace - head.len() + at, ends.find(|| balanced(bytes, brace))?);
        }
    }
    let limit = bytes.len().min(brace + MAX_RULE_BYTES);
    let end = brace + 1 + memchr::memchr2(b'{', b'}', &bytes[brace + 1..limit])?;
    if bytes[end] == b'{' {
        return None;
    }
    let parts = || text[brace + 1..end].split(';').map(str::trim).filter(|part| !part.is_empty());
    if !parts().all(is_declaration) || !parts().any(|part| PROPERTIES.iter().any(|known| part.starts_with(known))) {
        return None;
    }
    let selectors = selectors(head);
    (selectors > 0 || parts().count() > 1).then(|| code(brace - selectors, end + 1))?
}

/// The text before a place, up to the length that may belong to what begins there.
fn text_before(text: &str, end: usize, floor: usize) -> &str {
    let mut start = end.saturating_sub(MAX_HEAD_BYTES).max(floor);
    while !text.is_char_boundary(start) {
        start += 1;
    }
    &text[start..end]
}

/// `color: red`
fn is_declaration(part: &str) -> bool {
    part.split_once(':').is_some_and(|(property, value)| {
        let property = property.trim();
        !property.is_empty()
            && property.bytes().all(|b| b.is_ascii_lowercase() || matches!(b, b'-' | b'*' | b'_'))
            && !value.trim().is_empty()
    })
}

/// How many bytes at the end of a text are selectors: `.ad, #top p`.
fn selectors(head: &str) -> usize {
    let mut start = head.len();
    loop {
        let rest = head[..start].trim_end();
        let from = rest.rfind(char::is_whitespace).map_or(0, |at| at + 1);
        let word = &rest[from..];
        let is_last = start == head.len();
        if word.is_empty() || !is_selector(word, is_last) {
            return head.len() - start;
        }
        start = from;
    }
}

/// Is a word a selector? The name of a tag alone is one at the end or before a comma only: it may be a word.
fn is_selector(word: &str, is_last: bool) -> bool {
    let bare = word.trim_end_matches(',');
    let plain = |b: u8| b.is_ascii_alphanumeric() || b".#:*>+~[]=\"'()-_,".contains(&b);
    if bare.is_empty() || !bare.bytes().all(plain) {
        return false;
    }
    if let Some(name) = bare.strip_prefix(['.', '#']) {
        return name.starts_with(|c: char| c.is_ascii_alphabetic() || matches!(c, '_' | '-'));
    }
    let end = bare.find(['.', '#', ':', '[']).unwrap_or(bare.len());
    let known = |name: &&str| BLOCKS.binary_search(name).is_ok() || INLINE.binary_search(name).is_ok();
    match &bare[..end] {
        "*" | ">" | "+" | "~" => true,
        name if known(&name) => end < bare.len() || is_last || word.ends_with(','),
        _ => false,
    }
}

/// The offset after the brace that closes the one at `brace`.
fn balanced(bytes: &[u8], brace: usize) -> Option<usize> {
    let limit = bytes.len().min(brace + MAX_SCRIPT_BYTES);
    let mut depth = 0usize;
    for at in memchr::memchr2_iter(b'{', b'}', &bytes[brace..limit]) {
        match bytes[brace + at] {
            b'{' => depth += 1,
            _ => depth -= 1,
        }
        if depth == 0 {
            return Some(brace + at + 1);
        }
    }
    None
}

fn is_identifier(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '$')
}

/// The function of a script with its body at `brace`, with the call around it: `$(document).ready(function(){ … });`.
fn function(text: &str, brace: usize, floor: usize, ends: &mut Ends) -> Option<Remains> {
    let bytes = text.as_bytes();
    let head = text_before(text, brace, floor);
    let arguments = head.trim_end().strip_suffix(')')?;
    let open = arguments.rfind('(')?;
    let named = head[..open].trim_end().trim_end_matches(is_identifier).trim_end();
    let before = match named.strip_suffix("function") {
        Some(before) if !before.ends_with(is_identifier) => before,
        // `function(` itself was read as the name
        _ => head[..open].trim_end().strip_suffix("function").filter(|before| !before.ends_with(is_identifier))?,
    };
    let call =
        before.rfind(char::is_whitespace).map_or(0, |at| at + before[at..].chars().next().map_or(1, char::len_utf8));
    let from = brace - head.len() + if before[call..].is_ascii() { call } else { before.len() };
    let end = ends.find(|| balanced(bytes, brace))?;
    let rest = &bytes[end..bytes.len().min(end + MAX_HEAD_BYTES)];
    let call = rest.iter().position(|byte| byte.is_ascii_whitespace()).unwrap_or(rest.len());
    let to =
        end + rest[..call].iter().rposition(|&byte| byte == b';').filter(|_| rest[0] == b')').map_or(0, |at| at + 1);
    Some(Remains { from, to, with: ' ', kind: Repair::Code })
}

/// The assignment of a script: `var x = …;`, `window.x = …;`.
fn assignment(text: &str, equals: usize, floor: usize, ends: &mut Ends) -> Option<Remains> {
    let bytes = text.as_bytes();
    if bytes.get(equals + 1) == Some(&b'=') {
        return None;
    }
    let head = text_before(text, equals, floor);
    let name = head.trim_end();
    let start = name.trim_end_matches(|c| is_identifier(c) || c == '.').len();
    let (before, name) = name.split_at(start);
    if !name.starts_with(|c: char| is_identifier(c) && !c.is_ascii_digit()) {
        return None;
    }
    let keyword = ["var", "let", "const"].into_iter().find_map(|keyword| {
        let rest = before.trim_end_matches([' ', '\t']).strip_suffix(keyword)?;
        (before.ends_with([' ', '\t']) && !rest.ends_with(|c: char| c.is_alphanumeric())).then_some(rest.len())
    });
    let from = match keyword {
        Some(from) => from,
        None if name.starts_with("window.") || name.starts_with("document.") => before.len(),
        None => return None,
    };
    let to = ends.find(|| statement_end(bytes, equals + 1))?;
    Some(Remains { from: equals - head.len() + from, to, with: ' ', kind: Repair::Code })
}

/// The offset after the semicolon that ends a statement.
fn statement_end(bytes: &[u8], from: usize) -> Option<usize> {
    let mut depth = 0usize;
    for (at, byte) in bytes[from..].iter().take(MAX_RULE_BYTES).enumerate() {
        match byte {
            b'{' | b'[' | b'(' => depth += 1,
            b'}' | b']' | b')' => depth = depth.saturating_sub(1),
            b';' if depth == 0 => return Some(from + at + 1),
            b'\n' if depth == 0 => return None,
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests;
