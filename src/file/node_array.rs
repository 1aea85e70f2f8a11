//! An array of a file: the array itself with the file and the place it comes from.
//!
//! What reading reports goes to the file's warnings, and errors get the file's name and the array's path.

use super::File;
use crate::array::{Array, Datatype, ReadOptions, Region, View};
use crate::error::{Error, Result};
use std::ops::Deref;
use std::sync::Arc;

/// An array in a file, which it keeps alive. Shape, datatype and so on are those of the [`Array`] that it leads to.
#[derive(Clone)]
pub struct NodeArray {
    array: Array,
    file: File,
    path: Arc<str>,
}

impl NodeArray {
    pub(super) fn new(array: Array, file: File, path: String) -> NodeArray {
        file.warn(array.warnings().iter().map(|warning| warning.clone().at_path(&*path)));
        NodeArray { array, file, path: path.into() }
    }

    /// The file that the array belongs to.
    pub fn file(&self) -> &File {
        &self.file
    }

    /// Reads all elements, as [`Array::read`] does.
    pub fn read(&self, target: &Datatype, out: &mut [u8], options: &ReadOptions) -> Result<()> {
        self.file.check_open()?;
        let warnings = self.array.read(target, out, options).map_err(|error| self.place(error))?;
        self.file.warn(warnings);
        Ok(())
    }

    /// Reads a region, as [`Array::read_region`] does.
    pub fn read_region(&self, region: &Region, target: &Datatype, out: &mut [u8], options: &ReadOptions) -> Result<()> {
        self.file.check_open()?;
        let warnings = self.array.read_region(region, target, out, options).map_err(|error| self.place(error))?;
        self.file.warn(warnings);
        Ok(())
    }

    /// Shows the elements where they are, as [`Array::view`] does.
    pub fn view(&self, target: &Datatype) -> Result<View> {
        self.file.check_open()?;
        self.array.view(target).map_err(|error| self.place(error))
    }

    fn place(&self, error: Error) -> Error {
        self.file.name_in(error.at_path(&*self.path))
    }
}

impl Deref for NodeArray {
    type Target = Array;

    fn deref(&self) -> &Array {
        &self.array
    }
}
