//! ASCII tables (XTENSION TABLE): columns of text, integers and floats.

use super::file::Hdu;
use crate::element::Element;
use crate::failure::Result;

/// A column of an ASCII table.
pub(crate) struct TextColumn {
    pub(crate) name: String,
    pub(crate) unit: String,
    pub(crate) element: Element,
    start: usize,
    width: usize,
}

/// An ASCII table without its bytes.
pub(crate) struct TextTable {
    pub(crate) rows: usize,
    pub(crate) columns: Vec<TextColumn>,
    row_size: usize,
}

impl TextTable {
    /// Reads the structure of a table.
    pub(crate) fn read(hdu: &Hdu) -> Result<TextTable> {
        let header = &hdu.header;
        let number = |extent: u64| usize::try_from(extent).unwrap_or(usize::MAX);
        let (row_size, rows) = match hdu.axes[..] {
            [row_size, rows] => (number(row_size), number(rows)),
            _ => return Err(header.failure("NAXIS", "a table has two axes")),
        };
        if hdu.bitpix != 8 {
            return Err(header.failure("BITPIX", "a table has BITPIX 8"));
        }
        let fields = header.count("TFIELDS")?.min(999);
        let mut columns = Vec::new();
        for number in 1..=fields {
            let keyword = format!("TFORM{number}");
            let form = header.text(&keyword).unwrap_or_default().trim();
            let width = form.get(1..).and_then(|rest| rest.split('.').next()?.parse::<usize>().ok());
            let (Some(width), true) = (width, form.is_ascii()) else {
                return Err(header.failure(&keyword, "the form of a column is missing or unknown"));
            };
            let element = match form.as_bytes().first() {
                Some(b'A') => Element::Ascii(width),
                Some(b'I') => Element::Int64,
                Some(b'F' | b'E' | b'D') => Element::Float64,
                _ => return Err(header.failure(&keyword, "the form of a column is unknown")),
            };
            let start = header.count(&format!("TBCOL{number}"))?;
            let start = usize::try_from(start).ok().and_then(|start| start.checked_sub(1));
            let start = start
                .filter(|start| start.checked_add(width).is_some_and(|end| end <= row_size))
                .ok_or_else(|| header.failure(&format!("TBCOL{number}"), "the column lies outside the row"))?;
            columns.push(TextColumn {
                name: header.text(&format!("TTYPE{number}")).unwrap_or_default().to_owned(),
                unit: header.text(&format!("TUNIT{number}")).unwrap_or_default().to_owned(),
                element,
                start,
                width,
            });
        }
        Ok(TextTable { rows, columns, row_size })
    }

    /// Elements of a column in native byte order. A field that is no number is 0, or NaN in a column of floats.
    pub(crate) fn decode(&self, column: &TextColumn, data: &[u8], first: usize, elements: &mut [u8]) {
        let size = column.element.size();
        if size == 0 {
            return;
        }
        for (index, element) in elements.chunks_exact_mut(size).enumerate() {
            let start = (first + index) * self.row_size + column.start;
            let field = &data[start..start + column.width];
            let text = String::from_utf8_lossy(field);
            match column.element {
                Element::Int64 => {
                    let value: i64 = text.trim().trim_start_matches('+').parse().unwrap_or(0);
                    element.copy_from_slice(&value.to_ne_bytes());
                }
                Element::Float64 => {
                    let text = text.trim().replace(['D', 'd'], "E");
                    let blank = if text.is_empty() { 0.0 } else { f64::NAN };
                    element.copy_from_slice(&text.parse::<f64>().unwrap_or(blank).to_ne_bytes());
                }
                _ => {
                    for (byte, &stored) in element.iter_mut().zip(field) {
                        *byte = if stored.is_ascii() { stored } else { b'?' };
                    }
                }
            }
        }
    }
}
