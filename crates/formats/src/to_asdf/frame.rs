//! The HDU `ASDF` that makes a FITS file one with ASDF inside. Images stay where they are in the FITS file.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;
use std::ptr::null_mut;

use super::{Pixels, of_fits};
use crate::failure::{Failure, Result};
use crate::fits::card::{Card, Value};
use crate::fits::file::FitsFile;
use crate::fits::{BLOCK, format};
use crate::report::Report;

/// Writes the HDU as a file of its own. Returns the byte of the FITS file where it belongs.
pub(crate) fn write_hdu(fits: &Path, hdu: &Path, report: &mut Report) -> Result<usize> {
    let fits = FitsFile::open(fits)?;
    let failed = |error: io::Error| Failure::file(hdu, &error);
    let folder = hdu.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let folder = tempfile::tempdir_in(folder).map_err(failed)?;
    let content = folder.path().join("content.asdf");
    of_fits(&fits, Pixels::Named, report)?.write(&content, null_mut())?;
    let mut content = File::open(&content).map_err(failed)?;
    let length = content.metadata().map_err(failed)?.len();
    let mut out = OpenOptions::new().write(true).create_new(true).open(hdu).map_err(failed)?;
    out.write_all(&header(length)).map_err(failed)?;
    let copied = io::copy(&mut content, &mut out).map_err(failed)?;
    let padding = copied.next_multiple_of(BLOCK as u64) - copied;
    io::copy(&mut io::Read::take(io::repeat(0), padding), &mut out).map_err(failed)?;
    Ok(fits.end)
}

/// Header of a table with one cell of this many bytes, as stdatamodels writes it.
fn header(length: u64) -> Vec<u8> {
    let number = |value: u64| Value::Integer(i64::try_from(value).unwrap_or(i64::MAX));
    let text = |value: &str| Value::Text(value.into());
    let cards = [
        ("XTENSION", text("BINTABLE")),
        ("BITPIX", number(8)),
        ("NAXIS", number(2)),
        ("NAXIS1", number(length)),
        ("NAXIS2", number(1)),
        ("PCOUNT", number(0)),
        ("GCOUNT", number(1)),
        ("TFIELDS", number(1)),
        ("TTYPE1", text("ASDF_METADATA")),
        ("TFORM1", text(&format!("{length}B"))),
        ("EXTNAME", text("ASDF")),
    ];
    let mut bytes = Vec::new();
    for (keyword, value) in cards {
        bytes.extend(format::format(&Card::new(keyword, value, "")).unwrap_or_default().concat());
    }
    bytes.extend(format!("{:<80}", "END").bytes());
    bytes.resize(bytes.len().next_multiple_of(BLOCK), b' ');
    bytes
}
