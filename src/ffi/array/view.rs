//! Views: the elements of an array where they are stored.
//!
//! # Views
//!
//! A view costs nothing but address space. It is refused (ASDF_ERR_NOT_VIEWABLE) where the stored bytes are not what
//! the machine wants: where elements would have to be converted, swapped, decoded or aligned. It stays valid until it
//! is freed. The bytes may be a mapping of the file: if another program shortens the file, touching them can end the
//! program; read into memory of yours where files change under you.
//!
//! ```c
//! asdf_view *view = NULL;
//! if (asdf_array_view(image, ASDF_FLOAT32, NULL, &view) == ASDF_OK) {
//!     const void *bytes;
//!     size_t size;
//!     asdf_view_bytes(view, &bytes, &size);
//!     show(bytes, size / sizeof(float));
//!     asdf_view_free(view);
//! }
//! ```

use super::datatype::{code_of, scalar_of};
use crate::array::View;
use crate::ffi::boundary::guard::{guard, guard_handle, guard_retain, guard_silently};
use crate::ffi::boundary::handle::Class;
use crate::ffi::boundary::status::asdf_status;
use crate::ffi::boundary::types::asdf_options;
use crate::ffi::boundary::types::{asdf_array, asdf_datatype, asdf_view};
use crate::ffi::options::taken::take;
use std::ffi::c_void;

impl Class for asdf_view {
    const TAG: u32 = u32::from_be_bytes(*b"VIEW");
    const NAME: &'static str = "asdf_view";
    type Value = View;
}

/// Views all elements of an array. Nothing is read.
///
/// @param array    the array
/// @param datatype code of the scalar type that the elements are to be
/// @param options  NULL, or options; none of them changes a view
/// @param view     gets the view; NULL on failure
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_array_view(
    array: *const asdf_array,
    datatype: i32,
    options: *const asdf_options,
    view: *mut *mut asdf_view,
) -> asdf_status {
    guard_handle(view, "view", |caller| {
        take(caller, options, "asdf_array_view")?;
        let target = scalar_of(datatype)?.into();
        caller.handle(array, "array")?.view(&target)
    })
}

/// Views all elements of an array. Nothing is read.
///
/// @param array    the array
/// @param datatype what the elements are to be
/// @param options  NULL, or options; none of them changes a view
/// @param view     gets the view; NULL on failure
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_array_view_typed(
    array: *const asdf_array,
    datatype: *const asdf_datatype,
    options: *const asdf_options,
    view: *mut *mut asdf_view,
) -> asdf_status {
    guard_handle(view, "view", |caller| {
        take(caller, options, "asdf_array_view_typed")?;
        let target = caller.handle(datatype, "datatype")?;
        caller.handle(array, "array")?.view(target)
    })
}

/// The bytes from the first to the last that an element occupies. If the strides are those of C order, these are the
/// elements one after the other.
///
/// @param view  the view
/// @param bytes gets the address of the first byte, not to be followed if there are none
/// @param size  gets the number of bytes
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_view_bytes(
    view: *const asdf_view,
    bytes: *mut *const c_void,
    size: *mut usize,
) -> asdf_status {
    guard(|caller| {
        let (bytes, size) = (caller.out(bytes, "bytes")?, caller.out(size, "size")?);
        let shown = caller.handle(view, "view")?.bytes();
        bytes.put(shown.as_ptr().cast());
        size.put(shown.len());
        Ok(())
    })
}

/// The element with all indices 0, from which the strides lead to the others. It is the first byte of the view unless
/// a stride is negative.
///
/// @param view    the view
/// @param element gets the address of the element, not to be followed if there are none
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_view_first_element(view: *const asdf_view, element: *mut *const c_void) -> asdf_status {
    guard(|caller| {
        let element = caller.out(element, "element")?;
        element.put(caller.handle(view, "view")?.as_ptr().cast());
        Ok(())
    })
}

/// The extents of a view, slowest axis first.
///
/// @param view     the view
/// @param shape    gets the extents; ASDF_MAX_RANK of them always have room
/// @param capacity extents that may be written; too few are ASDF_ERR_BUFFER_TOO_SMALL, 0 asks for the rank alone
/// @param rank     gets the number of axes; also if the capacity is too small. May be NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_view_shape(
    view: *const asdf_view,
    shape: *mut i64,
    capacity: i32,
    rank: *mut i32,
) -> asdf_status {
    guard(|caller| {
        let out = caller.list_out(shape, capacity, rank, ["shape", "rank"])?;
        out.put(caller.handle(view, "view")?.shape())
    })
}

/// Bytes from an element of a view to the next along each axis; they may be negative or 0.
///
/// @param view     the view
/// @param strides  gets the strides; ASDF_MAX_RANK of them always have room
/// @param capacity strides that may be written; too few are ASDF_ERR_BUFFER_TOO_SMALL, 0 asks for the rank alone
/// @param rank     gets the number of axes; also if the capacity is too small. May be NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_view_strides(
    view: *const asdf_view,
    strides: *mut i64,
    capacity: i32,
    rank: *mut i32,
) -> asdf_status {
    guard(|caller| {
        let out = caller.list_out(strides, capacity, rank, ["strides", "rank"])?;
        out.put(caller.handle(view, "view")?.strides())
    })
}

/// What the elements of a view are.
///
/// @param view     the view
/// @param datatype gets the code. A bool8 is any byte, of which only 0 is false
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_view_datatype(view: *const asdf_view, datatype: *mut i32) -> asdf_status {
    guard(|caller| {
        let datatype = caller.out(datatype, "datatype")?;
        datatype.put(code_of(&caller.handle(view, "view")?.datatype()));
        Ok(())
    })
}

/// Gives another owner of a view.
///
/// @param view    the view
/// @param another gets the owner, to be freed as well; NULL on failure
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_view_retain(view: *const asdf_view, another: *mut *mut asdf_view) -> asdf_status {
    guard_retain(view, "view", another)
}

/// Gives up a view; its addresses are not to be used any more once the last owner has.
///
/// @param view the view, or NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_view_free(view: *mut asdf_view) {
    guard_silently(|caller| caller.release(view));
}
