//! Reads of whole arrays into memory that the library allocates.
//!
//! The size follows from the file, so the limits of the file apply.

use crate::array::element::rust_element::zeroed;
use crate::array::element::text::{Encoding, text_of};
use crate::array::place::destination::Destination;
use crate::array::{Array, Datatype, Order, ReadOptions, Text};
use crate::error::{Error, Result, Status};
use crate::limits::Limit;
use crate::source::zeroed_bytes;

/// Bytes, aligned for elements of every scalar type.
#[derive(Clone, Debug, Default)]
pub struct ElementBytes {
    /// `u128` gives the largest alignment that an element needs.
    units: Vec<u128>,
    size: usize,
}

impl ElementBytes {
    /// Allocates zeroed bytes. Fails with [`Status::OutOfMemory`].
    pub fn zeroed(size: usize) -> Result<ElementBytes> {
        Ok(ElementBytes { units: zeroed(size.div_ceil(size_of::<u128>()))?, size })
    }

    /// The bytes, mutable.
    pub fn as_mut_slice(&mut self) -> &mut [u8] {
        bytemuck::cast_slice_mut(&mut self.units).get_mut(..self.size).unwrap_or_default()
    }
}

impl AsRef<[u8]> for ElementBytes {
    fn as_ref(&self) -> &[u8] {
        bytemuck::cast_slice(&self.units).get(..self.size).unwrap_or_default()
    }
}

/// Elements in memory of the library. If the call requested a mask, also one byte for each element: 1 if it is missing,
/// 0 if not.
pub type Loaded = (ElementBytes, Option<Vec<u8>>);

/// Strings in memory of the library, with a mask as in [`Loaded`].
pub type LoadedText = (Text, Option<Vec<u8>>);

impl Array {
    /// Reads all elements into new memory, like [`Array::read`]; with `masked` like [`Array::read_masked`].
    ///
    /// Elements that repeat by strides or are compressed take more memory than bytes of the file. Fails with
    /// [`Status::Limit`] if these elements need more than `limits.decoded_bytes` of the open call, with
    /// [`Status::InvalidArgument`] for [`Order::Strided`], and with [`Status::OutOfMemory`].
    pub fn load(&self, target: &Datatype, masked: bool, options: &ReadOptions) -> Result<Loaded> {
        self.located(|| self.load_elements(target, masked, options))
    }

    fn load_elements(&self, target: &Datatype, masked: bool, options: &ReadOptions) -> Result<Loaded> {
        self.payload.check()?;
        let item = target.item_size()?;
        let size = Destination::new(self.shape(), item, without_gaps(&options.order)?)?.size();
        self.check_memory(item.saturating_add(u64::from(masked)))?;
        let mut elements = ElementBytes::zeroed(usize::try_from(size).map_err(|_| Error::out_of_memory(size))?)?;
        let count = self.element_count() as u64;
        let mut mask = match masked {
            true => Some(zeroed_bytes(count)?),
            false => None,
        };
        match &mut mask {
            Some(mask) => self.read_masked(None, target, elements.as_mut_slice(), mask, options)?,
            None => self.read(target, elements.as_mut_slice(), options)?,
        }
        Ok((elements, mask))
    }

    /// Reads all strings into new memory, without trailing NULs. A missing string is empty, or the fill value of the
    /// options. Otherwise like [`Array::load`]. All strings take one pass over the bytes.
    ///
    /// Temporarily, memory also holds the strings at their fixed length. Fails with [`Status::Conversion`] for elements
    /// that are not strings, and with [`Status::Encoding`] for invalid text, unless the string is missing.
    pub fn load_text(&self, masked: bool, options: &ReadOptions) -> Result<LoadedText> {
        self.located(|| self.load_strings(masked, options))
    }

    fn load_strings(&self, masked: bool, options: &ReadOptions) -> Result<LoadedText> {
        let Some(encoding) = Encoding::of(&self.datatype) else {
            return text_of(&self.datatype, &[]).map(|_| (Text::new(), None));
        };
        self.payload.check()?;
        let item = self.datatype.item_size()?;
        self.check_memory(item.saturating_add((size_of::<i64>() + 1) as u64))?;
        let unpadded = ReadOptions { blank_padded: false, ..options.clone() };
        let (elements, mask) = self.load(&self.datatype, masked, &unpadded)?;
        let mut texts = Text::new();
        let count = self.element_count() as usize;
        texts.reserve(count, 0)?;
        let mut text = String::new();
        for index in 0..count {
            let is_missing = options.fill.is_none() && mask.as_ref().is_some_and(|mask| mask.get(index) == Some(&1));
            text.clear();
            if !is_missing {
                let element = elements.as_ref().get(index * item as usize..).unwrap_or_default();
                let element = element.get(..item as usize).unwrap_or_default();
                encoding.decode(element, &mut text).map_err(|(status, what)| {
                    let number = Destination::new(self.shape(), 1, &options.order).map(|order| order.number(index));
                    Error::new(status, format!("element {} {what}", number.unwrap_or_default()))
                })?;
            }
            texts.push(&text)?;
        }
        texts.shrink_to_fit();
        Ok((texts, mask))
    }

    /// Fails with [`Status::Limit`] if the elements beyond those that the file stores one by one take too much memory,
    /// at `each` bytes per element.
    pub(super) fn check_memory(&self, each: u64) -> Result<()> {
        if (self.element_count() as u64).saturating_mul(each) <= self.decoded_bytes {
            return Ok(());
        }
        let stored = self.payload.stored_bytes() / self.datatype.item_size()?.max(1);
        let others = (self.element_count() as u64).saturating_sub(stored);
        if others.saturating_mul(each) > self.decoded_bytes {
            return Err(Limit::DecodedBytes
                .exceeded("memory for elements that the file does not store one by one", self.decoded_bytes));
        }
        Ok(())
    }
}

/// Returns the order. Fails with [`Status::InvalidArgument`] for strides.
fn without_gaps(order: &Order) -> Result<&Order> {
    if matches!(order, Order::Strided(_)) {
        let message = "the elements can be loaded in C order or Fortran order, not with strides";
        return Err(Error::new(Status::InvalidArgument, message));
    }
    Ok(order)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::array::tests::{NATIVE, contiguous, stored};
    use crate::array::{DeclaredShape, Geometry, Mask, ScalarType};

    #[test]
    fn elements_are_loaded_with_their_mask() {
        let numbers = contiguous(ScalarType::Int8, NATIVE, &[2, 2], stored(&[1, 2, 3, 4], 0));
        let fortran = ReadOptions { order: Order::Fortran, ..ReadOptions::default() };
        let (elements, mask) = numbers.load(&ScalarType::Int16.into(), true, &fortran).unwrap();
        assert_eq!(elements.as_ref(), [1i16, 3, 2, 4].map(i16::to_ne_bytes).as_flattened());
        assert_eq!(elements.as_ref().as_ptr().align_offset(16), 0);
        assert_eq!(mask.unwrap(), [0; 4]);
        let mask = contiguous(ScalarType::Bool8, NATIVE, &[2], stored(&[0, 1], 0));
        let masked = numbers.masked_by(Mask::array(mask));
        let options = ReadOptions::default();
        let status = |masked: &Array, with| masked.load(&ScalarType::Int8.into(), with, &options).map(|_| ());
        assert_eq!(status(&masked, false).unwrap_err().status(), Status::Masked);
        let (_, mask) = masked.load(&ScalarType::Int8.into(), true, &options).unwrap();
        assert_eq!(mask.unwrap(), [0, 1, 0, 1]);
        let strided = ReadOptions { order: Order::Strided(vec![2, 1]), ..options.clone() };
        let error = masked.load(&ScalarType::Int8.into(), true, &strided).unwrap_err();
        assert_eq!(error.status(), Status::InvalidArgument);
        let none = contiguous(ScalarType::Int64, NATIVE, &[0, 3], stored(&[], 0));
        let (elements, mask) = none.load(&ScalarType::Int64.into(), true, &options).unwrap();
        assert!(elements.as_ref().is_empty() && mask.unwrap().is_empty());
    }

    #[test]
    fn repeated_elements_are_bounded() {
        let shape = DeclaredShape::Fixed(vec![1 << 40]);
        let geometry = Geometry::new(&shape, Some(&[0]), 0, 8, Some(8)).unwrap();
        let numbers = contiguous(ScalarType::Float64, NATIVE, &[1], stored(&[0; 8], 0));
        let repeated = Array { geometry, decoded_bytes: 1 << 20, ..numbers };
        let error = repeated.load(&ScalarType::Int8.into(), false, &ReadOptions::default()).unwrap_err();
        assert_eq!(error.status(), Status::Limit);
    }
}
