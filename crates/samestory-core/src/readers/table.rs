//! CSV and TSV: the first row names the fields.

use std::borrow::Cow;
use std::io::{self, Read};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::Arc;

use super::{Block, Source};
use crate::article::{Fault, Fields, Record, Role};

const ROWS: usize = 512;

pub struct Table {
    reader: csv::Reader<Box<dyn Read + Send>>,
    columns: Vec<Option<(Role, u8)>>,
    largest: usize,
    count: Arc<AtomicU64>,
}

impl Table {
    pub fn new(
        reader: Box<dyn Read + Send>,
        delimiter: u8,
        fields: &Fields,
        largest: usize,
        count: Arc<AtomicU64>,
    ) -> Result<Self, String> {
        let mut reader = csv::ReaderBuilder::new().delimiter(delimiter).flexible(true).from_reader(reader);
        let names = reader.headers().map_err(|e| format!("the first row cannot be read: {e}"))?;
        let columns: Vec<_> = names.iter().map(|n| fields.role(n.trim_start_matches('\u{feff}').trim())).collect();
        if !columns.iter().any(|c| matches!(c, Some((Role::Text, _)))) {
            let known: Vec<&str> = names.iter().collect();
            return Err(format!("no column for the text among {}; name it with --field text=COLUMN", known.join(", ")));
        }
        Ok(Table { reader, columns, largest, count })
    }
}

impl Source for Table {
    fn next(&mut self, _: Vec<u8>) -> io::Result<Option<Block>> {
        let mut out = vec![];
        let mut row = csv::ByteRecord::new();
        while out.len() < ROWS {
            match self.reader.read_byte_record(&mut row) {
                Ok(false) => break,
                Ok(true) => {
                    let line = row.position().map_or(0, csv::Position::line);
                    out.push((line, self.record(&row)));
                }
                Err(error) if error.is_io_error() => return Err(io::Error::other(error.to_string())),
                Err(error) => {
                    let line = error.position().map_or(0, csv::Position::line);
                    out.push((line, Err((Fault::BrokenLine, error.to_string()))));
                }
            }
        }
        Ok((!out.is_empty()).then_some(Block::Records(out)))
    }

    fn consumed(&self) -> u64 {
        self.count.load(Ordering::Relaxed)
    }
}

impl Table {
    fn record(&self, row: &csv::ByteRecord) -> Result<Record<'static>, (Fault, String)> {
        if row.len() != self.columns.len() {
            return Err((Fault::BrokenLine, format!("{} columns wanted, {} found", self.columns.len(), row.len())));
        }
        let mut record = Record::default();
        for (value, column) in row.iter().zip(&self.columns) {
            let Some((role, rank)) = *column else {
                continue;
            };
            if value.len() > self.largest {
                return Err((Fault::TooLarge, format!("{} bytes in one cell", value.len())));
            }
            let value = std::str::from_utf8(value)
                .map_err(|_| (Fault::Encoding, "not UTF-8; name the encoding with --encoding".into()))?;
            if !value.is_empty() {
                record.set(role, rank, Cow::Owned(value.to_owned()));
            }
        }
        Ok(record)
    }
}
