//! World coordinates from and to FITS headers, and those of cut-outs.
//!
//! # FITS headers
//!
//! Header cards of FITS describe a WCS, too. The cards are those of a header as it is: cards of 80 characters in a row
//! or a card in each line, up to the card END. Cards without a meaning for the WCS may be among them; they may be
//! damaged. Pixels count from 0 here and from 1 in FITS: pixel (0, 0) is pixel (1, 1) of FITS.
//!
//! | part | keywords |
//! |---|---|
//! | axes | WCSAXES, NAXISi, CTYPEi, CUNITi, CRPIXi, CRVALi, CNAMEi, WCSNAME |
//! | linear transformation | PCi_j and CDELTi, CDi_j, CROTAi |
//! | zenithal projections | AIR, ARC, AZP, NCP, SIN, STG, SZP, TAN, ZEA |
//! | cylindrical projections | AIT, CAR, CEA, CYP, GLS, MER, MOL, PAR, SFL |
//! | other projections | BON, COD, COE, COO, COP, CSC, HPX, PCO, QSC, TSC, XPH |
//! | parameters of projections | LONPOLE, LATPOLE, PVi_m |
//! | reference frame | RADESYS, EQUINOX, EPOCH |
//! | distortion | SIP: A_i_j, B_i_j, AP_i_j, BP_i_j |
//! | other axes | linear and logarithmic (-LOG), STOKES |
//!
//! ```c
//! asdf_node_set_wcs_cards(root, "meta/wcs", cards, strlen(cards), NULL);
//!
//! const int64_t start[] = {100, 200}, count[] = {64, 64};
//! asdf_node_set_wcs_cutout(cut_root, "meta/wcs", wcs_node, 2, start, count, NULL);
//! ```

use crate::error::{Error, Result, Status};
use crate::ffi::array::read::region;
use crate::ffi::basics::buffer::buffer_of;
use crate::ffi::boundary::guard::guard_handle;
use crate::ffi::boundary::status::asdf_status;
use crate::ffi::boundary::types::{asdf_buffer, asdf_node, asdf_options, asdf_wcs};
use crate::ffi::node::write::set;
use crate::ffi::options::keys::*;
use crate::ffi::options::taken::{Taken, take};
use crate::wcs::{CardOptions, SipOptions, Wcs};
use std::ffi::c_char;

fn card_options(taken: &Taken) -> Result<CardOptions> {
    let mut options = CardOptions::default();
    let text = taken.text(ASDF_OPTION_ALTERNATE).unwrap_or_default();
    options.alternate = match text.chars().collect::<Vec<char>>()[..] {
        [] => ' ',
        [letter] => letter,
        _ => {
            let message = format!("the letter of an alternate WCS is one from A to Z, not '{text}'");
            return Err(Error::new(Status::InvalidArgument, message));
        }
    };
    Ok(options)
}

fn sip_options(taken: &Taken) -> SipOptions {
    let mut options = SipOptions::default();
    let number = |key: i32| taken.int(key).and_then(|number| usize::try_from(number).ok());
    options.max_error = taken.float(ASDF_OPTION_MAX_ERROR).unwrap_or(options.max_error);
    options.max_inverse_error = taken.float(ASDF_OPTION_MAX_INVERSE_ERROR).unwrap_or(options.max_inverse_error);
    options.degree = number(ASDF_OPTION_DEGREE).filter(|degree| *degree > 0);
    options.inverse_degree = number(ASDF_OPTION_INVERSE_DEGREE).filter(|degree| *degree > 0);
    options.points = number(ASDF_OPTION_GRID_POINTS).unwrap_or(options.points);
    options
}

/// Makes a WCS from cards of a FITS header. NAXISi give its pixel shape; it has no bounding box.
///
/// Errors:
///
/// - ASDF_ERR_INVALID_ARGUMENT for a card that the WCS needs and that cannot be read, and for keywords that make no WCS
/// - ASDF_ERR_NOT_FOUND if the header has no alternate WCS of the letter in the options
/// - ASDF_ERR_UNITS for a unit that does not fit the axis
/// - ASDF_ERR_SINGULAR for a matrix without inverse
/// - ASDF_ERR_UNSUPPORTED for projections, spectral algorithms and distortions beyond those in the table
///
/// @param cards   the cards
/// @param length  their length in bytes
/// @param options options, or NULL for the defaults
/// @param wcs     gets the WCS; NULL on failure
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_wcs_read_cards(
    cards: *const c_char,
    length: usize,
    options: *const asdf_options,
    wcs: *mut *mut asdf_wcs,
) -> asdf_status {
    guard_handle(wcs, "wcs", |caller| {
        let options = card_options(&take(caller, options, "asdf_wcs_read_cards")?)?;
        Wcs::from_cards(caller.bytes(cards.cast(), length, "cards")?, &options)
    })
}

/// Writes the WCS of cards of a FITS header as a tree of gwcs, which Python's gwcs and asdf_node_get_wcs() read.
///
/// NAXISi become the pixel shape and the bounding box. Polynomials that undo the distortion of SIP within the image are
/// computed and stored as its inverse. The errors are those of asdf_wcs_read_cards(); nothing is written then.
///
/// @param node    node that the path starts from
/// @param path    the path of the WCS
/// @param cards   the cards
/// @param length  their length in bytes
/// @param options options, or NULL for the defaults
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_node_set_wcs_cards(
    node: *mut asdf_node,
    path: *const c_char,
    cards: *const c_char,
    length: usize,
    options: *const asdf_options,
) -> asdf_status {
    set(node, path, |caller, node, path| {
        let options = card_options(&take(caller, options, "asdf_node_set_wcs_cards")?)?;
        Wcs::write_cards(node, path, caller.bytes(cards.cast(), length, "cards")?, &options)
    })
}

/// Writes the WCS of a part of an image: another WCS, for pixels that count from the start of a region of the image's
/// array. Pixel p of the part has the world coordinates of pixel start + step * p of the whole.
///
/// - The last axis of the region is the first pixel axis, x. Further axes of the region, as of a stack of images with
///   one WCS, are ignored; pixel axes without an axis of the region stay whole.
/// - In a tree of gwcs, shifts (and scales, for steps) come before the first transform. The bounding box is moved and
///   limited to the part, and the pixel shape becomes that of the part.
/// - In a WCS of astropy, the reference pixel and, for steps, matrix and distortion are changed.
///
/// @param node   node that the path starts from
/// @param path   the path to write to
/// @param source the WCS of the whole, in any file; ASDF_ERR_NOT_TRANSFORM if it is no WCS, ASDF_ERR_UNSUPPORTED for
///               FITS distortions in tables
/// @param rank   number of axes of the region
/// @param start  first index along each axis; may be NULL for rank 0
/// @param count  number of elements along each axis; ASDF_ERR_INVALID_ARGUMENT for 0. May be NULL for rank 0
/// @param step   distance of indices along each axis, not 0, or NULL for 1
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_node_set_wcs_cutout(
    node: *mut asdf_node,
    path: *const c_char,
    source: *const asdf_node,
    rank: i32,
    start: *const i64,
    count: *const i64,
    step: *const i64,
) -> asdf_status {
    set(node, path, |caller, node, path| {
        let source = caller.handle(source, "source")?;
        Wcs::write_cutout(node, path, source, &region(caller, rank, start, count, step)?)
    })
}

/// Makes cards of a FITS header that approximate the WCS of an image: a tangent plane with polynomials of SIP, for
/// readers that know FITS only. The polynomials have the smallest degree that reaches the errors in the options. The
/// reference pixel is the center of the bounding box, or of the image without one.
///
/// Errors:
///
/// - ASDF_ERR_NO_CONVERGENCE if no degree reaches the errors
/// - ASDF_ERR_NOT_FOUND if the WCS has neither a bounding box nor a pixel shape
/// - ASDF_ERR_OUT_OF_DOMAIN if the image is larger than half of the sky, or its center has no coordinates
/// - ASDF_ERR_UNSUPPORTED for anything but two pixel axes and a celestial frame that FITS has a name for
///
/// @param wcs           the WCS
/// @param options       options, or NULL for the defaults
/// @param cards         gets the cards: 80 characters each, the last one is END; NULL on failure
/// @param error         gets the largest distance in pixels between places of a pixel by the cards and by the WCS; may
///                      be NULL
/// @param inverse_error gets the same for the pixels of a place; may be NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_wcs_make_cards(
    wcs: *const asdf_wcs,
    options: *const asdf_options,
    cards: *mut *mut asdf_buffer,
    error: *mut f64,
    inverse_error: *mut f64,
) -> asdf_status {
    guard_handle(cards, "cards", |caller| -> Result<_> {
        let wcs = caller.handle(wcs, "wcs")?;
        let made = wcs.sip_cards(&sip_options(&take(caller, options, "asdf_wcs_make_cards")?))?;
        caller.optional_out(error).put(made.error);
        caller.optional_out(inverse_error).put(made.inverse_error);
        Ok(buffer_of(made.cards.into_bytes()))
    })
}
