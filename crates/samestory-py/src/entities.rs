//! `_core.Recogniser`: names of persons, places and organisations.

use std::collections::HashMap;
use std::sync::Arc;

use pyo3::prelude::*;
use samestory_core::detectors::Article;
use samestory_core::entities::{Class as Kind, Pack, Recogniser as Core};
use samestory_core::text::languages::is_turkish_case;
use samestory_core::text::prepare::Characters;
use samestory_core::text::tokens::tokenise;

use crate::errors::{error, Class};

#[pyclass(module = "samestory._core.html", frozen)]
pub struct Recogniser {
    pub inner: Arc<Core>,
}

type PackRow = (String, bool, HashMap<String, Vec<String>>);
type Name = (usize, usize, String);

/// Start, end, class, rule or list, start and end of the rule's cue; offsets count characters.
type EntityRow = (u32, u32, &'static str, &'static str, u32, u32);

#[pymethods]
impl Recogniser {
    /// Built from packs: language, whether it is read literally, and its lists by name. Or a recogniser of `given` names
    /// in given texts only: start, end and class; offsets count characters.
    #[new]
    #[pyo3(signature = (packs, given = vec![]))]
    fn new(py: Python<'_>, packs: Vec<PackRow>, given: Vec<(String, Vec<Name>)>) -> PyResult<Self> {
        let made = if packs.is_empty() { from_names(given) } else { py.detach(|| from_packs(packs)) };
        Ok(Recogniser { inner: Arc::new(made?) })
    }

    /// The names in every text, in order.
    fn recognise(&self, py: Python<'_>, texts: Vec<String>, languages: Vec<String>) -> Vec<Vec<EntityRow>> {
        py.detach(|| {
            let mut tokens = vec![];
            let rows = texts.iter().zip(&languages).map(|(text, language)| {
                tokens.clear();
                tokenise(text, is_turkish_case(language), |token| tokens.push(token));
                let article = Article { tokens: &tokens, text, language, ..Article::default() };
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

fn from_packs(packs: Vec<PackRow>) -> PyResult<Core> {
    let made = packs.into_iter().map(|(language, literal, lists)| {
        let mut pack = Pack::new(&language, literal);
        for (name, entries) in &lists {
            if !pack.add(name, entries.iter().map(String::as_str)) {
                return Err(error(Class::Parameter, format!("no list of names is called {name:?}")));
            }
        }
        Ok((language, pack))
    });
    Ok(Core::new(made.collect::<PyResult<Vec<_>>>()?))
}

fn from_names(given: Vec<(String, Vec<Name>)>) -> PyResult<Core> {
    let mut rows = vec![];
    for (text, names) in &given {
        let bytes: Vec<usize> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
        let place = |(start, end, class): &Name| {
            let class = Kind::ALL.into_iter().find(|known| known.name() == class);
            match (bytes.get(*start), bytes.get(*end), class) {
                (Some(&start), Some(&end), Some(class)) => Ok((start, end, class)),
                _ => Err(error(Class::Parameter, "a name needs two places in its text and a known class")),
            }
        };
        rows.push((text.as_str(), names.iter().map(place).collect::<PyResult<Vec<_>>>()?));
    }
    Ok(Core::given(rows))
}
