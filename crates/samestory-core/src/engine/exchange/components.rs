//! Grouping by connected components: all articles of a component are collected in one part and grouped by the engine.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::articles::{copy_article, put_articles, read_articles};
use super::assembly::{Addressed, GroupRow, Message};
use super::compared::{put_pairs, read_pairs, ComparedPair, ComparedPartition};
use super::directory::Directory;
use super::nearest::{put_memberships, Memberships};
use super::options::ExchangeOptions;
use crate::detectors::{Detector, Kind};
use crate::engine::find::GroupingOptions;
use crate::engine::postings::partitioned::{part_of, put_ascending, BufferReader, CorruptBuffer};
use crate::engine::shard::Shard;
use crate::model::group::{joins, Method};

/// The articles and pairs that grouping needs, in a buffer for every part. `labels`: articles of this partition with the
/// smallest article of their component, sorted; any other article is a component of its own. Of articles without a pair
/// that matters only the numbers are sent: their memberships are needed here (`nearest`).
pub fn send_components(
    compared: &ComparedPartition,
    directory: &Directory,
    labels: &[(u64, u64)],
    join_parts: bool,
    parts: usize,
) -> Vec<Vec<u8>> {
    let corpus = &compared.related.corpus;
    let label =
        |article: u64| labels.binary_search_by_key(&article, |label| label.0).map_or(article, |at| labels[at].1);
    let mut out: Vec<(BTreeSet<u64>, Vec<&ComparedPair>)> = vec![Default::default(); parts];
    for pair in &compared.pairs {
        let kind = compared.best_kind(pair);
        // common text alone joins no articles, but star grouping considers it within a component
        let is_kept = match kind {
            Kind::SharesText => label(pair.left) == label(pair.right),
            kind => joins(kind, join_parts),
        };
        if is_kept || pair.left == pair.right {
            let (originals, pairs) = &mut out[part_of(label(pair.left), parts)];
            originals.extend([pair.left, pair.right]);
            pairs.extend(is_kept.then_some(pair));
        }
    }
    let mut others: Vec<Vec<u64>> = vec![vec![]; parts];
    for article in 0..corpus.len() {
        let (number, original) = (corpus.line(article), directory.original_of(corpus.line(article)));
        let part = part_of(label(original), parts);
        if !out[part].0.contains(&original) {
            others[part].push(number);
        }
    }
    let buffers = out.into_iter().zip(others).map(|((originals, pairs), others)| {
        let (mut shard, mut buffer) = (Shard::default(), vec![]);
        if originals.is_empty() && others.is_empty() {
            return buffer;
        }
        for number in originals.into_iter().flat_map(|own| [own].into_iter().chain(directory.copies_of(own))) {
            corpus.at_line(number).into_iter().for_each(|article| copy_article(&mut shard, corpus, article, false));
        }
        put_articles(&mut buffer, &shard);
        put_pairs(&mut buffer, pairs.into_iter(), 0);
        put_ascending(&mut buffer, others.into_iter());
        buffer
    });
    buffers.collect()
}

/// Groups the components of a part, by buffers with the numbers of the partitions that have sent them. Returns the
/// memberships for these partitions, and the groups for the input partitions of their articles.
pub fn group(
    detector: Arc<dyn Detector>,
    directory: &Directory,
    received: &[(u32, &[u8])],
    options: &ExchangeOptions,
) -> Result<(Addressed, Addressed), CorruptBuffer> {
    let buffers: Vec<&[u8]> = received.iter().map(|&(_, buffer)| buffer).collect();
    let related = ComparedPartition::read(detector, directory, &buffers)?.related;
    let corpus = &related.corpus;
    let number = |article: u32| corpus.line(article as usize);
    let id = |article: u32| corpus.id(article as usize).to_owned();
    let grouping = GroupingOptions {
        representative: options.order.representative,
        preferred: options.order.preferred.clone(),
        method: options.method,
        join_parts: options.join_parts,
        decisions: options.decisions(corpus),
    };
    let (groups, ..) = related.groups(&grouping, &mut |_| true).unwrap_or_default();
    let mut memberships = Memberships::default();
    let mut messages: BTreeMap<u32, Message> = BTreeMap::new();
    for group in groups {
        let (best, rank) = (number(group.representative), options.order.rank(corpus, group.representative));
        // by majority all relations that matter are within the component; for other methods, see `nearest`
        let nearest = group.nearest.filter(|_| options.method == Method::Majority);
        let row = GroupRow {
            rank: rank.clone(),
            members: group.members.iter().map(|&member| id(member)).collect(),
            weakest: group.weakest.map(|(left, right, overlap)| {
                (id(left), id(right), overlap.kind.name().to_owned(), overlap.forward, overlap.backward)
            }),
            nearest: nearest
                .map(|(to, overlap, why)| (id(to), overlap.forward, overlap.backward, why.name().to_owned())),
            forced: group.forced,
        };
        if group.members.len() > 1 || row.nearest.is_some() {
            messages.entry(directory.partition_of(best)).or_default().groups.push((best, row));
            for &member in &group.members {
                messages.entry(directory.partition_of(number(member))).or_default().grouped.push(number(member));
            }
        }
        if group.members.len() > 1 {
            let members = group.members.iter().map(|&member| number(member));
            memberships.extend(members.map(|member| (member, (best, rank.clone()))));
        }
    }
    let mut to_pairs = vec![];
    for &(origin, buffer) in received.iter().filter(|_| options.method != Method::Majority) {
        let (mut own, mut buffer) = (Shard::default(), BufferReader(buffer));
        read_articles(&mut buffer, &mut own)?;
        read_pairs(&mut buffer)?;
        own.lines.extend(buffer.ascending()?);
        to_pairs.push((origin, put_memberships(&memberships, &own.lines)));
    }
    Ok((to_pairs, messages.into_iter().map(|(partition, message)| (partition, message.to_bytes())).collect()))
}
