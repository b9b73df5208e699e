//! Which contradiction keeps two items apart that have enough in common.

use super::agreement::{between, Numbers, NAMES};
use super::calibration::{base_rate, Calibration};
use super::item::{family, Item};
use super::odds::Odds;
use super::trees;

/// What contradicts, and the numbers that tell it: whatever they say goes with it.
const CONTRADICTIONS: [(&str, &[&str]); 11] = [
    ("exchanged", &["turned", "runs_turned"]),
    ("ordinals_apart", &[]),
    ("ways_conflict", &["opposed"]),
    ("rest_apart", &[]),
    ("swapped", &["names_apart", "slots_names", "runs_slots"]),
    ("counts_conflict", &[]),
    ("numbers_apart", &["numbers_other", "slots_numbers", "runs_slots"]),
    ("dates_apart", &[]),
    ("names_apart", &["slots_names", "runs_slots"]),
    ("ahead_of", &["ahead_one"]),
    ("days", &["days_runs"]),
];

fn silence(numbers: &mut Numbers, name: &str) {
    let at = NAMES.iter().position(|&known| known == name).expect("a number of the agreement");
    numbers[at] = 0.0;
}

fn without(numbers: &Numbers, (name, more): (&str, &[&str])) -> Numbers {
    let mut numbers = *numbers;
    more.iter().chain([&name]).for_each(|name| silence(&mut numbers, name));
    numbers
}

/// With so much of either in common, items have enough in common, whatever the trees say: other numbers are words that
/// are missing, too.
const ENOUGH: f64 = 0.5;

/// The name of the contradiction that counts most against two items that would be one event, at least so likely, if
/// nothing contradicted; none where they are one, or have too little in common.
pub fn decided(left: &[u32], right: &[u32], threshold: f64, calibration: Option<&Calibration>) -> Option<&'static str> {
    let numbers = between(left, right)?;
    let (left, right) = (Item::read(left), Item::read(right));
    let (family, odds) = (family(&left, &right), Odds::of(&left, &right, base_rate(calibration, &left, &right)));
    let likely = |numbers: &Numbers| odds.with_contradictions(numbers).likelihood(trees::likelihood(family, numbers));
    let told = |&(name, _): &(&str, &[&str])| without(&numbers, (name, &[])) != numbers;
    let all = CONTRADICTIONS.iter().filter(|each| told(each)).fold(numbers, |numbers, &each| without(&numbers, each));
    let held = numbers[NAMES.iter().position(|&name| name == "held_least")?];
    let have_enough = odds.asks_trees() && held >= ENOUGH;
    if likely(&numbers) >= threshold || (!have_enough && likely(&all) < threshold) {
        return None;
    }
    let against = |each: &(&'static str, &'static [&'static str])| likely(&without(&numbers, *each));
    let most = CONTRADICTIONS.iter().filter(|each| told(each)).rev().max_by(|x, y| against(x).total_cmp(&against(y)));
    most.map(|&(name, _)| name)
}
