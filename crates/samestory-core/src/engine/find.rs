//! Batch grouping: from a corpus with posting lists to groups of articles.

use crate::base::parallel::{self, Tick};
use crate::engine::candidates::ComparisonCounts;
use crate::engine::cluster::majority::{self, Days};
use crate::engine::cluster::star::{self, Owners, Question, Rules};
use crate::engine::compare::distinguishing;
use crate::engine::duplicates::Representatives;
use crate::engine::rank::Representative;
use crate::engine::relate::{FoundRelations, IndexedCorpus};
use crate::model::decisions::Decisions;
use crate::model::group::{joins, Group, Method};
use crate::model::relation::Relation;

pub struct GroupingOptions {
    pub representative: Representative,
    /// Hashes of preferred sources, best first; they take precedence over the rule.
    pub preferred: Vec<u64>,
    pub method: Method,
    pub join_parts: bool,
    pub decisions: Decisions,
}

impl IndexedCorpus {
    /// Groups by majority; all relations are computed first. New articles with equal signatures are compared as one
    /// representative, weighted by their number: a story with a hundred thousand copies is compared as one article.
    /// Where the detector weighs days, only copies of one source and time share a representative.
    fn group_by_majority(&self, options: &GroupingOptions, tick: Tick) -> Option<(Vec<Group>, ComparisonCounts)> {
        let old = self.corpus.old as u32;
        let class = |article: u32| {
            let is_separate = article < old || options.decisions.mentions(article);
            let about = (self.corpus.source(article as usize), self.corpus.published(article as usize));
            let distinguishes = distinguishing(self.day_rule.as_deref(), about);
            (!is_separate).then(|| (self.copies.original[article as usize], distinguishes))
        };
        let representatives = Representatives::new(self.corpus.len() as u32, class);
        let FoundRelations { mut relations, counts, .. } =
            self.relations_among(|article| representatives.is_one(article), tick)?;
        relations.retain(|relation| joins(relation.overlap.kind, options.join_parts));
        let order = self.corpus.ranked(options.representative, &options.preferred);
        let published: Vec<i64> = (0..self.corpus.len()).map(|article| self.corpus.published(article)).collect();
        let days = self.postings.plan.max_days.map(|most| Days { published: &published, most });
        let mut groups =
            majority::group_days(&order, &relations, &options.decisions, &representatives.sizes, &[], days);
        representatives.complete(&mut groups, &order, |copy, first| {
            let overlap = self.dated(copy, first, self.class_overlap(self.copies.original[first as usize]));
            let relation = self.oriented(Relation { left: copy, right: first, overlap });
            Some((relation.left, relation.right, relation.overlap))
        });
        groups.retain(|group| group.members.iter().any(|&article| article >= old));
        Some((groups, counts))
    }

    /// Groups of the new articles, including the old articles grouped with them; and what was compared for
    /// them. None if the run was stopped.
    pub fn groups(&self, options: &GroupingOptions, tick: Tick) -> Option<(Vec<Group>, ComparisonCounts)> {
        if options.method == Method::Majority {
            return self.group_by_majority(options, tick);
        }
        let order = self.corpus.ranked(options.representative, &options.preferred);
        let rules = Rules {
            method: options.method,
            order: &order,
            join_parts: options.join_parts,
            decisions: &options.decisions,
            all_nearest: false,
        };
        let owners = Owners::new(self.corpus.len());
        let (signatures, hubs) = (self.signatures(), self.hubs(Some(&order)));
        self.corpus.watch.begin(self.corpus.len());
        let (mut groups, workers) = parallel::crew(
            self.corpus.settings.threads,
            &self.corpus.watch,
            tick,
            || self.worker(&hubs, &signatures),
            |worker, question| match *question {
                Question::Links(article) => {
                    let mut links = vec![];
                    self.links(worker, article, u32::MAX, |other| owners.is_free(other), &mut links);
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
        let mut counts = self.compared_in_advance();
        workers.iter().for_each(|worker| counts += worker.counts);
        if let Some(groups) = &mut groups {
            let old = self.corpus.old as u32;
            groups.retain(|group| group.members.iter().any(|&a| a >= old));
            for (left, right, overlap) in groups.iter_mut().filter_map(|group| group.weakest.as_mut()) {
                let relation = self.oriented(Relation { left: *left, right: *right, overlap: *overlap });
                (*left, *right, *overlap) = (relation.left, relation.right, relation.overlap);
            }
        }
        groups.map(|groups| (groups, counts))
    }
}
