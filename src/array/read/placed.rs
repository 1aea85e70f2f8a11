//! Arrays with and without a place in a file: errors and warnings of their reads.

use super::context::Context;
use crate::array::Array;
use crate::error::{Error, Result, Warning};
use std::any::Any;
use std::sync::Arc;

impl Array {
    /// Returns the array with a place.
    pub(crate) fn placed(self, context: Arc<dyn Context>) -> Array {
        Array { context: Some(context), ..self }
    }

    /// Returns the array without its place, for objects that the file keeps.
    pub(crate) fn unplaced(self) -> Array {
        Array { context: None, ..self }
    }

    /// Returns the place, if it is of this type.
    pub(crate) fn context<C: Context>(&self) -> Option<&C> {
        let context: &dyn Any = self.context.as_deref()?;
        context.downcast_ref()
    }

    /// Adds file and place to an error.
    pub(crate) fn locate(&self, error: Error) -> Error {
        match &self.context {
            Some(context) => context.locate(error),
            None => error,
        }
    }

    /// Adds warnings about the elements to the file.
    pub(crate) fn warn(&self, warnings: &[Warning]) {
        // Finding the path takes longer than opening the array, and usually there is no warning.
        if let Some(context) = self.context.as_ref().filter(|_| !warnings.is_empty()) {
            context.warn(warnings);
        }
    }

    /// Calls `read` unless the file was closed. An error gets the place of the array.
    pub(super) fn located<T>(&self, read: impl FnOnce() -> Result<T>) -> Result<T> {
        if let Some(context) = &self.context {
            context.check_open()?;
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
