//! Arrays in the memory of the program, as they are passed to setters.

use crate::array::{Datatype, Element, Order};
use crate::source::SharedBytes;
use std::sync::Arc;

/// An array in memory.
#[derive(Clone, Debug)]
pub struct ArrayData<'a> {
    /// Datatype of the elements. Its byte orders are those in the file; in memory the byte order is native.
    pub datatype: Datatype,
    /// Extents, slowest axis first in C order; empty for a single element.
    pub shape: &'a [i64],
    /// Memory with the elements.
    pub bytes: ArrayBytes<'a>,
    /// Order of the elements in memory. In C and Fortran order the bytes contain exactly the elements. With strides,
    /// elements may overlap.
    pub order: Order,
}

/// Memory with the elements of an array.
#[derive(Clone)]
pub enum ArrayBytes<'a> {
    /// Packed elements, which are copied when the array is set.
    Copied(&'a [u8]),
    /// Memory that is kept until the file is written. If necessary, elements are packed and byte-swapped during
    /// writing, in pieces of 1 MiB; a compressed array is packed as a whole.
    Shared(SharedBytes),
}

debug_by_name!(ArrayBytes<'_>, "ArrayBytes");

impl ArrayData<'_> {
    /// Creates the description of packed elements in C order.
    pub fn new(datatype: impl Into<Datatype>, shape: &[i64], bytes: SharedBytes) -> ArrayData<'_> {
        let bytes = ArrayBytes::Shared(bytes);
        ArrayData { datatype: datatype.into(), shape, bytes, order: Order::C }
    }

    /// Creates the description of elements in C order, which are kept until the file is written.
    pub fn of_vec<T: Element>(elements: Vec<T>, shape: &[i64]) -> ArrayData<'_> {
        ArrayData::new(T::SCALAR_TYPE, shape, Arc::new(VecBytes(elements)))
    }
}

impl<'a> ArrayData<'a> {
    /// Creates the description of elements in C order, which are copied when the array is set.
    pub fn of_slice<T: Element>(elements: &'a [T], shape: &'a [i64]) -> ArrayData<'a> {
        let bytes = ArrayBytes::Copied(bytemuck::cast_slice(elements));
        ArrayData { datatype: T::SCALAR_TYPE.into(), shape, bytes, order: Order::C }
    }
}

/// Elements that are shared as bytes.
struct VecBytes<T>(Vec<T>);

impl<T: Element> AsRef<[u8]> for VecBytes<T> {
    fn as_ref(&self) -> &[u8] {
        bytemuck::cast_slice(&self.0)
    }
}

impl AsRef<[u8]> for ArrayBytes<'_> {
    fn as_ref(&self) -> &[u8] {
        match self {
            ArrayBytes::Copied(bytes) => bytes,
            ArrayBytes::Shared(bytes) => (**bytes).as_ref(),
        }
    }
}
