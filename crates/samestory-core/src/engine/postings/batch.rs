//! Who meets whom: the articles that share a key.
//!
//! Keys were dealt into parts when they were made, so that the table of a part stays in the processor's cache and every
//! thread has parts of its own. A key that several articles share becomes a meeting, a list of them; every article notes
//! the numbers of its meetings. A key that is shared by too many makes none and is counted.

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

/// Stands for a row that files no keys: a copy, or a refused article.
const NO_ARTICLE: u32 = u32::MAX;

pub struct PostingLists {
    /// Lists of articles, each behind its length. The number of a meeting is the place of its list.
    members: Vec<u32>,
    /// For every article the first one with the same signature (often itself).
    pub original: Vec<u32>,
    /// For every original with copies: itself and its copies, in order.
    pub copies: HashMap<u32, Vec<u32>>,
    /// Keys that were too common.
    pub skipped: usize,
    /// How many keys every article has.
    pub key_counts: Vec<u32>,
    /// The detector's quorum for every number of keys that occurs (as far as 8 bits go).
    pub quorum: Vec<u8>,
    /// The least quorum of that number of keys and all above it. It only grows, so that of two articles the less
    /// demanding decides, and no quorum of the two is under it.
    pub least_quorum: Vec<u8>,
    /// The detector's hint about every article, if it gives any.
    pub hints: Vec<u64>,
    /// Where articles seek some of their keys only: what every article must share of those with whatever holds it.
    pub sought: Vec<u32>,
    /// A bit for every article: does it have copies?
    copied: Vec<u64>,
    /// If the detector has a window of days: the day of every article, by which long lists are sorted, undated articles
    /// first. Else empty.
    days: Vec<i64>,
    window_days: i64,
}

/// Shorter lists are scanned whole, which is faster than two binary searches.
const MIN_SORTED_LENGTH: usize = 64;
/// The day of an article without a date.
const UNDATED: i64 = i64::MIN;

impl PostingLists {
    /// None: stopped on the way.
    pub fn new(corpus: &mut Corpus, tick: Tick) -> Option<Self> {
        let candidates = Self::meet(corpus, &mut *tick);
        // the keys have done their work; even giving so much memory back is work for all threads
        let keys =
            Mutex::new(corpus.shards.iter_mut().map(|shard| std::mem::take(&mut shard.keys)).collect::<Vec<_>>());
        parallel::run(corpus.settings.threads, &corpus.watch, tick, |_| loop {
            let Some(some) = keys.lock().expect("nobody panics with the lock").pop() else {
                break;
            };
            drop(some);
        });
        candidates
    }

    fn meet(corpus: &Corpus, tick: Tick) -> Option<Self> {
        let (original, copies) = copies(corpus);
        let ceiling = match corpus.detector.ceiling() {
            0 => usize::MAX,
            most => most,
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
        // every part writes its lists into a stretch of its own, large enough for lists of two; number 0 is nobody's
        let mut sizes = [0usize; PARTS];
        for shard in &corpus.shards {
            for (part, size) in sizes.iter_mut().enumerate() {
                *size += shard.part(part).len();
            }
        }
        let room = |keys: usize| keys + keys / 2;
        let mut members = vec![0u32; 1 + sizes.iter().map(|&size| room(size)).sum::<usize>()];
        assert!(u32::try_from(members.len()).is_ok(), "too many keys for one corpus");
        let mut rest = &mut members[1..];
        let mut start = 1;
        let mut stretches = vec![];
        for size in sizes {
            let (stretch, behind) = rest.split_at_mut(room(size));
            stretches.push(Mutex::new((start, stretch)));
            start += room(size) as u32;
            rest = behind;
        }
        let deal = Deal::new(PARTS, 1, &corpus.watch);
        let skipped = parallel::run(corpus.settings.threads, &corpus.watch, &mut *tick, |_| {
            let mut table = Table::default();
            let mut skipped = 0;
            while let Some(part) = deal.take().filter(|_| !corpus.watch.is_stopped()) {
                let part = part.start;
                let mut stretch = stretches[part].lock().expect("every part is dealt once");
                let (start, members) = &mut *stretch;
                skipped += table.meet(corpus, &owners, part, sizes[part], ceiling, *start, members);
                if !days.is_empty() {
                    arrange(members, &days);
                }
            }
            skipped
        });
        if corpus.watch.is_stopped() {
            return None;
        }
        drop(stretches);
        let skipped = skipped.into_iter().sum();
        let key_counts: Vec<u32> = (0..corpus.len())
            .map(|article| {
                let (shard, row) = corpus.place(article);
                span(&shard.key_ends, row).len() as u32
            })
            .collect();
        let most = key_counts.iter().copied().max().unwrap_or(0) as usize;
        let quorum: Vec<u8> =
            (0..=most).map(|fewer| corpus.detector.quorum(fewer).clamp(1, usize::from(u8::MAX)) as u8).collect();
        let mut least_quorum = quorum.clone();
        for fewer in (0..most).rev() {
            least_quorum[fewer] = least_quorum[fewer].min(least_quorum[fewer + 1]);
        }
        let hints = match corpus.detector.hints() {
            true => (0..corpus.len()).map(|article| corpus.detector.hint(corpus.signature(article))).collect(),
            false => vec![],
        };
        let sought = match corpus.detector.seeks() {
            true => prefix::arrange(corpus, &original, &mut members, tick)?,
            false => vec![],
        };
        let mut copied = vec![0u64; corpus.len().div_ceil(64)];
        for &article in copies.keys() {
            copied[article as usize / 64] |= 1 << (article % 64);
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
            copied,
            days,
            window_days,
        })
    }

    /// Gives the lists of articles that share a key with this original, itself among them; `numbers` is room for their
    /// numbers. In two steps, so that the processor fetches the beginnings of all lists at once: they lie far apart.
    pub fn of<'a>(&'a self, corpus: &Corpus, article: usize, numbers: &mut Vec<u32>, lists: &mut Vec<&'a [u32]>) {
        let (shard, row) = corpus.place(article);
        let row = &shard.postings[span(&shard.key_ends, row)];
        numbers.resize(row.len(), 0);
        let mut count = 0;
        for posting_list in row {
            numbers[count] = posting_list.load(Ordering::Relaxed);
            count += usize::from(numbers[count] != SINGLE_POSTING);
        }
        lists.clear();
        let whole = numbers[..count].iter().map(|&posting_list| {
            let head = posting_list as usize;
            &self.members[head + 1..=head + self.members[head] as usize]
        });
        let day = self.days.get(article).copied().unwrap_or(UNDATED);
        if day == UNDATED {
            return lists.extend(whole);
        }
        for list in whole {
            if list.len() < MIN_SORTED_LENGTH {
                lists.push(list);
                continue;
            }
            let (undated, dated) = list.split_at(list.partition_point(|&other| self.days[other as usize] == UNDATED));
            let before = |day: i64| dated.partition_point(|&other| self.days[other as usize] < day);
            let near = &dated[before(day - self.window_days)..before(day + self.window_days + 1)];
            lists.extend([undated, near].into_iter().filter(|list| !list.is_empty()));
        }
    }

    /// Calls `each` with the list of every key of this original that others have too, and the place of the key: the whole
    /// list of a key that it seeks, those who seek it of any other. Articles that seek are marked.
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

    /// Whether an article is in a list: by binary search, unless lists are sorted by day.
    pub fn is_in(&self, article: u32, list: &[u32]) -> bool {
        match self.days.is_empty() {
            true => list.binary_search(&article).is_ok(),
            false => list.contains(&article),
        }
    }

    #[inline(always)]
    pub fn has_copies(&self, article: u32) -> bool {
        self.copied[article as usize / 64] >> (article % 64) & 1 != 0
    }

    /// An original and its copies, in order.
    pub fn copies<'a>(&'a self, article: &'a u32) -> &'a [u32] {
        if self.has_copies(*article) {
            &self.copies[article]
        } else {
            std::slice::from_ref(article)
        }
    }
}

/// Sorts every long list by day.
fn arrange(members: &mut [u32], days: &[i64]) {
    let mut head = 0;
    while head < members.len() && members[head] > 0 {
        let end = head + 1 + members[head] as usize;
        if end - head > MIN_SORTED_LENGTH {
            members[head + 1..end].sort_unstable_by_key(|&article| (days[article as usize], article));
        }
        head = end;
    }
}

/// The day of a time.
fn day(published: i64) -> i64 {
    match published {
        NO_TIME => UNDATED,
        time => time.div_euclid(DAY),
    }
}

/// Finds articles whose signatures are the same to the bit: they are compared once for all.
fn copies(corpus: &Corpus) -> (Vec<u32>, HashMap<u32, Vec<u32>>) {
    let mut first = hash::Hashed::with_capacity_and_hasher(corpus.len(), Default::default());
    let mut original: Vec<u32> = (0..corpus.len() as u32).collect();
    let mut copies: HashMap<u32, Vec<u32>> = HashMap::new();
    for (article, original) in original.iter_mut().enumerate() {
        let (shard, row) = corpus.place(article);
        if span(&shard.key_ends, row).is_empty() {
            continue; // without keys nothing is a copy of anything
        }
        let mut print = shard.prints[row];
        loop {
            let earlier = *first.entry(print).or_insert(article as u32);
            if earlier as usize == article {
                break;
            }
            if corpus.signature(earlier as usize) == corpus.signature(article) {
                *original = earlier;
                copies.entry(earlier).or_insert_with(|| vec![earlier]).push(article as u32);
                break;
            }
            print = hash::mix(print, 0x9E37_79B9_7F4A_7C15); // two signatures with one hash
        }
    }
    (original, copies)
}

/// Counts the articles of every key of a part, then writes the lists of those that more than one has.
#[derive(Default)]
struct Table {
    slots: Vec<Slot>,
    /// The slot of every key of the part, in order.
    places: Vec<u32>,
}

#[derive(Clone, Copy, Default)]
struct Slot {
    key: u64,
    /// How many articles have it; 0 for an empty slot.
    count: u32,
    /// Where its list begins, in the stretch of the part, plus one; 0 for none.
    list: u32,
}

impl Table {
    /// Returns how many keys were too common.
    #[allow(clippy::too_many_arguments)]
    fn meet(
        &mut self,
        corpus: &Corpus,
        owners: &[Vec<u32>],
        part: usize,
        size: usize,
        ceiling: usize,
        start: u32,
        members: &mut [u32],
    ) -> usize {
        let Table { slots, places } = self;
        slots.clear();
        slots.resize((2 * size).next_power_of_two().max(16), Slot::default());
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
