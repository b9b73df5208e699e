//! The interface of readers.

use std::io;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::sync::Arc;

use crate::input::record::{Fault, Record};

/// A piece of a file that one thread works on.
pub enum Block {
    /// Whole lines of JSON: a buffer and how much of it is filled.
    Lines(Vec<u8>, usize),
    /// Records that had to be read in order, each with the number of its line.
    Records(Vec<(u64, Taken)>),
    /// Files that hold one article each, with their names.
    Files(Vec<(String, Taken)>),
}

/// A record, or what is wrong with it.
pub type Taken = Result<Record<'static>, (Fault, String)>;

pub trait Source: Send {
    /// The next block, in the given buffer if it needs one.
    fn next(&mut self, buffer: Vec<u8>) -> io::Result<Option<Block>>;

    /// Bytes of the input consumed so far, as they lie on disk.
    fn consumed(&self) -> u64;

    /// The line in which reading broke off, so many lines having been given out whole; 0 where there are no lines.
    fn broken(&self, _lines: u64) -> u64 {
        0
    }
}

/// What a path holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    Jsonl,
    Csv,
    Tsv,
    Text,
}

pub struct Options {
    pub format: Option<Format>,
    pub encoding: Option<&'static encoding_rs::Encoding>,
    /// The most bytes one article may have.
    pub largest: usize,
    /// Lines of input that may keep us waiting are given out as they come, and not by the block.
    pub eager: bool,
    /// Set when nobody wants the rest: a source that waits for input then gives up waiting.
    pub stop: Arc<AtomicBool>,
}

/// The largest article that is read unless the user says otherwise: far above any news, far below what hurts.
pub const LARGEST: usize = 10 << 20;

/// A path as messages and ids show it: bytes that are no text, as old file names have them, as `\xe9`.
pub fn name(path: &Path) -> String {
    let mut out = String::new();
    for chunk in path.as_os_str().as_encoded_bytes().utf8_chunks() {
        out.push_str(chunk.valid());
        chunk.invalid().iter().for_each(|byte| out.push_str(&format!("\\x{byte:02x}")));
    }
    out
}

/// An error of the system in few words.
pub fn plain(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "no such file or folder".into(),
        io::ErrorKind::PermissionDenied => "may not be read (permission denied)".into(),
        _ => error.to_string(),
    }
}

/// How UTF-16 begins, in either order of bytes.
pub(crate) const UTF_16: [[u8; 2]; 2] = [[0xff, 0xfe], [0xfe, 0xff]];
