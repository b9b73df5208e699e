//! Opens files by their names: compression, encoding and format.

use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{sync_channel, Receiver, RecvTimeoutError};
use std::sync::Arc;
use std::time::Duration;

use super::folder::{Folder, Single};
use super::lines::Lines;
use super::rows::Rows;
use super::source::{plain, Format, InputBlock, ReadOptions, ReadRecord, Source, UTF_16};
use super::stored::StoredRows;
use super::table::Table;
use crate::input::record::{Fields, Record, ROLES};

/// Counts the bytes read, before decompression.
pub(crate) struct Counted<R> {
    inner: R,
    count: Arc<AtomicU64>,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let got = self.inner.read(buffer)?;
        self.count.fetch_add(got as u64, Ordering::Relaxed);
        Ok(got)
    }
}

/// Decompressed data. No compressed file is empty, so one without a byte is truncated.
struct NonEmpty<R> {
    inner: R,
    count: Arc<AtomicU64>,
}

impl<R: Read> Read for NonEmpty<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let got = self.inner.read(buffer)?;
        if got == 0 && !buffer.is_empty() && self.count.load(Ordering::Relaxed) == 0 {
            return Err(io::Error::new(io::ErrorKind::UnexpectedEof, "the compressed file is empty"));
        }
        Ok(got)
    }
}

/// The compression of files, by how their names end.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Packing {
    None,
    Gzip,
    Zstd,
}

/// The compression of a file and the extension of its format, by its name, in any case.
fn guess(path: &Path) -> (Packing, String) {
    let file = path.file_name().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
    let (bare, packing) = match (file.strip_suffix(".gz"), file.strip_suffix(".zst")) {
        (Some(bare), _) => (bare, Packing::Gzip),
        (_, Some(bare)) => (bare, Packing::Zstd),
        _ => (file.as_str(), Packing::None),
    };
    (packing, Path::new(bare).extension().map_or("jsonl".into(), |e| e.to_string_lossy().into_owned()))
}

/// An open file: its bytes, decompressed and in UTF-8 unless it is a text, and how to read them.
struct OpenFile {
    reader: Box<dyn Read + Send>,
    format: Format,
    /// Whether it is a file of the disk, which never blocks.
    regular: bool,
    count: Arc<AtomicU64>,
}

fn open_file(path: &Path, options: &ReadOptions) -> Result<OpenFile, String> {
    let standard = path == Path::new("-");
    let (packing, ending) = guess(path);
    let format = match (options.format, ending.as_str()) {
        (Some(format), _) => format,
        (None, "csv") => Format::Csv,
        (None, "tsv" | "tab") => Format::Tsv,
        (None, "txt") => Format::Text,
        (None, "jsonl" | "ndjson" | "json" | "jsonlines") => Format::Jsonl,
        (None, other) => {
            return Err(format!(
                "unknown format of .{other} files; specify it with --format jsonl, csv, tsv, text or parquet"
            ))
        }
    };
    let describe = |error: io::Error| plain(&error);
    let (raw, regular): (Box<dyn Read + Send>, bool) = if standard {
        (Box::new(InterruptibleInput::new(io::stdin(), options.stop.clone())), false)
    } else {
        let file = File::open(path).map_err(describe)?;
        // a named pipe may block as standard input does
        if file.metadata().is_ok_and(|meta| meta.is_file()) {
            (Box::new(file), true)
        } else {
            (Box::new(InterruptibleInput::new(file, options.stop.clone())), false)
        }
    };
    let count = Arc::new(AtomicU64::new(0));
    let counted = Counted { inner: raw, count: count.clone() };
    let mut reader: Box<dyn Read + Send> = match packing {
        Packing::None => Box::new(counted),
        Packing::Gzip => Box::new(NonEmpty {
            inner: flate2::read::MultiGzDecoder::new(BufReader::with_capacity(1 << 17, counted)),
            count: count.clone(),
        }),
        Packing::Zstd => {
            Box::new(NonEmpty { inner: zstd::Decoder::new(counted).map_err(describe)?, count: count.clone() })
        }
    };
    if format != Format::Text {
        reader = match options.encoding {
            Some(encoding) => Box::new(DecodingReader::new(reader, encoding)),
            None => Box::new(BomReader::new(reader)),
        };
    }
    Ok(OpenFile { reader, format, regular, count })
}

/// Opens a path ("-" is standard input) as a source of blocks. The error is a message without the path.
pub fn open(path: &Path, fields: &Fields, options: &ReadOptions) -> Result<Box<dyn Source>, String> {
    if path != Path::new("-") && path.is_dir() {
        return Ok(Box::new(Folder::open(path, options)?));
    }
    let OpenFile { reader, format, regular, count } = open_file(path, options)?;
    let delimiter = match format {
        Format::Csv => b',',
        Format::Tsv => b'\t',
        Format::Text => return Ok(Box::new(Single::new(path, reader, options, count))),
        Format::Jsonl => return Ok(Box::new(Lines::new(reader, options.largest, options.eager && !regular, count))),
    };
    let mut table = Table::new(reader, delimiter, fields, options.largest, count);
    if regular {
        // an error in the first row is an error of the file; input that may block reports it at the first read
        table.begin()?;
    }
    Ok(Box::new(table))
}

/// Opens a file of rows to copy them as they are stored.
pub fn open_stored(path: &Path, options: &ReadOptions) -> Result<StoredRows, String> {
    let OpenFile { reader, format, count, .. } = open_file(path, options)?;
    match format {
        Format::Csv => StoredRows::from_table(Rows::new(reader, b',', options.largest)),
        Format::Tsv => StoredRows::from_table(Rows::new(reader, b'\t', options.largest)),
        Format::Jsonl => Ok(StoredRows::from_lines(Lines::new(reader, options.largest, false, count))),
        Format::Text => Err("a text has no rows".into()),
    }
}

/// The record of an article in memory, one value per role in the order of `ROLES`.
pub fn record(values: [Option<String>; 7]) -> Record<'static> {
    let mut record = Record::default();
    for (value, (_, role)) in values.into_iter().zip(ROLES) {
        if let Some(value) = value {
            record.set(role, 0, value.into());
        }
    }
    record
}

/// Articles that are in memory. The first is number `first` of its file.
pub fn rows(rows: Vec<ReadRecord>, first: u64) -> Box<dyn Source> {
    Box::new(MemoryRows { rows: rows.into_iter(), line: first - 1 })
}

/// Lines of JSON already in memory, each with its line end.
pub fn block(lines: Vec<u8>) -> Box<dyn Source> {
    Box::new(Once(Some(lines)))
}

struct Once(Option<Vec<u8>>);

impl Source for Once {
    fn next(&mut self, _: Vec<u8>) -> io::Result<Option<InputBlock>> {
        Ok(self.0.take().filter(|lines| !lines.is_empty()).map(|lines| {
            let filled = lines.len();
            InputBlock::Lines(lines, filled)
        }))
    }

    fn consumed(&self) -> u64 {
        0
    }
}

struct MemoryRows {
    rows: std::vec::IntoIter<ReadRecord>,
    line: u64,
}

/// Articles handed to a thread at a time.
const ROWS_PER_BLOCK: usize = 256;

impl Source for MemoryRows {
    fn next(&mut self, _: Vec<u8>) -> io::Result<Option<InputBlock>> {
        let mut out = vec![];
        for row in self.rows.by_ref().take(ROWS_PER_BLOCK) {
            self.line += 1;
            out.push((self.line, row));
        }
        Ok((!out.is_empty()).then_some(InputBlock::Records(out)))
    }

    fn consumed(&self) -> u64 {
        0
    }
}

/// An encoding by the name that web pages and files use for it.
pub fn encoding(name: &str) -> Option<&'static encoding_rs::Encoding> {
    encoding_rs::Encoding::for_label(name.as_bytes())
}

/// Input that may block forever, read by a thread of its own, so that its reader can be stopped. The thread itself
/// cannot be stopped while it is blocked; it ends with its input or with the process.
struct InterruptibleInput {
    pieces: Receiver<io::Result<Vec<u8>>>,
    piece: Vec<u8>,
    position: usize,
    stop: Arc<AtomicBool>,
}

/// Capacity of the queue in pieces, and the interval for checking the stop flag.
const MAX_READY_PIECES: usize = 8;
const STOP_CHECK_INTERVAL: Duration = Duration::from_millis(50);

impl InterruptibleInput {
    fn new(mut input: impl Read + Send + 'static, stop: Arc<AtomicBool>) -> Self {
        let (ready, pieces) = sync_channel(MAX_READY_PIECES);
        std::thread::spawn(move || loop {
            let mut piece = vec![0u8; 1 << 18];
            let read = match input.read(&mut piece) {
                Ok(0) => return,
                Ok(got) => {
                    piece.truncate(got);
                    Ok(piece)
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => Err(error),
            };
            let failed = read.is_err();
            if ready.send(read).is_err() || failed {
                return;
            }
        });
        InterruptibleInput { pieces, piece: vec![], position: 0, stop }
    }
}

impl Read for InterruptibleInput {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.stop.load(Ordering::Relaxed) {
            return Ok(0);
        }
        while self.position == self.piece.len() {
            match self.pieces.recv_timeout(STOP_CHECK_INTERVAL) {
                Ok(piece) => (self.piece, self.position) = (piece?, 0),
                Err(RecvTimeoutError::Disconnected) => return Ok(0),
                Err(RecvTimeoutError::Timeout) if self.stop.load(Ordering::Relaxed) => return Ok(0),
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
        let count = buffer.len().min(self.piece.len() - self.position);
        buffer[..count].copy_from_slice(&self.piece[self.position..self.position + count]);
        self.position += count;
        Ok(count)
    }
}

/// UTF-8, or UTF-16 with a byte order mark, which is decoded to UTF-8. The mark is read with the first bytes and not
/// when the file is opened, since input may block.
enum BomReader {
    New(Box<dyn Read + Send>),
    Begun(Box<dyn Read + Send>),
    Ended,
}

impl BomReader {
    fn new(reader: Box<dyn Read + Send>) -> Self {
        BomReader::New(reader)
    }
}

impl Read for BomReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if let BomReader::Begun(reader) = self {
            return reader.read(buffer);
        }
        let BomReader::New(mut reader) = std::mem::replace(self, BomReader::Ended) else {
            return Ok(0);
        };
        let (mut mark, mut got) = ([0u8; 2], 0);
        while got < mark.len() {
            match reader.read(&mut mark[got..]) {
                Ok(0) => break,
                Ok(more) => got += more,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        let is_marked = UTF_16.contains(&mark);
        let whole = io::Cursor::new(mark).take(got as u64).chain(reader);
        *self = BomReader::Begun(match is_marked {
            true => Box::new(DecodingReader::new(whole, encoding_rs::UTF_16LE)),
            false => Box::new(whole),
        });
        self.read(buffer)
    }
}

/// Decodes another encoding to UTF-8; a byte order mark takes precedence over the named encoding.
struct DecodingReader<R> {
    inner: R,
    decoder: encoding_rs::Decoder,
    ready: Vec<u8>,
    position: usize,
    ended: bool,
}

impl<R: Read> DecodingReader<R> {
    fn new(inner: R, encoding: &'static encoding_rs::Encoding) -> Self {
        DecodingReader { inner, decoder: encoding.new_decoder(), ready: vec![], position: 0, ended: false }
    }
}

impl<R: Read> Read for DecodingReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.position == self.ready.len() && !self.ended {
            let mut raw = [0u8; 1 << 16];
            let got = self.inner.read(&mut raw)?;
            self.ended = got == 0;
            self.ready.clear();
            let mut rest = &raw[..got];
            loop {
                let filled = self.ready.len();
                let room =
                    self.decoder.max_utf8_buffer_length_without_replacement(rest.len()).unwrap_or(4 * rest.len() + 16);
                self.ready.resize(filled + room, 0);
                let (result, read, written) =
                    self.decoder.decode_to_utf8_without_replacement(rest, &mut self.ready[filled..], self.ended);
                self.ready.truncate(filled + written);
                rest = &rest[read..];
                match result {
                    encoding_rs::DecoderResult::InputEmpty => break,
                    encoding_rs::DecoderResult::OutputFull => {}
                    // a byte that is invalid in UTF-8: its line is rejected, as it would be without decoding
                    encoding_rs::DecoderResult::Malformed(..) => self.ready.push(0xff),
                }
            }
            self.position = 0;
        }
        let count = buffer.len().min(self.ready.len() - self.position);
        buffer[..count].copy_from_slice(&self.ready[self.position..self.position + count]);
        self.position += count;
        Ok(count)
    }
}
