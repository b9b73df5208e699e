//! What is unknown by itself takes the class of a longer name in the same text that begins or ends with it: after "Garanti
//! Bankası", "Garanti" is an organisation too. What is still unknown then is said to be so.

use std::ops::Range;

use super::entity::{Class, Entity};
use super::extract::Extraction;
use super::pack::joined;
use super::words::Word;
use crate::base::hash::Hashed;

/// A name by its first word, its length and its class; the order is that of the text, of longer names later.
type Place = (usize, usize, Class);

/// The names that begin or end with certain words, by the hash of these. A text may have thousands of each, so they are
/// not looked through but looked up.
struct Parts<'a> {
    words: &'a [Word],
    /// How many words are asked for: for no other number a name is filed.
    lengths: Vec<usize>,
    /// May a name be no longer than what is asked for?
    same: bool,
    begins: Hashed<Vec<Place>>,
    ends: Hashed<Vec<Place>>,
}

impl<'a> Parts<'a> {
    fn new(words: &'a [Word], lengths: &[usize], same: bool) -> Self {
        Parts { words, lengths: lengths.to_vec(), same, begins: Hashed::default(), ends: Hashed::default() }
    }

    /// Files a name; they come in the order of places.
    fn put(&mut self, class: Class, words: Range<usize>) {
        let place = (words.start, words.len(), class);
        let most = words.len() - usize::from(!self.same);
        let (mut first, mut last) = (0, 0);
        let mut lengths = self.lengths.iter().take_while(|&&length| length <= most).peekable();
        for length in 1..=most {
            let Some(&&next) = lengths.peek() else { break };
            first = joined(first, self.words[words.start + length - 1].known);
            last = joined(last, self.words[words.end - length].known);
            if length == next {
                self.begins.entry(first).or_default().push(place);
                self.ends.entry(last).or_default().push(place);
                lengths.next();
            }
        }
    }

    /// The names that begin with these words, and those that end with them.
    fn with(&self, range: &Range<usize>) -> [&[Place]; 2] {
        let known = self.words[range.clone()].iter().map(|word| word.known);
        let (first, last) = (known.clone().fold(0, joined), known.rev().fold(0, joined));
        [(&self.begins, first), (&self.ends, last)].map(|(all, hash)| all.get(&hash).map_or(&[][..], Vec::as_slice))
    }

    /// Of these names, the last that begins before them.
    fn before(&self, range: &Range<usize>) -> Option<Place> {
        let last = |all: &[Place]| all[..all.partition_point(|place| place.0 < range.start)].last().copied();
        self.with(range).into_iter().filter_map(last).max_by_key(|place| (place.0, place.1))
    }

    /// Of these names, the first that begins behind them.
    fn behind(&self, range: &Range<usize>) -> Option<Place> {
        let first = |all: &[Place]| all.get(all.partition_point(|place| place.0 <= range.start)).copied();
        self.with(range).into_iter().filter_map(first).min_by_key(|place| (place.0, place.1))
    }
}

impl Extraction<'_> {
    /// Resolves what is pending, in the order of the text.
    pub fn match_parts(&mut self) {
        let mut pending = std::mem::take(&mut self.pending);
        // the study asks for a run in which nothing was found, be there titles in it or not
        pending.retain(|(range, _)| self.literal() || self.is_free(range.clone()));
        pending.sort_by_key(|(range, _)| range.start);
        let mut lengths: Vec<usize> = pending.iter().map(|(range, _)| range.len()).collect();
        lengths.sort_unstable();
        lengths.dedup();
        let same = !self.literal();
        let words = std::mem::take(&mut self.words.all);
        let (mut known, mut told) = (Parts::new(&words, &lengths, same), Parts::new(&words, &lengths, same));
        if !pending.is_empty() {
            self.entities.sort_by_key(|entity| (entity.words.start, entity.words.end));
            for Entity { class, words, .. } in &self.entities {
                known.put(*class, words.clone());
            }
        }
        for (range, whole) in pending {
            let earlier = [&known, &told].into_iter().filter_map(|parts| parts.before(&range));
            let earlier = earlier.max_by_key(|place| (place.0, place.1));
            // beyond the study: names that come in full only later, as after a headline
            let found = earlier.or_else(|| if same { known.behind(&range) } else { None });
            match found {
                Some((start, length, class)) => {
                    told.put(class, range.clone());
                    self.emit(class, range, "partial", start..start + length);
                }
                None if whole => self.emit(Class::Unclassified, range, "nothing", 0..0),
                None => {}
            }
        }
        self.words.all = words;
    }
}
