//! Files: opening, making, closing, owning, and what a whole file tells of itself. Writing and blocks stand elsewhere.
//!
//! # Files
//!
//! Opening reads the tree alone; blocks are touched when they are asked for. A file opened for reading is not changed;
//! a new one is filled by setting nodes (below) and then written.
//!
//! ```c
//! asdf_file *file = NULL;
//! if (asdf_file_open("image.asdf", NULL, &file) != ASDF_OK) return report();
//! asdf_report *warnings = NULL;
//! if (asdf_file_report(file, &warnings) == ASDF_OK) print_report(warnings);   // see Reports
//! asdf_report_free(warnings);
//! asdf_file_free(file);
//! ```

use super::options::{new_options, open_options};
use crate::ffi::boundary::arguments::{element, file_size};
use crate::ffi::boundary::guard::{guard, guard_handle, guard_retain, guard_silently, take_left_failure};
use crate::ffi::boundary::handle::Class;
use crate::ffi::boundary::handle::null_pointer;
use crate::ffi::options::taken::take;

use crate::ffi::boundary::lent::asdf_release_callback;
use crate::ffi::boundary::status::asdf_status;
use crate::ffi::boundary::types::{asdf_file, asdf_node, asdf_options, asdf_report};
use crate::ffi::file::lent::{CallbackSource, duplicate};
use crate::file::File;
use std::ffi::{c_char, c_void};
use std::sync::Arc;

impl Class for asdf_file {
    const TAG: u32 = u32::from_be_bytes(*b"FILE");
    const NAME: &'static str = "asdf_file";
    type Value = File;

    fn file(file: &File) -> Option<usize> {
        Some(file.family_number())
    }
}

/// Gives bytes of a source that the program implements.
///
/// It is called inside the call that needs the bytes, on the thread of that call, also if the call uses several threads.
/// A file that is used on several threads may call it on several at once. It must not throw, longjmp, or use the file or
/// the reader (see Callbacks above).
///
/// @param user   what was given with the callback
/// @param offset position of the first byte
/// @param buffer gets the bytes
/// @param size   bytes to get, at least 1; never reaching beyond the length of the source
/// @param got    gets how many there are in the buffer: at least 1; if fewer than size, the rest is asked for again
/// @return ASDF_OK, or any other number for failure: the call that needed the bytes fails with ASDF_ERR_CALLBACK
pub type asdf_read_callback = Option<
    unsafe extern "C" fn(
        user: *mut c_void,
        offset: i64,
        buffer: *mut c_void,
        size: usize,
        got: *mut usize,
    ) -> asdf_status,
>;

/// Releases what other callbacks use. It is called once, when nothing needs them any more, on the thread of the call
/// that ends their last use:
///
/// - of a source: asdf_file_close(), or the _free function of the last handle that hangs on the file or is the reader
/// - of the elements of an array: as asdf_release_callback
/// - of a codec or a resolver: the _free function of the last codec, options, file, node, array or reader that uses it,
///   or the call that unsets or replaces it in the last options
///
/// It must not throw, longjmp or use the file (see Callbacks above). In a child of the process that gave the callback it
/// is never called.
///
/// @param user what was given with the callback
/// @return ASDF_OK, or any other number for failure, which asdf_file_close() reports and other calls ignore
pub type asdf_close_callback = Option<unsafe extern "C" fn(user: *mut c_void) -> asdf_status>;

/// Opens a file for reading.
///
/// @param path    name of the file. Where the system allows other bytes than UTF-8 in names, they are taken as they are
/// @param options how to open it, or NULL
/// @param file    gets the file; NULL on failure. Missing, it is ASDF_ERR_FILE_NOT_FOUND; not ASDF, ASDF_ERR_NOT_ASDF
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_file_open(
    path: *const c_char,
    options: *const asdf_options,
    file: *mut *mut asdf_file,
) -> asdf_status {
    guard_handle(file, "file", |caller| {
        let options = open_options(&take(caller, options, "asdf_file_open")?)?;
        File::open(caller.file_name(path, "path")?, &options)
    })
}

/// Opens a file to change it: its nodes can be set and removed, and arrays added, until asdf_file_save(). The file
/// itself is not touched before that.
///
/// @param path    name of the file; one that may not be written is ASDF_ERR_PERMISSION_DENIED, and one that another
///                handle has open for update, here or in another process, ASDF_ERR_LOCKED (see
///                ASDF_OPTION_LOCK)
/// @param options how to open it, or NULL
/// @param file    gets the file; NULL on failure
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_file_open_for_update(
    path: *const c_char,
    options: *const asdf_options,
    file: *mut *mut asdf_file,
) -> asdf_status {
    guard_handle(file, "file", |caller| {
        let options = open_options(&take(caller, options, "asdf_file_open_for_update")?)?;
        File::open_for_update(caller.file_name(path, "path")?, &options)
    })
}

/// Opens a file that is in memory. The bytes are copied.
///
/// @param bytes   the file
/// @param size    number of bytes
/// @param options how to open it, or NULL
/// @param file    gets the file; NULL on failure
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_file_open_memory(
    bytes: *const c_void,
    size: usize,
    options: *const asdf_options,
    file: *mut *mut asdf_file,
) -> asdf_status {
    guard_handle(file, "file", |caller| {
        let options = open_options(&take(caller, options, "asdf_file_open_memory")?)?;
        File::open_memory(caller.copied_bytes(bytes, size, "bytes")?, &options)
    })
}

/// Opens a file that is in memory which the program lends.
///
/// @param bytes   the file. It must stay valid and unchanged until it is released
/// @param size    number of bytes
/// @param release called with user once, when the file and all that hangs on it, views included, are freed: from the
///                call that frees the last of them, on its thread. NULL for none. If this call fails, it is not called
/// @param user    given to release; may be NULL
/// @param options how to open it, or NULL
/// @param file    gets the file; NULL on failure
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_file_open_borrowed(
    bytes: *const c_void,
    size: usize,
    release: asdf_release_callback,
    user: *mut c_void,
    options: *const asdf_options,
    file: *mut *mut asdf_file,
) -> asdf_status {
    guard_handle(file, "file", |caller| {
        let options = open_options(&take(caller, options, "asdf_file_open_borrowed")?)?;
        caller.lend(bytes, size, (release, user), "bytes", |bytes| File::open_memory(bytes, &options))
    })
}

/// Opens the file behind a descriptor, from its first byte on. The descriptor is duplicated: yours stays open, and
/// where it stands in the file does not matter. It must be that of a regular file.
///
/// @param descriptor file descriptor, open for reading
/// @param options    how to open it, or NULL
/// @param file       gets the file; NULL on failure
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_file_open_descriptor(
    descriptor: i32,
    options: *const asdf_options,
    file: *mut *mut asdf_file,
) -> asdf_status {
    guard_handle(file, "file", |caller| {
        let options = open_options(&take(caller, options, "asdf_file_open_descriptor")?)?;
        File::open_descriptor(duplicate(descriptor)?, &options)
    })
}

/// Opens a file whose bytes the program gives.
///
/// @param read    gives bytes
/// @param close   releases what `read` reads from; NULL for none. If this call fails, it is not called
/// @param user    given to the callbacks; may be NULL
/// @param length  bytes of the source; a negative number is ASDF_ERR_INVALID_ARGUMENT
/// @param options how to open it, or NULL
/// @param file    gets the file; NULL on failure
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_file_open_source(
    read: asdf_read_callback,
    close: asdf_close_callback,
    user: *mut c_void,
    length: i64,
    options: *const asdf_options,
    file: *mut *mut asdf_file,
) -> asdf_status {
    guard_handle(file, "file", |caller| {
        let options = open_options(&take(caller, options, "asdf_file_open_source")?)?;
        if read.is_none() {
            return Err(null_pointer("read"));
        }
        let source = Arc::new(CallbackSource::new(read, close, user, file_size(length, "length")?));
        let opened = File::open_source(source.clone(), &options)?;
        source.own();
        Ok(opened)
    })
}

/// Makes a new file, whose tree holds the name of this library and nothing else.
///
/// @param options how to make it, or NULL
/// @param file    gets the file; NULL on failure
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_file_new(options: *const asdf_options, file: *mut *mut asdf_file) -> asdf_status {
    guard_handle(file, "file", |caller| {
        let options = new_options(&take(caller, options, "asdf_file_new")?)?;
        Ok(File::new(&options))
    })
}

/// Gives the root of the tree.
///
/// @param file the file
/// @param root gets the root; NULL on failure
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_file_root(file: *const asdf_file, root: *mut *mut asdf_node) -> asdf_status {
    guard_handle(root, "root", |caller| caller.handle(file, "file")?.root())
}

/// Closes a file at once, although nodes and arrays still hang on it: they answer ASDF_ERR_CLOSED from then on, views
/// stay valid. Closing twice is allowed. The handle is still to be freed.
///
/// @param file the file
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_file_close(file: *mut asdf_file) -> asdf_status {
    guard(|caller| {
        let file = caller.handle(file, "file")?;
        take_left_failure();
        file.close();
        take_left_failure().map_or(Ok(()), Err)
    })
}

/// Gives another owner of a file.
///
/// @param file    the file
/// @param another gets the owner, to be freed as well; NULL on failure
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_file_retain(file: *const asdf_file, another: *mut *mut asdf_file) -> asdf_status {
    guard_retain(file, "file", another)
}

/// Gives up a file. What hangs on it keeps it open.
///
/// @param file the file, or NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_file_free(file: *mut asdf_file) {
    guard_silently(|caller| caller.release(file));
}

/// The name that the file was opened by; empty if it was not opened by name.
///
/// @param file     the file
/// @param buffer   gets the name; bytes that are not UTF-8 are replaced
/// @param capacity bytes of the buffer
/// @param needed   gets the length of the name; may be NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_file_name(
    file: *const asdf_file,
    buffer: *mut c_char,
    capacity: usize,
    needed: *mut usize,
) -> asdf_status {
    guard(|caller| {
        let out = caller.text_out(buffer, capacity, needed)?;
        out.put(caller.handle(file, "file")?.name().unwrap_or_default())
    })
}

/// The version of the file format in the first line of the file: "1.0.0".
///
/// @param file     the file
/// @param buffer   gets the version
/// @param capacity bytes of the buffer
/// @param needed   gets the length of the version; may be NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_file_format_version(
    file: *const asdf_file,
    buffer: *mut c_char,
    capacity: usize,
    needed: *mut usize,
) -> asdf_status {
    guard(|caller| {
        let out = caller.text_out(buffer, capacity, needed)?;
        out.put(caller.handle(file, "file")?.format_version())
    })
}

/// The version of the ASDF standard that the file is read or written by: one that the library knows.
///
/// @param file     the file
/// @param buffer   gets the version, such as "1.6.0"
/// @param capacity bytes of the buffer
/// @param needed   gets the length of the version; may be NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_file_standard(
    file: *const asdf_file,
    buffer: *mut c_char,
    capacity: usize,
    needed: *mut usize,
) -> asdf_status {
    guard(|caller| {
        let out = caller.text_out(buffer, capacity, needed)?;
        out.put(caller.handle(file, "file")?.standard().effective.as_str())
    })
}

/// The version of the ASDF standard as the file declares it, known to the library or not; empty if it declares none.
///
/// @param file     the file
/// @param buffer   gets the version
/// @param capacity bytes of the buffer
/// @param needed   gets the length of the version; may be NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_file_declared_standard(
    file: *const asdf_file,
    buffer: *mut c_char,
    capacity: usize,
    needed: *mut usize,
) -> asdf_status {
    guard(|caller| {
        let out = caller.text_out(buffer, capacity, needed)?;
        out.put(caller.handle(file, "file")?.standard().declared.as_deref().unwrap_or_default())
    })
}

/// The number of comment lines before the tree of a file that was read, the line that declares the standard among
/// them; or of those added to a new file.
///
/// @param file  the file
/// @param count gets the number
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_file_comment_count(file: *const asdf_file, count: *mut i64) -> asdf_status {
    guard(|caller| {
        let count = caller.out(count, "count")?;
        count.put_number(caller.handle(file, "file")?.comments()?.len() as u64);
        Ok(())
    })
}

/// A comment line before the tree, without its "#" and the blanks around.
///
/// @param file     the file
/// @param index    which one, from 0; outside is ASDF_ERR_OUT_OF_RANGE
/// @param buffer   gets the comment
/// @param capacity bytes of the buffer
/// @param needed   gets the length of the comment; may be NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_file_comment(
    file: *const asdf_file,
    index: i64,
    buffer: *mut c_char,
    capacity: usize,
    needed: *mut usize,
) -> asdf_status {
    guard(|caller| {
        let out = caller.text_out(buffer, capacity, needed)?;
        out.put(element(&caller.handle(file, "file")?.comments()?, index, "comment")?)
    })
}

/// Adds a comment line to a new file.
///
/// @param file   the file
/// @param text   the comment: UTF-8 without line breaks, not beginning with ASDF_STANDARD; else
///               ASDF_ERR_INVALID_ARGUMENT
/// @param length its length in bytes
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_file_add_comment(
    file: *mut asdf_file,
    text: *const c_char,
    length: usize,
) -> asdf_status {
    guard(|caller| {
        let file = caller.handle(file, "file")?;
        file.add_comment(caller.string(text, length, "text")?)
    })
}

/// Reports the warnings of a file so far: things that a reader should know, although the file can be read. Reading
/// blocks can add more; asdf_file_check_blocks() looks at all block headers.
///
/// @param file   the file
/// @param report gets the warnings, none if nothing was noticed; NULL on failure
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_file_report(file: *const asdf_file, report: *mut *mut asdf_report) -> asdf_status {
    guard_handle(report, "report", |caller| Ok(caller.handle(file, "file")?.report()))
}
