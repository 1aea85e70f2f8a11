//! Conversion of options into those for opening, creating and writing files.

use super::access::{ASDF_ACCESS_DENY, ASDF_ACCESS_SAME_DIRECTORY};
use super::write::{ASDF_CONTAINER_ASDF, ASDF_CONTAINER_FITS, ASDF_SAVE_AUTO, ASDF_SAVE_IN_PLACE, ASDF_SAVE_WHOLE};
use crate::array::TemporaryFiles;
use crate::error::{Error, Result, Status};
use crate::ffi::options::choice::{Choice, choice};
use crate::ffi::options::keys::*;
use crate::ffi::options::table::in_words;
use crate::ffi::options::taken::{Taken, both};
use crate::file::{Access, Container, ExternalNames, NewOptions, OpenOptions, SaveMode, Validation, WriteOptions};
use crate::remote::Remote;
use crate::tags::StandardVersion;

pub(crate) const ACCESSES: Choice<Access> = choice![
    ASDF_ACCESS_DENY => Access::Deny,
    ASDF_ACCESS_SAME_DIRECTORY => Access::SameDirectory,
];

pub(crate) const SAVE_MODES: Choice<SaveMode> = choice![
    ASDF_SAVE_AUTO => SaveMode::Auto,
    ASDF_SAVE_WHOLE => SaveMode::Whole,
    ASDF_SAVE_IN_PLACE => SaveMode::InPlace,
];

pub(crate) const CONTAINERS: Choice<Container> = choice![
    ASDF_CONTAINER_ASDF => Container::Asdf,
    ASDF_CONTAINER_FITS => Container::Fits,
];

/// Options of opening a file.
pub(crate) fn open_options(options: &Taken) -> Result<OpenOptions> {
    let usual = OpenOptions::default();
    let mut codecs = usual.codecs;
    for codec in options.codecs() {
        codecs.add(codec.clone());
    }
    Ok(OpenOptions {
        limits: options.limits(),
        cache_bytes: options.count(ASDF_OPTION_CACHE_BYTES),
        temporary_files: temporary_files(options),
        verify_checksums: options.flag(ASDF_OPTION_VERIFY_CHECKSUMS, usual.verify_checksums),
        mapped: options.flag(ASDF_OPTION_MAPPED, usual.mapped),
        lock: options.flag(ASDF_OPTION_LOCK, usual.lock),
        durable: options.flag(ASDF_OPTION_DURABLE_REGIONS, usual.durable),
        strict: options.flag(ASDF_OPTION_WARNINGS_AS_ERRORS, usual.strict),
        access: access(options)?.unwrap_or(usual.access),
        codecs,
        validation: validation(options),
        remote: Remote {
            library: options.file_name(ASDF_OPTION_REMOTE).map(ToOwned::to_owned),
            settings: options.text(ASDF_OPTION_REMOTE_SETTINGS).unwrap_or_default().to_owned(),
        },
    })
}

/// Returns the place of temporary files.
pub(crate) fn temporary_files(options: &Taken) -> TemporaryFiles {
    match options.file_name(ASDF_OPTION_TEMPORARY_DIRECTORY) {
        None => TemporaryFiles::SystemDirectory,
        Some(name) if name.as_os_str().is_empty() => TemporaryFiles::Never,
        Some(name) => TemporaryFiles::Directory(name.to_owned()),
    }
}

/// Returns the schemas that the content must match.
fn validation(options: &Taken) -> Option<Validation> {
    let schema = options.text(ASDF_OPTION_ROOT_SCHEMA).filter(|uri| !uri.is_empty()).map(str::to_owned);
    options.schemas().map(|schemas| Validation { schemas, schema })
}

/// Returns the access that an option sets.
fn access(options: &Taken) -> Result<Option<Access>> {
    let constant = ACCESSES.taken(options, ASDF_OPTION_ACCESS);
    let directories = options.file_names(ASDF_OPTION_DIRECTORIES).map(Access::Roots);
    let resolver = options.resolver();
    match (constant, directories, resolver) {
        (Some(_), Some(_), _) => Err(both("ASDF_OPTION_ACCESS", "ASDF_OPTION_DIRECTORIES")),
        (Some(_), _, Some(_)) => Err(both("ASDF_OPTION_ACCESS", "ASDF_OPTION_RESOLVER")),
        (_, Some(_), Some(_)) => Err(both("ASDF_OPTION_DIRECTORIES", "ASDF_OPTION_RESOLVER")),
        (None, directories, resolver) => Ok(directories.or(resolver)),
        (constant, None, None) => Ok(constant.cloned()),
    }
}

/// Options of a new file.
pub(crate) fn new_options(options: &Taken) -> Result<NewOptions> {
    let old_readers = options.flag(ASDF_OPTION_OLD_READERS, NewOptions::default().old_readers);
    let standard = match options.text(ASDF_OPTION_STANDARD) {
        None if old_readers => StandardVersion::V1_5_0,
        None => NewOptions::default().standard,
        Some(text) => standard(text, "ASDF_OPTION_STANDARD")?,
    };
    Ok(NewOptions { standard, old_readers, limits: options.limits() })
}

/// Returns the version of the standard that an option names.
fn standard(text: &str, option: &str) -> Result<StandardVersion> {
    StandardVersion::from_text(text).ok_or_else(|| {
        let [oldest, .., newest] = StandardVersion::ALL.map(StandardVersion::as_str);
        let (option, text) = (in_words(option), text.escape_debug());
        let message =
            format!("{option} is '{text}', which is no known version of the ASDF standard; use {oldest} to {newest}");
        Error::new(Status::InvalidArgument, message)
    })
}

/// Options of writing a file.
pub(crate) fn write_options(options: &Taken) -> Result<WriteOptions> {
    let usual = WriteOptions::default();
    Ok(WriteOptions {
        replace: options.flag(ASDF_OPTION_REPLACE, usual.replace),
        durable: options.flag(ASDF_OPTION_DURABLE, usual.durable),
        alignment: options
            .count(ASDF_OPTION_ALIGNMENT)
            .map_or(usual.alignment, |alignment| u32::try_from(alignment).unwrap_or(u32::MAX)),
        tree_slack: options.count(ASDF_OPTION_TREE_SLACK),
        checksums: options.flag(ASDF_OPTION_CHECKSUMS, usual.checksums),
        block_index: options.flag(ASDF_OPTION_BLOCK_INDEX, usual.block_index),
        threads: options.threads(),
        external_names: match options.text(ASDF_OPTION_EXTERNAL_NAMES) {
            Some(pattern) => ExternalNames::new(pattern)?,
            None => usual.external_names,
        },
        save_mode: SAVE_MODES.taken(options, ASDF_OPTION_SAVE_MODE).copied().unwrap_or(usual.save_mode),
        container: CONTAINERS.taken(options, ASDF_OPTION_CONTAINER).copied().unwrap_or(usual.container),
        as_standard: match options.text(ASDF_OPTION_AS_STANDARD) {
            Some(text) => Some(standard(text, "ASDF_OPTION_AS_STANDARD")?),
            None => None,
        },
        validation: validation(options),
    })
}
