//! Crowded articles: those of which at least half of the keys have long lists, for the parts of these keys.

use super::articles::{keys_of, row_of};
use super::directory::Directory;
use super::options::RankOrder;
use crate::engine::population::Corpus;
use crate::engine::postings::fair;
use crate::engine::postings::partitioned::{is_among, part_of_key, put_crowded, CrowdedArticle};

/// The crowded originals of a partition, in a buffer for every part that has long lists with them; `skipped` are the
/// hashes of the keys with long lists, sorted. The other buffers are empty.
pub fn find_crowded(
    corpus: &Corpus,
    directory: &Directory,
    skipped: &[u64],
    order: &RankOrder,
    parts: usize,
) -> Vec<Vec<u8>> {
    let (keys, ends) = keys_of(corpus);
    let mut crowded: Vec<Vec<CrowdedArticle>> = (0..parts).map(|_| vec![]).collect();
    for article in 0..corpus.len() {
        let number = corpus.line(article);
        if directory.is_removed(number) || !directory.is_original(number) {
            continue;
        }
        let own = row_of(&keys, &ends, article);
        let long: Vec<u64> = own.iter().copied().filter(|&key| is_among(key, skipped)).collect();
        if fair::is_crowded(long.len(), own.len()) {
            let mut to: Vec<usize> = long.into_iter().map(|key| part_of_key(key, parts)).collect();
            to.sort_unstable();
            to.dedup();
            let (source, rank) = (corpus.source(article), order.rank(corpus, article as u32));
            to.iter().for_each(|&part| crowded[part].push(CrowdedArticle { number, source, rank: rank.clone() }));
        }
    }
    crowded.iter().map(|articles| put_crowded(articles)).collect()
}
