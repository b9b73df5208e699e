//! A page as it was served: its markup, its blocks, and the features of its blocks.

use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyList, PyTuple};
use samestory_core::html::content::listed;
use samestory_core::html::content::model::Features;
use samestory_core::html::{page_blocks, page_text, BlockOptions, ExtractionMethod, Extractor, Flags, NotAPage};

use crate::blocks::Values;
use crate::entities::Recogniser;
use crate::errors::{error, unknown, Class};
use crate::head::{row, Row};

/// A page: its bytes, the charset of its header, the top-level domain of its host.
#[pyclass(module = "samestory._core.html", frozen)]
pub struct Page {
    pub raw: PyBackedBytes,
    pub charset: Option<String>,
    pub tld: Option<String>,
}

/// The characters of a page.
#[pyclass(module = "samestory._core.html", frozen, get_all)]
pub struct Markup {
    encoding: &'static str,
    flags: Vec<&'static str>,
    text: String,
}

/// The blocks of a page.
#[pyclass(module = "samestory._core.html", frozen, get_all)]
pub struct Blocks {
    encoding: &'static str,
    title: String,
    flags: Vec<&'static str>,
    /// Text, tokens, tokens in links, tokens in each class of the gold annotation, inline tags, border before, border
    /// after, element, paragraph, inside.
    blocks: Py<PyList>,
    /// Parent or -1, tag, words.
    elements: Py<PyList>,
    head: Py<PyTuple>,
}

#[pymethods]
impl Page {
    #[new]
    #[pyo3(signature = (raw, charset=None, tld=None))]
    fn new(raw: PyBackedBytes, charset: Option<String>, tld: Option<String>) -> Self {
        Page { raw, charset, tld }
    }

    /// The page as characters; NotAPage if it is none.
    #[getter]
    fn markup(&self, py: Python<'_>) -> PyResult<Markup> {
        let decoded = py.detach(|| page_text(&self.raw, self.charset(), self.tld())).map_err(no_page)?;
        let flags = Flags { guessed: decoded.guessed, malformed: decoded.malformed, ..Flags::default() };
        Ok(Markup { encoding: decoded.encoding.name(), flags: flag_names(flags), text: decoded.text })
    }

    /// The blocks of the page; NotAPage if it is none.
    #[pyo3(signature = (inline_extra=vec![], mute=vec![]))]
    fn blocks(&self, py: Python<'_>, inline_extra: Vec<String>, mute: Vec<String>) -> PyResult<Blocks> {
        let options = BlockOptions { inline_extra, mute };
        let found = py.detach(|| page_blocks(&self.raw, self.charset(), self.tld(), &options));
        let mut found = found.map_err(no_page)?;
        let head: Row = row(std::mem::take(&mut found.head));
        let values = Values::new(py, &found)?;
        Ok(Blocks {
            encoding: found.encoding,
            flags: flag_names(found.flags),
            blocks: values.blocks(py)?.unbind(),
            elements: values.elements(py)?.unbind(),
            head: head.into_pyobject(py)?.unbind(),
            title: found.title,
        })
    }

    /// The features of every block, by the name of the set: `words`, `all` or `all entities`; for the last, `names`
    /// recognises names. `first` are the probabilities of a first model for every block.
    #[pyo3(signature = (features, first=None, names=None))]
    fn features(
        &self,
        py: Python<'_>,
        features: &str,
        first: Option<Vec<f32>>,
        names: Option<&Recogniser>,
    ) -> PyResult<Vec<Vec<String>>> {
        let all = ["words", "all", "all entities"];
        let which = Features::named(features).ok_or_else(|| unknown("set of features", features, &all))?;
        let reader = Extractor::new(ExtractionMethod::Heuristic, 0);
        let blocks = py.detach(|| reader.blocks(&self.raw, self.charset(), self.tld())).map_err(no_page)?;
        if let Some(first) = first.as_ref().filter(|first| first.len() != blocks.blocks.len()) {
            let (expected, got) = (blocks.blocks.len(), first.len());
            return Err(error(Class::Parameter, format!("first: expected {expected} probabilities, got {got}")));
        }
        let names = names.map(|names| names.inner.clone());
        Ok(py.detach(|| listed(which, names.as_deref(), first.as_deref(), &blocks)))
    }
}

impl Page {
    pub fn charset(&self) -> Option<&str> {
        self.charset.as_deref()
    }

    pub fn tld(&self) -> Option<&str> {
        self.tld.as_deref()
    }
}

/// The exception for input that is no page.
pub fn no_page(why: NotAPage) -> PyErr {
    error(Class::NotAPage, why.0)
}

/// What is unusual about a page, by name.
pub fn flag_names(flags: Flags) -> Vec<&'static str> {
    let named =
        [("frames", flags.frames), ("deep", flags.deep), ("guessed", flags.guessed), ("malformed", flags.malformed)];
    named.into_iter().filter_map(|(name, is)| is.then_some(name)).collect()
}
