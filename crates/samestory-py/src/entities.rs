//! `_core.Recogniser`: names of persons, places and organisations.

use std::collections::HashMap;
use std::sync::Arc;

use pyo3::exceptions::{PyKeyError, PyValueError};
use pyo3::prelude::*;
use samestory_core::detectors::entity_shingles::EntityShingles;
use samestory_core::detectors::Article;
use samestory_core::entities::{Class, Pack, Recogniser as Core};
use samestory_core::text::languages::is_turkish_case;
use samestory_core::text::prepare::Characters;
use samestory_core::text::tokens::tokenise;

use crate::detector::{parameters, Given};

#[pyclass(module = "samestory._core", frozen)]
pub struct Recogniser {
    pub inner: Arc<Core>,
}

/// Start, end, class, rule or list, start and end of the rule's cue; offsets count characters.
type EntityRow = (u32, u32, &'static str, &'static str, u32, u32);

#[pymethods]
impl Recogniser {
    /// Built from packs: language, whether it is read literally, and its lists by name.
    #[new]
    fn new(py: Python<'_>, packs: Vec<(String, bool, HashMap<String, Vec<String>>)>) -> PyResult<Self> {
        let packs = py.detach(|| {
            let made = packs.into_iter().map(|(language, literal, lists)| {
                let mut pack = Pack::new(&language, literal);
                for (name, entries) in &lists {
                    if !pack.add(name, entries.iter().map(String::as_str)) {
                        return Err(PyValueError::new_err(format!("no list is called {name:?}")));
                    }
                }
                Ok((language, pack))
            });
            made.collect::<PyResult<Vec<_>>>()
        })?;
        Ok(Recogniser { inner: Arc::new(Core::new(packs)) })
    }

    /// A recogniser of given names in given texts only: start, end and class; offsets count characters.
    #[staticmethod]
    fn given(texts: Vec<String>, names: Vec<Vec<(usize, usize, String)>>) -> PyResult<Self> {
        let mut rows = vec![];
        for (text, names) in texts.iter().zip(names) {
            let bytes: Vec<usize> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
            let place = |(start, end, class): (usize, usize, String)| {
                let class = Class::ALL.into_iter().find(|known| known.name() == class);
                match (bytes.get(start), bytes.get(end), class) {
                    (Some(&start), Some(&end), Some(class)) => Ok((start, end, class)),
                    _ => Err(PyValueError::new_err("a name wants two places in its text and a known class")),
                }
            };
            rows.push((text.as_str(), names.into_iter().map(place).collect::<PyResult<Vec<_>>>()?));
        }
        Ok(Recogniser { inner: Arc::new(Core::given(rows)) })
    }

    /// The names in every text, in order.
    fn recognise(&self, py: Python<'_>, texts: Vec<String>, languages: Vec<String>) -> Vec<Vec<EntityRow>> {
        py.detach(|| {
            let mut tokens = vec![];
            let rows = texts.iter().zip(&languages).map(|(text, language)| {
                tokens.clear();
                tokenise(text, is_turkish_case(language), |token| tokens.push(token));
                let article = Article { words: &[], tokens: &tokens, text, title: "", language, published: 0 };
                let found = self.inner.recognise(&article);
                let mut characters = Characters::new(text);
                let places: Vec<[u32; 2]> = found
                    .words
                    .iter()
                    .map(|word| [word.start, word.base_end].map(|at| characters.before(at)))
                    .collect();
                let span = |words: &std::ops::Range<usize>| match words.is_empty() {
                    true => (0, 0),
                    false => (places[words.start][0], places[words.end - 1][1]),
                };
                let entities = found.entities.iter().map(|entity| {
                    let ((start, end), (from, to)) = (span(&entity.words), span(&entity.cue));
                    (start, end, entity.class.name(), entity.because, from, to)
                });
                entities.collect()
            });
            rows.collect()
        })
    }
}

/// The shingle as it is hashed, its start and end, and those of its name; offsets count characters.
type Shingle = (String, u32, u32, u32, u32);

/// The names of a text with the words around them, the input of `tweezer`.
#[pyfunction]
pub fn entity_shingles(
    parameters: HashMap<String, Given>,
    recogniser: &Bound<'_, Recogniser>,
    text: &str,
    language: &str,
) -> PyResult<Vec<Shingle>> {
    let parameters = self::parameters(parameters, None, Some(recogniser));
    let maker = EntityShingles::of(&parameters).map_err(PyKeyError::new_err)?;
    let mut tokens = vec![];
    tokenise(text, is_turkish_case(language), |token| tokens.push(token));
    let found = maker.shingles(&Article { words: &[], tokens: &tokens, text, title: "", language, published: 0 });
    let mut characters = Characters::new(text);
    let places: Vec<[u32; 2]> =
        found.recognised.words.iter().map(|word| [word.start, word.base_end].map(|at| characters.before(at))).collect();
    let span = |words: &std::ops::Range<usize>| match words.is_empty() {
        true => (0, 0),
        false => (places[words.start][0], places[words.end - 1][1]),
    };
    let rows = found.all.iter().enumerate().map(|(at, (_, words, name))| {
        let ((start, end), (from, to)) = (span(words), span(name));
        (found.text(at).to_owned(), start, end, from, to)
    });
    Ok(rows.collect())
}
