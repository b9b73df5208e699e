//! Who meets whom: the articles that share a key.
//!
//! Keys were dealt into parts by their highest bits when they were made, so that the table of a part stays in the processor's cache and every
//! thread has parts of its own. A key that several articles share becomes a meeting, a list of them; every
//! article notes the numbers of its meetings. A key that is shared by too many makes none and is counted.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::corpus::{span, Corpus, PARTS};
use crate::hash;
use crate::parallel::{self, Deal, Tick};

/// Stands in an article's row for a key that it shares with nobody.
const ALONE: u64 = u64::MAX;

pub struct Meetings {
    /// For every part: lists of articles, each behind its length.
    members: Vec<Vec<u32>>,
    /// For every article the first one with the same signature (often itself).
    pub original: Vec<u32>,
    /// For every original with copies: itself and its copies, in order.
    pub copies: std::collections::HashMap<u32, Vec<u32>>,
    /// Keys that were too common.
    pub skipped: usize,
    /// How many keys every article has.
    pub key_counts: Vec<u32>,
    /// The detector's quorum for every number of keys that occurs, and the least of them (as far as 8 bits go).
    pub quorum: Vec<u8>,
    pub least_quorum: u8,
}

impl Meetings {
    /// None: stopped on the way.
    pub fn new(corpus: &mut Corpus, tick: Tick) -> Option<Self> {
        for shard in &mut corpus.shards {
            shard.meetings = shard.keys.iter().map(|_| AtomicU64::new(ALONE)).collect();
        }
        let met = Self::meet(corpus, tick);
        for shard in &mut corpus.shards {
            (shard.keys, shard.key_rows, shard.key_places) = Default::default();
        }
        met
    }

    fn meet(corpus: &Corpus, tick: Tick) -> Option<Self> {
        let (original, copies) = copies(corpus);
        let ceiling = match corpus.detector.ceiling() {
            0 => usize::MAX,
            most => most,
        };
        // the article of every row, or none for a row that files no keys (a copy, or a refused article)
        let mut owners: Vec<Vec<u32>> = corpus.shards.iter().map(|s| vec![u32::MAX; s.words.len()]).collect();
        for (article, &(shard, row)) in corpus.articles.iter().enumerate() {
            if original[article] as usize == article {
                owners[shard as usize][row as usize] = article as u32;
            }
        }
        let threads = corpus.settings.threads;
        let deal = Deal::new(PARTS, 1);
        let mut parts: Vec<(usize, Vec<u32>, usize)> = parallel::run(threads, &corpus.watch, &mut *tick, |_| {
            let mut out = vec![];
            let mut table = Table::default();
            while let Some(range) = deal.take() {
                for part in range {
                    if corpus.watch.is_stopped() {
                        return out;
                    }
                    let (members, skipped) = table.meet(corpus, &owners, part, ceiling);
                    out.push((part, members, skipped));
                }
            }
            out
        })
        .into_iter()
        .flatten()
        .collect();
        if corpus.watch.is_stopped() {
            return None;
        }
        parts.sort_unstable_by_key(|(part, ..)| *part);
        let skipped = parts.iter().map(|(_, _, skipped)| skipped).sum();
        let members = parts.into_iter().map(|(_, members, _)| members).collect();
        let key_counts: Vec<u32> = (0..corpus.len())
            .map(|article| {
                let (shard, row) = corpus.place(article);
                span(&shard.key_ends, row).len() as u32
            })
            .collect();
        let most = key_counts.iter().copied().max().unwrap_or(0) as usize;
        let quorum: Vec<u8> =
            (0..=most).map(|fewer| corpus.detector.quorum(fewer).clamp(1, usize::from(u8::MAX)) as u8).collect();
        let least_quorum = key_counts.iter().filter(|&&count| count > 0).map(|&count| quorum[count as usize]).min();
        let least_quorum = least_quorum.unwrap_or(1);
        Some(Meetings { members, original, copies, skipped, key_counts, quorum, least_quorum })
    }

    /// Calls `each` with the lists of articles that share a key with this original, itself among them.
    pub fn of(&self, corpus: &Corpus, article: usize, mut each: impl FnMut(&[u32])) {
        let (shard, row) = corpus.place(article);
        for meeting in &shard.meetings[span(&shard.key_ends, row)] {
            let meeting = meeting.load(Ordering::Relaxed);
            if meeting != ALONE {
                let part = &self.members[(meeting >> 32) as usize];
                let start = meeting as u32 as usize;
                each(&part[start + 1..=start + part[start] as usize]);
            }
        }
    }
}

/// Finds articles whose signatures are the same to the bit: they are compared once for all.
fn copies(corpus: &Corpus) -> (Vec<u32>, std::collections::HashMap<u32, Vec<u32>>) {
    let mut first = std::collections::HashMap::with_capacity(corpus.len());
    let mut original: Vec<u32> = (0..corpus.len() as u32).collect();
    let mut copies: std::collections::HashMap<u32, Vec<u32>> = std::collections::HashMap::new();
    for article in 0..corpus.len() {
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
                original[article] = earlier;
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
    /// (key, number of articles, start of its list)
    slots: Vec<(u64, u32, u32)>,
}

impl Table {
    fn slot(&self, key: u64) -> usize {
        let mask = self.slots.len() - 1;
        let mut at = hash::mix(key, 0xD1B5_4A32_D192_ED03) as usize & mask;
        while self.slots[at].1 != 0 && self.slots[at].0 != key {
            at = (at + 1) & mask;
        }
        at
    }

    fn meet(&mut self, corpus: &Corpus, owners: &[Vec<u32>], part: usize, ceiling: usize) -> (Vec<u32>, usize) {
        let total: usize = corpus.shards.iter().map(|shard| shard.part(part).len()).sum();
        self.slots.clear();
        self.slots.resize((2 * total).next_power_of_two().max(16), (0, 0, 0));
        let keys = || {
            corpus.shards.iter().zip(owners).flat_map(move |(shard, owners)| {
                shard.part(part).filter_map(move |at| {
                    let article = owners[shard.key_rows[at] as usize];
                    (article != u32::MAX).then_some((shard, at, article))
                })
            })
        };
        for (shard, at, _) in keys() {
            let key = shard.keys[at];
            let slot = self.slot(key);
            self.slots[slot].0 = key;
            self.slots[slot].1 += 1;
        }
        let (mut size, mut skipped) = (0u32, 0);
        for slot in &mut self.slots {
            if slot.1 as usize > ceiling {
                skipped += 1;
            } else if slot.1 > 1 {
                slot.2 = size + 1;
                size += slot.1 + 1;
            }
        }
        let mut members = vec![0u32; size as usize];
        for (shard, at, article) in keys() {
            let start = self.slots[self.slot(shard.keys[at])].2;
            if start != 0 {
                let head = start as usize - 1;
                members[head] += 1;
                let end = head + members[head] as usize;
                members[end] = article;
                let meeting = (part as u64) << 32 | head as u64;
                shard.meetings[shard.key_places[at] as usize].store(meeting, Ordering::Relaxed);
            }
        }
        (members, skipped)
    }
}
