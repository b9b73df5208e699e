//! What hangs together, of edges that are all at hand: a star around the smallest of each.

/// For every article of the edges, but the smallest of those it hangs together with: itself and that smallest one.
/// Sorted.
pub fn stars(edges: &[(i64, i64)]) -> Vec<(i64, i64)> {
    let mut articles: Vec<i64> = edges.iter().flat_map(|&(one, other)| [one, other]).collect();
    articles.sort_unstable();
    articles.dedup();
    let place = |article: i64| articles.partition_point(|&before| before < article);
    // the smaller place is always the parent: the root of a tree is its smallest article
    let mut parents: Vec<usize> = (0..articles.len()).collect();
    for &(one, other) in edges {
        let (one, other) = (root(&mut parents, place(one)), root(&mut parents, place(other)));
        parents[one.max(other)] = one.min(other);
    }
    let roots = (0..articles.len()).map(|at| (at, root(&mut parents, at))).collect::<Vec<_>>();
    roots.into_iter().filter(|(at, root)| at != root).map(|(at, root)| (articles[at], articles[root])).collect()
}

fn root(parents: &mut [usize], mut at: usize) -> usize {
    while parents[at] != at {
        parents[at] = parents[parents[at]];
        at = parents[at];
    }
    at
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
