//! Duplicate classes: articles with equal signatures. Only the first article of a class, its original, is compared.

use std::collections::HashMap;

use crate::base::hash;
use crate::detectors::Overlap;
use crate::engine::population::Corpus;
use crate::engine::shard::span;
use crate::engine::updates::SourceAndTime;
use crate::model::group::Group;

/// The duplicate classes of a corpus.
pub struct Copies {
    /// For every article, the first article with the same signature (often itself).
    pub original: Vec<u32>,
    /// For every original with copies: the original and its copies, in order.
    classes: HashMap<u32, Vec<u32>>,
    /// Bitmap over articles: set for an original that has copies.
    bitmap: Vec<u64>,
}

impl Copies {
    pub fn find(corpus: &Corpus) -> Self {
        let mut first = hash::Hashed::with_capacity_and_hasher(corpus.len(), Default::default());
        let mut original: Vec<u32> = (0..corpus.len() as u32).collect();
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
                    break;
                }
                fingerprint = hash::mix(fingerprint, 0x9E37_79B9_7F4A_7C15); // hash collision of two signatures
            }
        }
        Copies::from_originals(original)
    }

    /// The duplicate classes, from the original of every article.
    pub(crate) fn from_originals(original: Vec<u32>) -> Self {
        let mut classes: HashMap<u32, Vec<u32>> = HashMap::new();
        for (article, &original) in (0..).zip(&original).filter(|&(article, &original)| article != original) {
            classes.entry(original).or_insert_with(|| vec![original]).push(article);
        }
        let mut bitmap = vec![0u64; original.len().div_ceil(64)];
        for &article in classes.keys() {
            bitmap[article as usize / 64] |= 1 << (article % 64);
        }
        Copies { original, classes, bitmap }
    }

    pub fn is_original(&self, article: u32) -> bool {
        self.original[article as usize] == article
    }

    #[inline(always)]
    pub fn has_copies(&self, original: u32) -> bool {
        self.bitmap[original as usize / 64] >> (original % 64) & 1 != 0
    }

    /// Returns an original and its copies, in order.
    pub fn class<'a>(&'a self, original: &'a u32) -> &'a [u32] {
        if self.has_copies(*original) {
            &self.classes[original]
        } else {
            std::slice::from_ref(original)
        }
    }
}

/// Articles that stand for others with the same signature, weighted by their number: a story with a hundred thousand
/// copies is grouped as one article.
pub struct Representatives {
    /// For every article the one that stands for it (often itself).
    of: Vec<u32>,
    /// Number of articles that an article stands for, itself included; 0 if another one stands for it.
    pub sizes: Vec<u32>,
    copies: HashMap<u32, Vec<u32>>,
}

impl Representatives {
    /// `class` returns what articles must have in common to share a representative; None for an article that has its
    /// own.
    pub fn new(articles: u32, class: impl Fn(u32) -> Option<(u32, SourceAndTime)>) -> Self {
        let mut first: HashMap<(u32, SourceAndTime), u32> = HashMap::new();
        let mut representative =
            |article: u32| class(article).map_or(article, |class| *first.entry(class).or_insert(article));
        let of: Vec<u32> = (0..articles).map(&mut representative).collect();
        let mut sizes = vec![0; of.len()];
        let mut copies: HashMap<u32, Vec<u32>> = HashMap::new();
        for (article, &representative) in (0..).zip(&of) {
            sizes[representative as usize] += 1;
            if article != representative {
                copies.entry(representative).or_default().push(article);
            }
        }
        Representatives { of, sizes, copies }
    }

    pub fn is_one(&self, article: u32) -> bool {
        self.of[article as usize] == article
    }

    /// Completes the groups of the representatives, sorted by the rank of the best member.
    pub fn complete(
        &self,
        groups: &mut Vec<Group>,
        order: &[u32],
        weakest: impl Fn(u32, u32) -> Option<(u32, u32, Overlap)>,
    ) {
        let mut rank = vec![0; order.len()];
        (0..).zip(order).for_each(|(place, &article)| rank[article as usize] = place);
        groups.retain(|group| self.sizes[group.representative as usize] > 0);
        for group in groups.iter_mut() {
            self.insert_copies(&rank, group, &weakest);
        }
        groups.sort_unstable_by_key(|group| rank[group.representative as usize]);
    }

    /// Adds the copies of each member to its group, and selects the representative again. `weakest` relates a copy to
    /// the first member of a group that has no relation yet.
    fn insert_copies(
        &self,
        rank: &[u32],
        group: &mut Group,
        weakest: impl Fn(u32, u32) -> Option<(u32, u32, Overlap)>,
    ) {
        let members = group.members.iter();
        let own: Vec<u32> = members.filter_map(|member| self.copies.get(member)).flatten().copied().collect();
        let Some(&copy) = own.first() else { return };
        if group.weakest.is_none() {
            group.weakest = weakest(copy, group.members[0]);
        }
        group.members.extend(own);
        let best = *group.members.iter().min_by_key(|&&member| rank[member as usize]).expect("a group has members");
        group.representative = best;
        group.members.sort_unstable_by_key(|&member| (member != best, member));
    }
}
