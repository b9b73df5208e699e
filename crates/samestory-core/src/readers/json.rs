//! The record in a line of JSON.

use std::borrow::Cow;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use wide::u8x16;

use super::lines::TOO_LONG;
use crate::article::{milliseconds, Fault, Fields, Record, Role, ROLES};

/// The record of one line. Lines are JSON objects; what is not known is passed over.
pub fn parse<'a>(line: &'a [u8], fields: &Fields) -> Result<Record<'a>, (Fault, String)> {
    if line == &TOO_LONG[..TOO_LONG.len() - 1] {
        return Err((Fault::TooLarge, "the line is longer than an article may be".into()));
    }
    let Ok(text) = simdutf8::basic::from_utf8(line) else {
        return Err((Fault::Encoding, "not UTF-8; name the encoding with --encoding".into()));
    };
    // the first line of a file may begin with a byte order mark
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    if let Some(record) = plain(text, fields) {
        return Ok(record);
    }
    if depth(text.as_bytes()) > DEEPEST {
        return Err((Fault::BrokenLine, format!("nested more than {DEEPEST} deep")));
    }
    let mut reader = sonic_rs::Deserializer::from_str(text);
    let record = RecordSeed { fields }.deserialize(&mut reader).map_err(|e| broken(&e))?;
    reader.end().map_err(|e| broken(&e))?;
    Ok(record)
}

/// How deep a line may be nested: the parser goes down as deep as the line does, on a stack that ends.
const DEEPEST: usize = 128;

/// How deep a line is nested, brackets in texts left out.
fn depth(line: &[u8]) -> usize {
    let (mut deepest, mut open, mut text, mut escaped) = (0usize, 0usize, false, false);
    for &byte in line {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if text => escaped = true,
            b'"' => text = !text,
            b'[' | b'{' if !text => {
                open += 1;
                deepest = deepest.max(open);
            }
            b']' | b'}' if !text => open = open.saturating_sub(1),
            _ => {}
        }
    }
    deepest
}

/// The parser's words, without its picture of the place: to it every line is the first.
fn broken(error: &sonic_rs::Error) -> (Fault, String) {
    let text = error.to_string();
    (Fault::BrokenLine, text.lines().next().unwrap_or_default().trim().replace(" at line 1 column", " at column"))
}

/// The record of a plain line: an object of texts and nulls, as nearly all are. None: the parser must look at it, which
/// also knows what is wrong with it.
fn plain<'a>(line: &'a str, fields: &Fields) -> Option<Record<'a>> {
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
            let (value, end) = string(line, expect(at, b'"').map(|_| at + 1)?)?;
            at = end;
            if let Some((role, rank)) = fields.role(&name) {
                record.set(role, rank, value);
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

/// The text of a string whose first character stands at `start`, and where the string ends, behind its quote.
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
            _ => return None, // no place for a control character
        }
        let (c, end) = match *bytes.get(at + 1)? {
            b'n' => ('\n', at + 2),
            b't' => ('\t', at + 2),
            b'r' => ('\r', at + 2),
            c @ (b'"' | b'\\' | b'/') => (c.into(), at + 2),
            b'u' => {
                let digits = line.get(at + 2..at + 6).filter(|d| d.bytes().all(|b| b.is_ascii_hexdigit()))?;
                // half a character cannot be made: that is for the parser
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

struct RecordSeed<'f> {
    fields: &'f Fields,
}

impl<'de> DeserializeSeed<'de> for RecordSeed<'_> {
    type Value = Record<'de>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Record<'de>, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for RecordSeed<'_> {
    type Value = Record<'de>;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a JSON object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Record<'de>, A::Error> {
        let mut record = Record::default();
        while let Some(name) = map.next_key_seed(Name { fields: self.fields })? {
            match name {
                None => {
                    map.next_value::<IgnoredAny>()?;
                }
                Some((role, rank)) => match map.next_value_seed(Scalar { role })? {
                    Value::Text(value) => record.set(role, rank, value),
                    Value::Nothing => {}
                    Value::Wrong(why) => record.doubt(role, why),
                },
            }
        }
        Ok(record)
    }
}

/// The name of a field, looked up at once so that it need not be kept.
struct Name<'f> {
    fields: &'f Fields,
}

impl<'de> DeserializeSeed<'de> for Name<'_> {
    type Value = Option<(Role, u8)>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl Visitor<'_> for Name<'_> {
    type Value = Option<(Role, u8)>;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a field name")
    }

    fn visit_str<E>(self, name: &str) -> Result<Self::Value, E> {
        Ok(self.fields.role(name))
    }
}

/// What a field holds.
enum Value<'de> {
    Text(Cow<'de, str>),
    Nothing,
    /// Something that its role cannot take: what is wrong with it.
    Wrong(String),
}

/// A text, or for other fields than the text a number as text; null as nothing; lists and objects where they hold texts.
struct Scalar {
    role: Role,
}

impl Scalar {
    fn number<'de, E: Error>(self, value: impl fmt::Display) -> Result<Value<'de>, E> {
        match self.role {
            Role::Text => Err(E::custom(format!("text: a text is wanted, got {value}"))),
            _ => Ok(Value::Text(Cow::Owned(value.to_string()))),
        }
    }

    /// What is no text costs the article where the text should be; elsewhere it costs the field.
    fn wrong<'de, E: Error>(self, got: &str) -> Result<Value<'de>, E> {
        let why = match self.role {
            Role::Published => format!("cannot read a date from {got}"),
            role => format!("{}: a text is wanted, got {got}", ROLES[role as usize].0),
        };
        if self.role == Role::Text {
            Err(E::custom(why))
        } else {
            Ok(Value::Wrong(why))
        }
    }
}

impl<'de> DeserializeSeed<'de> for Scalar {
    type Value = Value<'de>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Scalar {
    type Value = Value<'de>;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "text for the field {:?}", self.role)
    }

    fn visit_borrowed_str<E>(self, value: &'de str) -> Result<Self::Value, E> {
        Ok(Value::Text(Cow::Borrowed(value)))
    }

    fn visit_str<E>(self, value: &str) -> Result<Self::Value, E> {
        Ok(Value::Text(Cow::Owned(value.to_owned())))
    }

    fn visit_string<E>(self, value: String) -> Result<Self::Value, E> {
        Ok(Value::Text(Cow::Owned(value)))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Self::Value, E> {
        self.number(value)
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Self::Value, E> {
        self.number(value)
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Self::Value, E> {
        self.number(value)
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Self::Value, E> {
        self.number(value)
    }

    fn visit_unit<E>(self) -> Result<Self::Value, E> {
        Ok(Value::Nothing)
    }

    /// A list is taken where it is a list of texts (paragraphs); other fields take its first text.
    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
        let mut parts: Vec<String> = vec![];
        let mut others = false;
        while let Some(part) = seq.next_element_seed(Part)? {
            match part {
                Some(part) => parts.push(part),
                None => others = true,
            }
        }
        if others {
            return self.wrong("a list of other things than texts");
        }
        match self.role {
            Role::Text => Ok(Value::Text(Cow::Owned(parts.join("\n\n")))),
            Role::Published if parts.is_empty() => self.wrong("an empty list"),
            _ => Ok(parts.into_iter().next().map_or(Value::Nothing, |part| Value::Text(Cow::Owned(part)))),
        }
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let role = self.role;
        // an object where a text should be: a publisher with its name; a key, a date or a number of MongoDB
        let mut found = None;
        while let Some(key) = map.next_key::<Cow<str>>()? {
            match &*key {
                "name" | "$oid" | "$numberLong" if role != Role::Text => {
                    found = Some(map.next_value_seed(Scalar { role })?);
                }
                "$date" if role == Role::Published => {
                    found = Some(match map.next_value_seed(Scalar { role })? {
                        Value::Text(date) => Value::Text(milliseconds(&date).map_or(date, Cow::Owned)),
                        other => other,
                    });
                }
                _ => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        match found {
            Some(found) => Ok(found),
            None => self.wrong("an object"),
        }
    }
}

/// The text that a part of a list is; none for everything else.
struct Part;

impl<'de> DeserializeSeed<'de> for Part {
    type Value = Option<String>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Part {
    type Value = Option<String>;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a part of a list")
    }

    fn visit_str<E>(self, value: &str) -> Result<Self::Value, E> {
        Ok(Some(value.to_owned()))
    }

    fn visit_i64<E>(self, _: i64) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_u64<E>(self, _: u64) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_f64<E>(self, _: f64) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_bool<E>(self, _: bool) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_unit<E>(self) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
        while seq.next_element::<IgnoredAny>()?.is_some() {}
        Ok(None)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_found_escapes_undone_and_the_rest_passed_over() {
        let record = parse(
            br#"{"x": {"deep": [1, {}]}, "headline": "T", "body": "a\nb \u00fc", "id": 7, "publisher": {"name": "P"}, "date": null}"#,
            &Fields::default(),
        )
        .unwrap();
        assert_eq!(record.get(Role::Text), Some("a\nb ü"));
        assert_eq!(record.get(Role::Title), Some("T"));
        assert_eq!(record.get(Role::Id), Some("7"));
        assert_eq!(record.get(Role::Source), Some("P"));
        assert_eq!(record.get(Role::Published), None);
    }

    #[test]
    fn a_side_field_that_cannot_be_taken_is_a_doubt() {
        let doubts = |line: &str| {
            let record = parse(line.as_bytes(), &Fields::default()).unwrap();
            assert_eq!(record.get(Role::Text), Some("t"));
            record.published().1.map_or(String::new(), |(fault, why)| format!("{}: {why}", fault.name()))
        };
        assert_eq!(
            doubts(r#"{"title": ["x", 1], "text": "t"}"#),
            "unreadable field: title: a text is wanted, got a list of other things than texts"
        );
        assert_eq!(
            doubts(r#"{"source": {"x": [{}]}, "date": [], "text": "t"}"#),
            "unreadable date: cannot read a date from an empty list; source: a text is wanted, got an object"
        );
        assert_eq!(doubts(r#"{"date": [{"a": [1]}], "published": "2024-01-01", "text": "t"}"#), "");
        assert_eq!(doubts(r#"{"lang": null, "title": [], "source": {"name": 5}, "text": "t"}"#), "");
    }

    #[test]
    fn dates_of_databases_are_read() {
        for date in [
            r#"{"$date": "2024-01-01T00:00:00Z"}"#,
            r#"{"$date": 1704067200000}"#,
            r#"{"$date": {"$numberLong": "1704067200000"}}"#,
        ] {
            let line = format!(r#"{{"text": "t", "published": {date}}}"#);
            let record = parse(line.as_bytes(), &Fields::default()).unwrap();
            assert_eq!(record.published(), (1_704_067_200_000_000, None), "{date}");
        }
    }

    #[test]
    fn plain_lines_are_read_as_the_parser_reads_them() {
        for line in [
            r#"{"id": "1", "text": "a \"b\" \\ \/ \u00fc\u0041\t\r\n", "lang": null}"#,
            r#" { "text" : "a\ud83d\ude00\b" , "other" : "\u12" } "#,
            r#"{"text": "a\ud83d"}"#,
            r#"{"text": "a\u+041"}"#,
            r#"{"text": "unended}"#,
            r#"{"text": "twice", "text": "other"}"#,
            r#"{"text": "ü and more than sixteen bytes “of” text", "title": 7}"#,
            r#"{"text": "x", }"#,
            r#"{"text": "x"} {}"#,
            "{\"text\": \"tab\tinside\"}",
            "{\"text\":\x0c\"x\"}",
            "{}",
        ] {
            let Some(record) = plain(line, &Fields::default()) else {
                continue;
            };
            let mut reader = sonic_rs::Deserializer::from_str(line);
            let parsed = RecordSeed { fields: &Fields::default() }.deserialize(&mut reader).unwrap();
            reader.end().unwrap();
            assert_eq!(format!("{record:?}"), format!("{parsed:?}"), "{line}");
        }
        assert!(plain(r#"{"id": "1", "text": "a\n", "lang": null}"#, &Fields::default()).is_some());
    }

    #[test]
    fn deep_nesting_is_a_broken_line_and_not_the_end_of_the_process() {
        for opening in ["[", "{\"x\":"] {
            let line = format!("{{\"text\": \"t [[[\", \"x\": {}", opening.repeat(100_000));
            let found = parse(line.as_bytes(), &Fields::default()).map(|_| ()).map_err(|e| e.0);
            assert_eq!(found, Err(Fault::BrokenLine));
        }
        assert!(parse(br#"{"text": "t", "x": [[{"y": [1]}]]}"#, &Fields::default()).is_ok());
    }
}
