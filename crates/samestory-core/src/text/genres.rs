//! Columns, letters, live blogs and digests: articles that report no single event.
//!
//! They are recognised by phrases in their titles (genres.txt), and live blogs also by lines that begin with clock times.

use std::collections::HashMap;
use std::sync::OnceLock;

use unicode_normalization::char::is_combining_mark;
use unicode_normalization::UnicodeNormalization;

use super::headlines::headline;

const PHRASES: &str = include_str!("genres.txt");
/// The line of the table for all languages.
const ANY_LANGUAGE: &str = "any";
/// A part of a title with more bytes or more words is no phrase of the table.
const MAX_PHRASE_BYTES: usize = 120;
const MAX_PHRASE_WORDS: usize = 6;
/// Minimum number of lines with clock times in a live blog.
const MIN_CLOCK_LINES: usize = 5;

/// The phrases by language, in comparable form.
fn phrases() -> &'static HashMap<&'static str, Vec<String>> {
    static TABLE: OnceLock<HashMap<&'static str, Vec<String>>> = OnceLock::new();
    TABLE.get_or_init(|| {
        let lines = PHRASES.lines().filter(|line| !line.starts_with('#'));
        let rows = lines.filter_map(|line| line.split_once(": "));
        rows.map(|(language, names)| (language, names.split(" / ").map(comparable).collect())).collect()
    })
}

/// A phrase without case, accents and the dots of "İ" and "i", with single spaces.
fn comparable(phrase: &str) -> String {
    let letters = phrase.nfd().filter(|&letter| !is_combining_mark(letter)).flat_map(char::to_lowercase);
    let plain: String = letters
        .filter(|&letter| !is_combining_mark(letter))
        .map(|letter| match letter {
            'ı' => 'i',
            '’' => '\'',
            other => other,
        })
        .collect();
    plain.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Whether an article in this language is a column, a letter, a live blog or a digest. The first line of a text counts as its
/// title if it has none.
pub fn is_column_or_digest(language: &str, title: &str, text: &str) -> bool {
    let title = headline(Some(title), text).trim();
    let may_be_phrase =
        |part: &str| part.len() <= MAX_PHRASE_BYTES && part.split_whitespace().nth(MAX_PHRASE_WORDS).is_none();
    let is_phrase = |part: &str| may_be_phrase(part) && has_phrase(language, part);
    is_phrase(first_part(title)) || last_part(title).is_some_and(is_phrase) || has_clock_lines(text)
}

/// Whether this is a phrase of the language; an unknown language has those of all.
fn has_phrase(language: &str, part: &str) -> bool {
    let (table, part) = (phrases(), comparable(part));
    let in_line = |line: &str| table.get(line).is_some_and(|phrases| phrases.contains(&part));
    match language.is_empty() {
        true => table.keys().any(|line| in_line(line)),
        false => in_line(language) || in_line(ANY_LANGUAGE),
    }
}

/// What stands before the first mark of a title, or all of it.
fn first_part(title: &str) -> &str {
    let title = title.trim_start_matches(|letter: char| !letter.is_alphanumeric());
    let is_mark = |at: usize, mark: char| {
        let before_space = title[at + mark.len_utf8()..].chars().next().is_none_or(char::is_whitespace);
        match mark {
            ':' | '：' | '|' | '[' | ']' => true,
            '.' | '!' | '–' | '—' => before_space,
            // "COLUMN-Oil prices", "Kommentar - Die Brücke", and no "Op-ed"
            '-' => before_space || !title[..at].contains(char::is_lowercase),
            _ => false,
        }
    };
    let end = title.char_indices().find(|&(at, letter)| is_mark(at, letter)).map_or(title.len(), |(at, _)| at);
    &title[..end]
}

/// What stands behind the last bar or dash of a title: "Parliament votes – live".
fn last_part(title: &str) -> Option<&str> {
    let marks = [" | ", " – ", " — ", " - "];
    marks.iter().filter_map(|mark| title.rfind(mark).map(|at| at + mark.len())).max().map(|start| &title[start..])
}

/// Whether enough lines begin with times of day that only grow, or only shrink.
fn has_clock_lines(text: &str) -> bool {
    let times: Vec<u32> = text.lines().filter_map(clock).collect();
    times.len() >= MIN_CLOCK_LINES && (times.is_sorted() || times.iter().rev().is_sorted())
}

/// The minute of the day with which a line begins, if text follows: "14:05 The verdict is due", "[9:30am] Doors open".
fn clock(line: &str) -> Option<u32> {
    let line =
        line.trim_start_matches(|letter: char| letter.is_whitespace() || matches!(letter, '[' | '(' | '•' | '*' | '-'));
    let (hours, rest) = number(line)?;
    let mark = rest.chars().next().filter(|mark| matches!(mark, ':' | '.' | 'h'))?;
    let (minutes, rest) = number(&rest[1..])?;
    let is_time = hours < 24 && minutes < 60 && rest.len() + 2 == line.len() - line.find(mark)? - 1;
    let rest = rest.strip_prefix("am").or_else(|| rest.strip_prefix("pm")).unwrap_or(rest);
    let rest = rest.trim_start_matches([']', ')']);
    // a full stop stands in prices and shares, too: "12.50 euros"
    let is_named = rest.trim_start().starts_with(['–', '—', '-', ':']) || rest.trim_start().starts_with("Uhr");
    let goes_on = match mark {
        '.' => is_named,
        _ => rest.is_empty() || rest.starts_with(char::is_whitespace) || is_named,
    };
    (is_time && goes_on).then_some(60 * hours + minutes)
}

/// The number of one or two digits with which a text begins, and what follows.
fn number(text: &str) -> Option<(u32, &str)> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    (1..=2).contains(&digits).then(|| (text[..digits].parse().unwrap_or(0), &text[digits..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_of_columns_letters_live_blogs_and_digests_are_recognised() {
        for (language, title) in [
            ("en", "Opinion: the bridge we need"),
            ("en", "LIVE | Storm reaches the coast"),
            ("en", "Letters to the editor"),
            ("en", "[LIVE] Parliament votes"),
            ("en", "COLUMN-Oil prices and the weather"),
            ("en", "Parliament votes – as it happened"),
            ("en", "The bridge we need | Opinion"),
            ("tr", "CANLI: Meclis oylaması"),
            ("tr", "YORUM | Köprü ne zaman biter?"),
            ("ru", "Мнение: мост не нужен"),
            ("fr", "En\u{a0}direct : la tempête"),
            ("fr", "E\u{301}dito: la tempête"),
            ("de", "Kommentar - Die Brücke"),
            ("el", "ΑΠΟΨΗ: η γέφυρα"),
            ("zh", "LIVE：議會表決"),
            ("", "Kommentar: Die Brücke"),
        ] {
            assert!(is_column_or_digest(language, title, ""), "{title}");
        }
        assert!(is_column_or_digest("en", "", "LIVE: Storm reaches the coast\nThe harbour is closed."));
    }

    #[test]
    fn no_phrase_is_longer_than_what_is_looked_up() {
        for phrase in phrases().values().flatten() {
            assert!(phrase.len() <= MAX_PHRASE_BYTES && phrase.split(' ').count() <= MAX_PHRASE_WORDS, "{phrase}");
        }
    }

    #[test]
    fn reports_are_not() {
        for (language, title) in [
            ("en", "Opinion polls show a tie"),
            ("en", "Live music returns to the old mill"),
            ("en", "Comment by minister angers farmers"),
            ("en", "Letter (bomb) sent to mayor"),
            ("en", "Live/work units approved"),
            ("en", "Live.com goes down"),
            ("en", "Tribune: staff to strike"),
            ("da", "Kort: Her falder sneen"),
            ("tr", "Canlı hayvan ihracatı durdu"),
            ("ru", "Онлайн-магазин закрылся"),
            ("en", "Brent crude: prices rise"),
            ("en", ""),
            ("en", "!!!"),
        ] {
            let text = "At 10:05 the bridge was closed.\n12:30 trains stopped.";
            assert!(!is_column_or_digest(language, title, text), "{title}");
        }
        assert!(!is_column_or_digest("en", &"é".repeat(100_000), ""));
    }

    #[test]
    fn live_blogs_have_lines_that_begin_with_clock_times() {
        let blog = "9:05 Doors open\n\n  9.30 – First speech\n[10:00am] Vote\n• 10:15 Break\n11:40\nResult";
        assert!(is_column_or_digest("en", "Council meets", blog));
        let newest_first: Vec<&str> = blog.lines().rev().collect();
        assert!(is_column_or_digest("en", "Council meets", &newest_first.join("\n")));
        assert!(!is_column_or_digest("en", "Scores", "9:05 a\n12:10 b\n8:00 c\n14:20 d\n7:30 e"));
    }

    #[test]
    fn prices_scores_and_shares_are_no_clock_times() {
        for line in
            ["12.50 euros", "2.50 million", "10.25 %", "25:21 first set", "88:45 A", "9.58 Bolt", "3:1 goals", "10:05x"]
        {
            assert_eq!(clock(line), None, "{line}");
        }
        assert_eq!(clock("14:05 The verdict is due"), Some(14 * 60 + 5));
        assert_eq!(clock("9.30 Uhr Beginn"), Some(9 * 60 + 30));
    }
}
