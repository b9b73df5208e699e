//! Duplicate ids, duplicate signatures, and the keys that may be shared: found at the parts of their hashes.
//!
//! Most keys of an article are unique, so only a few bits of each are sent at first (`shared_filter`). Ids are sent
//! whole, signatures as 128-bit fingerprints.

use super::articles::{keys_of, row_of};
use super::directory::Directory;
use crate::base::hash;
use crate::engine::population::Corpus;
use crate::engine::postings::partitioned::{
    bits_for, mixed, pack, part_of, put_ascending, put_bytes, put_column, read_responses, request, respond,
    BufferReader, CorruptBuffer, LARGEST_QUORUM,
};

/// Approximate number of keys of an article, which determines the number of bits.
const KEYS_PER_ARTICLE: u64 = 64;

/// The requests of a partition, a buffer for every part; `articles`: number of articles of the collection.
pub fn request_shared(corpus: &Corpus, articles: u64, parts: usize) -> Vec<Vec<u8>> {
    let (keys, ends) = keys_of(corpus);
    let hashes: Vec<u64> = keys.iter().map(|&key| mixed(key)).collect();
    let (mut ids, mut signed) = (vec![vec![]; parts], vec![vec![]; parts]);
    for article in 0..corpus.len() {
        ids[part_of(hash::token(corpus.id(article).as_bytes()), parts)].push(article);
        // an article without keys is never a copy
        if !row_of(&keys, &ends, article).is_empty() {
            let fingerprint = [1, 2].map(|seed| hash::sequence(corpus.signature(article), seed));
            signed[part_of(fingerprint[0], parts)].push((corpus.line(article), fingerprint));
        }
    }
    let mut out = request(&hashes, bits_for(KEYS_PER_ARTICLE * articles), parts);
    for (buffer, (ids, signed)) in out.iter_mut().zip(ids.into_iter().zip(signed)) {
        let filter = std::mem::take(buffer);
        put_bytes(buffer, &filter);
        put_ascending(buffer, ids.iter().map(|&article| corpus.line(article)));
        ids.iter().for_each(|&article| put_bytes(buffer, corpus.id(article).as_bytes()));
        put_ascending(buffer, signed.iter().map(|row| row.0));
        put_column(buffer, 8, signed.iter().map(|row| row.1[0]));
        put_column(buffer, 8, signed.iter().map(|row| row.1[1]));
    }
    out
}

/// The repeated ids and signatures of a part.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct PartDuplicates {
    /// The articles that another one with the same id displaces.
    pub removed: Vec<u64>,
    /// Those of them that are rejected records, with their ids.
    pub rejected: Vec<(u64, String)>,
    /// Number of old articles that new ones replace.
    pub replaced: usize,
    /// Articles with equal signatures: the number of their class, which is its first article, and the article.
    pub members: Vec<(u64, u64)>,
}

/// The responses of a part, one for each request, and what is repeated. Articles before `stored_end` were stored by
/// earlier runs.
pub fn respond_shared(
    requests: &[&[u8]],
    stored_end: u64,
    first_new: u64,
) -> Result<(Vec<Vec<u8>>, PartDuplicates), CorruptBuffer> {
    let (mut filters, mut ids, mut signed) = (vec![], vec![], vec![]);
    for request in requests {
        let mut buffer = BufferReader(request);
        filters.push(buffer.bytes()?);
        for number in buffer.ascending()? {
            ids.push((buffer.text()?, number));
        }
        let (numbers, high, low) = (buffer.ascending()?, buffer.column(8)?, buffer.column(8)?);
        signed.extend(high.into_iter().zip(low).zip(numbers));
    }
    ids.sort_unstable();
    signed.sort_unstable();
    let mut repeated = PartDuplicates::default();
    for same in ids.chunk_by(|one, other| one.0 == other.0).filter(|same| same.len() > 1) {
        let numbers: Vec<u64> = same.iter().map(|&(_, number)| number).collect();
        let (old, new) = numbers.split_at(numbers.partition_point(|&number| number < first_new));
        let (stored, given) = old.split_at(old.partition_point(|&number| number < stored_end));
        // of several stored versions the last one is current, of several others the first
        let (outdated, current) = stored.split_at(stored.len().saturating_sub(1));
        let old: Vec<u64> = current.iter().chain(given).copied().collect();
        let repeats = old.iter().skip(1).chain(new.iter().skip(1));
        repeated.rejected.extend(repeats.clone().map(|&number| (number, same[0].0.to_owned())));
        repeated.removed.extend(outdated.iter().chain(repeats));
        if !old.is_empty() && !new.is_empty() {
            repeated.removed.push(old[0]);
            repeated.replaced += 1;
        }
    }
    for same in signed.chunk_by(|one, other| one.0 == other.0).filter(|same| same.len() > 1) {
        repeated.members.extend(same.iter().map(|&(_, number)| (same[0].1, number)));
    }
    Ok((respond(&filters)?, repeated))
}

/// The keys of the originals that may be shared, in a buffer for every part, given the responses of the parts; and the
/// number of articles without keys.
pub fn pack_keys(
    corpus: &Corpus,
    directory: &Directory,
    responses: &[&[u8]],
    articles: u64,
) -> Result<(Vec<Vec<u8>>, usize), CorruptBuffer> {
    let (keys, ends) = keys_of(corpus);
    let hashes: Vec<u64> = keys.iter().map(|&key| mixed(key)).collect();
    let parts = responses.len();
    let mut shared = read_responses(&hashes, bits_for(KEYS_PER_ARTICLE * articles), parts, responses)?;
    let quorum = corpus.detector.candidate_plan().quorum;
    let (mut quorums, mut unsigned) = (vec![], 0);
    let mut begin = 0;
    for (article, &end) in ends.iter().enumerate() {
        let number = corpus.line(article);
        if directory.is_removed(number) || !directory.is_original(number) {
            shared[begin..end].fill(false);
        } else if begin == end {
            unsigned += 1;
        }
        quorums.push(quorum.of(end - begin).clamp(1, LARGEST_QUORUM.into()) as u8);
        begin = end;
    }
    let numbers: Vec<u64> = (0..corpus.len()).map(|article| corpus.line(article)).collect();
    Ok((pack(&numbers, &keys, &ends, &quorums, &shared, parts), unsigned))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(ids: &[(u64, &str)], signed: &[(u64, u64)]) -> Vec<u8> {
        let mut buffer = vec![];
        put_bytes(&mut buffer, &super::request(&[], 16, 1)[0]);
        put_ascending(&mut buffer, ids.iter().map(|id| id.0));
        ids.iter().for_each(|id| put_bytes(&mut buffer, id.1.as_bytes()));
        put_ascending(&mut buffer, signed.iter().map(|row| row.0));
        put_column(&mut buffer, 8, signed.iter().map(|row| row.1));
        put_column(&mut buffer, 8, signed.iter().map(|_| 0));
        buffer
    }

    #[test]
    fn of_one_id_the_last_stored_and_otherwise_the_first_article_is_kept() {
        let one = request(&[(1, "a"), (2, "b"), (12, "a"), (13, "c"), (30, "d")], &[(1, 5), (13, 5), (30, 6)]);
        let other = request(&[(5, "a"), (11, "b"), (20, "e"), (21, "e"), (35, "d"), (36, "c")], &[(20, 5)]);
        let (responses, repeated) = respond_shared(&[&one, &other], 10, 25).unwrap();
        assert_eq!(responses.len(), 2);
        // a: 5 is the last stored version, 12 a repeat; b: 11 repeats the stored 2; c: 36 replaces 13
        let rejected = [(12, "a"), (11, "b"), (35, "d"), (21, "e")].map(|(number, id)| (number, id.to_owned()));
        assert_eq!(repeated.rejected, rejected);
        assert_eq!(repeated.removed, [1, 12, 11, 13, 35, 21]);
        assert_eq!(repeated.replaced, 1);
        assert_eq!(repeated.members, [(1, 1), (1, 13), (1, 20)]);
        assert!(respond_shared(&[&one[..one.len() - 1]], 10, 25).is_err());
    }
}
