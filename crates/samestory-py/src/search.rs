//! `_core.search.ArticleTable`: the articles of an archive in columns, and searches over them.

use pyo3::buffer::PyBuffer;
use pyo3::prelude::*;
use samestory_core::engine::rank::Representative;
use samestory_core::search::article_table::{ArticleTable as Table, TableRow, FACETS};
use samestory_core::search::story_search::{
    count_stories, newest, search, ArticleFilter, Rank, RankedStory, StoryQuery, StoryRanking as Ranking,
};

use crate::columns::{check_lengths, invalid, Column, Number};
use crate::results::representative_of;

/// Numbers, stories, first numbers, times and words of articles, and a code for every facet: 64-bit integers each.
type ArticleColumns<'py> = Vec<Bound<'py, PyAny>>;
/// Matching numbers (None: all), excluded numbers, the last number that arrived, and by facet a byte for every code.
type Filter<'py> = (Option<Bound<'py, PyAny>>, Option<Bound<'py, PyAny>>, i64, [Option<Vec<u8>>; FACETS]);

/// One version of the articles of an archive.
#[pyclass(module = "samestory._core.search", frozen)]
pub struct ArticleTable {
    table: Table,
}

/// A page of stories, and counts over all that match.
#[pyclass(module = "samestory._core.search", frozen)]
pub struct StoryRanking {
    ranking: Ranking,
}

impl StoryRanking {
    fn column<T: Number>(&self, py: Python<'_>, value: impl Fn(&RankedStory) -> T) -> PyResult<Py<Column>> {
        Column::new(py, self.ranking.stories.iter().map(value))
    }
}

#[pymethods]
impl StoryRanking {
    #[getter]
    fn numbers(&self, py: Python<'_>) -> PyResult<Py<Column>> {
        self.column(py, |story| story.rank.2)
    }

    #[getter]
    fn scores(&self, py: Python<'_>) -> PyResult<Py<Column>> {
        self.column(py, |story| story.rank.0)
    }

    /// The times that the stories are ranked by.
    #[getter]
    fn times(&self, py: Python<'_>) -> PyResult<Py<Column>> {
        self.column(py, |story| story.rank.1)
    }

    /// By story, the numbers of the articles that rank first as representatives; the one with the first id represents it.
    #[getter]
    fn representatives(&self) -> Vec<Vec<i64>> {
        self.ranking.stories.iter().map(|story| story.representatives.clone()).collect()
    }

    /// How many of their articles match.
    #[getter]
    fn matching(&self, py: Python<'_>) -> PyResult<Py<Column>> {
        self.column(py, |story| story.matching as i64)
    }

    #[getter]
    fn articles(&self, py: Python<'_>) -> PyResult<Py<Column>> {
        self.column(py, |story| story.articles as i64)
    }

    #[getter]
    fn sources(&self, py: Python<'_>) -> PyResult<Py<Column>> {
        self.column(py, |story| story.sources as i64)
    }

    #[getter]
    fn first(&self, py: Python<'_>) -> PyResult<Py<Column>> {
        self.column(py, |story| story.first)
    }

    #[getter]
    fn last(&self, py: Python<'_>) -> PyResult<Py<Column>> {
        self.column(py, |story| story.last)
    }

    #[getter]
    fn has_more(&self) -> bool {
        self.ranking.has_more
    }

    #[getter]
    fn total_stories(&self) -> usize {
        self.ranking.total_stories
    }

    #[getter]
    fn total_articles(&self) -> usize {
        self.ranking.total_articles
    }

    /// By facet, codes with their number of stories.
    #[getter]
    fn facets(&self) -> Vec<Vec<(u32, u32)>> {
        self.ranking.facets.to_vec()
    }
}

#[pymethods]
impl ArticleTable {
    #[new]
    fn new(py: Python<'_>, columns: ArticleColumns<'_>) -> PyResult<Self> {
        let articles = articles(py, &columns)?;
        Ok(ArticleTable { table: py.detach(|| Table::new(articles)) })
    }

    /// The table without the articles of these numbers and with others, which replace their earlier versions.
    fn changed(&self, py: Python<'_>, without: Bound<'_, PyAny>, columns: ArticleColumns<'_>) -> PyResult<Self> {
        let (without, articles) = (integers(py, &without)?, articles(py, &columns)?);
        Ok(ArticleTable { table: py.detach(|| self.table.changed(&without, articles)) })
    }

    /// The numbers of the articles of these stories.
    fn members(&self, py: Python<'_>, stories: Vec<i64>) -> PyResult<Py<Column>> {
        Column::new(py, py.detach(|| self.table.members(&stories)))
    }

    /// The highest number of an article; 0 without articles.
    #[getter]
    fn last(&self) -> i64 {
        self.table.last()
    }

    fn __len__(&self) -> usize {
        self.table.len()
    }

    /// The numbers of the newest articles that pass a filter, newest first.
    fn newest(&self, py: Python<'_>, filter: Filter<'_>, limit: usize) -> PyResult<Vec<i64>> {
        let filter = filtered(py, filter)?;
        Ok(py.detach(|| newest(&self.table, &filter, limit)))
    }

    /// The number of stories with an article that passes a filter, for each of some lists of sorted numbers of articles.
    fn count_stories(&self, py: Python<'_>, filter: Filter<'_>, lists: Vec<Bound<'_, PyAny>>) -> PyResult<Vec<u32>> {
        let filter = filtered(py, filter)?;
        let lists = lists.iter().map(|numbers| sorted(py, numbers)).collect::<PyResult<Vec<_>>>()?;
        Ok(py.detach(|| count_stories(&self.table, &filter, &lists)))
    }

    /// A page of stories: at most `limit`, of those that rank below `after`. `points`: numbers of articles, and what
    /// they score; `preferences`: the place of every source.
    #[allow(clippy::too_many_arguments)] // a query has as many parts
    fn search(
        &self,
        py: Python<'_>,
        filter: Filter<'_>,
        points: Vec<(Bound<'_, PyAny>, u16)>,
        by_score: bool,
        after: Option<Rank>,
        limit: usize,
        representative: &str,
        preferences: Vec<u32>,
    ) -> PyResult<StoryRanking> {
        let (representative, best_first) = match representative {
            "best" => (Representative::Longest, true),
            name => (representative_of(name)?, false),
        };
        let points =
            points.iter().map(|(numbers, points)| Ok((sorted(py, numbers)?, *points))).collect::<PyResult<_>>()?;
        let filter = filtered(py, filter)?;
        let query = StoryQuery { filter, points, by_score, after, limit, representative, best_first, preferences };
        Ok(StoryRanking { ranking: py.detach(|| search(&self.table, &query)) })
    }
}

/// The numbers of a text in which blanks separate them, as a column.
#[pyfunction]
pub fn parse_numbers(py: Python<'_>, text: &str) -> PyResult<Py<Column>> {
    let numbers: Result<Vec<i64>, _> = py.detach(|| text.split_ascii_whitespace().map(str::parse).collect());
    Column::new(py, numbers.map_err(|_| invalid("expected numbers"))?)
}

fn integers(py: Python<'_>, numbers: &Bound<'_, PyAny>) -> PyResult<Vec<i64>> {
    PyBuffer::<i64>::get(numbers).map_err(|_| invalid("expected 64-bit integers"))?.to_vec(py)
}

fn sorted(py: Python<'_>, numbers: &Bound<'_, PyAny>) -> PyResult<Vec<i64>> {
    let numbers = integers(py, numbers)?;
    match numbers.is_sorted() {
        true => Ok(numbers),
        false => Err(invalid("expected sorted numbers")),
    }
}

fn filtered(py: Python<'_>, filter: Filter<'_>) -> PyResult<ArticleFilter> {
    let (matching, excluded, bound, wanted) = filter;
    Ok(ArticleFilter {
        matching: matching.map(|numbers| sorted(py, &numbers)).transpose()?,
        excluded: excluded.map(|numbers| sorted(py, &numbers)).transpose()?.unwrap_or_default(),
        bound,
        wanted: wanted.map(|codes| codes.map(|codes| codes.into_iter().map(|byte| byte != 0).collect())),
    })
}

fn articles(py: Python<'_>, columns: &ArticleColumns<'_>) -> PyResult<Vec<(TableRow, i64)>> {
    let columns = columns.iter().map(|column| integers(py, column)).collect::<PyResult<Vec<_>>>()?;
    let [numbers, stories, came, times, words, codes @ ..] = columns.as_slice() else {
        return Err(invalid("expected five columns and one for every facet"));
    };
    let codes: &[Vec<i64>; FACETS] = codes.try_into().map_err(|_| invalid("expected a column for every facet"))?;
    check_lengths(numbers.len(), &columns.iter().map(Vec::len).collect::<Vec<_>>())?;
    let row = |at: usize| {
        let clamped = |number: i64| u32::try_from(number.max(0)).unwrap_or(u32::MAX);
        let mut own = [0; FACETS];
        for (code, column) in own.iter_mut().zip(codes) {
            // a counter has a place for every code
            *code = u32::try_from(column[at]).ok().filter(|code| *code < MAX_CODE).ok_or_else(code_error)?;
        }
        Ok((TableRow::new(numbers[at], came[at], times[at], clamped(words[at]), own), stories[at]))
    };
    (0..numbers.len()).map(row).collect()
}

/// Codes of a facet are below this.
const MAX_CODE: u32 = 1 << 22;

fn code_error() -> PyErr {
    invalid(format!("expected codes from 0 to {}", MAX_CODE - 1))
}
