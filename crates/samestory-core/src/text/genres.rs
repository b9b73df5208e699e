//! Columns, letters, live blogs and digests: articles that report no single event.
//!
//! They are recognised by what their titles begin with (genres.txt), and live blogs also by lines that begin with clock times.

use std::collections::HashSet;
use std::sync::OnceLock;

const PHRASES: &str = include_str!("genres.txt");
/// The most letters of a phrase.
const MAX_PHRASE: usize = 40;
/// So many lines that begin with a clock time make a live blog.
const MIN_CLOCK_LINES: usize = 5;

fn phrases() -> &'static HashSet<&'static str> {
    static PHRASES_SET: OnceLock<HashSet<&'static str>> = OnceLock::new();
    PHRASES_SET.get_or_init(|| {
        let lines = PHRASES.lines().filter(|line| !line.starts_with('#'));
        lines.filter_map(|line| line.split_once(": ")).flat_map(|(_, names)| names.split(" / ")).collect()
    })
}

/// Whether an article is a column, a letter, a live blog or a digest.
pub fn is_column_or_digest(title: &str, text: &str) -> bool {
    has_phrase(title) || has_clock_lines(text)
}

fn has_phrase(title: &str) -> bool {
    let title = title.trim_start_matches(|c: char| !c.is_alphanumeric());
    let ends = |c: char| matches!(c, ':' | '|' | '–' | '—' | '.' | '(' | ')' | '[' | ']' | '/' | '!');
    let hyphen = |at: usize| title[..at].ends_with(' ') || title[at..].starts_with("- ");
    let mut marks = title.char_indices().filter(|&(at, c)| ends(c) || c == '-' && hyphen(at)).map(|(at, _)| at);
    let end = marks.next().unwrap_or(title.len());
    if end > 3 * MAX_PHRASE {
        return false;
    }
    // "İ" is "i" with a dot of its own in lower case, and "I" is "ı" in Turkish: phrases are compared without dots
    let lower = title[..end].trim_end().to_lowercase().replace('\u{307}', "").replace('’', "'");
    phrases().contains(&lower[..]) || phrases().contains(&lower.replace('i', "ı")[..])
}

fn has_clock_lines(text: &str) -> bool {
    text.lines().filter(|line| begins_with_clock(line.trim_start().as_bytes())).nth(MIN_CLOCK_LINES - 1).is_some()
}

/// Whether a line begins with a time of day and text behind it: "14:05 The verdict is due", "9.30 – Doors open".
fn begins_with_clock(line: &[u8]) -> bool {
    let digits = |from: usize| line[from.min(line.len())..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let hours = digits(0);
    let is_clock = (1..=2).contains(&hours)
        && matches!(line.get(hours), Some(b':' | b'.' | b'h'))
        && digits(hours + 1) == 2
        && line[hours + 1] < b'6';
    is_clock && line.get(hours + 3).is_none_or(|byte| !byte.is_ascii_alphanumeric() && !matches!(byte, b'.' | b'%'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_of_columns_letters_live_blogs_and_digests_are_recognised() {
        for title in [
            "Opinion: the bridge we need",
            "LIVE | Storm reaches the coast",
            "Letters to the editor",
            "[LIVE] Parliament votes",
            "CANLI: Meclis oylaması",
            "YORUM | Köprü ne zaman biter?",
            "Мнение: мост не нужен",
            "En direct : la tempête",
            "Kommentar - Die Brücke",
            "Top news",
        ] {
            assert!(is_column_or_digest(title, ""), "{title}");
        }
    }

    #[test]
    fn reports_are_not() {
        for title in [
            "Opinion polls show a tie",
            "Live music returns to the old mill",
            "Comment by minister angers farmers",
            "Canlı hayvan ihracatı durdu",
            "Онлайн-магазин закрылся",
            "Brent crude: prices rise",
            "",
            "!!!",
        ] {
            assert!(!is_column_or_digest(title, "At 10:05 the bridge was closed.\n12:30 trains stopped."), "{title}");
        }
    }

    #[test]
    fn live_blogs_have_lines_that_begin_with_clock_times() {
        let blog = "9:05 Doors open\n\n  9.30 – First speech\n10:00: Vote\n10:15 Break\n11:40\nResult";
        assert!(is_column_or_digest("Council meets", blog));
        let table = "10.25 %\n11.30.2020\n12.75x\n99:99 odd\n1:2 score\n3:1 score\n10.500 units";
        assert!(!is_column_or_digest("Scores", table));
    }
}
