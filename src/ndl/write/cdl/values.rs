//! Writes values in CDL: a flat list of elements, with braces around compounds, lists, arrays in compounds, and the
//! elements along an unlimited dimension other than the first.

use super::names::{quoted, written};
use super::types::{Types, suffix};
use super::unsupported;
use crate::error::{Error, Result};
use crate::float;
use crate::ndl::write::spelling;
use crate::ndl::write::walk::{ValueVisitor, walk};
use crate::ndl::{Datatype, IntegerType, Region, Size, Value};
use crate::reserve::GrowingText;
use std::fmt::Write;

const FLOAT: float::Notation =
    float::Notation { nan: "NaN", infinity: "Infinity", negative_infinity: "-Infinity", ..spelling::FLOAT };

/// Writes a value. `sizes` are the extents of the array, empty for an attribute or a fill value.
pub(super) fn write_value(
    out: &mut GrowingText,
    value: &Value,
    datatype: &Datatype,
    types: &Types,
    sizes: &[Size],
) -> Result<()> {
    let mut writer = Writer { out, types, sizes, levels: Vec::new(), follows: false, failure: None };
    walk(value, datatype, &mut writer)?;
    writer.failure.map_or(Ok(()), Err)
}

#[derive(Clone, Copy, PartialEq)]
enum Level {
    /// A dimension of the variable.
    Dimension,
    Compound,
    Vlen,
    /// A dimension of an array in a compound.
    Array,
}

struct Writer<'a> {
    out: &'a mut GrowingText,
    types: &'a Types,
    sizes: &'a [Size],
    /// Open levels, with true for those in braces.
    levels: Vec<(Level, bool)>,
    /// True if an element precedes in the same braces, so that a comma is needed.
    follows: bool,
    failure: Option<Error>,
}

impl Writer<'_> {
    fn begin(&mut self) -> &mut GrowingText {
        if self.follows {
            self.out.push_str(", ");
        }
        self.follows = true;
        self.out
    }

    fn open_level(&mut self, level: Level, has_braces: bool) {
        self.out.push_to(&mut self.levels, (level, has_braces));
        if has_braces {
            self.begin().push('{');
            self.follows = false;
        }
    }

    fn refuse(&mut self, why: &str) {
        self.failure.get_or_insert_with(|| unsupported(why));
    }
}

impl ValueVisitor for Writer<'_> {
    fn open(&mut self) {
        match self.levels.last() {
            Some((level @ (Level::Compound | Level::Vlen | Level::Array), _)) => {
                self.open_level(Level::Array, *level == Level::Compound);
            }
            _ => {
                let axis = self.levels.len();
                self.open_level(Level::Dimension, axis > 0 && self.sizes.get(axis) == Some(&Size::Unlimited));
            }
        }
    }

    fn close(&mut self) {
        if let Some((_, true)) = self.levels.pop() {
            self.out.push('}');
            self.follows = true;
        }
    }

    fn open_compound(&mut self) {
        self.open_level(Level::Compound, true);
    }

    fn open_vlen(&mut self) {
        self.open_level(Level::Vlen, true);
    }

    fn text(&mut self, text: &str) {
        if let Err(error) = quoted(self.begin(), text) {
            self.failure = Some(error);
        }
    }

    fn integer(&mut self, number: i128, integer: IntegerType) {
        let _ = write!(self.begin(), "{number}{}", suffix(integer));
    }

    fn float32(&mut self, number: f32) {
        FLOAT.write(self.begin(), number);
        self.out.push('f');
    }

    fn float64(&mut self, number: f64) {
        FLOAT.write(self.begin(), number);
    }

    fn constant(&mut self, name: &str, datatype: &Datatype) {
        if name.starts_with(|first: char| first.is_ascii_digit()) {
            return self.refuse("the name of a constant in a value must not begin with a digit");
        }
        // The name of the type is needed because other enumerations may have the same constants.
        let names = self.types.name(datatype).and_then(|of_type| Ok((of_type, written(name)?)));
        match names {
            Ok((of_type, name)) => {
                let _ = write!(self.begin(), "{of_type}.{name}");
            }
            Err(error) => self.failure = Some(error),
        }
    }

    fn opaque(&mut self, bytes: &[u8]) {
        let out = self.begin();
        out.push_str("0X");
        for byte in bytes {
            let _ = write!(out, "{byte:02X}");
        }
    }

    fn object(&mut self, _: Option<&str>) {
        self.refuse("netCDF has no references");
    }

    fn region(&mut self, _: Option<&Region>) {
        self.refuse("netCDF has no references");
    }
}
