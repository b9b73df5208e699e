//! The native module of samestory: conversions and errors only; every algorithm is in `samestory-core`.

mod columns;
mod content;
mod corpus;
mod detector;
mod entities;
mod evidence;
mod exchange;
mod finder;
mod folder;
mod frequencies;
mod head;
mod html;
mod reader;
mod results;
mod store;
mod stream;
mod text;
mod tree;

#[pyo3::pymodule]
mod _core {
    #[pymodule_export]
    use crate::content::Extractor;
    #[pymodule_export]
    use crate::corpus::Corpus;
    #[pymodule_export]
    use crate::detector::{dated, drawn, Detector};
    #[pymodule_export]
    use crate::entities::{entity_shingles, Recogniser};
    #[pymodule_export]
    use crate::evidence::{event_agreement, event_decided, event_evidence, event_odds, event_weighed, reuse_evidence};
    #[pymodule_export]
    use crate::exchange::{
        answer, ask, bits_for, gather_keys, group_lots, hashes_of, heard, pack_keys, pack_words, parts_of, prints,
        read_lines, shared_keys, stars, tally_lists, unpack_words,
    };
    #[pymodule_export]
    use crate::finder::Finder;
    #[pymodule_export]
    use crate::folder::{tsvectors, Folder};
    #[pymodule_export]
    use crate::frequencies::{Counter, Frequencies, ShingleCounter, ShingleCounts};
    #[pymodule_export]
    use crate::html::{page_blocks, page_text};
    #[pymodule_export]
    use crate::reader::{judge, microseconds, Reader};
    #[pymodule_export]
    use crate::results::{cuts, group, Groups, Relations};
    #[pymodule_export]
    use crate::store::{directed, source_hash, MemoryStore};
    #[pymodule_export]
    use crate::stream::Stream;
    #[pymodule_export]
    use crate::text::{
        count_repairs, differences, fold, gist, hash64, headline, original_places, passages, prepare, repair,
        stop_words, Features,
    };
    #[pymodule_export]
    use crate::tree::{codet_paths, CorpusTree};

    use pyo3::prelude::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        let names: Vec<Vec<&str>> =
            samestory_core::input::record::NAMES.iter().map(|(_, names)| names.to_vec()).collect();
        module.add("NAMES", names)?;
        module.add("CEDAR", samestory_core::html::CEDAR.to_vec())?;
        module.add("INLINE", samestory_core::html::INLINE.to_vec())?;
        module.add("INLINE_5", samestory_core::html::content::INLINE_5.to_vec())?;
        module.add("WHYS", std::collections::HashMap::from(crate::detector::WHYS))?;
        module.add("REUSE_EVIDENCE", samestory_core::detectors::reuse::NAMES.to_vec())?;
        module.add("AGREEMENT", samestory_core::detectors::event::NAMES.to_vec())?;
        module.add("BOILERPLATE", samestory_core::engine::population::BOILERPLATE)?;
        module.add("REPAIRS", samestory_core::text::repair::Repair::ALL.map(|kind| kind.name()).to_vec())?;
        module.add("LARGEST", samestory_core::input::readers::LARGEST)?;
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
