//! A folder of text files: one article a file, its path inside the folder as its id.

use std::borrow::Cow;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use super::{plain, Block, Options, Source};
use crate::article::{Fault, Record, Role};

const FILES: usize = 64;

pub struct Folder {
    root: PathBuf,
    files: std::vec::IntoIter<PathBuf>,
    largest: usize,
    encoding: Option<&'static encoding_rs::Encoding>,
    consumed: u64,
    number: u64,
}

impl Folder {
    pub fn open(root: &Path, options: &Options) -> Result<Self, String> {
        let mut files = vec![];
        collect(root, &mut files).map_err(|e| format!("{}: {}", root.display(), plain(&e)))?;
        if files.is_empty() {
            return Err(format!("{}: a folder without text files (*.txt)", root.display()));
        }
        files.sort();
        Ok(Self::over(root.to_path_buf(), files, options))
    }

    /// One text file given by its own name.
    pub fn single(path: &Path, options: &Options) -> Self {
        Self::over(path.parent().unwrap_or(Path::new("")).to_path_buf(), vec![path.to_path_buf()], options)
    }

    fn over(root: PathBuf, files: Vec<PathBuf>, options: &Options) -> Self {
        let files = files.into_iter();
        Folder { root, files, largest: options.largest, encoding: options.encoding, consumed: 0, number: 0 }
    }

    fn record(&mut self, path: &Path) -> Result<Record<'static>, (Fault, String)> {
        let unreadable = |why: &str| (Fault::Unreadable, format!("{}: {why}", path.display()));
        let file =
            fs::metadata(path).and_then(|meta| if meta.is_file() { fs::File::open(path).map(Some) } else { Ok(None) });
        // a pipe or a device may give nothing, or never end
        let file = file.map_err(|e| unreadable(&plain(&e)))?.ok_or_else(|| unreadable("not a file"))?;
        let mut bytes = vec![];
        file.take(self.largest as u64 + 1).read_to_end(&mut bytes).map_err(|e| unreadable(&plain(&e)))?;
        if bytes.len() > self.largest {
            return Err((Fault::TooLarge, format!("{}: more than {} bytes", path.display(), self.largest)));
        }
        self.consumed += bytes.len() as u64;
        let text = match self.encoding {
            Some(encoding) => match encoding.decode(&bytes) {
                (text, _, false) => text.into_owned(),
                _ => return Err((Fault::Encoding, format!("{}: not {}", path.display(), encoding.name()))),
            },
            None => String::from_utf8(bytes).map_err(|_| {
                (Fault::Encoding, format!("{}: not UTF-8; name the encoding with --encoding", path.display()))
            })?,
        };
        let id = path.strip_prefix(&self.root).unwrap_or(path).to_string_lossy().into_owned();
        let mut record = Record::default();
        record.set(Role::Id, 0, Cow::Owned(id));
        record.set(Role::Text, 0, Cow::Owned(text.trim_start_matches('\u{feff}').to_owned()));
        Ok(record)
    }
}

fn collect(folder: &Path, out: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let path = entry.path();
        // links to folders are not followed: they may lead back here
        if entry.file_type()?.is_dir() {
            collect(&path, out)?;
        } else if path.extension().is_some_and(|e| e.eq_ignore_ascii_case("txt")) {
            out.push(path);
        }
    }
    Ok(())
}

impl Source for Folder {
    fn next(&mut self, _: Vec<u8>) -> io::Result<Option<Block>> {
        let paths: Vec<PathBuf> = self.files.by_ref().take(FILES).collect();
        let mut out = vec![];
        for path in paths {
            self.number += 1;
            let record = self.record(&path);
            out.push((self.number, record));
        }
        Ok((!out.is_empty()).then_some(Block::Records(out)))
    }

    fn consumed(&self) -> u64 {
        self.consumed
    }
}
