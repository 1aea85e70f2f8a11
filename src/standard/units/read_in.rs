//! Conversions of arrays and columns to another unit.

use super::convert::Equivalency;
use super::node::parsed;
use super::spelling::Spelling;
use super::unit::Unit;
use crate::array::{Array, Conversion};
use crate::error::{Error, Result, Status};
use crate::table::Table;

impl Array {
    /// Returns the unit of the elements: of the quantity, the column or another mapping with the key `unit` whose value
    /// the array is. The text is that of [`Node::unit`](crate::file::Node::unit). Fails with [`Status::NotFound`] if
    /// there is no unit.
    pub fn unit(&self) -> Result<String> {
        match self.holder()? {
            Some(holder) => holder.unit(""),
            None => Err(self.locate(Error::new(Status::NotFound, "the array has no unit"))),
        }
    }

    /// Returns the conversion of the elements to another unit, for
    /// [`ReadOptions::conversion`](crate::array::ReadOptions::conversion).
    ///
    /// Fails with [`Status::Units`] if the array has no unit, and like [`Unit::conversion_to`].
    pub fn conversion_to(&self, unit: &Unit, equivalencies: &[Equivalency]) -> Result<Conversion> {
        let own = self.holder()?.map(|holder| parsed(&holder)).transpose()?.flatten();
        let own = own.ok_or_else(|| self.locate(without_unit("the array", unit)))?;
        own.conversion_to(unit, equivalencies).map_err(|error| self.locate(error))
    }
}

impl Table {
    /// Returns the conversion of the elements of a column to another unit, for
    /// [`ReadOptions::conversion`](crate::array::ReadOptions::conversion).
    ///
    /// Fails with [`Status::Units`] if the column has no unit, with [`Status::NotFound`] if there is no such column, and
    /// like [`Unit::conversion_to`].
    pub fn conversion_to(&self, column: &str, unit: &Unit, equivalencies: &[Equivalency]) -> Result<Conversion> {
        let header = self.header().columns.get(self.position(column)?);
        let own = header.and_then(|header| header.unit.as_deref());
        let own = own.ok_or_else(|| without_unit(&format!("the column '{column}'"), unit))?;
        let conversion = Unit::read(own, Spelling::Generic).conversion_to(unit, equivalencies);
        conversion.map_err(|error| error.in_table_column(column))
    }

    /// Converts the numbers of a column to another unit, which becomes that of the column. Floats and complex numbers
    /// keep their type; integers and numbers that are kept as text become binary64. Missing elements stay missing.
    ///
    /// The text of the unit is stored in the generic spelling. Fails like [`Table::conversion_to`] and
    /// [`Table::read_column`]; the table is then unchanged.
    pub fn convert_column(&mut self, column: &str, unit: &Unit, equivalencies: &[Equivalency]) -> Result<()> {
        let conversion = self.conversion_to(column, unit, equivalencies)?;
        let warnings = self.apply_to_column(column, conversion)?;
        self.describe_column(column, |header| header.unit = Some(unit.to_string()))?;
        self.warn(warnings);
        Ok(())
    }
}

/// The error for numbers without a unit.
pub(super) fn without_unit(what: &str, unit: &Unit) -> Error {
    Error::new(Status::Units, format!("{what} has no unit, so it cannot be read in '{unit}'"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::array::{ReadOptions, Region, ScalarType};
    use crate::file::{File, Node, OpenOptions};
    use crate::table::{CellShape, Column, ColumnHeader, ElementType, Text, Values};
    use std::sync::Arc;

    const TREE: &str = "\
q: !unit/quantity-1.2.0 {unit: !unit/unit-1.0.0 km, value: !core/ndarray-1.1.0 {data: [1, 2, 3], datatype: int16}}
alias: !unit/quantity-1.2.0 {unit: !unit/unit-1.0.0 s, value: &x !core/ndarray-1.1.0 [1.5, 2.5]}
other: !unit/quantity-1.2.0 {unit: !unit/unit-1.0.0 min, value: *x}
column: !core/column-1.0.0 {name: a, data: [5.0], unit: !unit/unit-1.0.0 cm}
plain: [1.0]
magnitude: !unit/quantity-1.2.0 {unit: !<tag:astropy.org:astropy/units/magunit-1.1.0> Jy, value: [0.0, 5.0]}
scalar: !unit/quantity-1.2.0 {unit: !unit/unit-1.0.0 deg, value: 180.0}
mapping: {unit: h, value: *x}
mapping_of_number: {unit: deg, value: 180.0}
masked: !unit/quantity-1.2.0 {unit: !unit/unit-1.0.0 km, value: !core/ndarray-1.1.0 {data: [1, -1, 3], datatype: int16, mask: -1}}
pointer: {unit: d, value: {$ref: '#/alias/value'}}
";

    fn root() -> Node {
        let text = format!(
            "#ASDF 1.0.0\n#ASDF_STANDARD 1.6.0\n%YAML 1.1\n%TAG ! tag:stsci.edu:asdf/\n--- !core/asdf-1.1.0\n{TREE}...\n"
        );
        File::open_memory(Arc::new(text.into_bytes()), &OpenOptions::default()).unwrap().root().unwrap()
    }

    fn unit(text: &str) -> Unit {
        Unit::read(text, Spelling::Generic)
    }

    fn read(path: &str, to: &str) -> Result<Vec<f64>> {
        let array = root().array(path)?;
        let options = ReadOptions { conversion: Some(array.conversion_to(&unit(to), &[])?), ..ReadOptions::default() };
        array.read_vec_with(None, &options)
    }

    #[test]
    fn the_unit_travels_with_the_array() {
        assert_eq!(read("q", "m").unwrap(), [1000.0, 2000.0, 3000.0]);
        assert_eq!(read("q/value", "m").unwrap(), [1000.0, 2000.0, 3000.0]);
        assert_eq!(read("alias", "ms").unwrap(), [1500.0, 2500.0]);
        assert_eq!(read("other", "s").unwrap(), [90.0, 150.0]);
        assert_eq!(read("column/data", "m").unwrap(), [0.05]);
        // The place counts at which an array was found, also behind an alias.
        assert_eq!(read("other/value", "s").unwrap(), [90.0, 150.0]);
        assert_eq!(read("mapping/value", "min").unwrap(), [90.0, 150.0]);
        assert_eq!(read("pointer/value", "h").unwrap(), [36.0, 60.0]);
        let place = root().at("mapping/value").unwrap();
        assert_eq!(place.array("").unwrap().unit().unwrap(), "h");
        assert_eq!(root().array("other").unwrap().unit().unwrap(), "min");
        let fluxes = read("magnitude", "Jy").unwrap();
        assert!(fluxes[0] == 1.0 && (fluxes[1] - 0.01).abs() < 1e-15);
        for path in ["scalar", "scalar/value", "mapping_of_number", "mapping_of_number/value"] {
            assert_eq!(root().f64_in(path, &unit("rad"), &[]).unwrap(), std::f64::consts::PI, "{path}");
        }
    }

    #[test]
    fn errors_are_typed_and_name_the_units() {
        let error = read("plain", "m").unwrap_err();
        assert_eq!(error.status(), Status::Units);
        assert_eq!(error.message(), "the array has no unit, so it cannot be read in 'm'");
        let error = read("q", "s").unwrap_err();
        assert_eq!(
            (error.status(), error.message()),
            (Status::Units, "cannot convert 'km' to 's': the units are not commensurable")
        );
        assert_eq!(error.location().path.as_deref(), Some("/q/value"));
        assert_eq!(root().array("plain").unwrap().unit().unwrap_err().status(), Status::NotFound);
        assert_eq!(root().f64_in("plain/0", &unit("m"), &[]).unwrap_err().status(), Status::Units);
        assert_eq!(root().f64_in("scalar", &unit("m"), &[]).unwrap_err().status(), Status::Units);
    }

    #[test]
    fn masks_are_those_of_the_stored_numbers_and_fill_values_are_in_the_new_unit() {
        let array = root().array("masked").unwrap();
        let fill = Some(crate::array::Fill::of(7.0));
        let conversion = Some(array.conversion_to(&unit("m"), &[]).unwrap());
        let options = ReadOptions { conversion, fill, ..ReadOptions::default() };
        let (elements, mask) = array.read_masked_vec::<f32>(None, &options).unwrap();
        assert_eq!((elements, mask), (vec![1000.0, 7.0, 3000.0], vec![false, true, false]));
    }

    #[test]
    fn integers_in_another_unit_are_exact() {
        let array = root().array("q").unwrap();
        let read = |to: &str, region: Option<&Region>| {
            let conversion = Some(array.conversion_to(&unit(to), &[]).unwrap());
            array.read_vec_with::<i16>(region, &ReadOptions { conversion, ..ReadOptions::default() })
        };
        assert_eq!(read("m", None).unwrap(), [1000, 2000, 3000]);
        assert_eq!(read("m", Some(&Region { start: &[2], count: &[2], step: Some(&[-2]) })).unwrap(), [3000, 1000]);
        let error = read("cm", None).unwrap_err();
        assert_eq!(error.status(), Status::Overflow);
        assert_eq!(error.message(), "element 0 is 1, which becomes 100000.0; int16 cannot hold it");
        assert_eq!(read("Mm", None).unwrap_err().status(), Status::Overflow);
    }

    fn table() -> Table {
        let mut table = Table::of_rows(2);
        let mut texts = Text::new();
        ["1.5", "9007199254740993"].iter().for_each(|text| texts.push(text).unwrap());
        let mut add = |name: &str, values: Values, element_type| {
            let column = Column::scalars(element_type, values, None).unwrap();
            let mut header = ColumnHeader::new(name, element_type, CellShape::Scalar);
            header.unit = (name != "none").then(|| "km".to_owned());
            table.add_column(header, Arc::new(column)).unwrap();
        };
        add("a", Values::Int32(vec![1, 2]), ElementType::Scalar(ScalarType::Int32));
        add("none", Values::Int32(vec![1, 2]), ElementType::Scalar(ScalarType::Int32));
        add("text", Values::Text(texts.clone()), ElementType::String);
        add("wide", Values::Text(texts), ElementType::Float128);
        table
    }

    #[test]
    fn columns_are_read_in_another_unit() {
        let table = table();
        let read = |name: &str, to: &str, target: ScalarType, clamp| -> Result<Vec<u8>> {
            let conversion = Some(table.conversion_to(name, &unit(to), &[])?);
            let mut out = vec![0; 2 * target.size()];
            let options = ReadOptions { conversion, clamp, ..ReadOptions::default() };
            table.read_column(name, None, &target.into(), &mut out, None, &options)?;
            Ok(out)
        };
        assert_eq!(read("a", "m", ScalarType::Int16, false).unwrap(), [1000_i16, 2000].map(i16::to_ne_bytes).concat());
        let wide = read("wide", "m", ScalarType::Float64, false).unwrap();
        assert_eq!(wide, [1500.0, 9_007_199_254_740_992e3].map(f64::to_ne_bytes).concat());
        let status = |name, to, target| read(name, to, target, false).unwrap_err().status();
        assert_eq!(status("wide", "m", ScalarType::Int64), Status::Overflow);
        assert_eq!(status("none", "m", ScalarType::Float64), Status::Units);
        assert_eq!(status("a", "s", ScalarType::Float64), Status::Units);
        assert_eq!(status("text", "m", ScalarType::Float64), Status::Conversion);
        assert_eq!(status("b", "m", ScalarType::Float64), Status::NotFound);
        let text = |to| {
            let options = ReadOptions {
                conversion: Some(table.conversion_to("text", &unit(to), &[]).unwrap()),
                ..ReadOptions::default()
            };
            let mut out = [0; 40];
            table
                .read_column("text", None, &crate::array::Datatype::Ascii(20), &mut out, None, &options)
                .map_err(|error| error.status())
        };
        assert_eq!((text("km"), text("m").unwrap_err()), (Ok(Vec::new()), Status::Conversion));
    }

    #[test]
    fn columns_are_converted_to_another_unit() {
        let mut table = table();
        table.convert_column("a", &unit("m"), &[]).unwrap();
        table.convert_column("wide", &unit("m"), &[]).unwrap();
        let header = &table.header().columns[0];
        assert_eq!(
            (header.unit.as_deref(), header.element_type),
            (Some("m"), ElementType::Scalar(ScalarType::Float64))
        );
        assert_eq!(*table.column("a").unwrap().values(), Values::Float64(vec![1000.0, 2000.0]));
        assert_eq!(*table.column("wide").unwrap().values(), Values::Float64(vec![1500.0, 9_007_199_254_740_992e3]));
        assert_eq!(table.warnings().len(), 1);
        let mut status = |name, to| table.convert_column(name, &unit(to), &[]).map_err(|error| error.status());
        assert_eq!(status("a", "s"), Err(Status::Units));
        assert_eq!(status("none", "s"), Err(Status::Units));
        assert_eq!(status("text", "m"), Err(Status::Conversion));
        assert_eq!(status("text", "1000 m"), Ok(()));
        assert_eq!(table.header().columns[2].unit.as_deref(), Some("1000 m"));
    }

    #[test]
    fn missing_cells_stay_missing() {
        let mut cells = crate::table::Bitmap::default();
        [true, false].iter().for_each(|&bit| cells.push(bit).unwrap());
        let column =
            Column::scalars(ElementType::Scalar(ScalarType::Float32), Values::Float32(vec![1.5, 3e38]), Some(cells));
        let mut header = ColumnHeader::new("a", ElementType::Scalar(ScalarType::Float32), CellShape::Scalar);
        header.unit = Some("km".to_owned());
        let mut table = Table::of_rows(2);
        table.add_column(header, Arc::new(column.unwrap())).unwrap();
        table.convert_column("a", &unit("m"), &[]).unwrap();
        let column = table.column("a").unwrap();
        assert_eq!(column.values(), &Values::Float32(vec![1500.0, f32::MAX]));
        assert!(column.has_cell(0) && !column.has_cell(1));
    }
}
