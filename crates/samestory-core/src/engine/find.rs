//! Batch grouping: from a corpus with posting lists to groups of articles.

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
    /// Hashes of preferred sources, best first; they take precedence over the policy.
    pub preferred: Vec<u64>,
    pub method: Method,
    pub join_parts: bool,
    pub decisions: Decisions,
}

impl Related {
    /// Groups by majority; all relations are computed first. New articles with equal signatures are compared as one
    /// representative, weighted by their number: a story with a hundred thousand copies is compared as one article.
    /// Where the detector weighs days, only copies of one source and time share a representative.
    fn group_by_majority(&self, options: &GroupingOptions, tick: Tick) -> Option<(Vec<Group>, u64, u64)> {
        let old = self.corpus.old as u32;
        let mut first: HashMap<(u32, About), u32> = HashMap::new();
        let distinguishes = |article: u32| {
            let about = (self.corpus.source(article as usize), self.corpus.published(article as usize));
            distinguishing(Some(&*self.corpus.detector), about)
        };
        let representatives: Vec<u32> = (0..self.corpus.len() as u32)
            .map(|article| {
                let is_separate = article < old
                    || options.decisions.mentions(article)
                    || self.corpus.signature(article as usize).is_empty();
                if is_separate {
                    article
                } else {
                    *first.entry((self.postings.original[article as usize], distinguishes(article))).or_insert(article)
                }
            })
            .collect();
        let (mut relations, compared, template_pairs) =
            self.relations_among(|a| representatives[a as usize] == a, tick)?;
        relations.retain(|relation| joins(relation.overlap.kind, options.join_parts));
        let mut copies: HashMap<u32, Vec<u32>> = HashMap::new();
        let mut sizes = vec![1; representatives.len()];
        for (article, &first) in (0..).zip(&representatives).filter(|(article, &first)| *article != first) {
            copies.entry(first).or_default().push(article);
            sizes[first as usize] += 1;
            sizes[article as usize] = 0;
        }
        let order = self.corpus.ranked(options.policy, &options.preferred);
        let published: Vec<i64> = (0..self.corpus.len()).map(|article| self.corpus.published(article)).collect();
        let days = self.corpus.detector.days().map(|most| Days { published: &published, most });
        let mut groups = majority::group_days(&order, &relations, &options.decisions, &sizes, &[], days);
        groups.retain(|group| sizes[group.representative as usize] > 0);
        let mut rank = vec![0; order.len()];
        (0..).zip(&order).for_each(|(place, &article)| rank[article as usize] = place);
        for group in &mut groups {
            self.insert_copies(&copies, &rank, group);
        }
        groups.sort_unstable_by_key(|group| rank[group.representative as usize]);
        groups.retain(|group| group.members.iter().any(|&article| article >= old));
        Some((groups, compared, template_pairs))
    }

    /// Adds the copies of each member to its group, and selects the representative again.
    fn insert_copies(&self, copies: &HashMap<u32, Vec<u32>>, rank: &[u32], group: &mut Group) {
        let own: Vec<u32> = group.members.iter().filter_map(|member| copies.get(member)).flatten().copied().collect();
        let Some(&copy) = own.first() else { return };
        if group.weakest.is_none() {
            let mut comparer = self.corpus.detector.comparer();
            comparer.load(self.corpus.signature(copy as usize));
            let same = comparer.compare(self.corpus.signature(group.members[0] as usize));
            let relation =
                Relation { left: copy, right: group.members[0], overlap: self.dated(copy, group.members[0], same) };
            let relation = self.turned(relation);
            group.weakest = Some((relation.left, relation.right, relation.overlap));
        }
        group.members.extend(own);
        group.representative =
            *group.members.iter().min_by_key(|&&member| rank[member as usize]).expect("a group has members");
        let representative = group.representative;
        group.members.sort_unstable_by_key(|&member| (member != representative, member));
    }

    /// Groups of the new articles, including the old articles grouped with them; the number of compared pairs, and of
    /// those with one template and other facts. None if the run was stopped.
    pub fn groups(&self, options: &GroupingOptions, tick: Tick) -> Option<(Vec<Group>, u64, u64)> {
        if options.method == Method::Majority {
            return self.group_by_majority(options, tick);
        }
        let order = self.corpus.ranked(options.policy, &options.preferred);
        let rules = Rules {
            method: options.method,
            order: &order,
            join_parts: options.join_parts,
            decisions: &options.decisions,
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
        let template_pairs = workers.iter().map(|w| w.forms).sum();
        if let Some(groups) = &mut groups {
            let old = self.corpus.old as u32;
            groups.retain(|group| group.members.iter().any(|&a| a >= old));
            for (left, right, overlap) in groups.iter_mut().filter_map(|group| group.weakest.as_mut()) {
                let relation = self.turned(Relation { left: *left, right: *right, overlap: *overlap });
                (*left, *right, *overlap) = (relation.left, relation.right, relation.overlap);
            }
        }
        groups.map(|groups| (groups, compared, template_pairs))
    }
}
