//! The blocks of segments that were read last: one cache for the process, bounded in bytes.
//!
//! Blocks are distributed over shards by hash. In each shard a clock hand chooses the block that leaves: the first one that
//! was not read since the hand passed it.

use std::sync::{LazyLock, Mutex, MutexGuard};

use super::blocks::{Block, PAYLOAD};
use super::SegmentResult;
use crate::base::hash::{self, Hashed};

/// The largest size of the cache.
const MAX_BYTES: usize = 128 << 20;
const SHARDS: usize = 16;

/// The cache of the process.
pub static BLOCKS: LazyLock<BlockCache> = LazyLock::new(|| BlockCache::new(MAX_BYTES));

/// The number of an opened file, unique in the process, and of a block in it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct BlockId {
    pub file: u64,
    pub block: u32,
}

impl BlockId {
    fn hash(self) -> u64 {
        hash::numbered(self.file, self.block.into())
    }
}

pub struct BlockCache {
    shards: Vec<Mutex<Shard>>,
    /// The most blocks of a shard.
    max_blocks: usize,
}

#[derive(Default)]
struct Shard {
    slots: Vec<Slot>,
    /// Slots by the hash of their block.
    by_hash: Hashed<usize>,
    hand: usize,
}

struct Slot {
    id: BlockId,
    content: Block,
    /// Whether it was read since the hand passed it.
    is_used: bool,
}

impl BlockCache {
    pub fn new(max_bytes: usize) -> Self {
        let shards = (0..SHARDS).map(|_| Mutex::default()).collect();
        BlockCache { shards, max_blocks: (max_bytes / PAYLOAD / SHARDS).max(1) }
    }

    /// Returns a block, which `read` reads if it is not in the cache.
    pub fn get(&self, id: BlockId, read: impl FnOnce() -> SegmentResult<Block>) -> SegmentResult<Block> {
        let shard = &self.shards[id.hash() as usize % SHARDS];
        if let Some(content) = lock(shard).get(id) {
            return Ok(content);
        }
        let content = read()?; // without the lock
        lock(shard).insert(Slot { id, content: content.clone(), is_used: false }, self.max_blocks);
        Ok(content)
    }

    /// Forgets the blocks of a file.
    pub fn remove_file(&self, file: u64) {
        for shard in &self.shards {
            let Shard { slots, by_hash, hand } = &mut *lock(shard);
            if slots.iter().any(|slot| slot.id.file == file) {
                slots.retain(|slot| slot.id.file != file);
                *by_hash = slots.iter().enumerate().map(|(at, slot)| (slot.id.hash(), at)).collect();
                *hand = 0;
            }
        }
    }
}

fn lock(shard: &Mutex<Shard>) -> MutexGuard<'_, Shard> {
    shard.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

impl Shard {
    fn get(&mut self, id: BlockId) -> Option<Block> {
        let slot = &mut self.slots[*self.by_hash.get(&id.hash())?];
        slot.is_used = true;
        (slot.id == id).then(|| slot.content.clone())
    }

    fn insert(&mut self, new: Slot, max_blocks: usize) {
        let hash = new.id.hash();
        if let Some(&slot) = self.by_hash.get(&hash) {
            self.slots[slot] = new; // another thread read it meanwhile, or two blocks have one hash
            return;
        }
        if self.slots.len() < max_blocks {
            self.by_hash.insert(hash, self.slots.len());
            return self.slots.push(new);
        }
        while self.slots[self.hand].is_used {
            self.slots[self.hand].is_used = false;
            self.hand = (self.hand + 1) % max_blocks;
        }
        self.by_hash.remove(&self.slots[self.hand].id.hash());
        self.by_hash.insert(hash, self.hand);
        self.slots[self.hand] = new;
        self.hand = (self.hand + 1) % max_blocks;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cache_is_bounded_and_keeps_what_is_read() {
        let cache = BlockCache::new(PAYLOAD * SHARDS * 4);
        let get = |file: u64, block: u32| {
            let mut was_read = false;
            let content = cache.get(BlockId { file, block }, || {
                was_read = true;
                Ok(Block::new(block.to_le_bytes().to_vec()))
            });
            assert_eq!(content.unwrap()[..], block.to_le_bytes());
            was_read
        };
        assert!(get(1, 7) && !get(1, 7) && get(2, 7));
        for block in 1000..2000 {
            get(3, block);
            assert!(!get(1, 7), "a block that is read between all others stays");
        }
        for shard in cache.shards.iter().map(lock) {
            assert!(shard.slots.len() <= 4 && shard.by_hash.len() == shard.slots.len());
        }
        cache.remove_file(1);
        assert!(get(1, 7));
    }
}
