//! CSV and TSV: the first row names the fields.

use std::borrow::Cow;
use std::io::{self, Read};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::Arc;

use super::rows::{Cells, Rows};
use super::source::{InputBlock, Source};
use crate::input::record::{Fault, Fields, Record, Role};

/// Rows handed to a thread at a time.
const ROWS_PER_BLOCK: usize = 512;

/// A column of a table: its role, if any, with the rank of its name; and its name, if it is kept without a role.
struct TableColumn {
    role: Option<(Role, u8)>,
    other: Option<String>,
}

pub struct Table {
    rows: Rows,
    fields: Fields,
    /// Empty until the first row has been read.
    columns: Vec<TableColumn>,
    largest: usize,
    /// A read error, returned after the rows before it.
    failed: Option<io::Error>,
    count: Arc<AtomicU64>,
}

impl Table {
    pub fn new(
        reader: Box<dyn Read + Send>,
        delimiter: u8,
        fields: &Fields,
        largest: usize,
        count: Arc<AtomicU64>,
    ) -> Self {
        let rows = Rows::new(reader, delimiter, largest);
        Table { rows, fields: fields.clone(), columns: vec![], largest, failed: None, count }
    }

    /// Reads the first row.
    pub fn begin(&mut self) -> Result<(), String> {
        let names: Vec<String> = match self
            .rows
            .next()
            .map_err(|e| format!("reading stopped in the first row: {}", super::source::plain(&e)))?
        {
            None => return Err("empty; expected a first row with the names of the columns".into()),
            Some(row) => {
                let cells = row.cells.map_err(|(_, why)| format!("the first row cannot be read: {why}"))?;
                cells.iter().map(|name| String::from_utf8_lossy(&name).trim().to_owned()).collect()
            }
        };
        let column = |name: &String| {
            let role = self.fields.role(name);
            TableColumn { role, other: (role.is_none() && self.fields.keeps_others).then(|| name.clone()) }
        };
        self.columns = names.iter().map(column).collect();
        let has = |wanted: Role| self.columns.iter().filter_map(|column| column.role).any(|(role, _)| role == wanted);
        // headlines replace texts, but not a column that the user has named and that is missing
        if !has(Role::Text) && (self.fields.names(Role::Text) || !has(Role::Title)) {
            return Err(format!("no column for the text among {}; name it with --field text=COLUMN", names.join(", ")));
        }
        self.rows.width = self.columns.len();
        Ok(())
    }
}

impl Source for Table {
    fn next(&mut self, _: Vec<u8>) -> io::Result<Option<InputBlock>> {
        if let Some(error) = self.failed.take() {
            return Err(error);
        }
        if self.columns.is_empty() {
            self.begin().map_err(io::Error::other)?;
        }
        let mut out = vec![];
        while out.len() < ROWS_PER_BLOCK {
            match self.rows.next() {
                Ok(None) => break,
                Ok(Some(row)) => {
                    let record = row.cells.and_then(|cells| record(&cells, &self.columns, self.largest));
                    out.push((row.line, record));
                }
                Err(error) => {
                    self.failed = Some(error);
                    return Ok(Some(InputBlock::Records(out)));
                }
            }
        }
        Ok((!out.is_empty()).then_some(InputBlock::Records(out)))
    }

    fn consumed(&self) -> u64 {
        self.count.load(Ordering::Relaxed)
    }

    fn broken(&self, _: u64) -> u64 {
        self.rows.line()
    }
}

fn record(cells: &Cells, columns: &[TableColumn], largest: usize) -> Result<Record<'static>, (Fault, String)> {
    if cells.len() != columns.len() {
        return Err((Fault::BrokenLine, format!("{} columns wanted, {} found", columns.len(), cells.len())));
    }
    let mut record = Record::default();
    for (value, column) in cells.iter().zip(columns) {
        let Some((role, rank)) = column.role else {
            if let (Some(name), false) = (&column.other, value.is_empty()) {
                let text = String::from_utf8_lossy(&value);
                record.add_other(name, &sonic_rs::to_string(&*text).expect("a text is JSON"));
            }
            continue;
        };
        if value.len() > largest {
            return Err((Fault::TooLarge, format!("{} bytes in one cell, {largest} allowed (--largest)", value.len())));
        }
        let value = String::from_utf8(value.into_owned())
            .map_err(|_| (Fault::Encoding, "not UTF-8; name the encoding with --encoding".into()))?;
        if !value.is_empty() {
            record.set(role, rank, Cow::Owned(value));
        }
    }
    Ok(record)
}
