//! Values of arrays and attributes, stored by columns: a number takes 4 or 8 bytes.

use super::datatype::too_large;
use crate::error::{Error, Result, Status};
use crate::ndl::{Content, Datatype, DatatypeKind, Extensions, FloatType, IntegerType, Selection};
use crate::reserve::{collected, copy_of, extend, push, room_for, room_in_text, text_of};
use std::ops::Range;

/// All elements of an array in C order (the last index runs fastest).
#[derive(Clone, Debug, PartialEq)]
pub struct Value {
    shape: Vec<u64>,
    elements: Elements,
}

impl Value {
    /// Returns a value of this shape. Fails with [`Status::InvalidArgument`] if the number of elements differs from the
    /// product of the extents, or if an element does not fit the datatype.
    pub fn new(shape: Vec<u64>, elements: Elements, datatype: &Datatype) -> Result<Value> {
        let count = count_of(&shape)?;
        if count != elements.len() as u128 {
            let message = format!("the value has {} elements, but its shape needs {count}", elements.len());
            return Err(Error::new(Status::InvalidArgument, message));
        }
        if !elements.are_of(datatype) {
            let message = format!("the elements do not fit the datatype {}", datatype.keyword());
            return Err(Error::new(Status::InvalidArgument, message));
        }
        Ok(Value { shape, elements })
    }

    /// Returns a value without checks. The caller guarantees that the elements fit the shape and the datatype.
    pub(crate) fn of_checked(shape: Vec<u64>, elements: Elements) -> Value {
        Value { shape, elements }
    }

    /// Returns a value of a single element, without dimensions.
    pub fn scalar(elements: Elements, datatype: &Datatype) -> Result<Value> {
        Value::new(Vec::new(), elements, datatype)
    }

    /// Returns the shape of the value, outermost dimension first. Along unlimited dimensions it is the number of given
    /// elements.
    pub fn shape(&self) -> &[u64] {
        &self.shape
    }

    /// Returns the elements.
    pub fn elements(&self) -> &Elements {
        &self.elements
    }

    /// Returns a copy, or fails if there is not enough memory.
    pub(crate) fn copied(&self) -> Result<Value> {
        Ok(Value { shape: copy_of(&self.shape)?, elements: self.elements.copied()? })
    }
}

/// Returns the product of the extents. Fails with [`Status::Limit`] if it exceeds 128 bits.
pub(crate) fn count_of(shape: &[u64]) -> Result<u128> {
    if shape.contains(&0) {
        return Ok(0);
    }
    shape.iter().try_fold(1u128, |count, &extent| count.checked_mul(extent.into())).ok_or_else(too_large)
}

/// Elements of one datatype, in order. It nests as deep as the datatype.
#[derive(Clone, Debug, PartialEq)]
pub enum Elements {
    /// Elements of `string`.
    Texts(Texts),
    /// Elements of all integer datatypes except `uint64`.
    Integers(Vec<i64>),
    /// Elements of `uint64`.
    Unsigned(Vec<u64>),
    /// Elements of `float32`.
    Float32(Vec<f32>),
    /// Elements of `float64`.
    Float64(Vec<f64>),
    /// Elements of an enumeration: positions in [`Enumeration::members`](crate::ndl::Enumeration::members).
    Constants(Vec<u32>),
    /// Opaque bytes. An element may be shorter than the datatype; zeros follow it.
    Opaque(Blobs),
    /// Elements of `objref`: path names, or null.
    Objects(Vec<Option<String>>),
    /// Elements of `regref`, or null.
    Regions(Vec<Option<Region>>),
    /// Elements of a compound: one column for each member.
    Compound(Vec<Elements>),
    /// Elements of a vlen.
    Lists(Lists),
    /// Elements of an array datatype.
    Arrays {
        /// Number of base elements in each element: the product of the extents of the datatype.
        size: u64,
        /// Base elements of all elements, in order.
        base: Box<Elements>,
    },
}

impl Elements {
    /// Returns an empty list of elements of a datatype.
    pub(crate) fn none_of(datatype: &Datatype) -> Elements {
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

    /// Recursion is as deep as the datatype, which is limited.
    fn copied(&self) -> Result<Elements> {
        Ok(match self {
            Elements::Texts(Texts { text, ends }) => {
                Elements::Texts(Texts { text: text_of(text)?.into_string(), ends: copy_of(ends)? })
            }
            Elements::Integers(numbers) => Elements::Integers(copy_of(numbers)?),
            Elements::Unsigned(numbers) => Elements::Unsigned(copy_of(numbers)?),
            Elements::Float32(numbers) => Elements::Float32(copy_of(numbers)?),
            Elements::Float64(numbers) => Elements::Float64(copy_of(numbers)?),
            Elements::Constants(positions) => Elements::Constants(copy_of(positions)?),
            Elements::Opaque(Blobs { bytes, ends }) => {
                Elements::Opaque(Blobs { bytes: copy_of(bytes)?, ends: copy_of(ends)? })
            }
            Elements::Objects(paths) => Elements::Objects(collected(paths.iter().map(|path| Ok(path.clone())))?),
            Elements::Regions(regions) => {
                let copied = |region: &Option<Region>| region.as_ref().map(Region::copied).transpose();
                Elements::Regions(collected(regions.iter().map(copied))?)
            }
            Elements::Compound(columns) => Elements::Compound(collected(columns.iter().map(Elements::copied))?),
            Elements::Lists(Lists { ends, base }) => {
                Elements::Lists(Lists { ends: copy_of(ends)?, base: Box::new(base.copied()?) })
            }
            Elements::Arrays { size, base } => Elements::Arrays { size: *size, base: Box::new(base.copied()?) },
        })
    }

    /// Returns the number of elements.
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

    /// Returns true if there are no elements.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns true if all elements fit this datatype: integers in range, existing constants, bytes that are not too
    /// long, regions with the right selection.
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

/// Returns the product of the extents, or `u64::MAX` if it is larger.
pub(crate) fn element_count(shape: &[u64]) -> u64 {
    shape.iter().fold(1, |size, &extent| size.saturating_mul(extent))
}

/// Byte strings, stored one after the other in one buffer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Blobs {
    bytes: Vec<u8>,
    ends: Vec<usize>,
}

impl Blobs {
    /// Splits the bytes into strings of this size. An incomplete rest at the end is dropped.
    pub(crate) fn of_size(mut bytes: Vec<u8>, size: usize) -> Result<Blobs> {
        let size = size.max(1);
        let ends = collected((0..bytes.len() / size).map(|position| Ok((position + 1) * size)))?;
        bytes.truncate(ends.last().copied().unwrap_or(0));
        Ok(Blobs { bytes, ends })
    }

    /// Appends a byte string, or fails if there is not enough memory.
    pub(crate) fn try_push(&mut self, blob: &[u8]) -> Result<()> {
        room_for(&mut self.bytes, blob.len())?;
        room_for(&mut self.ends, 1)?;
        self.push(blob);
        Ok(())
    }

    /// Appends a byte string.
    pub fn push(&mut self, blob: &[u8]) {
        self.bytes.extend_from_slice(blob);
        self.ends.push(self.bytes.len());
    }

    /// Returns the number of byte strings.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Returns true if there are no byte strings.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Returns the byte string at this position, from 0.
    pub fn get(&self, position: usize) -> Option<&[u8]> {
        self.bytes.get(range(&self.ends, position)?)
    }

    /// Iterates over all byte strings.
    pub fn iter(&self) -> impl Iterator<Item = &[u8]> {
        (0..self.len()).filter_map(|position| self.get(position))
    }
}

/// Texts, stored one after the other in one buffer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Texts {
    text: String,
    ends: Vec<usize>,
}

impl Texts {
    /// Appends a text, or fails if there is not enough memory.
    pub(crate) fn try_push(&mut self, text: &str) -> Result<()> {
        room_in_text(&mut self.text, text.len())?;
        room_for(&mut self.ends, 1)?;
        self.push(text);
        Ok(())
    }

    /// Appends a text.
    pub fn push(&mut self, text: &str) {
        self.text.push_str(text);
        self.ends.push(self.text.len());
    }

    /// Returns the number of texts.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Returns true if there are no texts.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Returns the text at this position, from 0.
    pub fn get(&self, position: usize) -> Option<&str> {
        self.text.get(range(&self.ends, position)?)
    }

    /// Iterates over all texts.
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

/// Lists of any length. Their elements are stored one after the other.
#[derive(Clone, Debug, PartialEq)]
pub struct Lists {
    ends: Vec<usize>,
    base: Box<Elements>,
}

impl Lists {
    /// Splits `base` into lists; `ends` gives the end (exclusive) of each list. Fails with [`Status::InvalidArgument`]
    /// if the ends descend or the last end differs from the length of `base`.
    pub fn new(ends: Vec<usize>, base: Elements) -> Result<Lists> {
        if !ends.is_sorted() || ends.last().copied().unwrap_or(0) != base.len() {
            return Err(Error::new(
                Status::InvalidArgument,
                "the ends of the lists must ascend, and the last end must be the number of elements",
            ));
        }
        Ok(Lists { ends, base: Box::new(base) })
    }

    /// Appends a list. `add` appends its elements to those of the earlier lists.
    pub(crate) fn push_list(&mut self, add: impl FnOnce(&mut Elements) -> Result<()>) -> Result<()> {
        add(&mut self.base)?;
        push(&mut self.ends, self.base.len())
    }

    /// Returns the number of lists.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Returns true if there are no lists.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Returns the range of one list in [`Lists::base`].
    pub fn range(&self, position: usize) -> Option<Range<usize>> {
        range(&self.ends, position)
    }

    /// Returns the elements of all lists.
    pub fn base(&self) -> &Elements {
        &self.base
    }
}

/// A region reference: selected elements of one array.
#[derive(Clone, Debug, PartialEq)]
pub struct Region {
    target: String,
    selection: Selection,
    rank: usize,
    count: usize,
    indices: Vec<u64>,
    /// Values of the `x-` keys.
    pub extensions: Extensions,
}

impl Region {
    /// Returns an empty selection. `target` is the path name of the array, `rank` its number of dimensions.
    pub fn new(target: impl Into<String>, selection: Selection, rank: usize) -> Region {
        Region { target: target.into(), selection, rank, count: 0, indices: Vec::new(), extensions: Extensions::new() }
    }

    /// Appends the index of an element. Fails with [`Status::InvalidArgument`] if the region selects blocks, or if the
    /// length of the index differs from the rank.
    pub(crate) fn add_element(&mut self, index: &[u64]) -> Result<()> {
        if self.selection != Selection::Element || index.len() != self.rank {
            return Err(Error::new(
                Status::InvalidArgument,
                "the region selects blocks, or the length of the index differs from the rank",
            ));
        }
        extend(&mut self.indices, index.iter().copied())?;
        self.count += 1;
        Ok(())
    }

    /// Appends a block, given by two diagonally opposite corners in any order; both corners belong to the block. Fails
    /// with [`Status::InvalidArgument`] if the region selects elements, or if the length of a corner differs from the
    /// rank.
    pub(crate) fn add_block(&mut self, start: &[u64], opposite: &[u64]) -> Result<()> {
        if self.selection != Selection::Block || start.len() != self.rank || opposite.len() != self.rank {
            return Err(Error::new(
                Status::InvalidArgument,
                "the region selects elements, or the length of a corner differs from the rank",
            ));
        }
        let corners = || start.iter().zip(opposite);
        extend(&mut self.indices, corners().map(|(one, other)| *one.min(other)))?;
        extend(&mut self.indices, corners().map(|(one, other)| *one.max(other)))?;
        self.count += 1;
        Ok(())
    }

    fn copied(&self) -> Result<Region> {
        let Region { target, selection, rank, count, indices, extensions } = self;
        Ok(Region {
            target: target.clone(),
            selection: *selection,
            rank: *rank,
            count: *count,
            indices: copy_of(indices)?,
            extensions: extensions.copied(Content::copied)?,
        })
    }

    /// Returns the path name of the array.
    pub fn target(&self) -> &str {
        &self.target
    }

    /// Returns the method of selection, blocks or elements.
    pub fn selection(&self) -> Selection {
        self.selection
    }

    /// Returns the rank of the array, which is the length of each index.
    pub fn rank(&self) -> usize {
        self.rank
    }

    /// Returns the number of selected blocks or elements.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Returns true if nothing is selected.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Returns the lowest and the highest index of a block, both inclusive.
    pub fn block(&self, position: usize) -> Option<(&[u64], &[u64])> {
        if self.selection != Selection::Block || position >= self.count {
            return None;
        }
        let both = self.indices.get(2 * self.rank * position..)?.get(..2 * self.rank)?;
        Some(both.split_at(self.rank))
    }

    /// Returns the index of an element.
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
    fn the_shape_decides_the_number_of_elements() {
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
