//! The owner of an array, a node of a file: it refuses reads after the file was closed, locates errors and keeps
//! warnings. An array that a program makes has no owner.

use crate::error::{Error, Result, Warning};
use std::any::Any;
use std::fmt::Debug;

/// Owner of an array.
pub(crate) trait ArrayOwner: Any + Debug + Send + Sync {
    /// Fails if the file was closed.
    fn check_open(&self) -> Result<()>;

    /// Adds file and place to an error.
    fn locate(&self, error: Error) -> Error;

    /// Adds warnings about the elements to those of the file.
    fn warn(&self, warnings: &[Warning]);
}
