//! A search over an article table: filters the matching articles, collapses them to stories, ranks the stories, counts
//! facets, and describes the stories of a page. O(matching articles + stories), without a lock.

use std::cmp::Reverse;

use super::article_table::{ArticleTable, TableRow, FACETS, SOURCE};
use crate::engine::rank::{RankKey, Representative};

/// Ends a list of rows.
const NONE: u32 = u32::MAX;

/// Where a story ranks: by score, then time, then number, each descending.
pub type Rank = (i64, i64, i64);

/// The articles that a search considers; numbers are sorted.
#[derive(Default)]
pub struct ArticleFilter {
    /// Numbers of articles; None: all.
    pub matching: Option<Vec<i64>>,
    /// Numbers of articles that do not match.
    pub excluded: Vec<i64>,
    /// Only articles that first arrived up to this number.
    pub bound: i64,
    /// By facet, whether a code is wanted; None: any. Codes beyond the end are not.
    pub wanted: [Option<Vec<bool>>; FACETS],
}

/// What a page of stories shows.
pub struct StoryQuery {
    pub filter: ArticleFilter,
    /// Numbers of articles, sorted, and the points that they score.
    pub points: Vec<(Vec<i64>, u16)>,
    /// Whether stories are ranked by score before time.
    pub by_score: bool,
    /// Only stories that rank below this one.
    pub after: Option<Rank>,
    pub limit: usize,
    /// Which of the matching articles represents a story.
    pub representative: Representative,
    /// Whether the articles with the highest score come before others as representatives, after the preferred sources.
    pub best_first: bool,
    /// By code of a source, its place in the order of preference; codes beyond the end come last.
    pub preferences: Vec<u32>,
}

/// A story of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RankedStory {
    pub rank: Rank,
    /// The numbers of its matching articles that rank first as representatives, sorted; the one with the first id is
    /// selected by the caller, since the table has no ids.
    pub representatives: Vec<i64>,
    /// How many of its articles match.
    pub matching: usize,
    pub articles: usize,
    pub sources: usize,
    pub first: i64,
    pub last: i64,
}

/// A page of stories, and counts over all stories with a matching article.
#[derive(Debug)]
pub struct StoryRanking {
    pub stories: Vec<RankedStory>,
    /// Whether others rank below the page.
    pub has_more: bool,
    pub total_stories: usize,
    pub total_articles: usize,
    /// Codes with the number of stories, by facet.
    pub facets: [Vec<(u32, u32)>; FACETS],
}

/// Calls a function with every article that passes a filter, and the number of its row.
fn each_passing(table: &ArticleTable, filter: &ArticleFilter, mut each: impl FnMut(usize, &TableRow)) {
    let mut is_excluded = vec![false; if filter.excluded.is_empty() { 0 } else { table.row_places() }];
    if !is_excluded.is_empty() {
        table.find(&filter.excluded, |row, _| is_excluded[row] = true);
    }
    let wanted: Vec<(usize, &[bool])> =
        filter.wanted.iter().enumerate().filter_map(|(facet, codes)| Some((facet, codes.as_deref()?))).collect();
    let mut take = |row: usize, article: &TableRow| {
        let is_wanted = |(facet, codes): &(usize, &[bool])| codes.get(article.codes[*facet] as usize) == Some(&true);
        if article.came <= filter.bound && wanted.iter().all(is_wanted) && (is_excluded.is_empty() || !is_excluded[row])
        {
            each(row, article);
        }
    };
    match &filter.matching {
        Some(numbers) => table.find(numbers, take),
        None => table.live().for_each(|(row, article)| take(row, article)),
    }
}

/// The numbers of the newest articles that pass a filter, newest first.
pub fn newest(table: &ArticleTable, filter: &ArticleFilter, limit: usize) -> Vec<i64> {
    let mut found: Vec<(i64, i64)> = vec![];
    each_passing(table, filter, |_, article| found.push((article.time, article.number)));
    if limit > 0 && found.len() > limit {
        found.select_nth_unstable_by(limit - 1, |one, other| other.cmp(one));
    }
    found.truncate(limit);
    found.sort_unstable_by(|one, other| other.cmp(one));
    found.into_iter().map(|(_, number)| number).collect()
}

/// The number of stories with an article that passes a filter, for each of some lists of sorted numbers of articles.
pub fn count_stories(table: &ArticleTable, filter: &ArticleFilter, lists: &[Vec<i64>]) -> Vec<u32> {
    let mut passes = vec![false; table.row_places()];
    each_passing(table, filter, |row, _| passes[row] = true);
    // by place of a story, the last list in which it was found
    let mut last = vec![NONE; table.story_places()];
    let count = |(list, numbers): (u32, &Vec<i64>)| {
        let mut count = 0;
        table.find(numbers, |row, article| {
            if passes[row] && std::mem::replace(&mut last[article.story as usize], list) != list {
                count += 1;
            }
        });
        count
    };
    (0..).zip(lists).map(count).collect()
}

/// The stories of matching articles, and the number of stories of every code of the facets.
///
/// Most stories have one matching article: it is counted when it is added. The rows of others are linked, and counted
/// story by story at the end, since a story counts once for every code.
struct MatchingStories {
    /// By place of a story in the table, its position in `stories`.
    positions: Vec<u32>,
    stories: Vec<StoryRows>,
    /// The second and later rows of stories.
    links: Vec<RowLink>,
    counts: [Vec<u32>; FACETS],
}

/// The matching rows of a story, and the score and time that rank it.
struct StoryRows {
    story: u32,
    first: u32,
    /// The codes of the first row: reading it again would wait for the memory.
    codes: [u32; FACETS],
    /// The position of the last link.
    last: u32,
    best: (i64, i64),
}

/// A row of a story, with its codes, and the position of the link before it.
struct RowLink {
    row: u32,
    codes: [u32; FACETS],
    before: u32,
}

impl MatchingStories {
    /// Has room for so many articles.
    fn new(table: &ArticleTable, articles: usize) -> Self {
        let positions = vec![NONE; table.story_places()];
        let stories = Vec::with_capacity(articles.min(positions.len()));
        MatchingStories { positions, stories, links: vec![], counts: Default::default() }
    }

    fn add(&mut self, row: u32, article: &TableRow, score: i64) {
        let (position, best) = (self.positions[article.story as usize], (score, article.time));
        if let Some(story) = self.stories.get_mut(position as usize) {
            story.best = story.best.max(best);
            self.links.push(RowLink { row, codes: article.codes, before: story.last });
            story.last = (self.links.len() - 1) as u32;
            return;
        }
        self.positions[article.story as usize] = self.stories.len() as u32;
        self.stories.push(StoryRows { story: article.story, first: row, codes: article.codes, last: NONE, best });
        for (counts, code) in self.counts.iter_mut().zip(article.codes) {
            increment(counts, code);
        }
    }
}

/// Counts the linked rows of stories: each story once for every code.
struct LinkedCounter<'a> {
    counts: &'a mut [Vec<u32>; FACETS],
    /// By facet and code, the last story in which the code was found.
    last: [Vec<u32>; FACETS],
}

impl<'a> LinkedCounter<'a> {
    fn new(counts: &'a mut [Vec<u32>; FACETS]) -> Self {
        let last = counts.each_ref().map(|counts| vec![NONE; counts.len()]);
        LinkedCounter { counts, last }
    }

    fn add(&mut self, story: &StoryRows, all: &[RowLink]) {
        for (facet, code) in story.codes.into_iter().enumerate() {
            self.is_new(facet, code, story.story); // it is counted already
        }
        for link in links(all, story.last) {
            for (facet, code) in link.codes.into_iter().enumerate() {
                if self.is_new(facet, code, story.story) {
                    increment(&mut self.counts[facet], code);
                }
            }
        }
    }

    /// Notes that a story has a code; returns whether that is new.
    fn is_new(&mut self, facet: usize, code: u32, story: u32) -> bool {
        let (last, code) = (&mut self.last[facet], code as usize);
        if last.len() <= code {
            last.resize(code + 1, NONE);
        }
        std::mem::replace(&mut last[code], story) != story
    }
}

/// A link and those before it.
fn links(links: &[RowLink], last: u32) -> impl Iterator<Item = &RowLink> {
    std::iter::successors(links.get(last as usize), |link| links.get(link.before as usize))
}

fn increment(counts: &mut Vec<u32>, code: u32) {
    let code = code as usize;
    if counts.len() <= code {
        counts.resize(code + 1, 0);
    }
    counts[code] += 1;
}

/// Codes with their counts, if above 0.
fn counted(counts: Vec<u32>) -> Vec<(u32, u32)> {
    (0..).zip(counts).filter(|(_, count)| *count > 0).collect()
}

/// Keeps the highest ranks; their number is bounded by twice the limit.
struct HighestRanks {
    ranks: Vec<(Rank, u32)>,
    limit: usize,
    lowest: Option<(Rank, u32)>,
}

impl HighestRanks {
    fn new(limit: usize) -> Self {
        HighestRanks { ranks: vec![], limit, lowest: None }
    }

    fn add(&mut self, rank: (Rank, u32)) {
        if self.lowest.is_none_or(|lowest| rank > lowest) {
            self.ranks.push(rank);
            if self.ranks.len() >= 2 * self.limit {
                self.ranks.select_nth_unstable_by(self.limit - 1, |one, other| other.cmp(one));
                self.ranks.truncate(self.limit);
                self.lowest = self.ranks.last().copied();
            }
        }
    }

    fn sorted(mut self) -> Vec<(Rank, u32)> {
        self.ranks.sort_unstable_by(|one, other| other.cmp(one));
        self.ranks.truncate(self.limit);
        self.ranks
    }
}

/// Searches the table for a page of stories.
pub fn search(table: &ArticleTable, query: &StoryQuery) -> StoryRanking {
    let mut scores = vec![0u16; if query.points.is_empty() { 0 } else { table.row_places() }];
    for (numbers, points) in &query.points {
        table.find(numbers, |row, _| scores[row] = scores[row].saturating_add(*points));
    }
    let score = |row: usize| i64::from(scores.get(row).copied().unwrap_or(0));
    let most = query.filter.matching.as_ref().map_or(table.len(), Vec::len);
    let mut found = MatchingStories::new(table, most);
    each_passing(table, &query.filter, |row, article| {
        found.add(row as u32, article, if query.by_score { score(row) } else { 0 });
    });
    let mut highest = HighestRanks::new(query.limit + 1);
    let MatchingStories { stories, links, counts, .. } = &mut found;
    let mut linked = LinkedCounter::new(counts);
    for (story, position) in stories.iter().zip(0..) {
        if story.last != NONE {
            linked.add(story, links);
        }
        let rank = (story.best.0, story.best.1, table.story_number(story.story));
        if query.after.is_none_or(|after| rank < after) {
            highest.add((rank, position));
        }
    }
    let mut page = highest.sorted();
    let has_more = page.len() > query.limit;
    page.truncate(query.limit);
    StoryRanking {
        stories: describe(table, query, &found, &page, score),
        has_more,
        total_stories: found.stories.len(),
        total_articles: found.stories.len() + found.links.len(),
        facets: found.counts.map(counted),
    }
}

/// The stories of a page with all that is shown of them.
fn describe(
    table: &ArticleTable,
    query: &StoryQuery,
    found: &MatchingStories,
    page: &[(Rank, u32)],
    score: impl Fn(usize) -> i64,
) -> Vec<RankedStory> {
    let on_page: Vec<&StoryRows> = page.iter().map(|(_, position)| &found.stories[*position as usize]).collect();
    let stories: Vec<u32> = on_page.iter().map(|story| story.story).collect();
    let mut place = vec![NONE; table.story_places()];
    for (&story, at) in stories.iter().zip(0..) {
        place[story as usize] = at;
    }
    let begin = |((rank, _), story): (&(Rank, u32), &&StoryRows)| {
        let others = links(&found.links, story.last).map(|link| link.row);
        begin(table, query, std::iter::once(story.first).chain(others), *rank, &score)
    };
    let mut out: Vec<RankedStory> = page.iter().zip(&on_page).map(begin).collect();
    let mut sources: Vec<Vec<u32>> = vec![vec![]; page.len()];
    let place_of = |story: u32| Some(place[story as usize]).filter(|at| *at != NONE).map(|at| at as usize);
    table.each_member(&stories, place_of, |at, article| {
        let story = &mut out[at];
        story.articles += 1;
        story.first = story.first.min(article.time);
        story.last = story.last.max(article.time);
        if article.codes[SOURCE] != 0 {
            sources[at].push(article.codes[SOURCE]);
        }
    });
    for (story, mut codes) in out.iter_mut().zip(sources) {
        codes.sort_unstable();
        codes.dedup();
        story.sources = codes.len();
    }
    out
}

/// A story with its matching articles counted and represented.
fn begin(
    table: &ArticleTable,
    query: &StoryQuery,
    rows: impl Iterator<Item = u32>,
    rank: Rank,
    score: impl Fn(usize) -> i64,
) -> RankedStory {
    let key = |row: u32| {
        let article = table.row(row as usize);
        let place = query.preferences.get(article.codes[SOURCE] as usize).copied().unwrap_or(NONE) as usize;
        let score = if query.best_first { score(row as usize) } else { 0 };
        let rank = RankKey { place, words: article.words, published: article.time, id: "" }.rank(query.representative);
        ((place, Reverse(score), rank), article.number)
    };
    let (mut matching, mut first_key, mut representatives) = (0, None, vec![]);
    for (key, number) in rows.map(key) {
        matching += 1;
        if first_key.is_none_or(|first| key < first) {
            first_key = Some(key);
            representatives.clear();
        }
        if first_key == Some(key) {
            representatives.push(number);
        }
    }
    representatives.sort_unstable();
    let (first, last) = (i64::MAX, i64::MIN);
    RankedStory { rank, representatives, matching, articles: 0, sources: 0, first, last }
}
