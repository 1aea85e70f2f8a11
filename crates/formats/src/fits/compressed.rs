//! Tile-compressed images, which cfitsio decodes.

#![allow(unsafe_code)]

use std::ffi::{CString, c_char, c_int, c_void};
use std::path::Path;
use std::ptr::null_mut;
use std::sync::Mutex;

use super::file::{FitsFile, Hdu};
use super::header::Header;
use super::image::ImageForm;
use super::tiles::Tiles;
use crate::element::swap_into;
use crate::failure::{Failure, Result, status, zeros};

/// Structure of the image that a compressed HDU holds.
pub(crate) struct Structure {
    pub(crate) form: ImageForm,
    /// Extents in C order.
    pub(crate) shape: Vec<i64>,
    tiles: Tiles,
}

impl Structure {
    /// Reads the structure, and checks what cfitsio would trust in the header and the descriptors.
    pub(crate) fn of(hdu: &Hdu, data: &[u8]) -> Result<Structure> {
        let (form, shape) = Structure::read(&hdu.header)?;
        let tiles = Tiles::read(&shape, hdu, data)?;
        Ok(Structure { form, shape, tiles })
    }

    /// Checks what cfitsio would trust in the streams of these pixels.
    pub(crate) fn check(&self, hdu: &Hdu, data: &[u8], first: usize, count: usize) -> Result<()> {
        match (i64::try_from(first), i64::try_from(count)) {
            (Ok(first), Ok(count)) if count > 0 => self.tiles.check(&self.shape, hdu, data, first, count),
            _ => Ok(()),
        }
    }

    /// Reads ZBITPIX, ZNAXIS and ZNAXISn.
    fn read(header: &Header) -> Result<(ImageForm, Vec<i64>)> {
        let bitpix = header
            .integer("ZBITPIX")
            .filter(|bitpix| matches!(bitpix, 8 | 16 | 32 | 64 | -32 | -64))
            .ok_or_else(|| header.failure("ZBITPIX", "ZBITPIX must be 8, 16, 32, 64, -32 or -64"))?;
        let rank = header.count("ZNAXIS")?;
        // The largest number of axes that cfitsio compresses.
        if rank == 0 || rank > 6 {
            return Err(header.failure("ZNAXIS", "a compressed image has 1 to 6 axes"));
        }
        let mut shape = Vec::new();
        for axis in (1..=rank).rev() {
            let keyword = format!("ZNAXIS{axis}");
            let extent = i64::try_from(header.count(&keyword)?).unwrap_or(i64::MAX);
            if extent == 0 {
                return Err(header.failure(&keyword, "a compressed image has pixels along each axis"));
            }
            shape.push(extent);
        }
        let bytes = shape.iter().try_fold(8_i64, |product, &extent| product.checked_mul(extent));
        if bytes.is_none() {
            return Err(header.failure("ZNAXIS1", "the product of all ZNAXISn is larger than any file"));
        }
        Ok((ImageForm::of(header, bitpix), shape))
    }
}

/// Handle of cfitsio, which one thread at a time uses.
struct Handle(*mut fitsio_sys::fitsfile);

// SAFETY: cfitsio allows a handle to move between threads; the mutex keeps them apart.
unsafe impl Send for Handle {}

impl Drop for Handle {
    fn drop(&mut self) {
        let mut status = 0;
        // SAFETY: this value is the owner of the handle.
        unsafe { fitsio_sys::ffclos(self.0, &mut status) };
    }
}

/// A FITS file in memory, as cfitsio wants it: it keeps the address of this address.
struct Memory {
    address: *mut c_void,
    size: usize,
    _bytes: Vec<u8>,
}

// SAFETY: the bytes belong to this value, and only cfitsio reads them, through a handle that one thread at a time uses.
unsafe impl Send for Memory {}
// SAFETY: nothing but cfitsio reads the value.
unsafe impl Sync for Memory {}

/// An open compressed image.
pub(crate) struct Compressed {
    // Closed before its memory is freed: fields are dropped in this order.
    handle: Mutex<Handle>,
    _memory: Option<Box<Memory>>,
    form: ImageForm,
    hdu: usize,
    data_offset: usize,
}

impl Compressed {
    pub(crate) fn open(file: &FitsFile, hdu: &Hdu, form: ImageForm) -> Result<Compressed> {
        Compressed::open_at(&file.path, hdu.header.hdu, hdu.data_offset, form)
    }

    /// Opens the image in an HDU of a file.
    pub(crate) fn open_at(path: &Path, hdu: usize, data_offset: usize, form: ImageForm) -> Result<Compressed> {
        let name = path.to_str().and_then(|path| CString::new(path).ok());
        let name = name.ok_or_else(|| Failure::new(status::INVALID_ARGUMENT, "the name of a file is not UTF-8"))?;
        let (mut handle, mut code) = (null_mut(), 0);
        // SAFETY: the name is a C string, and both outputs are writable. 0 opens for reading.
        unsafe { fitsio_sys::ffdkopn(&mut handle, name.as_ptr(), 0, &mut code) };
        Compressed::of_handle(handle, code, None, hdu, data_offset, form)
    }

    /// Opens the image in an HDU of a FITS file in memory.
    pub(crate) fn in_memory(bytes: Vec<u8>, hdu: usize, data_offset: usize, form: ImageForm) -> Result<Compressed> {
        let mut bytes = bytes;
        let mut memory = Box::new(Memory { address: bytes.as_mut_ptr().cast(), size: bytes.len(), _bytes: bytes });
        let (mut handle, mut code) = (null_mut(), 0);
        // SAFETY: the name is a C string, the outputs are writable, and the memory lives longer than the handle. 0 opens
        // for reading, which needs no function to make the memory larger.
        unsafe {
            fitsio_sys::ffomem(
                &mut handle,
                c"memory".as_ptr(),
                0,
                &raw mut memory.address,
                &raw mut memory.size,
                0,
                None,
                &mut code,
            );
        }
        Compressed::of_handle(handle, code, Some(memory), hdu, data_offset, form)
    }

    fn of_handle(
        handle: *mut fitsio_sys::fitsfile,
        mut code: c_int,
        memory: Option<Box<Memory>>,
        hdu: usize,
        data_offset: usize,
        form: ImageForm,
    ) -> Result<Compressed> {
        if code != 0 || handle.is_null() {
            return Err(failure(hdu, data_offset, code));
        }
        let handle = Handle(handle);
        let number = c_int::try_from(hdu + 1).unwrap_or(c_int::MAX);
        let mut kind = 0;
        // SAFETY: the handle is open, and the outputs are writable. The second call makes cfitsio return stored numbers.
        unsafe {
            fitsio_sys::ffmahd(handle.0, number, &mut kind, &mut code);
            fitsio_sys::ffpscl(handle.0, 1.0, 0.0, &mut code);
        }
        if code != 0 {
            return Err(failure(hdu, data_offset, code));
        }
        Ok(Compressed { handle: Mutex::new(handle), _memory: memory, form, hdu, data_offset })
    }

    /// Elements from the first one on, in native byte order.
    pub(crate) fn read(&self, first: usize, elements: &mut [u8]) -> Result<()> {
        let count = elements.len() / self.form.element().size();
        let mut stored = zeros(count * self.form.stored_size())?;
        self.read_stored(first, &mut stored)?;
        self.form.decode(&stored, elements);
        Ok(())
    }

    /// Numbers as an image that is not compressed stores them, from the first one on.
    pub(crate) fn read_stored(&self, first: usize, stored: &mut [u8]) -> Result<()> {
        let size = self.form.stored_size();
        let mut native = zeros(stored.len())?;
        self.read_native(first, stored.len() / size, &mut native)?;
        swap_into(size, &native, stored);
        Ok(())
    }

    fn read_native(&self, first: usize, count: usize, native: &mut [u8]) -> Result<()> {
        // Numbers of cfitsio for TBYTE, TSHORT, TINT, TLONGLONG, TFLOAT and TDOUBLE.
        let datatype = match self.form.bitpix {
            16 => 21,
            32 => 31,
            64 => 81,
            -32 => 42,
            -64 => 82,
            _ => 11,
        };
        let (mut nan32, mut nan64) = (f32::NAN, f64::NAN);
        let null: *mut c_void = match self.form.bitpix {
            -32 => (&raw mut nan32).cast(),
            -64 => (&raw mut nan64).cast(),
            _ => null_mut(),
        };
        let number = |value: usize| i64::try_from(value).unwrap_or(i64::MAX);
        let (mut any, mut code) = (0, 0);
        let handle = self.handle.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        // SAFETY: the handle is open, `native` has room for the elements, and the outputs are writable.
        unsafe {
            fitsio_sys::ffgpv(
                handle.0,
                datatype,
                number(first).saturating_add(1),
                number(count),
                null,
                native.as_mut_ptr().cast(),
                &mut any,
                &mut code,
            );
        }
        if code == 0 { Ok(()) } else { Err(failure(self.hdu, self.data_offset, code)) }
    }
}

/// Turns a status of cfitsio into a failure.
fn failure(hdu: usize, data_offset: usize, code: c_int) -> Failure {
    let mut text = [0_u8; 64];
    // SAFETY: cfitsio writes at most 31 bytes.
    unsafe { fitsio_sys::ffgerr(code, text.as_mut_ptr().cast::<c_char>()) };
    // SAFETY: the function has no arguments that could be wrong.
    unsafe { fitsio_sys::ffcmsg() };
    let text: Vec<u8> = text.into_iter().take_while(|&byte| byte != 0).collect();
    Failure::new(
        status::CORRUPT,
        format!(
            "HDU {hdu}: the compressed image at byte {data_offset} cannot be decoded: {} (cfitsio status {code})",
            String::from_utf8_lossy(&text)
        ),
    )
}
