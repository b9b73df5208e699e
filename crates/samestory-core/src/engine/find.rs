//! The main job: a corpus whose articles have met, to groups.

use std::collections::HashMap;

use crate::base::parallel::{self, Tick};
use crate::engine::cluster::majority::{self, Days};
use crate::engine::cluster::star::{self, Owners, Question, Rules};
use crate::engine::compare::{distinguishing, About};
use crate::engine::rank::Representative;
use crate::engine::relate::Related;
use crate::model::group::{joins, Decisions, Group, Method};
use crate::model::relation::Relation;

pub struct GroupingOptions {
    pub policy: Representative,
    /// Hashes of preferred sources, best first; they come before the policy.
    pub preferred: Vec<u64>,
    pub method: Method,
    pub join_parts: bool,
    pub decisions: Decisions,
}

impl Related {
    /// The same by majority: all relations are measured first. Of new articles with the same signature one stands for
    /// all, and counts as many: so a story with a hundred thousand copies is one article to compare. Where days are
    /// weighed, that holds for copies of one source and time.
    fn majorities(&self, choice: &GroupingOptions, tick: Tick) -> Option<(Vec<Group>, u64, u64)> {
        let old = self.corpus.old as u32;
        let mut first: HashMap<(u32, About), u32> = HashMap::new();
        let distinguishes = |article: u32| {
            let about = (self.corpus.source(article as usize), self.corpus.published(article as usize));
            distinguishing(Some(&*self.corpus.detector), about)
        };
        let stands: Vec<u32> = (0..self.corpus.len() as u32)
            .map(|article| {
                let own = article < old
                    || choice.decisions.mentions(article)
                    || self.corpus.signature(article as usize).is_empty();
                if own {
                    article
                } else {
                    *first.entry((self.postings.original[article as usize], distinguishes(article))).or_insert(article)
                }
            })
            .collect();
        let (mut relations, compared, forms) = self.relations_among(|a| stands[a as usize] == a, tick)?;
        relations.retain(|relation| joins(relation.overlap.kind, choice.join_parts));
        let mut copies: HashMap<u32, Vec<u32>> = HashMap::new();
        let mut sizes = vec![1; stands.len()];
        for (article, &stand) in (0..).zip(&stands).filter(|(article, &stand)| *article != stand) {
            copies.entry(stand).or_default().push(article);
            sizes[stand as usize] += 1;
            sizes[article as usize] = 0;
        }
        let order = self.corpus.ranked(choice.policy, &choice.preferred);
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
    pub fn groups(&self, choice: &GroupingOptions, tick: Tick) -> Option<(Vec<Group>, u64, u64)> {
        if choice.method == Method::Majority {
            return self.majorities(choice, tick);
        }
        let order = self.corpus.ranked(choice.policy, &choice.preferred);
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
            |ask| star::group(&owners, &rules, ask),
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
