//! The functions of the core that this library calls, as `asdf.h` declares them.

use std::ffi::{c_char, c_void};

/// Status number of the core.
pub(crate) type Status = i32;

/// Returns the elements of an array: `asdf_read_callback`.
pub(crate) type ReadCallback = unsafe extern "C" fn(*mut c_void, i64, *mut c_void, usize, *mut usize) -> Status;

/// Releases what a callback uses: `asdf_close_callback`.
pub(crate) type CloseCallback = unsafe extern "C" fn(*mut c_void) -> Status;

/// Decodes a tile-compressed image: `asdf_image_decode_callback`.
pub(crate) type DecodeCallback =
    unsafe extern "C" fn(*mut c_void, *const c_void, usize, i64, i64, *mut c_void, usize) -> Status;

/// A handle of the core, whose content only the core knows.
pub(crate) type Handle = *mut c_void;

asdfkit_loader::core_functions! {
    asdf_error_message(*mut c_char, usize, *mut usize) -> Status;
    asdf_error_set(Status, *const c_char, usize) -> Status;
    asdf_image_decoder_set(Option<DecodeCallback>, *mut c_void) -> Status;
    asdf_buffer_bytes(Handle, *mut *const c_void, *mut usize) -> Status;
    asdf_buffer_free(Handle);
    asdf_options_new(*mut Handle) -> Status;
    asdf_options_copy(Handle, *mut Handle) -> Status;
    asdf_options_set_int(Handle, i32, i64) -> Status;
    asdf_options_get_int(Handle, i32, *mut i64) -> Status;
    asdf_options_set_datatype(Handle, Handle) -> Status;
    asdf_options_free(Handle);
    asdf_datatype_string(i32, i64, *mut Handle) -> Status;
    asdf_datatype_string_length(Handle, *mut i64) -> Status;
    asdf_datatype_item_size(Handle, *mut usize) -> Status;
    asdf_datatype_free(Handle);
    asdf_file_new(Handle, *mut Handle) -> Status;
    asdf_file_open(*const c_char, Handle, *mut Handle) -> Status;
    asdf_file_root(Handle, *mut Handle) -> Status;
    asdf_file_write(Handle, *const c_char, Handle) -> Status;
    asdf_file_free(Handle);
    asdf_node_free(Handle);
    asdf_node_get(Handle, *const c_char, *mut Handle) -> Status;
    asdf_node_exists(Handle, *const c_char, *mut i32) -> Status;
    asdf_node_kind(Handle, *const c_char, *mut i32) -> Status;
    asdf_node_type(Handle, *const c_char, *mut i32) -> Status;
    asdf_node_tag(Handle, *const c_char, *mut c_char, usize, *mut usize) -> Status;
    asdf_node_count(Handle, *const c_char, *mut i64) -> Status;
    asdf_node_item(Handle, *const c_char, i64, *mut Handle) -> Status;
    asdf_node_key_string(Handle, *const c_char, i64, *mut c_char, usize, *mut usize) -> Status;
    asdf_node_get_array(Handle, *const c_char, *mut Handle) -> Status;
    asdf_node_get_bool(Handle, *const c_char, *mut i32) -> Status;
    asdf_node_get_i64(Handle, *const c_char, *mut i64) -> Status;
    asdf_node_get_f64(Handle, *const c_char, *mut f64) -> Status;
    asdf_node_get_string_buffer(Handle, *const c_char, *mut Handle) -> Status;
    asdf_node_get_unit(Handle, *const c_char, *mut c_char, usize, *mut usize) -> Status;
    asdf_node_make(Handle, *const c_char, *mut Handle) -> Status;
    asdf_node_set_null(Handle, *const c_char) -> Status;
    asdf_node_set_bool(Handle, *const c_char, i32) -> Status;
    asdf_node_set_i64(Handle, *const c_char, i64) -> Status;
    asdf_node_set_f64(Handle, *const c_char, f64) -> Status;
    asdf_node_set_string(Handle, *const c_char, *const c_char, usize) -> Status;
    asdf_node_set_sequence(Handle, *const c_char, i32) -> Status;
    asdf_node_set_mapping(Handle, *const c_char, i32) -> Status;
    asdf_node_set_tag(Handle, *const c_char, *const c_char) -> Status;
    asdf_node_set_array(Handle, *const c_char, i32, i32, *const i64, *const c_void, usize, Handle) -> Status;
    asdf_node_set_array_callback(
        Handle, *const c_char, i32, i32, *const i64, ReadCallback, Option<CloseCallback>, *mut c_void, Handle
    ) -> Status;
    asdf_node_set_wcs_cards(Handle, *const c_char, *const c_char, usize, Handle) -> Status;
    asdf_node_get_wcs(Handle, *const c_char, Handle, *mut Handle) -> Status;
    asdf_wcs_pixel_shape(Handle, *mut i64, i32, *mut i32) -> Status;
    asdf_wcs_make_cards(Handle, Handle, *mut Handle, *mut f64, *mut f64) -> Status;
    asdf_wcs_free(Handle);
    asdf_array_shape(Handle, *mut i64, i32, *mut i32) -> Status;
    asdf_array_datatype(Handle, *mut i32) -> Status;
    asdf_array_datatype_handle(Handle, *mut Handle) -> Status;
    asdf_array_byte_order(Handle, *mut i32) -> Status;
    asdf_array_has_mask(Handle, *mut i32) -> Status;
    asdf_array_unit(Handle, *mut c_char, usize, *mut usize) -> Status;
    asdf_array_read_region(
        Handle, i32, *const i64, *const i64, *const i64, i32, Handle, *mut c_void, usize, *mut u8, usize
    ) -> Status;
    asdf_array_view_stored(Handle, Handle, *mut Handle) -> Status;
    asdf_array_free(Handle);
    asdf_view_bytes(Handle, *mut *const c_void, *mut usize) -> Status;
    asdf_view_strides(Handle, *mut i64, i32, *mut i32) -> Status;
    asdf_view_free(Handle);
    asdf_unit_format(*const c_char, i32, i32, *mut c_char, usize, *mut usize) -> Status;
}
