//! A ledger as a table for people: the same calls give the same text.

use std::fmt::{Display, Write as _};

use rb_core::Usd;

use super::{About, Ledger, Sum};
use crate::call::Counted;

/// What the rows of a table are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum By {
    Role,
    Task,
    File,
}

const COLUMNS: usize = 7;

impl Ledger {
    /// One row each, sorted by name, and their sum. `~` marks tokens that were estimated.
    pub fn table(&self, by: By) -> String {
        let name = match by {
            By::Role => "role",
            By::Task => "task",
            By::File => "file",
        };
        let head = [name, "calls", "input", "cached", "output", "cost", "time"];
        let mut rows = vec![head.map(str::to_owned)];
        match by {
            By::Role => rows.extend(self.roles().iter().map(|(role, sum)| row(role, sum))),
            By::Task => rows.extend(self.tasks().iter().map(|(task, sum)| row(task, sum))),
            By::File => rows.extend(self.files().iter().map(|(file, sum)| row(file, sum))),
        }
        rows.push(row(&"total", &self.total()));
        aligned(&rows)
    }
}

fn row(name: &dyn Display, sum: &Sum) -> [String; COLUMNS] {
    let mark = match sum.usage.counted {
        Counted::ByProvider => "",
        Counted::Estimate => "~",
    };
    let cached = sum.usage.cache_read.saturating_add(sum.usage.cache_write);
    let tokens = |count: u64| format!("{mark}{count}");
    [
        name.to_string(),
        sum.calls.to_string(),
        tokens(sum.usage.input),
        tokens(cached),
        tokens(sum.usage.output),
        cost(sum),
        format!("{}.{} s", sum.ms / 1000, sum.ms % 1000 / 100),
    ]
}

/// What nobody knows is said, not left out.
fn cost(sum: &Sum) -> String {
    match (sum.cost, sum.unknown) {
        (known, 0) => known.to_string(),
        (known, unknown) if known == Usd::default() && unknown == sum.calls => "unknown".to_owned(),
        (known, unknown) => format!("{known} and {unknown} unknown"),
    }
}

impl<T: Display> Display for About<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            About::This(this) => this.fmt(f),
            About::Nothing => f.write_str("(none)"),
        }
    }
}

/// Names on the left, numbers on the right.
fn aligned(rows: &[[String; COLUMNS]]) -> String {
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max();
    let widths: [usize; COLUMNS] = std::array::from_fn(|column| width(column).unwrap_or(0));
    let mut text = String::new();
    for row in rows {
        let _ = write!(text, "{:<width$}", row[0], width = widths[0]);
        for (cell, width) in row.iter().zip(widths).skip(1) {
            let _ = write!(text, "  {cell:>width$}");
        }
        text.push('\n');
    }
    text
}
