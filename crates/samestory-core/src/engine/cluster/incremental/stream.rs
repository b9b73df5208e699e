//! A stream of articles and its groups.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use crate::base::time::NO_TIME;
use crate::detectors::Detector;
use crate::engine::cluster::topics::{self, Strength};
use crate::engine::postings::live::{LiveIndex, Neighbour, ONE};

use super::clusters::{Cluster, Clusters, Edge};
use super::decisions::Decided;

/// By the places of groups.
pub(super) type Edges = HashMap<u32, Edge>;

/// What happened to a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    Opened,
    Joined,
    Merged,
    Split,
    Left,
    Closed,
}

impl What {
    pub fn name(self) -> &'static str {
        match self {
            What::Opened => "opened",
            What::Joined => "joined",
            What::Merged => "merged",
            What::Split => "split",
            What::Left => "left",
            What::Closed => "closed",
        }
    }
}

/// With the number of the group, the articles, and the other group: the one that was merged into it or split off it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    pub what: What,
    pub group: u64,
    pub articles: Vec<Arc<str>>,
    pub other: Option<u64>,
}

impl Change {
    pub(super) fn of(what: What, group: u64, articles: Vec<Arc<str>>) -> Self {
        Change { what, group, articles, other: None }
    }
}

/// An article as it comes.
pub struct Incoming<'a> {
    pub id: &'a str,
    pub published: i64,
    /// 0 where nobody knows, and where the detector tells nothing that depends on it.
    pub source: u64,
    pub signature: &'a [u32],
    /// Where no detector is at hand: articles that came before, or stand before it in the batch, with their scores. Copies
    /// are known by their signatures, and what is said of them is what was said of the first.
    pub related: &'a [(String, f64)],
}

pub(super) struct Article {
    pub(super) id: Arc<str>,
    pub(super) published: i64,
    pub(super) source: u64,
    pub(super) class: u32,
}

pub struct Stream {
    pub(super) articles: Vec<Article>,
    pub(super) free: Vec<u32>,
    pub(super) by_id: HashMap<Arc<str>, u32>,
    pub(super) live_index: LiveIndex,
    pub(super) clusters: Clusters,
    pub(super) decided: Decided,
}

impl Stream {
    /// `window`: how far apart in time related articles may be, in microseconds.
    pub fn new(detector: Option<Arc<dyn Detector>>, window: Option<i64>) -> Self {
        Stream {
            articles: vec![],
            free: vec![],
            by_id: HashMap::new(),
            live_index: LiveIndex::new(detector, window),
            clusters: Clusters::default(),
            decided: Decided::default(),
        }
    }

    pub fn len(&self) -> usize {
        self.by_id.len()
    }

    pub fn is_empty(&self) -> bool {
        self.by_id.is_empty()
    }

    /// Takes articles in, in their order; those of ids that are known take the place of the old ones, and are nothing new
    /// if they are what they were. No id comes twice.
    pub fn add(&mut self, batch: &[Incoming]) -> Vec<Change> {
        let batch: Vec<&Incoming> = batch.iter().filter(|new| !self.is_kept(new)).collect();
        let known: Vec<u32> = batch.iter().filter_map(|new| self.by_id.get(new.id).copied()).collect();
        let partitions: HashMap<Arc<str>, u64> =
            known.iter().map(|&old| (self.articles[old as usize].id.clone(), self.number(old))).collect();
        let mut changes = self.forget(&known, true);
        let closed = changes.iter().filter(|change| change.what == What::Closed);
        let mut closed: HashSet<u64> = closed.map(|change| change.group).collect();
        for new in batch {
            self.settle(new, &mut changes);
            // a group all of whose articles have new versions is the same group, if only one of them is alone
            if let (Some(Change { what: What::Opened, group, .. }), Some(&partition)) =
                (changes.last_mut(), partitions.get(new.id))
            {
                if closed.remove(&partition) {
                    *group = partition;
                    let place = self.cluster(self.by_id[new.id]);
                    self.clusters.get_mut(place).number = partition;
                }
            }
        }
        changes
    }

    /// Is an article here already, as it comes? Where somebody else compares, only they know.
    pub(super) fn is_kept(&self, new: &Incoming) -> bool {
        self.live_index.compares()
            && self.by_id.get(new.id).is_some_and(|&old| {
                let Article { published, source, class, .. } = self.articles[old as usize];
                let signature = &self.live_index.classes[class as usize].signature;
                (published, source) == (new.published, new.source) && **signature == *new.signature
            })
    }

    pub(super) fn number(&self, article: u32) -> u64 {
        self.clusters.get(self.cluster(article)).number
    }

    /// Takes articles back; their groups may fall apart.
    pub fn remove<'a>(&mut self, ids: impl IntoIterator<Item = &'a str>) -> Vec<Change> {
        let mut seen = HashSet::new();
        let found = ids.into_iter().filter_map(|id| self.by_id.get(id).copied());
        let articles: Vec<u32> = found.filter(|&article| seen.insert(article)).collect();
        self.forget(&articles, true)
    }

    /// Forgets what was published before a time, group by group; no group falls apart because of that.
    pub fn expire(&mut self, before: i64) -> Vec<Change> {
        let mut clusters = self.live_index.parties_before(before);
        clusters.sort_unstable_by_key(|&place| self.clusters.get(place).number);
        let members = clusters.iter().flat_map(|&place| &self.clusters.get(place).members);
        let old = |&article: &u32| {
            let published = self.articles[article as usize].published;
            published != NO_TIME && published < before
        };
        let articles: Vec<u32> = members.copied().filter(old).collect();
        self.forget(&articles, false)
    }

    pub fn group_of(&self, id: &str) -> Option<u64> {
        self.by_id.get(id).map(|&article| self.number(article))
    }

    /// The ids of every group, in the order in which they came; the oldest group first.
    pub fn groups(&self) -> Vec<(u64, Vec<Arc<str>>)> {
        let mut out: Vec<_> = self.clusters.all().map(|cluster| (cluster.number, self.ids(&cluster.members))).collect();
        out.sort_unstable_by_key(|(number, _)| *number);
        out
    }

    /// How much is kept: articles, different ones among them, and numbers these are filed under.
    pub fn sizes(&self) -> [usize; 3] {
        let living = self.live_index.classes.iter().filter(|class| class.size() > 0);
        [self.len(), living.count(), self.live_index.filings()]
    }

    /// Questions about a number that too many lots are filed under.
    pub fn skipped(&self) -> u64 {
        self.live_index.skipped()
    }

    pub(super) fn cluster(&self, article: u32) -> u32 {
        self.live_index.classes[self.articles[article as usize].class as usize].cluster
    }

    pub(super) fn ids(&self, articles: &[u32]) -> Vec<Arc<str>> {
        articles.iter().map(|&article| self.articles[article as usize].id.clone()).collect()
    }

    pub(super) fn enter(&mut self, new: &Incoming, class: u32) -> u32 {
        let id: Arc<str> = new.id.into();
        let article = Article { id: id.clone(), published: new.published, source: new.source, class };
        let number = match self.free.pop() {
            Some(number) => {
                self.articles[number as usize] = article;
                number
            }
            None => {
                self.articles.push(article);
                self.articles.len() as u32 - 1
            }
        };
        self.by_id.insert(id, number);
        number
    }

    pub(super) fn settle(&mut self, new: &Incoming, changes: &mut Vec<Change>) {
        let like = self.live_index.copied(new.signature, new.published);
        // what was decided about an article was not decided about its copies
        let like = like.filter(|_| !self.decided.mentions(new.id));
        let class = like.unwrap_or_else(|| self.live_index.open(new.signature, new.source, new.published, false));
        // a copy may be told of whom its like was not
        self.live_index.tell(class, &self.given(new));
        let related = self.live_index.related(class, |_, _| true);
        let article = self.enter(new, class);
        let mut edges = self.majorities(new, self.live_index.classes[class as usize].cluster, &related);
        if like.is_none() {
            let place = self.clusters.open(vec![article], vec![class]);
            self.live_index.classes[class as usize].cluster = place;
            self.join(place, Some(article), edges, changes);
            return self.unite(new.id, changes);
        }
        // a copy goes where its like is
        self.live_index.take_in(class, new.published, new.source);
        let place = self.live_index.classes[class as usize].cluster;
        let cluster = self.clusters.get_mut(place);
        cluster.members.push(article);
        cluster.size += 1;
        changes.push(Change::of(What::Joined, cluster.number, self.ids(&[article])));
        edges.values_mut().for_each(|edge| *edge = Edge::default());
        self.widen(&mut edges, place);
        self.join(place, None, edges, changes);
    }

    pub(super) fn given(&self, new: &Incoming) -> Vec<Neighbour> {
        let known = new.related.iter().filter_map(|(id, score)| Some((self.by_id.get(id.as_str())?, score)));
        known.map(|(&article, &score)| Neighbour::new(self.articles[article as usize].class, score)).collect()
    }

    /// The other groups in which an article has a majority, and its bonds with them.
    pub(super) fn majorities(&self, new: &Incoming, own: u32, related: &[Neighbour]) -> Edges {
        let mut edges = Edges::new();
        for &neighbour in related {
            let edge = edges.entry(self.live_index.classes[neighbour.to as usize].cluster).or_default();
            edge.add(self.live_index.pairs(new.published, new.source, neighbour), neighbour.score());
        }
        edges.retain(|&place, edge| place != own && edge.is_majority(1, self.clusters.get(place).size));
        edges
    }

    /// Adds to the bonds with some groups what lies between these and one more.
    pub(super) fn widen(&mut self, edges: &mut Edges, place: u32) {
        let Stream { live_index, clusters, .. } = self;
        let classes = &clusters.get(place).classes;
        let others: usize = edges.keys().map(|&other| clusters.get(other).classes.len()).sum();
        // from whichever side there are fewer to ask
        if classes.len() <= others {
            for &class in classes {
                for neighbour in live_index.related(class, |there, _| edges.contains_key(&there.cluster)) {
                    let edge = edges.entry(live_index.classes[neighbour.to as usize].cluster).or_default();
                    edge.add(live_index.all_pairs(class, neighbour), neighbour.score());
                }
            }
            return;
        }
        for (&other, edge) in edges {
            for &class in &clusters.get(other).classes {
                for neighbour in live_index.related(class, |there, _| there.cluster == place) {
                    edge.add(live_index.all_pairs(class, neighbour), neighbour.score());
                }
            }
        }
    }

    /// Joins a group to others as long as there are majorities; `alone` is the article that opened it just now.
    pub(super) fn join(&mut self, place: u32, alone: Option<u32>, mut edges: Edges, changes: &mut Vec<Change>) {
        let (mut place, mut alone) = (place, alone);
        while let Some(best) = self.best(place, &edges) {
            let edge = edges.remove(&best).unwrap_or_default();
            if self.is_topic(place, best, edge.strength) {
                continue;
            }
            self.widen(&mut edges, best);
            place = self.merge(place, best, alone.take(), changes);
        }
        if let Some(article) = alone {
            changes.push(Change::of(What::Opened, self.clusters.get(place).number, self.ids(&[article])));
        }
    }

    /// Are two groups one topic and two events, by what lies between them and inside of each?
    pub(super) fn is_topic(&mut self, one: u32, other: u32, between: Strength) -> bool {
        let sizes = [one, other].map(|place| (self.clusters.get(place).classes.len(), self.clusters.get(place).size));
        if sizes[0].0.min(sizes[1].0) < topics::MIN_ARTICLES {
            return false;
        }
        let [left, right] = [one, other].map(|place| self.strength_inside(place));
        between.among(sizes[0].1 * sizes[1].1).is_topic(&left, &right)
    }

    /// The strength of the pairs inside of a group, copies not counted; of a large group, of those of its first articles,
    /// so that a story of thousands costs no more. Pairs count both ways, which changes no mean.
    pub(super) fn strength_inside(&mut self, place: u32) -> Strength {
        let Stream { live_index, clusters, .. } = self;
        let (cluster, mut out, mut all) = (clusters.get(place), Strength::default(), 0);
        for &class in cluster.classes.iter().take(topics::MAX_ARTICLES) {
            let size = u64::from(live_index.classes[class as usize].size());
            all += size * (cluster.size - size);
            for neighbour in live_index.related(class, |there, _| there.cluster == place) {
                out.add(Strength::of(live_index.all_pairs(class, neighbour), f64::from(neighbour.score()) / ONE));
            }
        }
        out.among(all)
    }

    /// Makes one group of two, with the older number; `alone` is all that is in the one that was opened just now.
    pub(super) fn merge(&mut self, one: u32, other: u32, alone: Option<u32>, changes: &mut Vec<Change>) -> u32 {
        let number = |place: u32| self.clusters.get(place).number;
        let (kept, gone) = if number(one) < number(other) { (one, other) } else { (other, one) };
        let numbers = (number(kept), number(gone));
        for &class in &self.clusters.get(gone).classes {
            self.live_index.classes[class as usize].cluster = kept;
        }
        self.clusters.merge(kept, gone);
        changes.push(match alone {
            Some(article) => Change::of(What::Joined, numbers.0, self.ids(&[article])),
            None => Change { other: Some(numbers.1), ..Change::of(What::Merged, numbers.0, vec![]) },
        });
        kept
    }

    /// The group that this one should join, if any: the greatest mean of those with a majority, the older first.
    pub(super) fn best(&self, place: u32, edges: &Edges) -> Option<u32> {
        let size = self.clusters.get(place).size;
        let offers = edges.iter().map(|(&other, edge)| (self.clusters.get(other), other, edge));
        let offers = offers.filter(|(cluster, other, edge)| {
            edge.is_majority(size, cluster.size) && self.forbidden(place, *other).is_none()
        });
        let order = |(one, _, edge): &(&Cluster, u32, &Edge), (other, _, that): &(&Cluster, u32, &Edge)| {
            edge.compare(one.size, that, other.size).then_with(|| other.number.cmp(&one.number))
        };
        offers.max_by(order).map(|(_, other, _)| other)
    }

    /// Takes articles away; `check` looks whether what is left of their groups still holds together.
    pub(super) fn forget(&mut self, articles: &[u32], check: bool) -> Vec<Change> {
        let (mut changes, mut touched) = (vec![], vec![]);
        for &article in articles {
            let Article { ref id, published, source, class } = self.articles[article as usize];
            let place = self.live_index.classes[class as usize].cluster;
            let cluster = self.clusters.get_mut(place);
            cluster.size -= 1;
            let what = if cluster.size == 0 { What::Closed } else { What::Left };
            changes.push(Change::of(what, cluster.number, vec![id.clone()]));
            self.by_id.remove(id);
            self.live_index.take_out(class, published, source);
            self.articles[article as usize].class = u32::MAX;
            touched.push(place);
        }
        self.leave(&mut touched);
        for article in articles {
            self.articles[*article as usize].id = "".into();
        }
        self.free.extend(articles);
        if check {
            for place in touched {
                self.split(place, &mut changes);
            }
        }
        if let Some(numbers) = self.live_index.tidy() {
            let living = self.articles.iter_mut().filter(|article| article.class != u32::MAX);
            living.for_each(|article| article.class = numbers[article.class as usize]);
            self.clusters.rename(&numbers);
        }
        changes
    }

    /// Strikes those who are gone off the groups that were touched, and keeps, of these, those that have members still.
    pub(super) fn leave(&mut self, touched: &mut Vec<u32>) {
        let mut seen = HashSet::new();
        touched.retain(|&place| seen.insert(place));
        let Stream { clusters, articles, live_index, .. } = self;
        touched.retain(|&place| {
            let cluster = clusters.get_mut(place);
            cluster.members.retain(|&article| articles[article as usize].class != u32::MAX);
            cluster.classes.retain(|&class| live_index.classes[class as usize].size() > 0);
            let left = !cluster.members.is_empty();
            if !left {
                clusters.close(place);
            }
            left
        });
    }
}
