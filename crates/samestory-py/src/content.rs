//! `_core.Extractor`: pages to the text of their content.

use std::panic::{catch_unwind, AssertUnwindSafe};
use std::sync::atomic::{AtomicUsize, Ordering};

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use samestory_core::html::content::listed;
use samestory_core::html::content::model::{Features, Model};
use samestory_core::html::{Extraction, Extractor as Core, Method, NotAPage};

use crate::entities::Recogniser;
use crate::head::{row, Row};
use crate::html::flag_names;

/// A page: its bytes, the charset of its header, the top-level domain of its host.
type Page = (PyBackedBytes, Option<String>, Option<String>);
/// Encoding, title, flags, text, head; or the reason why there is none.
type ExtractionRow = (Option<(&'static str, String, Vec<&'static str>, String, Row)>, Option<String>);

#[pyclass(module = "samestory._core", frozen)]
pub struct Extractor {
    inner: Core,
}

#[pymethods]
impl Extractor {
    #[new]
    #[pyo3(signature = (method, least, model=None, names=None))]
    fn new(method: &str, least: u32, model: Option<&str>, names: Option<&Recogniser>) -> PyResult<Self> {
        let method = match (method, model) {
            ("heuristic", _) => Method::Heuristic,
            ("rules", _) => Method::Rules,
            ("learned", Some(model)) => Method::Learned(Box::new(Model::read(model).map_err(PyValueError::new_err)?)),
            _ => return Err(PyValueError::new_err(format!("no method is called {method:?}"))),
        };
        if names.is_none() && matches!(&method, Method::Learned(model) if model.wants_names()) {
            return Err(PyValueError::new_err("the model weighs names, but nothing is given that tells them"));
        }
        let inner = Core::new(method, least);
        let inner = match names {
            Some(names) => inner.with_names(names.inner.clone()),
            None => inner,
        };
        Ok(Extractor { inner })
    }

    /// The probability of every block of a page that it is content; raises ValueError with the reason if it is not a
    /// page. `known` labels some blocks in advance; with `hidden`, hidden parts of the page are judged like the rest.
    #[pyo3(signature = (raw, charset=None, tld=None, known=vec![], hidden=false))]
    fn label(
        &self,
        py: Python<'_>,
        raw: &[u8],
        charset: Option<&str>,
        tld: Option<&str>,
        known: Vec<(usize, bool)>,
        hidden: bool,
    ) -> PyResult<Vec<f32>> {
        let labels = py.detach(|| {
            let blocks = self.inner.blocks(raw, charset, tld)?;
            Ok(if hidden { self.inner.judge(&blocks, &known) } else { self.inner.label(&blocks, &known) })
        });
        labels.map_err(|why: NotAPage| PyValueError::new_err(why.0))
    }

    /// The features of every block of a page, by the name of the set: `words`, `all` or `all entities`; for the last,
    /// `names` recognises names. `first` are the probabilities of a first model for every block.
    #[staticmethod]
    #[pyo3(signature = (features, raw, charset=None, tld=None, first=None, names=None))]
    fn features(
        py: Python<'_>,
        features: &str,
        raw: &[u8],
        charset: Option<&str>,
        tld: Option<&str>,
        first: Option<Vec<f32>>,
        names: Option<&Recogniser>,
    ) -> PyResult<Vec<Vec<String>>> {
        let which = Features::named(features)
            .ok_or_else(|| PyValueError::new_err(format!("no features are called {features:?}")))?;
        let reader = Core::new(Method::Heuristic, 0);
        let blocks = py.detach(|| reader.blocks(raw, charset, tld)).map_err(|why| PyValueError::new_err(why.0))?;
        if let Some(first) = first.as_ref().filter(|first| first.len() != blocks.blocks.len()) {
            return Err(PyValueError::new_err(format!("{} blocks, but {} thoughts", blocks.blocks.len(), first.len())));
        }
        let names = names.map(|names| names.inner.clone());
        Ok(py.detach(|| listed(which, names.as_deref(), first.as_deref(), &blocks)))
    }

    /// Extracts all pages, in order, on so many threads. Input that is no page yields the reason, and stops no other.
    fn extract(&self, py: Python<'_>, pages: Vec<Page>, threads: usize) -> Vec<ExtractionRow> {
        py.detach(|| {
            let next = AtomicUsize::new(0);
            // each thread processes the next unclaimed page, and keeps its results until all are done
            let worker = || {
                let mut found = vec![];
                loop {
                    let place = next.fetch_add(1, Ordering::Relaxed);
                    let Some(page) = pages.get(place) else { return found };
                    found.push((place, self.one(page)));
                }
            };
            let mut all: Vec<(usize, ExtractionRow)> = std::thread::scope(|scope| {
                let others: Vec<_> = (1..threads.min(pages.len())).map(|_| scope.spawn(worker)).collect();
                let mut all = worker();
                all.extend(others.into_iter().flat_map(|other| other.join().unwrap_or_default()));
                all
            });
            all.sort_unstable_by_key(|&(place, _)| place);
            all.into_iter().map(|(_, found)| found).collect()
        })
    }
}

impl Extractor {
    /// One page. No page should be able to make the core panic; if one does, only that page is lost and not the run.
    fn one(&self, (raw, charset, tld): &Page) -> ExtractionRow {
        match catch_unwind(AssertUnwindSafe(|| self.inner.extract(raw, charset.as_deref(), tld.as_deref()))) {
            Ok(Ok(Extraction { encoding, title, flags, text, head })) => {
                (Some((encoding, title, flag_names(flags), text, row(head))), None)
            }
            Ok(Err(why)) => (None, Some(why.0)),
            Err(_) => (None, Some("it cannot be read: please report this page".into())),
        }
    }
}
