//! `_core.page_blocks`: a page to blocks; `_core.page_text`: a page as characters.

use std::collections::HashMap;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyFrozenSet, PyList, PyString, PyTuple};
use samestory_core::html::{
    page_blocks as core_blocks, page_text as core_text, Block, Blocks, Border, Flags, Options, CEDAR, INSIDE,
};

/// Encoding, title, flags, blocks, elements and head. A block: text, tokens, tokens in links, tokens in each class of
/// the gold annotation, inline tags, border before, border after, element, paragraph, inside. An element: parent or -1,
/// tag, words. Raises ValueError with the reason if the input is not a page.
#[pyfunction]
#[pyo3(signature = (raw, charset=None, tld=None, inline_extra=vec![], mute=vec![]))]
pub fn page_blocks<'py>(
    py: Python<'py>,
    raw: &[u8],
    charset: Option<String>,
    tld: Option<String>,
    inline_extra: Vec<String>,
    mute: Vec<String>,
) -> PyResult<Bound<'py, PyTuple>> {
    let options = Options { inline_extra, mute };
    let mut found = py
        .detach(|| core_blocks(raw, charset.as_deref(), tld.as_deref(), &options))
        .map_err(|why| PyValueError::new_err(why.0))?;
    let head = crate::head::row(std::mem::take(&mut found.head));
    let values = Values::new(py, &found)?;
    let flags = flag_names(found.flags);
    (found.encoding, &found.title, flags, values.blocks(py)?, values.elements(py)?, head).into_pyobject(py)
}

/// Encoding, flags and characters of a page. Raises ValueError with the reason if the input is not a page.
#[pyfunction]
#[pyo3(signature = (raw, charset=None, tld=None))]
pub fn page_text(
    py: Python<'_>,
    raw: &[u8],
    charset: Option<&str>,
    tld: Option<&str>,
) -> PyResult<(&'static str, Vec<&'static str>, String)> {
    let decoded = py.detach(|| core_text(raw, charset, tld)).map_err(|why| PyValueError::new_err(why.0))?;
    let flags = Flags { guessed: decoded.guessed, malformed: decoded.malformed, ..Flags::default() };
    Ok((decoded.encoding.name(), flag_names(flags), decoded.text))
}

/// What is unusual about a page, by name.
pub fn flag_names(flags: Flags) -> Vec<&'static str> {
    let named =
        [("frames", flags.frames), ("deep", flags.deep), ("guessed", flags.guessed), ("malformed", flags.malformed)];
    named.into_iter().filter_map(|(name, is)| is.then_some(name)).collect()
}

/// Python values that many blocks share, each made once.
struct Values<'a, 'py> {
    found: &'a Blocks,
    names: Vec<Bound<'py, PyString>>,
    sets: Vec<Bound<'py, PyFrozenSet>>,
}

impl<'a, 'py> Values<'a, 'py> {
    fn new(py: Python<'py>, found: &'a Blocks) -> PyResult<Self> {
        let names: Vec<_> = found.names.iter().map(|name| PyString::new(py, name)).collect();
        let set = |set: &Vec<u32>| PyFrozenSet::new(py, set.iter().map(|&name| &names[name as usize]));
        let sets = found.sets.iter().map(set).collect::<PyResult<_>>()?;
        Ok(Values { found, names, sets })
    }

    fn blocks(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let mut borders: HashMap<(u32, bool), Bound<'py, PyString>> = HashMap::new();
        let mut insides: HashMap<u32, Bound<'py, PyFrozenSet>> = HashMap::new();
        let none = PyTuple::new(py, [0; CEDAR.len()])?;
        let out = PyList::empty(py);
        for block in &self.found.blocks {
            let mut border = |Border { tag, closes }: Border| {
                let made = || match closes {
                    true => PyString::new(py, &format!("/{}", self.found.names[tag as usize])),
                    false => self.names[tag as usize].clone(),
                };
                borders.entry((tag, closes)).or_insert_with(made).clone()
            };
            let (before, after) = (border(block.before), border(block.after));
            let inside = match insides.get(&block.inside) {
                Some(known) => known.clone(),
                None => {
                    let bits = INSIDE.iter().enumerate().filter(|(bit, _)| block.inside >> bit & 1 == 1);
                    let made = PyFrozenSet::new(py, bits.map(|(_, name)| name))?;
                    insides.entry(block.inside).or_insert(made).clone()
                }
            };
            let (text, inline) = (self.found.text_of(block), &self.sets[block.inline as usize]);
            let gold = match block.cedar {
                [0, 0, 0, 0, 0, 0] => none.clone(), // nearly all
                counts => PyTuple::new(py, counts)?,
            };
            let Block { tokens, linked, element, paragraph, .. } = *block;
            out.append((text, tokens, linked, gold, inline, before, after, element, paragraph, inside))?;
        }
        Ok(out)
    }

    fn elements(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let out = PyList::empty(py);
        for element in &self.found.elements {
            let words = &self.found.words[element.words.start as usize..element.words.end as usize];
            let words = PyTuple::new(py, words.iter().map(|&word| &self.names[word as usize]))?;
            let parent = self.found.elements.get(element.parent as usize).map_or(-1, |_| i64::from(element.parent));
            out.append((parent, &self.names[element.tag as usize], words))?;
        }
        Ok(out)
    }
}
