//! The rows of a file as they are stored, to copy some of them.

use std::io;

use super::lines::Lines;
use super::rows::Rows;
use super::source::{plain, InputBlock, Source};

/// Rows of a table returned at a time.
const ROWS_PER_BLOCK: usize = 512;

/// The number of the line in which a row begins, as readers of articles count it; and its bytes with the line end.
pub type StoredRow = (u64, Vec<u8>);

/// Returns the rows of JSON Lines, CSV or TSV in order. A byte order mark is no part of a row, and rows that are too
/// large or cannot be parsed have no bytes.
pub struct StoredRows {
    input: StoredInput,
    /// The first row of a table.
    pub header: Option<Vec<u8>>,
}

enum StoredInput {
    Lines(Lines, u64),
    Table(Box<Rows>),
}

impl StoredRows {
    pub(super) fn from_lines(lines: Lines) -> Self {
        StoredRows { input: StoredInput::Lines(lines, 0), header: None }
    }

    pub(super) fn from_table(mut rows: Rows) -> Result<Self, String> {
        let first = rows.next().map_err(|error| plain(&error))?;
        let (header, width) = match first {
            Some(row) => (row.stored.to_vec(), row.cells.map_or(0, |cells| cells.len())),
            None => return Err("empty; expected a first row with the names of the columns".into()),
        };
        rows.width = width;
        Ok(StoredRows { input: StoredInput::Table(Box::new(rows)), header: Some(header) })
    }

    /// The next rows; none at the end.
    pub fn next_block(&mut self) -> io::Result<Option<Vec<StoredRow>>> {
        match &mut self.input {
            StoredInput::Lines(lines, number) => {
                let Some(InputBlock::Lines(bytes, filled)) = lines.next(vec![])? else {
                    return Ok(None);
                };
                let mut out = vec![];
                for line in bytes[..filled].split_inclusive(|&byte| byte == b'\n') {
                    *number += 1;
                    let line = line.strip_prefix(b"\xef\xbb\xbf").filter(|_| *number == 1).unwrap_or(line);
                    if !line.trim_ascii().is_empty() {
                        out.push((*number, line.to_vec()));
                    }
                }
                Ok(Some(out))
            }
            StoredInput::Table(rows) => {
                let mut out = vec![];
                while out.len() < ROWS_PER_BLOCK {
                    match rows.next()? {
                        Some(row) => out.push((row.line, row.stored.to_vec())),
                        None => break,
                    }
                }
                Ok((!out.is_empty()).then_some(out))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(mut rows: StoredRows) -> Vec<(u64, String)> {
        let mut out = vec![];
        while let Some(block) = rows.next_block().unwrap() {
            out.extend(block.into_iter().map(|(line, bytes)| (line, String::from_utf8(bytes).unwrap())));
        }
        out
    }

    fn row(line: u64, bytes: &str) -> (u64, String) {
        (line, bytes.to_owned())
    }

    #[test]
    fn lines_are_returned_with_their_ends_and_blank_ones_are_counted() {
        let bytes = b"\xef\xbb\xbf{\"a\": 1}\r\n\n  {}\n{\"b\": 2}".to_vec();
        let lines = Lines::new(Box::new(io::Cursor::new(bytes)), 1000, false, Default::default());
        let wanted = [row(1, "{\"a\": 1}\r\n"), row(3, "  {}\n"), row(4, "{\"b\": 2}")];
        assert_eq!(all(StoredRows::from_lines(lines)), wanted);
    }

    #[test]
    fn rows_of_a_table_keep_quotes_and_line_ends_and_a_broken_one_has_no_bytes() {
        let text = "\u{feff}id,text\r\n\r\n1,\"a \"\"b\"\"\nc\"\r\n2,\"open\r\n3,end";
        let rows = Rows::new(Box::new(io::Cursor::new(text.as_bytes().to_vec())), b',', 1000);
        let rows = StoredRows::from_table(rows).unwrap();
        assert_eq!(rows.header.as_deref(), Some(&b"id,text\r\n"[..]));
        assert_eq!(all(rows), [row(3, "1,\"a \"\"b\"\"\nc\"\r\n"), row(5, ""), row(6, "3,end")]);
    }
}
