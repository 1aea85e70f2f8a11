//! Rust types of array elements, and their bytes as the conversion kernels expect them.

use super::scalar_type::ScalarType;
use crate::error::{Error, Result};
use crate::float::Float16;

/// A Rust type of array elements: `i8` to `i64`, `u8` to `u64`, [`Float16`], `f32`, `f64`, `bool`, and complex numbers
/// as `[f32; 2]` and `[f64; 2]` (real part, imaginary part).
///
/// The trait is sealed: other types cannot implement it.
pub trait Element: Bytes + Copy + Send + Sync + 'static {
    /// The scalar type of the elements.
    const SCALAR_TYPE: ScalarType;
}

/// Elements as native bytes.
pub trait Bytes: bytemuck::NoUninit + bytemuck::Zeroable {
    /// Passes the bytes of the elements to `read`, which overwrites them. After a failure the elements are unspecified.
    fn overwrite<R>(elements: &mut [Self], read: impl FnOnce(&mut [u8]) -> Result<R>) -> Result<R>;
}

macro_rules! elements {
    ($($type:ty => $scalar:ident;)*) => {
        $(
            impl Element for $type {
                const SCALAR_TYPE: ScalarType = ScalarType::$scalar;
            }

            impl Bytes for $type {
                fn overwrite<R>(elements: &mut [Self], read: impl FnOnce(&mut [u8]) -> Result<R>) -> Result<R> {
                    read(bytemuck::cast_slice_mut(elements))
                }
            }
        )*
    };
}

elements! {
    i8 => Int8;
    i16 => Int16;
    i32 => Int32;
    i64 => Int64;
    u8 => Uint8;
    u16 => Uint16;
    u32 => Uint32;
    u64 => Uint64;
    Float16 => Float16;
    f32 => Float32;
    f64 => Float64;
    [f32; 2] => Complex64;
    [f64; 2] => Complex128;
}

// SAFETY: `Float16` is a transparent `u16`, and zero is a valid `u16`.
#[allow(unsafe_code)]
unsafe impl bytemuck::Zeroable for Float16 {}

// SAFETY: `Float16` is a transparent `u16`: it has no padding, and every bit pattern is valid.
#[allow(unsafe_code)]
unsafe impl bytemuck::Pod for Float16 {}

impl Element for bool {
    const SCALAR_TYPE: ScalarType = ScalarType::Bool8;
}

impl Bytes for bool {
    /// Uses a copy, because a `bool` must never hold a byte other than 0 and 1.
    fn overwrite<R>(elements: &mut [bool], read: impl FnOnce(&mut [u8]) -> Result<R>) -> Result<R> {
        let mut bytes = zeroed::<u8>(elements.len())?;
        bytes.copy_from_slice(bytemuck::cast_slice(elements));
        let out = read(&mut bytes)?;
        for (element, byte) in elements.iter_mut().zip(bytes) {
            *element = byte != 0;
        }
        Ok(out)
    }
}

/// Allocates a zeroed vector. Fails with [`Status::OutOfMemory`](crate::Status::OutOfMemory).
pub(crate) fn zeroed<T: bytemuck::Zeroable>(count: usize) -> Result<Vec<T>> {
    let size = (count as u64).saturating_mul(size_of::<T>() as u64);
    bytemuck::allocation::try_zeroed_vec(count).map_err(|()| Error::out_of_memory(size))
}
