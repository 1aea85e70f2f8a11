//! Elements of a column, stored contiguously in their own type.

use crate::array::ScalarType;
use crate::error::{Error, Result, Status};
use crate::reserve::{copy_of, room_for};
use crate::table::Text;
use std::ops::Range;

macro_rules! values {
    ($($variant:ident($item:ty), $of:literal;)*) => {
        /// Elements of all cells in one piece of memory. The elements of a cell are in C order.
        #[derive(Clone, Debug, PartialEq)]
        #[non_exhaustive]
        pub enum Values {
            $(#[doc = $of] $variant(Vec<$item>),)*
            /// Text, and numbers that are kept as text.
            Text(Text),
        }

        impl Values {
            /// Returns the number of elements.
            pub fn len(&self) -> usize {
                match self {
                    $(Values::$variant(items) => items.len(),)*
                    Values::Text(text) => text.len(),
                }
            }

            /// Returns the elements as contiguous bytes in native byte order; `None` for text.
            pub fn bytes(&self) -> Option<&[u8]> {
                match self {
                    $(Values::$variant(items) => Some(bytemuck::cast_slice(items)),)*
                    Values::Text(_) => None,
                }
            }

            /// Returns the memory of the elements in bytes.
            pub(crate) fn memory(&self) -> u64 {
                match self {
                    $(Values::$variant(items) => size_of_val(items.as_slice()) as u64,)*
                    Values::Text(text) => text.memory(),
                }
            }

            /// Returns the elements as mutable bytes in native byte order; `None` for text.
            pub(crate) fn bytes_mut(&mut self) -> Option<&mut [u8]> {
                match self {
                    $(Values::$variant(items) => Some(bytemuck::cast_slice_mut(items)),)*
                    Values::Text(_) => None,
                }
            }

            /// Makes `count` zeros of this type, or fails with [`Status::OutOfMemory`](crate::Status::OutOfMemory).
            pub(crate) fn zeroed(scalar: ScalarType, count: usize) -> Result<Values> {
                match scalar {
                    $(ScalarType::$variant => {
                        let bytes = (count as u64).saturating_mul(size_of::<$item>() as u64);
                        let items = bytemuck::allocation::try_zeroed_vec(count);
                        Ok(Values::$variant(items.map_err(|_| Error::out_of_memory(bytes))?))
                    })*
                }
            }

            /// Returns a copy of the elements.
            pub(super) fn copy(&self) -> Result<Values> {
                match self {
                    $(Values::$variant(items) => Ok(Values::$variant(copy_of(items)?)),)*
                    Values::Text(text) => Ok(Values::Text(text.copy()?)),
                }
            }

            /// Returns the type of the elements; `None` for text.
            pub fn scalar_type(&self) -> Option<ScalarType> {
                match self {
                    $(Values::$variant(_) => Some(ScalarType::$variant),)*
                    Values::Text(_) => None,
                }
            }

            /// Appends all elements of `others`, which must be of the same type.
            pub(crate) fn append(&mut self, others: &Values) -> Result<()> {
                match (self, others) {
                    $((Values::$variant(items), Values::$variant(others)) => {
                        room_for(items, others.len())?;
                        items.extend_from_slice(others);
                        Ok(())
                    })*
                    (Values::Text(text), Values::Text(others)) => text.append(others),
                    _ => Err(Error::new(Status::Internal, "values of different types cannot be appended to each other")),
                }
            }

            /// Makes an empty list of elements of the same type.
            pub(crate) fn without_elements(&self) -> Values {
                match self {
                    $(Values::$variant(_) => Values::$variant(Vec::new()),)*
                    Values::Text(_) => Values::Text(Text::new()),
                }
            }

            /// Reserves memory for `count` more elements, of texts without their bytes.
            pub(in crate::table) fn reserve(&mut self, count: usize) -> Result<()> {
                match self {
                    $(Values::$variant(items) => room_for(items, count),)*
                    Values::Text(text) => text.reserve(count, 0),
                }
            }

            /// Appends the elements of `others` in these ranges. `others` must be of the same type.
            pub(crate) fn append_ranges(
                &mut self,
                others: &Values,
                ranges: impl IntoIterator<Item = Range<usize>>,
            ) -> Result<()> {
                let mut ranges = ranges.into_iter();
                match (self, others) {
                    $((Values::$variant(items), Values::$variant(others)) => ranges.try_for_each(|range| {
                        let others = others.get(range).unwrap_or_default();
                        room_for(items, others.len())?;
                        items.extend_from_slice(others);
                        Ok(())
                    }),)*
                    (Values::Text(text), Values::Text(others)) => {
                        ranges.try_for_each(|range| text.append_range(others, range))
                    }
                    _ => Err(Error::new(Status::Internal, "values of different types cannot be appended to each other")),
                }
            }

            /// Removes all elements, and keeps the memory.
            pub(crate) fn clear(&mut self) {
                match self {
                    $(Values::$variant(items) => items.clear(),)*
                    Values::Text(text) => text.clear(),
                }
            }

            /// Frees unused memory.
            pub(crate) fn shrink_to_fit(&mut self) {
                match self {
                    $(Values::$variant(items) => items.shrink_to_fit(),)*
                    Values::Text(text) => text.shrink_to_fit(),
                }
            }

            /// Appends elements from contiguous bytes in native byte order.
            pub(crate) fn append_bytes(&mut self, bytes: &[u8]) -> Result<()> {
                match self {
                    $(Values::$variant(items) => append_bytes(items, bytes),)*
                    Values::Text(_) => Err(Error::new(Status::Internal, "bytes of numbers cannot be appended to text")),
                }
            }

            /// Makes an empty list of elements of this type.
            pub(crate) fn of_type(scalar: ScalarType) -> Values {
                match scalar {
                    $(ScalarType::$variant => Values::$variant(Vec::new()),)*
                }
            }
        }
    };
}

values! {
    Bool8(u8), "Truth values: 0 is false, 1 true.";
    Int8(i8), "Signed 8-bit integers.";
    Int16(i16), "Signed 16-bit integers.";
    Int32(i32), "Signed 32-bit integers.";
    Int64(i64), "Signed 64-bit integers.";
    Uint8(u8), "Unsigned 8-bit integers.";
    Uint16(u16), "Unsigned 16-bit integers.";
    Uint32(u32), "Unsigned 32-bit integers.";
    Uint64(u64), "Unsigned 64-bit integers.";
    Float16(u16), "The bits of binary16 numbers.";
    Float32(f32), "Binary32 numbers.";
    Float64(f64), "Binary64 numbers.";
    Complex64([f32; 2]), "Real and imaginary parts in binary32.";
    Complex128([f64; 2]), "Real and imaginary parts in binary64.";
}

impl Values {
    /// Returns whether there are no elements.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the texts, if the elements are kept as text.
    pub fn text(&self) -> Option<&Text> {
        match self {
            Values::Text(text) => Some(text),
            _ => None,
        }
    }
}

fn append_bytes<T: bytemuck::Pod>(items: &mut Vec<T>, bytes: &[u8]) -> Result<()> {
    if !bytes.len().is_multiple_of(size_of::<T>()) {
        return Err(Error::new(Status::Internal, "the bytes to append are not a whole number of elements"));
    }
    let (before, count) = (items.len(), bytes.len() / size_of::<T>());
    room_for(items, count)?;
    items.resize(before + count, T::zeroed());
    bytemuck::cast_slice_mut(items.get_mut(before..).unwrap_or_default()).copy_from_slice(bytes);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_appended_to_those_of_their_type() {
        let mut values = Values::Complex64(vec![[1.0, 2.0]]);
        values.append(&Values::Complex64(vec![[3.0, 4.0]])).unwrap();
        assert_eq!(values, Values::Complex64(vec![[1.0, 2.0], [3.0, 4.0]]));
        assert!(values.append(&Values::Text(Text::new())).is_err());
        assert!(Values::Text(Text::new()).append(&values).is_err());
    }

    #[test]
    fn each_type_has_its_values() {
        for &scalar in ScalarType::ALL {
            let values = Values::of_type(scalar);
            assert_eq!((values.scalar_type(), values.len()), (Some(scalar), 0));
        }
        assert_eq!(Values::Complex64(vec![[0.0, 0.0]; 3]).bytes().map(<[u8]>::len), Some(24));
        assert_eq!(Values::Text(Text::new()).bytes(), None);
        let mut zeros = Values::zeroed(ScalarType::Complex64, 2).unwrap();
        zeros.bytes_mut().unwrap()[..4].copy_from_slice(&1.5f32.to_ne_bytes());
        assert_eq!(zeros, Values::Complex64(vec![[1.5, 0.0], [0.0, 0.0]]));
    }
}
