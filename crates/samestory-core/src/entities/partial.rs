//! An unclassified run gets the class of a longer name in the same text that begins or ends with it: after "Garanti
//! Bankası", "Garanti" is an organisation too. Runs without such a name are reported as unclassified.

use std::ops::Range;

use super::entity::{Class, Entity};
use super::extract::NameExtraction;
use super::pack::joined;
use super::words::EntityWord;
use crate::base::hash::Hashed;

/// A name: its first word, its length in words and its class; ordered by position, then by length.
type Place = (usize, usize, Class);

/// Index of names by the hash of their first or last words: a text may have thousands of names and of pending runs, so
/// a lookup must not scan them all.
struct Parts<'a> {
    words: &'a [EntityWord],
    /// The lengths of all queries, ascending: only prefixes and suffixes of these lengths are indexed.
    lengths: Vec<usize>,
    /// May a name be exactly as long as the query?
    allow_equal: bool,
    begins: Hashed<Vec<Place>>,
    ends: Hashed<Vec<Place>>,
}

impl<'a> Parts<'a> {
    fn new(words: &'a [EntityWord], lengths: &[usize], allow_equal: bool) -> Self {
        Parts { words, lengths: lengths.to_vec(), allow_equal, begins: Hashed::default(), ends: Hashed::default() }
    }

    /// Indexes a name; names must be added in text order.
    fn put(&mut self, class: Class, words: Range<usize>) {
        let place = (words.start, words.len(), class);
        let max_length = words.len() - usize::from(!self.allow_equal);
        let (mut first, mut last) = (0, 0);
        let mut lengths = self.lengths.iter().take_while(|&&length| length <= max_length).peekable();
        for length in 1..=max_length {
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

    /// The last such name that begins before the range.
    fn before(&self, range: &Range<usize>) -> Option<Place> {
        let last = |all: &[Place]| all[..all.partition_point(|place| place.0 < range.start)].last().copied();
        self.with(range).into_iter().filter_map(last).max_by_key(|place| (place.0, place.1))
    }

    /// The first such name that begins after the range.
    fn behind(&self, range: &Range<usize>) -> Option<Place> {
        let first = |all: &[Place]| all.get(all.partition_point(|place| place.0 <= range.start)).copied();
        self.with(range).into_iter().filter_map(first).min_by_key(|place| (place.0, place.1))
    }
}

impl NameExtraction<'_> {
    /// Classifies the pending runs, in text order.
    pub fn match_parts(&mut self) {
        let mut pending = std::mem::take(&mut self.pending);
        // the study requires only a run without names, whether or not it contains titles
        pending.retain(|(range, _)| self.literal() || self.is_free(range.clone()));
        pending.sort_by_key(|(range, _)| range.start);
        let mut lengths: Vec<usize> = pending.iter().map(|(range, _)| range.len()).collect();
        lengths.sort_unstable();
        lengths.dedup();
        let allow_equal = !self.literal();
        let words = std::mem::take(&mut self.words.all);
        let mut known = Parts::new(&words, &lengths, allow_equal);
        let mut resolved = Parts::new(&words, &lengths, allow_equal);
        if !pending.is_empty() {
            self.entities.sort_by_key(|entity| (entity.words.start, entity.words.end));
            for Entity { class, words, .. } in &self.entities {
                known.put(*class, words.clone());
            }
        }
        for (range, whole) in pending {
            let earlier = [&known, &resolved].into_iter().filter_map(|parts| parts.before(&range));
            let earlier = earlier.max_by_key(|place| (place.0, place.1));
            // beyond the study: names written in full only later, as after a headline
            let longer = earlier.or_else(|| if allow_equal { known.behind(&range) } else { None });
            match longer {
                Some((start, length, class)) => {
                    resolved.put(class, range.clone());
                    self.emit(class, range, "partial", start..start + length);
                }
                None if whole => self.emit(Class::Unclassified, range, "nothing", 0..0),
                None => {}
            }
        }
        self.words.all = words;
    }
}
