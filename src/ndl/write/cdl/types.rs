//! Datatypes of a description that need a definition in CDL, and their names.

use super::names::{Used, written};
use super::unsupported;
use crate::error::Result;
use crate::ndl::{Attribute, Datatype, DatatypeKind, Description, FloatType, IntegerType, Named};
use std::collections::HashMap;
use std::fmt::Write;

/// Named datatypes.
pub(super) struct Types {
    used: Used,
    /// Names, by the JSON text of the datatype.
    names: HashMap<String, String>,
    /// The definitions, ordered so that a datatype follows the ones it uses.
    definitions: String,
}

impl Types {
    /// Defines all datatypes that a description needs.
    pub(super) fn of(description: &Description) -> Result<Types> {
        // Types and variables share one name space.
        let used = Used::of_last_names(description);
        let mut types = Types { used, names: HashMap::new(), definitions: String::new() };
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

    /// Returns the definitions with their heading.
    pub(super) fn section(&self) -> String {
        if self.definitions.is_empty() { String::new() } else { format!("types:\n{}", self.definitions) }
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
                let name = self.names.get(&datatype.to_json());
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
        let key = datatype.to_json();
        if self.names.contains_key(&key) {
            return Ok(());
        }
        datatype.kind().inner().into_iter().try_for_each(|inner| self.define(inner))?;
        let name = self.used.name(&format!("{}_{}", datatype.keyword(), self.names.len() + 1));
        let mut text = String::new();
        // Writing to a string cannot fail.
        let _ = match datatype.kind() {
            DatatypeKind::Opaque { size, .. } => writeln!(text, "\topaque({size}) {name} ;"),
            DatatypeKind::Vlen(base) => writeln!(text, "\t{}(*) {name} ;", self.name(base)?),
            DatatypeKind::Enum(enumeration) => {
                let mut members = Vec::new();
                // CDL does not allow the suffixes of narrow types in enumerations.
                let suffix = if enumeration.base.size() < 4 { "" } else { suffix(enumeration.base) };
                for (constant, number) in enumeration.members.iter() {
                    members.push(format!("{} = {number}{suffix}", written(constant)?));
                }
                writeln!(text, "\t{} enum {name} {{{}}} ;", integer_name(enumeration.base), members.join(", "))
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
        self.definitions.push_str(&text);
        self.names.insert(key, name);
        Ok(())
    }

    fn member(&self, text: &mut String, name: &str, datatype: &Datatype) -> Result<()> {
        let mut extents: Vec<String> = Vec::new();
        let mut base = datatype;
        while let DatatypeKind::Array { base: inner, shape } = base.kind() {
            extents.extend(shape.iter().map(u64::to_string));
            base = inner;
        }
        let _ = write!(text, "\t\t{} {name}", self.name(base)?);
        if !extents.is_empty() {
            let _ = write!(text, "({})", extents.join(", "));
        }
        text.push_str(" ;\n");
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
