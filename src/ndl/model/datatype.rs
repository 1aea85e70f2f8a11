//! Datatypes: keywords, and combinations of other datatypes.

use crate::error::{Error, Result, Status};
use crate::ndl::{Extensions, Named};
use std::collections::HashMap;
use std::sync::Arc;

/// The tag of opaque bytes that are 16-bit floats, which the language has no datatype for.
pub(crate) const BINARY16: &str = "IEEE 754 binary16";

/// A datatype, shared by all that have it. It can only be made whole ([`Datatype::new`]), nests at most
/// [`Datatype::MAX_DEPTH`] levels deep and never changes, so it can be walked by recursion.
#[derive(Clone, Debug)]
pub struct Datatype(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    kind: DatatypeKind,
    depth: usize,
    /// Datatypes in it, each counted as often as it occurs, and constants.
    parts: u64,
    extensions: Extensions,
}

impl DatatypeKind {
    /// Whether elements are opaque bytes that the tag says to be 16-bit floats.
    pub(crate) fn is_binary16(&self) -> bool {
        matches!(self, DatatypeKind::Opaque { size: 2, tag: Some(tag) } if tag == BINARY16)
    }
}

/// What a datatype is.
#[derive(Clone, Debug, PartialEq)]
pub enum DatatypeKind {
    /// Text of any length.
    String,
    /// `int8` … `uint64`.
    Integer(IntegerType),
    /// `float32`, `float64`.
    Float(FloatType),
    /// The path name of an object of the same file, or nothing.
    Objref,
    /// A selection of elements of one array, or nothing.
    Regref(Selection),
    /// Bytes of fixed length.
    Opaque {
        /// How many, at least 1.
        size: u64,
        /// What they are, such as a media type.
        tag: Option<String>,
    },
    /// One of named integer constants.
    Enum(Enumeration),
    /// Members one after the other; at least one.
    Compound(Named<Datatype>),
    /// Any number of elements.
    Vlen(Datatype),
    /// An array of fixed shape.
    Array {
        /// The datatype of its elements.
        base: Datatype,
        /// Extents, outermost first; at least one, each at least 1.
        shape: Vec<u64>,
    },
}

/// An integer keyword.
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
    /// All, narrow before wide, signed before unsigned.
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

    /// The keyword.
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

    /// The type that a keyword names.
    pub fn from_name(name: &str) -> Option<IntegerType> {
        IntegerType::ALL.into_iter().find(|integer| integer.name() == name)
    }

    /// Bytes: 1, 2, 4 or 8.
    pub fn size(self) -> u64 {
        match self {
            IntegerType::Int8 | IntegerType::Uint8 => 1,
            IntegerType::Int16 | IntegerType::Uint16 => 2,
            IntegerType::Int32 | IntegerType::Uint32 => 4,
            IntegerType::Int64 | IntegerType::Uint64 => 8,
        }
    }

    /// Whether it has negative numbers.
    pub fn is_signed(self) -> bool {
        matches!(self, IntegerType::Int8 | IntegerType::Int16 | IntegerType::Int32 | IntegerType::Int64)
    }

    /// Whether it has this number.
    pub fn holds(self, number: i128) -> bool {
        let bits = 8 * self.size();
        let (least, most) = if self.is_signed() {
            (-(1i128 << (bits - 1)), (1i128 << (bits - 1)) - 1)
        } else {
            (0, (1i128 << bits) - 1)
        };
        (least..=most).contains(&number)
    }

    /// The narrowest type that has both numbers: an unsigned one unless one of them is negative.
    pub fn narrowest(least: i128, most: i128) -> Option<IntegerType> {
        let fits =
            |integer: &IntegerType| integer.is_signed() == (least < 0) && integer.holds(least) && integer.holds(most);
        IntegerType::ALL.into_iter().find(fits)
    }
}

/// A floating-point keyword.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FloatType {
    /// IEEE 754 binary32.
    Float32,
    /// IEEE 754 binary64.
    Float64,
}

impl FloatType {
    /// The keyword.
    pub fn name(self) -> &'static str {
        match self {
            FloatType::Float32 => "float32",
            FloatType::Float64 => "float64",
        }
    }

    /// Bytes: 4 or 8.
    pub fn size(self) -> u64 {
        match self {
            FloatType::Float32 => 4,
            FloatType::Float64 => 8,
        }
    }
}

/// How a region reference selects elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Selection {
    /// Blocks by two corners.
    Block,
    /// Single elements.
    Element,
}

impl Selection {
    /// The word: `block` or `element`.
    pub fn name(self) -> &'static str {
        match self {
            Selection::Block => "block",
            Selection::Element => "element",
        }
    }
}

/// Named integer constants.
#[derive(Clone, Debug, PartialEq)]
pub struct Enumeration {
    /// The type of the constants.
    pub base: IntegerType,
    /// Whether the base was left out, and follows from the constants.
    pub inferred: bool,
    /// The constants, each within the base; at least one. Two names may have one number.
    pub members: Named<i128>,
}

impl Enumeration {
    /// The truth values: `FALSE` and `TRUE` as `int8`, as other libraries store them.
    pub fn boolean() -> Enumeration {
        Enumeration {
            base: IntegerType::Int8,
            inferred: false,
            members: [("FALSE", 0), ("TRUE", 1)].into_iter().collect(),
        }
    }

    /// Whether it is that of the truth values, whatever its base.
    pub fn is_boolean(&self) -> bool {
        self.members.len() == 2 && self.members.get("FALSE") == Some(&0) && self.members.get("TRUE") == Some(&1)
    }

    /// The position of the first constant of each number.
    pub(crate) fn positions_by_number(&self) -> HashMap<i128, u32> {
        let mut positions = HashMap::new();
        for (position, (_, &number)) in (0..).zip(self.members.iter()) {
            positions.entry(number).or_insert(position);
        }
        positions
    }
}

/// The positions of constants by their numbers, in all enumerations that a datatype has in it.
#[derive(Default)]
pub(crate) struct ConstantNumbers(HashMap<*const Enumeration, HashMap<i128, u32>>);

impl ConstantNumbers {
    /// Enumerations are told apart by where they are, for the datatype of a value stays where it is.
    pub(crate) fn position(&mut self, number: i128, enumeration: &Enumeration) -> Option<u32> {
        const FEW: usize = 16;
        if enumeration.members.len() <= FEW {
            let mut constants = (0..).zip(enumeration.members.iter());
            return constants.find(|(_, (_, other))| **other == number).map(|(position, _)| position);
        }
        let positions = self.0.entry(enumeration).or_insert_with(|| enumeration.positions_by_number());
        positions.get(&number).copied()
    }

    /// The position of what a file holds; fails with [`Status::BadArray`] if no constant has the number.
    pub(crate) fn find(&mut self, number: i128, enumeration: &Enumeration) -> Result<u32> {
        let none = || Error::new(Status::BadArray, format!("{number} is the number of none of the constants"));
        self.position(number, enumeration).ok_or_else(none)
    }
}

impl Datatype {
    /// Levels of datatypes in datatypes.
    pub const MAX_DEPTH: usize = 64;
    /// Datatypes and constants in one datatype, each counted as often as it occurs.
    pub const MAX_PARTS: u64 = 2_000_000;

    /// A datatype, if it is one: fails with [`Status::BadDatatype`] for opaque bytes of size 0, an enumeration without
    /// constants or with one outside its base, a compound without members, an array without dimensions or with an
    /// extent of 0, and with [`Status::Limit`] beyond [`Datatype::MAX_DEPTH`] and [`Datatype::MAX_PARTS`].
    pub fn new(kind: DatatypeKind) -> Result<Datatype> {
        Datatype::with_extensions(kind, Extensions::new())
    }

    /// As [`Datatype::new`], with what stands under `x-` keys among its parameters.
    pub fn with_extensions(kind: DatatypeKind, extensions: Extensions) -> Result<Datatype> {
        kind.check()?;
        let inner = kind.inner();
        let depth = 1 + inner.iter().map(|datatype| datatype.0.depth).max().unwrap_or(0);
        let constants = if let DatatypeKind::Enum(enumeration) = &kind { enumeration.members.len() as u64 } else { 0 };
        let parts = inner.iter().fold(1 + constants, |sum, datatype| sum.saturating_add(datatype.0.parts));
        if depth > Datatype::MAX_DEPTH {
            return Err(Error::new(
                Status::Limit,
                format!("datatypes nest at most {} levels deep", Datatype::MAX_DEPTH),
            ));
        }
        if parts > Datatype::MAX_PARTS {
            let message = format!("a datatype is made of at most {} datatypes and constants", Datatype::MAX_PARTS);
            return Err(Error::new(Status::Limit, message));
        }
        Ok(Datatype(Arc::new(Inner { kind, depth, parts, extensions })))
    }

    fn atomic(kind: DatatypeKind) -> Datatype {
        Datatype(Arc::new(Inner { kind, depth: 1, parts: 1, extensions: Extensions::new() }))
    }

    /// `string`
    pub fn string() -> Datatype {
        Datatype::atomic(DatatypeKind::String)
    }

    /// `objref`
    pub fn objref() -> Datatype {
        Datatype::atomic(DatatypeKind::Objref)
    }

    /// The enumeration of the truth values, [`Enumeration::boolean`].
    pub fn boolean() -> Datatype {
        Datatype::atomic(DatatypeKind::Enum(Enumeration::boolean()))
    }

    /// What it is.
    pub fn kind(&self) -> &DatatypeKind {
        &self.0.kind
    }

    /// What stands under `x-` keys among its parameters.
    pub fn extensions(&self) -> &Extensions {
        &self.0.extensions
    }

    /// Levels of datatypes in it, itself included.
    pub fn depth(&self) -> usize {
        self.0.depth
    }

    /// The keyword, as in `float32` or `compound`.
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

    /// The datatype of a keyword without parameters.
    pub fn from_keyword(keyword: &str) -> Option<Datatype> {
        Some(match keyword {
            "string" => Datatype::string(),
            "objref" => Datatype::objref(),
            "float32" => FloatType::Float32.into(),
            "float64" => FloatType::Float64.into(),
            _ => IntegerType::from_name(keyword)?.into(),
        })
    }

    /// Bytes of one element without gaps: nothing if elements have no fixed size, as text and references.
    ///
    /// Fails with [`Status::Limit`] if 128 bits cannot count them.
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

    /// Whether it, or a datatype in it, is one of these.
    pub fn has(&self, wanted: &dyn Fn(&DatatypeKind) -> bool) -> bool {
        wanted(self.kind()) || self.kind().inner().into_iter().any(|datatype| datatype.has(wanted))
    }

    /// Levels of lists in which an element is written.
    pub(crate) fn list_depth(&self) -> usize {
        let own = match self.kind() {
            DatatypeKind::Compound(_) | DatatypeKind::Vlen(_) => 1,
            DatatypeKind::Array { shape, .. } => shape.len(),
            _ => 0,
        };
        own + self.kind().inner().into_iter().map(Datatype::list_depth).max().unwrap_or(0)
    }
}

pub(crate) fn too_large() -> Error {
    Error::new(Status::Limit, "the size cannot be counted in 128 bits")
}

impl DatatypeKind {
    /// The datatypes directly in this one, in order.
    pub fn inner(&self) -> Vec<&Datatype> {
        match self {
            DatatypeKind::Compound(members) => members.iter().map(|(_, member)| member).collect(),
            DatatypeKind::Vlen(base) | DatatypeKind::Array { base, .. } => vec![base],
            _ => Vec::new(),
        }
    }

    fn check(&self) -> Result<()> {
        let bad = |message: String| Err(Error::new(Status::BadDatatype, message));
        match self {
            DatatypeKind::Opaque { size: 0, .. } => bad("opaque bytes have a size of at least 1".to_owned()),
            DatatypeKind::Compound(members) if members.is_empty() => {
                bad("a compound has at least one member".to_owned())
            }
            DatatypeKind::Array { shape, .. } if shape.is_empty() || shape.contains(&0) => {
                bad("the shape of an array datatype is a list of one or more integers, each at least 1".to_owned())
            }
            DatatypeKind::Enum(enumeration) if enumeration.members.is_empty() => {
                bad("an enumeration has at least one constant".to_owned())
            }
            DatatypeKind::Enum(Enumeration { base, members, .. }) => {
                match members.iter().find(|(_, number)| !base.holds(**number)) {
                    Some((name, number)) => {
                        bad(format!("the constant '{name}', {number}, is not in the range of {}", base.name()))
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

/// The same datatype; the order of constants counts, and so do extensions and whether a base was inferred.
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
            assert_eq!(numbers.position(0, &enumeration), Some(0));
            assert_eq!(numbers.position(1, &enumeration), Some(2));
            assert_eq!(numbers.position(count, &enumeration), None);
            assert_eq!(numbers.position(1, &other), None);
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
    fn datatypes_that_are_none_cannot_be_made() {
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
        // Shared parts count as often as they occur.
        let double = |datatype: Datatype| {
            Datatype::new(DatatypeKind::Compound([("a", datatype.clone()), ("b", datatype)].into_iter().collect()))
        };
        let wide = (0..40).try_fold(Datatype::string(), |datatype, _| double(datatype));
        assert_eq!(wide.unwrap_err().status(), Status::Limit);
    }
}
