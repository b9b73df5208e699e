//! The record in a line of JSON.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, Visitor};
use sonic_rs::LazyValue;

use super::flat::flat;
use super::lines::TOO_LONG;
use super::value::{Scalar, Value, NOT_A_NUMBER};
use crate::input::record::{Fault, Fields, Record, Role};

/// The record of one line. Lines are JSON objects; fields without a role are ignored unless `fields` keeps them.
pub fn parse<'a>(line: &'a [u8], fields: &Fields) -> Result<Record<'a>, (Fault, String)> {
    if line == &TOO_LONG[..TOO_LONG.len() - 1] {
        return Err((Fault::TooLarge, "the line is longer than an article may be".into()));
    }
    let Ok(text) = simdutf8::basic::from_utf8(line) else {
        return Err((Fault::Encoding, "not UTF-8; name the encoding with --encoding".into()));
    };
    // the first line of a file may begin with a byte order mark
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    flat(text, fields).map_or_else(|| parsed(text, fields), Ok)
}

/// The record of a line that is not flat, or its fault.
pub(super) fn parsed<'a>(line: &'a str, fields: &Fields) -> Result<Record<'a>, (Fault, String)> {
    if depth(line.as_bytes()) > MAX_DEPTH {
        return Err((Fault::BrokenLine, format!("nested more than {MAX_DEPTH} deep")));
    }
    strict(line, fields).or_else(|fault| match finite(line) {
        Some(line) => strict(&line, fields).map(Record::into_owned).map_err(|_| fault),
        None => Err(fault),
    })
}

fn strict<'a>(line: &'a str, fields: &Fields) -> Result<Record<'a>, (Fault, String)> {
    let mut reader = sonic_rs::Deserializer::from_str(line);
    let record = RecordSeed { fields }.deserialize(&mut reader).map_err(|e| broken(&e))?;
    reader.end().map_err(|e| broken(&e))?;
    Ok(record)
}

/// Numbers that are not finite are no JSON, but many programs write them for missing values.
const NOT_FINITE: [&str; 3] = ["-Infinity", "Infinity", "NaN"];

/// The line with an object that no role accepts in place of each number that is not finite; None without any.
fn finite(line: &str) -> Option<String> {
    let mut out = String::new();
    let (mut text, mut escaped, mut from) = (false, false, 0);
    for (at, byte) in line.bytes().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if text => escaped = true,
            b'"' => text = !text,
            b'-' | b'I' | b'N' if !text && at >= from => {
                if let Some(name) = NOT_FINITE.into_iter().find(|name| line[at..].starts_with(name)) {
                    out.push_str(&line[from..at]);
                    out.push_str(&format!("{{\"{NOT_A_NUMBER}\":\"{name}\"}}"));
                    from = at + name.len();
                }
            }
            _ => {}
        }
    }
    (from > 0).then(|| out + &line[from..])
}

/// Maximum nesting depth of a line: the parser is recursive, and its stack is finite.
const MAX_DEPTH: usize = 128;

/// The nesting depth of a line, ignoring brackets in texts.
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

/// The parser's message without its excerpt and line number: to the parser every line is the first.
fn broken(error: &sonic_rs::Error) -> (Fault, String) {
    let text = error.to_string();
    (Fault::BrokenLine, text.lines().next().unwrap_or_default().trim().replace(" at line 1 column", " at column"))
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
                Key::Ignored => {
                    map.next_value::<IgnoredAny>()?;
                }
                Key::Other(name) => record.add_other(&name, &map.next_value::<LazyValue>()?.as_raw_cow()),
                Key::Role(role, rank) => match map.next_value_seed(Scalar { role })? {
                    Value::Text(value) => record.set(role, rank, value),
                    Value::Nothing => {}
                    Value::Wrong(why) => record.doubt(role, why),
                },
            }
        }
        Ok(record)
    }
}

/// What a field is, by its name.
enum Key {
    /// One of a role, with the rank of its name.
    Role(Role, u8),
    /// One without a role that is kept.
    Other(String),
    Ignored,
}

/// The name of a field, mapped to its role at once so that it need not be stored.
struct Name<'f> {
    fields: &'f Fields,
}

impl<'de> DeserializeSeed<'de> for Name<'_> {
    type Value = Key;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl Visitor<'_> for Name<'_> {
    type Value = Key;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a field name")
    }

    fn visit_str<E>(self, name: &str) -> Result<Self::Value, E> {
        Ok(match self.fields.role(name) {
            Some((role, rank)) => Key::Role(role, rank),
            None if self.fields.keeps_others => Key::Other(name.to_owned()),
            None => Key::Ignored,
        })
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
            "unreadable field: title: expected a text, got a list with values that are not texts"
        );
        assert_eq!(
            doubts(r#"{"source": {"x": [{}]}, "date": [], "text": "t"}"#),
            "unreadable date: cannot read a date from an empty list; source: expected a text, got an object"
        );
        assert_eq!(doubts(r#"{"date": [{"a": [1]}], "published": "2024-01-01", "text": "t"}"#), "");
        assert_eq!(doubts(r#"{"lang": null, "title": [], "source": {"name": 5}, "text": "t"}"#), "");
    }

    #[test]
    fn fields_without_a_role_are_kept_as_json_if_asked_for() {
        let line =
            r#"{"section": "sp\u006frts", "text": "t", "n": 1.50, "x": {"deep": [1, {}]}, "a\"": [NaN], "no": null}"#;
        let others = |fields: Fields| parse(line.as_bytes(), &fields).unwrap().others();
        assert_eq!(others(Fields::default()), None);
        assert_eq!(
            others(Fields::default().keeping_others()).unwrap(),
            r#"{"section":"sp\u006frts","n":1.50,"x":{"deep": [1, {}]},"a\"":[{"$notFinite":"NaN"}]}"#
        );
        let own = Fields::new(vec![("section".into(), Role::Source)]).keeping_others();
        assert_eq!(
            parse(br#"{"section": "a", "source": "b", "text": "t"}"#, &own).unwrap().others().unwrap(),
            r#"{"source":"b"}"#
        );
    }

    #[test]
    fn whole_numbers_of_any_length_are_ids_as_they_are_written() {
        for (id, text) in [
            ("18446744073709551616", "18446744073709551616"),
            ("18446744073709551617 ", "18446744073709551617"),
            ("-98765432109876543210987654321", "-98765432109876543210987654321"),
            ("7.0", "7"),
            ("25e-1", "2.5"),
            (r#""7\u0030""#, "70"),
            (r#"{"$numberLong": 18446744073709551617}"#, "18446744073709551617"),
            (r#"["first", "second"]"#, "first"),
        ] {
            for line in [format!(r#"{{"id":{id},"text":"t"}}"#), format!(r#"{{"text": "t", "id": {id}}}"#)] {
                let record = parse(line.as_bytes(), &Fields::default()).unwrap();
                assert_eq!(record.get(Role::Id), Some(text), "{line}");
            }
        }
        for wrong in ["-", "01", "1.5.2", "1x", "+1", "tru", "[1", "\"\\ud800\""] {
            let line = format!(r#"{{"id": {wrong}, "text": "t"}}"#);
            assert_eq!(parse(line.as_bytes(), &Fields::default()).unwrap_err().0, Fault::BrokenLine, "{line}");
        }
    }

    #[test]
    fn numbers_that_are_not_finite_cost_their_field_only() {
        let line = r#"{"date": NaN, "title": -Infinity, "text": "NaN \" -Infinity", "x": [Infinity, {"y": NaN}]}"#;
        let record = parse(line.as_bytes(), &Fields::default()).unwrap();
        assert_eq!(record.get(Role::Text), Some("NaN \" -Infinity"));
        assert_eq!(
            record.published().1,
            Some((Fault::BadDate, "cannot read a date from NaN; title: expected a text, got -Infinity".into()))
        );
        for broken in [r#"{"text": "t", "x": NaNa}"#, r#"{"text": "t", "x": -Infinit}"#, r#"{"text": "t" NaN}"#] {
            assert_eq!(parse(broken.as_bytes(), &Fields::default()).unwrap_err().0, Fault::BrokenLine, "{broken}");
        }
    }

    #[test]
    fn an_id_with_control_characters_is_no_id() {
        for id in [r"a\u0000b", r"\u001b[2J", r"a\nb", r"x\u0085y"] {
            let line = format!(r#"{{"id": "{id}", "text": "t"}}"#);
            let record = parse(line.as_bytes(), &Fields::default()).unwrap();
            assert_eq!(record.text(10, false).unwrap_err().0, Fault::BadId, "{id}");
        }
        let record = parse(br#"{"url": "http://x/\u001b", "text": "t"}"#, &Fields::default()).unwrap();
        assert_eq!((record.text(10, false).is_ok(), record.identity()), (true, ""));
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
    fn deep_nesting_is_a_broken_line_and_not_the_end_of_the_process() {
        for opening in ["[", "{\"x\":"] {
            let line = format!("{{\"text\": \"t [[[\", \"x\": {}", opening.repeat(100_000));
            let found = parse(line.as_bytes(), &Fields::default()).map(|_| ()).map_err(|e| e.0);
            assert_eq!(found, Err(Fault::BrokenLine));
        }
        assert!(parse(br#"{"text": "t", "x": [[{"y": [1]}]]}"#, &Fields::default()).is_ok());
    }
}
