//! Masks: the missing elements of an array, and their treatment in reads.
//!
//! A mask is a number that missing elements equal, or an array that is not zero at missing elements.

use super::encoded::Decoding;
use crate::array::convert::kernel::Kernel;
use crate::array::convert::missing_test::Test;
use crate::array::element::datatype::{Datatype, Field};
use crate::array::element::leaf::{Leaf, leaf};
use crate::array::payload::stored;
use crate::array::place::descriptor::DeclaredShape;
use crate::array::place::destination::Destination;
use crate::array::place::geometry::Geometry;
use crate::array::place::region::{Region, Selection};
use crate::array::{Array, ReadOptions, ScalarType};
use crate::error::{Error, Result, Status, Warning};
use crate::source::try_zeroed;
use crate::tree::{Kind, NodeId, Tree};
use std::sync::Arc;

/// The mask of an array, as given in its description.
#[derive(Clone, Debug)]
pub(crate) struct Mask(MaskKind);

#[derive(Clone, Debug)]
enum MaskKind {
    Number(Leaf),
    Array(Box<Array>),
    Unknown(Error),
}

impl Mask {
    /// Reads a real or complex number from a node. Fails with [`Status::BadArray`] for other values.
    pub(crate) fn number(tree: &Tree, node: NodeId) -> Result<Mask> {
        if tree.kind(node) == Kind::Scalar {
            let number = match leaf(tree, node)? {
                Leaf::Complex(real, 0.0) => Leaf::Float(real),
                number => number,
            };
            if !matches!(number, Leaf::Null | Leaf::Bool(_) | Leaf::Text) {
                return Ok(Mask(MaskKind::Number(number)));
            }
        }
        let error = Error::new(Status::BadArray, "a mask must be a number, a core/complex or a core/ndarray");
        Err(tree.locate(error, node))
    }

    /// A mask by which every NaN is missing.
    pub(crate) fn of_nan() -> Mask {
        Mask(MaskKind::Number(Leaf::Float(f64::NAN)))
    }

    /// A mask that is an array of numbers or truth values: elements are missing where it is not zero. Its shape must be
    /// broadcastable to that of the array.
    pub(crate) fn array(array: Array) -> Mask {
        Mask(MaskKind::Array(Box::new(array)))
    }

    /// A mask that cannot be read: reads that need it fail with this error.
    pub(crate) fn unknown(error: Error) -> Mask {
        Mask(MaskKind::Unknown(error))
    }
}

/// The missing elements of an array, resolved for its datatype and shape.
#[derive(Clone, Debug)]
pub(crate) enum Missing {
    Nothing,
    /// Elements that pass a test.
    Tested(Test),
    /// Elements for which an array of the same shape is not zero. If that array has records, any part of the record may
    /// be the one that is not zero.
    Where(Arc<Array>),
    /// The description has a mask that is not loaded yet. Holds the nulls of inline data.
    Pending(Option<Arc<Array>>),
    /// The mask cannot be read, for this reason.
    Unknown(Error),
}

impl Missing {
    /// Makes the state of a new array from the nulls of inline data and the presence of a mask in the description.
    pub(crate) fn new(nulls: Option<Arc<Array>>, has_mask: bool) -> Missing {
        match (nulls, has_mask) {
            (nulls, true) => Missing::Pending(nulls),
            (Some(nulls), false) => Missing::Where(nulls),
            (None, false) => Missing::Nothing,
        }
    }

    /// Returns the missing elements of one field of all records.
    pub(super) fn of_field(&self, index: usize, field: &Field) -> Result<Missing> {
        let of_field = |mask: &Array| match mask.datatype {
            Datatype::Record(_) => mask.field_at(index),
            _ => mask.repeated(&field.shape),
        };
        Ok(match self {
            Missing::Where(mask) => Missing::Where(Arc::new(of_field(mask)?)),
            Missing::Pending(Some(nulls)) => Missing::Pending(Some(Arc::new(of_field(nulls)?))),
            // Records have no tests. The other variants are the same for all fields.
            other => other.clone(),
        })
    }
}

/// Makes the array of nulls in inline data: one truth value for each scalar or string of `datatype`, packed.
pub(crate) fn nulls(bytes: Vec<u8>, datatype: &Datatype, shape: &[i64]) -> Result<Arc<Array>> {
    Ok(Arc::new(Array::packed(stored(bytes), truth_of(datatype), shape)?))
}

/// Returns a datatype with a truth value in place of each scalar or string.
pub(super) fn truth_of(datatype: &Datatype) -> Datatype {
    let Datatype::Record(fields) = datatype else { return ScalarType::Bool8.into() };
    let truths = fields.iter().map(|field| Field { datatype: truth_of(&field.datatype), ..field.clone() });
    Datatype::Record(truths.collect())
}

impl Array {
    /// Returns the array without its mask, so that no element is missing. Nulls of inline data are zeros.
    pub fn without_mask(&self) -> Array {
        Array { missing: Missing::Nothing, ..self.clone() }
    }

    /// Returns whether inline data have nulls. After [`Array::masked_by`], the result is also true for a mask that is
    /// an array.
    pub(crate) fn has_nulls(&self) -> bool {
        matches!(self.missing, Missing::Where(_) | Missing::Pending(Some(_)))
    }

    /// Returns the array with a mask. Nulls of inline data stay missing.
    ///
    /// A number is compared exactly, in the datatype of the elements. It is rounded to the nearest float; if the
    /// datatype cannot represent it, no element is missing. NaN matches every NaN; in a complex number, either part may
    /// be NaN. A mask that does not suit the array makes the reads that need it fail, for example a number for strings
    /// or records.
    pub(crate) fn masked_by(mut self, mask: Mask) -> Array {
        let nulls = match &self.missing {
            Missing::Where(nulls) | Missing::Pending(Some(nulls)) => Some(nulls.clone()),
            _ => None,
        };
        self.missing = self.missing_by(mask).unwrap_or_else(Missing::Unknown);
        if let Some(nulls) = nulls
            && !matches!(self.missing, Missing::Unknown(_))
        {
            self.missing = self.missing_besides(&nulls).unwrap_or_else(Missing::Unknown);
        }
        self
    }

    fn missing_by(&mut self, mask: Mask) -> Result<Missing> {
        match mask.0 {
            MaskKind::Number(number) => match self.datatype.scalar() {
                Some(scalar) => Ok(Missing::Tested(Test::equal(number, scalar))),
                None => {
                    let message = format!("the mask is a number, but the elements are {}", self.datatype);
                    Err(Error::new(Status::BadArray, message))
                }
            },
            MaskKind::Array(mask) => {
                self.warnings.extend_from_slice(&mask.warnings);
                Ok(Missing::Where(Arc::new(mask.broadcast(self.shape())?)))
            }
            MaskKind::Unknown(error) => Err(error),
        }
    }

    /// Returns the elements that are missing already or null.
    fn missing_besides(&self, nulls: &Array) -> Result<Missing> {
        let count = |size: u64| usize::try_from(size).map_err(|_| Error::out_of_memory(size));
        let mut missing = try_zeroed(count(self.element_count().unsigned_abs())?)?;
        self.read_mask(None, &mut missing, &ReadOptions::default())?;
        let mut both = try_zeroed(count(nulls.byte_size(&nulls.datatype)?)?)?;
        nulls.read(&nulls.datatype, &mut both, &ReadOptions::default())?;
        let size = (nulls.geometry.item_size() as usize).max(1);
        for (element, _) in both.chunks_exact_mut(size).zip(missing).filter(|(_, missing)| *missing == 1) {
            element.fill(1);
        }
        // The datatype consists of truth values already.
        Ok(Missing::Where(self::nulls(both, &nulls.datatype, nulls.shape())?))
    }

    /// Returns the mask broadcast to `shape`.
    fn broadcast(&self, shape: &[i64]) -> Result<Array> {
        let bad = |message: String| Error::new(Status::BadArray, message);
        if self.is_masked() {
            return Err(bad("the array of a mask must not have a mask itself".to_owned()));
        }
        if self.datatype.scalar().is_none() {
            return Err(bad(format!("the elements of a mask must be numbers or truth values, not {}", self.datatype)));
        }
        let own = self.shape();
        let new = shape.len().checked_sub(own.len());
        let suits = new
            .and_then(|new| shape.get(new..))
            .is_some_and(|shape| own.iter().zip(shape).all(|(&count, &wanted)| count == 1 || count == wanted));
        if !suits {
            return Err(bad(format!(
                "the shape of the mask, {own:?}, cannot be broadcast to that of the array, {shape:?}"
            )));
        }
        let mut strides = vec![0; new.unwrap_or_default()];
        strides.extend(own.iter().zip(self.geometry.strides()).map(|(&count, &by)| if count == 1 { 0 } else { by }));
        self.with_geometry(shape, &strides)
    }

    /// Returns the array with further inner dimensions, along which elements repeat.
    fn repeated(&self, shape: &[i64]) -> Result<Array> {
        let strides = [self.geometry.strides(), &vec![0; shape.len()]].concat();
        self.with_geometry(&[self.shape(), shape].concat(), &strides)
    }

    fn with_geometry(&self, shape: &[i64], strides: &[i64]) -> Result<Array> {
        let (offset, size) = (self.geometry.offset(), self.geometry.item_size().unsigned_abs());
        let shape = DeclaredShape::Fixed(shape.to_vec());
        let geometry = Geometry::new(&shape, Some(strides), offset, size, self.payload.length())?;
        Ok(Array { geometry, ..self.clone() })
    }

    /// Reads the mask of a region, or of the whole array: one byte for each element, 1 if it is missing, else 0. The
    /// layout is C order unless `options.order` says otherwise. Elements are not converted.
    ///
    /// Fails with
    ///
    /// * [`Status::BufferTooSmall`] if `mask` is too short;
    /// * [`Status::OutOfRange`] unless the region lies within the array;
    /// * [`Status::BadArray`] for a mask that does not suit the array;
    /// * the errors of resolving references, reading and decoding.
    pub fn read_mask(&self, region: Option<&Region>, mask: &mut [u8], options: &ReadOptions) -> Result<()> {
        self.checked(|| Ok(((), self.mask_of(region, mask, options)?)))
    }

    fn mask_of(&self, region: Option<&Region>, mask: &mut [u8], options: &ReadOptions) -> Result<Vec<Warning>> {
        let layout = Destination::new(self.selected_shape(region)?, 1, &options.order)?;
        let mask = layout.part_of(mask, "the mask takes")?;
        let decoding = Decoding::new(region, options);
        match self.mark(region, &layout, mask, decoding)? {
            (None, warnings) => Ok(warnings),
            (Some(test), _) => self.read_tested(region, test, &layout, mask, decoding),
        }
    }

    /// Sets the bytes of `mask`, or returns the test that computes them from the elements.
    pub(super) fn mark(
        &self,
        region: Option<&Region>,
        layout: &Destination,
        mask: &mut [u8],
        decoding: Decoding,
    ) -> Result<(Option<Test>, Vec<Warning>)> {
        match &self.missing {
            Missing::Nothing => {
                layout.for_each_piece(&mut |piece| mask[piece].fill(0))?;
                Ok((None, Vec::new()))
            }
            Missing::Tested(test) => Ok((Some(*test), Vec::new())),
            Missing::Where(array) => {
                let read = array.read_tested(region, Test::truth(&array.datatype)?, layout, mask, decoding);
                let warnings = read.map_err(|error| {
                    let message = format!("the mask cannot be read: {}", error.message());
                    match (Error::new(error.status(), message), error.location().offset) {
                        (named, Some(offset)) => named.at_offset(offset),
                        (named, None) => named,
                    }
                });
                Ok((None, warnings?))
            }
            Missing::Pending(_) => Err(Error::new(Status::Masked, "the mask of the array has not been loaded")),
            Missing::Unknown(error) => Err(error.clone()),
        }
    }

    fn read_tested(
        &self,
        region: Option<&Region>,
        test: Test,
        layout: &Destination,
        mask: &mut [u8],
        decoding: Decoding,
    ) -> Result<Vec<Warning>> {
        self.payload.check()?;
        let kernel = Kernel::test(&self.datatype, self.byteorder, test)?;
        match Selection::new(&self.geometry, region, layout) {
            Some(selection) if kernel.source_size() > 0 => {
                self.copy_from_payload(&selection, &kernel, layout, mask, None, decoding)
            }
            _ => {
                layout.for_each_piece(&mut |piece| mask[piece].fill(0))?;
                Ok(Vec::new())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::array::tests::{Lcg, NATIVE, encoded, stored, tree};
    use crate::array::{ByteOrder, Descriptor, Fill, Order};
    use crate::codec::Codec;
    use crate::limits::Limits;

    fn mask(text: &str) -> Result<Mask> {
        let tree = tree(text);
        Mask::number(&tree, tree.root())
    }

    /// Opens an array with the mask of its description.
    fn open(text: &str, bytes: &[u8]) -> Array {
        let tree = tree(text);
        let descriptor = Descriptor::parse(&tree, tree.root(), &Limits::default()).unwrap();
        let array = match descriptor.source {
            crate::array::ArraySource::Inline(_) => Array::open_inline(&tree, &descriptor, &Limits::default()),
            _ => Array::open(&descriptor, super::stored(bytes.to_vec()), &Limits::default()),
        };
        match descriptor.mask.map(|node| tree.resolve(node).unwrap()) {
            None => array.unwrap(),
            Some(node) if tree.tag(node).is_some_and(|tag| tag.contains("ndarray")) => {
                let descriptor = Descriptor::parse(&tree, node, &Limits::default()).unwrap();
                let mask = Array::open_inline(&tree, &descriptor, &Limits::default()).unwrap();
                array.unwrap().masked_by(Mask::array(mask))
            }
            Some(node) => array.unwrap().masked_by(Mask::number(&tree, node).unwrap()),
        }
    }

    fn missing(array: &Array) -> Vec<u8> {
        let mut mask = vec![9; array.element_count() as usize];
        array.read_mask(None, &mut mask, &ReadOptions::default()).unwrap();
        mask
    }

    fn status<T>(result: Result<T>) -> Status {
        result.map(|_| ()).unwrap_err().status()
    }

    fn of(scalar: ScalarType, bytes: &[u8], number: &str) -> Vec<u8> {
        let count = bytes.len() / scalar.size();
        let text = format!("{{source: 0, datatype: {scalar}, byteorder: {}, shape: [{count}]}}", NATIVE.name());
        missing(&open(&text, bytes).masked_by(mask(number).unwrap()))
    }

    #[test]
    fn numbers_are_compared_in_the_datatype_of_the_elements() {
        use ScalarType::*;
        assert_eq!(of(Int16, &[-999i16, 999].map(i16::to_ne_bytes).concat(), "-999"), [1, 0]);
        assert_eq!(of(Int16, &[-999i16, 999].map(i16::to_ne_bytes).concat(), "999.0"), [0, 1]);
        assert_eq!(of(Int8, &[44, 1], "300"), [0, 0]);
        assert_eq!(of(Int8, &[1, 2], "1.5"), [0, 0]);
        assert_eq!(of(Int8, &[1, 2], ".nan"), [0, 0]);
        assert_eq!(of(Int8, &[1, 2], "!core/complex-1.0.0 2+0j"), [0, 1]);
        assert_eq!(of(Int8, &[1, 2], "!core/complex-1.0.0 2+1j"), [0, 0]);
        assert_eq!(
            of(Uint64, &[u64::MAX, u64::MAX - 1].map(u64::to_ne_bytes).concat(), "18446744073709551615"),
            [1, 0]
        );
        assert_eq!(of(Uint64, &[0u64, 1].map(u64::to_ne_bytes).concat(), "-0.0"), [1, 0]);
        assert_eq!(of(Bool8, &[0, 1, 7], "1"), [0, 1, 1]);
        assert_eq!(of(Bool8, &[0, 1, 7], "0"), [1, 0, 0]);
        assert_eq!(of(Bool8, &[0, 1, 7], "7"), [0, 0, 0]);
        let near = [0.1f32, f32::from_bits(0.1f32.to_bits() + 1), f32::INFINITY].map(f32::to_ne_bytes).concat();
        assert_eq!(of(Float32, &near, "0.1"), [1, 0, 0]);
        assert_eq!(of(Float32, &near, "1.0e+300"), [0, 0, 0]);
        assert_eq!(of(Float32, &near, ".inf"), [0, 0, 1]);
        assert_eq!(of(Float64, &[0.0, -0.0, f64::NAN].map(f64::to_ne_bytes).concat(), "0"), [1, 1, 0]);
        assert_eq!(of(Float64, &[0.0, -f64::NAN].map(f64::to_ne_bytes).concat(), ".nan"), [0, 1]);
        assert_eq!(of(Float16, &[0x3C00u16, 0x7E01, 0x7C00].map(u16::to_ne_bytes).concat(), ".nan"), [0, 1, 0]);
        assert_eq!(of(Float16, &[0x3C00u16, 0x7E01, 0x7C00].map(u16::to_ne_bytes).concat(), "1"), [1, 0, 0]);
        let complex = [1.0, 2.0, 1.0, 0.0, f32::NAN, 0.0, 0.0, f32::NAN].map(f32::to_ne_bytes).concat();
        assert_eq!(of(Complex64, &complex, "!core/complex-1.0.0 1+2j"), [1, 0, 0, 0]);
        assert_eq!(of(Complex64, &complex, "1"), [0, 1, 0, 0]);
        assert_eq!(of(Complex64, &complex, ".nan"), [0, 0, 1, 1]);
        assert_eq!(of(Complex64, &complex, "!core/complex-1.0.0 1+nanj"), [0, 0, 1, 1]);
    }

    #[test]
    fn arrays_are_broadcast_and_nonzero_means_missing() {
        let masked = |shape: &str, mask: &str| {
            open(
                &format!(
                    "{{source: 0, datatype: int8, byteorder: big, shape: {shape}, mask: !core/ndarray-1.1.0 {mask}}}"
                ),
                &[0; 6],
            )
        };
        assert_eq!(missing(&masked("[2, 3]", "[true, false, true]")), [1, 0, 1, 1, 0, 1]);
        assert_eq!(missing(&masked("[2, 3]", "[[true], [false]]")), [1, 1, 1, 0, 0, 0]);
        assert_eq!(missing(&masked("[4]", "[.nan, 0.5, 0.0, -0.0]")), [1, 1, 0, 0]);
        assert_eq!(missing(&masked("[2]", "{data: [!core/complex-1.0.0 0+1j, 0], datatype: complex64}")), [1, 0]);
        assert_eq!(missing(&masked("[0, 3]", "[true, false, true]")), []);
        for (shape, mask) in [
            ("[3]", "[true, false]"),
            ("[3]", "[[true, true, true]]"),
            ("[3, 1]", "[true, true]"),
            ("[2]", "[a, b]"),
            ("[2]", "{data: [[1], [0]], datatype: [int8]}"),
            ("[2]", "[true, null]"),
            ("[2]", "{data: [1, 0], mask: 1}"),
        ] {
            let array = masked(shape, mask);
            assert!(array.is_masked());
            assert_eq!(
                status(array.read_mask(None, &mut [0; 9], &ReadOptions::default())),
                Status::BadArray,
                "{shape} {mask}"
            );
            assert_eq!(status(array.read(array.datatype(), &mut [0; 9], &Default::default())), Status::Masked);
            array.without_mask().read(array.datatype(), &mut [0; 9], &Default::default()).unwrap();
        }
    }

    #[test]
    fn nulls_are_missing_besides_masked_elements() {
        assert_eq!(missing(&open("[[1, null], [~, 4]]", &[])), [0, 1, 1, 0]);
        assert_eq!(missing(&open("[a, null]", &[])), [0, 1]);
        assert_eq!(missing(&open("{data: [1, null, 3], mask: 3}", &[])), [0, 1, 1]);
        assert_eq!(missing(&open("{data: [1, null, 3], mask: !core/ndarray-1.1.0 [1, 0, 0]}", &[])), [1, 1, 0]);
        assert_eq!(
            status(open("{data: [1, null], mask: !core/ndarray-1.1.0 [1, 0, 0]}", &[]).read_mask(
                None,
                &mut [0; 2],
                &ReadOptions::default()
            )),
            Status::BadArray
        );
        let zeros = open("[1, null]", &[]).without_mask();
        let mut out = [9; 2];
        zeros.read(&ScalarType::Int8.into(), &mut out, &Default::default()).unwrap();
        assert_eq!(out, [1, 0]);
    }

    #[test]
    fn records_are_missing_in_part_or_as_a_whole() {
        let text = "{data: [[1, [2, null]], [3, [4, 5]], [null, [6, 7]]], datatype: [int8, {name: b, datatype: int16, shape: [2]}]}";
        let records = open(text, &[]);
        assert_eq!(missing(&records), [1, 0, 1]);
        assert_eq!(missing(&records.field("f0").unwrap()), [0, 0, 1]);
        assert_eq!(missing(&records.field("b").unwrap()), [0, 1, 0, 0, 0, 0]);
        let both = open(text, &[]).masked_by(Mask::array(open("[0, 1, 0]", &[])));
        assert_eq!(missing(&both), [1, 1, 1]);
        assert_eq!(missing(&both.field("b").unwrap()), [0, 1, 1, 1, 0, 0]);
        let stored =
            "{source: 0, datatype: [{name: a, datatype: [int8, int8], shape: [2]}], byteorder: big, shape: [2]}";
        let stored = open(stored, &[1, 2, 3, 4, 5, 6, 7, 8]);
        let halves = stored.clone().masked_by(Mask::array(open("[0, 1]", &[])));
        assert_eq!(missing(&halves.field("a").unwrap().field("f1").unwrap()), [0, 0, 1, 1]);
        let number = stored.masked_by(mask("1").unwrap());
        assert_eq!(status(number.read_mask(None, &mut [0; 2], &ReadOptions::default())), Status::BadArray);
        assert_eq!(
            status(number.field("a").unwrap().read_mask(None, &mut [0; 4], &ReadOptions::default())),
            Status::BadArray
        );
    }

    #[test]
    fn missing_elements_need_not_fit() {
        let array = open("{data: [1, 300, -1, 300, 5], datatype: int32, mask: 300}", &[]);
        let read = |array: &Array, options: &ReadOptions| {
            let (mut out, mut mask) = (vec![9; 5], vec![9; 5]);
            let read = array.read_masked(None, &ScalarType::Int8.into(), &mut out, &mut mask, options);
            read.map(|_| (out.iter().map(|&byte| byte as i8).collect::<Vec<_>>(), mask))
        };
        assert_eq!(read(&array, &ReadOptions::default()).unwrap(), (vec![1, 127, -1, 127, 5], vec![0, 1, 0, 1, 0]));
        let fill = |value: i16| {
            let fill = Fill::new(ScalarType::Int16.into(), &value.to_ne_bytes()).unwrap();
            ReadOptions { fill: Some(fill), ..ReadOptions::default() }
        };
        assert_eq!(read(&array, &fill(-7)).unwrap().0, [1, -7, -1, -7, 5]);
        let error = read(&array, &ReadOptions { clamp: true, ..fill(128) }).unwrap_err();
        assert_eq!(error.status(), Status::Overflow);
        assert!(error.message().starts_with("the fill value does not fit"), "{error}");
        let mut out = [9; 5];
        array.read(&ScalarType::Int8.into(), &mut out, &fill(0)).unwrap();
        assert_eq!(out, [1, 0, 255, 0, 5]);
        let other = open("{data: [1, 300, -1, 301, 5], datatype: int32, mask: 300}", &[]);
        let error = read(&other, &fill(0)).unwrap_err();
        assert!(error.status() == Status::Overflow && error.message().contains("element 3 is 301"), "{error}");
        assert_eq!(
            status(array.read_masked(None, array.datatype(), &mut [0; 20], &mut [0; 4], &fill(0))),
            Status::BufferTooSmall
        );
        assert_eq!(status(Fill::new(ScalarType::Int16.into(), &[0])), Status::InvalidArgument);
        // Without a mask no element is missing, and the fill value is not used.
        let plain = open("[1, 2, 3, 4, 5]", &[]);
        assert_eq!(read(&plain, &fill(999)).unwrap(), (vec![1, 2, 3, 4, 5], vec![0; 5]));
    }

    #[test]
    fn strings_have_masks_too() {
        let texts = open("{source: 0, datatype: [ascii, 2], byteorder: big, shape: [3]}", b"ab\xFF\xFFcd");
        let texts = texts.masked_by(Mask::array(open("[0, 1, 0]", &[])));
        let (mut out, mut mask) = ([9; 12], [9; 3]);
        let options = ReadOptions::default();
        texts
            .read_masked(None, &Datatype::Ucs4(1), &mut out, &mut mask, &ReadOptions { clamp: true, ..options.clone() })
            .unwrap();
        let expected: Vec<u8> = ['a', '\0', 'c'].iter().flat_map(|letter| u32::from(*letter).to_ne_bytes()).collect();
        assert_eq!((&out[..], mask), (&expected[..], [0, 1, 0]));
        assert_eq!(status(texts.read_string(&[0], &options)), Status::Masked);
        assert_eq!(texts.read_string_masked(&[1], &mut mask, &options).unwrap(), "");
        assert_eq!(mask[0], 1);
        assert_eq!(texts.read_string_masked(&[2], &mut mask, &options).unwrap(), "cd");
        assert_eq!(mask[0], 0);
        let fill = Fill::new(Datatype::Ascii(1), b"-").unwrap();
        let filled = ReadOptions { fill: Some(fill), ..options };
        assert_eq!(texts.read_string(&[1], &filled).unwrap(), "-");
        texts.read(&Datatype::Ascii(2), &mut out, &filled).unwrap();
        assert_eq!(out[..6], *b"ab-\0cd");
    }

    /// Tests every path through the copy against loops over single elements.
    #[test]
    fn random_masks_agree_with_a_plain_loop() {
        let mut random = Lcg(7);
        for round in 0..3000 {
            let shape: Vec<i64> = (0..random.below(4)).map(|_| random.below(6) as i64).collect();
            let count = shape.iter().product::<i64>() as usize;
            let values: Vec<i16> = (0..count).map(|_| [3, -3, 200, 70][random.below(4) as usize]).collect();
            let big = random.below(2) == 1;
            let bytes: Vec<u8> =
                values.iter().flat_map(|v| if big { v.to_be_bytes() } else { v.to_le_bytes() }).collect();
            let payload = |bytes: &[u8], random: &mut Lcg| match random.below(3) {
                0 => encoded(bytes, Codec::Zlib),
                _ => stored(bytes, 3),
            };
            let order = if big { ByteOrder::Big } else { ByteOrder::Little };
            let array = |datatype: ScalarType, byteorder, shape: &[i64], payload: crate::array::Payload| {
                let fixed = DeclaredShape::Fixed(shape.to_vec());
                let geometry = Geometry::new(&fixed, None, 0, datatype.size() as u64, payload.length()).unwrap();
                let (missing, warnings, datatype) = (Missing::Nothing, Vec::new(), datatype.into());
                let (decoded_bytes, owner) = (1 << 20, None);
                Array { datatype, byteorder, geometry, payload, missing, decoded_bytes, warnings, owner }
            };
            let plain = array(ScalarType::Int16, order, &shape, payload(&bytes, &mut random));
            let (masked, expected): (Array, Vec<u8>) = if random.below(2) == 0 {
                (plain.masked_by(mask("200").unwrap()), values.iter().map(|&value| u8::from(value == 200)).collect())
            } else {
                let bytes: Vec<u8> = (0..count).map(|_| random.below(3) as u8).collect();
                let mask = array(ScalarType::Uint8, NATIVE, &shape, payload(&bytes, &mut random));
                (plain.masked_by(Mask::array(mask)), bytes.iter().map(|&byte| u8::from(byte != 0)).collect())
            };
            let pick = |random: &mut Lcg, length: i64| {
                let start = random.below(length.max(1) as u64) as i64;
                let step = [1, 2, 3, -1, -2][random.below(5) as usize];
                let room = if step < 0 { start / -step } else { (length - 1 - start) / step };
                (start, random.below(if length == 0 { 1 } else { room as u64 + 2 }) as i64, step)
            };
            let axes: Vec<(i64, i64, i64)> = shape.iter().map(|&length| pick(&mut random, length)).collect();
            let start: Vec<i64> = axes.iter().map(|axis| axis.0).collect();
            let counts: Vec<i64> = axes.iter().map(|axis| axis.1).collect();
            let step: Vec<i64> = axes.iter().map(|axis| axis.2).collect();
            let region = Region { start: &start, count: &counts, step: Some(&step) };
            let selected = counts.iter().product::<i64>();
            let numbers: Vec<usize> = (0..selected)
                .map(|number| {
                    let (mut rest, mut index, mut stride) = (number, 0, 1);
                    for axis in (0..shape.len()).rev() {
                        index += (start[axis] + rest % counts[axis] * step[axis]) * stride;
                        rest /= counts[axis];
                        stride *= shape[axis];
                    }
                    index as usize
                })
                .collect();
            let target = [ScalarType::Int16, ScalarType::Int8, ScalarType::Float64][random.below(3) as usize];
            let options = match random.below(2) {
                0 => ReadOptions::default(),
                _ => ReadOptions {
                    fill: Some(Fill::new(ScalarType::Int8.into(), &[9]).unwrap()),
                    ..ReadOptions::default()
                },
            };
            // The position of each element in memory, counted in elements.
            let gaps = random.below(3) as i64;
            let mut strides = vec![1; counts.len()];
            for axis in 1..counts.len() {
                let (axis, inside) =
                    if gaps == 1 { (axis, axis - 1) } else { (counts.len() - 1 - axis, counts.len() - axis) };
                strides[axis] = strides[inside] * (counts[inside].max(1) + gaps / 2);
            }
            if gaps == 2 && random.below(2) == 0 {
                strides.iter_mut().for_each(|stride| *stride = -*stride);
            }
            let item = target.size() as i64;
            let order = |item: i64| match gaps {
                0 => Order::C,
                1 => Order::Fortran,
                _ => Order::Strided(strides.iter().map(|stride| stride * item).collect()),
            };
            let reach = |sign: i64| -> i64 {
                counts.iter().zip(&strides).map(|(&count, &stride)| ((count - 1) * stride * sign).max(0)).sum()
            };
            let places: Vec<usize> = (0..selected)
                .map(|number| {
                    let (mut rest, mut place) = (number, reach(-1));
                    for axis in (0..counts.len()).rev() {
                        place += rest % counts[axis] * strides[axis];
                        rest /= counts[axis];
                    }
                    place as usize
                })
                .collect();
            let room = if selected == 0 { 0 } else { (reach(-1) + reach(1) + 1) as usize };
            let options = ReadOptions { order: order(item), ..options };
            let mut out = vec![0xAA; room * target.size()];
            let mut mask = vec![7; room];
            let result = masked.read_masked(Some(&region), &target.into(), &mut out, &mut mask, &options);
            let misfits = numbers.iter().any(|&n| target == ScalarType::Int8 && values[n] == 200 && expected[n] == 0);
            assert_eq!(result.is_err(), misfits, "{round}: {result:?}");
            if misfits {
                continue;
            }
            let (mut wanted, mut wanted_mask) = (vec![0xAA; out.len()], vec![7; room]);
            for (&number, &place) in numbers.iter().zip(&places) {
                let value = if expected[number] == 1 && options.fill.is_some() { 9 } else { values[number] };
                let bytes = match target {
                    ScalarType::Int16 => value.to_ne_bytes().to_vec(),
                    ScalarType::Int8 => vec![value.min(127) as u8],
                    _ => f64::from(value).to_ne_bytes().to_vec(),
                };
                wanted[place * bytes.len()..][..bytes.len()].copy_from_slice(&bytes);
                wanted_mask[place] = expected[number];
            }
            assert_eq!((out, &mask), (wanted, &wanted_mask), "{round}");
            let mut alone = vec![7; room];
            let options = ReadOptions { order: order(1), ..options };
            masked.read_mask(Some(&region), &mut alone, &options).unwrap();
            assert_eq!(alone, mask, "{round}");
        }
    }
}
