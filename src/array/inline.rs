//! Arrays whose elements stand in the tree: shape from the nesting, datatype from the values, bytes from both.
//!
//! Lists are walked with a stack of their own, never by recursion, and what aliases could multiply is bounded.

use super::datatype::{ByteOrder, Datatype};
use super::descriptor::{ArraySource, DeclaredShape, Descriptor};
use super::float16::Float16;
use super::geometry::{Geometry, element_count};
use super::mask::{self, Missing};
use super::payload::Payload;
use super::text::Encoding;
use super::{Array, ScalarType, inline_record};
use crate::error::{Error, Result, Status, Warning};
use crate::limits::Limits;
use crate::source::{MemorySource, try_zeroed};
use crate::tree::{Integer, Kind, NodeId, PlainItems, Scalar, Tree, complex, scalar};
use std::sync::Arc;

/// Elements that aliases may add to those that stand in the tree: a short text could otherwise fill the memory.
pub(super) const MAX_REPEATED: u64 = 1 << 20;
const COMPLEX_TAG: &str = "tag:stsci.edu:asdf/core/complex-";

/// The value of one element.
#[derive(Clone, Copy, Debug)]
pub(super) enum Leaf {
    Null,
    Bool(bool),
    Integer(i64),
    /// Above the range of 64-bit signed integers.
    Unsigned(u64),
    /// An integer beyond 64 bits, rounded.
    Huge(f64),
    Float(f64),
    Complex(f64, f64),
    Text,
}

impl Array {
    /// The array of a description whose elements stand in the tree.
    ///
    /// A datatype that is not stated is the first of these that some element asks for: text (`ucs4`), complex128,
    /// float64, int64 (uint64 for numbers that only it holds), bool8; without elements it is float64. Null makes
    /// the array a masked one.
    ///
    /// Fails, located at the element or list that is wrong, with [`Status::BadArray`] for lists of unequal length or
    /// another shape than stated, [`Status::Overflow`] for numbers that the datatype cannot hold,
    /// [`Status::Conversion`] for values of another kind, and [`Status::Limit`] for more elements than
    /// `limits.decoded_bytes` allows.
    pub fn open_inline(tree: &Tree, descriptor: &Descriptor, limits: &Limits) -> Result<Array> {
        let ArraySource::Inline(data) = descriptor.source else {
            return Err(Error::new(Status::InvalidArgument, "the elements of the array are not in the tree"));
        };
        let declared = match &descriptor.shape {
            Some(DeclaredShape::Fixed(shape)) => Some(&shape[..]),
            _ => None,
        };
        let mut warnings = descriptor.warnings.clone();
        let (shape, datatype, payload, nulls) = match &descriptor.datatype {
            Some(datatype @ Datatype::Record(_)) => {
                let shape = declared.map_or_else(|| vec![tree.items(data).len() as i64], <[i64]>::to_vec);
                let (payload, nulls) = inline_record::store(tree, data, datatype, &shape, limits)?;
                (shape, datatype.clone(), payload, nulls)
            }
            stated => {
                let lists = Lists { tree, data, shape: nesting(tree, data, limits)?, of_lists: false };
                let shape = lists.check(declared)?;
                let values = Values::collect(&lists, limits)?;
                let datatype = match stated {
                    Some(datatype) => datatype.clone(),
                    None => values.infer(&lists, &mut warnings)?,
                };
                let payload = values.store(&lists, &datatype, limits)?;
                (shape, datatype, payload, values.missing()?)
            }
        };
        let nulls = nulls.map(|nulls| mask::nulls(nulls, &datatype, &shape)).transpose()?;
        let missing = Missing::new(nulls, descriptor.mask.is_some());
        let shape = DeclaredShape::Fixed(shape);
        let geometry = Geometry::new(&shape, None, 0, datatype.item_size()?, payload.length())?;
        let byteorder = ByteOrder::NATIVE;
        Ok(Array { datatype, byteorder, geometry, payload, missing, decoded_bytes: limits.decoded_bytes, warnings })
    }
}

pub(super) fn bad(tree: &Tree, node: NodeId, message: impl Into<String>) -> Error {
    tree.locate(Error::new(Status::BadArray, message), node)
}

/// An item with aliases and references followed.
pub(super) fn resolve(tree: &Tree, item: NodeId) -> Result<NodeId> {
    let node = tree.dealias(item);
    if tree.kind(node) == Kind::Mapping { tree.resolve(node) } else { Ok(node) }
}

/// The shape that the first item of each list tells; the other lists must have it, too.
fn nesting(tree: &Tree, data: NodeId, limits: &Limits) -> Result<Vec<i64>> {
    let most = limits.rank.min(Limits::MAX_RANK);
    let mut shape = Vec::new();
    let mut node = data;
    while tree.kind(node) == Kind::Sequence {
        if shape.len() == most as usize {
            return Err(tree.locate(Error::limit("the dimensions of an array", most.into()), data));
        }
        shape.push(tree.item_count(node) as i64);
        if tree.plain_items(node).is_some() {
            break;
        }
        match tree.items(node).first() {
            Some(&first) => node = resolve(tree, first)?,
            None => break,
        }
    }
    Ok(shape)
}

/// Nested lists, all of one depth equally long.
pub(super) struct Lists<'a> {
    pub(super) tree: &'a Tree,
    pub(super) data: NodeId,
    pub(super) shape: Vec<i64>,
    /// Whether the elements are lists, too, as records are.
    pub(super) of_lists: bool,
}

impl Lists<'_> {
    /// The shape of the array, which is the stated one if the lists have it.
    fn check(&self, declared: Option<&[i64]>) -> Result<Vec<i64>> {
        if self.tree.kind(self.data) != Kind::Sequence {
            return Err(bad(self.tree, self.data, "inline data must be a list"));
        }
        match declared {
            // Lists cannot tell what lies below an empty one.
            Some(declared) if declared != self.shape && !(declared.contains(&0) && self.shape.contains(&0)) => {
                let message = format!("the shape is stated as {declared:?}, but the lists have {:?}", self.shape);
                Err(bad(self.tree, self.data, message))
            }
            Some(declared) => Ok(declared.to_vec()),
            None => Ok(self.shape.clone()),
        }
    }

    pub(super) fn elements(&self) -> Elements<'_> {
        Elements { lists: self, open: Vec::with_capacity(self.shape.len()), begun: false }
    }
}

/// An element in the tree.
#[derive(Clone, Copy)]
pub(super) struct Element<'a> {
    pub(super) node: NodeId,
    /// The text, if it is known to be a plain scalar without a tag.
    plain: Option<&'a str>,
}

/// The elements in C order; fails where a list is not as long as its neighbours.
pub(super) struct Elements<'a> {
    lists: &'a Lists<'a>,
    open: Vec<Items<'a>>,
    begun: bool,
}

/// What is left of a list.
enum Items<'a> {
    Nodes(std::slice::Iter<'a, NodeId>),
    Plain(PlainItems<'a>),
}

impl<'a> Elements<'a> {
    /// Enters a list or gives an element.
    fn visit(&mut self, node: NodeId) -> Result<Option<Element<'a>>> {
        let Lists { tree, shape, .. } = self.lists;
        let depth = self.open.len();
        let Some(&expected) = shape.get(depth) else {
            return match tree.kind(node) {
                Kind::Scalar => Ok(Some(Element { node, plain: None })),
                Kind::Sequence if self.lists.of_lists => Ok(Some(Element { node, plain: None })),
                Kind::Sequence => Err(bad(tree, node, "a list stands where its neighbours are single values")),
                _ => Err(bad(tree, node, "a mapping cannot be an element of an array")),
            };
        };
        if tree.kind(node) != Kind::Sequence {
            return Err(bad(tree, node, "a single value stands where its neighbours are lists"));
        }
        let count = tree.item_count(node);
        if count as i64 != expected {
            let message = format!("the list has {count} items, its neighbours have {expected}");
            return Err(bad(tree, node, message));
        }
        self.open.push(match tree.plain_items(node).filter(|_| depth + 1 == shape.len()) {
            Some(items) => Items::Plain(items),
            None => Items::Nodes(tree.items(node).iter()),
        });
        Ok(None)
    }

    fn step(&mut self) -> Result<Option<Element<'a>>> {
        if !self.begun {
            self.begun = true;
            if let Some(element) = self.visit(self.lists.data)? {
                return Ok(Some(element));
            }
        }
        while let Some(list) = self.open.last_mut() {
            let next = match list {
                Items::Nodes(nodes) => nodes.next(),
                Items::Plain(items) => match items.next() {
                    Some((node, text)) => return Ok(Some(Element { node, plain: Some(text) })),
                    None => None,
                },
            };
            match next {
                None => {
                    self.open.pop();
                }
                Some(&item) => {
                    let node = resolve(self.lists.tree, item)?;
                    if let Some(element) = self.visit(node)? {
                        return Ok(Some(element));
                    }
                }
            }
        }
        Ok(None)
    }
}

impl<'a> Iterator for Elements<'a> {
    type Item = Result<Element<'a>>;

    fn next(&mut self) -> Option<Result<Element<'a>>> {
        self.step().transpose()
    }
}

impl Element<'_> {
    pub(super) fn leaf(self, tree: &Tree) -> Result<Leaf> {
        match self.plain {
            Some(text) => leaf_of(
                scalar::resolve(text, true, None).map_err(|error| tree.locate(error, self.node))?,
                tree,
                self.node,
            ),
            None => leaf(tree, self.node),
        }
    }

    fn text<'t>(&'t self, tree: &'t Tree) -> &'t str {
        self.plain.unwrap_or_else(|| tree.text(self.node))
    }
}

pub(super) fn leaf(tree: &Tree, node: NodeId) -> Result<Leaf> {
    if tree.tag(node).is_some_and(|tag| tag.starts_with(COMPLEX_TAG)) {
        let (real, imaginary) = complex::parse(tree.text(node)).map_err(|error| tree.locate(error, node))?;
        return Ok(Leaf::Complex(real, imaginary));
    }
    leaf_of(tree.scalar(node)?, tree, node)
}

fn leaf_of(scalar: Scalar, tree: &Tree, node: NodeId) -> Result<Leaf> {
    Ok(match scalar {
        Scalar::Null => Leaf::Null,
        Scalar::Bool(value) => Leaf::Bool(value),
        Scalar::Integer(integer) => match (integer.to_i64(), integer.to_u64(), &integer) {
            (Some(value), _, _) => Leaf::Integer(value),
            (_, Some(value), _) => Leaf::Unsigned(value),
            // Decimal digits are always a number to Rust, if maybe an infinite one.
            (_, _, Integer::Large(digits)) => Leaf::Huge(digits.parse().unwrap_or(f64::INFINITY)),
            (None, None, Integer::Small(value)) => Leaf::Integer(*value),
        },
        Scalar::Float(value) => Leaf::Float(value),
        Scalar::String(_) | Scalar::Timestamp(_) => Leaf::Text,
        Scalar::Binary(_) => return Err(bad(tree, node, "binary text cannot be an element of an array")),
    })
}

/// The elements in C order, and of which kinds they are.
struct Values {
    leaves: Vec<Leaf>,
    nulls: bool,
    bools: bool,
    integers: bool,
    negative: bool,
    unsigned: bool,
    huge: bool,
    floats: bool,
    complexes: bool,
    texts: bool,
}

impl Values {
    fn collect(lists: &Lists, limits: &Limits) -> Result<Values> {
        // Empty lists count, too: aliases can make many of them.
        let visited: Vec<i64> = lists.shape.iter().map(|&count| count.max(1)).collect();
        let most = limits.decoded_bytes / size_of::<Leaf>() as u64;
        let visited = element_count(&visited).map_or(u64::MAX, i64::unsigned_abs);
        if visited > most {
            return Err(lists.tree.locate(Error::limit("the elements of an inline array", most), lists.data));
        }
        if visited > lists.tree.node_count() as u64 + MAX_REPEATED {
            let message = format!("aliases repeat more than {MAX_REPEATED} elements of an inline array");
            return Err(lists.tree.locate(Error::new(Status::Limit, message), lists.data));
        }
        let mut values = Values {
            leaves: Vec::new(),
            nulls: false,
            bools: false,
            integers: false,
            negative: false,
            unsigned: false,
            huge: false,
            floats: false,
            complexes: false,
            texts: false,
        };
        let count = element_count(&lists.shape)? as usize;
        let reserved = values.leaves.try_reserve_exact(count);
        reserved.map_err(|_| Error::out_of_memory((count * size_of::<Leaf>()) as u64))?;
        for element in lists.elements() {
            let leaf = element?.leaf(lists.tree)?;
            match leaf {
                Leaf::Null => values.nulls = true,
                Leaf::Bool(_) => values.bools = true,
                Leaf::Integer(value) => {
                    values.integers = true;
                    values.negative |= value < 0;
                }
                Leaf::Unsigned(_) => values.unsigned = true,
                Leaf::Huge(_) => values.huge = true,
                Leaf::Float(_) => values.floats = true,
                Leaf::Complex(..) => values.complexes = true,
                Leaf::Text => values.texts = true,
            }
            values.leaves.push(leaf);
        }
        Ok(values)
    }

    /// A truth value for each element, if any is null.
    fn missing(&self) -> Result<Option<Vec<u8>>> {
        if !self.nulls {
            return Ok(None);
        }
        let mut missing = try_zeroed(self.leaves.len())?;
        for (missing, leaf) in missing.iter_mut().zip(&self.leaves) {
            *missing = u8::from(leaf.is_null());
        }
        Ok(Some(missing))
    }

    fn infer(&self, lists: &Lists, warnings: &mut Vec<Warning>) -> Result<Datatype> {
        let mut warn = |message: &str| {
            warnings.push(Warning { message: message.to_owned(), location: lists.tree.location(lists.data) });
        };
        let numbers = self.integers || self.unsigned || self.huge || self.floats;
        Ok(Datatype::Scalar(if self.texts {
            if numbers || self.bools || self.complexes {
                warn("numbers and text are mixed, so the numbers are taken as text");
            }
            return self.longest_text(lists).map(Datatype::Ucs4);
        } else if self.complexes {
            ScalarType::Complex128
        } else if self.floats || self.leaves.is_empty() {
            ScalarType::Float64
        } else if self.huge || (self.unsigned && self.negative) {
            let error = Error::new(Status::Overflow, "no integer datatype holds all elements");
            return Err(lists.tree.locate(error, lists.data));
        } else if self.unsigned {
            warn("the integers fit no signed datatype, so uint64 is taken");
            ScalarType::Uint64
        } else if self.integers {
            ScalarType::Int64
        } else {
            ScalarType::Bool8
        }))
    }

    /// Characters of the longest element as it is written.
    fn longest_text(&self, lists: &Lists) -> Result<u64> {
        let mut longest = 0;
        for (element, leaf) in lists.elements().zip(&self.leaves) {
            if !matches!(leaf, Leaf::Null) {
                longest = longest.max(element?.text(lists.tree).chars().count());
            }
        }
        Ok(longest as u64)
    }

    /// The elements as packed native bytes.
    fn store(&self, lists: &Lists, datatype: &Datatype, limits: &Limits) -> Result<Payload> {
        let size = datatype.item_size()?;
        let mut bytes = room(lists.tree, lists.data, self.leaves.len() as u64, size, limits)?;
        let mut elements = bytes.chunks_exact_mut((size as usize).max(1));
        if let Some(scalar) = datatype.scalar() {
            for (index, (leaf, out)) in self.leaves.iter().zip(elements).enumerate() {
                if leaf.store(scalar, out).is_none() {
                    let error = Err(Error::new(Status::Internal, "an element is not where it was"));
                    let element = lists.elements().nth(index).unwrap_or(error)?;
                    return Err(misfit(lists.tree, element.node, *leaf, datatype));
                }
            }
        } else {
            for (element, leaf) in lists.elements().zip(&self.leaves) {
                leaf.put(lists.tree, element?.node, datatype, elements.next().unwrap_or_default())?;
            }
        }
        Ok(stored(bytes))
    }
}

/// Memory for so many elements, if they may have so much.
pub(super) fn room(tree: &Tree, data: NodeId, count: u64, size: u64, limits: &Limits) -> Result<Vec<u8>> {
    let total = count.checked_mul(size).filter(|&total| total <= limits.decoded_bytes);
    let most = limits.decoded_bytes;
    let total = total.ok_or_else(|| tree.locate(Error::limit("bytes of an inline array", most), data))?;
    try_zeroed(usize::try_from(total).map_err(|_| Error::out_of_memory(total))?)
}

/// Elements that were put together in memory.
pub(super) fn stored(bytes: Vec<u8>) -> Payload {
    let length = bytes.len() as u64;
    Payload::Stored { source: Arc::new(MemorySource::of_vec(bytes)), offset: 0, length }
}

/// The error for an element that the datatype cannot hold.
fn misfit(tree: &Tree, node: NodeId, leaf: Leaf, datatype: &Datatype) -> Error {
    let text = tree.text(node);
    let error = match leaf {
        Leaf::Text | Leaf::Complex(..) => Error::new(Status::Conversion, format!("'{text}' cannot become {datatype}")),
        _ => Error::new(Status::Overflow, format!("an element is {text}, which {datatype} cannot hold")),
    };
    tree.locate(error, node)
}

impl Leaf {
    pub(super) fn is_null(self) -> bool {
        matches!(self, Leaf::Null)
    }

    /// Writes the element at `node` as a native scalar or string. Null leaves zeros.
    pub(super) fn put(self, tree: &Tree, node: NodeId, datatype: &Datatype, out: &mut [u8]) -> Result<()> {
        match (datatype.scalar(), Encoding::of(datatype), self) {
            (_, _, Leaf::Null) => Ok(()),
            (Some(scalar), _, leaf) => leaf.store(scalar, out).ok_or_else(|| misfit(tree, node, leaf, datatype)),
            (None, Some(encoding), _) => encoding.store(tree.text(node), out).map_err(|(status, what)| {
                let message = format!("'{}' {what}, which {datatype} cannot hold", tree.text(node).escape_debug());
                tree.locate(Error::new(status, message), node)
            }),
            (None, None, leaf) => Err(misfit(tree, node, leaf, datatype)),
        }
    }

    /// Writes the value as a native element, if the type can hold it. Null leaves zero.
    pub(super) fn store(self, scalar: ScalarType, out: &mut [u8]) -> Option<()> {
        use ScalarType as S;
        if matches!(self, Leaf::Null) {
            return Some(());
        }
        macro_rules! integer {
            ($type:ty) => {
                out.copy_from_slice(&<$type>::try_from(self.integer()?).ok()?.to_ne_bytes())
            };
        }
        match scalar {
            S::Int8 => integer!(i8),
            S::Int16 => integer!(i16),
            S::Int32 => integer!(i32),
            S::Int64 => integer!(i64),
            S::Uint8 => integer!(u8),
            S::Uint16 => integer!(u16),
            S::Uint32 => integer!(u32),
            S::Uint64 => integer!(u64),
            S::Float32 => out.copy_from_slice(&self.float32()?.to_ne_bytes()),
            S::Float64 => out.copy_from_slice(&self.float64()?.to_ne_bytes()),
            S::Complex64 => {
                let (real, imaginary) = match self {
                    Leaf::Complex(real, imaginary) => (narrow(real)?, narrow(imaginary)?),
                    other => (other.float32()?, 0.0),
                };
                let (head, tail) = out.split_at_mut(4);
                head.copy_from_slice(&real.to_ne_bytes());
                tail.copy_from_slice(&imaginary.to_ne_bytes());
            }
            S::Complex128 => {
                let (real, imaginary) = match self {
                    Leaf::Complex(real, imaginary) => (real, imaginary),
                    other => (other.float64()?, 0.0),
                };
                let (head, tail) = out.split_at_mut(8);
                head.copy_from_slice(&real.to_ne_bytes());
                tail.copy_from_slice(&imaginary.to_ne_bytes());
            }
            S::Bool8 => out.copy_from_slice(&[u8::from(self.float64()? != 0.0)]),
            S::Float16 => {
                let value = self.float64()?;
                let stored = Float16::from_f64(value);
                // What became infinite without having been did not fit.
                if stored.0 & 0x7FFF == 0x7C00 && value.is_finite() {
                    return None;
                }
                out.copy_from_slice(&stored.to_ne_bytes());
            }
        }
        Some(())
    }

    fn integer(self) -> Option<i128> {
        match self {
            Leaf::Bool(value) => Some(value.into()),
            Leaf::Integer(value) => Some(value.into()),
            Leaf::Unsigned(value) => Some(value.into()),
            // Beyond 2^100 no integer type reaches; below, the conversion of an integral value is exact.
            Leaf::Float(value) if value.fract() == 0.0 && value.abs() < 1e30 => Some(value as i128),
            _ => None,
        }
    }

    fn float32(self) -> Option<f32> {
        match self {
            // Straight, for rounding twice may give another number.
            Leaf::Integer(value) => Some(value as f32),
            Leaf::Unsigned(value) => Some(value as f32),
            other => narrow(other.float64()?),
        }
    }

    fn float64(self) -> Option<f64> {
        match self {
            Leaf::Bool(value) => Some(f64::from(u8::from(value))),
            Leaf::Integer(value) => Some(value as f64),
            Leaf::Unsigned(value) => Some(value as f64),
            Leaf::Huge(value) => Some(value).filter(|value| value.is_finite()),
            Leaf::Float(value) => Some(value),
            Leaf::Null | Leaf::Complex(..) | Leaf::Text => None,
        }
    }
}

/// The nearest binary32, unless that makes a finite number infinite.
fn narrow(value: f64) -> Option<f32> {
    let narrow = value as f32;
    (narrow.is_finite() || !value.is_finite()).then_some(narrow)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::array::testing::tree;
    use crate::array::{Datatype, ReadOptions};

    fn open(text: &str) -> Result<Array> {
        let tree = tree(text);
        let descriptor = Descriptor::parse(&tree, tree.root(), &Limits::default())?;
        Array::open_inline(&tree, &descriptor, &Limits::default())
    }

    fn read<const N: usize, T>(array: &Array, from: fn([u8; N]) -> T) -> Vec<T> {
        let mut out = vec![0; array.byte_size(array.datatype()).unwrap() as usize];
        array.read(array.datatype(), &mut out, &ReadOptions::default()).unwrap();
        out.as_chunks::<N>().0.iter().map(|&bytes| from(bytes)).collect()
    }

    #[test]
    fn datatypes_are_inferred() {
        use ScalarType::*;
        let cases: &[(&str, Datatype, &[i64])] = &[
            ("[1, -2, 3]", Int64.into(), &[3]),
            ("[1, 2.5]", Float64.into(), &[2]),
            ("[true, 2.5]", Float64.into(), &[2]),
            ("[true, false]", Bool8.into(), &[2]),
            ("[true, 2]", Int64.into(), &[2]),
            ("[a, bcd, é]", Datatype::Ucs4(3), &[3]),
            ("[1, abc]", Datatype::Ucs4(3), &[2]),
            ("[12345, abc, null]", Datatype::Ucs4(5), &[3]),
            ("[1e5]", Datatype::Ucs4(3), &[1]),
            ("[!core/complex-1.0.0 1+1j, 2]", Complex128.into(), &[2]),
            ("[.nan, .inf, -.inf, -0.0]", Float64.into(), &[4]),
            ("[]", Float64.into(), &[0]),
            ("[[], []]", Float64.into(), &[2, 0]),
            ("[9223372036854775808]", Uint64.into(), &[1]),
            ("[99999999999999999999999, 1.5]", Float64.into(), &[2]),
            ("[1, null, 3]", Int64.into(), &[3]),
            ("[null]", Bool8.into(), &[1]),
            ("[[[1], [2]], [[3], [4]], [[5], [6]]]", Int64.into(), &[3, 2, 1]),
            ("{data: [], shape: [0, 3]}", Float64.into(), &[0, 3]),
            ("{data: [[1, 2.5]], datatype: [int8, float64]}", Datatype::Record([int8(), float64()].into()), &[1]),
            ("{data: [a], datatype: [ascii, 4]}", Datatype::Ascii(4), &[1]),
            ("{data: [1], datatype: float16}", Float16.into(), &[1]),
        ];
        for (text, datatype, shape) in cases {
            let array = open(text).unwrap();
            assert_eq!((array.datatype(), array.shape()), (datatype, *shape), "{text}");
        }
        assert_eq!(open("[9223372036854775808]").unwrap().warnings().len(), 1);
        assert_eq!(open("[1, abc]").unwrap().warnings().len(), 1);
        assert_eq!(open("[1, 2]").unwrap().warnings().len(), 0);
    }

    fn int8() -> crate::array::Field {
        let datatype = ScalarType::Int8.into();
        crate::array::Field { name: None, datatype, byteorder: None, shape: Vec::new() }
    }

    fn float64() -> crate::array::Field {
        crate::array::Field { datatype: ScalarType::Float64.into(), ..int8() }
    }

    #[test]
    fn values_are_exact() {
        let array = open("[[1, -2], [9223372036854775807, true]]").unwrap();
        assert_eq!(read(&array, i64::from_ne_bytes), [1, -2, i64::MAX, 1]);
        let array = open("[18446744073709551615, 0]").unwrap();
        assert_eq!(read(&array, u64::from_ne_bytes), [u64::MAX, 0]);
        let bits = read(&open("[0.1, -0.0, .inf, 3]").unwrap(), f64::from_ne_bytes).map_bits();
        assert_eq!(bits, [0.1f64, -0.0, f64::INFINITY, 3.0].to_vec().map_bits());
        let array = open("[!core/complex-1.0.0 1-2j, 3]").unwrap();
        assert_eq!(read(&array, f64::from_ne_bytes), [1.0, -2.0, 3.0, 0.0]);
        let array = open("{data: [16777217, 0.1, true], datatype: float32}").unwrap();
        assert_eq!(read(&array, f32::from_ne_bytes), [16777216.0, 0.1, 1.0]);
        let array = open("{data: [2.0, -128, false], datatype: int8, byteorder: x, strides: [9]}").unwrap();
        assert_eq!(read(&array, i8::from_ne_bytes), [2, -128, 0]);
        let array = open("{data: [0, 2, 0.5, .nan, true], datatype: bool8}").unwrap();
        assert_eq!(read(&array, u8::from_ne_bytes), [0, 1, 1, 1, 1]);
        let array = open("{data: [0.1, 65519, -.inf], datatype: float16}").unwrap();
        assert_eq!(read(&array, u16::from_ne_bytes), [0x2E66, 0x7BFF, 0xFC00]);
        let array = open("{data: [1.5, !core/complex-1.0.0 2j], datatype: complex64}").unwrap();
        assert_eq!(read(&array, f32::from_ne_bytes), [1.5, 0.0, 0.0, 2.0]);
    }

    #[test]
    fn strings_are_filled_up_and_numbers_among_them_are_text() {
        let texts = |text: &str| -> Vec<String> {
            let array = open(text).unwrap();
            let one = |index| array.read_string(&[index], &ReadOptions::default()).unwrap().0;
            (0..array.element_count()).map(one).collect()
        };
        assert_eq!(texts("[a, bcd, é😀]"), ["a", "bcd", "é😀"]);
        assert_eq!(texts("[1, abc, true, 1.50]"), ["1", "abc", "true", "1.50"]);
        assert_eq!(texts("{data: ['', ab], datatype: [ascii, 2]}"), ["", "ab"]);
        assert_eq!(texts("{data: [a], datatype: [ucs4, 9]}"), ["a"]);
        assert_eq!(texts("{data: ['', ''], datatype: [ascii, 0]}"), ["", ""]);
        let array = open("[ab, é]").unwrap();
        assert_eq!(read(&array, u32::from_ne_bytes), [97, 98, 0xE9, 0]);
    }

    trait MapBits {
        fn map_bits(self) -> Vec<u64>;
    }

    impl MapBits for Vec<f64> {
        fn map_bits(self) -> Vec<u64> {
            self.into_iter().map(f64::to_bits).collect()
        }
    }

    #[test]
    fn what_cannot_be_is_refused_where_it_stands() {
        let cases = [
            ("[[1, 2], [3]]", Status::BadArray, "/1"),
            ("[1, [2]]", Status::BadArray, "/1"),
            ("[[1], 2]", Status::BadArray, "/1"),
            ("[1, {a: 1}]", Status::BadArray, "/1"),
            ("[{a: 1}]", Status::BadArray, "/0"),
            ("{data: [1, 2, 3], shape: [2]}", Status::BadArray, "/data"),
            ("{data: [5], shape: []}", Status::BadArray, "/data"),
            ("{data: 5, shape: [1]}", Status::BadArray, "/data"),
            ("{data: 5}", Status::BadArray, "/data"),
            ("{data: 5, shape: []}", Status::BadArray, "/data"),
            ("{data: [], shape: [3]}", Status::BadArray, "/data"),
            ("{data: [3, 300], datatype: uint8}", Status::Overflow, "/data/1"),
            ("{data: [[1], [-1]], datatype: uint8}", Status::Overflow, "/data/1/0"),
            ("{data: [1.5], datatype: int8}", Status::Overflow, "/data/0"),
            ("{data: [.nan], datatype: int64}", Status::Overflow, "/data/0"),
            ("{data: [1.0e+300], datatype: float32}", Status::Overflow, "/data/0"),
            ("{data: [65520], datatype: float16}", Status::Overflow, "/data/0"),
            ("{data: [1.0e+300], datatype: int64}", Status::Overflow, "/data/0"),
            ("{data: [ab, abc], datatype: [ascii, 2]}", Status::Overflow, "/data/1"),
            ("{data: [abc], datatype: [ucs4, 2]}", Status::Overflow, "/data/0"),
            ("{data: [é], datatype: [ascii, 2]}", Status::Encoding, "/data/0"),
            ("{data: [a, b], datatype: [ascii, 1000000000]}", Status::Limit, "/data"),
            ("{data: [a], datatype: int8}", Status::Conversion, "/data/0"),
            ("{data: ['1'], datatype: int8}", Status::Conversion, "/data/0"),
            ("{data: [!core/complex-1.0.0 1j], datatype: float64}", Status::Conversion, "/data/0"),
            ("[!core/complex-1.0.0 x]", Status::TagContent, "/0"),
            ("[-1, 9223372036854775808]", Status::Overflow, ""),
            ("[99999999999999999999999]", Status::Overflow, ""),
            ("&a [*a]", Status::Limit, ""),
        ];
        for (text, status, path) in cases {
            let error = open(text).unwrap_err();
            assert_eq!((error.status(), error.location().path.as_deref()), (status, Some(path)), "{text}");
        }
    }

    #[test]
    fn aliases_and_references_are_elements_and_cannot_multiply_without_end() {
        let tree = tree("{x: &x [1, 2], y: 7, a: [*x, [{$ref: '#/y'}, 3], {$ref: '#/x'}]}");
        let node = tree.lookup(tree.root(), "a").unwrap();
        let descriptor = Descriptor::parse(&tree, node, &Limits::default()).unwrap();
        let array = Array::open_inline(&tree, &descriptor, &Limits::default()).unwrap();
        assert_eq!(read(&array, i64::from_ne_bytes), [1, 2, 7, 3, 1, 2]);
        for leaf in ["1", ""] {
            let mut text = format!("\nx0: &x0 [{leaf}]\n");
            for level in 1..20 {
                let row = vec![format!("*x{}", level - 1); 10].join(", ");
                text += &format!("x{level}: &x{level} [{row}]\n");
            }
            let tree = crate::array::testing::tree(&text);
            // Ten million elements would fit the limit on memory, but not what a small tree may ask for.
            for (name, refused) in [("x2", false), ("x7", true), ("x19", true)] {
                let node = tree.lookup(tree.root(), name).unwrap();
                let descriptor = Descriptor::parse(&tree, node, &Limits::default()).unwrap();
                let status = Array::open_inline(&tree, &descriptor, &Limits::default()).err().map(|e| e.status());
                assert_eq!(status, refused.then_some(Status::Limit), "{name}");
            }
        }
    }

    #[test]
    fn nulls_mask() {
        let status = |text: &str| {
            let array = open(text).unwrap();
            array.read(array.datatype(), &mut [0; 99], &ReadOptions::default()).unwrap_err().status()
        };
        assert!(open("[1, null]").unwrap().is_masked());
        assert_eq!(status("[1, null]"), Status::Masked);
        assert_eq!(status("{data: [1], mask: 1}"), Status::Masked);
    }
}
