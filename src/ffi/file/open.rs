//! Files: open, create, close, free, and properties of the whole file. Writing and blocks are in other files.
//!
//! # Files
//!
//! Opening a file reads its tree only; blocks are read when a call needs them. A file opened for reading cannot be
//! changed. A new file is filled with the setters of nodes (see Setting values) and then written.
//!
//! A file that is compressed as a whole by gzip, bzip2, xz or Zstandard is decompressed when it is opened: into memory
//! of at most ASDF_OPTION_LIMIT_DECODED_BYTES, or else into a temporary file. Its offsets count decompressed bytes. It
//! cannot be opened for update.
//!
//! A FITS file with an ASDF HDU is opened like the ASDF file in it, for reading or for update. Its arrays can be the
//! data of other HDUs. Byte offsets count from the start of the FITS file, those in errors about blocks from the start
//! of the ASDF file.
//!
//! ```c
//! asdf_file *file = NULL;
//! if (asdf_file_open("image.asdf", NULL, &file) != ASDF_OK) return report();
//! asdf_report *warnings = NULL;
//! if (asdf_file_report(file, &warnings) == ASDF_OK) print_report(warnings);   // see Reports
//! asdf_report_free(warnings);
//! asdf_file_free(file);
//! ```

use super::callbacks::{
    CallbackSource, RangesSource, asdf_close_callback, asdf_read_callback, asdf_read_ranges_callback,
};
use super::descriptor::duplicate;
use super::options::{new_options, open_options};
use crate::ffi::boundary::arguments::{element, file_size};
use crate::ffi::boundary::guard::{guard, guard_cleanup, guard_handle, guard_retain, guard_silently};
use crate::ffi::boundary::handle::Class;
use crate::ffi::boundary::handle::null_pointer;
use crate::ffi::boundary::thread::take_unreturned_error;
use crate::ffi::options::taken::take;

use crate::ffi::boundary::lent::asdf_release_callback;
use crate::ffi::boundary::status::asdf_status;
use crate::ffi::boundary::types::{asdf_file, asdf_node, asdf_options, asdf_report};
use crate::file::File;
use crate::source::LOCAL_COST;
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

/// Opens a file for reading.
///
/// A URL that begins with http, https, s3, gs or az names a file on a server, which the library libasdfkit_remote reads.
/// It is loaded when the first URL is opened. ASDF_OPTION_REMOTE names its file.
///
/// @param path    name of the file; any bytes where the system allows names that are not UTF-8
/// @param options options, or NULL for the defaults
/// @param file    gets the file; NULL on failure. ASDF_ERR_FILE_NOT_FOUND if it does not exist; ASDF_ERR_NOT_ASDF if it
///                is not an ASDF file; ASDF_ERR_UNSUPPORTED for a URL without libasdfkit_remote
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_file_open(
    path: *const c_char,
    options: *const asdf_options,
    file: *mut *mut asdf_file,
) -> asdf_status {
    guard_handle(file, "file", |caller| {
        let options = open_options(&take(caller, options, "asdf_file_open")?)?;
        File::open_with(caller.file_name(path, "path")?, &options)
    })
}

/// Opens a file to change it: nodes can be set and removed, and arrays can be added. The file on disk does not change
/// before asdf_file_save(); only asdf_array_write_region() writes to it earlier.
///
/// @param path    name of the file; ASDF_ERR_PERMISSION_DENIED if it is not writable; ASDF_ERR_LOCKED if another
///                handle, in this process or another, has it open for update (see ASDF_OPTION_LOCK);
///                ASDF_ERR_UNSUPPORTED if it is compressed as a whole
/// @param options options, or NULL for the defaults
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

/// Opens a file in memory to change it, as asdf_file_open_for_update() does. The bytes are copied. The changed file is
/// written by asdf_file_write_memory(), asdf_file_write() or asdf_file_write_descriptor(); asdf_file_save() is
/// ASDF_ERR_INVALID_ARGUMENT, because the file has no name. So is asdf_array_write_region() on a stored array, which
/// asdf_node_set_array() replaces.
///
/// @param bytes   the file
/// @param size    number of bytes
/// @param options options, or NULL for the defaults
/// @param file    gets the file; NULL on failure
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_file_open_memory_for_update(
    bytes: *const c_void,
    size: usize,
    options: *const asdf_options,
    file: *mut *mut asdf_file,
) -> asdf_status {
    guard_handle(file, "file", |caller| {
        let options = open_options(&take(caller, options, "asdf_file_open_memory_for_update")?)?;
        File::open_memory_for_update(caller.copied_bytes(bytes, size, "bytes")?, &options)
    })
}

/// Opens the regular file behind a descriptor to change it. On Linux, if the file has a name, this is the same as
/// asdf_file_open_for_update() with this name. A file without a name, and any file on other systems, is written as one
/// of asdf_file_open_memory_for_update(). The descriptor is duplicated and stays open.
///
/// @param descriptor file descriptor, open for reading
/// @param options    options, or NULL for the defaults
/// @param file       gets the file; NULL on failure
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_file_open_descriptor_for_update(
    descriptor: i32,
    options: *const asdf_options,
    file: *mut *mut asdf_file,
) -> asdf_status {
    guard_handle(file, "file", |caller| {
        let options = open_options(&take(caller, options, "asdf_file_open_descriptor_for_update")?)?;
        File::open_descriptor_for_update(duplicate(descriptor)?, &options)
    })
}

/// Opens a file in memory. The bytes are copied.
///
/// @param bytes   the file
/// @param size    number of bytes
/// @param options options, or NULL for the defaults
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

/// Opens a file in memory that the program lends; the bytes are not copied.
///
/// @param bytes   bytes of the file. They must stay valid and unchanged until release is called
/// @param size    number of bytes
/// @param release called once with user, on the thread of the call that ends the last use of the bytes: the _free
///                function of the file or of a handle that depends on it (including views), or asdf_file_close() if no
///                view is left. NULL for none. It is not called if this call fails
/// @param user    pointer passed to release; may be NULL
/// @param options options, or NULL for the defaults
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

/// Opens the regular file behind a descriptor, from its first byte on; the position of the descriptor does not matter.
/// The descriptor is duplicated and stays open.
///
/// @param descriptor file descriptor, open for reading
/// @param options    options, or NULL for the defaults
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

/// Opens a file whose bytes a callback of the program reads.
///
/// @param read    reads bytes of the source
/// @param close   closes the source; NULL for none. It is not called if this call fails
/// @param user    pointer passed to the callbacks; may be NULL
/// @param length  size of the source in bytes; ASDF_ERR_INVALID_ARGUMENT if negative
/// @param options options, or NULL for the defaults
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

/// Opens a file whose bytes a callback of the program reads in ranges: one call for all ranges that the library needs
/// next. Ranges with a gap that costs less than a request are joined.
///
/// If a request costs more than 12 KiB, the first call asks for the first MiB and the last 64 KiB; this opens most
/// files. Reads that go on from there ask for twice as much each time, at most 4 MiB before it is needed.
///
/// ```c
/// // bytes_of_server() has the type asdf_read_ranges_callback
/// asdf_file_open_ranges(bytes_of_server, NULL, &server, size, 1 << 20, "https://example.org/image.asdf", NULL, &file);
/// ```
///
/// @param read         reads ranges of the source
/// @param close        closes the source; NULL for none. It is not called if this call fails
/// @param user         pointer passed to the callbacks; may be NULL
/// @param length       size of the source in bytes; ASDF_ERR_INVALID_ARGUMENT if negative
/// @param request_cost cost of a request in bytes: reading so many bytes takes as long. 0 for that of a local file,
///                     12 KiB; about 1 MiB for a server. ASDF_ERR_INVALID_ARGUMENT if negative
/// @param uri          absolute URI of the source, which is the name of the file and the base of relative URIs in it;
///                     ASDF_ERR_INVALID_ARGUMENT if it is relative. NULL for none
/// @param options      options, or NULL for the defaults
/// @param file         gets the file; NULL on failure
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_file_open_ranges(
    read: asdf_read_ranges_callback,
    close: asdf_close_callback,
    user: *mut c_void,
    length: i64,
    request_cost: i64,
    uri: *const c_char,
    options: *const asdf_options,
    file: *mut *mut asdf_file,
) -> asdf_status {
    guard_handle(file, "file", |caller| {
        let options = open_options(&take(caller, options, "asdf_file_open_ranges")?)?;
        if read.is_none() {
            return Err(null_pointer("read"));
        }
        let uri = if uri.is_null() { None } else { Some(caller.text(uri, "uri")?) };
        let cost = file_size(request_cost, "request_cost")?.max(LOCAL_COST);
        let source = Arc::new(RangesSource::new(read, close, user, file_size(length, "length")?, cost));
        let opened = match uri {
            Some(uri) => File::open_source_at(source.clone(), uri, &options)?,
            None => File::open_source(source.clone(), &options)?,
        };
        source.own();
        Ok(opened)
    })
}

/// Gets how much was asked for from the sources of the program so far: those of asdf_file_open_source() and
/// asdf_file_open_ranges(), and of the files that this file refers to and a resolver opened. Other files have none.
///
/// @param file     the file
/// @param requests gets the number of calls of asdf_read_ranges_callback, and of reads by asdf_read_callback; may be
///                 NULL
/// @param bytes    gets the number of bytes asked for, including bytes that were read ahead; may be NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_file_transfers(
    file: *const asdf_file,
    requests: *mut i64,
    bytes: *mut i64,
) -> asdf_status {
    guard(|caller| {
        let (requests, bytes) = (caller.optional_out(requests), caller.optional_out(bytes));
        let transfers = caller.handle(file, "file")?.transfers();
        let count = |number: u64| i64::try_from(number).unwrap_or(i64::MAX);
        requests.put(count(transfers.requests));
        bytes.put(count(transfers.bytes));
        Ok(())
    })
}

/// Creates a new file. Its tree contains only the name of this library.
///
/// @param options options, or NULL for the defaults
/// @param file    gets the file; NULL on failure
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_file_new(options: *const asdf_options, file: *mut *mut asdf_file) -> asdf_status {
    guard_handle(file, "file", |caller| {
        let options = new_options(&take(caller, options, "asdf_file_new")?)?;
        Ok(File::new(&options))
    })
}

/// Gets the root of the tree.
///
/// @param file the file
/// @param root gets the root; NULL on failure
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_file_root(file: *const asdf_file, root: *mut *mut asdf_node) -> asdf_status {
    guard_handle(root, "root", |caller| caller.handle(file, "file")?.root())
}

/// Closes a file immediately, even if nodes and arrays of it exist, together with the other files that were opened
/// because it refers to them. Calls with these nodes and arrays then fail with ASDF_ERR_CLOSED; views stay valid.
/// Closing a file twice is allowed. The handle must still be freed.
///
/// @param file the file
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_file_close(file: *mut asdf_file) -> asdf_status {
    guard_cleanup(|caller| {
        let file = caller.handle(file, "file")?;
        take_unreturned_error();
        file.close();
        take_unreturned_error().map_or(Ok(()), Err)
    })
}

/// Adds an owner to a file.
///
/// @param file    the file
/// @param another gets another handle of the same object, to be freed as well; NULL on failure
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_file_retain(file: *const asdf_file, another: *mut *mut asdf_file) -> asdf_status {
    guard_retain(file, "file", another)
}

/// Gives up one owner of a file. Nodes, arrays and other handles of the file keep it open.
///
/// @param file the file, or NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_file_free(file: *mut asdf_file) {
    guard_silently(|caller| caller.release(file));
}

/// Gets the name under which the file was opened; empty if it was not opened by name.
///
/// @param file     the file
/// @param buffer   gets the name; bytes that are not UTF-8 are replaced by U+FFFD
/// @param capacity size of the buffer in bytes
/// @param needed   gets its length in bytes, without the final NUL; may be NULL
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

/// Gets the version of the file format in the first line of the file: "1.0.0".
///
/// @param file     the file
/// @param buffer   gets the version
/// @param capacity size of the buffer in bytes
/// @param needed   gets its length in bytes, without the final NUL; may be NULL
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

/// Gets the version of the ASDF standard that the library uses to read or write the file.
///
/// @param file     the file
/// @param buffer   gets the version, such as "1.6.0"
/// @param capacity size of the buffer in bytes
/// @param needed   gets its length in bytes, without the final NUL; may be NULL
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

/// Gets the version of the ASDF standard that the file declares; empty if it declares none. The library may not know
/// this version.
///
/// @param file     the file
/// @param buffer   gets the version
/// @param capacity size of the buffer in bytes
/// @param needed   gets its length in bytes, without the final NUL; may be NULL
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

/// Gets the number of comment lines before the tree. For a file that was read this includes the line that declares the
/// standard; for a new file it is the number of added comments.
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

/// Gets a comment line before the tree, without its "#" and surrounding blanks.
///
/// @param file     the file
/// @param index    its number, from 0; ASDF_ERR_OUT_OF_RANGE if there is none
/// @param buffer   gets the comment
/// @param capacity size of the buffer in bytes
/// @param needed   gets its length in bytes, without the final NUL; may be NULL
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
/// @param text   comment in UTF-8; ASDF_ERR_INVALID_ARGUMENT if it has line breaks or begins with ASDF_STANDARD
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

/// Gets the warnings of a file so far: irregularities that do not prevent reading. Reading blocks can add warnings;
/// asdf_file_check_blocks() checks all block headers.
///
/// @param file   the file
/// @param report gets the warnings, possibly none; NULL on failure
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_file_report(file: *const asdf_file, report: *mut *mut asdf_report) -> asdf_status {
    guard_handle(report, "report", |caller| Ok(caller.handle(file, "file")?.report()))
}
