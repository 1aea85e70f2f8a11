//! Reading and setting arrays of the crate `ndarray`.

use crate::array::{Array, Element, Order, ReadOptions, Region};
use crate::error::{Error, Result, Status};
use crate::file::{ArrayData, ArrayOptions, Node};
use ::ndarray::{ArrayD, ArrayRef, Dimension, IxDyn, ShapeBuilder};

impl Array {
    /// Reads all elements into an array of the crate `ndarray`. Elements are converted to `T` by the rules of
    /// [`Array::read`].
    ///
    /// Fails as [`Array::read_vec`] does. An array with a mask is [`Status::Masked`]; see
    /// [`Array::read_array_with`] and [`Array::without_mask`].
    pub fn read_array<T: Element>(&self) -> Result<ArrayD<T>> {
        self.read_array_with(None, &ReadOptions::default())
    }

    /// Reads a region, or all elements, into an array of the crate `ndarray`, in C or Fortran order in memory.
    /// Otherwise like [`Array::read_vec_with`].
    pub fn read_array_with<T: Element>(&self, region: Option<&Region>, options: &ReadOptions) -> Result<ArrayD<T>> {
        let elements = self.read_vec_with(region, options)?;
        let shape = region.map_or(self.shape(), |region| region.count);
        let refused = || {
            let message = format!("an array of shape {shape:?} is larger than the crate ndarray allows");
            self.locate(Error::new(Status::Unsupported, message))
        };
        let extents: Option<Vec<usize>> = shape.iter().map(|&extent| usize::try_from(extent).ok()).collect();
        let extents = IxDyn(&extents.ok_or_else(refused)?).set_f(options.order == Order::Fortran);
        ArrayD::from_shape_vec(extents, elements).map_err(|_| refused())
    }
}

impl Node {
    /// Sets an array from an array or a view of the crate `ndarray`, in any memory order. The elements are copied, and
    /// stored in C order. Otherwise like [`Node::set_array`].
    pub fn set_ndarray<T: Element, D: Dimension>(&self, path: &str, array: &ArrayRef<T, D>) -> Result<()> {
        self.set_ndarray_with(path, array, &ArrayOptions::default())
    }

    /// Sets an array of the crate `ndarray` with options. Otherwise like [`Node::set_ndarray`].
    pub fn set_ndarray_with<T: Element, D: Dimension>(
        &self,
        path: &str,
        array: &ArrayRef<T, D>,
        options: &ArrayOptions,
    ) -> Result<()> {
        // A slice has at most `isize::MAX` bytes, but an axis of an empty array can be longer.
        let shape: Vec<i64> = array.shape().iter().map(|&extent| i64::try_from(extent).unwrap_or(i64::MAX)).collect();
        let packed = array.as_standard_layout();
        self.set_array_data(path, &ArrayData::of_slice(packed.as_slice().unwrap_or_default(), &shape), options)
    }
}
