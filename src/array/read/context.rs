//! The file that an array belongs to: it refuses reads after it was closed, places errors and keeps warnings.

use crate::error::{Error, Result, Warning};
use std::any::Any;
use std::fmt::Debug;

/// Place of an array in a file.
pub(crate) trait Context: Any + Debug + Send + Sync {
    /// Fails if the file was closed.
    fn check_open(&self) -> Result<()>;

    /// Adds file and place to an error.
    fn locate(&self, error: Error) -> Error;

    /// Adds warnings about the elements to those of the file.
    fn warn(&self, warnings: &[Warning]);
}
