//! Validation as an option of opening and writing.

use crate::schema::Schemas;
use std::sync::Arc;

/// Schemas that the content of a file must match.
#[derive(Clone, Debug)]
pub struct Validation {
    /// The schemas, by tags.
    pub schemas: Arc<Schemas>,
    /// URI of a schema that the root must match besides those of its tags.
    pub schema: Option<String>,
}
