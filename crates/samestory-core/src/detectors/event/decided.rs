//! The contradiction because of which two items with enough in common are not one event.

use super::agreement::between;
use super::calibration::{base_rate, Calibration};
use super::item::{family, Item};
use super::numbers::{Numbers, NAMES};
use super::odds::Odds;
use super::trees;

/// Each contradiction, and the numbers that depend on it and are cleared with it.
const CONTRADICTIONS: [(&str, &[&str]); 12] = [
    ("exchanged", &["turned", "runs_turned"]),
    ("ordinals_apart", &[]),
    ("ways_conflict", &["opposed"]),
    ("rest_apart", &[]),
    ("swapped", &["names_apart", "main_names_apart", "slots_names", "runs_slots"]),
    ("counts_conflict", &[]),
    ("numbers_apart", &["numbers_other", "slots_numbers", "runs_slots"]),
    ("dates_apart", &[]),
    ("names_apart", &["main_names_apart", "slots_names", "runs_slots"]),
    ("main_names_apart", &[]),
    ("ahead_of", &["ahead_one"]),
    ("days", &["days_runs"]),
];

/// Those that count between whole articles.
const CONTRADICTIONS_OF_ARTICLES: [(&str, &[&str]); 10] = [
    ("ordinals_apart", &[]),
    ("ways_conflict", &[]),
    ("rest_apart", &[]),
    ("swapped", &["names_apart", "main_names_apart", "slots_names"]),
    ("slots_dates", &["dates_apart", "slots_numbers"]),
    ("slots_numbers", &["counts_conflict"]),
    ("names_apart", &["main_names_apart", "slots_names"]),
    ("main_names_apart", &[]),
    ("slots_names", &[]),
    ("dates_apart", &[]),
];

/// The name of the contradiction that is the genre of one of the two.
const NO_SINGLE_EVENT: &str = "no_single_event";

fn clear(numbers: &mut Numbers, name: &str) {
    let at = NAMES.iter().position(|&known| known == name).expect("a number of the agreement");
    numbers[at] = 0.0;
}

fn without(numbers: &Numbers, (name, more): (&str, &[&str])) -> Numbers {
    let mut numbers = *numbers;
    more.iter().chain([&name]).for_each(|name| clear(&mut numbers, name));
    numbers
}

/// From this share of both items on, they have enough in common, whatever the trees return: different numbers also
/// count as missing words.
const MIN_HELD_SHARE: f64 = 0.5;

/// The name of the contradiction that counts most against two items whose probability of one event would reach the
/// threshold without contradictions; None if they are one event, or have too little in common.
pub fn decided(left: &[u32], right: &[u32], threshold: f64, calibration: Option<&Calibration>) -> Option<&'static str> {
    let numbers = between(left, right)?;
    let (left, right) = (Item::read(left), Item::read(right));
    let (family, odds) = (family(&left, &right), Odds::new(&left, &right, base_rate(calibration, &left, &right)));
    let score = |numbers: &Numbers| odds.with_contradictions(numbers).likelihood(trees::likelihood(family, numbers));
    let contradictions: &[(&'static str, &'static [&'static str])] =
        if odds.asks_trees() { &CONTRADICTIONS } else { &CONTRADICTIONS_OF_ARTICLES };
    let is_set = |&(name, _): &(&str, &[&str])| without(&numbers, (name, &[])) != numbers;
    let all = contradictions.iter().filter(|each| is_set(each)).fold(numbers, |numbers, &each| without(&numbers, each));
    let held = numbers[NAMES.iter().position(|&name| name == "held_least")?];
    let of_single_events = odds.without_genre().with_contradictions(&numbers);
    if score(&numbers) < threshold && of_single_events.likelihood(trees::likelihood(family, &numbers)) >= threshold {
        return Some(NO_SINGLE_EVENT);
    }
    let have_enough = odds.asks_trees() && held >= MIN_HELD_SHARE;
    if score(&numbers) >= threshold || (!have_enough && score(&all) < threshold) {
        return None;
    }
    let cleared = |each: &(&'static str, &'static [&'static str])| score(&without(&numbers, *each));
    let present = contradictions.iter().filter(|each| is_set(each));
    let strongest = present.rev().max_by(|x, y| cleared(x).total_cmp(&cleared(y)));
    strongest.map(|&(name, _)| name)
}
