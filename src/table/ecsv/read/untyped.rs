//! Reads the line of names of a table whose header has no datatypes: every column holds text.

use super::header::HeaderText;
use super::lines::{Line, LineReader};
use super::names::{self, FieldRules};
use crate::error::{Error, Result, Status};
use crate::table::memory::element_type::ElementType;
use crate::table::{CellShape, ColumnHeader, Delimiter, Header};
use std::collections::HashSet;

/// Reads the comments and the line of names. Comments only tell the delimiter; without a delimiter there, a comma in
/// the line of names is one.
///
/// Fails with
///
/// * [`Status::Truncated`] if the text ends before the line of names;
/// * [`Status::TableHeader`] for another delimiter, and for a name that is empty or repeated;
/// * the errors of [`names::read`].
pub(super) fn read(mut reader: LineReader, strict: bool) -> Result<HeaderText> {
    let mut declared = None;
    let delimiter = loop {
        let Some(line) = reader.peek()? else {
            return Err(reader.locate(Error::new(Status::Truncated, "the text ends before the line of names")));
        };
        if !names::is_skipped(&line, strict) {
            let has_comma = memchr::memchr(b',', line.text).is_some();
            break declared.unwrap_or(if has_comma { Delimiter::Comma } else { Delimiter::Space });
        }
        declared = delimiter_in(&line)?.or(declared);
        let length = line.length();
        reader.skip(length);
    };
    let number = reader.number();
    let names = names::read(&mut reader, FieldRules { delimiter, strict })?.unwrap_or_default();
    check(&names).map_err(|error| error.at_line(number, 1))?;
    let column = |name| ColumnHeader {
        declared_datatype: "string".to_owned(),
        ..ColumnHeader::new(name, ElementType::String, CellShape::Scalar)
    };
    let header = Header { columns: names.into_iter().map(column).collect(), delimiter, ..Header::default() };
    let (line, offset, rest) = reader.into_rest();
    Ok(HeaderText { header, warnings: Vec::new(), line, offset, rest })
}

/// Returns the delimiter that a comment declares, as the header of a table does.
fn delimiter_in(line: &Line) -> Result<Option<Delimiter>> {
    let text = line.text.trim_ascii_start();
    let Some(value) = text.strip_prefix(b"#").and_then(|text| text.trim_ascii().strip_prefix(b"delimiter:")) else {
        return Ok(None);
    };
    match value.trim_ascii() {
        b"','" | b"\",\"" | b"," => Ok(Some(Delimiter::Comma)),
        b"' '" | b"\" \"" => Ok(Some(Delimiter::Space)),
        _ => Err(line.locate(Error::new(Status::TableHeader, "the delimiter must be ' ' or ','"), 0)),
    }
}

fn check(names: &[String]) -> Result<()> {
    let mut seen = HashSet::new();
    for (index, name) in names.iter().enumerate() {
        let message = match name.as_str() {
            "" => format!("the line of names has no name for column {}", index + 1),
            name if !seen.insert(name) => format!("two columns have the name '{name}'"),
            _ => continue,
        };
        return Err(Error::new(Status::TableHeader, message));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::ecsv::{ExternalHeader, Input, ReadOptions, TableReader};
    use std::sync::Arc;

    fn cells(text: &str) -> Result<Vec<Vec<Option<String>>>> {
        let options = ReadOptions { as_text: true, null_values: vec!["null".into()], ..ReadOptions::default() };
        let table =
            TableReader::of_input(Input::of_memory(Arc::new(text.as_bytes().to_vec()))?, &options)?.read_all()?;
        let names = table.header().columns.iter().map(|column| Some(column.name.clone())).collect();
        let row = |row| {
            let cell = |column: &crate::table::Column| {
                let text = column.values().text().expect("text").get(row).to_owned();
                column.has_cell(row).then_some(text)
            };
            table.columns().iter().map(|column| cell(column)).collect()
        };
        Ok([names].into_iter().chain((0..table.row_count()).map(row)).collect())
    }

    #[test]
    fn all_columns_are_text() {
        let cases = [
            ("a,b\n007,x\n1.50,\n", "a|b\n007|x\n1.50|-"),
            ("a b\n1 null\n", "a|b\n1|-"),
            ("# %ECSV 1.0\n# ---\n# delimiter: ','\n\n# - {name: a}\na\n1\n", "a\n1"),
            ("# delimiter: ' '\na,b c\n1 2\n", "a,b|c\n1|2"),
            ("\"a b\",\"c\"\"d\"\r\n\"x\ny\",2\r\n", "a b|c\"d\nx\ny|2"),
            ("\u{FEFF}a,b\r1,2\r", "a|b\n1|2"),
            ("a,b", "a|b"),
        ];
        for (text, expected) in cases {
            let rows = cells(text).unwrap();
            let rows: Vec<String> = rows
                .iter()
                .map(|row| row.iter().map(|cell| cell.as_deref().unwrap_or("-")).collect::<Vec<_>>().join("|"))
                .collect();
            assert_eq!(rows.join("\n"), expected, "{text:?}");
        }
    }

    #[test]
    fn wrong_lines_of_names_are_errors() {
        let cases = [
            ("", Status::Truncated),
            ("# only\n# comments\n", Status::Truncated),
            ("a,,b\n", Status::TableHeader),
            ("\na,b,a\n", Status::TableHeader),
            ("# delimiter: '|'\na|b\n", Status::TableHeader),
            ("a,\"b\n", Status::Record),
            ("a,b\n1\n", Status::Record),
        ];
        for (text, status) in cases {
            let error = cells(text).unwrap_err();
            assert_eq!(error.status(), status, "{text:?}");
            assert!(error.location().line.is_some(), "{text:?}");
        }
        let external_header = Some(ExternalHeader::Memory(Arc::new(Vec::new())));
        let options = ReadOptions { as_text: true, external_header, ..ReadOptions::default() };
        let input = Input::of_memory(Arc::new(b"a\n1\n".to_vec())).unwrap();
        assert_eq!(TableReader::of_input(input, &options).err().unwrap().status(), Status::InvalidArgument);
    }
}
