//! Views: elements of an array where they are stored, without a copy.
//!
//! # Views
//!
//! A view gives access to the stored elements without copying them. It is not possible (ASDF_ERR_NOT_VIEWABLE) if
//! elements would have to be converted, byte-swapped, decoded or aligned; asdf_array_view_stored() gives access to
//! swapped and unaligned elements, too. A view stays valid until it is freed.
//!
//! The bytes may be a memory map of the file. If another program truncates the file, accessing them can end the program
//! with SIGBUS. If other programs may change the file, read the array into your own memory instead.
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

use super::datatype::code_of;
use super::options::{conversion_of, memory_type};
use crate::array::View;
use crate::ffi::boundary::guard::{guard, guard_handle, guard_retain, guard_silently};
use crate::ffi::boundary::handle::Class;
use crate::ffi::boundary::status::asdf_status;
use crate::ffi::boundary::types::{asdf_array, asdf_options, asdf_view};
use crate::ffi::options::taken::take;
use std::borrow::Cow;
use std::ffi::c_void;

impl Class for asdf_view {
    const TAG: u32 = u32::from_be_bytes(*b"VIEW");
    const NAME: &'static str = "asdf_view";
    type Value = View;
}

/// Creates a view of all elements of an array. Nothing is read.
///
/// @param array    the array
/// @param datatype code of the scalar type of the elements, or 0 as in asdf_array_read(). The datatype must equal that
///                 of the array, except for byte orders of fields
/// @param options  options, or NULL for the defaults. ASDF_OPTION_UNIT must be equal to the unit of the elements
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
        let options = take(caller, options, "asdf_array_view")?;
        let array = caller.handle(array, "array")?;
        if let Some(conversion) = conversion_of(&options, |unit, allowed| array.conversion_to(unit, allowed))? {
            array.check_viewable(&conversion)?;
        }
        array.view(&*memory_type(datatype, &options, || Ok(Cow::Borrowed(array.datatype())))?)
    })
}

/// Creates a view of all elements as they are stored: in the byte order of the array (asdf_array_byte_order(), or that
/// of each field), and at addresses that need not be aligned for their type. Nothing is read. Other languages can use
/// such elements; C copies each to a variable by memcpy(), and swaps its bytes if necessary.
///
/// @param array   the array
/// @param options options of every call (threads, progress, limits), or NULL for the defaults
/// @param view    gets the view; NULL on failure. ASDF_ERR_NOT_VIEWABLE if the elements are compressed or in the tree
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_array_view_stored(
    array: *const asdf_array,
    options: *const asdf_options,
    view: *mut *mut asdf_view,
) -> asdf_status {
    guard_handle(view, "view", |caller| {
        take(caller, options, "asdf_array_view_stored")?;
        caller.handle(array, "array")?.view_stored()
    })
}

/// Gets the bytes of a view, from the first to the last that an element occupies. If the strides are those of C order,
/// the elements follow one another without gaps.
///
/// @param view  the view
/// @param bytes gets the address of the first byte, which must not be dereferenced if there are no elements
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

/// Gets the address of the element whose indices are all 0. The strides lead from there to the other elements. Unless a
/// stride is negative, it is the first byte of the view.
///
/// @param view    the view
/// @param element gets the address of the element, which must not be dereferenced if there are no elements
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_view_first_element(view: *const asdf_view, element: *mut *const c_void) -> asdf_status {
    guard(|caller| {
        let element = caller.out(element, "element")?;
        element.put(caller.handle(view, "view")?.as_ptr().cast());
        Ok(())
    })
}

/// Gets the extents of a view, slowest axis first.
///
/// @param view     the view
/// @param shape    gets the extents; a buffer of ASDF_MAX_RANK numbers is always large enough
/// @param capacity size of the buffer in numbers; ASDF_ERR_BUFFER_TOO_SMALL if less than the rank; 0 to get only the
///                 rank
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

/// Gets the strides of a view: the bytes from one element to the next along each axis. They may be negative or 0.
///
/// @param view     the view
/// @param strides  gets the strides; a buffer of ASDF_MAX_RANK numbers is always large enough
/// @param capacity size of the buffer in numbers; ASDF_ERR_BUFFER_TOO_SMALL if less than the rank; 0 to get only the
///                 rank
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

/// Gets the code of the datatype of a view.
///
/// @param view     the view
/// @param datatype gets the code. In a view of ASDF_BOOL8, 0 is false and every other byte is true
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_view_datatype(view: *const asdf_view, datatype: *mut i32) -> asdf_status {
    guard(|caller| {
        let datatype = caller.out(datatype, "datatype")?;
        datatype.put(code_of(&caller.handle(view, "view")?.datatype()));
        Ok(())
    })
}

/// Adds an owner to a view.
///
/// @param view    the view
/// @param another gets another handle of the same object, to be freed as well; NULL on failure
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_view_retain(view: *const asdf_view, another: *mut *mut asdf_view) -> asdf_status {
    guard_retain(view, "view", another)
}

/// Gives up one owner of a view. Its addresses are invalid once the last owner has freed it.
///
/// @param view the view, or NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_view_free(view: *mut asdf_view) {
    guard_silently(|caller| caller.release(view));
}
