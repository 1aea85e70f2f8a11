//! Differences between two files, and their report.

use crate::core::output::{Report, Style, printable};
use crate::core::size::count;
use asdfkit::report::Operation;
use serde_json::{Value, json};
use std::io::{self, Write};

/// Maximum number of differences that are kept; the others are counted.
const KEPT: usize = 100_000;

/// One difference.
pub(super) struct Difference {
    pub(super) operation: Operation,
    /// Path of the node, or name of the column.
    pub(super) path: String,
    /// The difference in words.
    pub(super) message: String,
    pub(super) old: Option<Value>,
    pub(super) new: Option<Value>,
    /// Index of the first element that differs.
    pub(super) first: Option<Vec<i64>>,
    /// Number of elements that differ.
    pub(super) elements: Option<u64>,
    /// Largest difference of two numbers.
    pub(super) largest: Option<f64>,
}

impl Difference {
    /// Makes a difference without values.
    pub(super) fn new(operation: Operation, path: &str, message: impl Into<String>) -> Difference {
        let (path, message) = (path.to_owned(), message.into());
        Difference { operation, path, message, old: None, new: None, first: None, elements: None, largest: None }
    }
}

/// Numbers that count as equal.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Tolerance {
    /// Difference relative to the number of the second file.
    pub(super) relative: f64,
    pub(super) absolute: f64,
}

impl Tolerance {
    /// Returns whether two numbers count as equal. NaN equals NaN.
    pub(super) fn equal(self, old: f64, new: f64) -> bool {
        old == new
            || old.is_nan() && new.is_nan()
            || old.is_finite() && new.is_finite() && (old - new).abs() <= self.absolute + self.relative * new.abs()
    }
}

/// Differences between two files.
pub(super) struct Differences {
    pub(super) names: [String; 2],
    pub(super) found: Vec<Difference>,
    /// Number of differences that are not in the list.
    dropped: u64,
    /// Maximum number of differences in the text.
    shown: usize,
    quiet: bool,
}

impl Differences {
    pub(super) fn new(names: [String; 2], shown: usize, quiet: bool) -> Differences {
        Differences { names, found: Vec::new(), dropped: 0, shown, quiet }
    }

    pub(super) fn add(&mut self, difference: Difference) {
        if self.found.len() < KEPT { self.found.push(difference) } else { self.dropped += 1 }
    }

    /// Returns true if the files are equal.
    pub(super) fn is_empty(&self) -> bool {
        self.found.is_empty()
    }
}

impl Report for Differences {
    fn json(&self) -> Value {
        let found = self.found.iter().map(|difference| {
            let mut out = json!({
                "operation": difference.operation.name(),
                "path": difference.path,
                "message": difference.message,
            });
            let facts = [
                ("old", difference.old.clone()),
                ("new", difference.new.clone()),
                ("first", difference.first.clone().map(Value::from)),
                ("elements", difference.elements.map(Value::from)),
                ("largest", difference.largest.map(crate::core::value::float)),
            ];
            for (key, fact) in facts {
                if let Some(fact) = fact {
                    out[key] = fact;
                }
            }
            out
        });
        json!({
            "old": self.names[0],
            "new": self.names[1],
            "equal": self.is_empty(),
            "differences": found.collect::<Vec<_>>(),
            "dropped": self.dropped,
        })
    }

    fn text(&self, out: &mut dyn Write, style: Style) -> io::Result<()> {
        if self.quiet {
            return Ok(());
        }
        for difference in self.found.iter().take(self.shown) {
            let path = if difference.path.is_empty() { "/" } else { &difference.path };
            let line = format!("{}: {}", printable(path), printable(&difference.message));
            match difference.operation {
                Operation::Add => writeln!(out, "{}", style.good(format!("+ {line}")))?,
                Operation::Remove => writeln!(out, "{}", style.bad(format!("- {line}")))?,
                Operation::Change => writeln!(out, "~ {line}")?,
            }
        }
        let rest = self.found.len().saturating_sub(self.shown) as u64 + self.dropped;
        if rest > 0 {
            writeln!(out, "… and {}", count(rest, "further difference"))?;
        }
        Ok(())
    }
}
