//! `_core.html.Extractor`: pages to the text of their content.

use std::panic::{catch_unwind, AssertUnwindSafe};
use std::sync::atomic::{AtomicUsize, Ordering};

use pyo3::prelude::*;
use pyo3::types::PyTuple;
use samestory_core::html::content::model::Model;
use samestory_core::html::{Extraction as CoreExtraction, ExtractionMethod, Extractor as Core, NotAPage};

use crate::entities::Recogniser;
use crate::errors::{error, unknown, Class};
use crate::head::row;
use crate::html::{flag_names, no_page, Page};

/// The content of a page.
#[pyclass(module = "samestory._core.html", frozen, get_all)]
pub struct Extraction {
    encoding: &'static str,
    title: String,
    flags: Vec<&'static str>,
    text: String,
    head: Py<PyTuple>,
}

impl Extraction {
    fn new(py: Python<'_>, found: CoreExtraction) -> PyResult<Py<Self>> {
        let CoreExtraction { encoding, title, flags, text, head } = found;
        let head = row(head).into_pyobject(py)?.unbind();
        Py::new(py, Extraction { encoding, title, flags: flag_names(flags), text, head })
    }
}

#[pyclass(module = "samestory._core.html", frozen)]
pub struct Extractor {
    inner: Core,
}

#[pymethods]
impl Extractor {
    #[new]
    #[pyo3(signature = (method, least, model=None, names=None))]
    fn new(method: &str, least: u32, model: Option<&str>, names: Option<&Recogniser>) -> PyResult<Self> {
        let method = match (method, model) {
            ("heuristic", _) => ExtractionMethod::Heuristic,
            ("rules", _) => ExtractionMethod::Rules,
            ("learned", Some(model)) => {
                let model = Model::read(model).map_err(|why| error(Class::Input, why))?;
                ExtractionMethod::Learned(Box::new(model))
            }
            _ => return Err(unknown("method of extraction", method, &["heuristic", "rules", "learned"])),
        };
        if names.is_none() && matches!(&method, ExtractionMethod::Learned(model) if model.wants_names()) {
            return Err(error(Class::Parameter, "the model weighs names, and no recogniser of names is given"));
        }
        let inner = Core::new(method, least);
        let inner = match names {
            Some(names) => inner.with_names(names.inner.clone()),
            None => inner,
        };
        Ok(Extractor { inner })
    }

    /// The probability of every block of a page that it is content; NotAPage if it is no page. `known` labels some
    /// blocks in advance; with `hidden`, hidden parts of the page are judged like the rest.
    #[pyo3(signature = (page, known=vec![], hidden=false))]
    fn label(&self, py: Python<'_>, page: &Page, known: Vec<(usize, bool)>, hidden: bool) -> PyResult<Vec<f32>> {
        let labels = py.detach(|| {
            let blocks = self.inner.blocks(&page.raw, page.charset(), page.tld())?;
            Ok(if hidden { self.inner.judge(&blocks, &known) } else { self.inner.label(&blocks, &known) })
        });
        labels.map_err(no_page)
    }

    /// Extracts all pages, in order, on so many threads. Input that is no page yields the reason, and stops no other.
    fn extract<'py>(&self, py: Python<'py>, pages: Vec<Py<Page>>, threads: usize) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let found = py.detach(|| self.extract_all(&pages, threads));
        let values = found.into_iter().map(|found| match found {
            Ok(found) => Ok(Extraction::new(py, found)?.into_bound(py).into_any()),
            Err(why) => Ok(no_page(why).into_value(py).into_bound(py).into_any()),
        });
        values.collect()
    }
}

impl Extractor {
    fn extract_all(&self, pages: &[Py<Page>], threads: usize) -> Vec<Result<CoreExtraction, NotAPage>> {
        let next = AtomicUsize::new(0);
        // each thread processes the next unclaimed page, and keeps its results until all are done
        let worker = || {
            let mut found = vec![];
            loop {
                let place = next.fetch_add(1, Ordering::Relaxed);
                let Some(page) = pages.get(place) else { return found };
                found.push((place, self.one(page.get())));
            }
        };
        let mut all = std::thread::scope(|scope| {
            let others: Vec<_> = (1..threads.min(pages.len())).map(|_| scope.spawn(worker)).collect();
            let mut all = worker();
            all.extend(others.into_iter().flat_map(|other| other.join().unwrap_or_default()));
            all
        });
        all.sort_unstable_by_key(|&(place, _)| place);
        all.into_iter().map(|(_, found)| found).collect()
    }

    /// One page. No page should be able to make the core panic; if one does, only that page is lost and not the run.
    fn one(&self, page: &Page) -> Result<CoreExtraction, NotAPage> {
        let extract = || self.inner.extract(&page.raw, page.charset(), page.tld());
        let panicked = |_| Err(NotAPage("it cannot be read: please report this page".into()));
        catch_unwind(AssertUnwindSafe(extract)).unwrap_or_else(panicked)
    }
}
