//! The C interface: checks arguments, and turns failures into statuses.

#![allow(unsafe_code)]

use std::ffi::{CStr, CString, c_char, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::atomic::Ordering::Relaxed;

use crate::core::{self, Close, Handle, ReadRanges, Status};
use crate::failure::{Failure, Result, last_message, status};
use crate::object::{Object, Wanted};
use crate::settings::Settings;
use crate::statistics::{BYTES, CACHED, REQUESTS};

/// Number of this interface, which a changed or removed function raises.
const ABI: i32 = 1;

/// Key of the option of the core with the settings.
const REMOTE_SETTINGS: i32 = 114;

/// Runs a function, and keeps the message of its failure.
fn guard(call: impl FnOnce() -> Result<()>) -> Status {
    let result = catch_unwind(AssertUnwindSafe(call))
        .unwrap_or_else(|_| Err(Failure::new(status::INTERNAL, "a fault of libasdfkit_remote")));
    match result {
        Ok(()) => 0,
        Err(failure) => {
            failure.keep();
            failure.status
        }
    }
}

/// Makes the last failure of this thread that of the core, too.
fn told(status: Status) -> Status {
    if status != 0
        && let Ok(functions) = core::core()
    {
        let message = last_message();
        // SAFETY: the message has this length.
        unsafe { (functions.asdf_error_set)(status, message.as_ptr().cast(), message.len()) };
    }
    status
}

/// Reads a text.
///
/// # Safety
/// The pointer is NULL or a C string.
unsafe fn text<'a>(text: *const c_char, name: &str) -> Result<&'a str> {
    if text.is_null() {
        return Err(Failure::new(status::NULL_POINTER, format!("{name} is NULL")));
    }
    // SAFETY: the caller passes a C string.
    let text = unsafe { CStr::from_ptr(text) };
    text.to_str().map_err(|_| Failure::new(status::INVALID_ARGUMENT, format!("{name} is not UTF-8")))
}

/// Writes a text by the rule of `snprintf`.
///
/// # Safety
/// `buffer` has room for `capacity` bytes, and `needed` is NULL or writable.
unsafe fn write_text(text: &str, buffer: *mut c_char, capacity: usize, needed: *mut usize) -> Status {
    if !needed.is_null() {
        // SAFETY: the caller passes a writable pointer.
        unsafe { needed.write(text.len()) };
    }
    if buffer.is_null() && capacity > 0 {
        return status::NULL_POINTER;
    }
    if capacity <= text.len() {
        return status::BUFFER_TOO_SMALL;
    }
    // SAFETY: the buffer has room for the text and a NUL.
    unsafe {
        std::ptr::copy_nonoverlapping(text.as_ptr(), buffer.cast::<u8>(), text.len());
        buffer.add(text.len()).write(0);
    }
    0
}

/// Returns the number of this interface.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn asdf_remote_abi() -> i32 {
    ABI
}

/// Finds the core. See the header.
///
/// # Safety
/// As the header says.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn asdf_remote_load(core_path: *const c_char) -> Status {
    guard(|| {
        // SAFETY: the caller passes NULL or a C string.
        let place = if core_path.is_null() { None } else { Some(Path::new(unsafe { text(core_path, "core_path") }?)) };
        core::load(place).map(|_| ())
    })
}

/// Returns the last message of this thread. See the header.
///
/// # Safety
/// As the header says.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn asdf_remote_message(
    buffer: *mut c_char,
    capacity: usize,
    needed: *mut usize,
) -> Status {
    let message = core::load_message();
    let message = if message.is_empty() { last_message() } else { message };
    // SAFETY: the caller passes a buffer of this capacity.
    unsafe { write_text(&message, buffer, capacity, needed) }
}

/// Reads ranges for a core that is found in the process: `asdf_read_ranges_callback`.
unsafe extern "C" fn read_for_core(
    user: *mut c_void,
    count: usize,
    offsets: *const i64,
    sizes: *const usize,
    buffers: *const *mut c_void,
) -> Status {
    // SAFETY: as the caller says.
    told(unsafe { read(user, count, offsets, sizes, buffers) })
}

/// Reads ranges: `asdf_read_ranges_callback`.
unsafe extern "C" fn read(
    user: *mut c_void,
    count: usize,
    offsets: *const i64,
    sizes: *const usize,
    buffers: *const *mut c_void,
) -> Status {
    guard(|| {
        // SAFETY: the core passes the object that it got, and `count` elements.
        let (object, offsets, sizes, buffers) = unsafe {
            (
                &*user.cast::<Object>(),
                std::slice::from_raw_parts(offsets, count),
                std::slice::from_raw_parts(sizes, count),
                std::slice::from_raw_parts(buffers, count),
            )
        };
        let mut wanted: Vec<Wanted> = Vec::with_capacity(count);
        for ((&offset, &size), &buffer) in offsets.iter().zip(sizes).zip(buffers) {
            let offset = u64::try_from(offset)
                .map_err(|_| Failure::new(status::INVALID_ARGUMENT, "the offset of a range is negative"))?;
            // SAFETY: the core passes memory of this size, which does not overlap that of another range.
            wanted.push((offset, unsafe { std::slice::from_raw_parts_mut(buffer.cast::<u8>(), size) }));
        }
        object.read(wanted)
    })
}

/// Frees an object: `asdf_close_callback`.
unsafe extern "C" fn close(user: *mut c_void) -> Status {
    guard(|| {
        // SAFETY: the core passes the object that it got, once.
        drop(unsafe { Box::from_raw(user.cast::<Object>()) });
        Ok(())
    })
}

/// Opens an object for any core. See the header.
///
/// # Safety
/// As the header says.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn asdf_remote_connect(
    url: *const c_char,
    settings: *const c_char,
    read_ranges: *mut Option<ReadRanges>,
    close_source: *mut Option<Close>,
    source: *mut *mut c_void,
    length: *mut i64,
    request_cost: *mut i64,
) -> Status {
    guard(|| {
        let outputs = [read_ranges.is_null(), close_source.is_null(), source.is_null(), length.is_null()];
        if outputs.contains(&true) || request_cost.is_null() {
            return Err(Failure::new(status::NULL_POINTER, "an output is NULL"));
        }
        // SAFETY: the caller passes a C string, and NULL or another one.
        let (url, settings) =
            unsafe { (text(url, "url")?, if settings.is_null() { "" } else { text(settings, "settings")? }) };
        let object = Object::open(url, Settings::parse(settings)?)?;
        let (size, cost) = (whole(object.size()), whole(object.request_cost()));
        // SAFETY: the caller passes writable pointers.
        unsafe {
            read_ranges.write(Some(read));
            close_source.write(Some(close));
            source.write(Box::into_raw(Box::new(object)).cast());
            length.write(size);
            request_cost.write(cost);
        }
        Ok(())
    })
}

fn whole(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// Opens a file. See the header.
///
/// # Safety
/// As the header says.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn asdf_remote_open(url: *const c_char, options: Handle, file: *mut Handle) -> Status {
    let mut of_core = 0;
    let opened = guard(|| {
        let functions = core::core()?;
        if file.is_null() {
            return Err(Failure::new(status::NULL_POINTER, "file is NULL"));
        }
        // SAFETY: the caller passes a writable pointer and a C string.
        let url = unsafe {
            file.write(std::ptr::null_mut());
            text(url, "url")?
        };
        let settings = settings_of(options)?;
        let object = Object::open(url, Settings::parse(&settings)?)?;
        let (size, cost) = (whole(object.size()), whole(object.request_cost()));
        let name = CString::new(object.name())
            .map_err(|_| Failure::new(status::INVALID_ARGUMENT, "the URL contains a NUL"))?;
        let object = Box::into_raw(Box::new(object));
        // SAFETY: the callbacks take the object, and the core checks the options.
        unsafe {
            let made = functions.asdf_file_open_ranges;
            of_core = made(read_for_core, Some(close), object.cast(), size, cost, name.as_ptr(), options, file);
            if of_core != 0 {
                drop(Box::from_raw(object));
            }
        }
        Ok(())
    });
    if opened == 0 { of_core } else { told(opened) }
}

/// Reads the settings from options of the core.
fn settings_of(options: Handle) -> Result<String> {
    let functions = core::core()?;
    if options.is_null() {
        return Ok(String::new());
    }
    let mut size = 0;
    let mut buffer = Vec::new();
    loop {
        // SAFETY: the buffer has the stated size, and the core checks the options.
        let status = unsafe {
            let get = functions.asdf_options_get_text;
            get(options, REMOTE_SETTINGS, 0, buffer.as_mut_ptr(), buffer.len(), &mut size)
        };
        match status {
            0 if size < buffer.len() => break,
            // A call without a buffer asks for the length.
            0 | status::BUFFER_TOO_SMALL if size >= buffer.len() => buffer = vec![0; size + 1],
            status::NOT_FOUND => return Ok(String::new()),
            other => return Err(Failure::new(other, "the options cannot be read")),
        }
    }
    let bytes = buffer.iter().take(size).map(|&byte| byte as u8).collect();
    String::from_utf8(bytes).map_err(|_| Failure::new(status::INVALID_ARGUMENT, "the settings are not UTF-8"))
}

/// Gets the counts of this process. See the header.
///
/// # Safety
/// As the header says.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn asdf_remote_statistics(
    requests: *mut i64,
    bytes: *mut i64,
    cached: *mut i64,
) -> Status {
    for (place, counter) in [(requests, &REQUESTS), (bytes, &BYTES), (cached, &CACHED)] {
        if !place.is_null() {
            // SAFETY: the caller passes NULL or writable pointers.
            unsafe { place.write(whole(counter.load(Relaxed))) };
        }
    }
    0
}
