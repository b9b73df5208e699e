//! The nearest article outside each group, and the reason why it is outside.
//!
//! Groups are formed in order of rank, the best representative first. A representative is compared with all candidates
//! that are still free at its turn; of those already in another group, for a group of several, only with the one that
//! shares most keys. The order follows from the ranks of the representatives, so every partition of pairs finds its
//! nearest candidates independently, and the partition of the representative selects among them.

use std::collections::BTreeMap;

use super::assembly::{Addressed, Candidate, Message};
use super::compared::ComparedPartition;
use super::directory::Directory;
use super::options::ExchangeOptions;
use crate::engine::cluster::star::outside;
use crate::engine::postings::partitioned::{put_bytes, put_column, BufferReader, CorruptBuffer};
use crate::model::certificate::Outside;
use crate::model::relation::Link;

/// Members of groups of several, each with the number and the rank of its representative.
pub(super) type Memberships = BTreeMap<u64, (u64, Vec<u8>)>;

/// The memberships of some articles.
pub(super) fn put_memberships(memberships: &Memberships, articles: &[u64]) -> Vec<u8> {
    let rows: Vec<_> = articles.iter().filter_map(|article| memberships.get_key_value(article)).collect();
    let mut out = vec![];
    put_column(&mut out, 8, rows.iter().map(|row| *row.0));
    put_column(&mut out, 8, rows.iter().map(|row| row.1 .0));
    rows.iter().for_each(|row| put_bytes(&mut out, &row.1 .1));
    out
}

fn read_memberships(buffers: &[&[u8]]) -> Result<Memberships, CorruptBuffer> {
    let mut memberships = Memberships::new();
    for buffer in buffers {
        let mut buffer = BufferReader(buffer);
        let (members, leaders) = (buffer.column(8)?, buffer.column(8)?);
        for (member, leader) in members.into_iter().zip(leaders) {
            memberships.insert(member, (leader, buffer.bytes()?.to_vec()));
        }
    }
    Ok(memberships)
}

/// The nearest candidates of the representatives in a partition of pairs, for their input partitions.
pub fn nearest(
    compared: &ComparedPartition,
    directory: &Directory,
    received: &[&[u8]],
    options: &ExchangeOptions,
) -> Result<Addressed, CorruptBuffer> {
    let (related, memberships) = (&compared.related, read_memberships(received)?);
    let corpus = &related.corpus;
    let number = |article: u32| corpus.line(article as usize);
    let own_rank: Vec<Vec<u8>> = (0..corpus.len() as u32).map(|article| options.order.rank(corpus, article)).collect();
    // a member has the turn of its representative
    let own = |(article, rank)| {
        memberships.get(&number(article)).map_or((number(article), rank), |(best, rank)| (*best, rank))
    };
    let (leader, turn): (Vec<u64>, Vec<&Vec<u8>>) = (0..).zip(&own_rank).map(own).unzip();
    let signatures = related.signatures();
    let hubs = related.hubs(None);
    let mut worker = related.worker(&hubs, &signatures);
    let (mut links, mut messages): (Vec<Link>, BTreeMap<u32, Message>) = Default::default();
    for article in 0..corpus.len() as u32 {
        let (own, is_alone) = (number(article), !memberships.contains_key(&number(article)));
        if leader[article as usize] != own || is_alone && own < directory.first_new {
            continue;
        }
        let is_free = |other: u32| turn[other as usize] >= turn[article as usize];
        let mut add = |was_free: bool, worth: f64, Link { to, overlap }: Link| {
            let otherwise = if was_free { Outside::Forbidden } else { Outside::Taken };
            let why = outside(&overlap, options.join_parts).unwrap_or(otherwise).name().to_owned();
            let place = match was_free && !options.apart.is_empty() {
                true => own_rank[to as usize].clone(),
                false => [directory.original_of(number(to)), number(to)].map(u64::to_be_bytes).concat(),
            };
            let nearest = (corpus.id(to as usize).to_owned(), overlap.forward, overlap.backward, why);
            let candidate = Candidate { representative: own, was_free, worth, place, nearest };
            messages.entry(directory.partition_of(own)).or_default().candidates.push(candidate);
        };
        related.links(&mut worker, article, u32::MAX, is_free, &mut links);
        links.retain(|link| leader[link.to as usize] != own);
        if !options.apart.is_empty() {
            // as the articles would join
            links.sort_by(|one, other| own_rank[one.to as usize].cmp(&own_rank[other.to as usize]));
        }
        let best = links.iter().rev().max_by(|one, other| one.overlap.share().total_cmp(&other.overlap.share()));
        if let Some(&link) = best {
            add(true, link.overlap.share(), link);
        }
        if !is_alone {
            if let Some((worth, to, overlap)) = related.nearest_worth(&mut worker, article, is_free) {
                add(false, worth, Link { to, overlap: related.dated(article, to, overlap) });
            }
        }
    }
    Ok(messages.into_iter().map(|(partition, message)| (partition, message.to_bytes())).collect())
}
