//! The corpus tree of CoDet, for streams: sentences as paths of words, and at every node the articles that visited it.
//!
//! A path visited by one article only is one node with a tail: its further words are stored with the article and become
//! nodes when another article visits the path. So the tree grows with shared text, not with all text.

use std::collections::{BTreeSet, HashMap};

use crate::base::free_list;
use crate::base::hash::{self, Hashed};
use crate::detectors::codet::{CoDet, Sentence, Step};

/// How the visitors of a node are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Visitors {
    /// Every visit counts: the score of Eq. 3.1, in any order of arrival.
    Counts,
    /// An article counts once, however often it visited, as in the printed algorithm: the score depends on the order.
    Set,
}

/// The overlap of an article with an earlier one: the share of each that is found in the other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TreeOverlap {
    pub article: u32,
    pub forward: f64,
    pub backward: f64,
}

#[derive(Debug)]
struct Node {
    parent: u32,
    word: u32,
    depth: u32,
    children: u32,
    active: bool,
    /// Articles and their numbers of visits.
    visitors: Vec<(u32, u32)>,
    /// The only path beyond this node: a sentence of the only visitor, whose further words are no nodes yet.
    tail: Option<u32>,
}

#[derive(Debug, Default)]
struct Entry {
    sentences: Vec<Sentence>,
    /// The score of the article with itself.
    self_score: f64,
    /// The nodes visited by the article.
    nodes: Vec<u32>,
}

pub struct CorpusTree {
    rule: CoDet,
    visitors: Visitors,
    /// Of articles that contain each other, keep only the first in the tree.
    fold: bool,
    nodes: Vec<Option<Node>>,
    free: Vec<u32>,
    children: Hashed<u32>,
    articles: HashMap<u32, Entry>,
    /// For an article that was folded into another: the other.
    aliases: HashMap<u32, u32>,
    /// For an article in the tree: the articles folded into it.
    folded: HashMap<u32, BTreeSet<u32>>,
    /// Number of similarity values computed: pairs of articles that share a node.
    pub computations: u64,
    /// By article number; zero between calls.
    scores: Vec<f64>,
    /// Articles with a score in the current call.
    touched: Vec<u32>,
}

const ROOT: u32 = u32::MAX;

/// The key of `children` for the child of a node by its next word.
fn child_key(parent: u32, word: u32) -> u64 {
    hash::mix(u64::from(parent) << 32 | u64::from(word), 0x9E37_79B9_7F4A_7C15) ^ u64::from(parent)
}

impl CorpusTree {
    pub fn new(rule: CoDet, visitors: Visitors, fold: bool) -> Self {
        CorpusTree {
            rule,
            visitors,
            fold,
            nodes: vec![],
            free: vec![],
            children: Hashed::default(),
            articles: HashMap::new(),
            aliases: HashMap::new(),
            folded: HashMap::new(),
            computations: 0,
            scores: vec![],
            touched: vec![],
        }
    }

    pub fn rule(&self) -> &CoDet {
        &self.rule
    }

    /// Number of nodes of the tree, including those in tails.
    pub fn size(&self) -> usize {
        let nodes = self.nodes.iter().flatten();
        nodes.map(|node| 1 + node.tail.map_or(0, |sentence| self.tail_steps(node, sentence).len())).sum()
    }

    /// Number of stored nodes, without those in tails.
    pub fn stored(&self) -> usize {
        self.nodes.len() - self.free.len()
    }

    /// Number of articles in the tree, without those folded into others.
    pub fn len(&self) -> usize {
        self.articles.len()
    }

    pub fn is_empty(&self) -> bool {
        self.articles.is_empty()
    }

    /// The words after a node whose tail is this sentence.
    fn tail_steps(&self, node: &Node, sentence: u32) -> &[Step] {
        let owner = node.visitors[0].0;
        &self.articles[&owner].sentences[sentence as usize].path[node.depth as usize..]
    }

    /// Inserts an article and returns its overlaps with the articles in the tree, those above zero.
    pub fn add(&mut self, article: u32, sentences: Vec<Sentence>) -> Vec<TreeOverlap> {
        self.remove(article);
        let self_score = self.self_score(&sentences);
        self.articles.insert(article, Entry { sentences, self_score, nodes: vec![] });
        for sentence in 0..self.articles[&article].sentences.len() as u32 {
            self.insert(article, sentence);
        }
        let found = self.drain_scores(self_score);
        if self.fold {
            let threshold = self.rule.threshold;
            if let Some(kept) = found.iter().find(|f| f.forward > threshold && f.backward > threshold) {
                self.detach(article);
                self.aliases.insert(article, kept.article);
                self.folded.entry(kept.article).or_default().insert(article);
            }
        }
        self.with_aliases(found)
    }

    /// The overlaps of an article with the articles in the tree; it is not inserted.
    pub fn query(&mut self, sentences: &[Sentence]) -> Vec<TreeOverlap> {
        let self_score = self.self_score(sentences);
        for sentence in sentences {
            self.score_path(sentence);
        }
        let found = self.drain_scores(self_score);
        self.with_aliases(found)
    }

    /// Adds the articles folded into each of these, with the same overlap.
    fn with_aliases(&self, found: Vec<TreeOverlap>) -> Vec<TreeOverlap> {
        let mut out = vec![];
        for one in found {
            out.push(one);
            if let Some(folded) = self.folded.get(&one.article) {
                out.extend(folded.iter().map(|&article| TreeOverlap { article, ..one }));
            }
        }
        out
    }

    /// The score of an article with itself: every node as often as pairs of its sentences visit it.
    fn self_score(&self, sentences: &[Sentence]) -> f64 {
        let mut visits: Hashed<(f64, f64)> = Hashed::default();
        for sentence in sentences {
            let mut path = 0;
            for (depth, step) in (1..).zip(&sentence.path) {
                path = hash::numbered(path, u64::from(step.word));
                let (times, gain) = visits.entry(path).or_insert((0.0, 0.0));
                *times += 1.0;
                *gain = f64::from(self.rule.gain(depth, step.weight));
            }
        }
        visits.values().map(|(times, gain)| times * times * gain).sum()
    }

    fn insert(&mut self, article: u32, sentence: u32) {
        let mut parent = ROOT;
        let length = self.articles[&article].sentences[sentence as usize].path.len();
        for at in 0..length {
            let step = self.articles[&article].sentences[sentence as usize].path[at];
            match self.children.get(&child_key(parent, step.word)).copied() {
                None => {
                    let tail = (at + 1 < length).then_some(sentence);
                    self.create(parent, step.word, at as u32 + 1, article, tail);
                    return;
                }
                Some(number) => {
                    self.expand_tail(number);
                    let gain = f64::from(self.rule.gain(at + 1, step.weight));
                    self.visit(number, article, gain);
                    parent = number;
                }
            }
        }
    }

    /// Adds scores along a path, without inserting it.
    fn score_path(&mut self, sentence: &Sentence) {
        let mut parent = ROOT;
        for (at, step) in sentence.path.iter().enumerate() {
            let Some(&number) = self.children.get(&child_key(parent, step.word)) else {
                return;
            };
            self.expand_tail(number);
            let gain = f64::from(self.rule.gain(at + 1, step.weight));
            self.add_scores(number, u32::MAX, gain);
            parent = number;
        }
    }

    fn create(&mut self, parent: u32, word: u32, depth: u32, article: u32, tail: Option<u32>) -> u32 {
        let node = Node { parent, word, depth, children: 0, active: true, visitors: vec![(article, 1)], tail };
        let number = free_list::store(&mut self.nodes, &mut self.free, Some(node));
        self.children.insert(child_key(parent, word), number);
        if parent != ROOT {
            self.node(parent).children += 1;
        }
        self.articles.get_mut(&article).expect("inserted before its nodes").nodes.push(number);
        number
    }

    fn node(&mut self, number: u32) -> &mut Node {
        self.nodes[number as usize].as_mut().expect("linked nodes are stored")
    }

    /// Makes the next word of a tail a node, since another article visits the path.
    fn expand_tail(&mut self, number: u32) {
        let node = self.node(number);
        let Some(sentence) = node.tail.take() else {
            return;
        };
        let (owner, depth) = (node.visitors[0].0, node.depth);
        let path = &self.articles[&owner].sentences[sentence as usize].path;
        let (word, more) = (path[depth as usize].word, path.len() > depth as usize + 1);
        self.create(number, word, depth + 1, owner, more.then_some(sentence));
    }

    /// Adds the gain of a node to the scores of its other visitors.
    fn add_scores(&mut self, number: u32, article: u32, gain: f64) {
        let counts = self.visitors == Visitors::Counts;
        let node = self.nodes[number as usize].as_ref().expect("linked nodes are stored");
        if !node.active {
            return;
        }
        for &(visitor, times) in &node.visitors {
            if visitor == article {
                continue;
            }
            if self.scores.len() <= visitor as usize {
                self.scores.resize(visitor as usize + 1, 0.0);
            }
            let score = &mut self.scores[visitor as usize];
            if *score == 0.0 {
                self.touched.push(visitor);
            }
            *score += gain * if counts { f64::from(times) } else { 1.0 };
        }
    }

    /// Records a visit and scores the node's other visitors, unless this visit is the one that deactivates it
    /// (Algorithm 2).
    fn visit(&mut self, number: u32, article: u32, gain: f64) {
        let limit = match self.rule.limit {
            0 => usize::MAX,
            limit => limit,
        };
        let node = self.node(number);
        if !node.active {
            return;
        }
        match node.visitors.iter_mut().find(|(visitor, _)| *visitor == article) {
            Some((_, times)) => *times += 1,
            None => {
                node.visitors.push((article, 1));
                node.active = node.visitors.len() <= limit;
                self.articles.get_mut(&article).expect("inserted before its nodes").nodes.push(number);
            }
        }
        self.add_scores(number, article, gain);
    }

    /// The accumulated scores as shares; resets them to zero.
    fn drain_scores(&mut self, self_score: f64) -> Vec<TreeOverlap> {
        let mut touched = std::mem::take(&mut self.touched);
        touched.sort_unstable();
        touched.dedup();
        self.computations += touched.len() as u64;
        let out = touched
            .iter()
            .map(|&article| {
                let score = std::mem::take(&mut self.scores[article as usize]);
                let other_score = self.articles[&article].self_score;
                TreeOverlap {
                    article,
                    forward: (score / self_score).min(1.0),
                    backward: (score / other_score).min(1.0),
                }
            })
            .collect();
        touched.clear();
        self.touched = touched;
        out
    }

    /// Removes an article; returns whether it was present. The first article folded into it replaces it in the tree.
    pub fn remove(&mut self, article: u32) -> bool {
        if let Some(kept) = self.aliases.remove(&article) {
            self.folded.get_mut(&kept).expect("every alias is in folded").remove(&article);
            return true;
        }
        let mut folded = self.folded.remove(&article).unwrap_or_default();
        match folded.pop_first() {
            None => self.detach(article),
            Some(successor) => {
                let entry = self.articles.remove(&article).expect("articles with aliases are in the tree");
                for &number in &entry.nodes {
                    let visitors = &mut self.node(number).visitors;
                    visitors.iter_mut().filter(|(visitor, _)| *visitor == article).for_each(|v| v.0 = successor);
                }
                self.articles.insert(successor, entry);
                self.aliases.remove(&successor);
                self.aliases.extend(folded.iter().map(|&alias| (alias, successor)));
                self.folded.insert(successor, folded);
                true
            }
        }
    }

    /// Removes an article from all nodes that it visited, and prunes those without visitors and children.
    fn detach(&mut self, article: u32) -> bool {
        let Some(entry) = self.articles.get(&article) else {
            return false;
        };
        let mut nodes = entry.nodes.clone();
        // children before parents
        nodes.sort_unstable_by_key(|&number| {
            std::cmp::Reverse(self.nodes[number as usize].as_ref().map_or(0, |node| node.depth))
        });
        for number in nodes {
            let node = self.node(number);
            node.visitors.retain(|&(visitor, _)| visitor != article);
            node.tail = node.tail.filter(|_| !node.visitors.is_empty());
            if node.visitors.is_empty() && node.children == 0 {
                let (parent, word) = (node.parent, node.word);
                self.nodes[number as usize] = None;
                self.free.push(number);
                self.children.remove(&child_key(parent, word));
                if parent != ROOT {
                    self.node(parent).children -= 1;
                }
            }
        }
        self.articles.remove(&article);
        true
    }
}

#[cfg(test)]
mod tests;
