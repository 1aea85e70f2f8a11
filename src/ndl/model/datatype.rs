//! Datatypes: atomic ones with a keyword, and datatypes made of other datatypes.

use crate::array::ScalarType;
use crate::error::{Error, Result, Status};
use crate::ndl::{Extensions, Named};
use crate::reserve::room_in;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::Arc;

/// Tag of opaque bytes that hold a 16-bit float. The language has no datatype for it.
pub(crate) const BINARY16: &str = "IEEE 754 binary16";

/// An immutable, shared datatype. [`Datatype::new`] checks it and limits its depth to [`Datatype::MAX_DEPTH`], so
/// recursion over it is safe.
#[derive(Clone, Debug)]
pub struct Datatype(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    kind: DatatypeKind,
    depth: usize,
    /// Number of constants and nested datatypes. A datatype that occurs twice counts twice.
    parts: u64,
    extensions: Extensions,
}

impl DatatypeKind {
    /// Returns true if the tag declares the opaque bytes to be a 16-bit float.
    pub(crate) fn is_binary16(&self) -> bool {
        matches!(self, DatatypeKind::Opaque { size: 2, tag: Some(tag) } if tag == BINARY16)
    }
}

/// Kind of a datatype, with its parameters.
#[derive(Clone, Debug, PartialEq)]
pub enum DatatypeKind {
    /// Text of any length.
    String,
    /// An integer of 8 to 64 bits, `int8` to `uint64`.
    Integer(IntegerType),
    /// A `float32` or `float64`.
    Float(FloatType),
    /// A reference to an object of the same file by its path name, or null.
    Objref,
    /// A reference to selected elements of one array, or null.
    Regref(Selection),
    /// Opaque bytes of fixed length.
    Opaque {
        /// Length in bytes, at least 1.
        size: u64,
        /// Type of the content, for example a media type.
        tag: Option<String>,
    },
    /// One of several named integer constants.
    Enum(Enumeration),
    /// A record of at least one member, in this order.
    Compound(Named<Datatype>),
    /// A list of any length.
    Vlen(Datatype),
    /// An array of fixed shape.
    Array {
        /// The datatype of its elements.
        base: Datatype,
        /// Extents, outermost first; at least one, each at least 1.
        shape: Vec<u64>,
    },
}

/// Integer datatype.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum IntegerType {
    Int8,
    Int16,
    Int32,
    Int64,
    Uint8,
    Uint16,
    Uint32,
    Uint64,
}

impl IntegerType {
    /// All integer types, narrow before wide and signed before unsigned.
    pub const ALL: [IntegerType; 8] = [
        IntegerType::Int8,
        IntegerType::Int16,
        IntegerType::Int32,
        IntegerType::Int64,
        IntegerType::Uint8,
        IntegerType::Uint16,
        IntegerType::Uint32,
        IntegerType::Uint64,
    ];

    /// Returns the keyword.
    pub fn name(self) -> &'static str {
        match self {
            IntegerType::Int8 => "int8",
            IntegerType::Int16 => "int16",
            IntegerType::Int32 => "int32",
            IntegerType::Int64 => "int64",
            IntegerType::Uint8 => "uint8",
            IntegerType::Uint16 => "uint16",
            IntegerType::Uint32 => "uint32",
            IntegerType::Uint64 => "uint64",
        }
    }

    /// Returns the scalar type of arrays.
    pub fn scalar(self) -> ScalarType {
        match self {
            IntegerType::Int8 => ScalarType::Int8,
            IntegerType::Int16 => ScalarType::Int16,
            IntegerType::Int32 => ScalarType::Int32,
            IntegerType::Int64 => ScalarType::Int64,
            IntegerType::Uint8 => ScalarType::Uint8,
            IntegerType::Uint16 => ScalarType::Uint16,
            IntegerType::Uint32 => ScalarType::Uint32,
            IntegerType::Uint64 => ScalarType::Uint64,
        }
    }

    /// Returns the type with this keyword.
    pub fn from_name(name: &str) -> Option<IntegerType> {
        IntegerType::ALL.into_iter().find(|integer| integer.name() == name)
    }

    /// Returns the size in bytes: 1, 2, 4 or 8.
    pub fn size(self) -> u64 {
        match self {
            IntegerType::Int8 | IntegerType::Uint8 => 1,
            IntegerType::Int16 | IntegerType::Uint16 => 2,
            IntegerType::Int32 | IntegerType::Uint32 => 4,
            IntegerType::Int64 | IntegerType::Uint64 => 8,
        }
    }

    /// Returns true if the type has negative numbers.
    pub(crate) fn is_signed(self) -> bool {
        matches!(self, IntegerType::Int8 | IntegerType::Int16 | IntegerType::Int32 | IntegerType::Int64)
    }

    /// Returns true if the number is in the range of the type.
    pub fn holds(self, number: i128) -> bool {
        let bits = 8 * self.size();
        let (least, most) = if self.is_signed() {
            (-(1i128 << (bits - 1)), (1i128 << (bits - 1)) - 1)
        } else {
            (0, (1i128 << bits) - 1)
        };
        (least..=most).contains(&number)
    }

    /// Returns the narrowest type that has both numbers in its range: signed if `least` is negative, otherwise
    /// unsigned.
    pub(crate) fn narrowest(least: i128, most: i128) -> Option<IntegerType> {
        let fits =
            |integer: &IntegerType| integer.is_signed() == (least < 0) && integer.holds(least) && integer.holds(most);
        IntegerType::ALL.into_iter().find(fits)
    }
}

/// Floating-point datatype.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FloatType {
    /// IEEE 754 binary32.
    Float32,
    /// IEEE 754 binary64.
    Float64,
}

impl FloatType {
    /// Returns the keyword.
    pub fn name(self) -> &'static str {
        match self {
            FloatType::Float32 => "float32",
            FloatType::Float64 => "float64",
        }
    }

    /// Returns the size in bytes: 4 or 8.
    pub fn size(self) -> u64 {
        match self {
            FloatType::Float32 => 4,
            FloatType::Float64 => 8,
        }
    }
}

/// Method by which a region reference selects elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Selection {
    /// Blocks, each given by two opposite corners.
    Block,
    /// Single elements.
    Element,
}

impl Selection {
    /// Returns the keyword, `block` or `element`.
    pub fn name(self) -> &'static str {
        match self {
            Selection::Block => "block",
            Selection::Element => "element",
        }
    }
}

/// An enumeration: named integer constants.
#[derive(Clone, Debug, PartialEq)]
pub struct Enumeration {
    /// The type of the constants.
    pub base: IntegerType,
    /// True if the description gives no base type, so that it follows from the constants.
    pub inferred: bool,
    /// The constants, at least one, each in the range of the base. Two names may share a number.
    pub members: Named<i128>,
}

impl Enumeration {
    /// Returns the enumeration of the booleans, `FALSE` and `TRUE` as `int8`, as other libraries store them.
    pub fn boolean() -> Enumeration {
        Enumeration {
            base: IntegerType::Int8,
            inferred: false,
            members: [("FALSE", 0), ("TRUE", 1)].into_iter().collect(),
        }
    }

    /// Returns true if the constants are `FALSE` = 0 and `TRUE` = 1, with any base.
    pub(crate) fn is_boolean(&self) -> bool {
        self.members.len() == 2 && self.members.get("FALSE") == Some(&0) && self.members.get("TRUE") == Some(&1)
    }

    /// Maps each number to the position of the first constant with that number.
    pub(crate) fn positions_by_number(&self) -> Result<HashMap<i128, u32>> {
        let mut positions = HashMap::new();
        room_in(&mut positions, self.members.len())?;
        for (position, (_, &number)) in (0..).zip(self.members.iter()) {
            positions.entry(number).or_insert(position);
        }
        Ok(positions)
    }
}

/// Cache of the positions of constants by number, for all enumerations inside one datatype.
#[derive(Default)]
pub(crate) struct ConstantNumbers(HashMap<*const Enumeration, HashMap<i128, u32>>);

impl ConstantNumbers {
    /// Returns the position of the constant with this number.
    ///
    /// The cache identifies enumerations by address, because the datatype of a value does not move.
    pub(crate) fn position(&mut self, number: i128, enumeration: &Enumeration) -> Result<Option<u32>> {
        const FEW: usize = 16;
        if enumeration.members.len() <= FEW {
            let mut constants = (0..).zip(enumeration.members.iter());
            return Ok(constants.find(|(_, (_, other))| **other == number).map(|(position, _)| position));
        }
        let positions = match self.0.entry(enumeration) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(unknown) => unknown.insert(enumeration.positions_by_number()?),
        };
        Ok(positions.get(&number).copied())
    }

    /// Returns the position of a number from a file. Fails with [`Status::BadArray`] if no constant has the number.
    pub(crate) fn find(&mut self, number: i128, enumeration: &Enumeration) -> Result<u32> {
        let none = || Error::new(Status::BadArray, format!("no constant of the enumeration has the number {number}"));
        self.position(number, enumeration)?.ok_or_else(none)
    }
}

impl Datatype {
    /// Maximum nesting depth of datatypes.
    pub const MAX_DEPTH: usize = 64;
    /// Maximum number of datatypes and constants inside one datatype. A datatype that occurs twice counts twice.
    pub const MAX_PARTS: u64 = 2_000_000;

    /// Checks and builds a datatype.
    ///
    /// Fails with [`Status::BadDatatype`] for opaque bytes of size 0, for an enumeration without constants or with a
    /// constant out of the range of its base, for a compound without members, and for an array without dimensions or
    /// with an extent of 0. Fails with [`Status::Limit`] beyond [`Datatype::MAX_DEPTH`] or [`Datatype::MAX_PARTS`].
    pub fn new(kind: DatatypeKind) -> Result<Datatype> {
        Datatype::with_extensions(kind, Extensions::new())
    }

    /// Builds a datatype as [`Datatype::new`] does, with the `x-` keys of its parameters.
    pub(crate) fn with_extensions(kind: DatatypeKind, extensions: Extensions) -> Result<Datatype> {
        kind.check()?;
        let depth = 1 + kind.inner().map(|datatype| datatype.0.depth).max().unwrap_or(0);
        let constants = if let DatatypeKind::Enum(enumeration) = &kind { enumeration.members.len() as u64 } else { 0 };
        let parts = kind.inner().fold(1 + constants, |sum, datatype| sum.saturating_add(datatype.0.parts));
        if depth > Datatype::MAX_DEPTH {
            return Err(Error::new(
                Status::Limit,
                format!("datatypes nest at most {} levels deep", Datatype::MAX_DEPTH),
            ));
        }
        if parts > Datatype::MAX_PARTS {
            let message = format!("a datatype has at most {} nested datatypes and constants", Datatype::MAX_PARTS);
            return Err(Error::new(Status::Limit, message));
        }
        Ok(Datatype(Arc::new(Inner { kind, depth, parts, extensions })))
    }

    fn atomic(kind: DatatypeKind) -> Datatype {
        Datatype(Arc::new(Inner { kind, depth: 1, parts: 1, extensions: Extensions::new() }))
    }

    /// Returns the datatype `string`.
    pub fn string() -> Datatype {
        Datatype::atomic(DatatypeKind::String)
    }

    /// Returns the datatype `objref`.
    pub fn objref() -> Datatype {
        Datatype::atomic(DatatypeKind::Objref)
    }

    /// Returns the enumeration of the booleans, [`Enumeration::boolean`].
    pub fn boolean() -> Datatype {
        Datatype::atomic(DatatypeKind::Enum(Enumeration::boolean()))
    }

    /// Returns the kind with its parameters.
    pub fn kind(&self) -> &DatatypeKind {
        &self.0.kind
    }

    /// Returns the values of the `x-` keys among the parameters.
    pub fn extensions(&self) -> &Extensions {
        &self.0.extensions
    }

    /// Returns the nesting depth; an atomic datatype has depth 1.
    pub fn depth(&self) -> usize {
        self.0.depth
    }

    /// Returns the keyword, for example `float32` or `compound`.
    pub fn keyword(&self) -> &'static str {
        match self.kind() {
            DatatypeKind::String => "string",
            DatatypeKind::Integer(integer) => integer.name(),
            DatatypeKind::Float(float) => float.name(),
            DatatypeKind::Objref => "objref",
            DatatypeKind::Regref(_) => "regref",
            DatatypeKind::Opaque { .. } => "opaque",
            DatatypeKind::Enum(_) => "enum",
            DatatypeKind::Compound(_) => "compound",
            DatatypeKind::Vlen(_) => "vlen",
            DatatypeKind::Array { .. } => "array",
        }
    }

    /// Returns the datatype of a keyword that needs no parameters.
    pub(crate) fn from_keyword(keyword: &str) -> Option<Datatype> {
        Some(match keyword {
            "string" => Datatype::string(),
            "objref" => Datatype::objref(),
            "float32" => FloatType::Float32.into(),
            "float64" => FloatType::Float64.into(),
            _ => IntegerType::from_name(keyword)?.into(),
        })
    }

    /// Returns the size of one element in bytes, without padding. Returns `None` for text, lists and references, which
    /// have no fixed size.
    ///
    /// Fails with [`Status::Limit`] if the size exceeds 128 bits.
    pub fn element_size(&self) -> Result<Option<u128>> {
        let mut total = 0u128;
        let times = |size: u128, count: u64| size.checked_mul(u128::from(count)).ok_or_else(too_large);
        match self.kind() {
            DatatypeKind::String | DatatypeKind::Vlen(_) | DatatypeKind::Objref | DatatypeKind::Regref(_) => Ok(None),
            DatatypeKind::Integer(integer) => Ok(Some(integer.size().into())),
            DatatypeKind::Float(float) => Ok(Some(float.size().into())),
            DatatypeKind::Opaque { size, .. } => Ok(Some((*size).into())),
            DatatypeKind::Enum(enumeration) => Ok(Some(enumeration.base.size().into())),
            DatatypeKind::Compound(members) => {
                for (_, member) in members.iter() {
                    let Some(size) = member.element_size()? else { return Ok(None) };
                    total = total.checked_add(size).ok_or_else(too_large)?;
                }
                Ok(Some(total))
            }
            DatatypeKind::Array { base, shape } => match base.element_size()? {
                Some(size) => shape.iter().try_fold(size, |size, &count| times(size, count)).map(Some),
                None => Ok(None),
            },
        }
    }

    /// Returns true if `wanted` accepts this datatype or a nested one.
    pub fn has(&self, wanted: &dyn Fn(&DatatypeKind) -> bool) -> bool {
        wanted(self.kind()) || self.kind().inner().any(|datatype| datatype.has(wanted))
    }

    /// Returns the number of nested lists in the text of one element.
    pub(crate) fn list_depth(&self) -> usize {
        let own = match self.kind() {
            DatatypeKind::Compound(_) | DatatypeKind::Vlen(_) => 1,
            DatatypeKind::Array { shape, .. } => shape.len(),
            _ => 0,
        };
        own + self.kind().inner().map(Datatype::list_depth).max().unwrap_or(0)
    }
}

pub(crate) fn too_large() -> Error {
    Error::new(Status::Limit, "the size in bytes or elements exceeds 128 bits")
}

impl DatatypeKind {
    /// Returns the datatypes directly inside this one, in order.
    pub fn inner(&self) -> impl Iterator<Item = &Datatype> + Clone {
        let (members, base) = match self {
            DatatypeKind::Compound(members) => (Some(members), None),
            DatatypeKind::Vlen(base) | DatatypeKind::Array { base, .. } => (None, Some(base)),
            _ => (None, None),
        };
        members.into_iter().flat_map(Named::iter).map(|(_, member)| member).chain(base)
    }

    fn check(&self) -> Result<()> {
        let bad = |message: String| Err(Error::new(Status::BadDatatype, message));
        match self {
            DatatypeKind::Opaque { size: 0, .. } => bad("the size of opaque bytes must be at least 1".to_owned()),
            DatatypeKind::Compound(members) if members.is_empty() => {
                bad("a compound needs at least one member".to_owned())
            }
            DatatypeKind::Array { shape, .. } if shape.is_empty() || shape.contains(&0) => {
                bad("the shape of an array datatype must be a list of one or more integers, each at least 1".to_owned())
            }
            DatatypeKind::Enum(enumeration) if enumeration.members.is_empty() => {
                bad("an enumeration needs at least one constant".to_owned())
            }
            DatatypeKind::Enum(Enumeration { base, members, .. }) => {
                match members.iter().find(|(_, number)| !base.holds(**number)) {
                    Some((name, number)) => {
                        bad(format!("the constant '{name}' = {number} is not in the range of {}", base.name()))
                    }
                    None => Ok(()),
                }
            }
            _ => Ok(()),
        }
    }
}

impl From<IntegerType> for Datatype {
    fn from(integer: IntegerType) -> Datatype {
        Datatype::atomic(DatatypeKind::Integer(integer))
    }
}

impl From<FloatType> for Datatype {
    fn from(float: FloatType) -> Datatype {
        Datatype::atomic(DatatypeKind::Float(float))
    }
}

/// Compares all parts, including the order of constants, extensions and [`Enumeration::inferred`].
impl PartialEq for Datatype {
    fn eq(&self, other: &Datatype) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || (self.0.kind == other.0.kind && self.0.extensions == other.0.extensions)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_are_found_by_number_the_first_of_several() {
        for count in [3, 16, 17, 100] {
            let members: Named<i128> = (0..count).map(|number| (format!("c{number}"), number / 2)).collect();
            let enumeration = Enumeration { base: IntegerType::Uint8, inferred: true, members };
            let other = Enumeration { members: Named::new(), ..enumeration.clone() };
            let mut numbers = ConstantNumbers::default();
            assert_eq!(numbers.position(0, &enumeration).unwrap(), Some(0));
            assert_eq!(numbers.position(1, &enumeration).unwrap(), Some(2));
            assert_eq!(numbers.position(count, &enumeration).unwrap(), None);
            assert_eq!(numbers.position(1, &other).unwrap(), None);
            assert_eq!(numbers.find(count, &enumeration).unwrap_err().status(), Status::BadArray);
        }
    }

    #[test]
    fn the_narrowest_base_is_unsigned_unless_a_constant_is_negative() {
        for (least, most, name) in [
            (0, 1, "uint8"),
            (255, 255, "uint8"),
            (0, 256, "uint16"),
            (0, 65536, "uint32"),
            (0, 1 << 32, "uint64"),
            (0, (1 << 64) - 1, "uint64"),
            (-120, 25, "int8"),
            (-1, 128, "int16"),
            (-32769, 0, "int32"),
            (-1, (1 << 63) - 1, "int64"),
        ] {
            assert_eq!(IntegerType::narrowest(least, most).map(IntegerType::name), Some(name));
        }
        assert_eq!(IntegerType::narrowest(0, 1 << 64), None);
        assert_eq!(IntegerType::narrowest(-1, 1 << 63), None);
    }

    #[test]
    fn sizes_are_those_of_packed_elements() {
        let new = |kind| Datatype::new(kind).unwrap();
        let opaque = new(DatatypeKind::Opaque { size: 7, tag: None });
        let matrix = new(DatatypeKind::Array { base: FloatType::Float32.into(), shape: vec![3, 3] });
        let record = new(DatatypeKind::Compound(
            [("o", opaque), ("m", matrix), ("b", Datatype::boolean())].into_iter().collect(),
        ));
        assert_eq!(record.element_size().unwrap(), Some(7 + 36 + 1));
        let vlen = new(DatatypeKind::Vlen(record.clone()));
        assert_eq!(vlen.element_size().unwrap(), None);
        let huge = new(DatatypeKind::Array { base: record, shape: vec![u64::MAX; 2] });
        assert_eq!(huge.element_size().unwrap_err().status(), Status::Limit);
    }

    #[test]
    fn invalid_datatypes_are_refused() {
        let members: Named<i128> = [("A", 128)].into_iter().collect();
        let narrow = Enumeration { base: IntegerType::Int8, inferred: false, members };
        for kind in [
            DatatypeKind::Opaque { size: 0, tag: None },
            DatatypeKind::Enum(narrow),
            DatatypeKind::Enum(Enumeration { base: IntegerType::Int8, inferred: false, members: Named::new() }),
            DatatypeKind::Compound(Named::new()),
            DatatypeKind::Array { base: Datatype::string(), shape: vec![] },
            DatatypeKind::Array { base: Datatype::string(), shape: vec![2, 0] },
        ] {
            assert_eq!(Datatype::new(kind).unwrap_err().status(), Status::BadDatatype);
        }
        let nested = |datatype| Datatype::new(DatatypeKind::Vlen(datatype));
        let deep = (1..Datatype::MAX_DEPTH).try_fold(Datatype::string(), |datatype, _| nested(datatype)).unwrap();
        assert_eq!(deep.depth(), Datatype::MAX_DEPTH);
        assert_eq!(nested(deep).unwrap_err().status(), Status::Limit);
        // A shared datatype counts as often as it occurs.
        let double = |datatype: Datatype| {
            Datatype::new(DatatypeKind::Compound([("a", datatype.clone()), ("b", datatype)].into_iter().collect()))
        };
        let wide = (0..40).try_fold(Datatype::string(), |datatype, _| double(datatype));
        assert_eq!(wide.unwrap_err().status(), Status::Limit);
    }
}
