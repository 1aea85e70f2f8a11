//! Position of the elements in the decoded bytes: shape, strides and offset, checked once.
//!
//! Arithmetic on values from a file is exact. After the check every element lies inside the bytes.

use super::descriptor::DeclaredShape;
use crate::array::element::datatype::Datatype;
use crate::error::{Error, Result, Status};
use crate::limits::Limits;

/// The position of every element of an array in its decoded bytes.
///
/// Element (i, j, …) begins at byte `offset + i * strides[0] + j * strides[1] + …` of the decoded bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Geometry {
    shape: Vec<i64>,
    strides: Vec<i64>,
    offset: i64,
    item_size: i64,
    count: i64,
}

impl Geometry {
    /// Resolves `'*'` and checks that all elements lie within `length` bytes.
    ///
    /// Without a length, only overflow is checked, and `'*'` is an error. Fails with [`Status::Bounds`] if an element
    /// lies outside the bytes or a size overflows 64 bits. Fails with [`Status::BadArray`] for a wrong number of
    /// strides and for `'*'` that cannot be resolved.
    pub(crate) fn new(
        shape: &DeclaredShape,
        strides: Option<&[i64]>,
        offset: i64,
        item_size: u64,
        length: Option<u64>,
    ) -> Result<Geometry> {
        let item_size = i64::try_from(item_size).map_err(|_| uncountable())?;
        let shape = match shape {
            DeclaredShape::Fixed(shape) => shape.clone(),
            DeclaredShape::Streamed(rest) => {
                let rows = rows(rest, strides, offset, item_size, length)?;
                std::iter::once(rows).chain(rest.iter().copied()).collect()
            }
        };
        let count = element_count(&shape)?;
        let strides = match strides {
            Some(strides) if strides.len() == shape.len() => strides.to_vec(),
            Some(_) => return Err(Error::new(Status::BadArray, "there must be one stride for each dimension")),
            None => c_strides(&shape, count, item_size)?,
        };
        let geometry = Geometry { shape, strides, offset, item_size, count };
        match length {
            Some(length) => geometry.check(length)?,
            None => geometry.extent().map(|_| ())?,
        }
        Ok(geometry)
    }

    /// Returns the number of bytes after the last whole row, in a payload of this length whose rows fill it.
    pub(crate) fn rest_of_rows(&self, length: u64) -> u64 {
        let (Some(&rows), Some(&stride)) = (self.shape.first(), self.strides.first()) else { return 0 };
        let used = i128::from(self.offset) + i128::from(rows) * i128::from(stride);
        u64::try_from(i128::from(length) - used).unwrap_or(0)
    }

    fn check(&self, length: u64) -> Result<()> {
        let (low, high) = self.extent()?;
        if low < 0 {
            let message = format!("the array begins {} bytes before the start of its block", low.unsigned_abs());
            return Err(Error::new(Status::Bounds, message));
        }
        if high > i128::from(length) {
            let message = format!("the array needs {high} bytes, but its block has {length} bytes");
            return Err(Error::new(Status::Bounds, message));
        }
        Ok(())
    }

    /// Returns the first byte that an element occupies and the byte after the last one.
    pub(crate) fn extent(&self) -> Result<(i128, i128)> {
        let offset = i128::from(self.offset);
        if self.count == 0 {
            return Ok((offset, offset));
        }
        let mut low = offset;
        let mut high = offset + i128::from(self.item_size);
        for (&count, &stride) in self.shape.iter().zip(&self.strides) {
            // At most 2^126 in magnitude; the sum of several may be more.
            let reach = i128::from(count - 1) * i128::from(stride);
            let end = if reach < 0 { &mut low } else { &mut high };
            *end = end.checked_add(reach).ok_or_else(uncountable)?;
        }
        Ok((low, high))
    }

    /// Returns the first byte that an element occupies, and the number of bytes up to the end of the last element.
    ///
    /// Requires a geometry that was checked against a length.
    pub(crate) fn span(&self) -> (u64, u64) {
        self.extent().map_or((0, 0), |(low, high)| (low as u64, (high - low) as u64))
    }

    /// The dimensions, slowest first.
    pub(crate) fn shape(&self) -> &[i64] {
        &self.shape
    }

    /// Bytes from one element to the next along each dimension.
    pub(crate) fn strides(&self) -> &[i64] {
        &self.strides
    }

    /// Byte of element (0, 0, …) in the decoded bytes.
    pub(crate) fn offset(&self) -> i64 {
        self.offset
    }

    /// Bytes of one element.
    pub(crate) fn item_size(&self) -> i64 {
        self.item_size
    }

    /// The number of elements.
    pub(crate) fn count(&self) -> i64 {
        self.count
    }

    /// The same elements with the dimensions in reverse order.
    pub(crate) fn reversed(&self) -> Geometry {
        let mut reversed = self.clone();
        reversed.shape.reverse();
        reversed.strides.reverse();
        reversed
    }

    /// Returns whether the elements are packed in C order.
    pub(crate) fn is_contiguous(&self) -> bool {
        let mut expected = i128::from(self.item_size);
        for (&count, &stride) in self.shape.iter().zip(&self.strides).rev() {
            if count != 1 && i128::from(stride) != expected {
                return self.count == 0;
            }
            expected = expected.saturating_mul(count.into());
        }
        true
    }
}

pub(crate) fn uncountable() -> Error {
    Error::new(Status::Bounds, "the array is too large: the number of its elements or bytes exceeds 2^63 - 1")
}

/// Returns the product of the dimensions, which must not be negative. Fails if it overflows.
pub(crate) fn element_count(shape: &[i64]) -> Result<i64> {
    if shape.contains(&0) {
        return Ok(0);
    }
    shape.iter().try_fold(1i64, |product, &count| product.checked_mul(count)).ok_or_else(uncountable)
}

/// Returns the strides in bytes of packed elements in C order.
pub(crate) fn c_strides(shape: &[i64], count: i64, item_size: i64) -> Result<Vec<i64>> {
    let mut strides = vec![0; shape.len()];
    if count == 0 {
        return Ok(strides);
    }
    let mut stride = item_size;
    for (&count, slot) in shape.iter().zip(&mut strides).rev() {
        *slot = stride;
        stride = stride.checked_mul(count).ok_or_else(uncountable)?;
    }
    Ok(strides)
}

/// Returns the number of complete rows from `offset` to the end of the payload.
fn rows(rest: &[i64], strides: Option<&[i64]>, offset: i64, item_size: i64, length: Option<u64>) -> Result<i64> {
    let Some(length) = length else {
        return Err(Error::new(
            Status::BadArray,
            "the shape begins with '*', but the length of the array's block is unknown",
        ));
    };
    let row = match strides.and_then(<[i64]>::first) {
        Some(&stride) => stride,
        None => element_count(rest)?.checked_mul(item_size).ok_or_else(uncountable)?,
    };
    if row <= 0 {
        return Err(Error::new(Status::BadArray, "a shape with '*' needs rows of at least one byte"));
    }
    let available = i128::from(length) - i128::from(offset);
    if available < 0 {
        let message = format!("the array begins at byte {offset}, but its block has {length} bytes");
        return Err(Error::new(Status::Bounds, message));
    }
    i64::try_from(available / i128::from(row)).map_err(|_| uncountable())
}

/// Fails with [`Status::InvalidArgument`] for too many dimensions or a negative one.
pub(crate) fn check_shape(shape: &[i64]) -> Result<()> {
    let invalid = |message: String| Err(Error::new(Status::InvalidArgument, message));
    if shape.len() > Limits::MAX_RANK as usize {
        return invalid(format!("an array can have at most {} dimensions", Limits::MAX_RANK));
    }
    if shape.iter().any(|&count| count < 0) {
        return invalid("a dimension of the array is negative".into());
    }
    Ok(())
}

/// Returns the number of elements. Fails with [`Status::InvalidArgument`] unless they take exactly `size` bytes.
pub(crate) fn check_elements(datatype: &Datatype, shape: &[i64], size: usize) -> Result<i64> {
    check_shape(shape)?;
    let invalid = |message: String| Err(Error::new(Status::InvalidArgument, message));
    let Ok(count) = element_count(shape) else {
        return invalid(format!("{datatype} {shape:?} has more than 2^63 - 1 elements"));
    };
    let item = datatype.item_size()?;
    let needed = u64::try_from(count).ok().and_then(|count| count.checked_mul(item));
    if needed != Some(size as u64) {
        let needed = needed.map_or_else(|| "more".to_owned(), |needed| needed.to_string());
        return invalid(format!("{datatype} {shape:?} takes {needed} bytes, but {size} are given"));
    }
    Ok(count)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fixed(shape: &[i64], strides: Option<&[i64]>, offset: i64, item: u64, length: u64) -> Result<Geometry> {
        Geometry::new(&DeclaredShape::Fixed(shape.to_vec()), strides, offset, item, Some(length))
    }

    fn status(result: Result<Geometry>) -> Option<Status> {
        result.err().map(|error| error.status())
    }

    #[test]
    fn the_standards_examples_and_their_limits() {
        // Shape, strides, offset, item size, bytes needed.
        type Case = (&'static [i64], Option<&'static [i64]>, i64, u64, u64);
        let cases: &[Case] = &[
            (&[2, 3], Some(&[8, 16]), 0, 8, 48),
            (&[5], Some(&[-1]), 4, 1, 5),
            (&[2, 3], Some(&[-12, 4]), 12, 4, 24),
            (&[4, 3], Some(&[2, 2]), 0, 2, 12),
            (&[3], None, 3, 4, 15),
            (&[3, 2], Some(&[0, 4]), 0, 4, 8),
            (&[1, 3], Some(&[1_000_000, 2]), 0, 2, 6),
            (&[], None, 5, 8, 13),
            (&[0], None, 16, 8, 16),
            (&[0, 3], Some(&[1, 1]), 7, 8, 7),
            (&[3, 0], None, 0, 8, 0),
            (&[0, i64::MAX, i64::MAX], None, 0, 8, 0),
            (&[1, 1], Some(&[i64::MIN, i64::MAX]), 0, 8, 8),
        ];
        for &(shape, strides, offset, item, needed) in cases {
            let geometry = fixed(shape, strides, offset, item, needed).unwrap();
            assert_eq!(geometry.shape(), shape);
            if needed > 0 {
                let status = status(fixed(shape, strides, offset, item, needed - 1));
                assert_eq!(status, Some(Status::Bounds), "{shape:?} {strides:?}");
            }
        }
    }

    #[test]
    fn elements_outside_the_bytes_and_overflows_are_refused() {
        type Case = (&'static [i64], Option<&'static [i64]>, i64);
        let cases: &[Case] = &[
            (&[3], Some(&[-1]), 0),
            (&[4, 3], Some(&[100, 1]), 0),
            (&[4_611_686_018_427_387_904, 8], None, 0),
            (&[i64::MAX], Some(&[i64::MAX]), 0),
            (&[2; 32], Some(&[i64::MAX; 32]), 0),
            (&[1 << 31, 1 << 31], Some(&[i64::MIN, i64::MIN]), i64::MAX),
            (&[1000], None, 0),
            (&[0], None, 101),
        ];
        for &(shape, strides, offset) in cases {
            assert_eq!(status(fixed(shape, strides, offset, 1, 100)), Some(Status::Bounds), "{shape:?}");
        }
        assert_eq!(status(fixed(&[2, 3], Some(&[3]), 0, 1, 100)), Some(Status::BadArray));
        assert_eq!(status(fixed(&[2], None, 0, u64::MAX, 100)), Some(Status::Bounds));
    }

    #[test]
    fn stars_take_whole_rows() {
        let star = |rest: &[i64], strides: Option<&[i64]>, offset, length| {
            Geometry::new(&DeclaredShape::Streamed(rest.to_vec()), strides, offset, 2, Some(length))
                .map(|geometry| geometry.shape()[0])
        };
        assert_eq!(star(&[3], None, 0, 24).unwrap(), 4);
        assert_eq!(star(&[3], None, 0, 0).unwrap(), 0);
        assert_eq!(star(&[3], None, 0, 9).unwrap(), 1);
        assert_eq!(star(&[], None, 0, 7).unwrap(), 3);
        assert_eq!(star(&[], None, 3, 7).unwrap(), 2);
        assert_eq!(star(&[2], Some(&[10, 2]), 0, 25).unwrap(), 2);
        assert_eq!(star(&[0], None, 0, 9).unwrap_err().status(), Status::BadArray);
        assert_eq!(star(&[2], Some(&[-4, 2]), 0, 9).unwrap_err().status(), Status::BadArray);
        assert_eq!(star(&[3], None, 10, 9).unwrap_err().status(), Status::Bounds);
        assert_eq!(star(&[3], Some(&[2, 2]), 0, 9).unwrap_err().status(), Status::Bounds);
    }

    #[test]
    fn contiguity_ignores_dimensions_of_one() {
        let contiguous =
            |shape: &[i64], strides: Option<&[i64]>| fixed(shape, strides, 0, 4, 1 << 20).unwrap().is_contiguous();
        assert!(contiguous(&[2, 3], None));
        assert!(contiguous(&[], None));
        assert!(contiguous(&[2, 1, 3], Some(&[12, 999, 4])));
        assert!(contiguous(&[0, 3], Some(&[1, 1])));
        assert!(!contiguous(&[2, 3], Some(&[4, 8])));
        assert!(!contiguous(&[2, 3], Some(&[16, 4])));
    }
}
