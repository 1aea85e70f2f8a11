//! Reading the elements of an array as values of Rust types.

use super::node_array::NodeArray;
use crate::array::{Element, ReadOptions, Region};
use crate::error::Result;

impl NodeArray {
    /// Reads all elements in C order. They are converted to `T` by the rules of
    /// [`Array::read`](crate::array::Array::read).
    ///
    /// The file determines the length of the vector. For files from untrusted sources, check `element_count` first.
    pub fn read_vec<T: Element>(&self) -> Result<Vec<T>> {
        self.read_vec_with(None, &ReadOptions::default())
    }

    /// Reads the elements of a region in C order. Otherwise like [`NodeArray::read_vec`].
    pub fn read_region_vec<T: Element>(&self, region: &Region) -> Result<Vec<T>> {
        self.read_vec_with(Some(region), &ReadOptions::default())
    }

    /// Reads all elements in C order into the start of `out`. Otherwise like [`NodeArray::read_vec`].
    ///
    /// Fails with [`Status::BufferTooSmall`](crate::Status::BufferTooSmall) if `out` is too short.
    pub fn read_into<T: Element>(&self, out: &mut [T]) -> Result<()> {
        self.read_into_with(None, out, &ReadOptions::default())
    }

    /// Reads the elements of a region in C order into the start of `out`. Otherwise like [`NodeArray::read_into`].
    pub fn read_region_into<T: Element>(&self, region: &Region, out: &mut [T]) -> Result<()> {
        self.read_into_with(Some(region), out, &ReadOptions::default())
    }

    /// Reads a region, or all elements, into a vector, as
    /// [`Array::read_vec_with`](crate::array::Array::read_vec_with) does.
    pub fn read_vec_with<T: Element>(&self, region: Option<&Region>, options: &ReadOptions) -> Result<Vec<T>> {
        self.checked(|array| array.read_vec_with(region, options))
    }

    /// Reads a region, or all elements, into the start of `out`, as
    /// [`Array::read_into_with`](crate::array::Array::read_into_with) does.
    pub fn read_into_with<T: Element>(
        &self,
        region: Option<&Region>,
        out: &mut [T],
        options: &ReadOptions,
    ) -> Result<()> {
        self.checked(|array| Ok(((), array.read_into_with(region, out, options)?)))
    }

    /// Reads a region, or all elements, into a vector, and returns a second vector that is true for missing elements,
    /// as [`Array::read_masked_vec`](crate::array::Array::read_masked_vec) does.
    pub fn read_masked_vec<T: Element>(
        &self,
        region: Option<&Region>,
        options: &ReadOptions,
    ) -> Result<(Vec<T>, Vec<bool>)> {
        self.checked(|array| {
            let (elements, mask, warnings) = array.read_masked_vec(region, options)?;
            Ok(((elements, mask), warnings))
        })
    }
}
