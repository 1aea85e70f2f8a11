//! Reading values of nodes.
//!
//! # Values
//!
//! Each function reads the value at a path. It fails with ASDF_ERR_WRONG_TYPE if the value has another type, and with
//! ASDF_ERR_VALUE_RANGE if the result cannot hold the exact value. The getters of numbers also read the value of a
//! quantity.
//!
//! ```c
//! double seconds;
//! char telescope[64];
//! asdf_node_get_f64(root, "meta/exposure/time", &seconds);
//! asdf_node_get_string(root, "meta/telescope", telescope, sizeof telescope, NULL);
//! ```

use crate::ffi::basics::buffer::buffer_of;
use crate::ffi::boundary::guard::{guard, guard_handle};
use crate::ffi::boundary::status::asdf_status;
use crate::ffi::boundary::types::{asdf_buffer, asdf_node, asdf_options};
use crate::ffi::options::taken::take;
use crate::ffi::unit::{equivalencies, unit_of};
use std::ffi::{c_char, c_void};

/// Reads true or false.
///
/// @param node  node that the path starts from
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
/// @param node  node that the path starts from
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
/// @param node  node that the path starts from
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
/// @param node  node that the path starts from
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

/// Reads an integer of any size, also a core/integer, as decimal digits, with a leading "-" if it is negative.
///
/// @param node     node that the path starts from
/// @param path     the path
/// @param buffer   gets the digits
/// @param capacity size of the buffer in bytes
/// @param needed   gets its length in bytes, without the final NUL; may be NULL
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

/// Reads a number as a double: a float, an integer or core/integer that a double represents exactly, a core/complex
/// whose imaginary part is zero, or a quantity with such a value. Fails with ASDF_ERR_VALUE_RANGE for other numbers.
///
/// @param node  node that the path starts from
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

/// Reads a complex number (core/complex), or a real number like asdf_node_get_f64() with the imaginary part 0.
///
/// @param node      node that the path starts from
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

/// Reads a string, a date or a time. It may contain NULs; `needed` gets its whole length.
///
/// @param node     node that the path starts from
/// @param path     the path
/// @param buffer   gets the string
/// @param capacity size of the buffer in bytes
/// @param needed   gets its length in bytes, without the final NUL; may be NULL
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

/// Reads a string, a date or a time of any length into a buffer that the library allocates. NUL bytes in the string are
/// kept; no final NUL is added.
///
/// @param node   node that the path starts from
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

/// Reads a unit, or the unit of a quantity, a column or any other mapping with the key "unit". The text is that of the
/// file, for units of the standard (unit/unit) in VOUnit syntax: "km.s**-1". Magnitudes (astropy's units/magunit) are
/// spelled as astropy prints them: "mag(AB)". A dimensionless unit is an empty text.
///
/// Fails with ASDF_ERR_NOT_FOUND if there is no unit, and with ASDF_ERR_UNSUPPORTED if the tag of the unit is unknown.
///
/// @param node     node that the path starts from
/// @param path     the path
/// @param buffer   gets the unit
/// @param capacity size of the buffer in bytes
/// @param needed   gets its length in bytes, without the final NUL; may be NULL
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

/// Reads the number of a quantity, or of another mapping with the keys "value" and "unit", in another unit, as a double.
/// The number must be one that asdf_node_get_f64() reads.
///
/// Fails with ASDF_ERR_UNITS if the number has no unit, or if the units are not commensurable. ASDF_OPTION_EQUIVALENCIES
/// allows more conversions.
///
/// @param node     node that the path starts from
/// @param path     the path
/// @param unit     text of the unit to read the number in
/// @param spelling its spelling: an ASDF_SPELLING_ constant
/// @param options  options; may be NULL
/// @param value    gets the number in this unit
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_node_get_quantity(
    node: *const asdf_node,
    path: *const c_char,
    unit: *const c_char,
    spelling: i32,
    options: *const asdf_options,
    value: *mut f64,
) -> asdf_status {
    guard(|caller| {
        let node = caller.handle(node, "node")?;
        let out = caller.out(value, "value")?;
        let options = take(caller, options, "asdf_node_get_quantity")?;
        let unit = unit_of(caller, unit, spelling, "unit")?;
        out.put(node.f64_in(caller.text(path, "path")?, &unit, &equivalencies(&options)?)?);
        Ok(())
    })
}

/// Reads the text of a scalar of any type, as it is written in the file.
///
/// @param node     node that the path starts from
/// @param path     the path
/// @param buffer   gets the text
/// @param capacity size of the buffer in bytes
/// @param needed   gets its length in bytes, without the final NUL; may be NULL
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

/// Reads binary data in the tree (!!binary). No NUL is added.
///
/// @param node     node that the path starts from
/// @param path     the path
/// @param buffer   gets the bytes
/// @param capacity size of the buffer in bytes; 0 to get only the number
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
