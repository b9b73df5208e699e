//! In-memory store for streams: entries and posting lists with insertion, removal and expiry.

use std::collections::HashMap;

use crate::base::free_list;
use crate::base::time::NO_TIME;

struct Entry {
    id: String,
    published: i64,
    source: u64,
    keys: Vec<u64>,
    signature: Vec<u8>,
}

/// One candidate: a row of the query, an entry, and the number of keys they share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Candidate {
    pub row: u32,
    pub entry: u32,
    pub shared: u32,
}

#[derive(Default)]
pub struct MemoryStore {
    entries: Vec<Option<Entry>>,
    free: Vec<u32>,
    postings: HashMap<u64, Vec<u32>>,
    by_id: HashMap<String, u32>,
    /// Number of key lookups skipped because the posting list exceeded the ceiling.
    pub skipped: u64,
}

impl MemoryStore {
    pub fn len(&self) -> usize {
        self.by_id.len()
    }

    pub fn is_empty(&self) -> bool {
        self.by_id.is_empty()
    }

    /// Inserts an article and returns its entry number; replaces an article with the same id.
    pub fn put(&mut self, id: &str, published: i64, source: u64, keys: &[u64], signature: &[u8]) -> u32 {
        self.remove(id);
        let entry = Entry { id: id.to_owned(), published, source, keys: keys.to_vec(), signature: signature.to_vec() };
        let number = free_list::store(&mut self.entries, &mut self.free, Some(entry));
        for &key in keys {
            self.postings.entry(key).or_default().push(number);
        }
        self.by_id.insert(id.to_owned(), number);
        number
    }

    /// Appends the entries that share a key with a query row and are in its time window; entries and queries without a
    /// time match every window. Keys with more than `ceiling` entries are skipped (0: no limit).
    pub fn find(
        &mut self,
        row: u32,
        keys: &[u64],
        window: (i64, i64),
        timed: bool,
        ceiling: usize,
        out: &mut Vec<Candidate>,
    ) {
        let mut shared: HashMap<u32, u32> = HashMap::new();
        for key in keys {
            let Some(list) = self.postings.get(key) else {
                continue;
            };
            if ceiling != 0 && list.len() > ceiling {
                self.skipped += 1;
                continue;
            }
            for &number in list {
                *shared.entry(number).or_default() += 1;
            }
        }
        let first = out.len();
        for (entry, shared) in shared {
            let published = self.entry(entry).published;
            if !timed || published == NO_TIME || (window.0 <= published && published <= window.1) {
                out.push(Candidate { row, entry, shared });
            }
        }
        out[first..].sort_unstable_by_key(|c| c.entry);
    }

    fn entry(&self, number: u32) -> &Entry {
        self.entries[number as usize].as_ref().expect("postings refer only to live entries")
    }

    pub fn number(&self, id: &str) -> Option<u32> {
        self.by_id.get(id).copied()
    }

    pub fn id(&self, number: u32) -> &str {
        &self.entry(number).id
    }

    pub fn published(&self, number: u32) -> i64 {
        self.entry(number).published
    }

    pub fn source(&self, number: u32) -> u64 {
        self.entry(number).source
    }

    pub fn key_count(&self, number: u32) -> usize {
        self.entry(number).keys.len()
    }

    pub fn signature(&self, number: u32) -> &[u8] {
        &self.entry(number).signature
    }

    pub fn remove(&mut self, id: &str) -> bool {
        let Some(number) = self.by_id.remove(id) else {
            return false;
        };
        let entry = self.entries[number as usize].take().expect("ids refer only to live entries");
        for key in entry.keys {
            if let Some(list) = self.postings.get_mut(&key) {
                list.retain(|&other| other != number);
                if list.is_empty() {
                    self.postings.remove(&key);
                }
            }
        }
        self.free.push(number);
        true
    }

    /// Removes articles published before a time and returns their number; articles without a time are kept.
    pub fn expire(&mut self, before: i64) -> usize {
        let old: Vec<String> = self
            .entries
            .iter()
            .flatten()
            .filter(|entry| entry.published != NO_TIME && entry.published < before)
            .map(|entry| entry.id.clone())
            .collect();
        for id in &old {
            self.remove(id);
        }
        old.len()
    }

    /// Number of posting lists; removing every entry brings it back to 0.
    pub fn postings(&self) -> usize {
        self.postings.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_removed_leaves_nothing_behind() {
        let mut store = MemoryStore::default();
        store.put("a", 10, 0, &[1, 2], b"x");
        store.put("b", NO_TIME, 0, &[2, 3], b"y");
        store.put("a", 20, 0, &[3, 4], b"z"); // replaces the entry with the same id
        let mut candidates = vec![];
        store.find(0, &[1, 2, 3, 4], (0, 100), true, 0, &mut candidates);
        let by_id: Vec<_> = candidates.iter().map(|c| (store.id(c.entry).to_string(), c.shared)).collect();
        assert!(by_id.contains(&("a".into(), 2)) && by_id.contains(&("b".into(), 2)) && by_id.len() == 2);
        assert_eq!(store.expire(21), 1);
        assert!(store.remove("b") && !store.remove("b"));
        assert_eq!((store.len(), store.postings()), (0, 0));
    }
}
