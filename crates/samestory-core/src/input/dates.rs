//! Dates as news pages, mail and old software write them: "Wed Nov 25, 2009 11:05am EST", "25.11.2009 11:05".
//!
//! A date is read part by part, in any order in which no part is ambiguous. `03/04/2009` is not guessed: it is the
//! third of April or the fourth of March, so no date with its year after two slashes is read.

use jiff::civil;

const MICROSECONDS: i64 = 1_000_000;

/// Minutes ahead of UTC, by the name of a zone.
const ZONES: [(&str, i64); 29] = [
    ("ut", 0),
    ("utc", 0),
    ("gmt", 0),
    ("z", 0),
    ("wet", 0),
    ("west", 60),
    ("bst", 60),
    ("cet", 60),
    ("cest", 120),
    ("met", 60),
    ("mest", 120),
    ("eet", 120),
    ("eest", 180),
    ("msk", 180),
    ("trt", 180),
    ("ist", 330),
    ("jst", 540),
    ("kst", 540),
    ("est", -300),
    ("edt", -240),
    ("et", -300),
    ("cst", -360),
    ("cdt", -300),
    ("mst", -420),
    ("mdt", -360),
    ("pst", -480),
    ("pdt", -420),
    ("akst", -540),
    ("hst", -600),
];

const MONTHS: [&str; 12] = [
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
    "december",
];
const WEEKDAYS: [&str; 7] = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
/// Words between the parts of a date.
const FILLERS: [&str; 6] = ["at", "on", "of", "the", "-", "|"];
/// Maximum bytes of a date.
const MAX_DATE_BYTES: usize = 80;

/// The parts of a date read so far.
#[derive(Default)]
struct Parts {
    year: Option<i16>,
    month: Option<i8>,
    day: Option<i8>,
    /// Hour, minute, second, and microseconds.
    time: Option<(i8, i8, i8, i64)>,
    afternoon: Option<bool>,
    /// Minutes ahead of UTC.
    zone: Option<i64>,
}

/// Microseconds since 1970 of a written date; without a zone it is UTC.
pub fn written(value: &str) -> Option<i64> {
    // the header of a wire service ends in control characters and its own codes
    let value = value.trim_start().split(|letter: char| letter.is_control() && letter != '\t').next().unwrap_or("");
    if value.len() > MAX_DATE_BYTES || !value.is_ascii() {
        return None;
    }
    let mut parts = Parts::default();
    for part in value.to_ascii_lowercase().split([' ', ',', '\t', '(', ')']).filter(|part| !part.is_empty()) {
        parts.read(part)?;
    }
    parts.microseconds()
}

/// Sets a value that is not set yet; None if it is.
fn set<T>(place: &mut Option<T>, value: T) -> Option<()> {
    place.replace(value).is_none().then_some(())
}

/// A number whose count of digits is in a range.
fn digits(text: &str, length: std::ops::RangeInclusive<usize>) -> Option<i16> {
    let fits = length.contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
    fits.then(|| text.parse().ok())?
}

/// The index in a list of a name, which may be cut to three letters or more.
fn named(list: &[&str], name: &str) -> Option<usize> {
    let name = name.trim_end_matches('.');
    (name.len() >= 3).then(|| list.iter().position(|full| full.starts_with(name)))?
}

impl Parts {
    fn read(&mut self, part: &str) -> Option<()> {
        if FILLERS.contains(&part) || named(&WEEKDAYS, part).is_some() {
            return Some(());
        }
        if let Some(month) = named(&MONTHS, part) {
            return set(&mut self.month, month as i8 + 1);
        }
        if let Some(minutes) = zone(part) {
            // "+0300 (MSK)" names the zone twice
            self.zone.get_or_insert(minutes);
            return Some(());
        }
        match part {
            "am" | "a.m." => return set(&mut self.afternoon, false),
            "pm" | "p.m." => return set(&mut self.afternoon, true),
            _ => {}
        }
        if part.contains(':') || part.ends_with(['m']) {
            return self.clock(part);
        }
        for mark in ['-', '/', '.'] {
            if part.trim_end_matches('.').contains(mark) {
                return self.joined(part.trim_end_matches('.'), mark);
            }
        }
        self.number(part)
    }

    /// 25, 25th, 2009, 09
    fn number(&mut self, part: &str) -> Option<()> {
        if let Some(year) = digits(part, 4..=4) {
            return set(&mut self.year, year);
        }
        let bare = ["st", "nd", "rd", "th", "."].into_iter().find_map(|ending| part.strip_suffix(ending));
        let number = digits(bare.unwrap_or(part), 1..=2)?;
        if self.day.is_none() {
            return set(&mut self.day, number as i8);
        }
        // RFC 822 writes the year in two digits, after the month
        (part.len() == 2 && bare.is_none() && self.month.is_some()).then_some(())?;
        set(&mut self.year, full_year(number))
    }

    /// 2009-11-25, 2009/11/25, 25.11.2009, 25-Nov-09
    fn joined(&mut self, part: &str, mark: char) -> Option<()> {
        let mut fields = part.split(mark);
        let (first, second, third) = (fields.next()?, fields.next()?, fields.next()?);
        if fields.next().is_some() {
            return None;
        }
        if let Some(year) = digits(first, 4..=4) {
            set(&mut self.year, year)?;
            set(&mut self.month, digits(second, 1..=2)? as i8)?;
            return set(&mut self.day, digits(third, 1..=2)? as i8);
        }
        set(&mut self.day, digits(first, 1..=2)? as i8)?;
        match (mark, named(&MONTHS, second)) {
            (_, Some(month)) => {
                set(&mut self.month, month as i8 + 1)?;
                let short = digits(third, 2..=2).map(full_year);
                set(&mut self.year, short.or_else(|| digits(third, 4..=4))?)
            }
            ('.', None) => {
                set(&mut self.month, digits(second, 1..=2)? as i8)?;
                set(&mut self.year, digits(third, 4..=4)?)
            }
            _ => None,
        }
    }

    /// 11:05, 11:05:09.5, 11:05am, 11am
    fn clock(&mut self, part: &str) -> Option<()> {
        let clock = match (part.strip_suffix("am"), part.strip_suffix("pm")) {
            (Some(clock), _) => {
                set(&mut self.afternoon, false)?;
                clock
            }
            (_, Some(clock)) => {
                set(&mut self.afternoon, true)?;
                clock
            }
            _ if part.contains(':') => part,
            _ => return None,
        };
        // the zone may follow directly: 11:05:00+0300, 11:05z
        let end = clock.find(|c: char| !c.is_ascii_digit() && c != ':' && c != '.').unwrap_or(clock.len());
        let (clock, behind) = clock.split_at(end);
        if !behind.is_empty() {
            set(&mut self.zone, zone(behind)?)?;
        }
        let mut fields = clock.split(':');
        let hour = digits(fields.next()?, 1..=2)? as i8;
        let minute = fields.next().map_or(Some(0), |field| digits(field, 2..=2))? as i8;
        let (second, fraction) = fields.next().map_or(("00", ""), |field| field.split_once('.').unwrap_or((field, "")));
        let fraction = match fraction.len() {
            0 => 0,
            length @ 1..=6 => i64::from(fraction.parse::<u32>().ok()?) * 10i64.pow(6 - length as u32),
            _ => fraction[..6].parse().ok()?,
        };
        if fields.next().is_some() {
            return None;
        }
        set(&mut self.time, (hour, minute, digits(second, 2..=2)? as i8, fraction))
    }

    fn microseconds(&self) -> Option<i64> {
        let (mut hour, minute, second, fraction) = match (self.time, self.afternoon) {
            (None, Some(_)) => return None,
            (time, _) => time.unwrap_or_default(),
        };
        if let Some(afternoon) = self.afternoon {
            (1..=12).contains(&hour).then_some(())?;
            hour = hour % 12 + 12 * i8::from(afternoon);
        }
        let at = civil::DateTime::new(self.year?, self.month?, self.day?, hour, minute, second.min(59), 0).ok()?;
        let seconds = at.to_zoned(jiff::tz::TimeZone::UTC).ok()?.timestamp().as_second();
        Some((seconds - 60 * self.zone.unwrap_or(0)) * MICROSECONDS + fraction)
    }
}

/// The year of two digits, by the rule of RFC 2822.
fn full_year(year: i16) -> i16 {
    year + if year < 50 { 2000 } else { 1900 }
}

/// EST, +0300, GMT+3: minutes ahead of UTC.
fn zone(text: &str) -> Option<i64> {
    let named = ZONES.iter().find(|(name, _)| *name == text).map(|(_, minutes)| *minutes);
    named.or_else(|| ["gmt", "utc", ""].into_iter().find_map(|name| offset(text.strip_prefix(name)?)))
}

/// +0300, -05:00, +3: minutes ahead of UTC.
fn offset(text: &str) -> Option<i64> {
    let (sign, rest) = match text.as_bytes().first()? {
        b'+' => (1, &text[1..]),
        b'-' => (-1, &text[1..]),
        _ => return None,
    };
    let (hours, minutes) = match rest.split_once(':') {
        Some((hours, minutes)) => (digits(hours, 1..=2)?, digits(minutes, 2..=2)?),
        None if rest.len() == 4 => (digits(&rest[..2], 2..=2)?, digits(&rest[2..], 2..=2)?),
        None => (digits(rest, 1..=2)?, 0),
    };
    (hours <= 14 && minutes < 60).then_some(sign * (60 * i64::from(hours) + i64::from(minutes)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_read_in_every_form() {
        let at = Some(1_259_165_100 * MICROSECONDS); // 2009-11-25T16:05:00Z
        for form in [
            "Wed Nov 25, 2009 11:05am EST",
            "Nov 25, 2009 4:05 PM",
            "November 25th, 2009 at 04:05 p.m. GMT",
            "25 Nov 2009 16:05",
            "25 November 2009, 16:05:00",
            "25.11.2009 16:05",
            "25.11.2009 18:05 EET",
            "2009/11/25 16:05",
            "2009-11-25 11:05 EST",
            "2009-11-25 04:05:00 PM",
            "Wed Nov 25 11:05:00 EST 2009",
            "Wed Nov 25 16:05:00 2009",
            "Wed, 25 Nov 09 11:05 EST",
            "Wed, 25 Nov 2009 11:05:00 EST",
            "Wed, 25 Nov 2009 18:05:00 EET",
            "Wednesday, 25-Nov-09 16:05:00 GMT",
            "Wed, 25 Nov 2009 19:05:00 +0300 (MSK)",
            "Wed, 25 Nov 2009 19:05:00 GMT+3",
            "Nov. 25, 2009 16:05:00.000Z",
            "25-NOV-2009 16:05:00.00\u{5}\u{5}\u{5}RM",
        ] {
            assert_eq!(written(form), at, "{form}");
        }
        assert_eq!(written("25 Nov 2009 16:05:00.25"), at.map(|at| at + 250_000));
        assert_eq!(written("25 Nov 2009 12am"), written("25.11.2009"));
        assert_eq!(written("25 Nov 2009 12:30pm"), written("25.11.2009 12:30"));
    }

    #[test]
    fn a_day_alone_is_its_first_moment_in_utc() {
        let day = Some(1_259_107_200 * MICROSECONDS);
        for form in ["25 Nov 2009", "November 25, 2009", "25.11.2009", "2009/11/25", "Wed Nov 25, 2009", "25-Nov-2009"]
        {
            assert_eq!(written(form), day, "{form}");
        }
    }

    #[test]
    fn what_is_not_clear_is_not_guessed() {
        for form in [
            "03/04/2009",
            "25/12/2009",
            "11-25-2009",
            "11.25.2009",
            "Nov 25",
            "November 2009",
            "25 Nov 2009 25:00",
            "25 Nov 2009 13:05pm",
            "31 Feb 2009",
            "25 25 Nov 2009",
            "Nov Dec 25 2009",
            "25 Nov 2009 pm",
            "today at 5pm",
            "mo 25 Nov 2009",
            "25 Nov 2009 11:05 XYZ",
            "25 Nov 2009 11:05 +9999",
            "2009",
            "EST",
            "",
            "m",
            "::",
            "-",
            "..",
            "9999-12-31T23:59:59Z",
            "25 Nov 2009 11:05:00-11:05:00",
        ] {
            assert_eq!(written(form), None, "{form}");
        }
    }

    #[test]
    fn no_text_is_too_strange() {
        let pieces = [
            "25", "2009", "nov", "11:05", "am", "pm", ":", "-", ".", "+", "/", "t", "z", "gmt", " ", ",", "th", "0",
            "(",
        ];
        let mut state = 7u64;
        for _ in 0..20_000 {
            let mut text = String::new();
            for _ in 0..state % 9 {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                text.push_str(pieces[(state >> 33) as usize % pieces.len()]);
            }
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let _ = written(&text);
        }
    }
}
