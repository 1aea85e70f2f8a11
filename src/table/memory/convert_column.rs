//! Replaces the numbers of a column by the values of a function, such as those in another unit.

use crate::array::{Conversion, ReadOptions, ScalarType};
use crate::error::{Result, Warning};
use crate::source::try_zeroed;
use crate::table::{ElementType, Table, Values};
use std::ops::Range;
use std::sync::Arc;

impl Table {
    /// Replaces the numbers of a column by the values of a function. Floats and complex numbers keep their type; integers
    /// and numbers that are kept as text become binary64. Missing elements stay missing.
    ///
    /// Fails like [`Table::read_column`]; the table is then unchanged.
    pub(crate) fn apply_to_column(&mut self, name: &str, function: Conversion) -> Result<Vec<Warning>> {
        let options = ReadOptions { conversion: Some(function), ..ReadOptions::default() };
        if options.function().is_none() {
            return Ok(Vec::new());
        }
        let column = self.column(name)?.clone();
        let target = type_in_unit(column.element_type());
        let count = column.values().len();
        let mut values = Values::zeroed(target, count)?;
        let mut mask = try_zeroed(count)?;
        let all: Option<Range<u64>> = None;
        let bytes = values.bytes_mut().unwrap_or_default();
        let warnings = self.read_column(name, all, &target.into(), bytes, Some(&mut mask), &options)?;
        let converted = column.with_values(values)?;
        let position = self.position(name)?;
        let header = Arc::make_mut(&mut self.header).columns.get_mut(position);
        if let (Some(header), Some(place)) = (header, self.columns.get_mut(position)) {
            header.element_type = converted.element_type();
            header.declared_datatype.clear();
            header.declared_subtype = None;
            *place = Arc::new(converted);
        }
        Ok(warnings)
    }
}

/// Returns the type of numbers in another unit.
fn type_in_unit(element_type: ElementType) -> ScalarType {
    match element_type {
        ElementType::Scalar(scalar) if scalar.is_integer() => ScalarType::Float64,
        ElementType::Scalar(scalar) => scalar,
        ElementType::Complex256 => ScalarType::Complex128,
        ElementType::Float128 | ElementType::String | ElementType::Json => ScalarType::Float64,
    }
}
