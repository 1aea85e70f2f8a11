//! Values of `source` in the tree, for arrays whose blocks have no number.

use crate::file::blocks::BlockStore;
use crate::process::Process;
use crate::tree::edit::Content;
use crate::tree::{Style, Tree};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Sources of external and streamed arrays in the file, by the temporary numbers of their blocks.
pub(crate) struct Sources {
    pub(super) texts: BTreeMap<u64, String>,
    /// Created files. They are removed again unless the main file is completed.
    pub(super) made: Vec<PathBuf>,
    process: Process,
}

impl Default for Sources {
    fn default() -> Sources {
        Sources { texts: BTreeMap::new(), made: Vec::new(), process: Process::current() }
    }
}

impl Drop for Sources {
    fn drop(&mut self) {
        if !self.process.is_current() {
            return;
        }
        for path in &self.made {
            // Ignored: the failure that led here is reported.
            let _ = std::fs::remove_file(path);
        }
    }
}

impl Sources {
    /// Keeps the created files, after the main file is completed.
    pub(crate) fn keep(&mut self) {
        self.made.clear();
    }

    /// Returns true if no array needs a source.
    pub(crate) fn is_empty(&self) -> bool {
        self.texts.is_empty()
    }

    /// Sets the sources of external and streamed arrays in the tree to their final values.
    pub(crate) fn set_in(&self, store: &BlockStore, tree: &mut Tree) {
        for (number, unnumbered) in store.unnumbered().iter() {
            let Some(text) = self.texts.get(&number) else { continue };
            let style = if text == STREAMED { Style::Plain } else { Style::Automatic };
            for &owner in &unnumbered.block.owners {
                tree.replace(owner, Content::Scalar(text, style));
            }
        }
    }
}

/// Source of a streamed array: the last block.
pub(super) const STREAMED: &str = "-1";
