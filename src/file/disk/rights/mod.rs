//! Rights of new files: owner, group, mode bits, access control list and extended attributes.
//!
//! A new file has at most the rights of the file that it replaces, belongs to or copies, from its first byte on. A file
//! that replaces another, or belongs to it, is private until it is complete. Then it gets the rights of the other file.
//! Rights that the system does not let it have are not replaced by wider ones.

#[cfg(target_os = "linux")]
mod acl;
#[cfg(target_os = "linux")]
mod attributes;
#[cfg(unix)]
mod unix;

use super::folder::folder_of;
use crate::error::{Error, Result, Warning};
#[cfg(target_os = "linux")]
use attributes::Attributes;
use std::fs::{File, Metadata};
use std::path::Path;
use std::sync::Arc;
#[cfg(unix)]
pub(crate) use unix::Rights;

/// Rights that a new file gets.
pub(crate) enum Grant {
    /// Those of any new file of this process.
    Usual,
    /// Those of the file that is replaced, and its extended attributes.
    OfReplaced(Rights, Attributes),
    /// Those of the file that the new file belongs to.
    OfMain(Rights),
    /// At most those of the files whose content is copied.
    OfOriginals(Limited),
}

/// Mode bits of a copy.
pub(crate) struct Limited {
    originals: Vec<Rights>,
    /// Mode for creating the file; the process's umask narrows it further.
    create: u32,
    /// Mode to set before the file gets its name, if the directory would give it an access control list.
    #[cfg(unix)]
    complete: Option<u32>,
}

impl Grant {
    /// Returns the rights for a file that gets the name `target`. `replaced` are the properties of the file that has
    /// the name now, if there is one. `originals` are the files whose content the new file has.
    pub(crate) fn for_target(target: &Path, replaced: Option<&Metadata>, originals: &[Arc<File>]) -> Result<Grant> {
        if let Some(metadata) = replaced {
            return Ok(Grant::OfReplaced(Rights::at(target, metadata), Attributes::at(target)));
        }
        Grant::of_copy(target, originals)
    }

    /// Returns the rights for a file that belongs to `main`, which may not exist yet.
    pub(crate) fn beside(main: &Path, originals: &[Arc<File>]) -> Result<Grant> {
        match std::fs::metadata(main) {
            Ok(metadata) => Ok(Grant::OfMain(Rights::at(main, &metadata))),
            Err(_) => Grant::of_copy(main, originals),
        }
    }

    fn of_copy(target: &Path, originals: &[Arc<File>]) -> Result<Grant> {
        if originals.is_empty() {
            return Ok(Grant::Usual);
        }
        let originals: std::io::Result<Vec<_>> = originals.iter().map(|original| Rights::of(original)).collect();
        let originals = originals.map_err(|error| Error::io("cannot get the rights of the file", &error))?;
        Ok(Grant::OfOriginals(Limited::of(originals, folder_of(target))))
    }

    /// Returns the mode for creating the file.
    pub(super) fn create_mode(&self) -> u32 {
        match self {
            Grant::Usual => 0o666,
            Grant::OfReplaced(..) | Grant::OfMain(_) => 0o600,
            Grant::OfOriginals(limited) => limited.create,
        }
    }

    /// Checks a file that was just created and is empty.
    pub(super) fn check_created(&self, file: &File) -> std::io::Result<()> {
        match self {
            Grant::OfOriginals(limited) => limited.originals.iter().try_for_each(|original| original.narrow(file)),
            Grant::Usual | Grant::OfReplaced(..) | Grant::OfMain(_) => Ok(()),
        }
    }

    /// Gives a complete file its rights. Returns a warning if it does not get all of them.
    pub(crate) fn complete(&self, file: &File) -> Result<Option<Warning>> {
        match self {
            Grant::Usual => Ok(None),
            Grant::OfReplaced(rights, attributes) => {
                let lost = [rights.pass_on(file), attributes.give(file)].concat();
                Ok((!lost.is_empty()).then(|| {
                    let lost = lost.join(", ");
                    let message = "the file that was replaced had rights or attributes that the new file could not \
                                   get, and nobody got wider rights instead";
                    Warning::new(format!("{message}: {lost}"))
                }))
            }
            Grant::OfMain(rights) => {
                rights.pass_on(file);
                Ok(None)
            }
            Grant::OfOriginals(limited) => limited
                .complete(file)
                .map(|()| None)
                .map_err(|error| Error::io("cannot set the permissions of the new file", &error)),
        }
    }
}

/// Returns the mode bits that copies of this file may have at most; `None` where files have none.
pub(crate) fn mode_of_copies(path: &Path) -> std::io::Result<Option<u32>> {
    let rights = Rights::at(path, &std::fs::metadata(path)?);
    Ok(cfg!(unix).then(|| Limited::of(vec![rights], Path::new("")).create))
}

/// Rights where the system has no mode bits.
#[cfg(not(unix))]
pub(crate) struct Rights(std::fs::Permissions);

#[cfg(not(unix))]
impl Rights {
    pub(super) fn at(_: &Path, metadata: &Metadata) -> Rights {
        Rights(metadata.permissions())
    }

    fn of(file: &File) -> std::io::Result<Rights> {
        file.metadata().map(|metadata| Rights(metadata.permissions()))
    }

    fn narrow(&self, _: &File) -> std::io::Result<()> {
        Ok(())
    }

    pub(super) fn pass_on(&self, file: &File) -> Vec<String> {
        file.set_permissions(self.0.clone())
            .err()
            .map(|error| format!("the permissions ({error})"))
            .into_iter()
            .collect()
    }
}

#[cfg(not(unix))]
impl Limited {
    fn of(originals: Vec<Rights>, _: &Path) -> Limited {
        Limited { originals, create: 0o600 }
    }

    fn complete(&self, _: &File) -> std::io::Result<()> {
        Ok(())
    }
}

/// Extended attributes, which are kept on Linux only.
#[cfg(not(target_os = "linux"))]
pub(crate) struct Attributes;

#[cfg(not(target_os = "linux"))]
impl Attributes {
    fn at(_: &Path) -> Attributes {
        Attributes
    }

    fn give(&self, _: &File) -> Vec<String> {
        Vec::new()
    }
}
