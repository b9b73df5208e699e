//! A file of blocks, each with a checksum: written once in order, read in any order.
//!
//! A block is `PAYLOAD` bytes of content and a trailer: the number of the block, the stamp of the file (u64) and the CRC-32
//! of all bytes before it. The contents of all blocks after the first are one sequence of bytes, addressed by position; the
//! first block has the header.

use std::fs::File;
use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use flate2::Crc;

use super::{SegmentError, SegmentResult};

/// Small: most reads are of signatures of one or two kilobytes, scattered over the file.
pub const BLOCK: usize = 8 << 10;
const TRAILER: usize = 16;
pub const PAYLOAD: usize = BLOCK - TRAILER;
/// Records begin at multiples of this position, so that none of this size is in two blocks.
pub const ALIGNMENT: u64 = 16;

fn checksum(bytes: &[u8]) -> [u8; 4] {
    let mut crc = Crc::new();
    crc.update(bytes);
    crc.sum().to_le_bytes()
}

/// Fills a block up and appends its trailer.
fn seal(block: &mut Vec<u8>, number: u32, stamp: u64) {
    block.resize(PAYLOAD, 0);
    block.extend(number.to_le_bytes());
    block.extend(stamp.to_le_bytes());
    block.extend(checksum(block));
}

/// Writes the blocks of a file under a temporary name, which `finish` replaces by its own.
pub struct BlockWriter {
    file: BufWriter<File>,
    path: PathBuf,
    partial: PathBuf,
    block: Vec<u8>,
    number: u32,
    stamp: u64,
}

impl BlockWriter {
    pub fn create(path: &Path, stamp: u64) -> SegmentResult<Self> {
        let mut partial = path.as_os_str().to_owned();
        partial.push(".partial");
        let partial = PathBuf::from(partial);
        let file = File::create(&partial).map_err(|error| write_error(path, &error))?;
        let mut writer =
            BlockWriter { file: BufWriter::new(file), path: path.into(), partial, block: vec![], number: 0, stamp };
        writer.flush_block()?; // the header replaces it
        Ok(writer)
    }

    /// Where the next byte is written.
    pub fn position(&self) -> u64 {
        u64::from(self.number) * PAYLOAD as u64 + self.block.len() as u64
    }

    pub fn put(&mut self, mut bytes: &[u8]) -> SegmentResult<()> {
        while !bytes.is_empty() {
            let (now, later) = bytes.split_at(bytes.len().min(PAYLOAD - self.block.len()));
            self.block.extend_from_slice(now);
            if self.block.len() == PAYLOAD {
                self.flush_block()?;
            }
            bytes = later;
        }
        Ok(())
    }

    /// Continues at the next position for a record.
    pub fn align(&mut self) -> SegmentResult<()> {
        let padding = self.position().next_multiple_of(ALIGNMENT) - self.position();
        self.put(&[0; ALIGNMENT as usize][..padding as usize])
    }

    /// Writes the header, which may depend on the number of blocks, and gives the file its name when it is on disk.
    pub fn finish(mut self, header: impl FnOnce(u32) -> Vec<u8>) -> SegmentResult<()> {
        if !self.block.is_empty() {
            self.flush_block()?;
        }
        let mut first = header(self.number);
        seal(&mut first, 0, self.stamp);
        let mut finish = || {
            self.file.seek(SeekFrom::Start(0))?;
            self.file.write_all(&first)?;
            self.file.flush()?;
            self.file.get_ref().sync_all()?;
            std::fs::rename(&self.partial, &self.path)?;
            sync_folder(&self.path)
        };
        finish().map_err(|error| write_error(&self.path, &error))
    }

    fn flush_block(&mut self) -> SegmentResult<()> {
        seal(&mut self.block, self.number, self.stamp);
        self.file.write_all(&self.block).map_err(|error| write_error(&self.path, &error))?;
        self.block.clear();
        let too_large = || SegmentError::new(&self.path, "the segment is too large");
        self.number = self.number.checked_add(1).ok_or_else(too_large)?;
        Ok(())
    }
}

impl Drop for BlockWriter {
    /// Removes a file that was not finished.
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.partial);
    }
}

fn write_error(path: &Path, error: &io::Error) -> SegmentError {
    SegmentError::new(path, format!("the segment cannot be written: {error}"))
}

/// Makes a new name in a folder durable, where folders can be synchronised.
fn sync_folder(path: &Path) -> io::Result<()> {
    if cfg!(unix) {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        File::open(folder)?.sync_all()?;
    }
    Ok(())
}

/// The content of a block.
pub type Block = Arc<Vec<u8>>;

/// A file of blocks that is read.
pub struct BlockFile {
    #[cfg(unix)]
    file: File,
    #[cfg(not(unix))]
    file: std::sync::Mutex<File>,
    pub path: PathBuf,
    pub blocks: u32,
    pub stamp: u64,
}

impl BlockFile {
    /// Opens a file; returns it with the content of its first block.
    pub fn open(path: &Path) -> SegmentResult<(Self, Block)> {
        let error = |error| SegmentError::new(path, format!("the segment cannot be read: {error}"));
        let file = File::open(path).map_err(error)?;
        let length = file.metadata().map_err(error)?.len();
        let blocks = u32::try_from(length / BLOCK as u64).unwrap_or(u32::MAX);
        if length != u64::from(blocks) * BLOCK as u64 || blocks == 0 {
            return Err(SegmentError::new(path, "the file is truncated or not a segment"));
        }
        #[cfg(not(unix))]
        let file = std::sync::Mutex::new(file);
        let mut opened = BlockFile { file, path: path.into(), blocks, stamp: 0 };
        let (first, stamp) = opened.read_unstamped(0)?;
        opened.stamp = stamp;
        Ok((opened, first))
    }

    /// Reads the content of a block and verifies its checksum.
    pub fn read(&self, number: u32) -> SegmentResult<Block> {
        let (block, stamp) = self.read_unstamped(number)?;
        match stamp == self.stamp {
            true => Ok(block),
            false => Err(SegmentError::new(&self.path, format!("block {number} is damaged: it is of another segment"))),
        }
    }

    fn read_unstamped(&self, number: u32) -> SegmentResult<(Block, u64)> {
        let mut bytes = vec![0; BLOCK];
        self.read_at(&mut bytes, u64::from(number) * BLOCK as u64)
            .map_err(|error| SegmentError::new(&self.path, format!("block {number} cannot be read: {error}")))?;
        let (content, crc) = bytes.split_at(BLOCK - 4);
        if checksum(content) != crc || content[PAYLOAD..PAYLOAD + 4] != number.to_le_bytes() {
            return Err(SegmentError::new(&self.path, format!("block {number} is damaged")));
        }
        let stamp = content[PAYLOAD + 4..].try_into().map_or(0, u64::from_le_bytes);
        bytes.truncate(PAYLOAD);
        Ok((Arc::new(bytes), stamp))
    }

    #[cfg(unix)]
    fn read_at(&self, bytes: &mut [u8], position: u64) -> io::Result<()> {
        std::os::unix::fs::FileExt::read_exact_at(&self.file, bytes, position)
    }

    #[cfg(not(unix))]
    fn read_at(&self, bytes: &mut [u8], position: u64) -> io::Result<()> {
        use std::io::Read;
        let mut file = self.file.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        file.seek(SeekFrom::Start(position))?;
        file.read_exact(bytes)
    }
}
