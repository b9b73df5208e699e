//! Groups of articles whose pairs were compared elsewhere, by the rules of the main job.
//!
//! Articles with the same signature are a lot, and were compared as one. What pairs of lots have to do with each other is
//! given; what stands nearest outside a group is found by others, who know of pairs that are not related.

use std::collections::{HashMap, HashSet};

use crate::detectors::{Detector, Overlap};
use crate::engine::cluster::majority::{self, Days};
use crate::engine::cluster::star::{self, Owners, Question, Rules};
use crate::engine::compare::{dated, distinguishing, is_reversed, About};
use crate::model::group::{joins, Decisions, Group, Method};
use crate::model::relation::{Link, Relation};

/// Articles in the order of the input, the old ones first.
pub struct DuplicateClasses<'a> {
    /// The first article of the lot of each.
    pub original: &'a [u32],
    pub published: &'a [i64],
    pub sources: &'a [u64],
    pub old: u32,
    /// What weighs the days between articles, where anything does.
    pub detector: Option<&'a dyn Detector>,
    /// Related pairs of originals, each once; a lot of several with itself too.
    pub pairs: &'a [Relation],
}

/// How groups are made: the same choices as for the main job, with the order of the articles in place of the policy.
pub struct GroupingOptions<'a> {
    pub method: Method,
    pub order: &'a [u32],
    pub join_parts: bool,
    pub decisions: &'a Decisions,
    /// The most days between related articles, where the detector knows it.
    pub days: Option<u32>,
}

impl DuplicateClasses<'_> {
    fn dated(&self, left: u32, right: u32, overlap: Overlap) -> Overlap {
        let about = |article: u32| (self.sources[article as usize], self.published[article as usize]);
        dated(self.detector, overlap, about(left), about(right))
    }

    fn turned(&self, relation: Relation) -> Relation {
        let published = |article: u32| self.published[article as usize];
        match is_reversed(&relation.overlap, published(relation.left), published(relation.right)) {
            true => relation.flipped(),
            false => relation,
        }
    }

    /// For every article its lot: the articles of an original, in order.
    fn members(&self) -> Vec<Vec<u32>> {
        let mut out = vec![vec![]; self.original.len()];
        (0..).zip(self.original).for_each(|(article, &original): (u32, _)| out[original as usize].push(article));
        out
    }

    /// The groups in which there is a new article.
    pub fn groups(&self, how: &GroupingOptions) -> Vec<Group> {
        let mut groups = match how.method {
            Method::Majority => self.majorities(how),
            _ => self.stars(how),
        };
        groups.retain(|group| group.members.iter().any(|&article| article >= self.old));
        groups
    }

    fn stars(&self, how: &GroupingOptions) -> Vec<Group> {
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
            method: how.method,
            order: how.order,
            join_parts: how.join_parts,
            decisions: how.decisions,
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
            let told = self.turned(Relation { left: *left, right: *right, overlap: *overlap });
            (*left, *right, *overlap) = (told.left, told.right, told.overlap);
        }
        groups
    }

    /// Of the new articles of a lot the first stands for all, and counts as many.
    fn majorities(&self, how: &GroupingOptions) -> Vec<Group> {
        let limit = self.detector.and_then(|detector| detector.days()).or(how.days);
        let mut first: HashMap<(u32, About), u32> = HashMap::new();
        let distinguishes = |article: u32| {
            distinguishing(self.detector, (self.sources[article as usize], self.published[article as usize]))
        };
        let mut stand = |article: u32| match article < self.old || how.decisions.mentions(article) {
            true => article,
            false => *first.entry((self.original[article as usize], distinguishes(article))).or_insert(article),
        };
        let stands: Vec<u32> = (0..self.original.len() as u32).map(&mut stand).collect();
        let mut sizes = vec![0u32; stands.len()];
        stands.iter().for_each(|&stand| sizes[stand as usize] += 1);
        let members: Vec<Vec<u32>> = self
            .members()
            .into_iter()
            .map(|class| class.into_iter().filter(|&a| stands[a as usize] == a).collect())
            .collect();
        let mut relations = vec![];
        for pair in self.pairs {
            for &one in &members[pair.left as usize] {
                for &other in &members[pair.right as usize] {
                    // a lot with itself has every pair twice
                    if one == other || (pair.left == pair.right && one < other) || (one < self.old && other < self.old)
                    {
                        continue;
                    }
                    let mut found = Relation { left: one, right: other, overlap: pair.overlap };
                    if one < other {
                        found = found.flipped(); // the later one is asked about
                    }
                    found.overlap = self.dated(found.left, found.right, found.overlap);
                    if joins(found.overlap.kind, how.join_parts) {
                        relations.push(self.turned(found));
                    }
                }
            }
        }
        relations.sort_unstable_by_key(|r| (r.left.max(r.right), r.left.min(r.right)));
        let days = limit.map(|most| Days { published: self.published, most });
        let mut groups = majority::group_days(how.order, &relations, how.decisions, &sizes, &[], days);
        groups.retain(|group| sizes[group.representative as usize] > 0);
        let mut rank = vec![0; how.order.len()];
        (0..).zip(how.order).for_each(|(place, &article)| rank[article as usize] = place);
        let mut copies: HashMap<u32, Vec<u32>> = HashMap::new();
        for (article, &stand) in (0..).zip(&stands).filter(|(article, &stand)| *article != stand) {
            copies.entry(stand).or_default().push(article);
        }
        let own = self.pairs.iter().filter(|pair| pair.left == pair.right);
        let selves: HashMap<u32, Overlap> = own.map(|pair| (pair.left, pair.overlap)).collect();
        for group in &mut groups {
            self.bring(&copies, &selves, &rank, group);
        }
        groups.sort_unstable_by_key(|group| rank[group.representative as usize]);
        groups
    }

    /// Puts copies into the group of the article that stood for them.
    fn bring(&self, copies: &HashMap<u32, Vec<u32>>, selves: &HashMap<u32, Overlap>, rank: &[u32], group: &mut Group) {
        let own: Vec<u32> = group.members.iter().filter_map(|member| copies.get(member)).flatten().copied().collect();
        let Some(&copy) = own.first() else { return };
        let first = group.members[0];
        if group.weakest.is_none() {
            if let Some(&same) = selves.get(&self.original[first as usize]) {
                let overlap = self.dated(copy, first, same);
                let told = self.turned(Relation { left: copy, right: first, overlap });
                group.weakest = Some((told.left, told.right, told.overlap));
            }
        }
        group.members.extend(own);
        let best = *group.members.iter().min_by_key(|&&member| rank[member as usize]).expect("members");
        group.representative = best;
        group.members.sort_unstable_by_key(|&member| (member != best, member));
    }
}
