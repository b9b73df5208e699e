//! The articles of an archive, as search needs them to filter, rank and count: in memory, in immutable versions.
//!
//! A version is a base, the set of its rows that are gone, and a tail of rows that came later. A change copies that set
//! and the tail, in O(articles / 64 + tail), and shares the base with the versions before it; a long tail is merged into
//! a new base, in O(articles).

use std::collections::HashSet;
use std::sync::Arc;

/// Columns of categories that are counted as facets: source, language, day. Their values are codes; 0 is unknown.
pub const FACETS: usize = 3;
/// The facet of sources.
pub const SOURCE: usize = 0;
/// A tail of more rows than this, and than one for so many rows of the base, is merged into a new base.
const MAX_TAIL_ROWS: usize = 4096;
const BASE_ROWS_PER_TAIL_ROW: usize = 256;

/// An article: its number, its story, and what it is ranked, filtered and counted by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TableRow {
    pub number: i64,
    /// The number that it had when it first arrived.
    pub came: i64,
    pub time: i64,
    pub words: u32,
    pub codes: [u32; FACETS],
    /// The place of its story in the table.
    pub(super) story: u32,
}

impl TableRow {
    pub fn new(number: i64, came: i64, time: i64, words: u32, codes: [u32; FACETS]) -> Self {
        TableRow { number, came, time, words, codes, story: 0 }
    }
}

/// Rows sorted by number, with the rows of every story.
#[derive(Default)]
struct Base {
    rows: Vec<TableRow>,
    /// Numbers of stories, sorted.
    stories: Vec<i64>,
    /// The rows of story `at` are `members[starts[at]..starts[at + 1]]`.
    starts: Vec<u32>,
    members: Vec<u32>,
}

impl Base {
    fn new(mut articles: Vec<(TableRow, i64)>) -> Self {
        articles.sort_by_key(|(row, _)| row.number);
        let mut by_story: Vec<(i64, u32)> = articles.iter().zip(0..).map(|((_, story), at)| (*story, at)).collect();
        // a stable sort is fast for nearly sorted numbers, and keeps the rows of a story in order
        by_story.sort_by_key(|(story, _)| *story);
        let mut rows: Vec<TableRow> = articles.into_iter().map(|(row, _)| row).collect();
        let (mut stories, mut starts) = (vec![], vec![]);
        for (at, &(story, row)) in by_story.iter().enumerate() {
            if stories.last() != Some(&story) {
                stories.push(story);
                starts.push(at as u32);
            }
            rows[row as usize].story = (stories.len() - 1) as u32;
        }
        starts.push(by_story.len() as u32);
        Base { rows, stories, starts, members: by_story.into_iter().map(|(_, row)| row).collect() }
    }

    fn members(&self, story: usize) -> &[u32] {
        &self.members[self.starts[story] as usize..self.starts[story + 1] as usize]
    }
}

/// Rows that came after the base was made, sorted by number, and the stories that are not in the base.
#[derive(Clone, Default)]
struct Tail {
    rows: Vec<TableRow>,
    /// Story numbers with their places in the table, sorted.
    stories: Vec<(i64, u32)>,
    /// Story numbers by place after those of the base.
    numbers: Vec<i64>,
}

/// A set of rows of the base.
#[derive(Clone, Default)]
struct RowSet {
    words: Vec<u64>,
    len: usize,
}

impl RowSet {
    fn contains(&self, row: usize) -> bool {
        self.words[row / 64] >> (row % 64) & 1 == 1
    }

    fn insert(&mut self, row: usize) {
        self.len += usize::from(!self.contains(row));
        self.words[row / 64] |= 1 << (row % 64);
    }
}

/// One version of the articles. Rows are numbered: first those of the base, then those of the tail.
pub struct ArticleTable {
    base: Arc<Base>,
    gone: RowSet,
    tail: Tail,
}

impl ArticleTable {
    /// A table of articles, each with the number of its story.
    pub fn new(articles: Vec<(TableRow, i64)>) -> Self {
        let base = Arc::new(Base::new(articles));
        let gone = RowSet { words: vec![0; base.rows.len().div_ceil(64)], len: 0 };
        ArticleTable { base, gone, tail: Tail::default() }
    }

    /// The table without these articles, and with others; an article replaces its earlier versions.
    pub fn changed(&self, without: &[i64], with: Vec<(TableRow, i64)>) -> Self {
        let (mut gone, mut tail) = (self.gone.clone(), self.tail.clone());
        let mut numbers: Vec<i64> = without.iter().copied().chain(with.iter().map(|(row, _)| row.number)).collect();
        numbers.sort_unstable();
        join(&self.base.rows, &numbers, |row, _| gone.insert(row));
        let revised: HashSet<i64> =
            with.iter().filter(|(row, _)| row.came != row.number).map(|(row, _)| row.came).collect();
        if !revised.is_empty() {
            let old = self.base.rows.iter().enumerate().filter(|(_, row)| revised.contains(&row.came));
            old.for_each(|(at, _)| gone.insert(at));
        }
        tail.rows.retain(|row| numbers.binary_search(&row.number).is_err() && !revised.contains(&row.came));
        for (mut row, story) in with {
            row.story = self.story_place(&mut tail, story);
            tail.rows.push(row);
        }
        tail.rows.sort_by_key(|row| row.number);
        let changed = ArticleTable { base: self.base.clone(), gone, tail };
        match changed.tail.rows.len() > MAX_TAIL_ROWS.max(self.base.rows.len() / BASE_ROWS_PER_TAIL_ROW) {
            true => ArticleTable::new(changed.live().map(|(_, row)| (*row, changed.story_number(row.story))).collect()),
            false => changed,
        }
    }

    /// The place of a story; a new one gets the next.
    fn story_place(&self, tail: &mut Tail, story: i64) -> u32 {
        if let Ok(place) = self.base.stories.binary_search(&story) {
            return place as u32;
        }
        match tail.stories.binary_search_by_key(&story, |(number, _)| *number) {
            Ok(at) => tail.stories[at].1,
            Err(at) => {
                let place = (self.base.stories.len() + tail.numbers.len()) as u32;
                tail.numbers.push(story);
                tail.stories.insert(at, (story, place));
                place
            }
        }
    }

    /// The number of articles.
    pub fn len(&self) -> usize {
        self.base.rows.len() - self.gone.len + self.tail.rows.len()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The highest number of an article; 0 without articles.
    pub fn last(&self) -> i64 {
        let in_base = (0..self.base.rows.len()).rev().find(|&row| !self.gone.contains(row));
        let in_base = in_base.map_or(0, |row| self.base.rows[row].number);
        self.tail.rows.last().map_or(in_base, |row| row.number.max(in_base))
    }

    /// The numbers of the articles of some stories.
    pub fn members(&self, stories: &[i64]) -> Vec<i64> {
        let in_base = stories.iter().filter_map(|story| self.base.stories.binary_search(story).ok());
        let rows = in_base.flat_map(|place| self.base.members(place)).map(|&row| row as usize);
        let mut out: Vec<i64> =
            rows.filter(|&row| !self.gone.contains(row)).map(|row| self.base.rows[row].number).collect();
        let wanted: HashSet<i64> = stories.iter().copied().collect();
        let in_tail = self.tail.rows.iter().filter(|row| wanted.contains(&self.story_number(row.story)));
        out.extend(in_tail.map(|row| row.number));
        out
    }

    /// Places of stories are below this.
    pub(super) fn story_places(&self) -> usize {
        self.base.stories.len() + self.tail.numbers.len()
    }

    pub(super) fn story_number(&self, place: u32) -> i64 {
        match (place as usize).checked_sub(self.base.stories.len()) {
            None => self.base.stories[place as usize],
            Some(at) => self.tail.numbers[at],
        }
    }

    /// Numbers of rows, those of gone ones included, are below this.
    pub(super) fn row_places(&self) -> usize {
        self.base.rows.len() + self.tail.rows.len()
    }

    pub(super) fn row(&self, row: usize) -> &TableRow {
        match row.checked_sub(self.base.rows.len()) {
            None => &self.base.rows[row],
            Some(at) => &self.tail.rows[at],
        }
    }

    /// All articles with the numbers of their rows.
    pub(super) fn live(&self) -> impl Iterator<Item = (usize, &TableRow)> {
        let in_base = self.base.rows.iter().enumerate().filter(|(row, _)| !self.gone.contains(*row));
        in_base.chain((self.base.rows.len()..).zip(&self.tail.rows))
    }

    /// Calls a function with the row of every article among sorted numbers.
    pub(super) fn find(&self, numbers: &[i64], mut found: impl FnMut(usize, &TableRow)) {
        join(&self.base.rows, numbers, |row, article| {
            if !self.gone.contains(row) {
                found(row, article);
            }
        });
        join(&self.tail.rows, numbers, |row, article| found(self.base.rows.len() + row, article));
    }

    /// Calls a function with all articles of stories; `place_of` says at which place of the caller a story is.
    pub(super) fn each_member(
        &self,
        stories: &[u32],
        place_of: impl Fn(u32) -> Option<usize>,
        mut found: impl FnMut(usize, &TableRow),
    ) {
        for (at, &story) in stories.iter().enumerate().filter(|(_, story)| (**story as usize) < self.base.stories.len())
        {
            for &row in self.base.members(story as usize) {
                if !self.gone.contains(row as usize) {
                    found(at, &self.base.rows[row as usize]);
                }
            }
        }
        for row in &self.tail.rows {
            if let Some(at) = place_of(row.story) {
                found(at, row);
            }
        }
    }
}

/// Calls a function with every row whose number is among sorted numbers, in O(numbers × log(rows / numbers)).
fn join<'a>(rows: &'a [TableRow], numbers: &[i64], mut found: impl FnMut(usize, &'a TableRow)) {
    let mut at = 0;
    for &number in numbers {
        let rest = &rows[at..];
        let mut end = 1;
        while end < rest.len() && rest[end - 1].number < number {
            end *= 2;
        }
        at += rest[..end.min(rest.len())].partition_point(|row| row.number < number);
        match rows.get(at) {
            None => return,
            Some(row) if row.number == number => {
                found(at, row);
                at += 1; // a number that is repeated is found once
            }
            Some(_) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(number: i64) -> TableRow {
        TableRow::new(number, number, 10 * number, 1, [1, 1, 1])
    }

    fn stories(table: &ArticleTable) -> Vec<(i64, i64)> {
        let mut found: Vec<_> = table.live().map(|(_, row)| (row.number, table.story_number(row.story))).collect();
        found.sort_unstable();
        found
    }

    #[test]
    fn a_change_leaves_the_version_before_it_as_it_was() {
        let before = ArticleTable::new((1..=9).map(|number| (row(number), number % 3)).collect());
        let revision = TableRow { number: 11, ..row(4) };
        let after = before.changed(&[2, 77], vec![(row(10), 50), (revision, 1), (row(9), 2)]);
        assert_eq!(stories(&before).len(), 9);
        assert_eq!(stories(&after), [(1, 1), (3, 0), (5, 2), (6, 0), (7, 1), (8, 2), (9, 2), (10, 50), (11, 1)]);
        assert_eq!((before.len(), after.len(), before.last(), after.last()), (9, 9, 9, 11));
        let mut members = after.members(&[1, 50, 3]);
        members.sort_unstable();
        assert_eq!(members, [1, 7, 10, 11]);
        let again = after.changed(&[11, 10], vec![(row(11), 50)]);
        assert_eq!(stories(&again), [(1, 1), (3, 0), (5, 2), (6, 0), (7, 1), (8, 2), (9, 2), (11, 50)]);
    }

    #[test]
    fn a_long_tail_is_merged_into_the_base() {
        let (mut table, end) = (ArticleTable::new(vec![]), 3 * MAX_TAIL_ROWS as i64);
        for number in (1..=end).step_by(64) {
            table =
                table.changed(&[number - 1], (number..number + 64).map(|number| (row(number), number / 2)).collect());
        }
        assert_eq!(table.members(&[end / 2]), [end]);
        assert_eq!((table.len(), table.tail.rows.len() <= MAX_TAIL_ROWS), (end as usize - 191, true));
        assert!(table.live().map(|(_, row)| row.number).is_sorted());
    }

    #[test]
    fn numbers_are_joined_with_rows() {
        let rows: Vec<TableRow> = (0..200).map(|number| row(3 * number)).collect();
        for step in [1, 2, 7, 50, 600] {
            let numbers: Vec<i64> = (-5..610).step_by(step).collect();
            let mut found = vec![];
            join(&rows, &numbers, |at, row| found.push((at, row.number)));
            let wanted: Vec<_> = numbers.iter().filter(|n| **n % 3 == 0 && (0..600).contains(*n)).copied().collect();
            assert_eq!(found, wanted.iter().map(|n| ((n / 3) as usize, *n)).collect::<Vec<_>>());
        }
    }
}
