//! Groups of articles whose pairs were compared elsewhere, by the rules of batch grouping (`find`).
//!
//! Articles with equal signatures form a duplicate class and were compared as one. The relations between classes are
//! input; the nearest article outside a group is computed elsewhere, where unrelated pairs are known too.

use std::collections::{HashMap, HashSet};

use crate::detectors::{Detector, Overlap};
use crate::engine::cluster::majority::{self, Days};
use crate::engine::cluster::star::{self, Owners, Question, Rules};
use crate::engine::compare::{dated, distinguishing, is_reversed, About};
use crate::model::group::{joins, Decisions, Group, Method};
use crate::model::relation::{Link, Relation};

/// Articles in the order of the input, the old ones first.
pub struct DuplicateClasses<'a> {
    /// The first article of the duplicate class of each article.
    pub original: &'a [u32],
    pub published: &'a [i64],
    pub sources: &'a [u64],
    pub old: u32,
    /// The detector that weighs the days between articles, if any.
    pub detector: Option<&'a dyn Detector>,
    /// Related pairs of originals, each once; a class of several articles is also paired with itself.
    pub pairs: &'a [Relation],
}

/// The grouping options of `find`, with the order of the articles in place of the policy.
pub struct GroupingOptions<'a> {
    pub method: Method,
    pub order: &'a [u32],
    pub join_parts: bool,
    pub decisions: &'a Decisions,
    /// Maximum days between related articles; used where the detector has no limit of its own.
    pub days: Option<u32>,
}

impl DuplicateClasses<'_> {
    fn dated(&self, left: u32, right: u32, overlap: Overlap) -> Overlap {
        let about = |article: u32| (self.sources[article as usize], self.published[article as usize]);
        dated(self.detector, overlap, about(left), about(right))
    }

    fn directed(&self, relation: Relation) -> Relation {
        let published = |article: u32| self.published[article as usize];
        match is_reversed(&relation.overlap, published(relation.left), published(relation.right)) {
            true => relation.flipped(),
            false => relation,
        }
    }

    /// For every original the articles of its duplicate class, in order; empty for other articles.
    fn members(&self) -> Vec<Vec<u32>> {
        let mut out = vec![vec![]; self.original.len()];
        (0..).zip(self.original).for_each(|(article, &original): (u32, _)| out[original as usize].push(article));
        out
    }

    /// The groups with at least one new article.
    pub fn groups(&self, options: &GroupingOptions) -> Vec<Group> {
        let mut groups = match options.method {
            Method::Majority => self.group_by_majority(options),
            _ => self.group_by_links(options),
        };
        groups.retain(|group| group.members.iter().any(|&article| article >= self.old));
        groups
    }

    fn group_by_links(&self, options: &GroupingOptions) -> Vec<Group> {
        let members = self.members();
        let mut links: Vec<Vec<Link>> = vec![vec![]; self.original.len()];
        for &Relation { left, right, overlap } in self.pairs {
            links[left as usize].push(Link { to: right, overlap });
            if left != right {
                links[right as usize].push(Link { to: left, overlap: overlap.flipped() });
            }
        }
        links.iter_mut().for_each(|list| list.sort_by_key(|link| link.to));
        let owners = Owners::new(self.original.len());
        let rules = Rules {
            method: options.method,
            order: options.order,
            join_parts: options.join_parts,
            decisions: options.decisions,
            all_nearest: false,
        };
        let links_of = |article: u32, is_open: &dyn Fn(u32) -> bool| -> Vec<Link> {
            let is_open = |other: u32| other != article && is_open(other) && !(article < self.old && other < self.old);
            let classes = links[self.original[article as usize] as usize].iter();
            classes
                .flat_map(|link| members[link.to as usize].iter().map(move |&to| (to, link.overlap)))
                .filter(|&(to, _)| is_open(to))
                .map(|(to, overlap)| Link { to, overlap: self.dated(article, to, overlap) })
                .collect()
        };
        let answer = |question: Question| match question {
            Question::Links(article) => links_of(article, &|other| owners.is_free(other)),
            Question::Support(article, among) => {
                let members: HashSet<u32> = among.iter().copied().collect();
                star::first_copied(&links_of(article, &|other| members.contains(&other)), &among)
            }
            Question::Nearest(..) => vec![],
        };
        let mut ask = |questions: Vec<Question>| Some(questions.into_iter().map(answer).collect());
        let mut groups = star::group(&owners, &rules, &mut ask).unwrap_or_default();
        for (left, right, overlap) in groups.iter_mut().filter_map(|group| group.weakest.as_mut()) {
            let relation = self.directed(Relation { left: *left, right: *right, overlap: *overlap });
            (*left, *right, *overlap) = (relation.left, relation.right, relation.overlap);
        }
        groups
    }

    /// Groups by majority: the first new article of a class represents the others, weighted by their number.
    fn group_by_majority(&self, options: &GroupingOptions) -> Vec<Group> {
        let limit = self.detector.and_then(|detector| detector.days()).or(options.days);
        let mut first: HashMap<(u32, About), u32> = HashMap::new();
        let distinguishes = |article: u32| {
            distinguishing(self.detector, (self.sources[article as usize], self.published[article as usize]))
        };
        let mut representative = |article: u32| match article < self.old || options.decisions.mentions(article) {
            true => article,
            false => *first.entry((self.original[article as usize], distinguishes(article))).or_insert(article),
        };
        let representatives: Vec<u32> = (0..self.original.len() as u32).map(&mut representative).collect();
        let mut sizes = vec![0u32; representatives.len()];
        representatives.iter().for_each(|&first| sizes[first as usize] += 1);
        let members: Vec<Vec<u32>> = self
            .members()
            .into_iter()
            .map(|class| class.into_iter().filter(|&a| representatives[a as usize] == a).collect())
            .collect();
        let mut relations = vec![];
        for pair in self.pairs {
            for &one in &members[pair.left as usize] {
                for &other in &members[pair.right as usize] {
                    // a class paired with itself has every pair twice
                    if one == other || (pair.left == pair.right && one < other) || (one < self.old && other < self.old)
                    {
                        continue;
                    }
                    let mut relation = Relation { left: one, right: other, overlap: pair.overlap };
                    if one < other {
                        relation = relation.flipped(); // the later article on the left
                    }
                    relation.overlap = self.dated(relation.left, relation.right, relation.overlap);
                    if joins(relation.overlap.kind, options.join_parts) {
                        relations.push(self.directed(relation));
                    }
                }
            }
        }
        relations.sort_unstable_by_key(|r| (r.left.max(r.right), r.left.min(r.right)));
        let days = limit.map(|most| Days { published: self.published, most });
        let mut groups = majority::group_days(options.order, &relations, options.decisions, &sizes, &[], days);
        groups.retain(|group| sizes[group.representative as usize] > 0);
        let mut rank = vec![0; options.order.len()];
        (0..).zip(options.order).for_each(|(place, &article)| rank[article as usize] = place);
        let mut copies: HashMap<u32, Vec<u32>> = HashMap::new();
        for (article, &first) in (0..).zip(&representatives).filter(|(article, &first)| *article != first) {
            copies.entry(first).or_default().push(article);
        }
        let own = self.pairs.iter().filter(|pair| pair.left == pair.right);
        let class_overlaps: HashMap<u32, Overlap> = own.map(|pair| (pair.left, pair.overlap)).collect();
        for group in &mut groups {
            self.insert_copies(&copies, &class_overlaps, &rank, group);
        }
        groups.sort_unstable_by_key(|group| rank[group.representative as usize]);
        groups
    }

    /// Adds the copies of each member to its group, and selects the representative again.
    fn insert_copies(
        &self,
        copies: &HashMap<u32, Vec<u32>>,
        class_overlaps: &HashMap<u32, Overlap>,
        rank: &[u32],
        group: &mut Group,
    ) {
        let own: Vec<u32> = group.members.iter().filter_map(|member| copies.get(member)).flatten().copied().collect();
        let Some(&copy) = own.first() else { return };
        let first = group.members[0];
        if group.weakest.is_none() {
            if let Some(&same) = class_overlaps.get(&self.original[first as usize]) {
                let overlap = self.dated(copy, first, same);
                let relation = self.directed(Relation { left: copy, right: first, overlap });
                group.weakest = Some((relation.left, relation.right, relation.overlap));
            }
        }
        group.members.extend(own);
        let best = *group.members.iter().min_by_key(|&&member| rank[member as usize]).expect("a group has members");
        group.representative = best;
        group.members.sort_unstable_by_key(|&member| (member != best, member));
    }
}
