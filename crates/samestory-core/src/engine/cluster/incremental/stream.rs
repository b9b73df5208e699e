//! A stream of articles and its groups.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use crate::base::free_list;
use crate::base::time::NO_TIME;
use crate::detectors::Detector;
use crate::engine::cluster::topics::{self, Strength};
use crate::engine::duplicate_class::{Neighbour, ONE};
use crate::engine::live_index::LiveIndex;

use super::clusters::{Cluster, Clusters, Edge};
use super::decisions::Decided;

/// Edges by the slots of the other clusters.
pub(super) type Edges = HashMap<u32, Edge>;

/// The kind of a change to a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChangeKind {
    Opened,
    Joined,
    Merged,
    Split,
    Left,
    Closed,
}

impl ChangeKind {
    pub fn name(self) -> &'static str {
        match self {
            ChangeKind::Opened => "opened",
            ChangeKind::Joined => "joined",
            ChangeKind::Merged => "merged",
            ChangeKind::Split => "split",
            ChangeKind::Left => "left",
            ChangeKind::Closed => "closed",
        }
    }
}

/// A change to a group: its number, the articles, and the other group, which was merged into it or split off it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    pub what: ChangeKind,
    pub group: u64,
    pub articles: Vec<Arc<str>>,
    pub other: Option<u64>,
}

impl Change {
    pub(super) fn new(what: ChangeKind, group: u64, articles: Vec<Arc<str>>) -> Self {
        Change { what, group, articles, other: None }
    }
}

/// An article to add.
pub struct Incoming<'a> {
    pub id: &'a str,
    pub published: i64,
    /// 0 if unknown, or if the detector does not depend on it.
    pub source: u64,
    pub signature: &'a [u32],
    /// Without a detector: related articles added before, or earlier in the batch. Copies are identified by their
    /// signatures, and share the relations of the first.
    pub related: &'a [RelatedArticle],
}

/// A relation to an earlier article.
pub struct RelatedArticle {
    pub id: String,
    pub score: f64,
    /// Whether it counts for later articles too: an archive keeps the strongest relations of an article.
    pub is_kept: bool,
    /// If the caller searched a sample: how many related articles of one group it can have found.
    pub sample: Option<usize>,
}

/// A related class, and the sample that it was found in.
pub(super) type Sampled = (Neighbour, Option<usize>);

pub(super) struct StreamArticle {
    pub(super) id: Arc<str>,
    pub(super) published: i64,
    pub(super) source: u64,
    pub(super) class: u32,
}

pub struct Stream {
    pub(super) articles: Vec<StreamArticle>,
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

    /// Calibrates the detector on the articles, for those added from now on: groups do not change. None if the detector
    /// needs no calibration.
    pub fn calibrate(&mut self) -> Option<Arc<dyn Detector>> {
        let Stream { live_index, by_id, articles, .. } = self;
        live_index.calibrate(by_id.iter().map(|(id, &at)| {
            let StreamArticle { class, source, .. } = articles[at as usize];
            (&**id, class, source)
        }))
    }

    /// Adds articles in their order; one with a known id replaces the old one, and is skipped if it is unchanged. Ids
    /// in a batch must be distinct.
    pub fn add(&mut self, batch: &[Incoming]) -> Vec<Change> {
        let batch: Vec<&Incoming> = batch.iter().filter(|new| !self.is_kept(new)).collect();
        let known: Vec<u32> = batch.iter().filter_map(|new| self.by_id.get(new.id).copied()).collect();
        let partitions: HashMap<Arc<str>, u64> =
            known.iter().map(|&old| (self.articles[old as usize].id.clone(), self.number(old))).collect();
        let mut changes = self.forget(&known, true);
        let closed = changes.iter().filter(|change| change.what == ChangeKind::Closed);
        let mut closed: HashSet<u64> = closed.map(|change| change.group).collect();
        for new in batch {
            self.settle(new, &mut changes);
            // if all articles of a group have new versions, the first of them that opens a group keeps the number
            if let (Some(Change { what: ChangeKind::Opened, group, .. }), Some(&partition)) =
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

    /// Whether an article is in the stream already, unchanged; always false without a detector.
    pub(super) fn is_kept(&self, new: &Incoming) -> bool {
        self.live_index.compares()
            && self.by_id.get(new.id).is_some_and(|&old| {
                let StreamArticle { published, source, class, .. } = self.articles[old as usize];
                let signature = &self.live_index.classes[class as usize].signature;
                (published, source) == (new.published, new.source) && **signature == *new.signature
            })
    }

    pub(super) fn number(&self, article: u32) -> u64 {
        self.clusters.get(self.cluster(article)).number
    }

    /// Removes articles; their groups may be split.
    pub fn remove<'a>(&mut self, ids: impl IntoIterator<Item = &'a str>) -> Vec<Change> {
        let mut seen = HashSet::new();
        let known = ids.into_iter().filter_map(|id| self.by_id.get(id).copied());
        let articles: Vec<u32> = known.filter(|&article| seen.insert(article)).collect();
        self.forget(&articles, true)
    }

    /// Removes the articles published before a time, group by group, without splitting groups.
    pub fn expire(&mut self, before: i64) -> Vec<Change> {
        let mut clusters = self.live_index.clusters_before(before);
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

    /// The ids of every group, in the order of arrival; the oldest group first.
    pub fn groups(&self) -> Vec<(u64, Vec<Arc<str>>)> {
        let mut out: Vec<_> = self.clusters.all().map(|cluster| (cluster.number, self.ids(&cluster.members))).collect();
        out.sort_unstable_by_key(|(number, _)| *number);
        out
    }

    /// Numbers of articles, duplicate classes, and keys with postings.
    pub fn sizes(&self) -> [usize; 3] {
        let living = self.live_index.classes.iter().filter(|class| class.size() > 0);
        [self.len(), living.count(), self.live_index.posting_count()]
    }

    /// Number of lookups of keys that have too many postings.
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
        let article = StreamArticle { id: id.clone(), published: new.published, source: new.source, class };
        let number = free_list::store(&mut self.articles, &mut self.free, article);
        self.by_id.insert(id, number);
        number
    }

    pub(super) fn settle(&mut self, new: &Incoming, changes: &mut Vec<Change>) {
        let copied_class = self.live_index.copied(new.signature, new.published);
        // a decision about an article does not apply to its copies
        let copied_class = copied_class.filter(|_| !self.decided.mentions(new.id));
        let class =
            copied_class.unwrap_or_else(|| self.live_index.open(new.signature, new.source, new.published, false));
        let related = self.related(class, new);
        let article = self.enter(new, class);
        let mut edges = self.majorities(new, self.live_index.classes[class as usize].cluster, &related);
        if copied_class.is_none() {
            let place = self.clusters.open(vec![article], vec![class]);
            self.live_index.classes[class as usize].cluster = place;
            self.join(place, Some(article), edges, changes);
            return self.unite(new.id, changes);
        }
        // a copy joins the cluster of its class
        self.live_index.insert(class, new.published, new.source);
        let place = self.live_index.classes[class as usize].cluster;
        let cluster = self.clusters.get_mut(place);
        cluster.members.push(article);
        cluster.size += 1;
        changes.push(Change::new(ChangeKind::Joined, cluster.number, self.ids(&[article])));
        edges.values_mut().for_each(|edge| *edge = Edge::default());
        self.widen(&mut edges, place);
        self.join(place, None, edges, changes);
    }

    /// The classes that a new article and the others of its class are related to.
    fn related(&mut self, class: u32, new: &Incoming) -> Vec<Sampled> {
        let known = |related: &'_ RelatedArticle| {
            let article = self.by_id.get(related.id.as_str())?;
            Some(Neighbour::new(self.articles[*article as usize].class, related.score))
        };
        let given: Vec<(Neighbour, &RelatedArticle)> =
            new.related.iter().filter_map(|related| Some((known(related)?, related))).collect();
        // a copy may have related articles that its class does not have yet
        let kept: Vec<Neighbour> = given.iter().filter(|(_, related)| related.is_kept).map(|&(to, _)| to).collect();
        self.live_index.report(class, &kept);
        let found = self.live_index.related(class, |_, _| true);
        let sample = self.live_index.sample();
        let mut samples: HashMap<u32, Sampled> = found.into_iter().map(|to| (to.to, (to, sample))).collect();
        for (to, related) in given.into_iter().filter(|(to, _)| to.to != class) {
            samples.entry(to.to).or_insert((to, None)).1 = related.sample;
        }
        let mut out: Vec<Sampled> = samples.into_values().collect();
        out.sort_unstable_by_key(|(to, _)| to.to);
        out
    }

    /// The other groups in which an article has a majority, and its edges to them. A related article that was found in
    /// a sample stands for as many as the group has for each article of the sample.
    fn majorities(&self, new: &Incoming, own: u32, related: &[Sampled]) -> Edges {
        let mut edges = Edges::new();
        for &(neighbour, sample) in related {
            let place = self.live_index.classes[neighbour.to as usize].cluster;
            let Cluster { classes, size, .. } = self.clusters.get(place);
            let pairs = self.live_index.pairs(new.published, new.source, neighbour);
            let sample = sample.map_or(classes.len(), |sample| sample.clamp(1, classes.len()));
            let pairs = pairs * classes.len() as u64 / sample as u64;
            let edge: &mut Edge = edges.entry(place).or_default();
            edge.add(pairs.min(size - edge.pairs.min(*size)), neighbour.score());
        }
        edges.retain(|&place, edge| place != own && edge.is_majority(1, self.clusters.get(place).size));
        edges
    }

    /// Adds the pairs between one more group and each of the groups of `edges`.
    pub(super) fn widen(&mut self, edges: &mut Edges, place: u32) {
        let Stream { live_index, clusters, .. } = self;
        let classes = &clusters.get(place).classes;
        let others: usize = edges.keys().map(|&other| clusters.get(other).classes.len()).sum();
        // look up the side with fewer classes
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

    /// Merges a group with others while there are majorities; `alone` is the article that has just opened it.
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
            changes.push(Change::new(ChangeKind::Opened, self.clusters.get(place).number, self.ids(&[article])));
        }
    }

    /// Whether two groups are one topic but two events, by the pairs between them and inside of each.
    pub(super) fn is_topic(&mut self, one: u32, other: u32, between: Strength) -> bool {
        let sizes = [one, other].map(|place| (self.clusters.get(place).classes.len(), self.clusters.get(place).size));
        if sizes[0].0.min(sizes[1].0) < topics::MIN_ARTICLES {
            return false;
        }
        let [left, right] = [one, other].map(|place| self.strength_inside(place));
        between.among(sizes[0].1 * sizes[1].1).is_topic(&left, &right)
    }

    /// The strength of the pairs inside a group, copies not counted; of a large group, only those of its first
    /// articles, to bound the cost for stories of thousands. Pairs count both ways, which changes no mean.
    pub(super) fn strength_inside(&mut self, place: u32) -> Strength {
        let Stream { live_index, clusters, .. } = self;
        let (cluster, mut out, mut all) = (clusters.get(place), Strength::default(), 0);
        for &class in cluster.classes.iter().take(topics::MAX_ARTICLES) {
            let size = u64::from(live_index.classes[class as usize].size());
            all += size * (cluster.size - size);
            for neighbour in live_index.related(class, |there, _| there.cluster == place) {
                out.add(Strength::new(live_index.all_pairs(class, neighbour), f64::from(neighbour.score()) / ONE));
            }
        }
        out.among(all)
    }

    /// Merges two groups under the older number; `alone` is the only article of a group that has just been opened.
    pub(super) fn merge(&mut self, one: u32, other: u32, alone: Option<u32>, changes: &mut Vec<Change>) -> u32 {
        let number = |place: u32| self.clusters.get(place).number;
        let (kept, absorbed) = if number(one) < number(other) { (one, other) } else { (other, one) };
        let numbers = (number(kept), number(absorbed));
        for &class in &self.clusters.get(absorbed).classes {
            self.live_index.classes[class as usize].cluster = kept;
        }
        self.clusters.merge(kept, absorbed);
        changes.push(match alone {
            Some(article) => Change::new(ChangeKind::Joined, numbers.0, self.ids(&[article])),
            None => Change { other: Some(numbers.1), ..Change::new(ChangeKind::Merged, numbers.0, vec![]) },
        });
        kept
    }

    /// The group to merge this one with, if any: the greatest mean of those with a majority, ties to the older.
    pub(super) fn best(&self, place: u32, edges: &Edges) -> Option<u32> {
        let size = self.clusters.get(place).size;
        let candidates = edges.iter().map(|(&other, edge)| (self.clusters.get(other), other, edge));
        let candidates = candidates.filter(|(cluster, other, edge)| {
            edge.is_majority(size, cluster.size) && self.forbidden(place, *other).is_none()
        });
        let order = |(one, _, edge): &(&Cluster, u32, &Edge), (other, _, that): &(&Cluster, u32, &Edge)| {
            edge.compare(one.size, that, other.size).then_with(|| other.number.cmp(&one.number))
        };
        candidates.max_by(order).map(|(_, other, _)| other)
    }

    /// Removes articles; with `check`, splits their groups where the remaining articles fall apart.
    pub(super) fn forget(&mut self, articles: &[u32], check: bool) -> Vec<Change> {
        let (mut changes, mut touched) = (vec![], vec![]);
        for &article in articles {
            let StreamArticle { ref id, published, source, class } = self.articles[article as usize];
            let place = self.live_index.classes[class as usize].cluster;
            let cluster = self.clusters.get_mut(place);
            cluster.size -= 1;
            let what = if cluster.size == 0 { ChangeKind::Closed } else { ChangeKind::Left };
            changes.push(Change::new(what, cluster.number, vec![id.clone()]));
            self.by_id.remove(id);
            self.live_index.remove(class, published, source);
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
        if let Some(numbers) = self.live_index.compact() {
            let living = self.articles.iter_mut().filter(|article| article.class != u32::MAX);
            living.for_each(|article| article.class = numbers[article.class as usize]);
            self.clusters.rename(&numbers);
        }
        changes
    }

    /// Deletes removed articles from the touched groups, and drops from `touched` those without members.
    pub(super) fn leave(&mut self, touched: &mut Vec<u32>) {
        let mut seen = HashSet::new();
        touched.retain(|&place| seen.insert(place));
        let Stream { clusters, articles, live_index, .. } = self;
        touched.retain(|&place| {
            let cluster = clusters.get_mut(place);
            cluster.members.retain(|&article| articles[article as usize].class != u32::MAX);
            cluster.classes.retain(|&class| live_index.classes[class as usize].size() > 0);
            let has_members = !cluster.members.is_empty();
            if !has_members {
                clusters.close(place);
            }
            has_members
        });
    }
}
