//! Two items that begin alike and continue differently: a feed has put the same words in front of two stories.

use super::item::{flags, Item, IN_TITLE, NAME, NUMBER};
use crate::base::sorted::common;

/// From this share of runs on, the first words of two items are copies; of the text after them, copies share at least
/// half of the rarest words, if there are at least MIN_REST_WORDS.
const MIN_COPY_RUNS: f64 = 0.9;
/// The fewest words of a preamble that a feed puts in front of every text, and the fewest words that follow it.
const MIN_PREAMBLE_WORDS: usize = 6;
const MIN_FOLLOWING_WORDS: usize = 3;
const MIN_REST_WORDS: usize = 8;

/// Whether two items continue differently after the same beginning; `runs` is the share of runs of their first words.
pub fn is_rest_apart(left: &Item, right: &Item, shared: &[(usize, usize)], runs: f64) -> bool {
    runs >= MIN_COPY_RUNS && goes_on_apart(left.rest, right.rest) || begins_alike(left, right, shared)
}

/// Whether two items continue in mostly different words.
fn goes_on_apart(left: &[u32], right: &[u32]) -> bool {
    let words = |rest: &[u32]| -> Vec<u32> { rest.iter().flat_map(|two| [two >> 16, two & 0xffff]).collect() };
    let fewer = 2 * left.len().min(right.len());
    fewer >= MIN_REST_WORDS && 2 * common(&words(left), &words(right)) < fewer
}

/// Whether two items share only the beginning of their texts, without names and numbers: a preamble that a feed puts in
/// front of every text. News with the same wording has names, and continues with the same subject.
fn begins_alike(left: &Item, right: &Item, shared: &[(usize, usize)]) -> bool {
    let is_fact = |note: u32| flags(note) & (NAME | NUMBER) != 0;
    let titled = |note: u32| flags(note) & IN_TITLE != 0;
    let begins = |item: &Item, places: &mut dyn Iterator<Item = usize>| {
        let (mut end, mut in_text, mut has_fact) = (0, 0, false);
        for place in places {
            end = end.max(place + 1);
            in_text += usize::from(!titled(item.notes[place]));
            has_fact |= is_fact(item.notes[place]);
        }
        let (front, rest) = item.notes.split_at(end);
        // one more if no name or number follows
        let behind = MIN_FOLLOWING_WORDS + usize::from(!rest.iter().any(|&note| is_fact(note)));
        let text = front.iter().filter(|&&note| !titled(note)).count();
        !has_fact && in_text >= MIN_PREAMBLE_WORDS && text == in_text && rest.len() >= behind
    };
    begins(left, &mut shared.iter().map(|both| both.0)) && begins(right, &mut shared.iter().map(|both| both.1))
}
