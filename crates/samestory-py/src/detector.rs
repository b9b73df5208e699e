//! `_core.detectors.Detector`: a detector of the core, or one written in Python.

use std::collections::HashMap;
use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::PyBytes;
use samestory_core::detectors::{
    build, Article, BatchDetector, Detector as Core, DetectorChange, Overlap, ParameterValue, Parameters,
    Part as CorePart, Sample, Wants, Wrapped,
};
use samestory_core::text::languages::is_turkish_case;
use samestory_core::text::prepare::Characters;
use samestory_core::text::tokens::tokenise;

use crate::columns::{check_lengths, column, invalid, numbers, pairs, row, Column, Rows, Signatures, Two};
use crate::entities::Recogniser;
use crate::errors::{error, Class};
use crate::failure::Failure;
use crate::overlaps::Overlaps;
use crate::python_detector::{PythonDetector, SignedColumns};
use crate::statistics::{Statistics, Table};

#[pyclass(module = "samestory._core.detectors", frozen)]
pub struct Detector {
    pub inner: Arc<dyn Core>,
    pub failure: Failure,
}

#[derive(FromPyObject)]
pub enum ParameterInput {
    Flag(bool),
    Number(f64),
    Text(String),
}

/// The parameters of a detector, from Python.
pub fn parameters(
    given: HashMap<String, ParameterInput>,
    statistics: Option<&Bound<'_, Statistics>>,
    recogniser: Option<&Bound<'_, Recogniser>>,
) -> Parameters {
    let values = given.into_iter().map(|(name, given)| {
        let value = match given {
            ParameterInput::Flag(flag) => ParameterValue::Flag(flag),
            ParameterInput::Number(number) => ParameterValue::Number(number),
            ParameterInput::Text(text) => ParameterValue::Text(text),
        };
        (name, value)
    });
    let (frequencies, shingles) = match statistics.map(|statistics| statistics.get().table.clone()) {
        Some(Table::Terms(frequencies)) => (Some(frequencies), None),
        Some(Table::Shingles(shingles)) => (None, Some(shingles)),
        None => (None, None),
    };
    Parameters {
        values: values.collect(),
        frequencies,
        shingles,
        recogniser: recogniser.map(|recogniser| recogniser.get().inner.clone()),
        ..Parameters::default()
    }
}

/// Signatures with their calibrated fields.
#[pyclass(module = "samestory._core.detectors", frozen, get_all)]
pub struct Calibrated {
    values: Py<PyBytes>,
    /// The rows with boilerplate that comparisons ignore.
    with_boilerplate: Vec<usize>,
}

/// A part of a text that a detector compares.
#[pyclass(module = "samestory._core.detectors", frozen, get_all)]
pub struct Part {
    start: u32,
    end: u32,
    /// Its words as they are compared, if they are compared as a text.
    text: String,
    /// Start and end of the name in it, if it is that of a name.
    name: (u32, u32),
    /// Its words by number, with their weights.
    words: Vec<(u32, f32)>,
}

#[pymethods]
impl Detector {
    /// A detector of the core by its name. `exhaustive` and `within` (with the parameter `days`) change an `inner`
    /// detector: the one compares all pairs, the other only articles at most so many days apart. `python` is a detector
    /// written in Python, by its adapter (detectors/adapter.py).
    #[new]
    #[pyo3(signature = (name, parameters, statistics=None, recogniser=None, calibration=vec![], inner=None))]
    fn new(
        py: Python<'_>,
        name: &str,
        parameters: HashMap<String, ParameterInput>,
        statistics: Option<&Bound<'_, Statistics>>,
        recogniser: Option<&Bound<'_, Recogniser>>,
        calibration: Vec<u8>,
        inner: Option<Py<PyAny>>,
    ) -> PyResult<Self> {
        let Some(inner) = inner else {
            let parameters = Parameters { calibration, ..self::parameters(parameters, statistics, recogniser) };
            let built = build(name, &parameters)
                .map_err(|missing| error(Class::Parameter, format!("{name}: {missing} is missing or damaged")))?;
            let unknown = || error(Class::Parameter, format!("no native detector is called {name:?}"));
            return Ok(Detector { inner: built.ok_or_else(unknown)?, failure: Failure::default() });
        };
        if name == "python" {
            let failure = Failure::default();
            return Ok(Detector { inner: Arc::new(PythonDetector::new(py, inner, failure.clone())?), failure });
        }
        let detector = inner.bind(py).cast::<Detector>()?.get();
        let (inner, failure) = (detector.inner.clone(), detector.failure.clone());
        let change = match (name, parameters.get("days")) {
            ("exhaustive", None) => DetectorChange::AllPairs,
            ("within", Some(&ParameterInput::Number(days))) => DetectorChange::MaxDays(days as u32),
            _ => return Err(error(Class::Parameter, format!("{name} changes no other detector"))),
        };
        Ok(Detector { inner: Arc::new(Wrapped { inner, change }), failure })
    }

    /// Does it need the text, or only the packed tokens?
    #[getter]
    fn wants_text(&self) -> bool {
        self.inner.wants() == Wants::Text
    }

    /// Whether it signs articles and compares pairs in batches, as detectors written in Python do.
    #[getter]
    fn works_in_batches(&self) -> bool {
        self.inner.batch().is_some()
    }

    /// The maximum length of a posting list; 0 for no limit.
    #[getter]
    fn ceiling(&self) -> usize {
        self.inner.candidate_plan().ceiling.unwrap_or(0)
    }

    /// Signatures of articles of these times: from packed tokens (values and offsets) for detectors that need only
    /// those, or from texts, titles and languages. For detectors written in Python, `signed` are their signatures and
    /// keys (values and offsets of both), which become rows of the engine.
    #[pyo3(signature = (published, tokens=None, texts=vec![], titles=vec![], languages=vec![], signed=None))]
    #[allow(clippy::too_many_arguments)] // the columns of articles
    fn sign<'py>(
        &self,
        py: Python<'py>,
        published: Vec<i64>,
        tokens: Option<Two<'py>>,
        texts: Vec<String>,
        titles: Vec<Option<String>>,
        languages: Vec<String>,
        signed: Option<SignedColumns<'py>>,
    ) -> PyResult<Rows> {
        if let Some(signed) = signed {
            let rows = crate::python_detector::rows_of(py, &signed)?;
            return Rows::of_signatures(py, rows.iter().map(Vec::as_slice));
        }
        let rows = match tokens {
            Some(tokens) => {
                let (tokens, offsets): (Vec<u32>, Vec<i64>) = (numbers(py, &tokens.0)?, numbers(py, &tokens.1)?);
                py.detach(|| self.sign_tokens(&tokens, &offsets, &published))?
            }
            None => {
                check_lengths(published.len(), &[texts.len(), titles.len(), languages.len()])?;
                py.detach(|| self.sign_texts(&texts, &titles, &languages, &published))
            }
        };
        self.failure.check()?;
        Rows::of_signatures(py, rows.iter().map(Vec::as_slice))
    }

    /// Its calibration on a collection of `total` articles, from the ids and signatures of all of them or of a sample;
    /// empty if it does not calibrate.
    #[pyo3(signature = (ids, rows, sources=vec![], total=None, as_is=false))]
    fn calibrate<'py>(
        &self,
        py: Python<'py>,
        ids: Vec<String>,
        rows: Two<'py>,
        sources: Vec<u64>,
        total: Option<usize>,
        as_is: bool,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let rows = Signatures::checked(py, &rows, &*self.inner)?;
        check_lengths(ids.len(), &[rows.len()])?;
        let source = |at: usize| sources.get(at).copied().unwrap_or(0);
        let articles = ids.iter().zip(rows.rows()?).enumerate();
        let articles = articles.map(|(at, (id, signature))| (id.as_str(), signature, source(at)));
        let mut sample = Sample::draw(articles, as_is);
        sample.total = total.unwrap_or(sample.total);
        let bytes = py.detach(|| {
            let detector = self.inner.calibration()?.calibrate(&sample)?;
            detector.calibration().map(|calibration| calibration.to_bytes())
        });
        self.failure.check()?;
        Ok(PyBytes::new(py, &bytes.unwrap_or_default()))
    }

    /// Signatures with their calibrated fields filled in; the offsets do not change.
    fn apply_calibration<'py>(
        &self,
        py: Python<'py>,
        values: Bound<'py, PyAny>,
        offsets: Bound<'py, PyAny>,
    ) -> PyResult<Calibrated> {
        let mut rows = Signatures::read(py, &(values, offsets))?;
        // damaged signatures of a store stay as they are: its index finds them
        let is_signature = |row: &[u32]| self.inner.is_well_formed(row);
        let mut with_boilerplate = vec![];
        if let Some(calibration) = self.inner.calibration() {
            rows.for_each(|row| {
                if is_signature(row) {
                    calibration.apply(row);
                }
            })?;
            let numbered = rows.rows()?.into_iter().enumerate().filter(|(_, row)| is_signature(row));
            with_boilerplate.extend(numbered.filter(|(_, row)| calibration.ignores_parts(row)).map(|(at, _)| at));
        }
        let values = column(py, rows.into_values()).unbind();
        self.failure.check()?;
        Ok(Calibrated { values, with_boilerplate })
    }

    /// The posting keys of signatures (64-bit, signed).
    fn keys<'py>(&self, py: Python<'py>, values: Bound<'py, PyAny>, offsets: Bound<'py, PyAny>) -> PyResult<Rows> {
        let signatures = Signatures::checked(py, &(values, offsets), &*self.inner)?;
        let rows = signatures.rows()?;
        let (out, lengths) = py.detach(|| {
            let (mut out, mut lengths) = (vec![], vec![]);
            for row in rows {
                let before = out.len();
                self.inner.keys(row, &mut out);
                lengths.push(out.len() - before);
            }
            (out, lengths)
        });
        let values = Column::new(py, out.into_iter().map(|key| key as i64))?;
        Ok(Rows { values, offsets: Column::offsets(py, lengths)? })
    }

    /// How many keys two articles must share, for every number of keys of the article with fewer keys.
    fn quorum(&self, py: Python<'_>, fewer: &Bound<'_, PyAny>) -> PyResult<Py<Column>> {
        let fewer: Vec<i64> = numbers(py, fewer)?;
        let plan = self.inner.candidate_plan();
        let quorums = fewer.into_iter().map(|count| plan.quorum.of(count.max(0) as usize) as i64);
        Column::new(py, quorums.collect::<Vec<_>>())
    }

    /// Which candidates are worth comparing, as one byte each, by how many keys they share and how many the article with
    /// fewer keys has.
    fn admits<'py>(
        &self,
        py: Python<'py>,
        left: Two<'py>,
        right: Two<'py>,
        pairs: Two<'py>,
        shared: &Bound<'py, PyAny>,
        fewer: &Bound<'py, PyAny>,
    ) -> PyResult<Py<Column>> {
        let [left, right] = self.both(py, left, right)?;
        let pairs = self::pairs(py, &pairs)?;
        let (shared, fewer): (Vec<i64>, Vec<i64>) = (numbers(py, shared)?, numbers(py, fewer)?);
        check_lengths(pairs.len(), &[shared.len(), fewer.len()])?;
        let counts = shared.iter().zip(&fewer).map(|(&shared, &fewer)| (shared as usize, fewer as usize));
        let rows: Vec<_> = pairs.into_iter().zip(counts).collect();
        let plan = self.inner.candidate_plan();
        let admitted = py.detach(|| -> PyResult<Vec<bool>> {
            let mut out = Vec::with_capacity(rows.len());
            for same in rows.chunk_by(|one, other| one.0 .0 == other.0 .0) {
                let own = left.row(same[0].0 .0)?;
                let others = same.iter().map(|pair| right.row(pair.0 .1)).collect::<PyResult<Vec<_>>>()?;
                // articles without words have no keys, and are no candidates
                let has_words = |at: usize| !own.is_empty() && !others[at].is_empty();
                let asked: Vec<usize> = (0..same.len()).filter(|&at| has_words(at)).collect();
                let rows: Vec<&[u32]> = asked.iter().map(|&at| others[at]).collect();
                let counts: Vec<(usize, usize)> = asked.iter().map(|&at| same[at].1).collect();
                let mut answers = plan.admits_all(own, &rows, &counts).into_iter();
                out.extend((0..same.len()).map(|at| has_words(at) && answers.next().unwrap_or(false)));
            }
            Ok(out)
        })?;
        self.failure.check()?;
        Column::new(py, admitted.into_iter().map(u8::from))
    }

    /// Compares pairs of rows.
    fn compare<'py>(&self, py: Python<'py>, left: Two<'py>, right: Two<'py>, pairs: Two<'py>) -> PyResult<Overlaps> {
        let [left, right] = self.both(py, left, right)?;
        let pairs = self::pairs(py, &pairs)?;
        let overlaps = py.detach(|| match self.inner.batch() {
            Some(detector) => compare_in_batches(detector, &left, &right, &pairs),
            None => self.compare_one_by_one(&left, &right, &pairs),
        })?;
        self.failure.check()?;
        Overlaps::new(py, &overlaps)
    }

    /// The parts of a text that it compares, for explanations; none for most detectors.
    fn parts(&self, py: Python<'_>, text: &str, language: &str) -> Vec<Part> {
        let found = py.detach(|| {
            let mut tokens = vec![];
            tokenise(text, is_turkish_case(language), |token| tokens.push(token));
            self.inner.parts(&Article { tokens: &tokens, text, language, ..Article::default() })
        });
        in_characters(text, found)
    }
}

/// Parts with offsets that count characters.
fn in_characters(text: &str, parts: Vec<CorePart>) -> Vec<Part> {
    let mut bytes: Vec<usize> =
        parts.iter().flat_map(|part| [part.span.0, part.span.1, part.name.0, part.name.1]).collect();
    bytes.sort_unstable();
    bytes.dedup();
    let mut characters = Characters::new(text);
    let places: Vec<u32> = bytes.iter().map(|&byte| characters.before(byte)).collect();
    let place = |byte: usize| places[bytes.partition_point(|&other| other < byte)];
    let converted = parts.into_iter().map(|part| Part {
        start: place(part.span.0),
        end: place(part.span.1),
        name: (place(part.name.0), place(part.name.1)),
        text: part.text,
        words: part.words,
    });
    converted.collect()
}

/// Pairs that a detector written in Python compares per call.
const PAIRS_PER_BATCH: usize = 1 << 16;

impl Detector {
    /// The signatures of both sides of pairs.
    fn both<'py>(&self, py: Python<'py>, left: Two<'py>, right: Two<'py>) -> PyResult<[Signatures; 2]> {
        let read = |rows| Signatures::checked(py, &rows, &*self.inner);
        Ok([read(left)?, read(right)?])
    }

    fn sign_tokens(&self, tokens: &[u32], offsets: &[i64], published: &[i64]) -> PyResult<Vec<Vec<u32>>> {
        let signed = published.iter().enumerate().map(|(at, &published)| {
            let mut signature = vec![];
            let words = row(tokens, offsets, at)?;
            self.inner.sign(&Article { words, published, ..Article::default() }, &mut signature);
            Ok(signature)
        });
        signed.collect()
    }

    fn sign_texts(
        &self,
        texts: &[String],
        titles: &[Option<String>],
        languages: &[String],
        published: &[i64],
    ) -> Vec<Vec<u32>> {
        let (mut words, mut tokens) = (vec![], vec![]);
        let rows = texts.iter().zip(titles).zip(languages).zip(published);
        let signed = rows.map(|(((text, title), language), &published)| {
            words.clear();
            tokens.clear();
            tokenise(text, is_turkish_case(language), |token| {
                tokens.push(token);
                words.push(token.packed());
            });
            let title = title.as_deref().unwrap_or("");
            let mut signature = vec![];
            let article = Article { id: "", words: &words, tokens: &tokens, text, title, language, published };
            self.inner.sign(&article, &mut signature);
            signature
        });
        signed.collect()
    }

    fn compare_one_by_one(
        &self,
        left: &Signatures,
        right: &Signatures,
        pairs: &[(usize, usize)],
    ) -> PyResult<Vec<Overlap>> {
        let mut comparer = self.inner.comparer();
        let mut loaded = None;
        let mut out = Vec::with_capacity(pairs.len());
        for &(l, r) in pairs {
            if loaded != Some(l) {
                comparer.load(left.row(l)?);
                loaded = Some(l);
            }
            out.push(comparer.compare(right.row(r)?));
        }
        Ok(out)
    }
}

fn compare_in_batches(
    detector: &dyn BatchDetector,
    left: &Signatures,
    right: &Signatures,
    pairs: &[(usize, usize)],
) -> PyResult<Vec<Overlap>> {
    if pairs.iter().any(|&(l, r)| l >= left.len() || r >= right.len()) {
        return Err(invalid("expected pairs of the rows of signatures"));
    }
    let signatures = [left.rows()?, right.rows()?].concat();
    let pairs: Vec<(u32, u32)> = pairs.iter().map(|&(l, r)| (l as u32, (left.len() + r) as u32)).collect();
    Ok(pairs.chunks(PAIRS_PER_BATCH).flat_map(|some| detector.compare_pairs(&signatures, some)).collect())
}
