//! Manual decisions about pairs of articles.

use std::collections::HashMap;
use std::sync::Arc;

/// Manual decisions about pairs; they override the measured relations.
#[derive(Clone, Debug, Default)]
pub struct Decisions {
    /// For every article decided to be the same as others: all of them, including itself.
    blocks: HashMap<u32, Arc<[u32]>>,
    apart: HashMap<u32, Vec<u32>>,
}

impl Decisions {
    pub fn new(same: &[(u32, u32)], apart: &[(u32, u32)]) -> Self {
        // union-find: the root of a block is its first article
        let mut parents: HashMap<u32, u32> = HashMap::new();
        fn find_root(parents: &mut HashMap<u32, u32>, mut article: u32) -> u32 {
            loop {
                let parent = *parents.entry(article).or_insert(article);
                if parent == article {
                    return article;
                }
                let grandparent = parents[&parent];
                parents.insert(article, grandparent);
                article = grandparent;
            }
        }
        for &(a, b) in same {
            let (a, b) = (find_root(&mut parents, a), find_root(&mut parents, b));
            parents.insert(a.max(b), a.min(b));
        }
        let mut members: HashMap<u32, Vec<u32>> = HashMap::new();
        let articles: Vec<u32> = parents.keys().copied().collect();
        for article in articles {
            members.entry(find_root(&mut parents, article)).or_default().push(article);
        }
        let mut blocks: HashMap<u32, Arc<[u32]>> = HashMap::new();
        for mut block in members.into_values() {
            block.sort_unstable();
            let block: Arc<[u32]> = block.into();
            blocks.extend(block.iter().map(|&member| (member, block.clone())));
        }
        let mut map: HashMap<u32, Vec<u32>> = HashMap::new();
        for &(a, b) in apart {
            map.entry(a).or_default().push(b);
            map.entry(b).or_default().push(a);
        }
        Decisions { blocks, apart: map }
    }

    /// An article and the articles decided to be the same.
    pub fn block<'a>(&'a self, article: &'a u32) -> &'a [u32] {
        self.blocks.get(article).map_or(std::slice::from_ref(article), |block| block)
    }

    /// Whether any decision concerns this article.
    pub fn mentions(&self, article: u32) -> bool {
        self.blocks.contains_key(&article) || self.apart.contains_key(&article)
    }

    pub fn has_apart(&self) -> bool {
        !self.apart.is_empty()
    }

    pub fn forbids(&self, article: u32, mut inside: impl FnMut(u32) -> bool) -> bool {
        self.apart.get(&article).is_some_and(|others| others.iter().any(|&other| inside(other)))
    }
}
