//! Checksums of HDUs whose data were overwritten, and the hash of headers in the tree, which depends on them.

use crate::error::Result;
use crate::file::File;
use crate::file::disk::overwritten::Overwritten;
use crate::fits::FitsFile;
use crate::tree::edit::Content;
use crate::tree::{Key, Scalar, Style};

/// Key of the root whose value is the hash of the headers. With another hash, `stdatamodels` reads the cards again.
const HASH: &str = "_fits_hash";

impl File {
    /// Renews the checksums in the headers of HDUs whose data were overwritten, if they have checksums. If the tree has
    /// the right hash of the headers, it gets the new one.
    pub(super) fn renew_hdu_sums(&self, fits: &FitsFile, overwritten: &mut Overwritten) -> Result<()> {
        let known = self.hash_in_tree()?.filter(|_| !overwritten.hdus.is_empty());
        let is_right = match &known {
            Some(known) => *known == fits.hash_of_headers(&[])?,
            None => false,
        };
        let mut changed = Vec::new();
        for hdu in overwritten.hdus.clone() {
            if let Some((place, header)) = fits.renewed_sums(hdu, &*overwritten.file)? {
                overwritten.replace(place, &header)?;
                changed.push((hdu, header));
            }
        }
        if !is_right {
            return Ok(());
        }
        let hash = fits.hash_of_headers(&changed)?;
        if known.as_ref() != Some(&hash) {
            let mut state = self.own_state()?;
            let tree = state.tree_mut();
            let root = tree.root();
            if let Some(place) = tree.find(root, Key::String(HASH)) {
                let place = tree.dealias(place);
                tree.replace(place, Content::Scalar(&hash, Style::Automatic));
                state.is_changed = true;
            }
        }
        Ok(())
    }

    fn hash_in_tree(&self) -> Result<Option<String>> {
        let tree = self.tree()?;
        let Some(place) = tree.find(tree.root(), Key::String(HASH)) else { return Ok(None) };
        Ok(match tree.scalar(tree.dealias(place)) {
            Ok(Scalar::String(hash)) => Some(hash.to_owned()),
            _ => None,
        })
    }
}
