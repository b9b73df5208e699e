//! Posting lists of a batch corpus: for every key that several articles share, the articles that have it.
//!
//! Keys are partitioned when they are generated, so that the hash table of a part stays in the processor's cache and
//! every thread works on its own parts. A key with several articles becomes a posting list; every article stores the
//! ids of its posting lists. A key with more articles than the detector's ceiling gets no list and is counted.

use std::collections::HashMap;
use std::sync::atomic::Ordering;
use std::sync::Mutex;

use crate::base::hash;
use crate::base::parallel::{self, Deal, Tick};
use crate::base::time::DAY;
use crate::base::time::NO_TIME;
use crate::engine::population::Corpus;
use crate::engine::postings::prefix::{self, SEEKS};
use crate::engine::shard::SINGLE_POSTING;
use crate::engine::shard::{span, Key, PARTS, PART_BITS};

/// Marks a row whose keys are not indexed: a copy, or a rejected article.
const NO_ARTICLE: u32 = u32::MAX;

pub struct PostingLists {
    /// Posting lists, each preceded by its length. The id of a list is the offset of that length.
    members: Vec<u32>,
    /// For every article, the first article with the same signature (often itself).
    pub original: Vec<u32>,
    /// For every original with copies: the original and its copies, in order.
    pub copies: HashMap<u32, Vec<u32>>,
    /// Number of keys that exceeded the ceiling.
    pub skipped: usize,
    /// Number of keys of every article.
    pub key_counts: Vec<u32>,
    /// The detector's quorum by number of keys, clamped to 8 bits.
    pub quorum: Vec<u8>,
    /// The minimum quorum over that number of keys and all larger ones. It never decreases with the number of keys, so
    /// the smaller value of two articles is a lower bound of the quorum of the pair.
    pub least_quorum: Vec<u8>,
    /// The detector's bitmap summary of every article; empty if the detector has none.
    pub hints: Vec<u64>,
    /// With the prefix filter: the overlap of prefix keys that every article requires with any container.
    pub sought: Vec<u32>,
    /// Bitmap over articles: set for an original that has copies.
    copies_bitmap: Vec<u64>,
    /// If the detector has a window of days: the day of every article. Long lists are sorted by it, undated articles
    /// first. Otherwise empty.
    days: Vec<i64>,
    window_days: i64,
}

/// Shorter lists are scanned completely, which is faster than two binary searches.
const MIN_SORTED_LENGTH: usize = 64;
/// The day of an article without a date.
const UNDATED: i64 = i64::MIN;

impl PostingLists {
    /// Builds the posting lists and frees the keys of the corpus. Returns None if the run was stopped.
    pub fn new(corpus: &mut Corpus, tick: Tick) -> Option<Self> {
        let candidates = Self::build(corpus, &mut *tick);
        // the keys are no longer needed; freeing this much memory takes long enough to use all threads
        let keys =
            Mutex::new(corpus.shards.iter_mut().map(|shard| std::mem::take(&mut shard.keys)).collect::<Vec<_>>());
        parallel::run(corpus.settings.threads, &corpus.watch, tick, |_| loop {
            let Some(shard_keys) = keys.lock().expect("no panic while the lock is held").pop() else {
                break;
            };
            drop(shard_keys);
        });
        candidates
    }

    fn build(corpus: &Corpus, tick: Tick) -> Option<Self> {
        let (original, copies) = find_copies(corpus);
        let ceiling = match corpus.detector.ceiling() {
            0 => usize::MAX,
            limit => limit,
        };
        // the article of every row
        let mut owners: Vec<Vec<u32>> = corpus.shards.iter().map(|s| vec![NO_ARTICLE; s.words.len()]).collect();
        for (article, &(shard, row)) in corpus.articles.iter().enumerate() {
            if original[article] as usize == article {
                owners[shard as usize][row as usize] = article as u32;
            }
        }
        let window = corpus.detector.days().filter(|_| corpus.detector.signs_days());
        let days: Vec<i64> = match window {
            Some(_) => (0..corpus.len()).map(|article| day(corpus.published(article))).collect(),
            None => vec![],
        };
        // every part writes its lists into its own region, large enough if all lists have two articles; id 0 is unused
        let mut sizes = [0usize; PARTS];
        for shard in &corpus.shards {
            for (part, size) in sizes.iter_mut().enumerate() {
                *size += shard.part(part).len();
            }
        }
        let capacity = |keys: usize| keys + keys / 2;
        let mut members = vec![0u32; 1 + sizes.iter().map(|&size| capacity(size)).sum::<usize>()];
        assert!(u32::try_from(members.len()).is_ok(), "too many keys for one corpus");
        let mut rest = &mut members[1..];
        let mut start = 1;
        let mut regions = vec![];
        for size in sizes {
            let (region, behind) = rest.split_at_mut(capacity(size));
            regions.push(Mutex::new((start, region)));
            start += capacity(size) as u32;
            rest = behind;
        }
        let deal = Deal::new(PARTS, 1, &corpus.watch);
        let skipped = parallel::run(corpus.settings.threads, &corpus.watch, &mut *tick, |_| {
            let mut table = KeyTable::default();
            let mut skipped = 0;
            while let Some(part) = deal.take().filter(|_| !corpus.watch.is_stopped()) {
                let part = part.start;
                let mut region = regions[part].lock().expect("every part is processed once");
                let (start, members) = &mut *region;
                skipped += table.write_lists(corpus, &owners, part, sizes[part], ceiling, *start, members);
                if !days.is_empty() {
                    sort_long_lists(members, &days);
                }
            }
            skipped
        });
        if corpus.watch.is_stopped() {
            return None;
        }
        drop(regions);
        let skipped = skipped.into_iter().sum();
        let key_counts: Vec<u32> = (0..corpus.len())
            .map(|article| {
                let (shard, row) = corpus.place(article);
                span(&shard.key_ends, row).len() as u32
            })
            .collect();
        let max_keys = key_counts.iter().copied().max().unwrap_or(0) as usize;
        let quorum: Vec<u8> =
            (0..=max_keys).map(|keys| corpus.detector.quorum(keys).clamp(1, usize::from(u8::MAX)) as u8).collect();
        let mut least_quorum = quorum.clone();
        for keys in (0..max_keys).rev() {
            least_quorum[keys] = least_quorum[keys].min(least_quorum[keys + 1]);
        }
        let hints = match corpus.detector.hints() {
            true => (0..corpus.len()).map(|article| corpus.detector.hint(corpus.signature(article))).collect(),
            false => vec![],
        };
        let sought = match corpus.detector.seeks() {
            true => prefix::arrange(corpus, &original, &mut members, tick)?,
            false => vec![],
        };
        let mut copies_bitmap = vec![0u64; corpus.len().div_ceil(64)];
        for &article in copies.keys() {
            copies_bitmap[article as usize / 64] |= 1 << (article % 64);
        }
        let window_days = window.map_or(0, i64::from);
        Some(PostingLists {
            members,
            original,
            copies,
            skipped,
            key_counts,
            quorum,
            least_quorum,
            hints,
            sought,
            copies_bitmap,
            days,
            window_days,
        })
    }

    /// Fills `lists` with the posting lists of this original, which contain the original too; `list_ids` is a buffer
    /// for their ids. Two passes let the processor fetch the heads of all lists at once: they are far apart in memory.
    pub fn of<'a>(&'a self, corpus: &Corpus, article: usize, list_ids: &mut Vec<u32>, lists: &mut Vec<&'a [u32]>) {
        let (shard, row) = corpus.place(article);
        let row = &shard.postings[span(&shard.key_ends, row)];
        list_ids.resize(row.len(), 0);
        let mut count = 0;
        for posting_list in row {
            list_ids[count] = posting_list.load(Ordering::Relaxed);
            count += usize::from(list_ids[count] != SINGLE_POSTING);
        }
        lists.clear();
        let full_lists = list_ids[..count].iter().map(|&posting_list| {
            let head = posting_list as usize;
            &self.members[head + 1..=head + self.members[head] as usize]
        });
        let day = self.days.get(article).copied().unwrap_or(UNDATED);
        if day == UNDATED {
            return lists.extend(full_lists);
        }
        for list in full_lists {
            if list.len() < MIN_SORTED_LENGTH {
                lists.push(list);
                continue;
            }
            let (undated, dated) = list.split_at(list.partition_point(|&other| self.days[other as usize] == UNDATED));
            let before = |day: i64| dated.partition_point(|&other| self.days[other as usize] < day);
            let in_window = &dated[before(day - self.window_days)..before(day + self.window_days + 1)];
            lists.extend([undated, in_window].into_iter().filter(|list| !list.is_empty()));
        }
    }

    /// Calls `each` with the position and the posting list of every key that this original shares: the complete list of
    /// a prefix key; for other keys only the articles that have the key in their prefix. Those are marked with `SEEKS`.
    pub fn sought_of(&self, corpus: &Corpus, article: usize, mut each: impl FnMut(usize, &[u32])) {
        let (shard, row) = corpus.place(article);
        for (place, posting_list) in shard.postings[span(&shard.key_ends, row)].iter().enumerate() {
            let posting_list = posting_list.load(Ordering::Relaxed);
            if posting_list == SINGLE_POSTING {
                continue;
            }
            let head = (posting_list & !SEEKS) as usize;
            let all = &self.members[head + 1..=head + self.members[head] as usize];
            let seekers = all.partition_point(|&other| posting_list & SEEKS == 0 && other & SEEKS != 0);
            each(place, if posting_list & SEEKS != 0 { all } else { &all[..seekers] });
        }
    }

    /// Whether a list contains an article: by binary search, unless lists are sorted by day.
    pub fn is_in(&self, article: u32, list: &[u32]) -> bool {
        match self.days.is_empty() {
            true => list.binary_search(&article).is_ok(),
            false => list.contains(&article),
        }
    }

    #[inline(always)]
    pub fn has_copies(&self, article: u32) -> bool {
        self.copies_bitmap[article as usize / 64] >> (article % 64) & 1 != 0
    }

    /// Returns an original and its copies, in order.
    pub fn copies<'a>(&'a self, article: &'a u32) -> &'a [u32] {
        if self.has_copies(*article) {
            &self.copies[article]
        } else {
            std::slice::from_ref(article)
        }
    }
}

/// Sorts every long list by day.
fn sort_long_lists(members: &mut [u32], days: &[i64]) {
    let mut head = 0;
    while head < members.len() && members[head] > 0 {
        let end = head + 1 + members[head] as usize;
        if end - head > MIN_SORTED_LENGTH {
            members[head + 1..end].sort_unstable_by_key(|&article| (days[article as usize], article));
        }
        head = end;
    }
}

/// The day (UTC) of a timestamp.
fn day(published: i64) -> i64 {
    match published {
        NO_TIME => UNDATED,
        time => time.div_euclid(DAY),
    }
}

/// Finds duplicate classes, articles with identical signatures, which are compared only once.
fn find_copies(corpus: &Corpus) -> (Vec<u32>, HashMap<u32, Vec<u32>>) {
    let mut first = hash::Hashed::with_capacity_and_hasher(corpus.len(), Default::default());
    let mut original: Vec<u32> = (0..corpus.len() as u32).collect();
    let mut copies: HashMap<u32, Vec<u32>> = HashMap::new();
    for (article, original) in original.iter_mut().enumerate() {
        let (shard, row) = corpus.place(article);
        if span(&shard.key_ends, row).is_empty() {
            continue; // an article without keys is never a copy
        }
        let mut fingerprint = shard.prints[row];
        loop {
            let earlier = *first.entry(fingerprint).or_insert(article as u32);
            if earlier as usize == article {
                break;
            }
            if corpus.signature(earlier as usize) == corpus.signature(article) {
                *original = earlier;
                copies.entry(earlier).or_insert_with(|| vec![earlier]).push(article as u32);
                break;
            }
            fingerprint = hash::mix(fingerprint, 0x9E37_79B9_7F4A_7C15); // hash collision of two signatures
        }
    }
    (original, copies)
}

/// Open-addressing hash table that counts the articles of every key of a part, then writes the lists of shared keys.
#[derive(Default)]
struct KeyTable {
    slots: Vec<KeySlot>,
    /// The slot of every key of the part, in order.
    places: Vec<u32>,
}

#[derive(Clone, Copy, Default)]
struct KeySlot {
    key: u64,
    /// Number of articles with this key; 0 for an empty slot.
    count: u32,
    /// Offset of its list in the region of the part, plus one; 0 for none.
    list: u32,
}

impl KeyTable {
    /// Writes the posting lists of a part; returns the number of keys that exceeded the ceiling.
    #[allow(clippy::too_many_arguments)]
    fn write_lists(
        &mut self,
        corpus: &Corpus,
        owners: &[Vec<u32>],
        part: usize,
        size: usize,
        ceiling: usize,
        start: u32,
        members: &mut [u32],
    ) -> usize {
        let KeyTable { slots, places } = self;
        slots.clear();
        slots.resize((2 * size).next_power_of_two().max(16), KeySlot::default());
        places.clear();
        let mask = slots.len() - 1;
        for (shard, owners) in corpus.shards.iter().zip(owners) {
            for &Key { key, row, .. } in &shard.keys[shard.part(part)] {
                if owners[row as usize] == NO_ARTICLE {
                    continue;
                }
                let mut at = (key >> PART_BITS) as usize & mask;
                while slots[at].count != 0 && slots[at].key != key {
                    at = (at + 1) & mask;
                }
                slots[at].key = key;
                slots[at].count += 1;
                places.push(at as u32);
            }
        }
        let (mut end, mut skipped) = (0u32, 0);
        for slot in slots.iter_mut() {
            if slot.count as usize > ceiling {
                skipped += 1;
            } else if slot.count > 1 {
                slot.list = end + 1;
                end += slot.count + 1;
            }
        }
        let mut places = places.iter();
        for (shard, owners) in corpus.shards.iter().zip(owners) {
            for &Key { row, place, .. } in &shard.keys[shard.part(part)] {
                let article = owners[row as usize];
                if article == NO_ARTICLE {
                    continue;
                }
                let slot = places.next().expect("a slot for every key");
                let list = slots[*slot as usize].list as usize;
                if list != 0 {
                    let head = list - 1;
                    members[head] += 1;
                    members[head + members[head] as usize] = article;
                    shard.postings[place as usize].store(start + head as u32, Ordering::Relaxed);
                }
            }
        }
        skipped
    }
}
