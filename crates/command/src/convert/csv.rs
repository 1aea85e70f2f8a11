//! Tables in CSV files. The library reads them with a header that is made here.

use crate::core::call::check_interrupt;
use crate::core::failure::Result;
use crate::core::input::Input;
use crate::core::output::warn;
use crate::core::tables::{Batches, Part, TextBatches};
use crate::core::text_header;
use asdfkit::table::ecsv::{ExternalHeader, NamesPolicy, ReadOptions};
use std::sync::Arc;

/// Maximum length of the line of names.
const MAX_NAMES: usize = 1 << 20;

/// Opens a CSV table: a first pass finds the types of the columns.
pub(super) fn open(input: &Input, part: &Part, null: &[String]) -> Result<Batches> {
    let names = text_header::names(&input.first_line(MAX_NAMES)?, ',')?;
    if let [name] = &names[..]
        && let Some(separator) = [';', '\t', '|'].into_iter().find(|separator| name.contains(*separator))
    {
        let message = format!("the only column is '{name}': fields are separated by commas, not by {separator:?}");
        warn(&input.name(), &message);
    }
    let options = |types: &[&str]| ReadOptions {
        external_header: Some(ExternalHeader::Memory(Arc::new(text_header::made(&names, types, ',').into_bytes()))),
        names: Some(NamesPolicy::Ignore),
        null_values: null.to_vec(),
        threads: part.threads,
        ..ReadOptions::default()
    };
    let mut kinds = vec![Kind::default(); names.len()];
    let mut reader = input.table(&options(&vec!["string"; names.len()]))?;
    while let Some(batch) = reader.next_batch()? {
        check_interrupt()?;
        for (kind, column) in kinds.iter_mut().zip(batch.columns()) {
            let Some(texts) = column.values().text() else { continue };
            for row in 0..batch.row_count() {
                if column.has_cell(row) {
                    kind.see(texts.get(row));
                }
            }
        }
    }
    let types: Vec<&str> = kinds.iter().map(Kind::datatype).collect();
    let columns = part.columns.clone();
    let reader = input.table(&ReadOptions { columns: columns.clone(), ..options(&types) })?;
    Ok(Batches::Text(TextBatches::new(reader, columns)?))
}

/// Types that the fields of a column seen so far can have.
#[derive(Clone, Debug)]
struct Kind {
    empty: bool,
    integer: bool,
    unsigned: bool,
    float: bool,
    boolean: bool,
}

impl Default for Kind {
    fn default() -> Kind {
        Kind { empty: true, integer: true, unsigned: true, float: true, boolean: true }
    }
}

impl Kind {
    fn see(&mut self, field: &str) {
        self.empty = false;
        let digits = field.trim_start_matches(['+', '-']);
        let leading_zero =
            digits.len() > 1 && digits.starts_with('0') && digits.bytes().all(|digit| digit.is_ascii_digit());
        self.integer &= !leading_zero && field.parse::<i64>().is_ok();
        self.unsigned &= !leading_zero && field.parse::<u64>().is_ok();
        // An integer beyond 64 bits would lose digits as a float.
        let whole = !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_digit());
        let exact = !whole || digits.parse::<u64>().is_ok_and(|number| number <= 1 << 53);
        self.float &=
            !leading_zero && exact && field.parse::<f64>().is_ok_and(|number| number.is_finite() || !is_number(digits));
        self.boolean &= matches!(field, "True" | "False");
    }

    fn datatype(&self) -> &'static str {
        match self {
            Kind { empty: true, .. } => "string",
            Kind { integer: true, .. } => "int64",
            Kind { unsigned: true, .. } => "uint64",
            Kind { boolean: true, .. } => "bool",
            Kind { float: true, .. } => "float64",
            _ => "string",
        }
    }
}

/// Returns true for a number with digits, which is infinite only because it is too large.
fn is_number(text: &str) -> bool {
    text.bytes().any(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn datatype(fields: &[&str]) -> &'static str {
        let mut kind = Kind::default();
        fields.iter().for_each(|field| kind.see(field));
        kind.datatype()
    }

    #[test]
    fn fields_tell_the_datatype() {
        for (fields, expected) in [
            (&["1", "-2"][..], "int64"),
            (&["1", "18446744073709551615"], "uint64"),
            (&["-1", "18446744073709551615"], "string"),
            (&["1", "2.5", "nan"], "float64"),
            (&["1e999"], "string"),
            (&["007"], "string"),
            (&["0", "0.5"], "float64"),
            (&["True", "False"], "bool"),
            (&["true"], "string"),
            (&["a", "1"], "string"),
            (&[], "string"),
        ] {
            assert_eq!(datatype(fields), expected, "{fields:?}");
        }
    }
}
