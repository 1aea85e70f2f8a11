//! Schemas that the arguments of a sub-command name.

use super::failure::{Failure, Result};
use asdfkit::schema::Schemas;
use asdfkit::{Error, Status};
use clap::Args;
use std::path::Path;

/// A schema besides those of tags.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct RootSchema {
    /// Schema that the root must match besides those of its tags: a file, or the URI of a schema of the packages
    #[arg(long, value_name = "SCHEMA")]
    schema: Option<String>,
}

/// Schemas, with the URI of the one of the root.
pub(crate) struct Loaded {
    pub(crate) schemas: Schemas,
    pub(crate) schema: Option<String>,
    /// Name of the file of that schema.
    file: Option<String>,
}

impl Loaded {
    /// Names the file of the schema of the root in an error about it.
    pub(crate) fn named(&self, error: Error) -> Failure {
        match &self.file {
            Some(name) if error.location().file.as_deref() == self.schema.as_deref() => {
                Failure::Library(error).of_stand_in(name, true)
            }
            _ => error.into(),
        }
    }
}

impl RootSchema {
    /// Returns whether a schema is given.
    pub(crate) fn is_given(&self) -> bool {
        self.schema.is_some()
    }

    /// Loads packages, or all on the search path if there are none, and the schema of the root. With that schema alone,
    /// no packages are needed.
    pub(crate) fn load(&self, packages: Option<&[String]>) -> Result<Loaded> {
        let mut schemas = match (packages, &self.schema) {
            (None, Some(_)) => Schemas::load::<&str>(&[]).unwrap_or_default(),
            (packages, _) => Schemas::load(packages.unwrap_or_default())?,
        };
        let mut file = None;
        let schema = match &self.schema {
            Some(name) if Path::new(name).is_file() => {
                let failed = |error| Failure::System(format!("cannot read '{name}'"), error);
                file = Some(name.clone());
                let added = schemas.add_text_of(&std::fs::read_to_string(name).map_err(failed)?, name);
                Some(added.map_err(|error| Failure::Library(error).of_stand_in(name, true))?)
            }
            // A URI has a colon.
            Some(name) if !name.contains(':') => {
                return Err(Error::new(Status::FileNotFound, "there is no such file of a schema")
                    .in_file(&name.as_str().into())
                    .into());
            }
            other => other.clone(),
        };
        Ok(Loaded { schemas, schema, file })
    }
}
