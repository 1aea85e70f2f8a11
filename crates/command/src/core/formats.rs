//! The library `libasdfkit_formats`, which the command loads when it needs it. It loads `libasdfkit` by itself: no handle
//! of the library in the command goes there, only names of files and bytes.

#![allow(unsafe_code)]

use super::failure::Result;
use asdfkit::{Error, Status};
use libloading::Library;
use std::ffi::{CString, c_char, c_void};
use std::path::{Path, PathBuf};
use std::ptr::null;
use std::sync::{Arc, OnceLock};

/// Number of the interface of the library that this command knows.
const ABI: i32 = 1;

#[cfg(any(target_os = "macos", target_os = "ios"))]
const NAME: &str = "libasdfkit_formats.1.dylib";
#[cfg(windows)]
const NAME: &str = "asdfkit_formats.dll";
#[cfg(not(any(target_os = "macos", target_os = "ios", windows)))]
const NAME: &str = "libasdfkit_formats.so.1";

type Text = unsafe extern "C" fn(*mut c_char, usize, *mut usize) -> i32;
type FitsToHdu = unsafe extern "C" fn(*const c_char, *const c_char, *mut i64, *mut *mut c_void) -> i32;
type AsdfToFits = unsafe extern "C" fn(*const c_char, *const c_char, *const c_void, *mut *mut c_void) -> i32;
type DecodeImage = unsafe extern "C" fn(*const c_void, usize, i64, i64, *mut c_void, usize) -> i32;
type ReportCount = unsafe extern "C" fn(*const c_void, *mut i64) -> i32;
type ReportEntry = unsafe extern "C" fn(*const c_void, i64, *mut i32, *mut c_char, usize, *mut usize) -> i32;
type ReportFree = unsafe extern "C" fn(*mut c_void);

/// Functions of the library.
struct Formats {
    error_message: Text,
    fits_to_hdu: FitsToHdu,
    asdf_to_fits: AsdfToFits,
    decode_image: DecodeImage,
    report_count: ReportCount,
    report_entry: ReportEntry,
    report_free: ReportFree,
    /// Keeps the functions in memory.
    _library: Library,
}

/// Something that a conversion found.
#[derive(Debug)]
pub(crate) struct Finding {
    /// True if the new file does not hold it; otherwise it is there in another form.
    pub(crate) is_loss: bool,
    pub(crate) message: String,
}

/// Makes the library read tile-compressed images in FITS files with an ASDF tree. Loads nothing yet.
pub(crate) fn offer_decoder() {
    let decoder = |hdu: &[u8], first, count, pixels: &mut [u8]| {
        let formats = library()?;
        // SAFETY: addresses and sizes are those of two slices.
        formats.checked(unsafe {
            (formats.decode_image)(
                hdu.as_ptr().cast(),
                hdu.len(),
                first,
                count,
                pixels.as_mut_ptr().cast(),
                pixels.len(),
            )
        })
    };
    // Only a child of a fork cannot set it.
    let _ = asdfkit::file::set_image_decoder(Some(Arc::new(decoder)));
}

/// Writes the HDU that makes a FITS file one with ASDF inside. Returns its place in the FITS file.
pub(crate) fn fits_to_hdu(fits: &Path, hdu: &Path) -> Result<(u64, Vec<Finding>)> {
    let formats = library()?;
    let (fits, hdu) = (c_path(fits)?, c_path(hdu)?);
    let mut place = 0;
    let findings = formats.reported(|report| {
        // SAFETY: the names are C strings, and the outputs are writable.
        unsafe { (formats.fits_to_hdu)(fits.as_ptr(), hdu.as_ptr(), &mut place, report) }
    })?;
    Ok((place.unsigned_abs(), findings))
}

/// Writes a FITS file without ASDF. The file must not exist.
pub(crate) fn asdf_to_fits(asdf: &Path, fits: &Path) -> Result<Vec<Finding>> {
    let formats = library()?;
    let (asdf, fits) = (c_path(asdf)?, c_path(fits)?);
    Ok(formats.reported(|report| {
        // SAFETY: the names are C strings, NULL stands for the default options, and the output is writable.
        unsafe { (formats.asdf_to_fits)(asdf.as_ptr(), fits.as_ptr(), null(), report) }
    })?)
}

fn c_path(path: &Path) -> asdfkit::Result<CString> {
    let text = path.to_str().and_then(|text| CString::new(text).ok());
    text.ok_or_else(|| {
        let message = "libasdfkit_formats reads only files whose names are UTF-8";
        Error::new(Status::InvalidArgument, message).in_file(&path.to_string_lossy().into())
    })
}

impl Formats {
    /// Turns a status of the library into a result with its message.
    fn checked(&self, code: i32) -> asdfkit::Result<()> {
        if code == 0 {
            return Ok(());
        }
        // SAFETY: as `text` says.
        let message = text(|buffer, capacity, needed| unsafe { (self.error_message)(buffer, capacity, needed) });
        Err(Error::new(Status::from_code(code).unwrap_or(Status::Internal), message))
    }

    /// Runs a conversion and returns what it reports.
    fn reported(&self, call: impl FnOnce(*mut *mut c_void) -> i32) -> asdfkit::Result<Vec<Finding>> {
        let mut report = std::ptr::null_mut();
        self.checked(call(&mut report))?;
        let mut count = 0;
        // SAFETY: the report is that of the call, and the output is writable.
        let counted = self.checked(unsafe { (self.report_count)(report, &mut count) });
        let mut findings = Vec::new();
        for index in 0..count {
            let mut is_loss = 0;
            // SAFETY: as above, and as `text` says.
            let message = text(|buffer, capacity, needed| unsafe {
                (self.report_entry)(report, index, &mut is_loss, buffer, capacity, needed)
            });
            findings.push(Finding { is_loss: is_loss != 0, message });
        }
        // SAFETY: the report is not used afterwards.
        unsafe { (self.report_free)(report) };
        counted.map(|()| findings)
    }
}

/// Reads a text by a function that gets a buffer, its size, and a place for the length of the text.
fn text(mut read: impl FnMut(*mut c_char, usize, *mut usize) -> i32) -> String {
    let mut bytes = vec![0_u8; 512];
    loop {
        let mut needed = 0;
        let code = read(bytes.as_mut_ptr().cast(), bytes.len(), &mut needed);
        if code == 0 {
            bytes.truncate(needed.min(bytes.len()));
            return String::from_utf8_lossy(&bytes).into_owned();
        }
        if code != Status::BufferTooSmall.code() || needed < bytes.len() {
            return "no message".to_owned();
        }
        bytes.resize(needed + 1, 0);
    }
}

/// Returns the library. Fails with a message that says how it is installed.
fn library() -> asdfkit::Result<&'static Formats> {
    static LOADED: OnceLock<std::result::Result<Formats, String>> = OnceLock::new();
    let loaded = LOADED.get_or_init(load).as_ref();
    loaded.map_err(|message| Error::new(Status::Unsupported, message.clone()))
}

/// Names to load, in order: the one in `ASDFKIT_FORMATS` alone; else beside the command, then where the system looks.
fn candidates() -> Vec<PathBuf> {
    if let Some(name) = std::env::var_os("ASDFKIT_FORMATS").filter(|name| !name.is_empty()) {
        return vec![PathBuf::from(name)];
    }
    let command = std::env::current_exe().and_then(|path| path.canonicalize()).ok();
    let folder = command.as_deref().and_then(Path::parent);
    let beside = folder.into_iter().flat_map(|folder| [folder.join("../lib").join(NAME), folder.join(NAME)]);
    beside.filter(|path| path.is_file()).chain([PathBuf::from(NAME)]).collect()
}

fn load() -> std::result::Result<Formats, String> {
    let mut reasons = Vec::new();
    for path in candidates() {
        // SAFETY: the library runs no code that depends on the state of the program when it is loaded.
        match unsafe { Library::new(&path) } {
            Ok(library) => return find(library),
            Err(error) => reasons.push(error.to_string()),
        }
    }
    Err(format!(
        "the library {NAME}, which reads compressed images and FITS files without a tree, is not found: \
         `make install-formats` of asdfkit installs it; ASDFKIT_FORMATS is its path if it is elsewhere ({})",
        reasons.join("; ")
    ))
}

fn find(library: Library) -> std::result::Result<Formats, String> {
    /// Address of a function.
    macro_rules! function {
        ($name:literal) => {
            // SAFETY: libraries of the interface that was compared have this function with this type.
            *unsafe { library.get(concat!($name, "\0").as_bytes()) }.map_err(|_| {
                concat!("the libasdfkit_formats that was loaded is older than this command: it has no ", $name)
            })?
        };
    }
    let abi: unsafe extern "C" fn() -> i32 = function!("asdf_formats_abi");
    // SAFETY: the function has no arguments.
    let abi = unsafe { abi() };
    if abi != ABI {
        return Err(format!(
            "the libasdfkit_formats that was loaded has the interface {abi}; this command needs {ABI}"
        ));
    }
    let load_core: unsafe extern "C" fn(*const c_char) -> i32 = function!("asdf_formats_load");
    let error_message: Text = function!("asdf_formats_error_message");
    // SAFETY: NULL makes the library look for libasdfkit.
    if unsafe { load_core(null()) } != 0 {
        // SAFETY: as `text` says.
        return Err(text(|buffer, capacity, needed| unsafe { error_message(buffer, capacity, needed) }));
    }
    Ok(Formats {
        error_message,
        fits_to_hdu: function!("asdf_formats_fits_to_hdu"),
        asdf_to_fits: function!("asdf_formats_asdf_to_fits"),
        decode_image: function!("asdf_formats_decode_image"),
        report_count: function!("asdf_formats_report_count"),
        report_entry: function!("asdf_formats_report_entry"),
        report_free: function!("asdf_formats_report_free"),
        _library: library,
    })
}
