//! Groups with certificates, from relations: the representative, the weakest verified link, the nearest article outside
//! and why that one is outside.
//!
//! `star`: articles are visited best representative first; each one that is still free opens a group and adds the free
//! articles related to it, so that every member is verified against the representative and chains cannot grow. An
//! article that shares text with the representative, more likely than not as a copy, and is a copy of a member, joins
//! too. `components`: connected components. `majority` has a file of its own.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::Arc;

use crate::detectors::{Kind, Overlap, Why, COPY_SHARE};
use crate::model::certificate::Outside;
use crate::model::decisions::Decisions;
use crate::model::group::{joins, Group, Method};
use crate::model::relation::Link;

impl Group {
    /// Adds an article and those that were decided to be the same.
    fn admit(&mut self, number: u32, article: u32, owners: &Owners, rules: &Rules) {
        let block = rules.decisions.block(&article);
        self.forced |= block.len() > 1;
        for &member in block {
            owners.set(member, number);
        }
        // first the article itself: the links of the first member of a group are known, those of the others are followed
        self.members.push(article);
        self.members.extend(block.iter().copied().filter(|&member| member != article));
    }

    /// Whether a decision keeps a member apart from this article, or from one that must be with it.
    fn is_forbidden(&self, number: u32, article: u32, owners: &Owners, rules: &Rules) -> bool {
        let decisions = rules.decisions;
        decisions.has_apart()
            && decisions.block(&article).iter().any(|&a| decisions.forbids(a, |other| owners.get(other) == number))
    }

    fn update_weakest(&mut self, left: u32, right: u32, overlap: Overlap) {
        let stronger = |(_, _, weakest): (u32, u32, Overlap)| weakest.share() <= overlap.share();
        if !self.weakest.is_some_and(stronger) {
            self.weakest = Some((left, right, overlap));
        }
    }

    fn update_nearest(&mut self, to: u32, overlap: Overlap, why: Outside) {
        if self.nearest.is_none_or(|(_, nearest, _)| nearest.share() < overlap.share()) {
            self.nearest = Some((to, overlap, why));
        }
    }
}

pub struct Rules<'a> {
    pub method: Method,
    /// Articles, best representative first.
    pub order: &'a [u32],
    pub join_parts: bool,
    pub decisions: &'a Decisions,
    /// Whether groups of one article also get the nearest article of earlier groups in their certificate. There are
    /// many of them, and where keys must be looked up it costs as much again as all the rest.
    pub all_nearest: bool,
}

/// Number of free articles per batch: enough for several threads, few enough that they are seldom related to each
/// other.
const BATCH_ARTICLES: usize = 128;

/// For every article the number of its group, or NO_GROUP; read by the link search while groups form.
pub struct Owners {
    groups: Vec<AtomicU32>,
    /// A bit for every article: is it free? Small enough for the L1 cache, so that the test costs almost nothing.
    free: Vec<AtomicU64>,
}

const NO_GROUP: u32 = u32::MAX;

impl Owners {
    pub fn new(count: usize) -> Self {
        Owners {
            groups: (0..count).map(|_| AtomicU32::new(NO_GROUP)).collect(),
            free: (0..count.div_ceil(64)).map(|_| AtomicU64::new(u64::MAX)).collect(),
        }
    }

    #[inline(always)]
    pub fn is_free(&self, article: u32) -> bool {
        self.free[article as usize / 64].load(Ordering::Relaxed) >> (article % 64) & 1 != 0
    }

    pub fn get(&self, article: u32) -> u32 {
        self.groups[article as usize].load(Ordering::Relaxed)
    }

    pub(crate) fn set(&self, article: u32, group: u32) {
        self.groups[article as usize].store(group, Ordering::Relaxed);
        self.free[article as usize / 64].fetch_and(!(1 << (article % 64)), Ordering::Relaxed);
    }
}

/// A query about an article while groups form.
#[derive(Clone, Debug)]
pub enum Question {
    /// Its links to the articles that are free.
    Links(u32),
    /// Its links to the nearest articles of the groups with a smaller number than the second value.
    Nearest(u32, u32),
    /// The first of these articles that it is a copy or a version of.
    Support(u32, Arc<[u32]>),
}

/// The links of one article.
pub type Answer = Vec<Link>;

/// Of the links of an article, the one to the first article of `among` which it is a copy or a version of. A part is no
/// copy: two stories may contain one brief.
pub fn first_copied(links: &[Link], among: &[u32]) -> Answer {
    let copies: HashMap<u32, Link> =
        links.iter().filter(|link| joins(link.overlap.kind, false)).map(|&link| (link.to, link)).collect();
    among.iter().find_map(|other| copies.get(other)).copied().into_iter().collect()
}

fn links_of(articles: &[u32]) -> Vec<Question> {
    articles.iter().map(|&article| Question::Links(article)).collect()
}

/// Forms the groups by `rules`; None if the work was stopped.
pub fn group(
    owners: &Owners,
    rules: &Rules,
    ask: &mut dyn FnMut(Vec<Question>) -> Option<Vec<Answer>>,
) -> Option<Vec<Group>> {
    let mut groups: Vec<Group> = vec![];
    let mut closed: Vec<Question> = vec![];
    let mut order = rules.order.iter().copied();
    let mut rank = vec![0; owners.groups.len()];
    for (place, &article) in (0..).zip(rules.order) {
        rank[article as usize] = place;
    }
    // where decisions keep articles apart, the order of joining matters: then the better representative joins first,
    // whatever the order of the input
    let is_ranked = rules.decisions.has_apart();
    let by_rank = |mut links: Vec<Link>| {
        if is_ranked {
            links.sort_by_key(|link| rank[link.to as usize]);
        }
        links
    };
    loop {
        let batch: Vec<u32> = order.by_ref().filter(|&a| owners.is_free(a)).take(BATCH_ARTICLES).collect();
        if batch.is_empty() {
            break;
        }
        let answers = ask(links_of(&batch))?;
        for (article, links) in batch.into_iter().zip(answers) {
            if !owners.is_free(article) {
                continue;
            }
            let number = groups.len() as u32;
            let mut group =
                Group { representative: article, members: vec![], weakest: None, nearest: None, forced: false };
            group.admit(number, article, owners, rules);
            let links = by_rank(links);
            admit_linked(&mut group, number, article, &links, owners, rules);
            let doubtful = doubtful(&group, &links, owners, rules);
            if !doubtful.is_empty() {
                // only the members so far count, so that no chain grows; the best representative is tested first
                let mut members = group.members[1..].to_vec();
                members.sort_unstable_by_key(|&member| rank[member as usize]);
                let members: Arc<[u32]> = members.into();
                let answers = ask(doubtful.iter().map(|&a| Question::Support(a, members.clone())).collect())?;
                admit_supported(&mut group, number, doubtful.into_iter().zip(answers), owners, rules);
            }
            if rules.all_nearest || group.members.len() > 1 {
                closed.push(Question::Nearest(article, number));
            }
            let mut expanded = 1;
            while rules.method == Method::Components && expanded < group.members.len() {
                let mut front = group.members[expanded..].to_vec();
                expanded = group.members.len();
                if is_ranked {
                    front.sort_unstable_by_key(|&a| rank[a as usize]);
                }
                for (&member, links) in front.iter().zip(ask(links_of(&front))?) {
                    admit_linked(&mut group, number, member, &by_rank(links), owners, rules);
                }
            }
            // only now the members are final: one may have joined by another link than that to the representative
            for &Link { to, overlap } in links.iter().filter(|link| owners.is_free(link.to)) {
                group.update_nearest(to, overlap, outside(&overlap, rules.join_parts).unwrap_or(Outside::Forbidden));
            }
            groups.push(group);
        }
    }
    // for the certificate of a group, also the nearest article of earlier groups
    for (question, links) in closed.clone().into_iter().zip(ask(closed)?) {
        let Question::Nearest(_, number) = question else { continue };
        for Link { to, overlap } in links {
            groups[number as usize].update_nearest(
                to,
                overlap,
                outside(&overlap, rules.join_parts).unwrap_or(Outside::Taken),
            );
        }
    }
    for group in &mut groups {
        group.members.sort_unstable_by_key(|&a| (a != group.representative, a));
    }
    Some(groups)
}

/// Adds the free articles linked to an article of the group. The links were measured a batch ahead: an article that has
/// joined another group meanwhile is no candidate of this group, so that a certificate does not depend on the batch
/// size.
fn admit_linked(group: &mut Group, number: u32, from: u32, links: &[Link], owners: &Owners, rules: &Rules) {
    for &Link { to, overlap } in links {
        if owners.is_free(to)
            && outside(&overlap, rules.join_parts).is_none()
            && !group.is_forbidden(number, to, owners, rules)
        {
            group.admit(number, to, owners, rules);
            group.update_weakest(from, to, overlap);
        }
    }
}

/// From this score on, an article that shares text with the representative is more likely than not a copy of it.
const MIN_COPY_SCORE: f64 = 0.5;

/// The free articles that share text with the representative of a star of more than one article.
fn doubtful(group: &Group, links: &[Link], owners: &Owners, rules: &Rules) -> Vec<u32> {
    if rules.method != Method::Star || group.members.len() == 1 {
        return vec![];
    }
    let is_doubtful = |link: &&Link| {
        let Overlap { kind, score, .. } = link.overlap;
        kind == Kind::SharesText && score >= MIN_COPY_SCORE && link.overlap.share() >= COPY_SHARE
    };
    links.iter().filter(is_doubtful).map(|link| link.to).filter(|&to| owners.is_free(to)).collect()
}

/// Adds the doubtful articles that have a link to a member.
fn admit_supported(
    group: &mut Group,
    number: u32,
    doubtful: impl Iterator<Item = (u32, Answer)>,
    owners: &Owners,
    rules: &Rules,
) {
    for (article, links) in doubtful {
        let Some(&Link { to, overlap }) = links.first() else { continue };
        if owners.is_free(article) && !group.is_forbidden(number, article, owners, rules) {
            group.admit(number, article, owners, rules);
            group.update_weakest(article, to, overlap);
        }
    }
}

/// Why the overlap of two articles does not put them into one group; None where it does.
pub(crate) fn outside(overlap: &Overlap, join_parts: bool) -> Option<Outside> {
    match overlap.kind {
        Kind::None if overlap.is_template() => Some(Outside::Template),
        Kind::None if overlap.why == Why::Facts => Some(Outside::Facts),
        Kind::None if overlap.why == Why::Days => Some(Outside::Days),
        Kind::None => Some(Outside::Apart),
        kind if !joins(kind, join_parts) => Some(Outside::Kind),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_decided_to_be_the_same_is_together_in_whatever_order_it_was_said() {
        let decisions = Decisions::new(&[(5, 4), (1, 2), (2, 5), (9, 8)], &[(1, 9)]);
        for article in [1, 2, 4, 5] {
            assert_eq!(decisions.block(&article), [1, 2, 4, 5]);
        }
        assert_eq!(decisions.block(&8), [8, 9]);
        assert_eq!(decisions.block(&7), [7]);
        assert!(decisions.forbids(9, |other| other == 1) && !decisions.forbids(8, |_| true));
    }

    #[test]
    fn a_hundred_thousand_decisions_about_one_story_are_nothing_special() {
        let chain: Vec<(u32, u32)> = (0..100_000).map(|n| (n, n + 1)).collect();
        let star: Vec<(u32, u32)> = (0..100_000).rev().map(|n| (100_000, n)).collect();
        for same in [chain, star] {
            assert_eq!(Decisions::new(&same, &[]).block(&50_000).len(), 100_001);
        }
    }
}
