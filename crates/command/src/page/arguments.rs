//! The arguments of `asdfkit page`.

use crate::core::arguments::{TableText, Threads};
use crate::picture::arguments::{Look, MapName, StretchName};
use asdfkit_pictures::array::Interval;
use clap::Args;
use std::path::PathBuf;

/// Write a page about a file that a browser opens without a server
///
/// It shows the tree with search, types, units, meanings from the schemas, pictures of arrays, previews of tables, the
/// history, the layout of the blocks, the description in NDL, and what `verify --quick` finds. The page needs no network
/// and no other file.
#[derive(Args, Debug)]
pub(crate) struct Page {
    /// File to read; `-` is standard input
    pub(crate) file: PathBuf,
    /// Page to write; `-` is standard output
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: PathBuf,
    /// Replace an existing file
    #[arg(long)]
    pub(crate) force: bool,
    #[command(flatten)]
    pub(crate) content: Content,
    #[command(flatten)]
    pub(crate) text: TableText,
    #[command(flatten)]
    pub(crate) threads: Threads,
}

/// Contents of a page.
#[derive(Args, Clone, Debug)]
pub(crate) struct Content {
    /// Tell the meaning of entries by the schemas on the search path, or by those of a package: the path of a folder or a
    /// wheel, or a name such as rad; repeat the option for several
    #[arg(long, value_name = "PACKAGE", num_args = 0..=1, require_equals = true)]
    pub(crate) describe: Option<Vec<String>>,
    /// Rows of each table
    #[arg(long, default_value_t = 100, value_name = "NUMBER")]
    pub(crate) rows: usize,
    /// Nodes of the tree
    #[arg(long, default_value_t = 5000, value_name = "NUMBER")]
    pub(crate) nodes: usize,
    /// Arrays and tables that are shown as pictures and rows
    #[arg(long, default_value_t = 40, value_name = "NUMBER")]
    pub(crate) previews: usize,
}

/// Data that all parts of a tree need.
pub(super) struct Context<'a> {
    pub(super) content: &'a Content,
    pub(super) threads: usize,
    /// Previews that may still be made.
    pub(super) previews: usize,
}

impl Default for Content {
    fn default() -> Content {
        Content { describe: None, rows: 100, nodes: 5000, previews: 40 }
    }
}

/// Returns how the pictures of a page look.
pub(super) fn look() -> Look {
    Look {
        range: Interval::ZScale,
        stretch: StretchName::Linear,
        map: MapName::Viridis,
        from_top: false,
        exact: false,
        no_mask: false,
        wcs: None,
        no_wcs: true,
    }
}
