//! String interning: each distinct string is stored once and referred to by number.

use std::collections::HashMap;

#[derive(Default)]
pub struct StringTable {
    numbers: HashMap<Box<str>, u32>,
    all: Vec<String>,
}

impl StringTable {
    pub fn number(&mut self, name: &str) -> u32 {
        if let Some(&number) = self.numbers.get(name) {
            return number;
        }
        let number = self.all.len() as u32;
        self.numbers.insert(name.into(), number);
        self.all.push(name.into());
        number
    }

    /// All of them, in the order of their numbers.
    pub fn into_all(self) -> Vec<String> {
        self.all
    }
}

/// Calls `each` for every word of an id or class: "mainContent-2_wide" has main, content and wide. Figures are left
/// out, since they only number things; so are single letters.
pub fn words(marks: &str, mut each: impl FnMut(&str)) {
    let mut word = String::new();
    let mut emit = |word: &mut String| {
        if word.chars().nth(1).is_some() {
            each(word);
        }
        word.clear();
    };
    let mut letters = marks.chars().peekable();
    let mut small = false;
    while let Some(letter) = letters.next() {
        if !letter.is_alphabetic() {
            emit(&mut word);
            small = false;
            continue;
        }
        // a word begins with a capital after a lower-case letter (mainContent) or before one (RSSFeed)
        let capital = letter.is_uppercase();
        if capital && (small || letters.peek().is_some_and(|next| next.is_lowercase())) {
            emit(&mut word);
        }
        small = !capital;
        word.extend(letter.to_lowercase());
    }
    emit(&mut word);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(marks: &str) -> Vec<String> {
        let mut out = vec![];
        words(marks, |word| out.push(word.into()));
        out
    }

    #[test]
    fn words_are_told_apart_by_marks_and_by_case() {
        assert_eq!(of("mainContent-2_wide"), ["main", "content", "wide"]);
        assert_eq!(of("RSSFeed post12345 x TOP"), ["rss", "feed", "post", "top"]);
        assert_eq!(of("haberİçerik"), ["haber", "i\u{307}çerik"]);
        assert_eq!(of("  -- 12 "), [""; 0]);
    }

    #[test]
    fn a_name_has_one_number() {
        let mut names = StringTable::default();
        assert_eq!(["a", "b", "a"].map(|name| names.number(name)), [0, 1, 0]);
        assert_eq!(names.into_all(), ["a", "b"]);
    }
}
