//! JSON Lines: blocks of whole lines, cut from any stream.

use std::io::{self, Read};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::Arc;

use super::source::{InputBlock, Source};

const BLOCK: usize = 1 << 20;

/// Cuts a stream into blocks at line ends. The length of a line beyond that of its article is bounded by `SPARE`.
pub struct Lines {
    reader: Box<dyn Read + Send>,
    rest: Vec<u8>,
    max_line_bytes: usize,
    /// Return whole lines as soon as they arrive, however few: the next may take hours.
    eager: bool,
    ended: bool,
    /// A read error, returned after the lines before it.
    failed: Option<io::Error>,
    count: Arc<AtomicU64>,
}

/// Escapes can make a text six times as long in JSON; other fields need room too.
const ESCAPED: usize = 6;
const SPARE: usize = 1 << 20;

impl Lines {
    pub fn new(reader: Box<dyn Read + Send>, largest: usize, eager: bool, count: Arc<AtomicU64>) -> Self {
        Lines {
            eager,
            reader,
            rest: vec![],
            max_line_bytes: largest.saturating_mul(ESCAPED).saturating_add(SPARE),
            ended: false,
            failed: None,
            count,
        }
    }

    /// Reads to the end of a line that is too long; what follows it becomes the rest. The line itself is replaced by a
    /// short placeholder that the parser rejects for its size, so that line numbers stay correct.
    fn skip_line(&mut self) -> io::Result<Vec<u8>> {
        let mut piece = vec![0u8; BLOCK];
        loop {
            let got = self.reader.read(&mut piece)?;
            if got == 0 {
                self.ended = true;
                return Ok(TOO_LONG.to_vec());
            }
            if let Some(end) = memchr::memchr(b'\n', &piece[..got]) {
                self.rest.extend_from_slice(&piece[end + 1..got]);
                return Ok(TOO_LONG.to_vec());
            }
        }
    }
}

/// Placeholder for a line too long for the buffer.
pub(super) const TOO_LONG: &[u8] = b"\x00too long\n";

impl Source for Lines {
    fn next(&mut self, mut block: Vec<u8>) -> io::Result<Option<InputBlock>> {
        if let Some(error) = self.failed.take() {
            self.ended = true;
            return Err(error);
        }
        if self.ended && self.rest.is_empty() {
            return Ok(None);
        }
        // the buffer keeps its length and is overwritten: nothing is set to zero twice
        block.resize(block.len().max(BLOCK).max(self.rest.len()), 0);
        let mut filled = self.rest.len();
        block[..filled].copy_from_slice(&self.rest);
        self.rest.clear();
        loop {
            while filled < block.len() {
                match self.reader.read(&mut block[filled..]) {
                    Ok(0) => {
                        self.ended = true;
                        return Ok((filled > 0).then_some(InputBlock::Lines(block, filled)));
                    }
                    Ok(got) => {
                        filled += got;
                        if self.eager && memchr::memchr(b'\n', &block[filled - got..filled]).is_some() {
                            break;
                        }
                    }
                    Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                    Err(error) => {
                        // the incomplete line is lost, with all that would have followed
                        let Some(end) = memchr::memrchr(b'\n', &block[..filled]) else {
                            self.ended = true;
                            return Err(error);
                        };
                        self.failed = Some(error);
                        return Ok(Some(InputBlock::Lines(block, end + 1)));
                    }
                }
            }
            if let Some(end) = memchr::memrchr(b'\n', &block[..filled]) {
                self.rest.extend_from_slice(&block[end + 1..filled]);
                return Ok(Some(InputBlock::Lines(block, end + 1)));
            }
            if filled > self.max_line_bytes {
                let stand_in = self.skip_line()?;
                return Ok(Some(InputBlock::Lines(stand_in, TOO_LONG.len())));
            }
            block.resize(2 * filled, 0);
        }
    }

    fn consumed(&self) -> u64 {
        self.count.load(Ordering::Relaxed)
    }

    fn broken(&self, lines: u64) -> u64 {
        lines + 1
    }
}

#[cfg(test)]
mod tests {
    use super::super::json::parse;
    use super::*;
    use crate::input::record::{Fault, Fields, Role};

    fn all(bytes: &[u8], largest: usize) -> Vec<Result<String, Fault>> {
        let mut source = Lines::new(Box::new(io::Cursor::new(bytes.to_vec())), largest, false, Arc::default());
        let mut out = vec![];
        while let Some(InputBlock::Lines(block, filled)) = source.next(vec![]).unwrap() {
            for line in block[..filled].split(|&b| b == b'\n').filter(|l| !l.is_empty()) {
                out.push(
                    parse(line, &Fields::default())
                        .map(|r| r.get(Role::Text).unwrap_or("-").to_string())
                        .map_err(|e| e.0),
                );
            }
        }
        out
    }

    #[test]
    fn bad_lines_are_told_apart_and_do_not_stop_the_rest() {
        let mut bytes = b"{\"text\": \"one\"}\n{\"text\": \n[1]\n{\"text\": \"\xff\"}\n{\"text\": \"two\"} x\n{\"text\": \"three\"}".to_vec();
        assert_eq!(
            all(&bytes, 100),
            [
                Ok("one".into()),
                Err(Fault::BrokenLine),
                Err(Fault::BrokenLine),
                Err(Fault::Encoding),
                Err(Fault::BrokenLine),
                Ok("three".into())
            ]
        );
        bytes.extend_from_slice(b"\n{\"text\": \"");
        bytes.extend(std::iter::repeat_n(b'a', 5 << 20));
        bytes.extend_from_slice(b"\"}\n{\"text\": \"after\"}\n");
        let read = all(&bytes, 1000);
        assert_eq!(read[6..], [Err(Fault::TooLarge), Ok("after".into())]);
    }
}
