//! Numbers in a text, of any number of words: "three hundred", "2 milyon 500 bin", "on iki", "XII". Numbers that are
//! parts of a date are marked as such and count nothing.

use super::calendar::is_calendar;
use super::characters::fold;
use std::borrow::Cow;

use super::figures::{self, NumberWords, Word};
use super::tokens::{word, Token};
use crate::base::hash;

/// A number in a text.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Quantity {
    /// None if it is not a quantity: a score, a span.
    pub value: Option<f64>,
    /// How many words it has.
    pub words: usize,
    pub kind: QuantityKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QuantityKind {
    Count,
    /// The rank of one thing in a series.
    Ordinal,
    /// An ordinal in words or in Roman figures: many things in one text have one, so it is weaker evidence.
    Named,
    /// A day, a month or a year.
    Date,
}

/// The words of a text in a language.
pub struct Words<'a> {
    pub language: &'a str,
    pub text: &'a str,
    pub tokens: &'a [Token],
    numbers: Option<&'static NumberWords>,
}

impl<'a> Words<'a> {
    pub fn new(language: &'a str, text: &'a str, tokens: &'a [Token]) -> Self {
        Words { language, text, tokens, numbers: figures::number_words(language) }
    }

    /// The meaning of a word, given by its hash, if it is a number word of the language.
    pub fn number_word(&self, word: u64) -> Option<Word> {
        self.numbers?.get(&word).copied()
    }

    /// The number that begins at a word, if any does; `number_word`: the meaning of this word.
    pub fn quantity(&self, at: usize, number_word: Option<Word>) -> Option<Quantity> {
        let token = &self.tokens[at];
        if token.figure {
            return Some(self.figure(at));
        }
        let written = &self.text[token.start..token.base_end];
        if let Some(value) = roman(written) {
            return Some(Quantity { value: Some(value), words: 1, kind: QuantityKind::Named });
        }
        if number_word.is_none() && !written.contains('-') {
            return None;
        }
        let mut sum = Sum::new(self.language);
        let words = self.add(&mut sum, at);
        // "one" alone is a pronoun; "bin" and "thousand" only multiply another number
        let is_number = words > 0 && sum.value() != 1.0 && !sum.multiplies_nothing;
        let kind = if sum.ordinal { QuantityKind::Named } else { QuantityKind::Count };
        is_number.then(|| Quantity { value: Some(sum.value()), words, kind })
    }

    /// What is written, in plain digits.
    fn figure_of(&self, token: &Token) -> Cow<'a, str> {
        figures::plain(&self.text[token.start..token.base_end])
    }

    fn figure(&self, at: usize) -> Quantity {
        let token = &self.tokens[at];
        let written = self.figure_of(token);
        if self.is_date(at) {
            return Quantity { value: None, words: 1, kind: QuantityKind::Date };
        }
        let Some(value) = figures::value(&written) else {
            return Quantity { value: None, words: 1, kind: QuantityKind::Count };
        };
        let next = self.tokens.get(at + 1).map_or("", |next| &self.text[token.end..next.end]);
        if figures::is_ordinal(self.language, &self.text[token.base_end..token.end], next) {
            return Quantity { value: Some(value), words: 1, kind: QuantityKind::Ordinal };
        }
        let mut sum = Sum::new(self.language);
        sum.figure(value);
        let words = 1 + self.add(&mut sum, at + 1);
        Quantity { value: Some(sum.value()), words, kind: QuantityKind::Count }
    }

    /// Adds the number words from a place on while they continue the number; returns how many there are.
    fn add(&self, sum: &mut Sum, from: usize) -> usize {
        let mut at = from;
        while let Some(token) = self.tokens.get(at) {
            let written = &self.text[token.start..token.base_end];
            let joined = sum.is_empty() || self.between(at).trim().is_empty();
            if !joined || !self.add_word(sum, token, written, at) {
                break;
            }
            at += 1;
        }
        at - from
    }

    fn add_word(&self, sum: &mut Sum, token: &Token, written: &str, at: usize) -> bool {
        if token.figure {
            // "2 million 500 thousand", but not "5 2000"
            let value = figures::value(&self.figure_of(token)).filter(|_| !self.is_date(at));
            return sum.limit.is_finite() && value.is_some_and(|value| sum.figure(value));
        }
        if let Some(word) = self.number_word(token.base) {
            return sum.word(word);
        }
        if !written.contains('-') {
            return false;
        }
        // "twenty-one"; nothing is read from "six-month"
        let mut folded = String::new();
        let mut with = *sum;
        let fits = written.split('-').all(|part| {
            fold(part, self.language == "tr", &mut folded);
            self.number_word(hash::token(folded.as_bytes())).is_some_and(|word| with.word(word))
        });
        if fits {
            *sum = with;
        }
        fits
    }

    /// The text between a word and the one before it.
    fn between(&self, at: usize) -> &str {
        let end = at.checked_sub(1).map_or(0, |before| self.tokens[before].end);
        &self.text[end..self.tokens[at].start]
    }

    /// Is a figure a part of a date: "12 May", "May 12", "2024", "25.05.2020", "25 05"?
    fn is_date(&self, at: usize) -> bool {
        let written = |at: usize| self.figure_of(&self.tokens[at]);
        let near = |at: usize| self.between(at).trim_matches([' ', ',', '\u{a0}']).is_empty();
        let (before, after) =
            (at.checked_sub(1).filter(|_| near(at)), Some(at + 1).filter(|&n| n < self.tokens.len() && near(n)));
        let named = |at: usize| !self.tokens[at].figure && is_calendar(word((self.tokens[at].base >> 32) as u32));
        // "on Tuesday 12 people" is no date
        let month = |at: usize| named(at) && !written(at).ends_with("day");
        let figure = &*written(at);
        let day = figure.parse().is_ok_and(|day: u32| (1..=31).contains(&day) && figure.len() <= 2);
        let whole = |figure: &str| figure.len() > 1 && figure.len() <= 2 && figure.bytes().all(|c| c.is_ascii_digit());
        // a figure with a leading zero belongs to a date or a time, and so do its neighbours
        let nought = |at: usize| self.tokens[at].figure && whole(&written(at)) && written(at).starts_with('0');
        is_written_date(figure)
            || is_year(figure)
            || day && (before.is_some_and(month) || after.is_some_and(month))
            || whole(figure) && (nought(at) || before.is_some_and(nought) || after.is_some_and(nought))
    }
}

/// "25.05.2020", "2020-05-25", "25/5/20".
fn is_written_date(figure: &str) -> bool {
    let parts: Vec<&str> = figure.split(['.', '/', '-']).collect();
    let at_most = |part: &str, max: u32| part.len() <= 2 && part.parse().is_ok_and(|n: u32| n > 0 && n <= max);
    let year = |part: &str| matches!(part.len(), 2 | 4) && part.bytes().all(|c| c.is_ascii_digit());
    match parts[..] {
        [day, month, last] if at_most(day, 31) && at_most(month, 31) => year(last),
        [first, month, day] => first.len() == 4 && year(first) && at_most(month, 12) && at_most(day, 31),
        _ => false,
    }
}

/// A year that news mentions; round figures are more often counts.
fn is_year(figure: &str) -> bool {
    figure.len() == 4 && figure.parse().is_ok_and(|year: u32| (1985..=2039).contains(&year) && year != 2000)
}

/// The value of a Roman number of two letters or more; with L only if it is longer, since "LI" is a name too.
fn roman(written: &str) -> Option<f64> {
    let value = |c: u8| match c {
        b'I' => 1,
        b'V' => 5,
        b'X' => 10,
        b'L' if written.len() > 2 => 50,
        _ => 0,
    };
    let letters = written.as_bytes();
    if letters.len() < 2 || letters.iter().any(|&c| value(c) == 0) {
        return None;
    }
    let signed = |(at, &c): (usize, &u8)| {
        let next = letters.get(at + 1).map_or(0, |&next| value(next));
        if value(c) < next {
            -value(c)
        } else {
            value(c)
        }
    };
    let sum: i32 = letters.iter().enumerate().map(signed).sum();
    (spelled(sum) == written).then_some(f64::from(sum))
}

fn spelled(number: i32) -> String {
    const LETTERS: [(i32, &str); 8] =
        [(50, "L"), (40, "XL"), (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I"), (0, "")];
    let mut rest = number;
    let mut out = String::new();
    for (value, letters) in LETTERS {
        while value > 0 && rest >= value {
            out.push_str(letters);
            rest -= value;
        }
    }
    out
}

/// A number that is being read.
#[derive(Clone, Copy)]
struct Sum {
    turkish: bool,
    total: f64,
    part: Option<f64>,
    /// The last multiplier: what follows must be less.
    limit: f64,
    /// The part consists of words, and further words may continue it.
    open: bool,
    ordinal: bool,
    /// Begins with a multiplier, and no number follows it.
    multiplies_nothing: bool,
}

impl Sum {
    fn new(language: &str) -> Self {
        Sum {
            turkish: language == "tr",
            total: 0.0,
            part: None,
            limit: f64::INFINITY,
            open: true,
            ordinal: false,
            multiplies_nothing: false,
        }
    }

    fn is_empty(&self) -> bool {
        self.part.is_none() && self.total == 0.0
    }

    fn value(&self) -> f64 {
        self.total + self.part.unwrap_or(0.0)
    }

    /// Adds a figure if it continues the number; returns whether it does.
    fn figure(&mut self, value: f64) -> bool {
        let fits = self.part.is_none() && value < self.limit && !self.ordinal;
        if fits {
            (self.part, self.open, self.multiplies_nothing) = (Some(value), false, false);
        }
        fits
    }

    /// Adds a number word if it continues the number; returns whether it does.
    fn word(&mut self, word: Word) -> bool {
        if self.ordinal {
            return false;
        }
        match word {
            Word::Value(value) => self.more(value),
            Word::Ordinal(value) => {
                self.ordinal = self.more(value);
                self.ordinal
            }
            Word::Times(times) => {
                if times >= self.limit || self.part.is_none() && self.total > 0.0 {
                    return false;
                }
                self.multiplies_nothing = self.part.is_none();
                self.total += self.part.take().unwrap_or(1.0) * times;
                self.limit = times;
                self.open = true;
                true
            }
        }
    }

    fn more(&mut self, value: f64) -> bool {
        let part = match self.part {
            None => Some(value).filter(|&value| value < self.limit),
            Some(_) if !self.open => None,
            Some(part) if value == 100.0 && (2.0..10.0).contains(&part) => Some(part * value),
            Some(part) => Some(part + value).filter(|_| self.leaves_room(part, value)),
        };
        if part.is_some() {
            (self.part, self.multiplies_nothing) = (part, false);
        }
        part.is_some()
    }

    /// "Twenty" can be followed by one to nine, a hundred by all below it; so can "ten" in Turkish.
    fn leaves_room(&self, part: f64, value: f64) -> bool {
        let tens = part % 100.0;
        let least = if self.turkish { 10.0 } else { 20.0 };
        tens == 0.0 && value < 100.0 || tens >= least && tens % 10.0 == 0.0 && value < 10.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::tokens::tokenise;

    fn all(language: &str, text: &str) -> Vec<(Option<f64>, QuantityKind)> {
        let mut tokens = vec![];
        tokenise(text, language == "tr", |token| tokens.push(token));
        let words = Words::new(language, text, &tokens);
        let (mut at, mut out) = (0, vec![]);
        while at < tokens.len() {
            let found = words.quantity(at, words.number_word(tokens[at].base));
            out.extend(found.map(|found| (found.value, found.kind)));
            at += found.map_or(1, |found| found.words);
        }
        out
    }

    #[test]
    fn number_words_make_one_number() {
        for (language, text, wanted) in [
            ("tr", "on iki kişi", vec![12.0]),
            ("tr", "iki yüz elli kişi", vec![250.0]),
            ("tr", "bin beş yüz kişi", vec![1500.0]),
            ("tr", "yirmi bir köy ve bir kasaba", vec![21.0]),
            ("tr", "2 milyon 500 bin lira", vec![2_500_000.0]),
            ("tr", "5 bin 200 kişi", vec![5200.0]),
            ("en", "three hundred people", vec![300.0]),
            ("en", "twenty-one people and one dog", vec![21.0]),
            ("en", "one hundred twenty-one boats", vec![121.0]),
            ("en", "five thousand two hundred homes", vec![5200.0]),
            ("en", "1.5 million euros", vec![1_500_000.0]),
            ("en", "two three five", vec![2.0, 3.0, 5.0]),
            ("en", "ten two", vec![10.0, 2.0]),
            ("en", "a six-month ban, a thousand times", vec![]),
            ("ru", "двадцать один дом", vec![21.0]),
            ("ru", "сто двадцать пять человек", vec![125.0]),
            ("ru", "две тысячи триста домов", vec![2300.0]),
            ("ru", "5 тыс. человек", vec![5000.0]),
        ] {
            let wanted: Vec<_> = wanted.into_iter().map(|value| (Some(value), QuantityKind::Count)).collect();
            assert_eq!(all(language, text), wanted, "{text}");
        }
    }

    #[test]
    fn ordinals_are_told_in_words_and_in_roman_figures() {
        for (language, text, wanted) in [
            ("en", "the twelfth package", 12.0),
            ("en", "the twenty-first package", 21.0),
            ("tr", "on ikinci paket", 12.0),
            ("tr", "yirminci kongre", 20.0),
            ("ru", "двенадцатый пакет", 12.0),
            ("ru", "двадцать первая сессия", 21.0),
            ("en", "games of the XXIII olympiad", 23.0),
            ("ru", "съезд XII созыва", 12.0),
            ("en", "Bowl LIX", 59.0),
        ] {
            assert_eq!(all(language, text), [(Some(wanted), QuantityKind::Named)], "{text}");
        }
        assert_eq!(all("en", "the first package, CIVIL, IIX, VX, LI, MI, X"), []);
        assert_eq!(all("en", "the 12th package"), [(Some(12.0), QuantityKind::Ordinal)]);
    }

    #[test]
    fn the_numbers_of_a_date_count_nothing() {
        for (language, text) in [
            ("ru", "25 мая 2020"),
            ("ru", "25 05 2020"),
            ("ru", "2020 05 25"),
            ("en", "June 12, 2024"),
            ("tr", "12 Mayıs'ta"),
            ("tr", "2024 yılında"),
            ("en", "25.05.2020"),
            ("en", "2020-05-25"),
        ] {
            let found = all(language, text);
            assert!(
                !found.is_empty() && found.iter().all(|&(_, kind)| kind == QuantityKind::Date),
                "{text}: {found:?}"
            );
        }
        for text in ["2000 people", "1,999 people", "on Tuesday 12 people", "32 people", "2-1"] {
            assert!(all("en", text).iter().all(|&(_, kind)| kind == QuantityKind::Count), "{text}");
        }
    }
}
