//! Edges to stars: each connected component as a star around its smallest article.

use crate::engine::cluster::components::components;

/// For every article of the edges, except the smallest of its component: the article and that smallest one. Sorted.
pub fn stars(edges: &[(i64, i64)]) -> Vec<(i64, i64)> {
    let mut articles: Vec<i64> = edges.iter().flat_map(|&(one, other)| [one, other]).collect();
    articles.sort_unstable();
    articles.dedup();
    let place = |article: i64| articles.partition_point(|&before| before < article) as u32;
    let smallest = components(articles.len(), edges.iter().map(|&(one, other)| (place(one), place(other))));
    let pairs = articles.iter().zip(smallest).map(|(&article, smallest)| (article, articles[smallest as usize]));
    pairs.filter(|(article, smallest)| article != smallest).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chains_and_rings_become_stars_and_an_article_alone_nothing() {
        assert_eq!(stars(&[]), []);
        assert_eq!(stars(&[(4, 4)]), []);
        assert_eq!(
            stars(&[(9, 7), (3, 5), (5, 9), (-1, 8), (8, 2), (2, -1)]),
            [(2, -1), (5, 3), (7, 3), (8, -1), (9, 3)]
        );
    }
}
