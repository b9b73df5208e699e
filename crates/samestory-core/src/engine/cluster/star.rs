//! Relations to groups, each with its certificate: its representative, its weakest verified link, the nearest article
//! outside and why that one is outside.
//!
//! `star`: articles are taken best representative first; each one that is still free opens a group and takes the free
//! articles related to it, so that every member is verified against the representative and chains cannot grow. An article
//! that shares text with the representative, more likely than not as a copy, and is a copy of a member, joins too.
//! `components`: whatever hangs together. `majority` has a file of its own.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::Arc;

use crate::detectors::{Kind, Overlap, Why, COPY_SHARE};
use crate::model::group::{joins, Decisions, Group, Method, Outside};
use crate::model::relation::Link;

impl Group {
    /// Takes in an article and those that were decided to be the same.
    fn admit(&mut self, number: u32, article: u32, owners: &Owners, rules: &Rules) {
        let block = rules.decisions.block(&article);
        self.forced |= block.len() > 1;
        for &member in block {
            owners.set(member, number);
        }
        self.members.extend_from_slice(block);
    }

    /// Was it decided that a member is apart from this article, or from one that must be with it?
    fn is_forbidden(&self, number: u32, article: u32, owners: &Owners, rules: &Rules) -> bool {
        let decisions = rules.decisions;
        decisions.has_apart()
            && decisions.block(&article).iter().any(|&a| decisions.forbids(a, |other| owners.get(other) == number))
    }

    fn hold(&mut self, left: u32, right: u32, overlap: Overlap) {
        let stronger = |(_, _, weakest): (u32, u32, Overlap)| weakest.share() <= overlap.share();
        if !self.weakest.is_some_and(stronger) {
            self.weakest = Some((left, right, overlap));
        }
    }

    fn see(&mut self, to: u32, overlap: Overlap, why: Outside) {
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
    /// Is it asked for articles alone too, what stands nearest among those that were taken before their turn? There are
    /// many of them, and where keys must be looked up it costs as much again as all the rest.
    pub all_nearest: bool,
}

/// How many free articles are looked at together: enough for several threads, few enough that they seldom turn out to
/// be related to each other.
const AHEAD: usize = 128;

/// For every article the number of its group, or FREE; read by those who look for links while groups form.
pub struct Owners {
    groups: Vec<AtomicU32>,
    /// A bit for every article: is it free? So many fit into the nearest cache that asking costs nothing.
    free: Vec<AtomicU64>,
}

const FREE: u32 = u32::MAX;

impl Owners {
    pub fn new(count: usize) -> Self {
        Owners {
            groups: (0..count).map(|_| AtomicU32::new(FREE)).collect(),
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

    fn set(&self, article: u32, group: u32) {
        self.groups[article as usize].store(group, Ordering::Relaxed);
        self.free[article as usize / 64].fetch_and(!(1 << (article % 64)), Ordering::Relaxed);
    }
}

/// What is asked about an article while groups form.
#[derive(Clone, Debug)]
pub enum Question {
    /// Its links to the articles that are free.
    Links(u32),
    /// Its links to the nearest of those that were in one of the first groups, so many, when its turn came.
    Nearest(u32, u32),
    /// The first of these articles that it is a copy or a version of.
    Support(u32, Arc<[u32]>),
}

/// The links of one article.
pub type Answer = Vec<Link>;

/// Of the links of an article, that to the first of some others which it is a copy or a version of. A part is no copy: two
/// stories may hold one brief.
pub fn first_copied(links: &[Link], among: &[u32]) -> Answer {
    let copies: HashMap<u32, Link> =
        links.iter().filter(|link| joins(link.overlap.kind, false)).map(|&link| (link.to, link)).collect();
    among.iter().find_map(|other| copies.get(other)).copied().into_iter().collect()
}

fn links_of(articles: &[u32]) -> Vec<Question> {
    articles.iter().map(|&article| Question::Links(article)).collect()
}

/// None: the answers were stopped.
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
    // where somebody keeps articles apart it matters who joins first: then the better representative does, whatever the
    // order of the input
    let is_ranked = rules.decisions.has_apart();
    let by_rank = |mut links: Vec<Link>| {
        if is_ranked {
            links.sort_by_key(|link| rank[link.to as usize]);
        }
        links
    };
    loop {
        let ahead: Vec<u32> = order.by_ref().filter(|&a| owners.is_free(a)).take(AHEAD).collect();
        if ahead.is_empty() {
            break;
        }
        let answers = ask(links_of(&ahead))?;
        for (article, links) in ahead.into_iter().zip(answers) {
            if !owners.is_free(article) {
                continue;
            }
            let number = groups.len() as u32;
            let mut group =
                Group { representative: article, members: vec![], weakest: None, nearest: None, forced: false };
            group.admit(number, article, owners, rules);
            let links = by_rank(links);
            take(&mut group, number, article, &links, owners, rules);
            let doubtful = doubtful(&group, &links, owners, rules);
            if !doubtful.is_empty() {
                // only the members that are there before count, so that no chain grows; the best is asked for first
                let mut members = group.members[1..].to_vec();
                members.sort_unstable_by_key(|&member| rank[member as usize]);
                let members: Arc<[u32]> = members.into();
                let theirs = ask(doubtful.iter().map(|&a| Question::Support(a, members.clone())).collect())?;
                support(&mut group, number, doubtful.into_iter().zip(theirs), owners, rules);
            }
            if rules.all_nearest || group.members.len() > 1 {
                closed.push(Question::Nearest(article, number));
            }
            let mut asked = 1;
            while rules.method == Method::Components && asked < group.members.len() {
                let mut front = group.members[asked..].to_vec();
                asked = group.members.len();
                if is_ranked {
                    front.sort_unstable_by_key(|&a| rank[a as usize]);
                }
                for (&member, links) in front.iter().zip(ask(links_of(&front))?) {
                    take(&mut group, number, member, &by_rank(links), owners, rules);
                }
            }
            // only now it is known who stays outside: a member may be related to the representative in another way
            for &Link { to, overlap } in links.iter().filter(|link| owners.is_free(link.to)) {
                group.see(to, overlap, outside(&overlap, rules).unwrap_or(Outside::Forbidden));
            }
            groups.push(group);
        }
    }
    // for the certificate of a group, also what stands nearest among those that were taken before its turn
    for (question, links) in closed.clone().into_iter().zip(ask(closed)?) {
        let Question::Nearest(_, number) = question else { continue };
        for Link { to, overlap } in links {
            groups[number as usize].see(to, overlap, outside(&overlap, rules).unwrap_or(Outside::Taken));
        }
    }
    for group in &mut groups {
        group.members.sort_unstable_by_key(|&a| (a != group.representative, a));
    }
    Some(groups)
}

/// Takes those linked to an article of the group that are free. The links were measured a little ahead: who has been
/// taken by another group meanwhile is none of this group's candidates, so that a certificate does not depend on how
/// many were measured together.
fn take(group: &mut Group, number: u32, from: u32, links: &[Link], owners: &Owners, rules: &Rules) {
    for &Link { to, overlap } in links {
        if owners.is_free(to) && outside(&overlap, rules).is_none() && !group.is_forbidden(number, to, owners, rules) {
            group.admit(number, to, owners, rules);
            group.hold(from, to, overlap);
        }
    }
}

/// From this score on an article that shares text with the representative is more likely than not a copy of it.
const LIKELY: f64 = 0.5;

/// The free articles that share text with the representative of a star which others have joined.
fn doubtful(group: &Group, links: &[Link], owners: &Owners, rules: &Rules) -> Vec<u32> {
    if rules.method != Method::Star || group.members.len() == 1 {
        return vec![];
    }
    let is_doubtful = |link: &&Link| {
        let Overlap { kind, score, .. } = link.overlap;
        kind == Kind::SharesText && score >= LIKELY && link.overlap.share() >= COPY_SHARE
    };
    links.iter().filter(is_doubtful).map(|link| link.to).filter(|&to| owners.is_free(to)).collect()
}

/// Takes the doubtful articles, each with its link to a member.
fn support(
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
            group.hold(article, to, overlap);
        }
    }
}

/// Why what was measured of two articles does not put them into one group; None where it does.
fn outside(overlap: &Overlap, rules: &Rules) -> Option<Outside> {
    match overlap.kind {
        Kind::None if overlap.is_template() => Some(Outside::Template),
        Kind::None if overlap.why == Why::Facts => Some(Outside::Facts),
        Kind::None if overlap.why == Why::Days => Some(Outside::Days),
        Kind::None => Some(Outside::Apart),
        kind if !joins(kind, rules.join_parts) => Some(Outside::Kind),
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
