//! Columns of binary tables: TFORMn, TDIMn, TSCALn, TZEROn, and the elements that follow from them.

use super::header::Header;
use crate::element::{Element, flip_sign, swap_into};
use crate::failure::Result;

/// Type of the elements of a column, with the number in each cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Form {
    pub(crate) repeat: usize,
    /// Letter of the type.
    pub(crate) code: u8,
    /// Letter of the descriptor, for cells of different lengths.
    pub(crate) descriptor: Option<u8>,
}

impl Form {
    /// Reads a TFORMn.
    pub(crate) fn parse(text: &str) -> Option<Form> {
        let text = text.trim();
        let digits = text.bytes().take_while(u8::is_ascii_digit).count();
        let repeat = if digits == 0 { 1 } else { text[..digits].parse().ok()? };
        let rest = text.as_bytes().get(digits..)?;
        let (descriptor, code) = match rest {
            [descriptor @ (b'P' | b'Q'), code, ..] if repeat <= 1 => (Some(*descriptor), *code),
            [code, ..] => (None, *code),
            [] => return None,
        };
        let form = Form { repeat, code, descriptor };
        element_size(code).map(|_| form)
    }

    /// Number of bytes in each row. `None` if it overflows.
    pub(crate) fn width(self) -> Option<usize> {
        match (self.descriptor, self.code) {
            (Some(b'Q'), _) => self.repeat.checked_mul(16),
            (Some(_), _) => self.repeat.checked_mul(8),
            (None, b'X') => Some(self.repeat.div_ceil(8)),
            (None, code) => self.repeat.checked_mul(element_size(code)?),
        }
    }
}

/// Size of an element of a type in bytes; for bits that of a byte.
fn element_size(code: u8) -> Option<usize> {
    Some(match code {
        b'L' | b'X' | b'B' | b'A' => 1,
        b'I' => 2,
        b'J' | b'E' => 4,
        b'K' | b'D' | b'C' => 8,
        b'M' => 16,
        _ => return None,
    })
}

/// Conversion of the bytes of a cell to elements.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Conversion {
    /// Bytes without a change.
    Bytes,
    /// Text with bytes beyond ASCII, taken as Latin-1.
    Latin1,
    /// Numbers in another byte order.
    Swap,
    /// Integers with an offset of half of their range.
    Offset,
    /// `T`, `F`, or zero for a missing value.
    Logical,
    /// Bits, the highest first.
    Bits,
    /// number × scale + zero.
    Scaled { scale: f64, zero: f64 },
}

/// A column of a binary table.
#[derive(Clone, Debug)]
pub(crate) struct Column {
    /// Number of the column, from 1.
    pub(crate) number: usize,
    pub(crate) name: String,
    pub(crate) unit: String,
    pub(crate) form: Form,
    /// Offset in the row.
    pub(crate) offset: usize,
    /// Extents of a cell in C order; without those of a text.
    pub(crate) cell: Vec<usize>,
    pub(crate) element: Element,
    pub(crate) conversion: Conversion,
    /// Integer that stands for a missing value.
    pub(crate) null: Option<i64>,
}

impl Column {
    /// Reads the keywords of a column.
    pub(crate) fn read(header: &Header, number: usize, offset: usize) -> Result<Column> {
        let keyword = format!("TFORM{number}");
        let form = header
            .text(&keyword)
            .and_then(Form::parse)
            .ok_or_else(|| header.failure(&keyword, "the form of a column is missing or unknown"))?;
        let scale = header.float(&format!("TSCAL{number}")).unwrap_or(1.0);
        let zero = header.float(&format!("TZERO{number}")).unwrap_or(0.0);
        let (element, conversion) = conversion(form.code, scale, zero);
        let mut column = Column {
            number,
            name: header.text(&format!("TTYPE{number}")).unwrap_or_default().to_owned(),
            unit: header.text(&format!("TUNIT{number}")).unwrap_or_default().trim().to_owned(),
            form,
            offset,
            cell: Vec::new(),
            element,
            conversion,
            null: header
                .integer(&format!("TNULL{number}"))
                .filter(|_| conversion == Conversion::Swap && matches!(form.code, b'B' | b'I' | b'J' | b'K')),
        };
        if form.descriptor.is_none() {
            column.set_shape(header.text(&format!("TDIM{number}")).and_then(dimensions));
        }
        Ok(column)
    }

    /// Sets the shape of a cell from the extents of TDIMn, fastest first, if these fit the form.
    fn set_shape(&mut self, dimensions: Option<Vec<usize>>) {
        let repeat = self.form.repeat;
        let product =
            |extents: &[usize]| extents.iter().try_fold(1_usize, |product, &extent| product.checked_mul(extent));
        let dimensions = dimensions.filter(|extents| product(extents) == Some(repeat));
        if self.form.code == b'A' {
            let mut extents = dimensions.unwrap_or_else(|| vec![repeat]);
            let length = extents.remove(0);
            self.element = Element::Ascii(length);
            self.cell = extents.into_iter().rev().collect();
        } else {
            self.cell = match dimensions {
                Some(extents) => extents.into_iter().rev().collect(),
                // astropy has bits as an array, even one.
                None if repeat == 1 && self.form.code != b'X' => Vec::new(),
                None => vec![repeat],
            };
        }
    }

    /// Number of elements of a cell.
    pub(crate) fn elements(&self) -> usize {
        self.cell.iter().product()
    }

    /// Number of bytes of a cell in memory.
    pub(crate) fn cell_size(&self) -> usize {
        self.elements() * self.element.size()
    }

    /// Number of stored bytes of an element.
    pub(crate) fn stored_size(&self) -> usize {
        element_size(self.form.code).unwrap_or(1)
    }

    /// Turns the stored bytes of a cell into elements.
    pub(crate) fn decode(&self, stored: &[u8], elements: &mut [u8]) {
        match self.conversion {
            Conversion::Bytes => elements.copy_from_slice(stored),
            Conversion::Latin1 => {
                for (&byte, element) in stored.iter().zip(elements.as_chunks_mut::<4>().0) {
                    *element = u32::from(byte).to_ne_bytes();
                }
            }
            Conversion::Swap => swap_into(self.element.part(), stored, elements),
            Conversion::Offset => {
                swap_into(self.element.part(), stored, elements);
                flip_sign(self.element.part(), elements);
            }
            Conversion::Logical => {
                for (&byte, element) in stored.iter().zip(elements) {
                    *element = u8::from(byte == b'T');
                }
            }
            Conversion::Bits => {
                for (bit, element) in elements.iter_mut().enumerate() {
                    *element = stored[bit / 8] >> (7 - bit % 8) & 1;
                }
            }
            Conversion::Scaled { scale, zero } => {
                for (number, element) in stored.chunks_exact(self.stored_size()).zip(elements.as_chunks_mut::<8>().0) {
                    let mut value = number_of(self.form.code, number);
                    if scale != 1.0 {
                        value *= scale;
                    }
                    *element = if zero == 0.0 { value } else { value + zero }.to_ne_bytes();
                }
            }
        }
    }

    /// Turns elements into the stored bytes of a cell; the inverse of `decode`. Missing elements are those whose byte
    /// in the mask is not 0.
    pub(crate) fn encode(&self, elements: &[u8], missing: &[u8], stored: &mut [u8]) {
        match self.conversion {
            Conversion::Bytes => stored.copy_from_slice(elements),
            Conversion::Latin1 => {
                for (byte, element) in stored.iter_mut().zip(elements.as_chunks::<4>().0) {
                    *byte = u8::try_from(u32::from_ne_bytes(*element)).unwrap_or(b'?');
                }
            }
            Conversion::Swap => swap_into(self.element.part(), elements, stored),
            Conversion::Offset => {
                swap_into(self.element.part(), elements, stored);
                for number in stored.chunks_exact_mut(self.element.part()) {
                    number[0] ^= 0x80;
                }
            }
            Conversion::Logical => {
                for (index, (byte, &element)) in stored.iter_mut().zip(elements).enumerate() {
                    let is_missing = missing.get(index).is_some_and(|&missing| missing != 0);
                    *byte = if is_missing {
                        0
                    } else if element == 0 {
                        b'F'
                    } else {
                        b'T'
                    };
                }
            }
            Conversion::Bits => {
                stored.fill(0);
                for (bit, &element) in elements.iter().enumerate() {
                    stored[bit / 8] |= u8::from(element != 0) << (7 - bit % 8);
                }
            }
            Conversion::Scaled { scale, zero } => {
                let size = self.stored_size();
                for (number, element) in stored.chunks_exact_mut(size).zip(elements.as_chunks::<8>().0) {
                    store_number(self.form.code, (f64::from_ne_bytes(*element) - zero) / scale, number);
                }
            }
        }
    }

    /// Returns true if the stored bytes of a cell come back unchanged from their elements.
    pub(crate) fn is_exact(&self, stored: &[u8]) -> bool {
        match self.conversion {
            Conversion::Bytes | Conversion::Swap | Conversion::Offset | Conversion::Latin1 => true,
            Conversion::Logical => stored.iter().all(|byte| matches!(byte, b'T' | b'F' | 0)),
            Conversion::Bits | Conversion::Scaled { .. } => {
                let mut elements = vec![0; self.cell_size()];
                let mut again = vec![0; stored.len()];
                self.decode(stored, &mut elements);
                self.encode(&elements, &[], &mut again);
                again == stored
            }
        }
    }

    /// Marks the missing elements of a cell.
    pub(crate) fn missing(&self, stored: &[u8], mask: &mut [u8]) {
        if self.conversion == Conversion::Logical {
            for (&byte, missing) in stored.iter().zip(mask) {
                *missing = u8::from(byte == 0);
            }
        }
    }
}

/// Extents of a TDIMn, such as `(3,2)`.
fn dimensions(text: &str) -> Option<Vec<usize>> {
    let inner = text.trim().strip_prefix('(')?.strip_suffix(')')?;
    inner.split(',').map(|extent| extent.trim().parse().ok()).collect()
}

/// Type in memory of the elements of a type.
fn conversion(code: u8, scale: f64, zero: f64) -> (Element, Conversion) {
    let is_plain = scale == 1.0 && zero == 0.0;
    let scaled = (Element::Float64, Conversion::Scaled { scale, zero });
    match code {
        b'L' => (Element::Bool8, Conversion::Logical),
        b'X' => (Element::Bool8, Conversion::Bits),
        b'A' => (Element::Ascii(1), Conversion::Bytes),
        b'C' => (Element::Complex64, Conversion::Swap),
        b'M' => (Element::Complex128, Conversion::Swap),
        b'B' if scale == 1.0 && zero == -128.0 => (Element::Int8, Conversion::Offset),
        b'I' if scale == 1.0 && zero == 32_768.0 => (Element::Uint16, Conversion::Offset),
        b'J' if scale == 1.0 && zero == 2_147_483_648.0 => (Element::Uint32, Conversion::Offset),
        b'K' if scale == 1.0 && zero == 9_223_372_036_854_775_808.0 => (Element::Uint64, Conversion::Offset),
        _ if !is_plain => scaled,
        b'B' => (Element::Uint8, Conversion::Swap),
        b'I' => (Element::Int16, Conversion::Swap),
        b'J' => (Element::Int32, Conversion::Swap),
        b'K' => (Element::Int64, Conversion::Swap),
        b'E' => (Element::Float32, Conversion::Swap),
        _ => (Element::Float64, Conversion::Swap),
    }
}

#[allow(clippy::cast_precision_loss)]
fn number_of(code: u8, stored: &[u8]) -> f64 {
    match (code, stored) {
        (b'I', &[a, b]) => i16::from_be_bytes([a, b]).into(),
        (b'J', &[a, b, c, d]) => i32::from_be_bytes([a, b, c, d]).into(),
        (b'E', &[a, b, c, d]) => f32::from_be_bytes([a, b, c, d]).into(),
        (b'K', &[a, b, c, d, e, f, g, h]) => i64::from_be_bytes([a, b, c, d, e, f, g, h]) as f64,
        (b'D', &[a, b, c, d, e, f, g, h]) => f64::from_be_bytes([a, b, c, d, e, f, g, h]),
        _ => stored.first().copied().unwrap_or(0).into(),
    }
}

/// Stores the nearest number of a type.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
fn store_number(code: u8, value: f64, stored: &mut [u8]) {
    let rounded = value.round_ties_even();
    match code {
        b'I' => stored.copy_from_slice(&(rounded as i16).to_be_bytes()),
        b'J' => stored.copy_from_slice(&(rounded as i32).to_be_bytes()),
        b'K' => stored.copy_from_slice(&(rounded as i64).to_be_bytes()),
        b'E' => stored.copy_from_slice(&(value as f32).to_be_bytes()),
        b'D' => stored.copy_from_slice(&value.to_be_bytes()),
        _ => stored.fill(rounded as u8),
    }
}
