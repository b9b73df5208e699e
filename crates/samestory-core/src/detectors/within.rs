//! A detector with a hard limit of days between related articles. Articles without a date have no limit.

use std::sync::Arc;

use super::api::Demand;
use super::api::{Article, Comparer, Detector, Overlap, Sample, Wants, Why};

pub struct Within {
    pub inner: Arc<dyn Detector>,
    /// The most calendar days (UTC) between two related articles.
    pub days: u32,
}

impl Detector for Within {
    fn wants(&self) -> Wants {
        self.inner.wants()
    }

    fn knows(&self, id: &str, text: &str) -> bool {
        self.inner.knows(id, text)
    }

    fn sign(&self, article: &Article, signature: &mut Vec<u32>) {
        self.inner.sign(article, signature);
    }

    fn keys(&self, signature: &[u32], keys: &mut Vec<u64>) {
        self.inner.keys(signature, keys);
    }

    fn quorum(&self, fewer: usize) -> usize {
        self.inner.quorum(fewer)
    }

    fn admits(&self, left: &[u32], right: &[u32], shared: usize, fewer: usize) -> bool {
        self.inner.admits(left, right, shared, fewer)
    }

    fn demand(&self, keys: usize) -> usize {
        self.inner.demand(keys)
    }

    fn seeks(&self) -> bool {
        self.inner.seeks()
    }

    fn demands(&self, signature: &[u32], demand: &mut Demand) {
        self.inner.demands(signature, demand);
    }

    fn filings(&self, signature: &[u32], filings: &mut Vec<u64>) {
        self.inner.filings(signature, filings);
    }

    fn filed_quorum(&self, fewer: usize) -> usize {
        self.inner.filed_quorum(fewer)
    }

    fn days(&self) -> Option<u32> {
        Some(self.inner.days().map_or(self.days, |days| days.min(self.days)))
    }

    fn signs_days(&self) -> bool {
        self.inner.signs_days()
    }

    fn weighs_days(&self) -> bool {
        true
    }

    fn at_days(&self, overlap: Overlap, days: u32) -> Overlap {
        if days <= self.days {
            return self.inner.at_days(overlap, days);
        }
        let why = match overlap.why {
            Why::Related => Why::Days,
            Why::Figures => Why::Template, // no update either, although midnight may be between the two
            why => why,
        };
        Overlap::apart(overlap.forward, overlap.backward, why)
    }

    fn hints(&self) -> bool {
        self.inner.hints()
    }

    fn hint(&self, signature: &[u32]) -> u64 {
        self.inner.hint(signature)
    }

    fn meets(&self, left: u64, right: u64, shared: usize) -> bool {
        self.inner.meets(left, right, shared)
    }

    fn ceiling(&self) -> usize {
        self.inner.ceiling()
    }

    fn calibrates(&self) -> bool {
        self.inner.calibrates()
    }

    fn calibrate(&self, sample: &Sample) -> Option<Arc<dyn Detector>> {
        let days = Some(sample.days.map_or(self.days, |days| days.min(self.days)));
        let sample = Sample { days, ..sample.clone() };
        Some(Arc::new(Within { inner: self.inner.calibrate(&sample)?, days: self.days }))
    }

    fn is_calibrated(&self) -> bool {
        self.inner.is_calibrated()
    }

    fn calibration(&self) -> Vec<u8> {
        self.inner.calibration()
    }

    fn ignores_parts(&self, signature: &[u32]) -> bool {
        self.inner.ignores_parts(signature)
    }

    fn apply_calibration(&self, signature: &mut [u32]) {
        self.inner.apply_calibration(signature);
    }

    fn comparer(&self) -> Box<dyn Comparer + '_> {
        self.inner.comparer()
    }
}
