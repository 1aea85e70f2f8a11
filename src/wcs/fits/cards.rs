//! A WCS from header cards, and as a tree.

use super::card::Header;
use super::chain::chain;
use super::description::Description;
use super::frames::{pixels, world};
use super::model::model;
use super::tree::TreeWriter;
use crate::error::Result;
use crate::file::{File, Node, OpenOptions};
use crate::tags;
use crate::wcs::model::BoundingBox;
use crate::wcs::options::CardOptions;
use crate::wcs::world::Wcs;
use std::sync::Arc;

impl Wcs {
    /// Builds the WCS that cards of a FITS header describe: cards of 80 characters in a row, or one in each line.
    ///
    /// ```
    /// # use asdfkit::wcs::{CardOptions, Wcs};
    /// let cards = "CTYPE1  = 'RA---TAN'\nCTYPE2  = 'DEC--TAN'\nCRPIX1  = 51\nCRPIX2  = 51\nCRVAL1  = 30\n\
    ///     CRVAL2  = -40\nCDELT1  = -0.001\nCDELT2  = 0.001\n";
    /// let wcs = Wcs::from_cards(cards, &CardOptions::default())?;
    /// let world = wcs.world(&[50.0, 50.0])?;
    /// assert!((world[0] - 30.0).abs() < 1e-12 && (world[1] + 40.0).abs() < 1e-12);
    /// # Ok::<(), asdfkit::Error>(())
    /// ```
    ///
    /// Pixels count from 0, as everywhere: pixel (0, 0) is pixel (1, 1) of FITS. The projections of Calabretta &
    /// Greisen and HEALPix, matrices (`PC`, `CD`, `CROTA`), linear and logarithmic axes and SIP distortions are read.
    /// `NAXISn` give the pixel shape; there is no bounding box.
    ///
    /// Cards that the WCS does not need may be damaged, or have bytes that are not ASCII.
    ///
    /// Fails with [`Status::InvalidArgument`](crate::Status::InvalidArgument) for other cards that cannot be read, and
    /// for cards that make no WCS, with [`Status::Units`](crate::Status::Units) for units that do not fit the axis, with
    /// [`Status::Singular`](crate::Status::Singular) for a matrix without inverse, and with
    /// [`Status::Unsupported`](crate::Status::Unsupported) for other projections and distortions.
    pub fn from_cards(cards: impl AsRef<[u8]>, options: &CardOptions) -> Result<Wcs> {
        let description = Description::read(&Header::parse(cards.as_ref())?, options.alternate)?;
        of_description(&description, None)
    }
}

/// Builds the WCS of a description, with the limits of the pixels.
pub(super) fn of_description(description: &Description, limits: Option<BoundingBox>) -> Result<Wcs> {
    let mut model = model(&chain(description)?)?;
    if let Some(limits) = limits {
        model.set_limits(Some(Arc::new(crate::wcs::model::Limits::Box(limits))));
    }
    Ok(Wcs::of_model(
        description.name.clone(),
        pixels(description),
        model,
        world(description),
        description.shape.clone(),
    ))
}

impl Wcs {
    /// Writes the WCS that cards of a FITS header describe to a path below a node, as a tree
    /// of gwcs. [`Wcs::from_cards`] says which
    /// cards are read.
    ///
    /// `NAXISn` become the pixel shape and the bounding box. Polynomials that undo SIP distortions within the image are
    /// computed and written as their inverse: readers need not iterate.
    ///
    /// Fails like [`Wcs::from_cards`]; nothing is written then.
    pub fn write_cards(node: &Node, path: &str, cards: impl AsRef<[u8]>, options: &CardOptions) -> Result<()> {
        node.setting(path, || {
            let description = Description::read(&Header::parse(cards.as_ref())?, options.alternate)?;
            let chain = chain(&description)?;
            let standard = node.file().standard_version();
            let text = TreeWriter::new(standard)?.wcs(&description, &chain);
            let made = made_file(&format!("wcs: {text}"), node)?;
            node.copy_from(path, &made.root()?.at("wcs")?, None)
        })
    }
}

/// Returns a file in memory with this tree, of the standard of the file of a node.
pub(super) fn made_file(tree: &str, target: &Node) -> Result<File> {
    let standard = target.file().standard_version().as_str();
    let head =
        format!("#ASDF 1.0.0\n#ASDF_STANDARD {standard}\n%YAML 1.1\n%TAG ! {}\n--- !core/asdf-1.1.0", tags::STANDARD);
    let text = format!("{head}\n{tree}\n...\n");
    File::open_memory(Arc::new(text.into_bytes()), &OpenOptions::default())
}
