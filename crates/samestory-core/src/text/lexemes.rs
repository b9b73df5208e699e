//! Terms and stems of an article as PostgreSQL reads a `tsvector`.

use std::collections::HashMap;
use std::fmt::Write;

/// PostgreSQL's limits for one article.
#[derive(Clone, Copy)]
pub struct Limits {
    /// Bytes of its words.
    pub room: usize,
    /// The last distinct position.
    pub last: usize,
    /// Positions of one word.
    pub places: usize,
}

/// Terms separated by blanks, and stems of both; a term of the title is also written with a mark before it.
pub struct LexemeFields<'a> {
    pub title: &'a str,
    pub text: &'a str,
    pub title_stems: &'a [String],
    pub text_stems: &'a [String],
}

/// `'^fire' 'fire':1,3 'again':4`: one position is skipped between title and text, so that no phrase spans both.
/// Entries beyond the limits are left out.
pub fn vector<'a>(fields: &LexemeFields<'a>, mark: &str, limits: Limits) -> String {
    let stems = |some: &'a [String]| some.iter().map(String::as_str);
    let mut at: HashMap<(bool, &str), usize> = HashMap::new();
    let mut entries: Vec<(bool, &str, Vec<u32>)> = vec![];
    let mut entry = |marked: bool, term: &'a str, place: Option<usize>| {
        let index = *at.entry((marked, term)).or_insert_with(|| {
            entries.push((marked, term, vec![]));
            entries.len() - 1
        });
        let places = &mut entries[index].2;
        if let Some(place) = place.filter(|&place| place < limits.last && places.len() < limits.places) {
            places.push(place as u32);
        }
    };
    fields
        .title
        .split(' ')
        .chain(stems(fields.title_stems))
        .filter(|t| !t.is_empty())
        .for_each(|t| entry(true, t, None));
    let mut place = 0;
    for part in [fields.title, fields.text] {
        for term in part.split(' ').filter(|term| !term.is_empty()) {
            place += 1;
            entry(false, term, Some(place));
        }
        place += 1;
    }
    stems(fields.title_stems).chain(stems(fields.text_stems)).for_each(|stem| entry(false, stem, None));
    write_entries(&entries, mark, limits.room)
}

fn write_entries(entries: &[(bool, &str, Vec<u32>)], mark: &str, room: usize) -> String {
    let (mut out, mut used_bytes) = (String::new(), 0);
    for (marked, term, places) in entries {
        let mark = if *marked { mark } else { "" };
        used_bytes += mark.len() + term.len() + 2 * places.len() + 8;
        if used_bytes > room {
            break;
        }
        let gap = if out.is_empty() { "" } else { " " };
        // writing to a String does not fail
        let _ = write!(out, "{gap}'{mark}{term}'");
        for (number, place) in places.iter().enumerate() {
            let _ = write!(out, "{}{place}", if number == 0 { ':' } else { ',' });
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_counted_through_title_and_text_and_what_is_beyond_a_limit_is_left_out() {
        let stems = ["·stem0".to_owned()];
        let fields = LexemeFields { title: "a b", text: "b c", title_stems: &[], text_stems: &stems };
        let of = |room, last, places| vector(&fields, "^", Limits { room, last, places });
        assert_eq!(of(900, 100, 10), "'^a' '^b' 'a':1 'b':2,4 'c':5 '·stem0'");
        assert_eq!(of(900, 5, 1), "'^a' '^b' 'a':1 'b':2 'c' '·stem0'");
        assert_eq!(of(31, 100, 10), "'^a' '^b' 'a':1");
        let none = LexemeFields { title: "", text: "", title_stems: &[], text_stems: &[] };
        assert_eq!(vector(&none, "^", Limits { room: 9, last: 9, places: 9 }), "");
    }
}
