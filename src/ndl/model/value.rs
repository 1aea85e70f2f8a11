//! Values of arrays and attributes, in columns: a number takes the room of a number.

use super::datatype::too_large;
use crate::error::{Error, Result, Status};
use crate::ndl::{Datatype, DatatypeKind, Extensions, FloatType, IntegerType, Selection};
use std::ops::Range;

/// All elements of an array, in the order of their indices, the last of which runs fastest.
#[derive(Clone, Debug, PartialEq)]
pub struct Value {
    shape: Vec<u64>,
    elements: Elements,
}

impl Value {
    /// Elements in this shape; fails with [`Status::InvalidArgument`] if they are not as many as the shape has room
    /// for, or are not of the datatype.
    pub fn new(shape: Vec<u64>, elements: Elements, datatype: &Datatype) -> Result<Value> {
        let count = count_of(&shape)?;
        if count != elements.len() as u128 {
            let message = format!("{} elements where the shape has room for {count}", elements.len());
            return Err(Error::new(Status::InvalidArgument, message));
        }
        if !elements.are_of(datatype) {
            let message = format!("the elements are not of the datatype {}", datatype.keyword());
            return Err(Error::new(Status::InvalidArgument, message));
        }
        Ok(Value { shape, elements })
    }

    /// Elements that are known to fit the shape and the datatype.
    pub(crate) fn of_checked(shape: Vec<u64>, elements: Elements) -> Value {
        Value { shape, elements }
    }

    /// A single element.
    pub fn scalar(elements: Elements, datatype: &Datatype) -> Result<Value> {
        Value::new(Vec::new(), elements, datatype)
    }

    /// How many elements there are along each dimension, outermost first; for unlimited dimensions as many as are
    /// given.
    pub fn shape(&self) -> &[u64] {
        &self.shape
    }

    /// The elements.
    pub fn elements(&self) -> &Elements {
        &self.elements
    }
}

/// The product of extents; fails with [`Status::Limit`] if 128 bits cannot count it.
pub(crate) fn count_of(shape: &[u64]) -> Result<u128> {
    if shape.contains(&0) {
        return Ok(0);
    }
    shape.iter().try_fold(1u128, |count, &extent| count.checked_mul(extent.into())).ok_or_else(too_large)
}

/// Elements of one datatype, one after the other. Nests as deep as the datatype does.
#[derive(Clone, Debug, PartialEq)]
pub enum Elements {
    /// Of `string`.
    Texts(Texts),
    /// Of every integer datatype but `uint64`.
    Integers(Vec<i64>),
    /// Of `uint64`.
    Unsigned(Vec<u64>),
    /// Of `float32`.
    Float32(Vec<f32>),
    /// Of `float64`.
    Float64(Vec<f64>),
    /// Of an enumeration: positions of constants in [`Enumeration::members`](crate::ndl::Enumeration::members).
    Constants(Vec<u32>),
    /// Of opaque bytes; an element may be shorter than the datatype, and is then followed by zeros.
    Opaque(Blobs),
    /// Of `objref`: path names.
    Objects(Vec<Option<String>>),
    /// Of `regref`.
    Regions(Vec<Option<Region>>),
    /// Of a compound: the elements of each member.
    Compound(Vec<Elements>),
    /// Of a vlen.
    Lists(Lists),
    /// Of an array datatype: `size` elements of the base for each.
    Arrays {
        /// The product of the extents of the datatype.
        size: u64,
        /// The elements of the base.
        base: Box<Elements>,
    },
}

impl Elements {
    /// No elements of a datatype.
    pub fn none_of(datatype: &Datatype) -> Elements {
        match datatype.kind() {
            DatatypeKind::String => Elements::Texts(Texts::default()),
            DatatypeKind::Integer(IntegerType::Uint64) => Elements::Unsigned(Vec::new()),
            DatatypeKind::Integer(_) => Elements::Integers(Vec::new()),
            DatatypeKind::Float(FloatType::Float32) => Elements::Float32(Vec::new()),
            DatatypeKind::Float(FloatType::Float64) => Elements::Float64(Vec::new()),
            DatatypeKind::Enum(_) => Elements::Constants(Vec::new()),
            DatatypeKind::Opaque { .. } => Elements::Opaque(Blobs::default()),
            DatatypeKind::Objref => Elements::Objects(Vec::new()),
            DatatypeKind::Regref(_) => Elements::Regions(Vec::new()),
            DatatypeKind::Compound(members) => {
                Elements::Compound(members.iter().map(|(_, member)| Elements::none_of(member)).collect())
            }
            DatatypeKind::Vlen(base) => {
                Elements::Lists(Lists { ends: Vec::new(), base: Box::new(Elements::none_of(base)) })
            }
            DatatypeKind::Array { base, shape } => {
                Elements::Arrays { size: element_count(shape), base: Box::new(Elements::none_of(base)) }
            }
        }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        match self {
            Elements::Texts(texts) => texts.len(),
            Elements::Integers(numbers) => numbers.len(),
            Elements::Unsigned(numbers) => numbers.len(),
            Elements::Float32(numbers) => numbers.len(),
            Elements::Float64(numbers) => numbers.len(),
            Elements::Constants(positions) => positions.len(),
            Elements::Opaque(blobs) => blobs.len(),
            Elements::Objects(paths) => paths.len(),
            Elements::Regions(regions) => regions.len(),
            Elements::Compound(members) => members.first().map_or(0, Elements::len),
            Elements::Lists(lists) => lists.len(),
            Elements::Arrays { size, base } => usize::try_from(*size).map_or(0, |size| base.len() / size.max(1)),
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether all are elements of this datatype: integers in range, constants that exist, bytes that are not too long,
    /// regions selected as it says.
    pub fn are_of(&self, datatype: &Datatype) -> bool {
        match (self, datatype.kind()) {
            (Elements::Texts(_), DatatypeKind::String)
            | (Elements::Unsigned(_), DatatypeKind::Integer(IntegerType::Uint64))
            | (Elements::Float32(_), DatatypeKind::Float(FloatType::Float32))
            | (Elements::Float64(_), DatatypeKind::Float(FloatType::Float64))
            | (Elements::Objects(_), DatatypeKind::Objref) => true,
            (Elements::Integers(numbers), DatatypeKind::Integer(integer)) => {
                *integer != IntegerType::Uint64 && numbers.iter().all(|&number| integer.holds(number.into()))
            }
            (Elements::Constants(positions), DatatypeKind::Enum(enumeration)) => {
                positions.iter().all(|&position| (position as usize) < enumeration.members.len())
            }
            (Elements::Opaque(blobs), DatatypeKind::Opaque { size, .. }) => {
                blobs.iter().all(|blob| blob.len() as u64 <= *size)
            }
            (Elements::Regions(regions), DatatypeKind::Regref(selection)) => {
                regions.iter().flatten().all(|region| region.selection() == *selection)
            }
            (Elements::Compound(columns), DatatypeKind::Compound(members)) => {
                columns.len() == members.len()
                    && columns
                        .iter()
                        .zip(members.iter())
                        .all(|(column, (_, member))| column.len() == self.len() && column.are_of(member))
            }
            (Elements::Lists(lists), DatatypeKind::Vlen(base)) => lists.base.are_of(base),
            (Elements::Arrays { size, base }, DatatypeKind::Array { base: datatype, shape }) => {
                *size == element_count(shape) && (base.len() as u64).is_multiple_of(*size) && base.are_of(datatype)
            }
            _ => false,
        }
    }
}

/// How many elements have these extents; as many as can be counted, if there are more.
pub(crate) fn element_count(shape: &[u64]) -> u64 {
    shape.iter().fold(1, |size, &extent| size.saturating_mul(extent))
}

/// All of them, or an error where there is no memory for as many.
pub(crate) fn try_collected<T>(items: impl ExactSizeIterator<Item = Result<T>>) -> Result<Vec<T>> {
    let mut out = Vec::new();
    let size = (items.len() as u64).saturating_mul(size_of::<T>() as u64);
    out.try_reserve_exact(items.len()).map_err(|_| Error::out_of_memory(size))?;
    for item in items {
        out.push(item?);
    }
    Ok(out)
}

/// Byte strings one after the other.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Blobs {
    bytes: Vec<u8>,
    ends: Vec<usize>,
}

impl Blobs {
    /// Byte strings of this size; bytes at the end that do not fill one are none.
    pub(crate) fn of_size(mut bytes: Vec<u8>, size: usize) -> Result<Blobs> {
        let size = size.max(1);
        let ends = try_collected((0..bytes.len() / size).map(|position| Ok((position + 1) * size)))?;
        bytes.truncate(ends.last().copied().unwrap_or(0));
        Ok(Blobs { bytes, ends })
    }

    /// Adds one at the end.
    pub fn push(&mut self, blob: &[u8]) {
        self.bytes.extend_from_slice(blob);
        self.ends.push(self.bytes.len());
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The one at this position, from 0.
    pub fn get(&self, position: usize) -> Option<&[u8]> {
        self.bytes.get(range(&self.ends, position)?)
    }

    /// All.
    pub fn iter(&self) -> impl Iterator<Item = &[u8]> {
        (0..self.len()).filter_map(|position| self.get(position))
    }
}

/// Texts one after the other.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Texts {
    text: String,
    ends: Vec<usize>,
}

impl Texts {
    /// Adds one at the end, or fails where there is no memory for it.
    pub(crate) fn try_push(&mut self, text: &str) -> Result<()> {
        let no_memory = |_| Error::out_of_memory(text.len() as u64);
        self.text.try_reserve(text.len()).map_err(no_memory)?;
        self.ends.try_reserve(1).map_err(no_memory)?;
        self.push(text);
        Ok(())
    }

    /// Adds one at the end.
    pub fn push(&mut self, text: &str) {
        self.text.push_str(text);
        self.ends.push(self.text.len());
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The one at this position, from 0.
    pub fn get(&self, position: usize) -> Option<&str> {
        self.text.get(range(&self.ends, position)?)
    }

    /// All.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        (0..self.len()).filter_map(|position| self.get(position))
    }
}

impl<T: AsRef<str>> FromIterator<T> for Texts {
    fn from_iter<I: IntoIterator<Item = T>>(texts: I) -> Texts {
        let mut out = Texts::default();
        for text in texts {
            out.push(text.as_ref());
        }
        out
    }
}

fn range(ends: &[usize], position: usize) -> Option<Range<usize>> {
    let end = *ends.get(position)?;
    let start = if position == 0 { 0 } else { *ends.get(position - 1)? };
    Some(start..end)
}

/// Lists of any length, their elements one after the other.
#[derive(Clone, Debug, PartialEq)]
pub struct Lists {
    ends: Vec<usize>,
    base: Box<Elements>,
}

impl Lists {
    /// Lists that end before these positions of `base`; fails with [`Status::InvalidArgument`] if the positions descend
    /// or the last is not the length of `base`.
    pub fn new(ends: Vec<usize>, base: Elements) -> Result<Lists> {
        if !ends.is_sorted() || ends.last().copied().unwrap_or(0) != base.len() {
            return Err(Error::new(Status::InvalidArgument, "the lists do not share out their elements"));
        }
        Ok(Lists { ends, base: Box::new(base) })
    }

    /// Adds a list at the end; `add` puts its elements behind those that are there.
    pub(crate) fn push_list<T>(&mut self, add: impl FnOnce(&mut Elements) -> T) -> T {
        let added = add(&mut self.base);
        self.ends.push(self.base.len());
        added
    }

    /// How many lists there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Where in [`Lists::base`] the elements of a list are.
    pub fn range(&self, position: usize) -> Option<Range<usize>> {
        range(&self.ends, position)
    }

    /// The elements of all lists.
    pub fn base(&self) -> &Elements {
        &self.base
    }
}

/// A selection of elements of one array.
#[derive(Clone, Debug, PartialEq)]
pub struct Region {
    target: String,
    selection: Selection,
    rank: usize,
    count: usize,
    indices: Vec<u64>,
    /// What stands under `x-` keys.
    pub extensions: Extensions,
}

impl Region {
    /// Selects nothing yet of an array of this rank, which has this path name.
    pub fn new(target: impl Into<String>, selection: Selection, rank: usize) -> Region {
        Region { target: target.into(), selection, rank, count: 0, indices: Vec::new(), extensions: Extensions::new() }
    }

    /// Adds one element; fails with [`Status::InvalidArgument`] unless the region is one of elements and the index has as
    /// many numbers as the array dimensions.
    pub fn add_element(&mut self, index: &[u64]) -> Result<()> {
        if self.selection != Selection::Element || index.len() != self.rank {
            return Err(Error::new(Status::InvalidArgument, "the index does not fit the region"));
        }
        self.indices.extend_from_slice(index);
        self.count += 1;
        Ok(())
    }

    /// Adds a block by two diagonally opposite corners, both in it, in any order; fails with
    /// [`Status::InvalidArgument`] unless the region is one of blocks and corners have as many numbers as the array
    /// dimensions.
    pub fn add_block(&mut self, start: &[u64], opposite: &[u64]) -> Result<()> {
        if self.selection != Selection::Block || start.len() != self.rank || opposite.len() != self.rank {
            return Err(Error::new(Status::InvalidArgument, "the corners do not fit the region"));
        }
        let corners = || start.iter().zip(opposite);
        self.indices.extend(corners().map(|(one, other)| one.min(other)));
        self.indices.extend(corners().map(|(one, other)| one.max(other)));
        self.count += 1;
        Ok(())
    }

    /// The path name of the array.
    pub fn target(&self) -> &str {
        &self.target
    }

    /// Whether it selects blocks or elements.
    pub fn selection(&self) -> Selection {
        self.selection
    }

    /// Numbers in an index: the rank of the array.
    pub fn rank(&self) -> usize {
        self.rank
    }

    /// How many blocks or elements are selected.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Whether nothing is selected.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The first and the last index of a block.
    pub fn block(&self, position: usize) -> Option<(&[u64], &[u64])> {
        if self.selection != Selection::Block || position >= self.count {
            return None;
        }
        let both = self.indices.get(2 * self.rank * position..)?.get(..2 * self.rank)?;
        Some(both.split_at(self.rank))
    }

    /// The index of an element.
    pub fn element(&self, position: usize) -> Option<&[u64]> {
        if self.selection != Selection::Element || position >= self.count {
            return None;
        }
        self.indices.get(self.rank * position..)?.get(..self.rank)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_as_many_as_the_shape_says() {
        let int8 = Datatype::from(IntegerType::Int8);
        let value = Value::new(vec![2, 3], Elements::Integers(vec![0; 6]), &int8).unwrap();
        assert_eq!((value.shape(), value.elements().len()), (&[2, 3][..], 6));
        assert!(Value::new(vec![2, 3], Elements::Integers(vec![0; 5]), &int8).is_err());
        assert!(Value::new(vec![1], Elements::Integers(vec![128]), &int8).is_err());
        assert!(Value::new(vec![1], Elements::Float64(vec![1.0]), &int8).is_err());
        assert!(Value::new(vec![0, u64::MAX, u64::MAX], Elements::Integers(vec![]), &int8).is_ok());
        let huge = Value::new(vec![u64::MAX; 3], Elements::Integers(vec![]), &int8).unwrap_err();
        assert_eq!(huge.status(), Status::Limit);
    }

    #[test]
    fn texts_and_lists_keep_their_ends() {
        let texts: Texts = ["", "é", "", "ab"].into_iter().collect();
        assert!(texts.iter().eq(["", "é", "", "ab"]));
        assert_eq!(texts.get(4), None);
        let lists = Lists::new(vec![0, 2, 4], Elements::Texts(texts.clone())).unwrap();
        assert_eq!((lists.range(0), lists.range(1), lists.range(3)), (Some(0..0), Some(0..2), None));
        assert!(Lists::new(vec![1, 3], Elements::Texts(texts.clone())).is_err());
        assert!(Lists::new(vec![4, 2], Elements::Texts(texts)).is_err());
    }

    #[test]
    fn regions_put_corners_in_order() {
        let mut region = Region::new("/a", Selection::Block, 2);
        region.add_block(&[5, 3], &[2, 7]).unwrap();
        assert_eq!(region.block(0), Some((&[2, 3][..], &[5, 7][..])));
        assert_eq!(region.block(1), None);
        assert!(region.add_block(&[5], &[2]).is_err() && region.add_element(&[5, 3]).is_err());
        let mut scalar = Region::new("/s", Selection::Element, 0);
        scalar.add_element(&[]).unwrap();
        assert_eq!((scalar.len(), scalar.element(0), scalar.element(1)), (1, Some(&[][..]), None));
    }
}
