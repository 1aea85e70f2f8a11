//! FITS → ASDF.
//!
//! The tree has these keys:
//!
//! - `fits`: the HDUs, with the standard's tag `fits/fits`. Headers hold what the tag allows; data are as they mean:
//!   unsigned, scaled, decoded.
//! - `cards`: for each HDU a mapping. `header` is the array of its cards, byte by byte. `stored` is the data as they
//!   were stored, where they do not follow from the data under `fits`.
//! - `wcs`: for each HDU the world coordinates of its cards, or null; absent if no HDU has any.

mod data;
mod elements;
mod frame;
mod header;

use std::path::Path;
use std::sync::Arc;

use crate::core::{File, Node};
use crate::failure::Result;
use crate::fits::file::{FitsFile, Hdu, Kind};
use crate::fits::group::groups;
use crate::report::Report;

use data::place_of;
pub(crate) use data::{column_names, is_held};
pub(crate) use frame::write_hdu;
pub(crate) use header::{Entry, held_entries};

/// Kind of the arrays of images.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Pixels {
    /// Arrays whose elements are read from the FITS file when they are needed.
    Read,
    /// Names of HDUs, wherever an HDU stores the elements: `source: fits:1`.
    Named,
}

/// Reads a FITS file as a new ASDF file.
pub(crate) fn read(path: &Path, pixels: Pixels, report: &mut Report) -> Result<File> {
    of_fits(&FitsFile::open(path)?, pixels, report).map_err(|failure| failure.in_fits_file(path))
}

fn of_fits(fits: &Arc<FitsFile>, pixels: Pixels, report: &mut Report) -> Result<File> {
    let file = File::new()?;
    let root = file.root()?;
    root.set_sequence("fits", 0)?;
    root.set_tag("fits", "!fits/fits-1.2.0")?;
    root.set_sequence("cards", 0)?;
    for hdu in &fits.hdus {
        let place = place_of(&hdu.header);
        let node = root.make_node("fits/-")?;
        node.set_mapping("", 0)?;
        header::set_header(&node, hdu, &place, report)?;
        let cards = root.make_node("cards/-")?;
        cards.set_mapping("", 0)?;
        header::set_cards(&cards, &hdu.header)?;
        data::set_data(&node, &cards, (fits, hdu), pixels, &place, report)?;
        if let Some(byte) = fits.unusual_padding(hdu).filter(|_| pixels == Pixels::Read) {
            report.loss(&place, format!("bytes in the padding are not carried over; the first one is byte {byte}"));
        }
    }
    set_coordinates(&root, fits, report)?;
    if fits.trailing > 0 {
        report.loss("file", format!("{} bytes after the last HDU are not carried over", fits.trailing));
    }
    Ok(file)
}

/// Writes the world coordinates of all images.
fn set_coordinates(root: &Node, fits: &Arc<FitsFile>, report: &mut Report) -> Result<()> {
    if !fits.hdus.iter().any(has_coordinates) {
        return Ok(());
    }
    root.set_sequence("wcs", 0)?;
    for hdu in &fits.hdus {
        let index = hdu.header.hdu;
        root.set_null("wcs/-")?;
        if !has_coordinates(hdu) {
            continue;
        }
        let cards = image_cards(hdu);
        if let Err(failure) = root.set_wcs_cards(&format!("wcs/{index}"), &cards) {
            root.set_null(&format!("wcs/{index}"))?;
            report.note(place_of(&hdu.header), format!("no gwcs for its world coordinates: {}", failure.message));
        }
    }
    Ok(())
}

fn has_coordinates(hdu: &Hdu) -> bool {
    let is_image = match hdu.kind {
        Kind::Image => !hdu.axes.is_empty(),
        Kind::CompressedImage => true,
        _ => false,
    };
    is_image && (1..=9).any(|axis| hdu.header.text(&format!("CTYPE{axis}")).is_some_and(|kind| !kind.trim().is_empty()))
}

/// Cards of an image with END. Those of a compressed one are the cards of the image, not of the table.
fn image_cards(hdu: &Hdu) -> Vec<u8> {
    let mut bytes = Vec::new();
    if hdu.kind == Kind::CompressedImage {
        for group in groups(&hdu.header.cards) {
            match header::image_keyword(&group.card.keyword) {
                header::ImageKeyword::Same => bytes.extend(group.raw.concat()),
                header::ImageKeyword::Renamed(name) => {
                    let mut card = group.card.clone();
                    card.keyword = name;
                    bytes.extend(crate::fits::format::format(&card).unwrap_or_default().concat());
                }
                header::ImageKeyword::None => {}
            }
        }
    } else {
        bytes = hdu.header.cards.concat();
    }
    bytes.extend(format!("{:<80}", "END").into_bytes());
    bytes
}
