//! The main job: a corpus whose articles have met, to groups.

use crate::article::NO_TIME;
use crate::groups::{self, Answer, Decisions, Group, Method, Owners, Question, Rules};
use crate::parallel::{self, Tick};
use crate::relate::Related;

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

impl Related {
    /// The articles, best representative first: by preferred source, then by the policy, then by id, so that the order
    /// of the input does not matter.
    pub fn order(&self, choice: &Choice) -> Vec<u32> {
        let corpus = &self.corpus;
        let rank = |a: usize| {
            let source = corpus.source(a);
            let place = choice.preferred.iter().position(|&p| p == source).unwrap_or(choice.preferred.len());
            let longest = u32::MAX - corpus.words(a);
            // a date nobody knows is neither early nor late
            let published = corpus.published(a);
            let by_date = match choice.policy {
                Policy::Longest => 0,
                Policy::Earliest => {
                    if published == NO_TIME {
                        i64::MAX
                    } else {
                        published
                    }
                }
                Policy::Latest => {
                    if published == NO_TIME {
                        i64::MAX
                    } else {
                        -published
                    }
                }
            };
            (place, by_date, longest)
        };
        let mut keyed: Vec<_> = (0..corpus.len()).map(|a| (rank(a), a as u32)).collect();
        keyed.sort_unstable_by(|x, y| x.0.cmp(&y.0).then_with(|| corpus.id(x.1 as usize).cmp(corpus.id(y.1 as usize))));
        keyed.into_iter().map(|(_, a)| a).collect()
    }

    /// Groups of the new articles and of the old ones they belong to; with how many pairs were compared, and how many of
    /// them were one form with other facts. None: stopped on the way.
    pub fn groups(&self, choice: &Choice, tick: Tick) -> Option<(Vec<Group>, u64, u64)> {
        let order = self.order(choice);
        let rules = Rules { method: choice.method, order: &order, join_parts: choice.join_parts, decisions: &choice.decisions };
        let owners = Owners::new(self.corpus.len());
        let (mut groups, workers) = parallel::crew(
            self.corpus.settings.threads,
            &self.corpus.watch,
            tick,
            || self.worker(),
            |worker, question| match question {
                Question::Links(article) => {
                    let mut links = vec![];
                    let closed = self.links(worker, article, |other| owners.is_free(other), &mut links);
                    Answer { links, closed }
                }
                Question::Link(article, to) => Answer { links: vec![self.link(worker, article, to)], closed: None },
            },
            |ask| groups::group(&owners, &rules, ask),
        );
        let compared = workers.iter().map(|w| w.compared).sum();
        let forms = workers.iter().map(|w| w.forms).sum();
        if let Some(groups) = &mut groups {
            let old = self.corpus.old as u32;
            groups.retain(|group| group.members.iter().any(|&a| a >= old));
        }
        groups.map(|groups| (groups, compared, forms))
    }
}
