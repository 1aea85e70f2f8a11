//! Handles of the core with an owner, and calls of its functions that return [`Result`].

#![allow(unsafe_code)]

use std::ffi::{CString, c_char, c_void};
use std::path::Path;
use std::ptr::{null, null_mut};

use super::functions::{DecodeCallback, Functions, Handle, Status};
use super::load::core;
use crate::failure::{Failure, Result, status};

/// Keys of options: one handle is for calls of several kinds; blocks get checksums.
const SHARED: i32 = 3;
const CHECKSUMS: i32 = 204;

/// Turns a status of the core into a result with its message.
fn check(functions: &Functions, status: Status) -> Result<()> {
    if status == 0 {
        return Ok(());
    }
    // SAFETY: the function follows the rule of `text` for its arguments.
    let message = text(|buffer, capacity, needed| unsafe { (functions.asdf_error_message)(buffer, capacity, needed) });
    Err(Failure::new(status, message.unwrap_or_default()))
}

/// Reads a text of the core, which returns the length of the text.
fn text(read: impl Fn(*mut c_char, usize, *mut usize) -> Status) -> std::result::Result<String, Status> {
    let mut bytes = vec![0_u8; 256];
    loop {
        let mut needed = 0;
        let status = read(bytes.as_mut_ptr().cast(), bytes.len(), &mut needed);
        if status == 0 {
            let length = bytes.iter().position(|&byte| byte == 0).unwrap_or(bytes.len());
            bytes.truncate(length);
            return Ok(String::from_utf8_lossy(&bytes).into_owned());
        }
        if status != status::BUFFER_TOO_SMALL || needed < bytes.len() {
            return Err(status);
        }
        bytes.resize(needed + 1, 0);
    }
}

fn c_string(text: &str) -> Result<CString> {
    CString::new(text).map_err(|_| Failure::new(status::INVALID_ARGUMENT, format!("{text:?} holds a NUL")))
}

fn c_path(path: &Path) -> Result<CString> {
    c_string(path.to_str().ok_or_else(|| Failure::new(status::INVALID_ARGUMENT, "the name of a file is not UTF-8"))?)
}

/// Makes a failure the last one of the core on this thread.
pub(crate) fn set_error(failure: &Failure) {
    if let Ok(functions) = core() {
        let message = &failure.message;
        // SAFETY: pointer and length are those of one text.
        unsafe { (functions.asdf_error_set)(failure.status, message.as_ptr().cast(), message.len()) };
    }
}

/// Makes the core decode tile-compressed images by a function.
pub(crate) fn set_decoder(decode: DecodeCallback) -> Result<()> {
    let functions = core()?;
    // SAFETY: the function stays in memory until the process ends, and needs no pointer.
    check(functions, unsafe { (functions.asdf_image_decoder_set)(Some(decode), null_mut()) })
}

/// Declares a type that owns a handle.
macro_rules! owner {
    ($(#[$doc:meta])* $name:ident, $free:ident) => {
        $(#[$doc])*
        pub(crate) struct $name {
            functions: &'static Functions,
            handle: Handle,
        }

        impl Drop for $name {
            fn drop(&mut self) {
                // SAFETY: this value is the owner of the handle.
                unsafe { (self.functions.$free)(self.handle) }
            }
        }

        impl $name {
            /// Calls a function of the core that makes such a handle.
            fn make(
                functions: &'static Functions,
                call: impl FnOnce(*mut Handle) -> Status,
            ) -> Result<$name> {
                let mut handle = null_mut();
                check(functions, call(&mut handle))?;
                Ok($name { functions, handle })
            }
        }
    };
}

owner!(
    /// An ASDF file.
    File,
    asdf_file_free
);
owner!(
    /// A node of a tree. Paths start from it.
    Node,
    asdf_node_free
);
owner!(
    /// An array.
    Array,
    asdf_array_free
);
owner!(
    /// Options of a call.
    Options,
    asdf_options_free
);
owner!(
    /// World coordinates.
    Wcs,
    asdf_wcs_free
);
owner!(Buffer, asdf_buffer_free);
owner!(Datatype, asdf_datatype_free);
owner!(View, asdf_view_free);

impl File {
    /// A new file.
    pub(crate) fn new() -> Result<File> {
        let functions = core()?;
        // SAFETY: NULL options are allowed, and `out` is writable. The same holds for the calls below.
        File::make(functions, |out| unsafe { (functions.asdf_file_new)(null_mut(), out) })
    }

    /// Opens a file for reading, with options of the caller for this call and others; NULL for the defaults.
    pub(crate) fn open(path: &Path, options: Handle) -> Result<File> {
        let functions = core()?;
        let path = c_path(path)?;
        let own = Options::like(options)?;
        own.set_int(SHARED, 1)?;
        // SAFETY: the path is a C string, and the options are alive.
        File::make(functions, |out| unsafe { (functions.asdf_file_open)(path.as_ptr(), own.handle, out) })
    }

    pub(crate) fn root(&self) -> Result<Node> {
        // SAFETY: the handle is that of an open file.
        Node::make(self.functions, |out| unsafe { (self.functions.asdf_file_root)(self.handle, out) })
    }

    /// Writes the file. The options are those of the caller, which may be NULL. Unless they ask for checksums, blocks
    /// have none: FITS data have none either, and MD5 takes longer than everything else.
    pub(crate) fn write(&self, path: &Path, options: Handle) -> Result<()> {
        let path = c_path(path)?;
        let own = Options::like(options)?;
        if !own.has(CHECKSUMS)? {
            own.set_int(CHECKSUMS, 0)?;
        }
        let options = own.handle;
        // SAFETY: the path is a C string; the core checks the options.
        let status = unsafe { (self.functions.asdf_file_write)(self.handle, path.as_ptr(), options) };
        check(self.functions, status).map_err(|failure| Failure::remembered().unwrap_or(failure))
    }

    /// Gives the handle away.
    pub(crate) fn into_handle(self) -> Handle {
        let handle = self.handle;
        std::mem::forget(self);
        handle
    }
}

impl Options {
    pub(crate) fn new() -> Result<Options> {
        let functions = core()?;
        // SAFETY: `out` is writable.
        Options::make(functions, |out| unsafe { (functions.asdf_options_new)(out) })
    }

    /// A copy of the options of the caller, or new ones for NULL.
    fn like(options: Handle) -> Result<Options> {
        if options.is_null() {
            return Options::new();
        }
        let functions = core()?;
        // SAFETY: the core checks the options, and `out` is writable.
        Options::make(functions, |out| unsafe { (functions.asdf_options_copy)(options, out) })
    }

    /// Returns true if an integer option is set.
    fn has(&self, key: i32) -> Result<bool> {
        let mut value = 0;
        // SAFETY: the handle is alive, and `value` is writable.
        match unsafe { (self.functions.asdf_options_get_int)(self.handle, key, &mut value) } {
            status::NOT_FOUND => Ok(false),
            status => check(self.functions, status).map(|()| true),
        }
    }

    fn set_int(&self, key: i32, value: i64) -> Result<()> {
        // SAFETY: the handle is alive.
        check(self.functions, unsafe { (self.functions.asdf_options_set_int)(self.handle, key, value) })
    }

    /// Sets the datatype of texts of a fixed length.
    pub(crate) fn set_text_datatype(&self, code: i32, length: i64) -> Result<()> {
        // SAFETY: `out` is writable.
        let datatype =
            Datatype::make(self.functions, |out| unsafe { (self.functions.asdf_datatype_string)(code, length, out) })?;
        // SAFETY: both handles are alive; the options keep the datatype.
        check(self.functions, unsafe { (self.functions.asdf_options_set_datatype)(self.handle, datatype.handle) })
    }
}

/// Elements of an array that are computed when they are needed.
pub(crate) trait Elements: Send + Sync {
    /// Writes bytes of the packed elements, in native byte order, from an offset in bytes.
    fn read(&self, offset: u64, bytes: &mut [u8]) -> Result<()>;
}

unsafe extern "C" fn read_elements(
    user: *mut c_void,
    offset: i64,
    buffer: *mut c_void,
    size: usize,
    got: *mut usize,
) -> Status {
    let read = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        // SAFETY: `user` is the box that `set_elements` passed, which lives until `close_elements`.
        let elements = unsafe { &*user.cast::<Box<dyn Elements>>() };
        // SAFETY: the core passes a writable buffer of this size.
        let bytes = unsafe { std::slice::from_raw_parts_mut(buffer.cast::<u8>(), size) };
        elements.read(u64::try_from(offset).unwrap_or(u64::MAX), bytes)
    }));
    match read {
        Ok(Ok(())) => {
            // SAFETY: the core passes a writable number.
            unsafe { *got = size };
            0
        }
        Ok(Err(failure)) => {
            failure.remember();
            status::IO
        }
        Err(_) => status::INTERNAL,
    }
}

unsafe extern "C" fn close_elements(user: *mut c_void) -> Status {
    // SAFETY: `user` is the box that `set_elements` passed; the core calls this once.
    drop(unsafe { Box::from_raw(user.cast::<Box<dyn Elements>>()) });
    0
}

/// Calls a setter of a node, whose first arguments are node and path.
macro_rules! setter {
    ($(#[$doc:meta])* $name:ident, $function:ident $(, $value:ident: $type:ty)*) => {
        $(#[$doc])*
        pub(crate) fn $name(&self, path: &str $(, $value: $type)*) -> Result<()> {
            let path = c_string(path)?;
            // SAFETY: the handle is alive, and the path is a C string.
            check(self.functions, unsafe { (self.functions.$function)(self.handle, path.as_ptr() $(, $value)*) })
        }
    };
}

/// Calls a getter of a node with one output.
macro_rules! getter {
    ($(#[$doc:meta])* $name:ident, $function:ident, $type:ty) => {
        $(#[$doc])*
        pub(crate) fn $name(&self, path: &str) -> Result<$type> {
            let path = c_string(path)?;
            let mut value = <$type>::default();
            // SAFETY: the handle is alive, the path is a C string, and `value` is writable.
            check(self.functions, unsafe {
                (self.functions.$function)(self.handle, path.as_ptr(), &mut value)
            })?;
            Ok(value)
        }
    };
}

impl Node {
    setter!(set_null, asdf_node_set_null);
    setter!(set_i64, asdf_node_set_i64, value: i64);
    setter!(set_f64, asdf_node_set_f64, value: f64);
    setter!(set_flag, asdf_node_set_bool, value: i32);
    setter!(
        /// Sets an empty sequence; 1 for one line.
        set_sequence, asdf_node_set_sequence, flow: i32
    );
    setter!(set_mapping, asdf_node_set_mapping, flow: i32);
    getter!(kind, asdf_node_kind, i32);
    getter!(node_type, asdf_node_type, i32);
    getter!(count, asdf_node_count, i64);
    getter!(get_bool, asdf_node_get_bool, i32);
    getter!(get_i64, asdf_node_get_i64, i64);
    getter!(get_f64, asdf_node_get_f64, f64);

    pub(crate) fn exists(&self, path: &str) -> bool {
        let Ok(path) = c_string(path) else { return false };
        let mut exists = 0;
        // SAFETY: the handle is alive, the path is a C string, and `exists` is writable.
        let status = unsafe { (self.functions.asdf_node_exists)(self.handle, path.as_ptr(), &mut exists) };
        status == 0 && exists != 0
    }

    pub(crate) fn get(&self, path: &str) -> Result<Node> {
        let path = c_string(path)?;
        // SAFETY: the handle is alive, the path is a C string, and `out` is writable.
        Node::make(self.functions, |out| unsafe { (self.functions.asdf_node_get)(self.handle, path.as_ptr(), out) })
    }

    pub(crate) fn item(&self, path: &str, index: i64) -> Result<Node> {
        let path = c_string(path)?;
        // SAFETY: as above.
        Node::make(self.functions, |out| unsafe {
            (self.functions.asdf_node_item)(self.handle, path.as_ptr(), index, out)
        })
    }

    /// Key of an item of a mapping.
    pub(crate) fn key(&self, index: i64) -> Result<String> {
        // SAFETY: the empty path is a C string.
        self.text(|node, buffer, capacity, needed| unsafe {
            (self.functions.asdf_node_key_string)(node, c"".as_ptr(), index, buffer, capacity, needed)
        })
    }

    /// Tag of the node; empty without one.
    pub(crate) fn tag(&self) -> String {
        // SAFETY: as above.
        self.text(|node, buffer, capacity, needed| unsafe {
            (self.functions.asdf_node_tag)(node, c"".as_ptr(), buffer, capacity, needed)
        })
        .unwrap_or_default()
    }

    /// Unit of a unit, a quantity or a column.
    pub(crate) fn unit(&self, path: &str) -> Result<String> {
        let path = c_string(path)?;
        // SAFETY: as above.
        self.text(|node, buffer, capacity, needed| unsafe {
            (self.functions.asdf_node_get_unit)(node, path.as_ptr(), buffer, capacity, needed)
        })
    }

    fn text(&self, read: impl Fn(Handle, *mut c_char, usize, *mut usize) -> Status) -> Result<String> {
        text(|buffer, capacity, needed| read(self.handle, buffer, capacity, needed))
            .map_err(|status| check(self.functions, status).err().unwrap_or_else(|| Failure::new(status, "no message")))
    }

    pub(crate) fn get_string(&self, path: &str) -> Result<String> {
        let path = c_string(path)?;
        // SAFETY: as above.
        let buffer = Buffer::make(self.functions, |out| unsafe {
            (self.functions.asdf_node_get_string_buffer)(self.handle, path.as_ptr(), out)
        })?;
        Ok(String::from_utf8_lossy(&buffer.copy()?).into_owned())
    }

    pub(crate) fn get_array(&self, path: &str) -> Result<Array> {
        let path = c_string(path)?;
        // SAFETY: as above.
        Array::make(self.functions, |out| unsafe {
            (self.functions.asdf_node_get_array)(self.handle, path.as_ptr(), out)
        })
    }

    pub(crate) fn get_wcs(&self, path: &str) -> Result<Wcs> {
        let path = c_string(path)?;
        // SAFETY: as above; NULL options are allowed.
        Wcs::make(self.functions, |out| unsafe {
            (self.functions.asdf_node_get_wcs)(self.handle, path.as_ptr(), null_mut(), out)
        })
    }

    /// Makes a node; its value is null until it is set.
    pub(crate) fn make_node(&self, path: &str) -> Result<Node> {
        let path = c_string(path)?;
        // SAFETY: as above.
        Node::make(self.functions, |out| unsafe { (self.functions.asdf_node_make)(self.handle, path.as_ptr(), out) })
    }

    pub(crate) fn set_string(&self, path: &str, value: &str) -> Result<()> {
        let path = c_string(path)?;
        // SAFETY: pointer and length are those of one text.
        check(self.functions, unsafe {
            (self.functions.asdf_node_set_string)(self.handle, path.as_ptr(), value.as_ptr().cast(), value.len())
        })
    }

    pub(crate) fn set_tag(&self, path: &str, tag: &str) -> Result<()> {
        let (path, tag) = (c_string(path)?, c_string(tag)?);
        // SAFETY: both are C strings.
        check(self.functions, unsafe { (self.functions.asdf_node_set_tag)(self.handle, path.as_ptr(), tag.as_ptr()) })
    }

    /// Sets an array of a scalar type, whose elements are copied.
    pub(crate) fn set_array(
        &self,
        path: &str,
        code: i32,
        shape: &[i64],
        elements: &[u8],
        options: Option<&Options>,
    ) -> Result<()> {
        let path = c_string(path)?;
        let options = options.map_or(null_mut(), |options| options.handle);
        // SAFETY: pointers and lengths belong together.
        check(self.functions, unsafe {
            (self.functions.asdf_node_set_array)(
                self.handle,
                path.as_ptr(),
                code,
                rank(shape)?,
                shape.as_ptr(),
                elements.as_ptr().cast(),
                elements.len(),
                options,
            )
        })
    }

    /// Sets an array whose elements are computed when the file is written, or read.
    pub(crate) fn set_elements(
        &self,
        path: &str,
        code: i32,
        shape: &[i64],
        elements: Box<dyn Elements>,
        options: Option<&Options>,
    ) -> Result<()> {
        let path = c_string(path)?;
        let options = options.map_or(null_mut(), |options| options.handle);
        let rank = rank(shape)?;
        let user: *mut c_void = Box::into_raw(Box::new(elements)).cast();
        // SAFETY: pointers and lengths belong together; the callbacks match the box in `user`.
        let status = unsafe {
            (self.functions.asdf_node_set_array_callback)(
                self.handle,
                path.as_ptr(),
                code,
                rank,
                shape.as_ptr(),
                read_elements,
                Some(close_elements),
                user,
                options,
            )
        };
        if status != 0 {
            // SAFETY: after a failure the core does not call `close_elements`.
            unsafe { close_elements(user) };
        }
        check(self.functions, status)
    }

    pub(crate) fn set_wcs_cards(&self, path: &str, cards: &[u8]) -> Result<()> {
        let path = c_string(path)?;
        // SAFETY: pointer and length belong together; NULL options are allowed.
        check(self.functions, unsafe {
            (self.functions.asdf_node_set_wcs_cards)(
                self.handle,
                path.as_ptr(),
                cards.as_ptr().cast(),
                cards.len(),
                null_mut(),
            )
        })
    }
}

fn rank(shape: &[i64]) -> Result<i32> {
    i32::try_from(shape.len()).map_err(|_| Failure::new(status::BAD_ARRAY, "too many axes"))
}

impl Buffer {
    fn copy(&self) -> Result<Vec<u8>> {
        let (mut bytes, mut size) = (null(), 0);
        // SAFETY: the handle is alive, and both outputs are writable.
        check(self.functions, unsafe { (self.functions.asdf_buffer_bytes)(self.handle, &mut bytes, &mut size) })?;
        if size == 0 {
            return Ok(Vec::new());
        }
        // SAFETY: the bytes live as long as the handle.
        Ok(unsafe { std::slice::from_raw_parts(bytes.cast::<u8>(), size) }.to_vec())
    }
}

impl Wcs {
    /// Number of pixels along each axis, the fastest first; empty if the WCS does not say.
    pub(crate) fn pixel_shape(&self) -> Vec<i64> {
        let (mut shape, mut count) = ([0_i64; 32], 0);
        // SAFETY: the buffer has room for 32 numbers.
        let status = unsafe { (self.functions.asdf_wcs_pixel_shape)(self.handle, shape.as_mut_ptr(), 32, &mut count) };
        if status == 0 { shape[..usize::try_from(count).unwrap_or(0).min(32)].to_vec() } else { Vec::new() }
    }

    /// Cards of 80 bytes that approximate the WCS, the last one is END.
    pub(crate) fn cards(&self) -> Result<Vec<u8>> {
        Buffer::make(self.functions, |out| unsafe {
            // SAFETY: the handle is alive, `out` is writable, and the other outputs may be NULL.
            (self.functions.asdf_wcs_make_cards)(self.handle, null_mut(), out, null_mut(), null_mut())
        })?
        .copy()
    }
}

impl Array {
    pub(crate) fn shape(&self) -> Result<Vec<i64>> {
        let (mut shape, mut rank) = ([0_i64; 64], 0);
        // SAFETY: the buffer has room for 64 numbers.
        check(self.functions, unsafe {
            (self.functions.asdf_array_shape)(self.handle, shape.as_mut_ptr(), 64, &mut rank)
        })?;
        Ok(shape[..usize::try_from(rank).unwrap_or(0).min(64)].to_vec())
    }

    /// Code of the datatype.
    pub(crate) fn code(&self) -> Result<i32> {
        let mut code = 0;
        // SAFETY: the handle is alive, and `code` is writable.
        check(self.functions, unsafe { (self.functions.asdf_array_datatype)(self.handle, &mut code) })?;
        Ok(code)
    }

    /// Size of an element in bytes.
    pub(crate) fn item_size(&self) -> Result<usize> {
        let datatype = self.datatype()?;
        let mut size = 0;
        // SAFETY: the handle is alive, and `size` is writable.
        check(self.functions, unsafe { (self.functions.asdf_datatype_item_size)(datatype.handle, &mut size) })?;
        Ok(size)
    }

    fn datatype(&self) -> Result<Datatype> {
        // SAFETY: the handle is alive, and `out` is writable.
        Datatype::make(self.functions, |out| unsafe { (self.functions.asdf_array_datatype_handle)(self.handle, out) })
    }

    /// Number of characters of a text.
    pub(crate) fn text_length(&self) -> Result<i64> {
        let datatype = self.datatype()?;
        let mut length = 0;
        // SAFETY: the handle is alive, and `length` is writable.
        check(self.functions, unsafe { (self.functions.asdf_datatype_string_length)(datatype.handle, &mut length) })?;
        Ok(length)
    }

    pub(crate) fn has_mask(&self) -> bool {
        let mut has_mask = 0;
        // SAFETY: the handle is alive, and the output is writable.
        (unsafe { (self.functions.asdf_array_has_mask)(self.handle, &mut has_mask) }) == 0 && has_mask != 0
    }

    /// Unit of the array; empty without one.
    pub(crate) fn unit(&self) -> String {
        // SAFETY: the function follows the rule of `text`.
        text(|buffer, capacity, needed| unsafe {
            (self.functions.asdf_array_unit)(self.handle, buffer, capacity, needed)
        })
        .unwrap_or_default()
    }

    /// Reads a region as a scalar type, or 0 for the stored type, in native byte order.
    pub(crate) fn read(
        &self,
        start: &[i64],
        count: &[i64],
        code: i32,
        elements: &mut [u8],
        mask: Option<&mut [u8]>,
    ) -> Result<()> {
        let (mask, mask_size) = mask.map_or((null_mut(), 0), |mask| (mask.as_mut_ptr(), mask.len()));
        // SAFETY: pointers and lengths belong together; a NULL step is allowed.
        check(self.functions, unsafe {
            (self.functions.asdf_array_read_region)(
                self.handle,
                rank(start)?,
                start.as_ptr(),
                count.as_ptr(),
                null(),
                code,
                null_mut(),
                elements.as_mut_ptr().cast(),
                elements.len(),
                mask,
                mask_size,
            )
        })
    }

    /// Calls a function with the stored bytes and whether they are big-endian, if they are one packed piece of an
    /// uncompressed block. Returns `None` otherwise.
    pub(crate) fn with_stored<T>(&self, item_size: usize, use_bytes: impl FnOnce(&[u8], bool) -> T) -> Option<T> {
        let shape = self.shape().ok()?;
        let mut order = 0;
        // SAFETY: the handle is alive, and `order` is writable.
        check(self.functions, unsafe { (self.functions.asdf_array_byte_order)(self.handle, &mut order) }).ok()?;
        // SAFETY: the handle is alive, NULL options are allowed, and `out` is writable.
        let view = View::make(self.functions, |out| unsafe {
            (self.functions.asdf_array_view_stored)(self.handle, null_mut(), out)
        })
        .ok()?;
        let (mut strides, mut rank) = ([0_i64; 64], 0);
        // SAFETY: the buffer has room for 64 numbers.
        check(self.functions, unsafe {
            (self.functions.asdf_view_strides)(view.handle, strides.as_mut_ptr(), 64, &mut rank)
        })
        .ok()?;
        let mut packed = i64::try_from(item_size).ok()?;
        for (&extent, &stride) in shape.iter().zip(&strides).rev() {
            if extent != 1 && stride != packed {
                return None;
            }
            packed = packed.checked_mul(extent)?;
        }
        let (mut bytes, mut size) = (null(), 0);
        // SAFETY: the handle is alive, and both outputs are writable.
        check(self.functions, unsafe { (self.functions.asdf_view_bytes)(view.handle, &mut bytes, &mut size) }).ok()?;
        if packed == 0 || i64::try_from(size).ok() != Some(packed) {
            return None;
        }
        // SAFETY: the bytes live as long as the view.
        Some(use_bytes(unsafe { std::slice::from_raw_parts(bytes.cast::<u8>(), size) }, order == 1))
    }
}

/// Reads an option of the caller, which is 0 or 1. Fails for options that are no handle of options.
pub(crate) fn flag_option(options: Handle, key: i32, default: bool) -> Result<bool> {
    if options.is_null() {
        return Ok(default);
    }
    let functions = core()?;
    let mut value = 0;
    // SAFETY: the core checks the handle, and `value` is writable.
    let status = unsafe { (functions.asdf_options_get_int)(options, key, &mut value) };
    if status == status::NOT_FOUND {
        return Ok(default);
    }
    check(functions, status)?;
    Ok(value != 0)
}

/// Spellings of units.
pub(crate) const SPELLING_VOUNIT: i32 = 1;
/// The spelling of FITS.
pub(crate) const SPELLING_FITS: i32 = 2;

/// Prints a unit in another spelling.
pub(crate) fn respell_unit(unit: &str, from: i32, to: i32) -> Option<String> {
    let functions = core().ok()?;
    let unit = c_string(unit).ok()?;
    // SAFETY: the unit is a C string, and the function follows the rule of `text`.
    text(|buffer, capacity, needed| unsafe {
        (functions.asdf_unit_format)(unit.as_ptr(), from, to, buffer, capacity, needed)
    })
    .ok()
}
