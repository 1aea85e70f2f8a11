//! Reading the values of nodes.
//!
//! # Values
//!
//! Each function reads what stands at a path, if it is of the type asked for; another is ASDF_ERR_WRONG_TYPE. A value is
//! given exactly or not at all: an integer that does not fit is ASDF_ERR_VALUE_RANGE. The getters of numbers read the
//! value of a quantity, too.
//!
//! ```c
//! double seconds;
//! char telescope[64];
//! asdf_node_get_f64(root, "meta/exposure/time", &seconds);
//! asdf_node_get_string(root, "meta/telescope", telescope, sizeof telescope, NULL);
//! ```

use crate::ffi::boundary::buffer::buffer_of;
use crate::ffi::boundary::guard::{guard, guard_handle};
use crate::ffi::boundary::status::asdf_status;
use crate::ffi::boundary::types::{asdf_buffer, asdf_node};
use std::ffi::{c_char, c_void};

/// Reads true or false.
///
/// @param node  where the path begins
/// @param path  the path
/// @param value gets 1 or 0
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_node_get_bool(
    node: *const asdf_node,
    path: *const c_char,
    value: *mut i32,
) -> asdf_status {
    guard(|caller| {
        let value = caller.out(value, "value")?;
        let node = caller.handle(node, "node")?;
        value.put(node.bool(caller.text(path, "path")?)?.into());
        Ok(())
    })
}

/// Reads an integer, also a core/integer, that fits 32 signed bits.
///
/// @param node  where the path begins
/// @param path  the path
/// @param value gets the integer
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_node_get_i32(
    node: *const asdf_node,
    path: *const c_char,
    value: *mut i32,
) -> asdf_status {
    guard(|caller| {
        let value = caller.out(value, "value")?;
        let node = caller.handle(node, "node")?;
        value.put(node.i32(caller.text(path, "path")?)?);
        Ok(())
    })
}

/// Reads an integer, also a core/integer, that fits 64 signed bits.
///
/// @param node  where the path begins
/// @param path  the path
/// @param value gets the integer
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_node_get_i64(
    node: *const asdf_node,
    path: *const c_char,
    value: *mut i64,
) -> asdf_status {
    guard(|caller| {
        let value = caller.out(value, "value")?;
        let node = caller.handle(node, "node")?;
        value.put(node.i64(caller.text(path, "path")?)?);
        Ok(())
    })
}

/// Reads an integer, also a core/integer, that fits 64 unsigned bits.
///
/// @param node  where the path begins
/// @param path  the path
/// @param value gets the integer
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_node_get_u64(
    node: *const asdf_node,
    path: *const c_char,
    value: *mut u64,
) -> asdf_status {
    guard(|caller| {
        let value = caller.out(value, "value")?;
        let node = caller.handle(node, "node")?;
        value.put(node.u64(caller.text(path, "path")?)?);
        Ok(())
    })
}

/// Reads an integer of any size, also a core/integer, as decimal digits with "-" in front of a negative one.
///
/// @param node     where the path begins
/// @param path     the path
/// @param buffer   gets the digits
/// @param capacity bytes of the buffer
/// @param needed   gets the length of the text; may be NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_node_get_integer(
    node: *const asdf_node,
    path: *const c_char,
    buffer: *mut c_char,
    capacity: usize,
    needed: *mut usize,
) -> asdf_status {
    guard(|caller| {
        let out = caller.text_out(buffer, capacity, needed)?;
        let node = caller.handle(node, "node")?;
        out.put(&node.integer(caller.text(path, "path")?)?)
    })
}

/// Reads a float, an integer or core/integer that a double represents exactly, a core/complex whose imaginary part is
/// zero, or such a number as the value of a quantity. Other numbers are ASDF_ERR_VALUE_RANGE.
///
/// @param node  where the path begins
/// @param path  the path
/// @param value gets the number
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_node_get_f64(
    node: *const asdf_node,
    path: *const c_char,
    value: *mut f64,
) -> asdf_status {
    guard(|caller| {
        let value = caller.out(value, "value")?;
        let node = caller.handle(node, "node")?;
        value.put(node.f64(caller.text(path, "path")?)?);
        Ok(())
    })
}

/// Reads a complex number (core/complex), or a real number as asdf_node_get_f64() reads it, with the imaginary part 0.
///
/// @param node      where the path begins
/// @param path      the path
/// @param real      gets the real part
/// @param imaginary gets the imaginary part
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_node_get_complex(
    node: *const asdf_node,
    path: *const c_char,
    real: *mut f64,
    imaginary: *mut f64,
) -> asdf_status {
    guard(|caller| {
        let (real, imaginary) = (caller.out(real, "real")?, caller.out(imaginary, "imaginary")?);
        let node = caller.handle(node, "node")?;
        let value = node.complex(caller.text(path, "path")?)?;
        real.put(value.0);
        imaginary.put(value.1);
        Ok(())
    })
}

/// Reads a string, a date or a time. It may hold NUL; the length needed tells where it ends.
///
/// @param node     where the path begins
/// @param path     the path
/// @param buffer   gets the string
/// @param capacity bytes of the buffer
/// @param needed   gets the length of the string; may be NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_node_get_string(
    node: *const asdf_node,
    path: *const c_char,
    buffer: *mut c_char,
    capacity: usize,
    needed: *mut usize,
) -> asdf_status {
    guard(|caller| {
        let out = caller.text_out(buffer, capacity, needed)?;
        let node = caller.handle(node, "node")?;
        out.put(&node.string(caller.text(path, "path")?)?)
    })
}

/// Reads a string, a date or a time of any length into a buffer that the library makes. NUL bytes in it are kept, and
/// none is added.
///
/// @param node   where the path begins
/// @param path   the path
/// @param buffer gets the bytes of the string, UTF-8; NULL on failure
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_node_get_string_buffer(
    node: *const asdf_node,
    path: *const c_char,
    buffer: *mut *mut asdf_buffer,
) -> asdf_status {
    guard_handle(buffer, "buffer", |caller| {
        let node = caller.handle(node, "node")?;
        Ok(buffer_of(node.string(caller.text(path, "path")?)?.into_bytes()))
    })
}

/// Reads the unit of a quantity, of a column, or of another mapping with the key "unit"; or a unit itself. A unit of the
/// standard (unit/unit) is spelled as VOUnit has it, "km.s**-1"; one with a tag of astropy as astropy prints it,
/// "mag(AB)". A dimensionless unit is an empty text.
///
/// Fails with ASDF_ERR_NOT_FOUND if there is no unit, and with ASDF_ERR_UNSUPPORTED for a unit whose tag is not known.
///
/// @param node     where the path begins
/// @param path     the path
/// @param buffer   gets the unit
/// @param capacity bytes of the buffer
/// @param needed   gets the length of the unit; may be NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_node_get_unit(
    node: *const asdf_node,
    path: *const c_char,
    buffer: *mut c_char,
    capacity: usize,
    needed: *mut usize,
) -> asdf_status {
    guard(|caller| {
        let out = caller.text_out(buffer, capacity, needed)?;
        let node = caller.handle(node, "node")?;
        out.put(&node.unit(caller.text(path, "path")?)?)
    })
}

/// Reads a scalar as the text that stands in the file, whatever it means.
///
/// @param node     where the path begins
/// @param path     the path
/// @param buffer   gets the text
/// @param capacity bytes of the buffer
/// @param needed   gets the length of the text; may be NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_node_get_text(
    node: *const asdf_node,
    path: *const c_char,
    buffer: *mut c_char,
    capacity: usize,
    needed: *mut usize,
) -> asdf_status {
    guard(|caller| {
        let out = caller.text_out(buffer, capacity, needed)?;
        let node = caller.handle(node, "node")?;
        out.put(&node.text(caller.text(path, "path")?)?)
    })
}

/// Reads bytes that stand in the tree (!!binary). No NUL is added.
///
/// @param node     where the path begins
/// @param path     the path
/// @param buffer   gets the bytes
/// @param capacity bytes of the buffer; 0 to ask for the number alone
/// @param needed   gets the number of bytes; may be NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_node_get_binary(
    node: *const asdf_node,
    path: *const c_char,
    buffer: *mut c_void,
    capacity: usize,
    needed: *mut usize,
) -> asdf_status {
    guard(|caller| {
        let out = caller.bytes_out(buffer, capacity, needed)?;
        let node = caller.handle(node, "node")?;
        out.put(&node.binary(caller.text(path, "path")?)?)
    })
}
