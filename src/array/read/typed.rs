//! Reads of elements as values of Rust types. The conversion rules are those of [`Array::read`].

use crate::array::element::rust_element::{Bytes, zeroed};
use crate::array::place::destination::Destination;
use crate::array::{Array, Element, Order, ReadOptions, Region, Select};
use crate::error::{Error, Result, Status};

impl Array {
    /// Reads all elements in C order. They are converted to `T` by the rules of [`Array::read`].
    ///
    /// The file determines the length of the vector. For files from untrusted sources, check `element_count` first.
    pub fn read_vec<T: Element>(&self) -> Result<Vec<T>> {
        self.read_vec_with(None, &ReadOptions::default())
    }

    /// Reads the elements of a region in C order: a [`Region`], or ranges such as `[0..10, 5..8]` and `(.., 5..8)`.
    /// Otherwise like [`Array::read_vec`].
    pub fn read_region_vec<T: Element>(&self, region: impl Select) -> Result<Vec<T>> {
        region.with_region(self.shape(), |region| self.read_vec_with(Some(region), &ReadOptions::default()))
    }

    /// Reads all elements in C order into the start of `out`. Otherwise like [`Array::read_vec`].
    ///
    /// Fails with [`Status::BufferTooSmall`] if `out` is too short.
    pub fn read_into<T: Element>(&self, out: &mut [T]) -> Result<()> {
        self.read_into_with(None, out, &ReadOptions::default())
    }

    /// Reads the elements of a region in C order into the start of `out`. Otherwise like [`Array::read_into`].
    pub fn read_region_into<T: Element>(&self, region: impl Select, out: &mut [T]) -> Result<()> {
        region.with_region(self.shape(), |region| self.read_into_with(Some(region), out, &ReadOptions::default()))
    }

    /// Reads a region, or all elements, into a vector in C order or Fortran order.
    ///
    /// Fails like [`Array::read_region`], with [`Status::InvalidArgument`] for [`Order::Strided`], and with
    /// [`Status::OutOfMemory`].
    pub fn read_vec_with<T: Element>(&self, region: Option<&Region>, options: &ReadOptions) -> Result<Vec<T>> {
        let mut elements = self.room_for(region, options)?;
        self.read_into_with(region, &mut elements, options)?;
        Ok(elements)
    }

    /// Reads a region, or all elements, into the start of `out`. Strides in the options count bytes. Other elements of
    /// `out` stay unchanged. Otherwise like [`Array::read_region`].
    pub fn read_into_with<T: Element>(
        &self,
        region: Option<&Region>,
        out: &mut [T],
        options: &ReadOptions,
    ) -> Result<()> {
        T::overwrite(out, |bytes| match region {
            Some(region) => self.read_region(region, &T::SCALAR_TYPE.into(), bytes, options),
            None => self.read(&T::SCALAR_TYPE.into(), bytes, options),
        })
    }

    /// Reads a region, or all elements, into a vector. The second vector tells which elements are missing, in the same
    /// order. Otherwise like [`Array::read_vec_with`] and [`Array::read_masked`].
    pub fn read_masked_vec<T: Element>(
        &self,
        region: Option<&Region>,
        options: &ReadOptions,
    ) -> Result<(Vec<T>, Vec<bool>)> {
        let mut elements: Vec<T> = self.room_for(region, options)?;
        let mut mask = zeroed(elements.len()).map_err(|error| self.locate(error))?;
        T::overwrite(&mut elements, |bytes| {
            bool::overwrite(&mut mask, |mask| self.read_masked(region, &T::SCALAR_TYPE.into(), bytes, mask, options))
        })?;
        Ok((elements, mask))
    }

    /// Allocates a vector for the elements of a region, or for all elements.
    fn room_for<T: Element>(&self, region: Option<&Region>, options: &ReadOptions) -> Result<Vec<T>> {
        self.located(|| self.zeroed_for(region, options))
    }

    fn zeroed_for<T: Element>(&self, region: Option<&Region>, options: &ReadOptions) -> Result<Vec<T>> {
        if matches!(options.order, Order::Strided(_)) {
            let message = "elements are read into a vector in C order or Fortran order, not with strides";
            return Err(Error::new(Status::InvalidArgument, message));
        }
        let shape = self.selected_shape(region)?;
        let size = Destination::new(shape, size_of::<T>() as u64, &Order::C)?.size();
        let count = size / size_of::<T>() as u64;
        zeroed(usize::try_from(count).map_err(|_| Error::out_of_memory(size))?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::array::convert::masking::Fill;
    use crate::array::tests::{NATIVE, contiguous, stored};
    use crate::array::{ByteOrder, Float16, ScalarType};

    /// 0 to 5, big-endian.
    fn numbers() -> Array {
        let bytes: Vec<u8> = (0..6i16).flat_map(i16::to_be_bytes).collect();
        contiguous(ScalarType::Int16, ByteOrder::Big, &[2, 3], stored(&bytes, 0))
    }

    fn all<T: Element>(array: &Array) -> Vec<T> {
        array.read_vec_with(None, &ReadOptions::default()).unwrap()
    }

    #[test]
    fn every_type_is_read() {
        macro_rules! check {
            ($($type:ty: $value:expr;)*) => {
                $(assert_eq!(all::<$type>(&numbers()), (0..6i8).map($value).collect::<Vec<$type>>());)*
            };
        }
        check! {
            i8: |n| n;
            i16: i16::from;
            i32: i32::from;
            i64: i64::from;
            u8: |n| n as u8;
            u16: |n| n as u16;
            u32: |n| n as u32;
            u64: |n| n as u64;
            f32: f32::from;
            f64: f64::from;
            [f32; 2]: |n| [f32::from(n), 0.0];
            [f64; 2]: |n| [f64::from(n), 0.0];
        }
        let halves: Vec<f32> = all::<Float16>(&numbers()).into_iter().map(f32::from).collect();
        assert_eq!(halves, [0.0, 1.0, 2.0, 3.0, 4.0, 5.0]);
        let flags = contiguous(ScalarType::Bool8, NATIVE, &[3], stored(&[0, 1, 200], 0));
        assert_eq!(all::<bool>(&flags), [false, true, true]);
        let error = numbers().read_vec_with::<bool>(None, &ReadOptions::default()).unwrap_err();
        assert_eq!(error.status(), Status::Conversion);
    }

    #[test]
    fn regions_orders_and_slices_are_as_for_bytes() {
        let region = Region { start: &[0, 1], count: &[2, 2], step: None };
        let fortran = ReadOptions { order: Order::Fortran, ..ReadOptions::default() };
        assert_eq!(numbers().read_vec_with::<u8>(Some(&region), &fortran).unwrap(), [1, 4, 2, 5]);
        assert_eq!(numbers().read_region_vec::<u8>([0..2, 1..3]).unwrap(), [1, 2, 4, 5]);
        assert_eq!(numbers().read_region_vec::<u8>((.., 1..)).unwrap(), [1, 2, 4, 5]);
        assert_eq!(numbers().read_region_vec::<u8>((1..=1, ..=1)).unwrap(), [3, 4]);
        assert_eq!(numbers().read_region_vec::<u8>(vec![0..1, 0..3]).unwrap(), [0, 1, 2]);
        assert_eq!(numbers().read_region_vec::<u8>((2.., ..)).unwrap(), []);
        assert_eq!(numbers().read_region_vec::<u8>((.., ..4)).unwrap_err().status(), Status::OutOfRange);
        assert_eq!(numbers().read_region_vec::<u8>((.., i64::MIN..)).unwrap_err().status(), Status::OutOfRange);
        assert_eq!(numbers().read_region_vec::<u8>((.., .., ..)).unwrap_err().status(), Status::InvalidArgument);
        assert_eq!(numbers().read_region_vec::<u8>(..).unwrap_err().status(), Status::InvalidArgument);
        let mut part = [0u8; 2];
        numbers().read_region_into([1..2, 0..2], &mut part).unwrap();
        assert_eq!(part, [3, 4]);
        assert_eq!(numbers().read_region_vec::<u8>(0..2).unwrap_err().status(), Status::InvalidArgument);
        let strided = ReadOptions { order: Order::Strided(vec![16, 8]), ..ReadOptions::default() };
        let mut out = [9.5f32; 8];
        numbers().read_into_with(Some(&region), &mut out, &strided).unwrap();
        assert_eq!(out, [1.0, 9.5, 2.0, 9.5, 4.0, 9.5, 5.0, 9.5]);
        let flags = contiguous(ScalarType::Bool8, NATIVE, &[2], stored(&[0, 7], 0));
        let strided = ReadOptions { order: Order::Strided(vec![2]), ..ReadOptions::default() };
        let mut out = [true; 4];
        flags.read_into_with(None, &mut out, &strided).unwrap();
        assert_eq!(out, [false, true, true, true]);
        let status = |result: Result<Vec<u8>>| result.unwrap_err().status();
        assert_eq!(status(numbers().read_vec_with(None, &strided)), Status::InvalidArgument);
        let outside = Region { start: &[0, 1], count: &[2, i64::MAX], step: None };
        assert_eq!(status(numbers().read_vec_with(Some(&outside), &fortran)), Status::OutOfRange);
        let error = numbers().read_into_with(None, &mut [0u64; 5], &ReadOptions::default()).unwrap_err();
        assert_eq!(error.status(), Status::BufferTooSmall);
    }

    #[test]
    fn missing_elements_are_reported() {
        let mask = contiguous(ScalarType::Bool8, NATIVE, &[2, 3], stored(&[0, 3, 0, 0, 0, 1], 0));
        let array = numbers().masked_by(crate::array::Mask::array(mask));
        let status = array.read_vec_with::<u8>(None, &ReadOptions::default()).unwrap_err().status();
        assert_eq!(status, Status::Masked);
        let options = ReadOptions { fill: Some(Fill::of(-1.0)), ..ReadOptions::default() };
        let (elements, mask) = array.read_masked_vec::<i8>(None, &options).unwrap();
        assert_eq!(elements, [0, -1, 2, 3, 4, -1]);
        assert_eq!(mask, [false, true, false, false, false, true]);
    }
}
