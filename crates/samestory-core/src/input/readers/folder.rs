//! Text files: a folder of them, one article per file; or a single text. The id is the path as given by the user plus
//! the path below it, so that files of one name in two folders are two articles.

use std::borrow::Cow;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::Arc;

use super::source::{name, plain, InputBlock, ReadOptions, ReadRecord, Source, UTF_16};
use crate::input::record::{Fault, Record, Role};

const FILES_PER_BLOCK: usize = 64;

/// A file or folder below the root, and why it is not read, if so.
type FolderEntry = (PathBuf, Option<(Fault, String)>);

pub struct Folder {
    files: std::vec::IntoIter<FolderEntry>,
    largest: usize,
    encoding: Option<&'static encoding_rs::Encoding>,
    consumed: u64,
}

impl Folder {
    pub fn open(root: &Path, options: &ReadOptions) -> Result<Self, String> {
        let mut files = vec![];
        let inside = fs::canonicalize(root).map_err(|error| plain(&error))?;
        collect(root, &inside, &mut files).map_err(|error| plain(&error))?;
        if files.iter().all(|(_, why)| why.as_ref().is_some_and(|(fault, _)| *fault == Fault::NotText)) {
            return Err("a folder without text files (*.txt)".into());
        }
        files.sort_by(|(one, _), (other, _)| one.cmp(other));
        let files = files.into_iter();
        let ReadOptions { largest, encoding, .. } = *options;
        Ok(Folder { files, largest, encoding, consumed: 0 })
    }

    fn record(&mut self, path: &Path) -> ReadRecord {
        let file =
            fs::metadata(path).and_then(|meta| if meta.is_file() { fs::File::open(path).map(Some) } else { Ok(None) });
        // a pipe or a device may be empty, or never end
        let file = file.map_err(unreadable)?.ok_or((Fault::NotText, "not a file".to_owned()))?;
        let bytes = some(file, self.largest).map_err(unreadable)?;
        self.consumed += bytes.len() as u64;
        text(name(path), bytes, self.largest, self.encoding)
    }
}

fn unreadable(error: io::Error) -> (Fault, String) {
    (Fault::Unreadable, plain(&error))
}

/// Reads at most one byte more than is allowed.
fn some(reader: impl Read, largest: usize) -> io::Result<Vec<u8>> {
    let mut bytes = vec![];
    reader.take((largest as u64).saturating_add(1)).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The article with these bytes as its text.
fn text(id: String, bytes: Vec<u8>, largest: usize, encoding: Option<&'static encoding_rs::Encoding>) -> ReadRecord {
    if bytes.len() > largest {
        return Err((Fault::TooLarge, format!("more than {largest} bytes (--largest)")));
    }
    let marked = bytes.first_chunk().is_some_and(|mark| UTF_16.contains(mark));
    let text = match encoding.or(marked.then_some(encoding_rs::UTF_16LE)) {
        Some(encoding) => match encoding.decode(&bytes) {
            (text, _, false) => text.into_owned(),
            _ => return Err((Fault::Encoding, format!("not {}", encoding.name()))),
        },
        None => String::from_utf8(bytes)
            .map_err(|_| (Fault::Encoding, "not UTF-8; name the encoding with --encoding".to_owned()))?,
    };
    let mut record = Record::default();
    record.set(Role::Id, 0, Cow::Owned(id));
    record.set(Role::Text, 0, Cow::Owned(text.trim_start_matches('\u{feff}').to_owned()));
    Ok(record)
}

/// The text files in a folder and below. Unreadable entries are recorded; only the folder itself must be readable.
/// `inside` is the real path of the root.
fn collect(folder: &Path, inside: &Path, out: &mut Vec<FolderEntry>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let (path, kind) = match entry.and_then(|entry| Ok((entry.path(), entry.file_type()?))) {
            Ok(entry) => entry,
            Err(error) => {
                out.push((folder.to_path_buf(), Some(unreadable(error))));
                continue;
            }
        };
        // links to folders are not followed: they may lead back here
        if kind.is_dir() {
            if let Err(error) = collect(&path, inside, out) {
                out.push((path, Some(unreadable(error))));
            }
        } else if path.extension().is_some_and(|e| e.eq_ignore_ascii_case("txt")) {
            let leaves = kind.is_symlink() && fs::canonicalize(&path).is_ok_and(|real| !real.starts_with(inside));
            let why = "leads out of the folder; to read it, specify the file itself";
            out.push((path, leaves.then(|| (Fault::OutsideLink, why.to_owned()))));
        } else if !path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b".")) {
            // reported and counted; hidden files are ignored
            out.push((path, Some((Fault::NotText, "only *.txt files are read".to_owned()))));
        }
    }
    Ok(())
}

impl Source for Folder {
    fn next(&mut self, _: Vec<u8>) -> io::Result<Option<InputBlock>> {
        let entries: Vec<FolderEntry> = self.files.by_ref().take(FILES_PER_BLOCK).collect();
        let mut out = vec![];
        for (path, trouble) in entries {
            let record = trouble.map_or_else(|| self.record(&path), Err);
            out.push((name(&path), record));
        }
        Ok((!out.is_empty()).then_some(InputBlock::Files(out)))
    }

    fn consumed(&self) -> u64 {
        self.consumed
    }
}

/// One text: a file given by its own name, or standard input.
pub struct Single {
    path: PathBuf,
    reader: Option<Box<dyn Read + Send>>,
    largest: usize,
    encoding: Option<&'static encoding_rs::Encoding>,
    count: Arc<AtomicU64>,
}

impl Single {
    pub fn new(path: &Path, reader: Box<dyn Read + Send>, options: &ReadOptions, count: Arc<AtomicU64>) -> Self {
        let ReadOptions { largest, encoding, .. } = *options;
        Single { path: path.to_path_buf(), reader: Some(reader), largest, encoding, count }
    }
}

impl Source for Single {
    fn next(&mut self, _: Vec<u8>) -> io::Result<Option<InputBlock>> {
        let Some(reader) = self.reader.take() else {
            return Ok(None);
        };
        let bytes = some(reader, self.largest)?;
        let id = name(&self.path);
        Ok(Some(InputBlock::Files(vec![(id.clone(), text(id, bytes, self.largest, self.encoding))])))
    }

    fn consumed(&self) -> u64 {
        self.count.load(Ordering::Relaxed)
    }
}
