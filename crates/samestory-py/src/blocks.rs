//! Blocks and elements of a page as Python values.

use std::collections::HashMap;

use pyo3::prelude::*;
use pyo3::types::{PyFrozenSet, PyList, PyString, PyTuple};
use samestory_core::html::{Block, Blocks, Border, CEDAR, INSIDE};

/// Python values that many blocks share, each made once.
pub struct Values<'a, 'py> {
    found: &'a Blocks,
    names: Vec<Bound<'py, PyString>>,
    sets: Vec<Bound<'py, PyFrozenSet>>,
}

impl<'a, 'py> Values<'a, 'py> {
    pub fn new(py: Python<'py>, found: &'a Blocks) -> PyResult<Self> {
        let names: Vec<_> = found.names.iter().map(|name| PyString::new(py, name)).collect();
        let set = |set: &Vec<u32>| PyFrozenSet::new(py, set.iter().map(|&name| &names[name as usize]));
        let sets = found.sets.iter().map(set).collect::<PyResult<_>>()?;
        Ok(Values { found, names, sets })
    }

    pub fn blocks(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
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

    pub fn elements(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
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
