//! Repairs of dirty text: HTML entities, control characters, and remains of tags, style sheets and scripts.
//!
//! Text that needs no repair is borrowed, after a scan of 64 bytes at a time. Repaired text keeps a sparse map from its
//! byte offsets to those of the original, so that results can be shown in the original. Typography that only changes
//! the form of a word (apostrophes, hyphens, ligatures) is left to the tokeniser.

use std::borrow::Cow;

use html5ever::data::{C1_REPLACEMENTS, NAMED_ENTITIES};
use wide::u8x16;

use super::remains;
use super::repair_pass::{Edit, Pass};
pub use super::repair_pass::{Kinds, Repair, Repairs};

/// A repaired text.
#[derive(Debug)]
pub struct Repaired<'a> {
    pub text: Cow<'a, str>,
    pub kinds: Kinds,
    /// The edits of each pass over the text, in order.
    passes: Vec<Vec<Edit>>,
}

impl<'a> Repaired<'a> {
    /// The text as it is.
    pub fn as_is(text: &'a str) -> Self {
        Repaired { text: Cow::Borrowed(text), kinds: Kinds::default(), passes: vec![] }
    }

    /// The repaired text, or the text as it is.
    pub fn new(text: &'a str, as_is: bool) -> Self {
        if as_is {
            Repaired::as_is(text)
        } else {
            repair(text)
        }
    }

    /// The byte offset in the original of a byte offset in the repaired text. Monotone.
    pub fn original(&self, byte: usize) -> usize {
        self.passes.iter().rev().fold(byte, |byte, edits| {
            let before = edits.partition_point(|edit| edit.start < byte);
            match before.checked_sub(1).map(|at| &edits[at]) {
                None => byte,
                Some(edit) if byte < edit.end => edit.from,
                Some(edit) => edit.to + (byte - edit.end),
            }
        })
    }
}

/// Repairs a text.
pub fn repair(text: &str) -> Repaired<'_> {
    let mut out = Repaired::as_is(text);
    if !is_dirty(text) {
        return out;
    }
    let mut pass = Pass::new(text);
    let has_markup = characters(&mut pass);
    out.kinds = pass.kinds;
    if let Some((text, edits)) = pass.finish() {
        out.text = Cow::Owned(text);
        out.passes.push(edits);
    }
    if has_markup {
        let mut pass = Pass::new(&out.text);
        remains::remove(&mut pass);
        let kinds = pass.kinds;
        if let Some((text, edits)) = pass.finish() {
            out.kinds = out.kinds.union(kinds);
            out.text = Cow::Owned(text);
            out.passes.push(edits);
        }
    }
    out
}

/// Decodes entities and replaces control characters; returns whether markup or code may be left.
fn characters(pass: &mut Pass) -> bool {
    let (text, bytes) = (pass.text, pass.text.as_bytes());
    let (mut next, mut has_markup) = (next_suspect(bytes, 0), false);
    while let Some(at) = next {
        let mut after = at + 1;
        match bytes[at] {
            b'&' => {
                if let Some(entity) = entity(text, after) {
                    has_markup |= matches!(entity.first, '<' | '{');
                    pass.replace(at, entity.end, entity.first, Repair::Entities);
                    entity.second.into_iter().for_each(|second| pass.append(second));
                    after = entity.end;
                }
            }
            b'<' | b'{' => has_markup = true,
            _ => {
                after += 1;
                if let code @ 0x80..=0x9f = bytes[at + 1] {
                    pass.replace(at, after, windows_1252(code), Repair::Controls);
                }
            }
        }
        next = next_suspect(bytes, after);
    }
    has_markup
}

/// The character of Windows-1252 for a code that is a control character in Unicode; a blank if there is none.
fn windows_1252(code: u8) -> char {
    C1_REPLACEMENTS[usize::from(code - 0x80)].unwrap_or(' ')
}

struct Entity {
    first: char,
    second: Option<char>,
    end: usize,
}

/// Maximum bytes of a name or number between & and ;.
const MAX_ENTITY_BYTES: usize = 32;

/// The entity whose name begins at `at`, after its &. One that decodes to & was escaped again: `&amp;#39;`.
fn entity(text: &str, mut at: usize) -> Option<Entity> {
    let mut found = None;
    while let Some(entity) = simple_entity(text, at) {
        at = entity.end;
        let is_escape = entity.first == '&';
        found = Some(entity);
        if !is_escape {
            break;
        }
    }
    found
}

fn simple_entity(text: &str, at: usize) -> Option<Entity> {
    let rest = &text.as_bytes()[at..];
    let length = rest.iter().take(MAX_ENTITY_BYTES).position(|byte| !byte.is_ascii_alphanumeric() && *byte != b'#')?;
    let end = at + length + 1;
    let whole = text.get(at..end).filter(|whole| whole.ends_with(';'))?;
    let (first, second) = match whole.strip_prefix('#') {
        Some(number) => (numeric(&number[..number.len() - 1])?, None),
        None => {
            let &(first, second) = NAMED_ENTITIES.get(whole)?;
            (char::from_u32(first).filter(|&c| c != '\0')?, char::from_u32(second).filter(|&c| c != '\0'))
        }
    };
    Some(Entity { first, second, end })
}

/// The character of a numeric entity; a blank for a control character.
fn numeric(number: &str) -> Option<char> {
    let code = match number.strip_prefix(['x', 'X']) {
        Some(digits) if digits.bytes().all(|b| b.is_ascii_hexdigit()) => u32::from_str_radix(digits, 16).ok()?,
        Some(_) => return None,
        None if number.bytes().all(|b| b.is_ascii_digit()) => number.parse().ok()?,
        None => return None,
    };
    match code {
        0x09..=0x0d => Some(char::from(code as u8)),
        0..=0x1f => Some(' '),
        0x80..=0x9f => Some(windows_1252(code as u8)),
        _ => char::from_u32(code),
    }
}

/// Does the text need repair? Most texts are decided by bit masks alone.
fn is_dirty(text: &str) -> bool {
    let bytes = text.as_bytes();
    let mut next = next_suspect(bytes, 0);
    while let Some(at) = next {
        let after = bytes.get(at + 1).copied().unwrap_or(b' ');
        let is_dirt = match bytes[at] {
            b'&' => simple_entity(text, at + 1).is_some(),
            b'<' => after.is_ascii_alphabetic() || matches!(after, b'/' | b'!'),
            b'{' => true,
            _ => matches!(after, 0x80..=0x9f),
        };
        if is_dirt {
            return true;
        }
        next = next_suspect(bytes, at + 1);
    }
    false
}

#[inline(always)]
fn has_suspect(block: &[u8]) -> bool {
    let mut suspects = u8x16::splat(0);
    for part in block.chunks_exact(16) {
        let v = u8x16::new(part.try_into().expect("16 bytes"));
        let is = |byte| v.simd_eq(u8x16::splat(byte));
        suspects |= (is(b'&') | is(b'<')) | (is(b'{') | is(0xc2));
    }
    suspects.to_bitmask() != 0
}

/// The next byte from `at` on that may have to be repaired: & < { and the first byte of U+0080 to U+00BF.
fn next_suspect(bytes: &[u8], mut at: usize) -> Option<usize> {
    while let Some(block) = bytes.get(at..at + 64) {
        if has_suspect(block) {
            break;
        }
        at += 64;
    }
    // the last bytes are checked together with those before them, if that makes a block
    if bytes.len() - at < 64 && bytes.last_chunk::<64>().is_some_and(|block| !has_suspect(block)) {
        return None;
    }
    let is_suspect = |byte: &u8| matches!(byte, b'&' | b'<' | b'{' | 0xc2);
    bytes[at..].iter().position(is_suspect).map(|skipped| at + skipped)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(text: &str) -> String {
        repair(text).text.into_owned()
    }

    fn kinds(text: &str) -> Vec<Repair> {
        repair(text).kinds.iter().collect()
    }

    #[test]
    fn clean_text_is_borrowed() {
        let clean = "AT&T and S&P 500: 3 < 4, x = y; (sic); “Şöyle” — déjà vu,\tµ £5\r\n© Q&A; R&D;";
        for times in [0, 1, 20] {
            let repeated = clean.repeat(times);
            let repaired = repair(&repeated);
            assert!(matches!(repaired.text, Cow::Borrowed(_)) && repaired.kinds.is_empty(), "{}", repaired.text);
            assert!((0..=repeated.len()).all(|byte| repaired.original(byte) == byte));
        }
    }

    #[test]
    fn entities_are_decoded_however_often_they_were_escaped() {
        assert_eq!(text("Ankara&#39;da it&rsquo;s &quot;so&quot;"), "Ankara'da it’s \"so\"");
        assert_eq!(text("Ankara&amp;#39;da &amp;amp;quot;so&amp;amp;amp;quot; R&amp;D"), "Ankara'da \"so\" R&D");
        assert_eq!(text("M&uuml;nchen &#x130;zmir &#146;un &#8217;un&nbsp;x"), "München İzmir ’un ’un\u{a0}x");
        assert_eq!(text("a&#0;b&#1;c&#129;d"), "a b c d");
        for kept in ["&nosuch;", "&amp", "&#xZZ;", "&#1114112;", "&;", "&#;", "&#x;", "&#55296;", "&", "x&", "&#+39;"] {
            assert_eq!(text(kept), kept);
        }
        assert_eq!(kinds("x &amp; y"), [Repair::Entities]);
    }

    #[test]
    fn control_characters_are_read_as_windows_1252() {
        assert_eq!(text("Ankara\u{92}da \u{93}so\u{94}\u{85} \u{81}"), "Ankara’da “so”…  ");
        assert_eq!(text("a\0b\u{1f}c"), "a\0b\u{1f}c");
        assert_eq!(kinds("it\u{92}s"), [Repair::Controls]);
    }

    #[test]
    fn kinds_are_counted_once_a_text() {
        let dirty = "<p>It\u{92}s &amp; it&#39;s</p>&lt;br/&gt; .ad { color: red; }";
        assert_eq!(kinds(dirty), Repair::ALL);
        assert_eq!(text(dirty), "\nIt’s & it's\n\n  ");
    }

    #[test]
    fn offsets_lead_back_to_the_original() {
        let dirty = "Caf&eacute;s in&amp;nbsp;&lt;b&gt;M\u{92}x&lt;/b&gt; <i>end</i> ";
        let repaired = repair(dirty);
        let place = |word: &str| {
            let at = repaired.text.find(word).unwrap();
            &dirty[repaired.original(at)..repaired.original(at + word.len())]
        };
        assert_eq!(place("Cafés"), "Caf&eacute;s");
        assert_eq!(place("M’x"), "M\u{92}x");
        assert_eq!(place("end"), "end");
        assert_eq!(repaired.original(repaired.text.len()), dirty.len());
    }

    /// Texts of pieces that a small generator puts together: the same in every run.
    fn texts() -> impl Iterator<Item = String> {
        let pieces = [
            "word ",
            "Ankara",
            "'da ",
            "&",
            "&amp;",
            "#39;",
            "&#39;",
            "&amp;quot;",
            "lt;",
            "&lt;",
            "p",
            ">",
            "<p>",
            "</p>",
            "<script>",
            "</script>",
            "<",
            "\u{92}",
            "\u{a0}",
            "\0",
            "é",
            "東",
            "{",
            "}",
            ".ad",
            "color:red",
            ";",
            "var x",
            "=",
            "function(",
            ")",
            "\n",
            " ",
            "<!--",
            "-->",
            "<b title=\"x\">",
            "padding padding padding padding padding ",
        ];
        let mut state = 1u64;
        (0..3000).map(move |_| {
            let mut out = String::new();
            let mut draw = |below: usize| {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                (state >> 33) as usize % below
            };
            for _ in 0..draw(24) {
                out.push_str(pieces[draw(pieces.len())]);
            }
            out
        })
    }

    #[test]
    fn offsets_never_fall_and_stay_inside() {
        for dirty in texts() {
            let repaired = repair(&dirty);
            let mut last = 0;
            for (byte, _) in repaired.text.char_indices().chain([(repaired.text.len(), ' ')]) {
                let original = repaired.original(byte);
                assert!(original >= last && dirty.is_char_boundary(original), "{dirty:?} at {byte}");
                last = original;
            }
            assert_eq!(last, dirty.len(), "{dirty:?}");
        }
    }

    #[test]
    fn what_is_repaired_holds_no_control_characters() {
        for dirty in texts() {
            let repaired = text(&dirty);
            assert!(!repaired.chars().any(|c| c.is_control() && !c.is_ascii()), "{dirty:?}: {repaired:?}");
        }
    }
}
