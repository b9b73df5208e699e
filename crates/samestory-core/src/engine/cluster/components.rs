//! Connected components by union-find, with all edges in memory.

/// For each of `count` nodes, the smallest node of its connected component.
pub fn components(count: usize, edges: impl Iterator<Item = (u32, u32)>) -> Vec<u32> {
    // the smaller root always becomes the parent: the root of a tree is its smallest node
    let mut parents: Vec<u32> = (0..count as u32).collect();
    for (one, other) in edges {
        let (one, other) = (root(&mut parents, one), root(&mut parents, other));
        parents[one.max(other) as usize] = one.min(other);
    }
    (0..count as u32).map(|at| root(&mut parents, at)).collect()
}

fn root(parents: &mut [u32], mut at: u32) -> u32 {
    while parents[at as usize] != at {
        parents[at as usize] = parents[parents[at as usize] as usize];
        at = parents[at as usize];
    }
    at
}
