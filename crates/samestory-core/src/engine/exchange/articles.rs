//! Articles in buffers: numbers and metadata, and the signatures of those that are compared.

use std::sync::Arc;

use crate::detectors::Detector;
use crate::engine::population::Corpus;
use crate::engine::postings::partitioned::{
    pack_words, put_bytes, put_column, unpack_words, BufferReader, CorruptBuffer,
};
use crate::engine::shard::{span, Shard};

/// The articles of an input partition in columns; row `at` of the signatures ends at `signature_ends[at]`.
pub struct Columns {
    pub numbers: Vec<u64>,
    pub ids: Vec<String>,
    pub published: Vec<i64>,
    pub sources: Vec<u64>,
    pub words: Vec<u32>,
    pub signatures: Vec<u32>,
    pub signature_ends: Vec<u32>,
}

impl Columns {
    /// The corpus of the articles, in the order of their numbers, which are its lines. None if the columns do not fit each
    /// other or the detector.
    pub fn corpus(self, detector: Arc<dyn Detector>, first_new: u64) -> Option<Corpus> {
        let count = self.numbers.len();
        let lengths = [self.ids.len(), self.published.len(), self.sources.len(), self.words.len()];
        let ends = &self.signature_ends;
        if lengths.iter().any(|&length| length != count)
            || ends.len() != count
            || !ends.is_sorted()
            || ends.last().map_or(0, |&end| end as usize) != self.signatures.len()
            || (0..count).any(|at| !detector.is_well_formed(&self.signatures[span(ends, at)]))
        {
            return None;
        }
        let mut shard = Shard {
            lines: self.numbers,
            published: self.published,
            sources: self.sources,
            words: self.words,
            signatures: self.signatures,
            signature_ends: self.signature_ends,
            ..Shard::default()
        };
        self.ids.iter().for_each(|id| shard.ids.push(id));
        Some(Corpus::from_shard(detector, shard, first_new))
    }
}

/// Adds an article of a corpus to a shard, with its signature or with an empty one.
pub(super) fn copy_article(shard: &mut Shard, corpus: &Corpus, article: u32, with_signature: bool) {
    let article = article as usize;
    shard.lines.push(corpus.line(article));
    shard.ids.push(corpus.id(article));
    shard.published.push(corpus.published(article));
    shard.sources.push(corpus.source(article));
    shard.words.push(corpus.words(article));
    if with_signature {
        shard.signatures.extend_from_slice(corpus.signature(article));
    }
    shard.signature_ends.push(shard.signatures.len() as u32);
}

pub(super) fn put_articles(out: &mut Vec<u8>, shard: &Shard) {
    put_column(out, 8, shard.lines.iter().copied());
    let ids = || (0..shard.lines.len()).map(|row| shard.ids.get(row));
    put_column(out, 4, ids().map(|id| id.len() as u64).collect::<Vec<_>>().into_iter());
    put_bytes(out, &ids().flat_map(str::bytes).collect::<Vec<u8>>());
    put_column(out, 8, shard.published.iter().map(|&time| time as u64));
    put_column(out, 8, shard.sources.iter().copied());
    put_column(out, 4, shard.words.iter().map(|&words| words.into()));
    let ends: Vec<usize> = shard.signature_ends.iter().map(|&end| end as usize).collect();
    put_bytes(out, &pack_words(&shard.signatures, &ends));
}

/// Appends the articles of a buffer to a shard.
pub(super) fn read_articles(buffer: &mut BufferReader, shard: &mut Shard) -> Result<(), CorruptBuffer> {
    let (numbers, lengths, mut ids) = (buffer.column(8)?, buffer.column(4)?, buffer.text()?);
    for &length in &lengths {
        let (id, rest) = ids.split_at_checked(length as usize).ok_or(CorruptBuffer)?;
        shard.ids.push(id);
        ids = rest;
    }
    let (published, sources, words) = (buffer.column(8)?, buffer.column(8)?, buffer.column(4)?);
    let (signatures, ends) = unpack_words(buffer.bytes()?)?;
    let lengths = [lengths.len(), published.len(), sources.len(), words.len(), ends.len()];
    if lengths.iter().any(|&length| length != numbers.len()) {
        return Err(CorruptBuffer);
    }
    shard.lines.extend(numbers);
    shard.published.extend(published.into_iter().map(|time| time as i64));
    shard.sources.extend(sources);
    shard.words.extend(words.into_iter().map(|words| words as u32));
    let begin = shard.signatures.len();
    shard.signatures.extend(signatures);
    shard.signature_ends.extend(ends.into_iter().map(|end| (begin + end) as u32));
    Ok(())
}

/// The keys of some articles, one row after the other, and where each row ends.
pub(super) fn keys_of(corpus: &Corpus) -> (Vec<u64>, Vec<usize>) {
    let mut keys = vec![];
    let ends = (0..corpus.len()).map(|article| {
        corpus.detector.keys(corpus.signature(article), &mut keys);
        keys.len()
    });
    let ends = ends.collect();
    (keys, ends)
}

/// Row `at` of rows that end at `ends[at]`.
pub(super) fn row_of<'a>(values: &'a [u64], ends: &[usize], at: usize) -> &'a [u64] {
    &values[if at == 0 { 0 } else { ends[at - 1] }..ends[at]]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn articles_are_read_as_they_were_written_and_truncated_buffers_rejected() {
        let mut shard =
            Shard { lines: vec![7, 3], published: vec![-5, 9], sources: vec![u64::MAX, 0], ..Shard::default() };
        ["ö", ""].iter().for_each(|id| shard.ids.push(id));
        (shard.words, shard.signatures, shard.signature_ends) = (vec![4, 0], vec![1, 1, 2], vec![3, 3]);
        let mut buffer = vec![];
        put_articles(&mut buffer, &shard);
        let mut read = Shard::default();
        for _ in 0..2 {
            read_articles(&mut BufferReader(&buffer), &mut read).unwrap();
        }
        assert_eq!((&read.lines[..], &read.published[2..]), (&[7, 3, 7, 3][..], &[-5, 9][..]));
        assert_eq!((read.ids.get(2), read.sources[2], read.words[2]), ("ö", u64::MAX, 4));
        assert_eq!(read.signatures[span(&read.signature_ends, 2)], [1, 1, 2]);
        for end in 0..buffer.len() {
            assert!(read_articles(&mut BufferReader(&buffer[..end]), &mut Shard::default()).is_err());
        }
    }
}
