//! The native module of samestory: conversions and errors only; every algorithm is in `samestory-core`.

mod articles;
mod blocks;
mod columns;
mod content;
mod corpus;
mod counter;
mod dedup;
mod detector;
mod entities;
mod errors;
mod evidence;
mod exchange;
mod exchange_values;
mod failure;
mod finder;
mod folder;
mod head;
mod html;
mod overlaps;
mod python_detector;
mod reader;
mod reading;
mod relation;
mod results;
mod search;
mod statistics;
mod stream;
mod text;
mod tree;

#[pyo3::pymodule(module = "samestory")]
mod _core {
    /// Texts: repair, tokens, shared passages.
    #[pymodule(module = "samestory._core")]
    mod text {
        #[pymodule_export]
        use crate::folder::{tsvectors, Folder};
        #[pymodule_export]
        use crate::text::{differences, label, passages, prepare, repair, Label, Language, Prepared, Repaired};
    }

    /// Pages and names: blocks, content, entities.
    #[pymodule(module = "samestory._core")]
    mod html {
        #[pymodule_export]
        use crate::content::{Extraction, Extractor};
        #[pymodule_export]
        use crate::entities::Recogniser;
        #[pymodule_export]
        use crate::html::{Blocks, Markup, Page};
    }

    /// Detectors, their statistics, and the evidence of pairs.
    #[pymodule(module = "samestory._core")]
    mod detectors {
        #[pymodule_export]
        use crate::counter::Counter;
        #[pymodule_export]
        use crate::detector::{Calibrated, Detector, Part};
        #[pymodule_export]
        use crate::evidence::{evidence, PairNumbers};
        #[pymodule_export]
        use crate::overlaps::Overlaps;
        #[pymodule_export]
        use crate::relation::{dated, drawn, source_hash, DatedOverlaps};
        #[pymodule_export]
        use crate::statistics::Statistics;
    }

    /// Articles to relations and groups.
    #[pymodule(module = "samestory._core")]
    mod engine {
        #[pymodule_export]
        use crate::articles::{Articles, Report};
        #[pymodule_export]
        use crate::corpus::Corpus;
        #[pymodule_export]
        use crate::dedup::{KeptArticles, StoredRowReader};
        #[pymodule_export]
        use crate::finder::{check_segment, merge_segments, Comparison, Finder, Hits};
        #[pymodule_export]
        use crate::reader::{judge, microseconds, Reader};
        #[pymodule_export]
        use crate::results::{cuts, group, strongest, GroupRow, Groups, Relations};
        #[pymodule_export]
        use crate::stream::Stream;
        #[pymodule_export]
        use crate::tree::CorpusTree;
    }

    /// Data that partitions of a cluster exchange.
    #[pymodule(module = "samestory._core")]
    mod exchange {
        #[pymodule_export]
        use crate::exchange::{
            build_lists, find_pairs, group, respond_shared, select_hubs, stars, ComparedPartition, PartitionArticles,
        };
        #[pymodule_export]
        use crate::exchange_values::{Directory, Group, PartDuplicates};
    }

    /// Search collapsed to stories.
    #[pymodule(module = "samestory._core")]
    mod search {
        #[pymodule_export]
        use crate::search::{parse_numbers, ArticleTable, StoryRanking};
    }

    #[pymodule_export]
    use crate::columns::{Column, Rows};
    use pyo3::prelude::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        let names: Vec<Vec<&str>> =
            samestory_core::input::record::NAMES.iter().map(|(_, names)| names.to_vec()).collect();
        module.add("NAMES", names)?;
        module.add("CEDAR", samestory_core::html::CEDAR.to_vec())?;
        module.add("INLINE", samestory_core::html::INLINE.to_vec())?;
        module.add("INLINE_5", samestory_core::html::content::INLINE_5.to_vec())?;
        module.add("WHYS", std::collections::HashMap::from(crate::overlaps::WHYS))?;
        module.add("REUSE_EVIDENCE", samestory_core::detectors::reuse::NAMES.to_vec())?;
        module.add("AGREEMENT", samestory_core::detectors::event::NAMES.to_vec())?;
        module.add("BOILERPLATE", samestory_core::engine::population::BOILERPLATE)?;
        module.add("REPAIRS", samestory_core::text::repair::Repair::ALL.map(|kind| kind.name()).to_vec())?;
        module.add("LARGEST", samestory_core::input::readers::LARGEST)?;
        // so that `from samestory._core.text import …` finds them
        let modules = module.py().import("sys")?.getattr("modules")?;
        for name in ["text", "html", "detectors", "engine", "exchange", "search"] {
            modules.set_item(format!("samestory._core.{name}"), module.getattr(name)?)?;
        }
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
