//! Calibration of a live index on the articles that it has.

use std::sync::Arc;

use super::LiveIndex;
use crate::detectors::api::Sample;
use crate::detectors::Detector;
use crate::engine::duplicate_class::class_hash;
use crate::engine::postings::live::LivePostings;

impl LiveIndex {
    /// Calibrates the detector on a sample of articles, given with their classes and sources, and completes the stored
    /// signatures. None if the detector needs no calibration.
    pub fn calibrate<'a>(&mut self, articles: impl Iterator<Item = (&'a str, u32, u64)>) -> Option<Arc<dyn Detector>> {
        let detector = self.detector.as_ref()?.calibration()?;
        let rows = articles.map(|(id, class, source)| (id, &*self.classes[class as usize].signature, source));
        let calibrated = detector.calibrate(&Sample::draw(rows, false))?;
        let numbers: Vec<u32> = self.class_numbers.drain().map(|(_, class)| class).collect();
        if let Some(calibration) = calibrated.calibration() {
            self.classes.iter_mut().for_each(|class| calibration.apply(&mut class.signature));
        }
        for class in numbers {
            let own = &self.classes[class as usize];
            self.class_numbers.entry(class_hash(&own.signature, own.start)).or_insert(class);
        }
        self.plan = calibrated.candidate_plan();
        self.day_rule = calibrated.day_rule();
        self.detector = Some(calibrated.clone());
        // keys and samples may depend on the calibration
        let mut postings = LivePostings::new(self.postings.max_time_gap, &self.plan);
        for class in &self.classes {
            let about = |class: u32| self.classes[class as usize].sampled_about();
            let summary = self.plan.summary_filter.as_ref().map(|filter| filter.summary(&class.signature));
            postings.push(&self.keys(&class.signature), summary, class.start, about);
        }
        self.postings = postings;
        // counters keep the numbers of keys
        self.renumberings += 1;
        Some(calibrated)
    }
}
