//! Generates a Fortran module whose types are interoperable with C.

use super::identifiers::{Identifiers, mangled};
use super::{Array, comment};
use crate::error::{Error, Result, Status};
use crate::ndl::{Datatype, DatatypeKind, Enumeration, FloatType, IntegerType};
use crate::reserve::{GrowingText, extend};
use std::fmt::Write;

/// Names that the module imports, and words that no type can have.
const TAKEN: [&str; 16] = [
    "c_double",
    "c_float",
    "c_int16_t",
    "c_int32_t",
    "c_int64_t",
    "c_int8_t",
    "c_ptr",
    "c_size_t",
    "byte",
    "character",
    "complex",
    "double",
    "doubleprecision",
    "integer",
    "logical",
    "real",
];
/// Maximum rank of a Fortran array.
const MAX_RANK: usize = 15;

/// Returns the module for these arrays.
pub(super) fn module(name: &str, arrays: &[Array]) -> Result<String> {
    let module = mangled(name);
    let of_module = module.to_ascii_lowercase();
    let taken: Vec<&str> = TAKEN.into_iter().chain([of_module.as_str()]).collect();
    let mut identifiers = Identifiers::new(&taken, true);
    let (text, region) = (identifiers.make("text", &[])?, identifiers.make("region", &[])?);
    let mut code = Code { identifiers, text: GrowingText::default(), string: text.clone(), region: region.clone() };
    let _ = write!(
        code.text,
        "! Made from an NDL description.\nmodule {module}\n  use, intrinsic :: iso_c_binding, only: c_double, c_float, \
         c_int16_t, c_int32_t, &\n    c_int64_t, c_int8_t, c_ptr, c_size_t\n  implicit none\n  public\n\n  ! Text, or \
         the path name of an object.\n  type, bind(c) :: {text}\n    integer(c_size_t) :: length\n    type(c_ptr) :: \
         bytes\n  end type\n\n  ! A selection of elements of an array: indices, or first and last indices of \
         blocks.\n  type, bind(c) :: {region}\n    type({text}) :: target\n    integer(c_size_t) :: count\n    \
         type(c_ptr) :: indices\n  end type\n"
    );
    for array in arrays {
        code.array(array).map_err(|error| error.at_path(array.path))?;
    }
    let _ = write!(code.text, "\nend module {module}\n");
    code.text.finish()
}

struct Code {
    identifiers: Identifiers,
    text: GrowingText,
    string: String,
    region: String,
}

/// A Fortran type: the part before the colons, and the extents after the name, the fastest first.
struct Declared {
    base: String,
    extents: Vec<u64>,
}

fn unsupported(what: &str) -> Error {
    Error::new(Status::Unsupported, what)
}

impl Code {
    fn array(&mut self, array: &Array) -> Result<()> {
        let identifier = self.identifiers.make(array.path, &["_kind", "_shape"])?;
        let _ = writeln!(self.text, "\n  ! {}", comment(array.path));
        if let Some(datatype) = array.datatype {
            match datatype.kind() {
                DatatypeKind::Enum(enumeration) => self.enumeration(enumeration, &identifier)?,
                DatatypeKind::Compound(_) | DatatypeKind::Vlen(_) => self.structure(datatype, &identifier)?,
                _ => {
                    let Declared { base, extents } = self.declared(datatype, &format!("{identifier}_element"))?;
                    let of_each = if extents.is_empty() { String::new() } else { format!(", each {extents:?}") };
                    let _ = writeln!(self.text, "  ! elements: {base}{of_each}");
                }
            }
        }
        if array.extents.is_empty() {
            return Ok(());
        }
        let _ = write!(self.text, "  integer(c_int64_t), parameter :: {identifier}_shape({}) = [", array.extents.len());
        for (position, extent) in array.extents.iter().rev().enumerate() {
            let extent = extent.map_or(Ok(-1), i64::try_from);
            let extent =
                extent.map_err(|_| unsupported("an extent is out of the range of a 64-bit Fortran integer"))?;
            let _ = write!(self.text, "{}&\n    {extent}_c_int64_t", if position == 0 { "" } else { ", " });
        }
        self.text.push_str("]\n");
        Ok(())
    }

    /// Returns the type for a member or element with this name, and defines its parts before. Recursion is as deep as
    /// the datatype, which is limited.
    fn declared(&mut self, datatype: &Datatype, name: &str) -> Result<Declared> {
        let base = match datatype.kind() {
            DatatypeKind::String | DatatypeKind::Objref => format!("type({})", self.string),
            DatatypeKind::Regref(_) => format!("type({})", self.region),
            DatatypeKind::Integer(integer) => format!("integer({})", kind(*integer)),
            DatatypeKind::Float(FloatType::Float32) => "real(c_float)".to_owned(),
            DatatypeKind::Float(FloatType::Float64) => "real(c_double)".to_owned(),
            DatatypeKind::Opaque { size, .. } => {
                return Ok(Declared { base: "integer(c_int8_t)".to_owned(), extents: vec![*size] });
            }
            DatatypeKind::Array { base, shape } => {
                let Declared { base, mut extents } = self.declared(base, name)?;
                extend(&mut extents, shape.iter().rev().copied())?;
                if extents.len() > MAX_RANK {
                    return Err(unsupported("an array inside an element exceeds rank 15, the maximum in Fortran"));
                }
                return Ok(Declared { base, extents });
            }
            DatatypeKind::Enum(enumeration) => {
                let identifier = self.identifiers.make(name, &["_kind"])?;
                self.enumeration(enumeration, &identifier)?;
                format!("integer({identifier}_kind)")
            }
            DatatypeKind::Compound(_) | DatatypeKind::Vlen(_) => {
                let identifier = self.identifiers.make(name, &[])?;
                self.structure(datatype, &identifier)?;
                format!("type({identifier})")
            }
        };
        Ok(Declared { base, extents: Vec::new() })
    }

    fn enumeration(&mut self, enumeration: &Enumeration, identifier: &str) -> Result<()> {
        let kind = kind(enumeration.base);
        let _ = writeln!(self.text, "  integer, parameter :: {identifier}_kind = {kind}");
        for (name, number) in enumeration.members.iter() {
            let constant = self.identifiers.make(&format!("{identifier}_{name}"), &[])?;
            let number = literal(enumeration.base, *number);
            let _ = writeln!(self.text, "  integer({kind}), parameter :: {constant} = {number}");
        }
        Ok(())
    }

    fn structure(&mut self, datatype: &Datatype, identifier: &str) -> Result<()> {
        let mut members = GrowingText::default();
        if let DatatypeKind::Compound(of) = datatype.kind() {
            let mut scope = Identifiers::new(&[], true);
            for (name, member) in of.iter() {
                let Declared { base, extents } = self.declared(member, &format!("{identifier}_{name}"))?;
                let _ = write!(members, "    {base} :: {}", scope.make(name, &[])?);
                for (position, extent) in extents.iter().enumerate() {
                    let _ = write!(members, "{}{extent}", if position == 0 { "(" } else { ", &\n      " });
                }
                members.push_str(if extents.is_empty() { "\n" } else { ")\n" });
            }
        }
        if let DatatypeKind::Vlen(base) = datatype.kind() {
            let Declared { base, extents } = self.declared(base, &format!("{identifier}_element"))?;
            let of_each = if extents.is_empty() { String::new() } else { format!(", each {extents:?}") };
            let _ = write!(
                members,
                "    integer(c_size_t) :: length\n    ! {base}{of_each}\n    type(c_ptr) :: elements\n"
            );
        }
        let members = members.so_far()?;
        let _ = write!(self.text, "  type, bind(c) :: {identifier}\n{members}  end type\n");
        Ok(())
    }
}

fn kind(integer: IntegerType) -> String {
    format!("c_int{}_t", 8 * integer.size())
}

/// Returns a constant of an integer kind. An unsigned number that does not fit becomes the negative number with the
/// same bits.
fn literal(integer: IntegerType, number: i128) -> String {
    let kind = kind(integer);
    let half = 1i128 << (8 * integer.size() - 1);
    let number = if number >= half { number - 2 * half } else { number };
    match number {
        // The absolute value of the minimum is out of range, so it is written as a difference.
        _ if number == -half => format!("-{}_{kind} - 1_{kind}", half - 1),
        _ => format!("{number}_{kind}"),
    }
}
