//! The interface of readers.

use std::io;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::sync::Arc;

use crate::input::record::{Fault, Record};

/// A piece of a file that one thread processes.
pub enum InputBlock {
    /// Whole lines of JSON: a buffer and its filled length.
    Lines(Vec<u8>, usize),
    /// Records that had to be read in order, each with the number of its line.
    Records(Vec<(u64, ReadRecord)>),
    /// Files with one article each, with their names.
    Files(Vec<(String, ReadRecord)>),
}

/// A record, or what is wrong with it.
pub type ReadRecord = Result<Record<'static>, (Fault, String)>;

pub trait Source: Send {
    /// The next block, in the given buffer if it needs one.
    fn next(&mut self, buffer: Vec<u8>) -> io::Result<Option<InputBlock>>;

    /// Bytes of the input consumed so far, as stored on disk.
    fn consumed(&self) -> u64;

    /// The line in which reading failed, after `_lines` complete lines; 0 for sources without lines.
    fn broken(&self, _lines: u64) -> u64 {
        0
    }
}

/// The format of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    Jsonl,
    Csv,
    Tsv,
    Text,
}

pub struct ReadOptions {
    pub format: Option<Format>,
    pub encoding: Option<&'static encoding_rs::Encoding>,
    /// Maximum bytes of one article.
    pub largest: usize,
    /// Return lines of input that may block as soon as they arrive, not a full block at a time.
    pub eager: bool,
    /// Set when the rest is not needed: a source that waits for input then stops waiting.
    pub stop: Arc<AtomicBool>,
}

/// Default maximum bytes of one article: far above any news, far below what exhausts memory.
pub const LARGEST: usize = 10 << 20;

/// A path as messages and ids show it: control characters, and bytes that are not UTF-8 as in old file names, as `\xe9`.
pub fn name(path: &Path) -> String {
    let mut out = String::new();
    for chunk in path.as_os_str().as_encoded_bytes().utf8_chunks() {
        for letter in chunk.valid().chars() {
            match letter.is_control() {
                true => out.push_str(&format!("\\x{:02x}", letter as u32)),
                false => out.push(letter),
            }
        }
        chunk.invalid().iter().for_each(|byte| out.push_str(&format!("\\x{byte:02x}")));
    }
    out
}

/// A short message for a system error.
pub fn plain(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "no such file or folder".into(),
        io::ErrorKind::PermissionDenied => "may not be read (permission denied)".into(),
        _ => error.to_string(),
    }
}

/// The byte order marks of UTF-16, little-endian and big-endian.
pub(crate) const UTF_16: [[u8; 2]; 2] = [[0xff, 0xfe], [0xfe, 0xff]];
