//! ASDF → FITS.
//!
//! A node with the tag `fits/fits` becomes the file that it describes. Where the key `cards` stands beside it, cards
//! and data that nobody changed get the bytes that they had. Any other tree is written by the rule in `tree`.

mod entries;
mod hdus;
mod image;
mod merge;
mod output;
mod stored;
mod structure;
mod table;
mod tree;

use std::ffi::c_void;
use std::path::Path;

use crate::core::{File, Node};
use crate::failure::Result;
use crate::report::Report;
use output::Output;

/// Options of the new file.
#[derive(Clone, Copy)]
pub(crate) struct Settings {
    /// Options of the caller, also for opening the ASDF file; may be NULL.
    pub(crate) options: *mut c_void,
    /// True if a file of the name is replaced.
    pub(crate) replace: bool,
    /// True if the call waits until the file is on disk.
    pub(crate) durable: bool,
}

/// Writes the content of an ASDF file as a FITS file.
pub(crate) fn write(asdf: &Path, fits: &Path, settings: Settings, report: &mut Report) -> Result<()> {
    let file = File::open(asdf, settings.options)?;
    let root = file.root()?;
    let mut output = Output::create(fits, settings)?;
    match find_hdus(&root)? {
        Some(key) => hdus::write(&root, &key, &mut output, report)?,
        None => tree::write(&root, &mut output, report)?,
    }
    output.finish()
}

/// Key of the first node of the root that has the tag `fits/fits`.
fn find_hdus(root: &Node) -> Result<Option<String>> {
    for index in 0..root.count("")? {
        let is_hdus = root.item("", index).is_ok_and(|node| node.tag().contains("/fits/fits-"));
        if is_hdus {
            return root.key(index).map(Some);
        }
    }
    Ok(None)
}
