//! Detectors, one file per method; `api` is their interface and `registry` finds them by name.

pub mod api;
mod cedar;
pub mod codet;
mod cooper;
mod cops;
mod cosine;
mod dates;
mod ddd;
mod dsc;
mod dsc_ss;
mod dsc_varol;
pub mod entity_shingles;
mod equal;
pub mod event;
mod exact;
mod exact_hash;
mod henzinger;
mod imatch;
mod koala;
mod lookup;
mod mega;
mod minhash;
mod minima;
mod pairwise;
mod parameters;
mod park;
pub mod plan;
pub mod plan_parts;
mod registry;
pub mod reuse;
mod sample;
mod sanderson;
mod scam;
mod set_detector;
mod sets;
mod sif;
mod simhash;
mod sketch;
mod spotsigs;
mod supers;
mod tweezer;
mod tweezer_set;
mod vectors;
mod vocabulary;
mod winnow;
mod word_runs;
mod wrapped;

pub use api::{
    Article, ArticleText, BatchDetector, CalibratedDetector, Comparer, DayRule, Detector, Kind, Overlap, Part, Wants,
    Why, COPY_SHARE,
};
pub use parameters::{Missing, ParameterValue, Parameters};
pub use plan::CandidatePlan;
pub use plan_parts::{PairFilter, PairSource, Quorum};
pub use registry::build;
pub use sample::Sample;
pub use wrapped::{DetectorChange, Wrapped};
