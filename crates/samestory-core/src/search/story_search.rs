//! A search over an article table: filters the matching articles, collapses them to stories, ranks the stories, counts
//! facets, and describes the stories of a page. O(matching articles + stories), without a lock.

use super::article_table::{ArticleTable, TableRow, FACETS, SOURCE};

/// Ends a list of rows.
const NONE: u32 = u32::MAX;

/// Which of the matching articles represents a story.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    Longest,
    Earliest,
    Latest,
    Best,
}

impl Choice {
    pub const ALL: [(&'static str, Choice); 4] = [
        ("longest", Choice::Longest),
        ("earliest", Choice::Earliest),
        ("latest", Choice::Latest),
        ("best", Choice::Best),
    ];
}

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
    pub choice: Choice,
    /// By code of a source, its place in the order of preference; codes beyond the end come last.
    pub preferences: Vec<u32>,
}

/// A story of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RankedStory {
    pub rank: Rank,
    /// The number of the article that represents it, and its time.
    pub representative: (i64, i64),
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

/// The rows of the articles that pass a filter.
fn rows(table: &ArticleTable, filter: &ArticleFilter) -> Vec<u32> {
    let mut is_excluded = vec![false; if filter.excluded.is_empty() { 0 } else { table.row_places() }];
    if !is_excluded.is_empty() {
        table.find(&filter.excluded, |row, _| is_excluded[row] = true);
    }
    let wanted: Vec<(usize, &[bool])> =
        filter.wanted.iter().enumerate().filter_map(|(facet, codes)| Some((facet, codes.as_deref()?))).collect();
    let mut out = vec![];
    let mut take = |row: usize, article: &TableRow| {
        let is_wanted = |(facet, codes): &(usize, &[bool])| codes.get(article.codes[*facet] as usize) == Some(&true);
        if article.came <= filter.bound && wanted.iter().all(is_wanted) && (is_excluded.is_empty() || !is_excluded[row])
        {
            out.push(row as u32);
        }
    };
    match &filter.matching {
        Some(numbers) => table.find(numbers, take),
        None => table.live().for_each(|(row, article)| take(row, article)),
    }
    out
}

/// The numbers of the newest articles that pass a filter, newest first.
pub fn newest(table: &ArticleTable, filter: &ArticleFilter, limit: usize) -> Vec<i64> {
    let mut found: Vec<(i64, i64)> = rows(table, filter)
        .into_iter()
        .map(|row| table.row(row as usize))
        .map(|article| (article.time, article.number))
        .collect();
    if limit > 0 && found.len() > limit {
        found.select_nth_unstable_by(limit - 1, |one, other| other.cmp(one));
    }
    found.truncate(limit);
    found.sort_unstable_by(|one, other| other.cmp(one));
    found.into_iter().map(|(_, number)| number).collect()
}

/// Matching rows linked by story: every story has the last of its rows, every row the one before it.
struct RowsByStory<'a> {
    rows: &'a [u32],
    /// By place of a story, the position in `rows` of its last one.
    last: Vec<u32>,
    /// By position in `rows`, the position of the one before it.
    before: Vec<u32>,
    /// Places of the stories that have rows.
    stories: Vec<u32>,
}

impl<'a> RowsByStory<'a> {
    fn new(table: &ArticleTable, rows: &'a [u32]) -> Self {
        let mut last = vec![NONE; table.story_places()];
        let (mut before, mut stories) = (Vec::with_capacity(rows.len()), vec![]);
        for (at, &row) in rows.iter().enumerate() {
            let story = table.row(row as usize).story;
            let own = &mut last[story as usize];
            if *own == NONE {
                stories.push(story);
            }
            before.push(*own);
            *own = at as u32;
        }
        RowsByStory { rows, last, before, stories }
    }

    fn of(&self, story: u32) -> impl Iterator<Item = usize> + '_ {
        let mut at = self.last[story as usize];
        std::iter::from_fn(move || {
            let row = *self.rows.get(at as usize)?;
            at = self.before[at as usize];
            Some(row as usize)
        })
    }
}

/// Counts the stories of every code of a facet.
#[derive(Default)]
struct FacetCounter {
    /// By code: the last story that was counted, and the number of stories.
    counts: Vec<(u32, u32)>,
}

impl FacetCounter {
    fn add(&mut self, code: u32, story: u32) {
        let code = code as usize;
        if code >= self.counts.len() {
            self.counts.resize(code + 1, (NONE, 0));
        }
        let (counted, count) = &mut self.counts[code];
        *count += u32::from(*counted != story);
        *counted = story;
    }

    fn finish(self) -> Vec<(u32, u32)> {
        let counted = self.counts.into_iter().zip(0..).filter(|((_, count), _)| *count > 0);
        counted.map(|((_, count), code)| (code, count)).collect()
    }
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
    let rows = rows(table, &query.filter);
    let mut scores = vec![0u16; if query.points.is_empty() { 0 } else { table.row_places() }];
    for (numbers, points) in &query.points {
        table.find(numbers, |row, _| scores[row] = scores[row].saturating_add(*points));
    }
    let score = |row: usize| i64::from(scores.get(row).copied().unwrap_or(0));
    let found = RowsByStory::new(table, &rows);
    let mut highest = HighestRanks::new(query.limit + 1);
    let mut counters: [FacetCounter; FACETS] = Default::default();
    for &story in &found.stories {
        let mut best = (0, i64::MIN);
        for row in found.of(story) {
            let article = table.row(row);
            best = best.max((if query.by_score { score(row) } else { 0 }, article.time));
            for (counter, code) in counters.iter_mut().zip(article.codes) {
                counter.add(code, story);
            }
        }
        let rank = (best.0, best.1, table.story_number(story));
        if query.after.is_none_or(|after| rank < after) {
            highest.add((rank, story));
        }
    }
    let mut page = highest.sorted();
    let has_more = page.len() > query.limit;
    page.truncate(query.limit);
    StoryRanking {
        stories: describe(table, query, &found, &page, score),
        has_more,
        total_stories: found.stories.len(),
        total_articles: rows.len(),
        facets: counters.map(FacetCounter::finish),
    }
}

/// The stories of a page with all that is shown of them.
fn describe(
    table: &ArticleTable,
    query: &StoryQuery,
    found: &RowsByStory<'_>,
    page: &[(Rank, u32)],
    score: impl Fn(usize) -> i64,
) -> Vec<RankedStory> {
    let stories: Vec<u32> = page.iter().map(|(_, story)| *story).collect();
    let mut place = vec![NONE; table.story_places()];
    for (&story, at) in stories.iter().zip(0..) {
        place[story as usize] = at;
    }
    let mut out: Vec<RankedStory> =
        page.iter().map(|(rank, story)| begin(table, query, found.of(*story), *rank, &score)).collect();
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
    rows: impl Iterator<Item = usize>,
    rank: Rank,
    score: impl Fn(usize) -> i64,
) -> RankedStory {
    // ties go to the earliest article
    let key = |row: usize| {
        let article = table.row(row);
        let preference = query.preferences.get(article.codes[SOURCE] as usize).copied().unwrap_or(NONE);
        let (words, time) = (-i64::from(article.words), article.time);
        let own = match query.choice {
            Choice::Longest => (words, 0),
            Choice::Earliest => (0, 0),
            Choice::Latest => (time.saturating_neg(), 0),
            Choice::Best => (-score(row), words),
        };
        (preference, own, time, article.number)
    };
    let mut matching = 0;
    let best = rows.inspect(|_| matching += 1).map(key).min().expect("a story of the page has a matching article");
    let (first, last) = (i64::MAX, i64::MIN);
    RankedStory { rank, representative: (best.3, best.2), matching, articles: 0, sources: 0, first, last }
}
