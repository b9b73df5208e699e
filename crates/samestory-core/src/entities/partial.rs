//! What is unknown by itself takes the class of a longer name in the same text that begins or ends with it: after "Garanti
//! Bankası", "Garanti" is an organisation too. What is still unknown then is said to be so.

use std::ops::Range;

use super::extract::Extraction;
use super::{Class, Entity};

impl Extraction<'_> {
    /// Resolves what is pending, in the order of the text.
    pub fn match_parts(&mut self) {
        let mut pending = std::mem::take(&mut self.pending);
        pending.retain(|(range, _)| self.is_free(range.clone()));
        pending.sort_by_key(|(range, _)| range.start);
        for (range, whole) in pending {
            let earlier = self.nearest(&range, |entity| entity.words.start < range.start);
            let found = earlier.or_else(|| {
                // beyond the study: names that come in full only later, as after a headline
                if self.literal() {
                    None
                } else {
                    self.nearest(&range, |entity| entity.words.start > range.start)
                }
            });
            match found {
                Some((class, cue)) => self.emit(class, range, "partial", cue),
                None if whole => self.emit(Class::Unclassified, range, "nothing", 0..0),
                None => {}
            }
        }
    }

    /// The class of the nearest name that begins or ends with these words and has more; where the study is not read
    /// literally, also of one that has just these.
    fn nearest(&self, range: &Range<usize>, place: impl Fn(&Entity) -> bool) -> Option<(Class, Range<usize>)> {
        let words = &self.words.all;
        let known = |range: Range<usize>| words[range].iter().map(|word| word.known);
        let length = range.len();
        let matches = |entity: &&Entity| {
            let whole = entity.words.len();
            entity.class != Class::Unclassified
                && place(entity)
                && (whole > length || (whole == length && !self.literal()))
                && (known(entity.words.start..entity.words.start + length).eq(known(range.clone()))
                    || known(entity.words.end - length..entity.words.end).eq(known(range.clone())))
        };
        let distance = |entity: &&Entity| entity.words.start.abs_diff(range.start);
        let found = self.entities.iter().filter(matches).min_by_key(distance)?;
        Some((found.class, found.words.clone()))
    }
}
