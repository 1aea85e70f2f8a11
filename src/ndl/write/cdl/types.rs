//! Datatypes of a description that need a definition in CDL, and their names.

use super::names::{Used, written};
use super::unsupported;
use crate::error::Result;
use crate::ndl::{Attribute, Datatype, DatatypeKind, Description, FloatType, IntegerType, Named};
use crate::reserve::{GrowingText, extend, room_in};
use std::collections::HashMap;
use std::fmt::Write;

/// Named datatypes.
pub(super) struct Types {
    used: Used,
    /// Names, by the JSON text of the datatype.
    names: HashMap<String, String>,
    /// The definitions, ordered so that a datatype follows the ones it uses.
    definitions: GrowingText,
}

impl Types {
    /// Defines all datatypes that a description needs.
    pub(super) fn of(description: &Description) -> Result<Types> {
        // Types and variables share one name space.
        let used = Used::of_last_names(description)?;
        let mut types = Types { used, names: HashMap::new(), definitions: GrowingText::default() };
        for (path, group) in description.groups.iter() {
            types.add(None, &group.attributes).map_err(|error| error.at_path(path))?;
        }
        for (path, dimcoord) in description.dimcoords.iter() {
            types.add(dimcoord.datatype.as_ref(), &dimcoord.attributes).map_err(|error| error.at_path(path))?;
        }
        for (path, ndarray) in description.ndarrays.iter() {
            types.add(ndarray.datatype.as_ref(), &ndarray.attributes).map_err(|error| error.at_path(path))?;
        }
        Ok(types)
    }

    /// Writes the definitions with their heading.
    pub(super) fn write_section(&self, out: &mut GrowingText) -> Result<()> {
        let definitions = self.definitions.so_far()?;
        if !definitions.is_empty() {
            out.push_str("types:\n");
            out.push_str(definitions);
        }
        Ok(())
    }

    /// Returns the name of a datatype, for a variable, an attribute or the elements of a list.
    pub(super) fn name(&self, datatype: &Datatype) -> Result<String> {
        let name = match datatype.kind() {
            DatatypeKind::String => "string",
            DatatypeKind::Integer(integer) => integer_name(*integer),
            DatatypeKind::Float(FloatType::Float32) => "float",
            DatatypeKind::Float(FloatType::Float64) => "double",
            DatatypeKind::Array { .. } => {
                return Err(unsupported("netCDF allows array datatypes only as members of compounds"));
            }
            DatatypeKind::Objref | DatatypeKind::Regref(_) => return Err(unsupported("netCDF has no references")),
            _ => {
                let name = self.names.get(&datatype.to_json()?);
                return name.cloned().ok_or_else(|| unsupported("the datatype has no definition"));
            }
        };
        Ok(name.to_owned())
    }

    fn add(&mut self, of_array: Option<&Datatype>, attributes: &Named<Attribute>) -> Result<()> {
        let of_attributes = attributes.iter().filter_map(|(_, attribute)| attribute.datatype.as_ref());
        of_array.into_iter().chain(of_attributes).try_for_each(|datatype| self.define(datatype))
    }

    /// Recursion is as deep as the datatype, which is limited.
    fn define(&mut self, datatype: &Datatype) -> Result<()> {
        if let DatatypeKind::String | DatatypeKind::Integer(_) | DatatypeKind::Float(_) = datatype.kind() {
            return Ok(());
        }
        let key = datatype.to_json()?;
        if self.names.contains_key(&key) {
            return Ok(());
        }
        datatype.kind().inner().try_for_each(|inner| self.define(inner))?;
        let name = self.used.name(&format!("{}_{}", datatype.keyword(), self.names.len() + 1))?;
        let mut text = GrowingText::default();
        let _ = match datatype.kind() {
            DatatypeKind::Opaque { size, .. } => writeln!(text, "\topaque({size}) {name} ;"),
            DatatypeKind::Vlen(base) => writeln!(text, "\t{}(*) {name} ;", self.name(base)?),
            DatatypeKind::Enum(enumeration) => {
                let _ = write!(text, "\t{} enum {name} {{", integer_name(enumeration.base));
                // CDL does not allow the suffixes of narrow types in enumerations.
                let suffix = if enumeration.base.size() < 4 { "" } else { suffix(enumeration.base) };
                for (position, (constant, number)) in enumeration.members.iter().enumerate() {
                    text.push_str(if position == 0 { "" } else { ", " });
                    let _ = write!(text, "{} = {number}{suffix}", written(constant)?);
                }
                writeln!(text, "}} ;")
            }
            DatatypeKind::Compound(members) => {
                let _ = writeln!(text, "\tcompound {name} {{");
                for (member, datatype) in members.iter() {
                    self.member(&mut text, &written(member)?, datatype)?;
                }
                writeln!(text, "\t}} ;")
            }
            // Array datatypes are written as part of a compound; other uses are refused where they occur.
            _ => return Ok(()),
        };
        self.definitions.push_str(text.so_far()?);
        room_in(&mut self.names, 1)?;
        self.names.insert(key, name);
        Ok(())
    }

    fn member(&self, text: &mut GrowingText, name: &str, datatype: &Datatype) -> Result<()> {
        let mut extents: Vec<u64> = Vec::new();
        let mut base = datatype;
        while let DatatypeKind::Array { base: inner, shape } = base.kind() {
            extend(&mut extents, shape.iter().copied())?;
            base = inner;
        }
        let _ = write!(text, "\t\t{} {name}", self.name(base)?);
        for (axis, extent) in extents.iter().enumerate() {
            let _ = write!(text, "{}{extent}", if axis == 0 { "(" } else { ", " });
        }
        text.push_str(if extents.is_empty() { " ;\n" } else { ") ;\n" });
        Ok(())
    }
}

fn integer_name(integer: IntegerType) -> &'static str {
    match integer {
        IntegerType::Int8 => "byte",
        IntegerType::Int16 => "short",
        IntegerType::Int32 => "int",
        IntegerType::Int64 => "int64",
        IntegerType::Uint8 => "ubyte",
        IntegerType::Uint16 => "ushort",
        IntegerType::Uint32 => "uint",
        IntegerType::Uint64 => "uint64",
    }
}

/// Returns the suffix of numbers of this type.
pub(super) fn suffix(integer: IntegerType) -> &'static str {
    match integer {
        IntegerType::Int8 => "b",
        IntegerType::Int16 => "s",
        IntegerType::Int32 => "",
        IntegerType::Int64 => "LL",
        IntegerType::Uint8 => "UB",
        IntegerType::Uint16 => "US",
        IntegerType::Uint32 => "U",
        IntegerType::Uint64 => "ULL",
    }
}
