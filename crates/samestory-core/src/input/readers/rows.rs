//! Rows of CSV and TSV, cut from any stream.
//!
//! A cell in quotes ends with a quote before a separator or a line end; quotes inside it are doubled. A quote that does
//! not end so was not meant to open a cell: the line in which it was opened is rejected, and reading continues after
//! that line, so that a quote never swallows the rows that follow.

use std::io::{self, Read};

use crate::input::record::Fault;

/// Bytes read at a time, and the bytes of a row beyond those of its article.
const PIECE: usize = 1 << 18;
const SPARE: usize = 1 << 20;
/// Quotes are doubled in quotes, so that a text may be this many times as long.
const ESCAPED: usize = 2;
/// Rows examined to distinguish a quote that was never closed (rows follow) from a huge text (prose follows).
const MAX_LOOKAHEAD_ROWS: usize = 32;
/// A byte order mark.
const MARK: &[u8] = b"\xef\xbb\xbf";

pub struct Rows {
    reader: Box<dyn Read + Send>,
    delimiter: u8,
    max_bytes: usize,
    /// Cells per row, once known.
    pub width: usize,
    buffer: Vec<u8>,
    /// The unconsumed part of the buffer, `at..filled`, and the line in which it begins.
    at: usize,
    filled: usize,
    line: u64,
    begun: bool,
    ended: bool,
    cells: Vec<Cell>,
}

#[derive(Clone, Copy)]
struct Cell {
    start: usize,
    end: usize,
    /// Has it doubled quotes?
    doubled: bool,
}

/// The result of scanning the buffer for a row.
enum Scan {
    /// A row that ends here; its cells are in `cells`.
    Row(usize),
    /// The cell that begins here, in quotes or not, does not end in the buffer.
    Open { cell: usize, quoted: bool },
    /// The quote opened here is closed before something other than the end of a cell.
    Torn(usize),
}

/// A row in the buffer, or its fault; and its line.
pub struct Row<'a> {
    pub line: u64,
    /// Its bytes with the line end; empty for a row with a fault.
    pub stored: &'a [u8],
    pub cells: Result<Cells<'a>, (Fault, String)>,
}

pub struct Cells<'a> {
    bytes: &'a [u8],
    cells: &'a [Cell],
}

impl Cells<'_> {
    pub fn len(&self) -> usize {
        self.cells.len()
    }

    pub fn iter(&self) -> impl Iterator<Item = std::borrow::Cow<'_, [u8]>> {
        self.cells.iter().map(|cell| {
            let bytes = &self.bytes[cell.start..cell.end];
            if !cell.doubled {
                return bytes.into();
            }
            let mut out = Vec::with_capacity(bytes.len());
            let mut from = 0;
            while let Some(quote) = memchr::memchr(b'"', &bytes[from..]) {
                out.extend_from_slice(&bytes[from..=from + quote]);
                from += quote + 2;
            }
            out.extend_from_slice(&bytes[from..]);
            out.into()
        })
    }
}

impl Rows {
    pub fn new(reader: Box<dyn Read + Send>, delimiter: u8, largest: usize) -> Self {
        Rows {
            reader,
            delimiter,
            max_bytes: largest.saturating_mul(ESCAPED).saturating_add(SPARE),
            width: 0,
            buffer: vec![],
            at: 0,
            filled: 0,
            line: 1,
            begun: false,
            ended: false,
            cells: vec![],
        }
    }

    /// The line in which the next row begins.
    pub fn line(&self) -> u64 {
        self.line
    }

    /// The next row; none at the end.
    pub fn next(&mut self) -> io::Result<Option<Row<'_>>> {
        if !self.begun {
            while self.filled < MARK.len() && !self.ended {
                self.fill()?;
            }
            self.at = if self.buffer[..self.filled].starts_with(MARK) { MARK.len() } else { 0 };
            self.begun = true;
        }
        loop {
            // empty lines between rows
            while self.at < self.filled && matches!(self.buffer[self.at], b'\n' | b'\r') {
                match self.line_end(self.at) {
                    Some(end) => self.pass(end),
                    None => break,
                }
            }
            if self.at == self.filled && self.ended {
                return Ok(None);
            }
            let line = self.line;
            let mut scan = self.scan(true);
            if let (Scan::Torn(_) | Scan::Open { quoted: true, .. }, b'\t') = (&scan, self.delimiter) {
                // few programs quote cells in TSV: a line with the right number of cells is accepted without quoting
                if matches!(scan, Scan::Torn(_)) || self.ended || self.filled - self.at > self.max_bytes {
                    if let Scan::Row(end) = self.scan(false) {
                        if self.cells.len() == self.width {
                            scan = Scan::Row(end);
                        }
                    }
                }
            }
            match scan {
                Scan::Row(end) => {
                    let start = self.at;
                    self.pass(end);
                    let (bytes, cells) = (&self.buffer, &self.cells);
                    return Ok(Some(Row { line, stored: &bytes[start..end], cells: Ok(Cells { bytes, cells }) }));
                }
                Scan::Torn(quote) => {
                    let why = "a quote is opened in this line that does not close before a separator or a line end";
                    return self.refuse(quote, Fault::BrokenLine, why.into()).map(Some);
                }
                Scan::Open { cell: quote, quoted: true } if self.ended => {
                    let why = "a quote is opened in this line and never closed";
                    return self.refuse(quote, Fault::BrokenLine, why.into()).map(Some);
                }
                Scan::Open { cell, quoted } if self.filled - self.at > self.max_bytes => {
                    if quoted && self.rows_follow(cell) {
                        let why =
                            format!("a quote is opened in this line and not closed within {} bytes", self.max_bytes);
                        return self.refuse(cell, Fault::BrokenLine, why).map(Some);
                    }
                    let mut why = format!("a row of more than {} bytes", self.max_bytes);
                    let closed = !quoted || self.pass_quoted(cell)?;
                    if closed {
                        self.pass_row(if quoted { self.at } else { cell })?;
                    } else {
                        why.push_str(", its quote not closed before the end");
                    }
                    return Ok(Some(Row { line, stored: &[], cells: Err((Fault::TooLarge, why)) }));
                }
                Scan::Open { .. } => self.fill()?,
            }
        }
    }

    /// Scans for the end of the row that begins at `self.at`; without `quotes`, quotes are ordinary characters.
    fn scan(&mut self, quotes: bool) -> Scan {
        let bytes = &self.buffer[..self.filled];
        self.cells.clear();
        let mut at = self.at;
        loop {
            let start = at;
            if quotes && bytes.get(at) == Some(&b'"') {
                let (mut from, mut doubled) = (at + 1, false);
                let close = loop {
                    let Some(quote) = memchr::memchr(b'"', &bytes[from..]) else {
                        return Scan::Open { cell: start, quoted: true };
                    };
                    if bytes.get(from + quote + 1) != Some(&b'"') {
                        break from + quote;
                    }
                    (from, doubled) = (from + quote + 2, true);
                };
                self.cells.push(Cell { start: start + 1, end: close, doubled });
                at = close + 1;
            } else {
                match memchr::memchr3(self.delimiter, b'\n', b'\r', &bytes[at..]) {
                    None if self.ended => at = bytes.len(),
                    None => return Scan::Open { cell: start, quoted: false },
                    Some(end) => at += end,
                }
                self.cells.push(Cell { start, end: at, doubled: false });
            }
            match bytes.get(at) {
                Some(&byte) if byte == self.delimiter => at += 1,
                Some(b'\n' | b'\r') => {
                    return self.line_end(at).map_or(Scan::Open { cell: start, quoted: false }, Scan::Row)
                }
                Some(_) => return Scan::Torn(start),
                None if self.ended => return Scan::Row(at),
                None => return Scan::Open { cell: start, quoted: bytes[start] == b'"' },
            }
        }
    }

    /// The offset after the line end at `at`; None if more must be read to decide.
    fn line_end(&self, at: usize) -> Option<usize> {
        let bytes = &self.buffer[..self.filled];
        match (bytes[at], bytes.get(at + 1)) {
            (b'\r', Some(b'\n')) => Some(at + 2),
            (b'\r', None) if !self.ended => None,
            _ => Some(at + 1),
        }
    }

    /// Advances to `end`, counting line ends as an editor does.
    fn pass(&mut self, end: usize) {
        self.line += lines(&self.buffer[self.at..end]);
        self.at = end;
    }

    /// Discards the consumed part of the buffer and reads more.
    fn fill(&mut self) -> io::Result<()> {
        let rest = self.filled - self.at;
        self.buffer.copy_within(self.at..self.filled, 0);
        (self.at, self.filled) = (0, rest);
        self.buffer.resize((2 * rest).max(PIECE), 0);
        // doubled every time, so that a long row is not scanned too often
        while !self.ended && self.filled < (2 * rest).max(1) {
            match self.reader.read(&mut self.buffer[self.filled..]) {
                Ok(0) => self.ended = true,
                Ok(got) => self.filled += got,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// Rejects the line in which a quote was opened.
    fn refuse(&mut self, quote: usize, fault: Fault, why: String) -> io::Result<Row<'_>> {
        let first = self.line;
        self.pass(quote);
        let line = self.line;
        let why = if first < line { format!("{why}; the row begins in line {first}") } else { why };
        self.pass_row(quote)?;
        Ok(Row { line, stored: &[], cells: Err((fault, why)) })
    }

    /// Advances to the end of the line that contains `from`, however long it is.
    fn pass_row(&mut self, mut from: usize) -> io::Result<()> {
        loop {
            if let Some(end) = memchr::memchr2(b'\n', b'\r', &self.buffer[from..self.filled]) {
                if let Some(end) = self.line_end(from + end) {
                    self.pass(end);
                    return Ok(());
                }
            }
            // a carriage return may be half a line end
            let keep = usize::from(self.filled > from && self.buffer[self.filled - 1] == b'\r' && !self.ended);
            self.pass(self.filled - keep);
            if self.ended {
                return Ok(());
            }
            self.fill()?;
            from = self.at;
        }
    }

    /// Advances past the quote that closes the one opened at `quote`; returns false if there is none.
    fn pass_quoted(&mut self, quote: usize) -> io::Result<bool> {
        let mut from = quote + 1;
        loop {
            let found = memchr::memchr(b'"', &self.buffer[from..self.filled]).map(|found| from + found);
            match found {
                Some(found) if found + 1 < self.filled || self.ended => {
                    if self.buffer[..self.filled].get(found + 1) == Some(&b'"') {
                        from = found + 2;
                        continue;
                    }
                    self.pass(found + 1);
                    return Ok(true);
                }
                _ => {
                    self.pass(found.unwrap_or(self.filled));
                    if self.ended {
                        return Ok(false);
                    }
                    self.fill()?;
                    from = self.at;
                }
            }
        }
    }

    /// Are most of the lines after the one in which a quote was opened rows by themselves?
    fn rows_follow(&mut self, quote: usize) -> bool {
        let (at, width, mut rows, mut good) = (self.at, self.width, 0, 0);
        let mut from = quote;
        while let Some(end) = memchr::memchr(b'\n', &self.buffer[from..self.filled]) {
            from += end + 1;
            self.at = from;
            if let Scan::Row(end) = self.scan(true) {
                rows += 1;
                good += usize::from(self.cells.len() == width);
                from = end - 1;
            }
            if rows == MAX_LOOKAHEAD_ROWS {
                break;
            }
        }
        self.at = at;
        2 * good > rows
    }
}

/// The number of line ends in some bytes.
fn lines(bytes: &[u8]) -> u64 {
    let lone = |&at: &usize| bytes.get(at + 1) != Some(&b'\n');
    (memchr::memchr_iter(b'\n', bytes).count() + memchr::memchr_iter(b'\r', bytes).filter(lone).count()) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a few bytes at a time, so that every boundary is tested.
    struct Slow(io::Cursor<Vec<u8>>, usize);

    impl Read for Slow {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let count = buffer.len().min(self.1);
            self.0.read(&mut buffer[..count])
        }
    }

    type ParsedRow = (u64, Result<Vec<String>, Fault>);

    fn all(text: &str, delimiter: u8, largest: usize, step: usize) -> Vec<ParsedRow> {
        let mut rows = Rows::new(Box::new(Slow(io::Cursor::new(text.as_bytes().to_vec()), step)), delimiter, largest);
        let mut out = vec![];
        while let Some(row) = rows.next().unwrap() {
            let cells = row
                .cells
                .map(|cells| cells.iter().map(|c| String::from_utf8_lossy(&c).into_owned()).collect::<Vec<_>>());
            out.push((row.line, cells.map_err(|e| e.0)));
            if let (0, Some((_, Ok(cells)))) = (rows.width, out.last()) {
                rows.width = cells.len();
            }
        }
        out
    }

    fn row(line: u64, cells: &[&str]) -> ParsedRow {
        (line, Ok(cells.iter().map(|&c| c.to_owned()).collect()))
    }

    #[test]
    fn cells_quotes_line_ends_and_empty_lines_are_read_at_any_boundary() {
        let text = "\u{feff}id,text\r\n1,\"a \"\"b\"\", c\r\nd\"\r\n\r\n\"2\",\n3,6\" pipe\n\"\",\"\"\"\"\r4,end";
        for step in 1..20 {
            assert_eq!(
                all(text, b',', 1000, step),
                [
                    row(1, &["id", "text"]),
                    row(2, &["1", "a \"b\", c\r\nd"]),
                    row(5, &["2", ""]),
                    row(6, &["3", "6\" pipe"]),
                    row(7, &["", "\""]),
                    row(8, &["4", "end"]),
                ]
            );
        }
        assert_eq!(all("", b',', 1000, 1), []);
        assert_eq!(all("a,b,\n", b',', 1000, 1), [row(1, &["a", "b", ""])]);
        assert_eq!(all("a,b,", b',', 1000, 1), [row(1, &["a", "b", ""])]);
    }

    #[test]
    fn a_quote_that_does_not_close_costs_its_own_line_only() {
        for step in [1, 7, 4096] {
            for bad in ["2,\"open", "2,\"he said \"so\" twice\"", "2,\"\"\"open", "2,\"open\r"] {
                let text = format!("id,text\n1,\"two\nlines\"\n{bad}\n3,\"fine\"\n4,\"also\"\n");
                let found = all(&text, b',', 1000, step);
                let bad = (4, Err(Fault::BrokenLine));
                assert_eq!(found[2..], [bad, row(5, &["3", "fine"]), row(6, &["4", "also"])], "{text:?}");
            }
            let found = all("id,text\n1,\"open\n2,plain\n3,plain", b',', 1000, step);
            assert_eq!(found[1..], [(2, Err(Fault::BrokenLine)), row(3, &["2", "plain"]), row(4, &["3", "plain"])]);
            // the row begins two lines before the quote that is reported
            let found = all("id,text\n\"a\nb\nc\",\"open\n2,plain\n", b',', 1000, step);
            assert_eq!(found[1..], [(4, Err(Fault::BrokenLine)), row(5, &["2", "plain"])]);
        }
    }

    #[test]
    fn between_tabs_a_quote_may_be_just_a_quote() {
        let found = all("id\ttext\n1\t\"We won,\" she said\n2\t\"open\n3\t\"a\tb\"\n", b'\t', 1000, 3);
        let wanted = [row(2, &["1", "\"We won,\" she said"]), row(3, &["2", "\"open"]), row(4, &["3", "a\tb"])];
        assert_eq!(found[1..], wanted);
    }

    #[test]
    fn a_quote_that_is_never_closed_is_told_before_the_memory_is_full() {
        let rows: String = (0..100_000).map(|n| format!("{n},plain words in plain cells\n")).collect();
        let found = all(&format!("id,text\na,\"open\n{rows}"), b',', 1000, 1 << 16);
        assert_eq!(found[1], (2, Err(Fault::BrokenLine)));
        assert_eq!(found.len(), 2 + 100_000);
        assert_eq!(found.last().unwrap().0, 2 + 100_000);
    }

    #[test]
    fn a_huge_text_in_quotes_is_one_row_too_large() {
        let prose = "Many words in one long line of prose.\n".repeat(60_000);
        for (huge, end) in [(prose.as_str(), 60_003), (&prose.replace('\n', " "), 3)] {
            let found = all(&format!("id,text\n1,\"{huge}\"\n2,after\n"), b',', 1000, 1 << 16);
            assert_eq!(found[1..], [(2, Err(Fault::TooLarge)), row(end, &["2", "after"])]);
            let found = all(&format!("id,text\n1,\"{huge}"), b',', 1000, 1 << 16);
            assert_eq!(found[1..], [(2, Err(Fault::TooLarge))]);
        }
        let found = all(&format!("id,text\n1,{}\n2,after\n", "x".repeat(4 << 20)), b',', 1000, 1 << 16);
        assert_eq!(found[1..], [(2, Err(Fault::TooLarge)), row(3, &["2", "after"])]);
    }
}
