//! The fast path for a flat line of JSON, as nearly all are.

use std::borrow::Cow;

use wide::u8x16;

use crate::input::record::{Fields, Record};

/// The record of a flat line: an object of texts and nulls. None: the line needs the full parser, which also reports
/// errors.
pub fn flat<'a>(line: &'a str, fields: &Fields) -> Option<Record<'a>> {
    let bytes = line.as_bytes();
    let pass = |at: usize| at + bytes[at..].iter().take_while(|b| matches!(b, b' ' | b'\t' | b'\n' | b'\r')).count();
    let expect = |at: usize, byte: u8| (bytes.get(at) == Some(&byte)).then(|| pass(at + 1));
    let mut record = Record::default();
    let mut at = expect(pass(0), b'{')?;
    loop {
        let (name, end) = string(line, expect(at, b'"').map(|_| at + 1)?)?;
        at = expect(pass(end), b':')?;
        if bytes[at..].starts_with(b"null") {
            at += 4;
        } else {
            let start = at;
            let (value, end) = string(line, expect(at, b'"').map(|_| at + 1)?)?;
            at = end;
            if let Some((role, rank)) = fields.role(&name) {
                record.set(role, rank, value);
            } else if fields.keeps_others {
                record.add_other(&name, &line[start..end]);
            }
        }
        at = pass(at);
        match bytes.get(at)? {
            b',' => at = pass(at + 1),
            b'}' => return (pass(at + 1) == bytes.len()).then_some(record),
            _ => return None,
        }
    }
}

/// The text of a string whose first character is at `start`, and the offset after its closing quote.
fn string(line: &str, start: usize) -> Option<(Cow<'_, str>, usize)> {
    let bytes = line.as_bytes();
    let mut from = start;
    let mut at = special(bytes, from)?;
    if bytes[at] == b'"' {
        return Some((Cow::Borrowed(&line[from..at]), at + 1));
    }
    let mut out = String::with_capacity(line.len() - start);
    loop {
        out.push_str(&line[from..at]);
        match bytes[at] {
            b'"' => return Some((Cow::Owned(out), at + 1)),
            b'\\' => {}
            _ => return None, // control characters must be escaped
        }
        let (c, end) = match *bytes.get(at + 1)? {
            b'n' => ('\n', at + 2),
            b't' => ('\t', at + 2),
            b'r' => ('\r', at + 2),
            c @ (b'"' | b'\\' | b'/') => (c.into(), at + 2),
            b'u' => {
                let digits = line.get(at + 2..at + 6).filter(|d| d.bytes().all(|b| b.is_ascii_hexdigit()))?;
                // half a surrogate pair is left to the parser
                (char::from_u32(u32::from_str_radix(digits, 16).ok()?)?, at + 6)
            }
            _ => return None,
        };
        out.push(c);
        from = end;
        at = special(bytes, from)?;
    }
}

/// The next quote, backslash or control character.
fn special(bytes: &[u8], from: usize) -> Option<usize> {
    let blocks = bytes[from..].chunks_exact(16);
    let rest = blocks.remainder();
    for (number, block) in blocks.enumerate() {
        let v = u8x16::new(block.try_into().expect("16 bytes"));
        let quote = v.simd_eq(u8x16::splat(b'"')) | v.simd_eq(u8x16::splat(b'\\'));
        let found = (quote | v.min(u8x16::splat(0x1f)).simd_eq(v)).to_bitmask();
        if found != 0 {
            return Some(from + 16 * number + found.trailing_zeros() as usize);
        }
    }
    let found = rest.iter().position(|&b| b == b'"' || b == b'\\' || b < 0x20)?;
    Some(bytes.len() - rest.len() + found)
}

#[cfg(test)]
mod tests {
    use super::super::json::parsed;
    use super::*;

    #[test]
    fn flat_lines_are_read_as_the_parser_reads_them() {
        for line in [
            r#"{"id": "1", "text": "a \"b\" \\ \/ \u00fc\u0041\t\r\n", "lang": null}"#,
            r#" { "text" : "a\ud83d\ude00\b" , "other" : "\u12" } "#,
            r#"{"text": "a\ud83d"}"#,
            r#"{"text": "a\u+041"}"#,
            r#"{"text": "unended}"#,
            r#"{"text": "twice", "text": "other"}"#,
            r#"{"text": "x", "section": "sp\u006frts" , "\u0041\"": "\n", "": "", "desk": null}"#,
            r#"{"text": "ü and more than sixteen bytes “of” text", "title": 7}"#,
            r#"{"text": "x", }"#,
            r#"{"text": "x"} {}"#,
            "{\"text\": \"tab\tinside\"}",
            "{\"text\":\x0c\"x\"}",
            "{}",
        ] {
            for fields in [Fields::default(), Fields::default().keeping_others()] {
                let Some(record) = flat(line, &fields) else {
                    continue;
                };
                let parsed = parsed(line, &fields).unwrap();
                assert_eq!(format!("{record:?}"), format!("{parsed:?}"), "{line}");
            }
        }
        assert!(flat(r#"{"id": "1", "text": "a\n", "lang": null}"#, &Fields::default()).is_some());
    }
}
