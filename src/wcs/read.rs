//! A WCS from a node: of gwcs, or of astropy.

use super::build::fields::{Fields, refused};
use super::fits;
use super::kind::{Kind, kind_of};
use super::options::BuildOptions;
use super::world::Wcs;
use crate::error::{Error, Result, Status};
use crate::file::Node;

/// Largest number of wrappers around a WCS.
const MAX_WRAPPERS: usize = 32;

impl Wcs {
    /// Returns whether there is a WCS at a node, by its tag.
    pub fn is_at(node: &Node) -> Result<bool> {
        Ok(node.tag("")?.is_some_and(|tag| kind_of(&tag).is_some()))
    }

    /// Reads the WCS at a node: of gwcs, or one of `astropy.wcs` as asdf-astropy stores it, also sliced or wrapped.
    ///
    /// A transform that is not known, or not valid, is no failure for a WCS of gwcs: the frames can be used, and calls
    /// that need the transform fail. A FITS WCS is read as by [`Wcs::from_cards`].
    pub fn from_node(node: &Node, options: &BuildOptions) -> Result<Wcs> {
        let mut node = node.resolved()?;
        let mut slices = Vec::new();
        loop {
            let tag = node.tag("")?.unwrap_or_default();
            let mut wcs = match kind_of(&tag) {
                Some(Kind::Gwcs) => Wcs::of_gwcs(&node, options)?,
                Some(Kind::Fits) => fits::read(&node)?,
                Some(kind @ (Kind::Sliced | Kind::Wrapped)) => {
                    let fields = Fields::new(&node)?;
                    if kind == Kind::Sliced {
                        slices.push(fits::Slices::read(&fields)?);
                    }
                    if slices.len() > MAX_WRAPPERS {
                        return Err(node.locate(Error::limit("slices of a WCS", MAX_WRAPPERS as u64)));
                    }
                    let inner = fields.required("wcs")?.resolved()?;
                    if inner.identity("")? == node.identity("")? {
                        return refused(&node, Status::ReferenceCycle, "the WCS contains itself");
                    }
                    node = inner;
                    continue;
                }
                None => return refused(&node, Status::NotTransform, "the node is not a WCS"),
            };
            for slice in slices.iter().rev() {
                wcs = slice.apply(&wcs)?;
            }
            return Ok(wcs);
        }
    }
}
