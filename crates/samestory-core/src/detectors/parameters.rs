//! The parameters of a detector by name, as its Python half has checked them.

use std::collections::HashMap;
use std::sync::Arc;

use crate::entities::Recogniser;
use crate::statistics::shingle_counts::ShingleCounts;
use crate::statistics::term_counts::{Frequencies, Weights};
use crate::text::terms::Preparation;

#[derive(Clone, Debug)]
pub enum ParameterValue {
    Flag(bool),
    Number(f64),
    Text(String),
}

#[derive(Clone, Debug, Default)]
pub struct Parameters {
    pub values: HashMap<String, ParameterValue>,
    /// The term statistics of a collection, for detectors that weight words.
    pub frequencies: Option<Arc<Frequencies>>,
    /// Document frequency of every run of words in a collection, for detectors that ignore frequent ones.
    pub shingles: Option<Arc<ShingleCounts>>,
    /// The calibration on a collection; empty for none.
    pub calibration: Vec<u8>,
    /// The recogniser of names, for detectors that use names.
    pub recogniser: Option<Arc<Recogniser>>,
}

/// A parameter or a table that is missing, by name.
pub type Missing = String;

impl Parameters {
    pub fn number(&self, name: &str) -> Result<f64, Missing> {
        match self.values.get(name) {
            Some(ParameterValue::Number(number)) => Ok(*number),
            _ => Err(name.to_owned()),
        }
    }

    pub fn count(&self, name: &str) -> Result<usize, Missing> {
        self.number(name).map(|number| number as usize)
    }

    pub fn flag(&self, name: &str) -> Result<bool, Missing> {
        match self.values.get(name) {
            Some(ParameterValue::Flag(flag)) => Ok(*flag),
            _ => Err(name.to_owned()),
        }
    }

    pub fn text(&self, name: &str) -> Result<&str, Missing> {
        match self.values.get(name) {
            Some(ParameterValue::Text(text)) => Ok(text),
            _ => Err(name.to_owned()),
        }
    }

    /// The parameters `stemming` ("none" or "F5") and `stop_words`.
    pub fn preparation(&self) -> Result<Preparation, Missing> {
        Ok(Preparation { stem: self.text("stemming")? == "F5", stop_words: self.flag("stop_words")? })
    }

    /// The term weights, from the statistics and the parameters `log_base` and `plus_one`.
    pub fn weights(&self, stem: bool) -> Result<Weights, Missing> {
        let frequencies = self.frequencies.as_ref().ok_or("frequencies")?;
        Ok(Weights::new(frequencies, stem, self.number("log_base")?, self.flag("plus_one")?))
    }
}
