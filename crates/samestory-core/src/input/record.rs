//! One article as read: its fields by role, and the faults it may have.

use std::borrow::Cow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;

use jiff::{civil, fmt::rfc2822, tz::TimeZone, Timestamp};

use crate::base::time::NO_TIME;
use crate::input::dates;

/// The meaning of a field of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    Id,
    Title,
    Text,
    Published,
    Url,
    Source,
    Lang,
}

pub const ROLES: [(&str, Role); 7] = [
    ("id", Role::Id),
    ("title", Role::Title),
    ("text", Role::Text),
    ("published", Role::Published),
    ("url", Role::Url),
    ("source", Role::Source),
    ("lang", Role::Lang),
];

/// The usual names of fields, best first: if a record has two names for one role, the earlier one with a non-blank
/// value counts.
pub const NAMES: [(Role, &[&str]); 7] = [
    (Role::Id, &["id", "_id", "guid", "uuid", "doc_id", "article_id"]),
    (Role::Title, &["title", "headline", "header"]),
    (Role::Text, &["text", "body", "content", "article", "maintext", "full_text", "articlebody"]),
    (
        Role::Published,
        &[
            "published", "date", "pubdate", "published_at", "datepublished", "publish_date", "date_publish",
            "timestamp", "time", "created_at",
        ],
    ),
    (Role::Url, &["url", "link", "href"]),
    (Role::Source, &["source", "publisher", "site", "domain", "outlet", "feed", "source_domain"]),
    (Role::Lang, &["lang", "language", "locale"]),
];

/// Maps field names to roles.
#[derive(Clone, Debug, Default)]
pub struct Fields {
    own: Vec<Own>,
    pub keeps_others: bool,
}

/// A field name set by the user, and whether any record has had it.
#[derive(Clone, Debug)]
struct Own {
    name: String,
    role: Role,
    has_matched: Arc<AtomicBool>,
}

impl Fields {
    /// `own` maps roles to the user's field names; a role mapped there is read from that field only.
    pub fn new(own: Vec<(String, Role)>) -> Self {
        let own = own.into_iter().map(|(name, role)| Own { name, role, has_matched: Arc::default() }).collect();
        Fields { own, ..Fields::default() }
    }

    /// The same, for records that keep their fields without a role.
    pub fn keeping_others(self) -> Self {
        Fields { keeps_others: true, ..self }
    }

    /// The user's names that no record has had so far.
    pub fn unmatched(&self) -> Vec<&str> {
        self.own.iter().filter(|own| !own.has_matched.load(Ordering::Relaxed)).map(|own| own.name.as_str()).collect()
    }

    /// Has the user named the field of this role?
    pub fn names(&self, role: Role) -> bool {
        self.own.iter().any(|own| own.role == role)
    }

    /// The role of a field and the rank of its name (less is better).
    pub fn role(&self, name: &str) -> Option<(Role, u8)> {
        if let Some(own) = self.own.iter().find(|own| own.name == name) {
            if !own.has_matched.load(Ordering::Relaxed) {
                own.has_matched.store(true, Ordering::Relaxed);
            }
            return Some((own.role, 0));
        }
        let found = match name {
            // the names that nearly every file uses, matched without a search
            "id" => (Role::Id, 1),
            "title" => (Role::Title, 1),
            "text" => (Role::Text, 1),
            "published" => (Role::Published, 1),
            "date" => (Role::Published, 2),
            "url" => (Role::Url, 1),
            "source" => (Role::Source, 1),
            "lang" => (Role::Lang, 1),
            _ => {
                let mut found = None;
                for (role, names) in NAMES {
                    if let Some(rank) = names.iter().position(|n| n.eq_ignore_ascii_case(name)) {
                        found = Some((role, rank as u8 + 1));
                    }
                }
                found?
            }
        };
        (!self.names(found.0)).then_some(found)
    }
}

/// The fields of one article, borrowed from the line where nothing had to be unescaped.
#[derive(Debug, Default)]
pub struct Record<'a> {
    values: [Option<Cow<'a, str>>; 7],
    ranks: [u8; 7],
    /// Fields that are present but unusable for their role, with the reason.
    wrong: Vec<(Role, String)>,
    /// Fields without a role, if they are kept: the members of a JSON object.
    others: String,
}

/// Is a text empty or only white space?
fn is_blank(text: &str) -> bool {
    text.chars().all(char::is_whitespace)
}

impl<'a> Record<'a> {
    pub fn set(&mut self, role: Role, rank: u8, value: Cow<'a, str>) {
        let at = role as usize;
        let better = match &self.values[at] {
            None => true,
            Some(there) => (is_blank(&value), rank) < (is_blank(there), self.ranks[at]),
        };
        if better {
            self.values[at] = Some(value);
            self.ranks[at] = rank;
        }
    }

    /// The value of a role, unless it is blank.
    fn non_blank(&self, role: Role) -> Option<&str> {
        self.get(role).filter(|value| !is_blank(value))
    }

    /// Records that a field is present but unusable for its role.
    pub fn doubt(&mut self, role: Role, why: String) {
        self.wrong.push((role, why));
    }

    /// Keeps a field without a role; its value is JSON.
    pub fn add_other(&mut self, name: &str, value: &str) {
        if value != "null" {
            let name = sonic_rs::to_string(name).expect("a text is JSON");
            self.others.extend([if self.others.is_empty() { "" } else { "," }, &name, ":", value]);
        }
    }

    /// The fields without a role that were kept, as a JSON object.
    pub fn others(&self) -> Option<String> {
        (!self.others.is_empty()).then(|| format!("{{{}}}", self.others))
    }

    pub fn get(&self, role: Role) -> Option<&str> {
        self.values[role as usize].as_deref()
    }

    /// The text, if this is an article of at most `largest` bytes; `empty` allows an empty text. Without a text, as in
    /// short news, the headline is the text.
    pub fn text(&self, largest: usize, empty: bool) -> Result<&str, (Fault, String)> {
        // an id is printed, and is a part of lines and keys
        if let Some(id) = self.non_blank(Role::Id).filter(|id| id.contains(char::is_control)) {
            return Err((Fault::BadId, format!("the id {:?} contains control characters", shorten(id, 200))));
        }
        let own = self.non_blank(Role::Text);
        if let Some((_, why)) = self.wrong.iter().find(|(role, _)| own.is_none() && *role == Role::Text) {
            return Err((Fault::BrokenLine, why.clone()));
        }
        let Some(text) = own.or(self.non_blank(Role::Title)) else {
            return match self.get(Role::Text) {
                None => Err((Fault::NoText, "the record has neither a text nor a title".into())),
                Some(_) if !empty => Err((Fault::EmptyText, "the text is empty".into())),
                Some(text) => Ok(text),
            };
        };
        if text.len() > largest {
            return Err((Fault::TooLarge, format!("{} bytes of text, {largest} allowed (--largest)", text.len())));
        }
        Ok(text)
    }

    /// Its id, or its URL; empty if it has neither and is identified by its position.
    pub fn identity(&self) -> &str {
        let url = || self.non_blank(Role::Url).filter(|url| !url.contains(char::is_control));
        self.non_blank(Role::Id).or_else(url).unwrap_or("")
    }

    /// The record without borrowed values.
    pub fn into_owned(self) -> Record<'static> {
        let values = self.values.map(|value| value.map(|value| Cow::Owned(value.into_owned())));
        Record { values, ranks: self.ranks, wrong: self.wrong, others: self.others }
    }

    /// The publication time, `NO_TIME` without one; and the fault of the fields that are present but left out.
    pub fn published(&self) -> (i64, Option<(Fault, String)>) {
        let given = self.get(Role::Published).map(str::trim).filter(|value| !value.is_empty());
        let at = given.map(time);
        if self.wrong.is_empty() && at != Some(None) {
            return (at.flatten().unwrap_or(NO_TIME), None);
        }
        // an unusable field is no loss if another one has the same role
        let lost = |role: Role| role != Role::Text && self.non_blank(role).is_none();
        let mut wrong: Vec<_> = self.wrong.iter().filter(|(role, _)| lost(*role)).cloned().collect();
        if let (Some(value), Some(None)) = (given, at) {
            wrong.push((Role::Published, format!("cannot read the date {:?}", shorten(value, 40))));
        }
        wrong.sort_by_key(|(role, _)| *role != Role::Published);
        let fault = wrong.first().map(|(role, _)| match role {
            Role::Published => Fault::BadDate,
            _ => Fault::BadField,
        });
        let why: Vec<String> = wrong.into_iter().map(|(_, why)| why).collect();
        (at.flatten().unwrap_or(NO_TIME), fault.map(|fault| (fault, why.join("; "))))
    }
}

/// The beginning of a value, for a message.
pub(crate) fn shorten(value: &str, most: usize) -> String {
    let mut short: String = value.chars().take(most).collect();
    if short.len() < value.len() {
        short.push('…');
    }
    short
}

/// Why an input was rejected, or kept with a warning.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Fault {
    BrokenLine,
    Encoding,
    NoText,
    EmptyText,
    DuplicateId,
    BadId,
    TooLarge,
    /// In a folder: a file with another extension.
    NotText,
    /// In a folder: a link to a file outside of it.
    OutsideLink,
    /// A record that cannot be read because a part of its file is damaged.
    Damaged,
    /// A file that cannot be opened, or that breaks off.
    Unreadable,
    /// The article is kept, without its date.
    BadDate,
    /// The article is kept, without this field.
    BadField,
}

impl Fault {
    pub const ALL: [Fault; 13] = [
        Fault::BrokenLine,
        Fault::Encoding,
        Fault::NoText,
        Fault::EmptyText,
        Fault::DuplicateId,
        Fault::BadId,
        Fault::TooLarge,
        Fault::NotText,
        Fault::OutsideLink,
        Fault::Damaged,
        Fault::Unreadable,
        Fault::BadDate,
        Fault::BadField,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Fault::BrokenLine => "broken line",
            Fault::Encoding => "wrong encoding",
            Fault::NoText => "no text",
            Fault::EmptyText => "empty text",
            Fault::DuplicateId => "duplicate id",
            Fault::BadId => "bad id",
            Fault::TooLarge => "too large",
            Fault::NotText => "not a text",
            Fault::OutsideLink => "outside link",
            Fault::Damaged => "damaged",
            Fault::Unreadable => "unreadable",
            Fault::BadDate => "unreadable date",
            Fault::BadField => "unreadable field",
        }
    }

    pub fn parse(name: &str) -> Option<Fault> {
        Fault::ALL.into_iter().find(|fault| fault.name() == name)
    }

    pub fn is_kept(self) -> bool {
        matches!(self, Fault::BadDate | Fault::BadField)
    }
}

/// The years that a date may have, 1 to 9999, in microseconds: the range that all calendars in use support.
const YEARS: std::ops::RangeInclusive<i64> = -62_135_596_800_000_000..=253_402_300_799_999_999;

/// Parses the date formats used in news: ISO 8601 (with or without time and zone; without zone: UTC), RFC 2822, digits
/// of a calendar (20240101123000), seconds or milliseconds since 1970, and dates in words (see `dates`).
pub fn time(value: &str) -> Option<i64> {
    any_time(value).filter(|at| YEARS.contains(at))
}

fn any_time(value: &str) -> Option<i64> {
    let value = value.trim();
    if let Some(digits) = calendar(value) {
        return digits.to_zoned(TimeZone::UTC).ok().map(|z| z.timestamp().as_microsecond());
    }
    // the zone may be separate: "2024-01-01 00:00:00 +0300", "… UTC"
    let spaced = match value.rsplit_once(' ') {
        Some((local, "UTC" | "GMT" | "Z" | "utc" | "gmt")) => format!("{}Z", local.trim_end().replacen(' ', "T", 1)),
        Some((local, zone)) if zone.starts_with(['+', '-']) && local.contains(':') => {
            format!("{}{zone}", local.trim_end().replacen(' ', "T", 1))
        }
        _ => value.replacen(' ', "T", 1),
    };
    if let Ok(at) = value.parse::<Timestamp>().or_else(|_| spaced.parse::<Timestamp>()) {
        return Some(at.as_microsecond());
    }
    if let Ok(local) = value.parse::<civil::DateTime>().or_else(|_| spaced.parse()) {
        return local.to_zoned(TimeZone::UTC).ok().map(|z| z.timestamp().as_microsecond());
    }
    if let Ok(day) = value.parse::<civil::Date>() {
        return day.to_zoned(TimeZone::UTC).ok().map(|z| z.timestamp().as_microsecond());
    }
    if let Ok(at) = rfc2822::parse(value) {
        return Some(at.timestamp().as_microsecond());
    }
    let Ok(number) = value.parse::<f64>() else {
        return dates::written(value);
    };
    if !(number.is_finite() && number.abs() >= 1e8) {
        return None;
    }
    // seconds until the year 5138, milliseconds from 1973 on
    let seconds = if number.abs() >= 1e11 { number / 1e3 } else { number };
    (seconds.abs() < 1e11).then_some((seconds * 1e6) as i64)
}

/// The time in 14 or 12 digits of a calendar, YYYYMMDDHHMMSS or YYYYMMDDHHMM, in this century or the last. They are not
/// read as milliseconds, which would be before 1977 or after 2570.
fn calendar(value: &str) -> Option<civil::DateTime> {
    let wanted = matches!(value.len(), 12 | 14) && (value.starts_with("19") || value.starts_with("20"));
    if !wanted || !value.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let part = |at: usize| value.get(at..at + 2).map_or(Some(0), |digits| digits.parse::<i8>().ok());
    let year = value[..4].parse().ok()?;
    civil::DateTime::new(year, part(4)?, part(6)?, part(8)?, part(10)?, part(12)?, 0).ok()
}

/// Milliseconds since 1970, as stored by databases, as a date that `time` parses.
pub fn milliseconds(value: &str) -> Option<String> {
    Timestamp::from_millisecond(value.parse().ok()?).ok().map(|at| at.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_of_every_usual_form_are_one() {
        let at = Some(1_704_067_200_000_000);
        for form in [
            "2024-01-01T00:00:00Z",
            "2024-01-01T03:00:00+03:00",
            "2024-01-01 00:00:00",
            "2024-01-01T00:00",
            "2024-01-01",
            "Mon, 01 Jan 2024 00:00:00 GMT",
            "1704067200",
            "1704067200000",
            "20240101000000",
            "202401010000",
            "20240101",
            "2024-01-01 00:00:00 UTC",
            "2024-01-01 00:00 GMT",
            "2024-01-01 03:00:00 +0300",
            "2024-01-01 03:00:00 +03:00",
            "2023-12-31T19:00:00 -05:00",
            "Sun Dec 31, 2023 7:00pm EST",
            "Mon Jan 1 03:00:00 TRT 2024",
            "01.01.2024",
            "2024/01/01",
            "January 1, 2024",
        ] {
            assert_eq!(time(form), at, "{form}");
        }
        for wrong in [
            "", "yesterday", "2024-13-01", "12", "-90000000000", "-000001-01-01", "1e300", "inf", "2024 UTC", "UTC",
            "03/04/2009",
        ] {
            assert_eq!(time(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn a_headline_is_the_text_of_what_has_none() {
        let text = |values: &[(Role, &'static str)], empty| {
            let mut record = Record::default();
            values.iter().for_each(|&(role, value)| record.set(role, 0, value.into()));
            record.text(10, empty).map(str::to_owned).map_err(|(fault, _)| fault)
        };
        let said = |text: &str| Ok(text.to_owned());
        for empty in [false, true] {
            assert_eq!(text(&[(Role::Title, "T")], empty), said("T"));
            assert_eq!(text(&[(Role::Title, "T"), (Role::Text, " ")], empty), said("T"));
            assert_eq!(text(&[(Role::Title, "T"), (Role::Text, "words")], empty), said("words"));
            assert_eq!(text(&[(Role::Title, "eleven long")], empty), Err(Fault::TooLarge));
            assert_eq!(text(&[(Role::Title, " ")], empty), Err(Fault::NoText));
        }
        assert_eq!(text(&[(Role::Title, " "), (Role::Text, "")], false), Err(Fault::EmptyText));
        assert_eq!(text(&[(Role::Title, " "), (Role::Text, "")], true), said(""));
        let mut record = Record::default();
        record.set(Role::Title, 0, "T".into());
        record.doubt(Role::Text, "a number".into());
        assert_eq!(record.text(10, true), Err((Fault::BrokenLine, "a number".into())));
    }

    #[test]
    fn the_users_names_come_first_and_alone() {
        let fields = Fields::new(vec![("Meldung".into(), Role::Text)]);
        assert_eq!(fields.role("Meldung"), Some((Role::Text, 0)));
        assert_eq!(fields.role("text"), None);
        assert_eq!(fields.role("pubDate").map(|x| x.0), Some(Role::Published));
        assert_eq!(fields.role("HEADLINE").map(|x| x.0), Some(Role::Title));
        assert_eq!(fields.role("colour"), None);
        assert!(fields.unmatched().is_empty());
        assert_eq!(Fields::new(vec![("Datum".into(), Role::Published)]).unmatched(), ["Datum"]);
    }
}
