//! The groups of an input partition: those that components have formed, and its other articles as groups of one.

use std::collections::{BTreeSet, HashMap};

use super::directory::Directory;
use super::options::ExchangeOptions;
use crate::engine::population::Corpus;
use crate::engine::postings::partitioned::{put, put_bytes, put_column, BufferReader, CorruptBuffer};

/// Buffers with the number of the partition that receives each.
pub type Addressed = Vec<(u32, Vec<u8>)>;

/// A group of a job, with the ids of its articles. Sorted by rank, groups have the order of one machine.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GroupRow {
    /// The rank of the representative.
    pub rank: Vec<u8>,
    /// The representative first.
    pub members: Vec<String>,
    /// Left, right, kind, forward, backward.
    pub weakest: Option<(String, String, String, f64, f64)>,
    pub nearest: Option<NearestRow>,
    pub forced: bool,
}

/// Id, forward, backward, reason.
pub type NearestRow = (String, f64, f64, String);

/// A candidate for the nearest article outside a group, found by one partition of pairs.
pub(super) struct Candidate {
    pub representative: u64,
    /// Whether it was free at the turn of the representative.
    pub was_free: bool,
    /// The share of a free candidate; the number of shared keys of any other.
    pub worth: f64,
    /// Breaks ties: smaller bytes first.
    pub place: Vec<u8>,
    pub nearest: NearestRow,
}

/// What an input partition receives about its articles.
#[derive(Default)]
pub(super) struct Message {
    /// Articles that are in a group.
    pub grouped: Vec<u64>,
    /// Groups with the number of their representative.
    pub groups: Vec<(u64, GroupRow)>,
    pub candidates: Vec<Candidate>,
}

impl Message {
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = vec![];
        put_column(&mut out, 8, self.grouped.iter().copied());
        put(&mut out, self.groups.len() as u64);
        for (number, row) in &self.groups {
            put(&mut out, *number);
            put_bytes(&mut out, &row.rank);
            put(&mut out, row.members.len() as u64);
            row.members.iter().for_each(|id| put_bytes(&mut out, id.as_bytes()));
            put(&mut out, row.weakest.is_some().into());
            if let Some((left, right, kind, forward, backward)) = &row.weakest {
                [left, right, kind].iter().for_each(|text| put_bytes(&mut out, text.as_bytes()));
                [forward, backward].iter().for_each(|share| out.extend_from_slice(&share.to_bits().to_le_bytes()));
            }
            put(&mut out, row.nearest.is_some().into());
            row.nearest.iter().for_each(|nearest| put_nearest(&mut out, nearest));
            put(&mut out, row.forced.into());
        }
        put(&mut out, self.candidates.len() as u64);
        for candidate in &self.candidates {
            put(&mut out, candidate.representative);
            put(&mut out, candidate.was_free.into());
            out.extend_from_slice(&candidate.worth.to_bits().to_le_bytes());
            put_bytes(&mut out, &candidate.place);
            put_nearest(&mut out, &candidate.nearest);
        }
        out
    }

    /// Appends the content of a buffer.
    fn read(&mut self, buffer: &[u8]) -> Result<(), CorruptBuffer> {
        let mut buffer = BufferReader(buffer);
        self.grouped.extend(buffer.column(8)?);
        for _ in 0..buffer.number()? {
            let number = buffer.number()?;
            let mut row = GroupRow { rank: buffer.bytes()?.to_vec(), ..GroupRow::default() };
            for _ in 0..buffer.number()? {
                row.members.push(buffer.text()?.to_owned());
            }
            if buffer.number()? > 0 {
                let [left, right, kind] = [buffer.text()?, buffer.text()?, buffer.text()?].map(str::to_owned);
                row.weakest = Some((left, right, kind, float(&mut buffer)?, float(&mut buffer)?));
            }
            if buffer.number()? > 0 {
                row.nearest = Some(read_nearest(&mut buffer)?);
            }
            row.forced = buffer.number()? > 0;
            self.groups.push((number, row));
        }
        for _ in 0..buffer.number()? {
            self.candidates.push(Candidate {
                representative: buffer.number()?,
                was_free: buffer.number()? > 0,
                worth: float(&mut buffer)?,
                place: buffer.bytes()?.to_vec(),
                nearest: read_nearest(&mut buffer)?,
            });
        }
        Ok(())
    }
}

fn put_nearest(out: &mut Vec<u8>, (id, forward, backward, why): &NearestRow) {
    put_bytes(out, id.as_bytes());
    [forward, backward].iter().for_each(|share| out.extend_from_slice(&share.to_bits().to_le_bytes()));
    put_bytes(out, why.as_bytes());
}

fn read_nearest(buffer: &mut BufferReader) -> Result<NearestRow, CorruptBuffer> {
    Ok((buffer.text()?.to_owned(), float(buffer)?, float(buffer)?, buffer.text()?.to_owned()))
}

fn float(buffer: &mut BufferReader) -> Result<f64, CorruptBuffer> {
    Ok(f64::from_bits(buffer.wide(8)?))
}

/// The groups whose representatives are in a partition, and its articles without a group as groups of one.
pub fn group_rows(
    corpus: &Corpus,
    directory: &Directory,
    received: &[&[u8]],
    options: &ExchangeOptions,
) -> Result<Vec<GroupRow>, CorruptBuffer> {
    let mut all = Message::default();
    received.iter().try_for_each(|buffer| all.read(buffer))?;
    let grouped: BTreeSet<u64> = all.grouped.into_iter().collect();
    let mut candidates: HashMap<u64, Vec<Candidate>> = HashMap::new();
    for candidate in all.candidates {
        candidates.entry(candidate.representative).or_default().push(candidate);
    }
    let alone = (0..corpus.len() as u32).filter_map(|article| {
        let number = corpus.line(article as usize);
        let is_alone = number >= directory.first_new && !directory.is_removed(number) && !grouped.contains(&number);
        let members = || vec![corpus.id(article as usize).to_owned()];
        is_alone.then(|| {
            (number, GroupRow { rank: options.order.rank(corpus, article), members: members(), ..GroupRow::default() })
        })
    });
    let rows = all.groups.into_iter().chain(alone).map(|(number, mut row)| {
        let own = candidates.get(&number).map_or(&[][..], |own| own);
        row.nearest = row.nearest.or_else(|| nearest(own).map(|candidate| candidate.nearest.clone()));
        row
    });
    Ok(rows.collect())
}

/// The nearest of all candidates of a representative: the best free one, unless the best other one is nearer.
fn nearest(candidates: &[Candidate]) -> Option<&Candidate> {
    let best = |free: bool| {
        let some = candidates.iter().filter(move |candidate| candidate.was_free == free);
        some.min_by(|one, other| other.worth.total_cmp(&one.worth).then_with(|| one.place.cmp(&other.place)))
    };
    let share = |candidate: &Candidate| candidate.nearest.1.max(candidate.nearest.2);
    match (best(true), best(false)) {
        (Some(free), Some(other)) if share(other) > share(free) => Some(other),
        (free, other) => free.or(other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn candidate(was_free: bool, worth: f64, place: u8, share: f64) -> Candidate {
        let nearest = (format!("a{place}"), share, 0.1, "below the threshold".to_owned());
        Candidate { representative: 5, was_free, worth, place: vec![place], nearest }
    }

    #[test]
    fn the_best_free_candidate_is_the_nearest_unless_another_is_nearer() {
        let free = || vec![candidate(true, 0.3, 2, 0.3), candidate(true, 0.3, 1, 0.3), candidate(true, 0.2, 0, 0.2)];
        let chosen = |some: &[Candidate]| nearest(some).map(|candidate| candidate.nearest.0.clone());
        assert_eq!(chosen(&[]), None);
        assert_eq!(chosen(&free()).as_deref(), Some("a1"));
        let with = |share| chosen(&free().into_iter().chain([candidate(false, 9.0, 7, share)]).collect::<Vec<_>>());
        assert_eq!((with(0.3).as_deref(), with(0.4).as_deref()), (Some("a1"), Some("a7")));
    }

    #[test]
    fn messages_are_read_as_they_were_written() {
        let row = GroupRow {
            rank: vec![1, 2],
            members: vec!["ö".into(), "b".into()],
            weakest: Some(("ö".into(), "b".into(), "NEAR".into(), 0.25, 1.0)),
            nearest: None,
            forced: true,
        };
        let candidates = vec![candidate(false, 3.0, 4, 0.5)];
        let buffer = Message { grouped: vec![9, 4], groups: vec![(9, row.clone())], candidates }.to_bytes();
        let mut read = Message::default();
        read.read(&buffer).unwrap();
        assert_eq!((read.grouped, read.groups), (vec![9, 4], vec![(9, row)]));
        assert_eq!((read.candidates[0].worth, &read.candidates[0].nearest.0[..]), (3.0, "a4"));
        for end in 0..buffer.len() {
            assert!(Message::default().read(&buffer[..end]).is_err());
        }
    }
}
