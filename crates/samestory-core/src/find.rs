//! The main job: a corpus whose articles have met, to groups.

use std::collections::HashMap;

use crate::article::NO_TIME;
use crate::groups::{self, Decisions, Group, Method, Owners, Question, Rules};
use crate::majority::{self, Days};
use crate::parallel::{self, Tick};
use crate::relate::{standing, About, Related, Relation};

/// Which member stands for its group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Policy {
    Longest,
    Earliest,
    Latest,
}

pub struct Choice {
    pub policy: Policy,
    /// Hashes of preferred sources, best first; they come before the policy.
    pub preferred: Vec<u64>,
    pub method: Method,
    pub join_parts: bool,
    pub decisions: Decisions,
}

/// The first eight bytes of an id, as a number in the same order.
fn beginning(id: &str) -> u64 {
    let mut bytes = [0u8; 8];
    let count = id.len().min(8);
    bytes[..count].copy_from_slice(&id.as_bytes()[..count]);
    u64::from_be_bytes(bytes)
}

impl Related {
    /// The articles, best representative first: by preferred source, then by the policy, then by id, so that the order
    /// of the input does not matter.
    pub fn order(&self, choice: &Choice) -> Vec<u32> {
        let corpus = &self.corpus;
        // one number says nearly all, and where it ends in the beginning of the id, hardly any ids must be looked up
        let rank = |a: usize| {
            let source = corpus.source(a);
            let place = choice.preferred.iter().position(|&p| p == source).unwrap_or(choice.preferred.len());
            let longest = u128::from(u32::MAX - corpus.words(a));
            // a date nobody knows is neither early nor late
            let published = Some(corpus.published(a)).filter(|&published| published != NO_TIME);
            // as a number without sign, in the same order
            let by_date = |date: Option<i64>| u128::from(date.unwrap_or(i64::MAX) as u64 ^ 1 << 63);
            let rank = match choice.policy {
                Policy::Longest => longest << 64 | u128::from(beginning(corpus.id(a))),
                Policy::Earliest => by_date(published) << 32 | longest,
                Policy::Latest => by_date(published.map(|p| -p)) << 32 | longest,
            };
            (place as u128) << 96 | rank
        };
        let mut keyed: Vec<_> = (0..corpus.len()).map(|a| (rank(a), a as u32)).collect();
        keyed.sort_unstable_by(|x, y| x.0.cmp(&y.0).then_with(|| corpus.id(x.1 as usize).cmp(corpus.id(y.1 as usize))));
        keyed.into_iter().map(|(_, a)| a).collect()
    }

    /// The same by majority: all relations are measured first. Of new articles with the same signature one stands for
    /// all, and counts as many: so a story with a hundred thousand copies is one article to compare. Where days are
    /// weighed, that holds for copies of one source and time.
    fn majorities(&self, choice: &Choice, tick: Tick) -> Option<(Vec<Group>, u64, u64)> {
        let old = self.corpus.old as u32;
        let mut first: HashMap<(u32, About), u32> = HashMap::new();
        let standing = |article: u32| {
            let about = (self.corpus.source(article as usize), self.corpus.published(article as usize));
            standing(Some(&*self.corpus.detector), about)
        };
        let stands: Vec<u32> = (0..self.corpus.len() as u32)
            .map(|article| {
                let own = article < old
                    || choice.decisions.mentions(article)
                    || self.corpus.signature(article as usize).is_empty();
                if own {
                    article
                } else {
                    *first.entry((self.meetings.original[article as usize], standing(article))).or_insert(article)
                }
            })
            .collect();
        let (mut relations, compared, forms) = self.relations_among(|a| stands[a as usize] == a, tick)?;
        relations.retain(|relation| groups::joins(relation.overlap.kind, choice.join_parts));
        let mut copies: HashMap<u32, Vec<u32>> = HashMap::new();
        let mut sizes = vec![1; stands.len()];
        for (article, &stand) in (0..).zip(&stands).filter(|(article, &stand)| *article != stand) {
            copies.entry(stand).or_default().push(article);
            sizes[stand as usize] += 1;
            sizes[article as usize] = 0;
        }
        let order = self.order(choice);
        let published: Vec<i64> = (0..self.corpus.len()).map(|article| self.corpus.published(article)).collect();
        let days = self.corpus.detector.days().map(|most| Days { published: &published, most });
        let mut groups = majority::group_days(&order, &relations, &choice.decisions, &sizes, &[], days);
        groups.retain(|group| sizes[group.representative as usize] > 0);
        let mut rank = vec![0; order.len()];
        (0..).zip(&order).for_each(|(place, &article)| rank[article as usize] = place);
        for group in &mut groups {
            self.bring(&copies, &rank, group);
        }
        groups.sort_unstable_by_key(|group| rank[group.representative as usize]);
        groups.retain(|group| group.members.iter().any(|&article| article >= old));
        Some((groups, compared, forms))
    }

    /// Puts copies into the group of the article that stood for them.
    fn bring(&self, copies: &HashMap<u32, Vec<u32>>, rank: &[u32], group: &mut Group) {
        let own: Vec<u32> = group.members.iter().filter_map(|member| copies.get(member)).flatten().copied().collect();
        let Some(&copy) = own.first() else { return };
        if group.weakest.is_none() {
            let mut comparer = self.corpus.detector.comparer();
            comparer.load(self.corpus.signature(copy as usize));
            let same = comparer.compare(self.corpus.signature(group.members[0] as usize));
            let told =
                Relation { left: copy, right: group.members[0], overlap: self.dated(copy, group.members[0], same) };
            let told = self.turned(told);
            group.weakest = Some((told.left, told.right, told.overlap));
        }
        group.members.extend(own);
        group.representative = *group.members.iter().min_by_key(|&&member| rank[member as usize]).expect("members");
        let representative = group.representative;
        group.members.sort_unstable_by_key(|&member| (member != representative, member));
    }

    /// Groups of the new articles and of the old ones they belong to; with how many pairs were compared, and how many of
    /// them were one form with other facts. None: stopped on the way.
    pub fn groups(&self, choice: &Choice, tick: Tick) -> Option<(Vec<Group>, u64, u64)> {
        if choice.method == Method::Majority {
            return self.majorities(choice, tick);
        }
        let order = self.order(choice);
        let rules = Rules {
            method: choice.method,
            order: &order,
            join_parts: choice.join_parts,
            decisions: &choice.decisions,
            all_nearest: false,
        };
        let owners = Owners::new(self.corpus.len());
        let signatures = self.signatures();
        self.corpus.watch.begin(self.corpus.len());
        let (mut groups, workers) = parallel::crew(
            self.corpus.settings.threads,
            &self.corpus.watch,
            tick,
            || self.worker(&signatures),
            |worker, question| match *question {
                Question::Links(article) => {
                    let mut links = vec![];
                    self.links(worker, article, |other| owners.is_free(other), &mut links);
                    links
                }
                Question::Nearest(article, before) => {
                    self.nearest(worker, article, |other| owners.get(other) >= before).into_iter().collect()
                }
                Question::Support(article, ref members) => {
                    self.first_copied(worker, article, members).into_iter().collect()
                }
            },
            |ask| groups::group(&owners, &rules, ask),
        );
        let compared = workers.iter().map(|w| w.compared).sum();
        let forms = workers.iter().map(|w| w.forms).sum();
        if let Some(groups) = &mut groups {
            let old = self.corpus.old as u32;
            groups.retain(|group| group.members.iter().any(|&a| a >= old));
            for (left, right, overlap) in groups.iter_mut().filter_map(|group| group.weakest.as_mut()) {
                let told = self.turned(Relation { left: *left, right: *right, overlap: *overlap });
                (*left, *right, *overlap) = (told.left, told.right, told.overlap);
            }
        }
        groups.map(|groups| (groups, compared, forms))
    }
}
