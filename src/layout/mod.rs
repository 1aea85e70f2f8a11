//! The byte layout of an ASDF file: header line, comments, tree, padding, blocks, block index and checksums.
//!
//! Reads this structure and plans it for writing. The tree is a range of bytes here; YAML and arrays are handled
//! elsewhere.

mod block;
mod blocks;
mod chain;
mod checksum;
mod header;
mod index;
mod indexed;
mod plan;
mod salvage;
mod standard;
mod trailing;
mod tree_extent;

use crate::error::{Result, Warning};
use crate::limits::Limits;
use crate::source::{Source, Witness};
use std::ops::Range;
use std::sync::Arc;

pub(crate) use block::BlockHeader;
pub(crate) use blocks::Blocks;
pub(crate) use checksum::{Checksum, Hasher, has_checksum, md5_counted, md5_of_range, md5_of_ranges, verify_checksum};
pub use checksum::{ChecksumMatch, md5};
pub(crate) use header::{encode_header_lines, header_in_standard};
pub(crate) use index::{index_of, only_index_follows};
pub(crate) use plan::{BlockRequest, PAGE, PlanOptions, Planner, TreeSlack, slack_before, slack_bytes};
pub(crate) use salvage::{Salvage, SalvagedBlock, SalvagedText};
pub use standard::Standard;
pub(crate) use tree_extent::TreeText;

/// The parts of an ASDF file and their offsets.
pub struct Layout {
    /// The version of the file format in the first line: `1.0.0`, or a later patch version, with a warning.
    pub format_version: String,
    /// The version of the standard that the file declares, and the known version by which it is read.
    pub standard: Standard,
    /// The comment lines in file order, without the `#` and surrounding blanks. They include the line that declares the
    /// standard.
    pub comments: Vec<String>,
    /// Range of the header line and the comments, from the start of the file.
    pub header: Range<u64>,
    /// The tree; `None` if the file has no tree.
    pub tree: Option<TreeText>,
    /// The blocks, searched on demand.
    pub blocks: Blocks,
    warnings: Vec<Warning>,
}

impl Layout {
    /// Reads the header line, the comments, the tree and the header of the first block. The rest of the file is not
    /// read.
    ///
    /// Fails with [`NotAsdf`](crate::Status::NotAsdf), [`Version`](crate::Status::Version),
    /// [`Layout`](crate::Status::Layout), [`Truncated`](crate::Status::Truncated),
    /// [`BlockHeader`](crate::Status::BlockHeader), [`Limit`](crate::Status::Limit) or an error of the source.
    pub fn read(source: Arc<dyn Source>, limits: &Limits) -> Result<Layout> {
        let length = source.len();
        let mut warnings = Vec::new();
        let (header, bytes) = header::read(&*source, length, &mut warnings)?;
        source.remember(Witness::Header(Arc::new(bytes.get(..header.length as usize).unwrap_or_default().to_vec())));
        let mut tree = None;
        let mut first_block = (header.follows == header::Follows::Block).then_some(header.length);
        if header.follows == header::Follows::Tree {
            let start = bytes.get(header.length as usize..).unwrap_or_default();
            let extent = tree_extent::read(&*source, length, header.length, header.lines + 1, start, limits)?;
            first_block = extent.first_block;
            if first_block.is_none() {
                warnings.extend(tree_extent::warn_of_leftovers(&*source, extent.text.range.end..length)?);
            }
            tree = Some(extent.text);
        }
        let blocks = Blocks::new(source, length, first_block, &bytes, limits, header.crlf)?;
        Ok(Layout {
            format_version: header.format_version,
            standard: header.standard,
            comments: header.comments,
            header: 0..header.length,
            tree,
            blocks,
            warnings,
        })
    }

    /// Returns the layout of the same file after its last block has become longer. `source` reads the longer file. The
    /// tree is not read again.
    pub(crate) fn grown(&self, source: Arc<dyn Source>, limits: &Limits) -> Result<Layout> {
        Ok(Layout {
            format_version: self.format_version.clone(),
            standard: self.standard.clone(),
            comments: self.comments.clone(),
            header: self.header.clone(),
            tree: None,
            blocks: self.blocks.grown(source, limits)?,
            warnings: self.warnings.clone(),
        })
    }

    /// Returns the layout of the same file after blocks were appended. `offsets` are those of all blocks. The tree is not
    /// read again.
    pub(crate) fn longer(&self, source: Arc<dyn Source>, offsets: Vec<u64>, limits: &Limits) -> Result<Layout> {
        let grown = self.grown(source, limits)?;
        Ok(Layout { blocks: grown.blocks.at_offsets(offsets), ..grown })
    }

    /// Returns the warnings found so far, in the order in which they were found. Warnings about a block appear after
    /// its header is read; [`Blocks::check`] reads all headers.
    pub fn warnings(&self) -> Vec<Warning> {
        let mut all = self.warnings.clone();
        all.extend(self.blocks.warnings());
        all
    }

    /// Returns the number of warnings that were found but not kept.
    pub(crate) fn dropped_warning_count(&self) -> u64 {
        self.blocks.dropped_warning_count()
    }
}

#[cfg(test)]
mod tests;
