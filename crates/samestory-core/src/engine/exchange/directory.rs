//! Where the articles of a collection are, and which of them are duplicates: the same in every task.

use crate::engine::postings::partitioned::Ranges;

#[derive(Default)]
pub struct Directory {
    /// Number before the first article of every split of the input, ascending, and the partition of the split.
    starts: Vec<u64>,
    partitions: Vec<u32>,
    /// Articles with smaller numbers are old.
    pub first_new: u64,
    /// Articles removed because another one has the same id, sorted.
    removed: Vec<u64>,
    /// Copies with their originals, sorted by copy; and the other way round.
    pub copies: Vec<(u64, u64)>,
    classes: Vec<(u64, u64)>,
}

impl Directory {
    /// `members`: articles with the number of their duplicate class, those removed included.
    pub fn new(
        starts: Vec<u64>,
        partitions: Vec<u32>,
        first_new: u64,
        mut removed: Vec<u64>,
        mut members: Vec<(u64, u64)>,
    ) -> Self {
        removed.sort_unstable();
        members.retain(|(_, article)| removed.binary_search(article).is_err());
        members.sort_unstable();
        let mut classes: Vec<(u64, u64)> = vec![];
        for class in members.chunk_by(|one, other| one.0 == other.0) {
            classes.extend(class[1..].iter().map(|&(_, copy)| (class[0].1, copy)));
        }
        classes.sort_unstable();
        let mut copies: Vec<(u64, u64)> = classes.iter().map(|&(original, copy)| (copy, original)).collect();
        copies.sort_unstable();
        Directory { starts, partitions, first_new, removed, copies, classes }
    }

    pub fn ranges(&self) -> Ranges<'_> {
        Ranges { starts: &self.starts, partitions: &self.partitions }
    }

    /// The input partition of an article.
    pub fn partition_of(&self, article: u64) -> u32 {
        self.ranges().partition_of(article).unwrap_or(0)
    }

    pub fn removed(&self) -> &[u64] {
        &self.removed
    }

    pub fn is_removed(&self, article: u64) -> bool {
        self.removed.binary_search(&article).is_ok()
    }

    pub fn is_original(&self, article: u64) -> bool {
        self.original_of(article) == article
    }

    /// The first article with the same signature, often the article itself.
    pub fn original_of(&self, article: u64) -> u64 {
        self.copies.binary_search_by_key(&article, |&(copy, _)| copy).map_or(article, |at| self.copies[at].1)
    }

    /// The other articles with the signature of an original.
    pub fn copies_of(&self, original: u64) -> impl Iterator<Item = u64> + '_ {
        let first = self.classes.partition_point(|&(other, _)| other < original);
        self.classes[first..].iter().take_while(move |&&(other, _)| other == original).map(|&(_, copy)| copy)
    }

    /// The originals that have copies.
    pub fn originals(&self) -> impl Iterator<Item = u64> + '_ {
        self.classes.chunk_by(|one, other| one.0 == other.0).map(|class| class[0].0)
    }

    /// The articles of all duplicate classes, each with the original.
    pub fn members(&self) -> impl Iterator<Item = (u64, u64)> + '_ {
        self.originals().map(|original| (original, original)).chain(self.classes.iter().copied())
    }

    /// Whether an original or one of its copies is new.
    pub fn has_new(&self, original: u64) -> bool {
        original >= self.first_new || self.copies_of(original).any(|copy| copy >= self.first_new)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_article_of_a_class_that_is_not_removed_is_the_original() {
        let members = vec![(3, 3), (3, 30), (3, 20), (5, 5), (5, 6), (9, 9), (9, 31)];
        let directory = Directory::new(vec![0, 10, 25], vec![1, 0, 2], 10, vec![6, 3], members);
        assert_eq!([3, 5, 6, 9, 20, 30, 31].map(|article| directory.original_of(article)), [3, 5, 6, 9, 20, 20, 9]);
        assert_eq!(directory.copies_of(20).collect::<Vec<_>>(), [30]);
        assert_eq!(directory.originals().collect::<Vec<_>>(), [9, 20]);
        let again = Directory::new(vec![], vec![], 10, directory.removed().to_vec(), directory.members().collect());
        assert_eq!(again.copies, directory.copies);
        assert!(directory.is_removed(6) && !directory.is_removed(5));
        assert!(directory.has_new(9) && !directory.has_new(5));
        assert_eq!([1, 10, 24, 30].map(|article| directory.partition_of(article)), [1, 0, 0, 2]);
    }
}
