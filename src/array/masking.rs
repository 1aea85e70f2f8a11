//! What a read does about missing elements: how it knows them as they come by, and what it puts in their place.
//!
//! Where a mask comes from is not known here.

use super::ScalarType;
use super::datatype::{ByteOrder, Datatype};
use super::destination::Destination;
use super::inline_leaf::Leaf;
use super::kernel::Kernel;
use super::stage::Stage;
use crate::error::{Error, Result, Status};
use crate::float::Float16;
use crate::source::try_zeroed;

/// A value to put in the place of missing elements.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fill {
    datatype: Datatype,
    bytes: Vec<u8>,
}

impl Fill {
    /// One native element, packed; its byte orders have no meaning. Fails with [`Status::InvalidArgument`] if the datatype has another size.
    pub fn new(datatype: Datatype, bytes: &[u8]) -> Result<Fill> {
        let size = datatype.item_size()?;
        if size != bytes.len() as u64 {
            let message = format!("a fill value of {} bytes, but {datatype} takes {size}", bytes.len());
            return Err(Error::new(Status::InvalidArgument, message));
        }
        Ok(Fill { datatype: datatype.without_byteorder(), bytes: bytes.to_vec() })
    }

    /// The value as a datatype, by the rule of conversion.
    pub(super) fn convert(&self, target: &Datatype) -> Result<Vec<u8>> {
        let kernel = Kernel::new(&self.datatype, ByteOrder::NATIVE, target, false)?;
        if kernel.is_in_place() {
            let mut bytes = self.bytes.clone();
            kernel.fix(&mut bytes);
            return Ok(bytes);
        }
        let mut out = try_zeroed(kernel.target_size())?;
        kernel.convert(&self.bytes, &mut out, &mut Stage::none()).map_err(|misfit| {
            let error = kernel.error(0, &misfit);
            let message = format!("the fill value does not fit: {}", error.message());
            Error::new(error.status(), message)
        })?;
        Ok(out)
    }
}

/// What a copy does about missing elements.
pub(super) struct Masking<'a> {
    /// A byte for each place that an element may have in the caller's memory, counted in elements: 1 if it is missing.
    mask: &'a mut [u8],
    /// What sets these bytes as elements come by; nothing if they are set.
    test: Option<Test>,
    /// Room for the results of a test.
    results: Vec<u8>,
}

impl<'a> Masking<'a> {
    pub(super) fn new(mask: &'a mut [u8], test: Option<Test>) -> Masking<'a> {
        Masking { mask, test, results: Vec::new() }
    }

    /// Looks at packed native elements, the places of which begin with `first` and are `step` apart.
    pub(super) fn look(&mut self, elements: &[u8], (first, step): (isize, isize)) {
        let Some(test) = self.test else { return };
        let count = elements.len() / test.item_size();
        if let (1, Some(mask)) = (step, self.mask.get_mut(first as usize..)) {
            return test.apply(elements, mask.get_mut(..count).unwrap_or_default());
        }
        self.results.resize(count, 0);
        test.apply(elements, &mut self.results);
        let mut place = first;
        for &result in &self.results {
            if let Some(slot) = self.mask.get_mut(place as usize) {
                *slot = result;
            }
            place += step;
        }
    }

    /// Whether the element at this place is missing.
    pub(super) fn is_missing(&self, place: isize) -> bool {
        self.mask.get(place as usize) == Some(&1)
    }

    /// Puts a value in the places of missing elements in the caller's memory.
    pub(super) fn fill(&self, value: &[u8], layout: &Destination, out: &mut [u8]) -> Result<()> {
        let size = value.len();
        layout.for_each_piece(&mut |places| {
            for place in places.filter(|&place| self.is_missing(place as isize)) {
                if let Some(element) = out.get_mut(place * size..).and_then(|rest| rest.get_mut(..size)) {
                    element.copy_from_slice(value);
                }
            }
        })
    }
}

/// A question to packed native elements whose answer is whether they are missing.
#[derive(Clone, Copy, Debug)]
pub(super) enum Test {
    /// Is the element this integer or truth value?
    Integer(ScalarType, [u8; 8]),
    /// Is it this float, or this complex number?
    Float(ScalarType, f64, f64),
    /// Is it NaN, or any part of it?
    Nan(ScalarType),
    /// Is it anything but zero?
    NotZero(ScalarType),
    /// Is any of its so many bytes not zero?
    AnyByte(usize),
    /// No element is missing.
    Never(ScalarType),
}

impl Test {
    /// Whether elements of a type are equal to a number.
    pub(super) fn equal(number: Leaf, scalar: ScalarType) -> Test {
        let is_nan = match number {
            Leaf::Float(value) => value.is_nan(),
            Leaf::Complex(real, imaginary) => real.is_nan() || imaginary.is_nan(),
            _ => false,
        };
        if is_nan {
            return Test::Nan(scalar);
        }
        let mut bytes = [0; 16];
        let Some(stored) = bytes.get_mut(..scalar.size()) else { return Test::Never(scalar) };
        if number.store(scalar, stored).is_none() {
            return Test::Never(scalar);
        }
        let mut test = Test::Never(scalar);
        let is_float = visit_floats(scalar, stored, |real, imaginary| test = Test::Float(scalar, real, imaginary));
        if scalar == ScalarType::Bool8 {
            // As any other integer, and only 0 and 1 are truth values.
            let mut small = [0];
            match number.store(ScalarType::Uint8, &mut small) {
                Some(()) if small[0] < 2 => Test::Integer(scalar, [small[0], 0, 0, 0, 0, 0, 0, 0]),
                _ => test,
            }
        } else if is_float {
            test
        } else {
            Test::Integer(scalar, bytes.as_chunks().0.first().copied().unwrap_or_default())
        }
    }

    /// Whether elements of a mask say that something is missing.
    pub(super) fn truth(datatype: &Datatype) -> Result<Test> {
        Ok(match datatype.scalar() {
            Some(scalar) => Test::NotZero(scalar),
            None => {
                let size = datatype.item_size()?;
                Test::AnyByte(usize::try_from(size).map_err(|_| Error::out_of_memory(size))?)
            }
        })
    }

    fn item_size(self) -> usize {
        match self {
            Test::Integer(scalar, _) | Test::Float(scalar, ..) | Test::Nan(scalar) => scalar.size(),
            Test::NotZero(scalar) | Test::Never(scalar) => scalar.size(),
            Test::AnyByte(size) => size.max(1),
        }
    }

    /// Writes 1 for each element that is missing, else 0.
    pub(super) fn apply(self, elements: &[u8], out: &mut [u8]) {
        let mut places = out.iter_mut();
        let mut put = |missing: bool| {
            if let Some(place) = places.next() {
                *place = u8::from(missing);
            }
        };
        match self {
            Test::Never(_) => out.fill(0),
            Test::Integer(ScalarType::Bool8, [value, ..]) => {
                elements.iter().for_each(|&byte| put((byte != 0) == (value != 0)));
            }
            Test::Integer(scalar, value) => compare(scalar.size(), elements, &value, true, out),
            Test::Float(scalar, real, imaginary) => {
                visit_floats(scalar, elements, |r, i| put(r == real && i == imaginary));
            }
            Test::Nan(scalar) => {
                if !visit_floats(scalar, elements, |real, imaginary| put(real.is_nan() || imaginary.is_nan())) {
                    out.fill(0);
                }
            }
            Test::NotZero(scalar) => {
                if !visit_floats(scalar, elements, |real, imaginary| put(real != 0.0 || imaginary != 0.0)) {
                    compare(scalar.size(), elements, &[0; 8], false, out);
                }
            }
            Test::AnyByte(size) => {
                elements.chunks_exact(size.max(1)).for_each(|element| put(element.iter().any(|&byte| byte != 0)));
            }
        }
    }
}

/// Writes 1 for each element whose bytes are the first of `value`, or for each other one.
fn compare(size: usize, elements: &[u8], value: &[u8; 8], equal: bool, out: &mut [u8]) {
    match size {
        1 => compare_items::<1>(elements, value, equal, out),
        2 => compare_items::<2>(elements, value, equal, out),
        4 => compare_items::<4>(elements, value, equal, out),
        _ => compare_items::<8>(elements, value, equal, out),
    }
}

fn compare_items<const N: usize>(elements: &[u8], value: &[u8; 8], equal: bool, out: &mut [u8]) {
    let Some(value) = value.first_chunk::<N>() else { return };
    for (element, out) in elements.as_chunks().0.iter().zip(out) {
        *out = u8::from((element == value) == equal);
    }
}

/// Calls `visit` with real and imaginary part of each of packed native floats or complex numbers; false for others.
fn visit_floats(scalar: ScalarType, elements: &[u8], mut visit: impl FnMut(f64, f64)) -> bool {
    match scalar {
        ScalarType::Float16 => {
            let load = |bytes: &[u8; 2]| f64::from(Float16::from_ne_bytes(*bytes).to_f32());
            elements.as_chunks().0.iter().for_each(|bytes| visit(load(bytes), 0.0));
        }
        ScalarType::Float32 => {
            elements.as_chunks().0.iter().for_each(|bytes| visit(f32::from_ne_bytes(*bytes).into(), 0.0));
        }
        ScalarType::Float64 => elements.as_chunks().0.iter().for_each(|bytes| visit(f64::from_ne_bytes(*bytes), 0.0)),
        ScalarType::Complex64 => {
            for [real, imaginary] in elements.as_chunks().0.as_chunks().0 {
                visit(f32::from_ne_bytes(*real).into(), f32::from_ne_bytes(*imaginary).into());
            }
        }
        ScalarType::Complex128 => {
            for [real, imaginary] in elements.as_chunks().0.as_chunks().0 {
                visit(f64::from_ne_bytes(*real), f64::from_ne_bytes(*imaginary));
            }
        }
        _ => return false,
    }
    true
}
