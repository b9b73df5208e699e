//! Posting lists of a segment: pages of keys, each followed by the lists of its keys.
//!
//! A page has `KEYS_PER_PAGE` keys, the last one the rest. The first key of every page is in memory, so that the list of a
//! key is mostly found in one block. A list of one class lies in the entry of its key.

use super::format::{RecordFields, Section, KEYS_PER_PAGE};
use super::reader::{Cursor, Resident};
use super::SegmentResult;

const ENTRY: usize = 16;

/// The posting list of a key.
#[derive(Clone, Copy, Debug)]
pub struct StoredList {
    pub length: u32,
    /// The only class, or where the list begins in the section.
    value: u64,
}

impl Cursor<'_> {
    /// Number of keys of a page.
    fn keys_in_page(&self, page: usize) -> usize {
        let before = (page * KEYS_PER_PAGE) as u64;
        self.segment.header.keys.saturating_sub(before).min(KEYS_PER_PAGE as u64) as usize
    }

    /// The key and the list of an entry of a page.
    pub fn entry(&mut self, fences: &[(u64, u64)], page: usize, at: usize) -> SegmentResult<(u64, StoredList)> {
        let (keys, position) = (self.keys_in_page(page), fences.get(page).map_or(u64::MAX, |fence| fence.1));
        let bytes = self.bytes(Section::Postings, position.saturating_add((at * ENTRY) as u64), ENTRY)?;
        let mut fields = RecordFields(bytes);
        let (key, value, length) = (fields.u64(), fields.u32(), fields.u32());
        let value = match length {
            1 => value.into(),
            _ => position.saturating_add((keys * ENTRY) as u64).saturating_add(u64::from(value) * 4),
        };
        Ok((key, StoredList { length, value }))
    }

    /// The key with this number and its list; None behind the last one.
    pub fn key_at(&mut self, number: u64) -> SegmentResult<Option<(u64, StoredList)>> {
        if number >= self.segment.header.keys {
            return Ok(None);
        }
        let (page, at) = (number as usize / KEYS_PER_PAGE, number as usize % KEYS_PER_PAGE);
        let fences = &self.segment.resident()?.fences;
        self.entry(fences, page, at).map(Some)
    }

    /// The list of a key.
    pub fn list(&mut self, resident: &Resident, key: u64) -> SegmentResult<Option<StoredList>> {
        let Some(page) = resident.fences.partition_point(|fence| fence.0 <= key).checked_sub(1) else {
            return Ok(None);
        };
        let (mut low, mut high) = (0, self.keys_in_page(page));
        while low < high {
            let middle = (low + high) / 2;
            let (found, list) = self.entry(&resident.fences, page, middle)?;
            match found.cmp(&key) {
                std::cmp::Ordering::Equal => return Ok(Some(list)),
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Greater => high = middle,
            }
        }
        Ok(None)
    }

    /// The class at a place of a list.
    fn class_at(&mut self, list: StoredList, at: u32) -> SegmentResult<u32> {
        if list.length == 1 {
            return Ok(list.value as u32);
        }
        let place = list.value.saturating_add(u64::from(at) * 4);
        self.bytes(Section::Postings, place, 4).map(|bytes| RecordFields(bytes).u32())
    }

    /// The places of a list with the classes of a range.
    pub fn places(&mut self, list: StoredList, range: (u32, u32)) -> SegmentResult<(u32, u32)> {
        if range.0 >= range.1 {
            return Ok((0, 0));
        }
        let first = if range.0 == 0 { 0 } else { self.place(list, range.0)? };
        let end = if range.1 == self.segment.header.classes { list.length } else { self.place(list, range.1)? };
        Ok((first, end.max(first)))
    }

    /// The place of the first class of a list that is not below a number.
    fn place(&mut self, list: StoredList, class: u32) -> SegmentResult<u32> {
        let (mut low, mut high) = (0, list.length);
        while low < high {
            let middle = low + (high - low) / 2;
            match self.class_at(list, middle)? < class {
                true => low = middle + 1,
                false => high = middle,
            }
        }
        Ok(low)
    }

    /// Appends the classes between two places of a list.
    pub fn classes(&mut self, list: StoredList, places: (u32, u32), out: &mut Vec<u32>) -> SegmentResult<()> {
        let (first, end) = (places.0, places.1.min(list.length));
        let begin = out.len();
        match (first < end, list.length) {
            (false, _) => return Ok(()),
            (true, 1) => out.push(list.value as u32),
            (true, _) => {
                let place = list.value.saturating_add(u64::from(first) * 4);
                self.words(Section::Postings, place, (end - first) as usize, out)?;
            }
        }
        match out[begin..].iter().all(|&class| class < self.segment.header.classes) {
            true => Ok(()),
            false => Err(self.segment.damaged("a posting list has an unknown class")),
        }
    }
}
