//! Errors and warnings of reads, which the owner of an array locates and keeps.

use super::owner::ArrayOwner;
use crate::array::Array;
use crate::error::{Error, Result, Warning};
use std::any::Any;
use std::sync::Arc;

impl Array {
    /// Returns the array as one of a file.
    pub(crate) fn owned_by(self, owner: Arc<dyn ArrayOwner>) -> Array {
        Array { owner: Some(owner), ..self }
    }

    /// Returns the array without its owner, for objects that the file keeps.
    pub(crate) fn without_owner(self) -> Array {
        Array { owner: None, ..self }
    }

    /// Returns the owner, if it is of this type.
    pub(crate) fn owner<O: ArrayOwner>(&self) -> Option<&O> {
        let owner: &dyn Any = self.owner.as_deref()?;
        owner.downcast_ref()
    }

    /// Adds file and place to an error.
    pub(crate) fn locate(&self, error: Error) -> Error {
        match &self.owner {
            Some(owner) => owner.locate(error),
            None => error,
        }
    }

    /// Adds warnings about the elements to the file.
    pub(crate) fn warn(&self, warnings: &[Warning]) {
        // Finding the path takes longer than opening the array, and usually there is no warning.
        if let Some(owner) = self.owner.as_ref().filter(|_| !warnings.is_empty()) {
            owner.warn(warnings);
        }
    }

    /// Calls `read` unless the file was closed. An error gets the place of the array.
    pub(super) fn located<T>(&self, read: impl FnOnce() -> Result<T>) -> Result<T> {
        if let Some(owner) = &self.owner {
            owner.check_open()?;
        }
        read().map_err(|error| self.locate(error))
    }

    /// Like [`Array::located`]. Warnings are added to the file.
    pub(super) fn checked<T>(&self, read: impl FnOnce() -> Result<(T, Vec<Warning>)>) -> Result<T> {
        let (out, warnings) = self.located(read)?;
        self.warn(&warnings);
        Ok(out)
    }
}
