//! The C interface: checks arguments, and turns failures into statuses.

#![allow(unsafe_code)]

use std::ffi::{CStr, c_char, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use crate::core;
use crate::failure::{Failure, Result, status};
use crate::report::{Report, Severity};
use crate::to_asdf::{self, Pixels};
use crate::{decoder, failure, to_fits};

/// Number of this interface, which a changed or removed function raises.
const ABI: i32 = 1;

/// Keys of options of the core.
const DURABLE: i32 = 200;
const REPLACE: i32 = 201;

/// Number that a report begins with, so that a pointer to something else is noticed.
const REPORT_KIND: u64 = 0x6173_6466_7265_706f;

/// A report behind a pointer.
struct ReportHandle {
    kind: u64,
    report: Report,
}

/// Runs a function. Its failure becomes the last one of this library and of the core on this thread.
fn guard(call: impl FnOnce() -> Result<()>) -> i32 {
    let result = catch_unwind(AssertUnwindSafe(call))
        .unwrap_or_else(|_| Err(Failure::new(status::INTERNAL, "a fault of libasdfkit_formats")));
    match result {
        Ok(()) => 0,
        Err(failure) => {
            failure::set_last(&failure);
            core::set_error(&failure);
            failure.status
        }
    }
}

/// Reads the name of a file.
///
/// # Safety
/// The pointer is NULL or a C string.
unsafe fn path<'a>(text: *const c_char, name: &str) -> Result<&'a Path> {
    if text.is_null() {
        return Err(Failure::new(status::NULL_POINTER, format!("{name} is NULL")));
    }
    // SAFETY: the caller passes a C string.
    let text = unsafe { CStr::from_ptr(text) };
    text.to_str().map(Path::new).map_err(|_| Failure::new(status::INVALID_ARGUMENT, format!("{name} is not UTF-8")))
}

/// Runs a conversion and returns its report, if the caller wants it.
///
/// # Safety
/// The pointer is NULL or writable.
unsafe fn reported(report: *mut *mut c_void, call: impl FnOnce(&mut Report) -> Result<()>) -> Result<()> {
    if !report.is_null() {
        // SAFETY: the caller passes a writable pointer.
        unsafe { report.write(std::ptr::null_mut()) };
    }
    let mut found = Report::default();
    call(&mut found)?;
    if !report.is_null() {
        let handle = Box::new(ReportHandle { kind: REPORT_KIND, report: found });
        // SAFETY: as above.
        unsafe { report.write(Box::into_raw(handle).cast()) };
    }
    Ok(())
}

/// # Safety
/// The pointer is NULL or a report.
unsafe fn report_of<'a>(report: *const c_void) -> Result<&'a Report> {
    if report.is_null() {
        return Err(Failure::new(status::NULL_POINTER, "report is NULL"));
    }
    // SAFETY: the caller passes a report.
    let handle = unsafe { &*report.cast::<ReportHandle>() };
    if handle.kind != REPORT_KIND {
        return Err(Failure::new(status::WRONG_HANDLE, "the handle is no report of this library"));
    }
    Ok(&handle.report)
}

/// Writes a text by the rule of `snprintf`.
///
/// # Safety
/// `buffer` has room for `capacity` bytes, and `needed` is NULL or writable.
unsafe fn write_text(text: &str, buffer: *mut c_char, capacity: usize, needed: *mut usize) -> Result<()> {
    let size = text.len() + 1;
    // As in the core, the length counts without the NUL.
    if !needed.is_null() {
        // SAFETY: the caller passes a writable pointer.
        unsafe { needed.write(text.len()) };
    }
    if buffer.is_null() && capacity > 0 {
        return Err(Failure::new(status::NULL_POINTER, "buffer is NULL"));
    }
    if capacity < size {
        return Err(Failure::new(status::BUFFER_TOO_SMALL, format!("the text needs {size} bytes")));
    }
    // SAFETY: the buffer has room for `capacity` bytes.
    unsafe {
        std::ptr::copy_nonoverlapping(text.as_ptr(), buffer.cast::<u8>(), text.len());
        buffer.add(text.len()).write(0);
    }
    Ok(())
}

/// Returns the number of this interface.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn asdf_formats_abi() -> i32 {
    ABI
}

/// Finds the core. See the header.
///
/// # Safety
/// As the header says.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn asdf_formats_load(core_path: *const c_char) -> i32 {
    guard(|| {
        // SAFETY: the caller passes NULL or a C string.
        let place = if core_path.is_null() { None } else { Some(unsafe { path(core_path, "core_path") }?) };
        core::load(place)?;
        core::set_decoder(decode_for_core)
    })
}

/// The decoder of the core: what [`asdf_formats_decode_image`] does.
unsafe extern "C" fn decode_for_core(
    _: *mut c_void,
    hdu: *const c_void,
    hdu_size: usize,
    first: i64,
    count: i64,
    pixels: *mut c_void,
    capacity: usize,
) -> i32 {
    // SAFETY: the core passes what that function needs.
    unsafe { asdf_formats_decode_image(hdu, hdu_size, first, count, pixels, capacity) }
}

/// Returns the message of the last failure. See the header.
///
/// # Safety
/// As the header says.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn asdf_formats_error_message(
    buffer: *mut c_char,
    capacity: usize,
    needed: *mut usize,
) -> i32 {
    let message = failure::last_message();
    // The failure of this call must not replace the one that the caller asks for.
    // SAFETY: the caller passes a buffer of this capacity.
    unsafe { write_text(&message, buffer, capacity, needed) }.map_or_else(|failure| failure.status, |()| 0)
}

/// Reads a FITS file as a new ASDF file. See the header.
///
/// # Safety
/// As the header says.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn asdf_formats_open_fits(
    fits_path: *const c_char,
    file: *mut *mut c_void,
    report: *mut *mut c_void,
) -> i32 {
    guard(|| {
        if file.is_null() {
            return Err(Failure::new(status::NULL_POINTER, "file is NULL"));
        }
        // SAFETY: the caller passes a writable pointer.
        unsafe { file.write(std::ptr::null_mut()) };
        // SAFETY: the caller passes a C string and NULL or a writable pointer.
        unsafe {
            reported(report, |report| {
                let made = to_asdf::read(path(fits_path, "fits_path")?, Pixels::Read, report)?;
                file.write(made.into_handle());
                Ok(())
            })
        }
    })
}

/// Converts a FITS file to an ASDF file. See the header.
///
/// # Safety
/// As the header says.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn asdf_formats_fits_to_asdf(
    fits_path: *const c_char,
    asdf_path: *const c_char,
    options: *const c_void,
    report: *mut *mut c_void,
) -> i32 {
    guard(|| {
        // SAFETY: the caller passes C strings and NULL or a writable pointer. The core checks the options.
        unsafe {
            reported(report, |report| {
                let (fits, asdf) = (path(fits_path, "fits_path")?, path(asdf_path, "asdf_path")?);
                to_asdf::read(fits, Pixels::Read, report)?.write(asdf, options.cast_mut())
            })
        }
    })
}

/// Writes the HDU that makes a FITS file one with ASDF inside. See the header.
///
/// # Safety
/// As the header says.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn asdf_formats_fits_to_hdu(
    fits_path: *const c_char,
    hdu_path: *const c_char,
    place: *mut i64,
    report: *mut *mut c_void,
) -> i32 {
    guard(|| {
        // SAFETY: the caller passes C strings and NULL or writable pointers.
        unsafe {
            reported(report, |report| {
                let (fits, hdu) = (path(fits_path, "fits_path")?, path(hdu_path, "hdu_path")?);
                let end = to_asdf::write_hdu(fits, hdu, report)?;
                if !place.is_null() {
                    place.write(i64::try_from(end).unwrap_or(i64::MAX));
                }
                Ok(())
            })
        }
    })
}

/// Decodes pixels of a tile-compressed image. See the header.
///
/// # Safety
/// As the header says.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn asdf_formats_decode_image(
    hdu: *const c_void,
    hdu_size: usize,
    first: i64,
    count: i64,
    pixels: *mut c_void,
    capacity: usize,
) -> i32 {
    guard(|| {
        if hdu.is_null() || pixels.is_null() {
            return Err(Failure::new(
                status::NULL_POINTER,
                if hdu.is_null() { "hdu is NULL" } else { "pixels is NULL" },
            ));
        }
        // SAFETY: the caller passes the addresses of this many bytes, which do not overlap.
        let (hdu, pixels) = unsafe {
            (
                std::slice::from_raw_parts(hdu.cast::<u8>(), hdu_size),
                std::slice::from_raw_parts_mut(pixels.cast::<u8>(), capacity),
            )
        };
        decoder::decode(hdu, first, count, pixels)
    })
}

/// Converts an ASDF file to a FITS file. See the header.
///
/// # Safety
/// As the header says.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn asdf_formats_asdf_to_fits(
    asdf_path: *const c_char,
    fits_path: *const c_char,
    options: *const c_void,
    report: *mut *mut c_void,
) -> i32 {
    guard(|| {
        // SAFETY: the caller passes C strings and NULL or a writable pointer. The core checks the options.
        unsafe {
            reported(report, |report| {
                let (asdf, fits) = (path(asdf_path, "asdf_path")?, path(fits_path, "fits_path")?);
                let settings = to_fits::Settings {
                    options: options.cast_mut(),
                    replace: core::flag_option(options.cast_mut(), REPLACE, false)?,
                    durable: core::flag_option(options.cast_mut(), DURABLE, true)?,
                };
                to_fits::write(asdf, fits, settings, report)
            })
        }
    })
}

/// Gets the number of entries of a report. See the header.
///
/// # Safety
/// As the header says.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn asdf_formats_report_count(report: *const c_void, count: *mut i64) -> i32 {
    guard(|| {
        // SAFETY: the caller passes NULL or a report.
        let report = unsafe { report_of(report) }?;
        if count.is_null() {
            return Err(Failure::new(status::NULL_POINTER, "count is NULL"));
        }
        // SAFETY: the caller passes a writable pointer.
        unsafe { count.write(i64::try_from(report.entries.len()).unwrap_or(i64::MAX)) };
        Ok(())
    })
}

/// Gets an entry of a report: whether it is a loss, and its text. See the header.
///
/// # Safety
/// As the header says.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn asdf_formats_report_entry(
    report: *const c_void,
    index: i64,
    is_loss: *mut i32,
    buffer: *mut c_char,
    capacity: usize,
    needed: *mut usize,
) -> i32 {
    guard(|| {
        // SAFETY: the caller passes NULL or a report.
        let report = unsafe { report_of(report) }?;
        let entry = usize::try_from(index).ok().and_then(|index| report.entries.get(index));
        let entry =
            entry.ok_or_else(|| Failure::new(status::OUT_OF_RANGE, format!("the report has no entry {index}")))?;
        // SAFETY: the caller passes a buffer of this capacity.
        unsafe { write_text(&format!("{}: {}", entry.place, entry.message), buffer, capacity, needed) }?;
        if !is_loss.is_null() {
            // SAFETY: the caller passes NULL or a writable pointer.
            unsafe { is_loss.write(i32::from(entry.severity == Severity::Loss)) };
        }
        Ok(())
    })
}

/// Frees a report. See the header.
///
/// # Safety
/// As the header says.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn asdf_formats_report_free(report: *mut c_void) {
    if report.is_null() {
        return;
    }
    let report = report.cast::<ReportHandle>();
    // SAFETY: the caller passes a report, which is not used afterwards.
    unsafe {
        if (*report).kind == REPORT_KIND {
            (*report).kind = 0;
            drop(Box::from_raw(report));
        }
    }
}
