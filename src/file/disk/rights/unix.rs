//! Rights on Unix systems: owner, group and mode bits; on Linux also the access control list and extended attributes.

use super::Limited;
#[cfg(target_os = "linux")]
use super::acl::{self, Acl};
use std::fs::{File, Metadata, Permissions};
use std::io::Result;
use std::os::unix::fs::{MetadataExt, PermissionsExt, fchown};
use std::path::Path;

const SET_USER: u32 = 0o4000;
const SET_GROUP: u32 = 0o2000;

/// Rights of an existing file.
pub(crate) struct Rights {
    user: u32,
    group: u32,
    mode: u32,
    #[cfg(target_os = "linux")]
    acl: Option<Acl>,
}

/// Permissions of owner, group and others, three bits each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Classes {
    pub(super) owner: u32,
    pub(super) group: u32,
    pub(super) other: u32,
}

impl Classes {
    fn of_mode(mode: u32) -> Classes {
        Classes { owner: mode >> 6 & 7, group: mode >> 3 & 7, other: mode & 7 }
    }

    fn mode(self) -> u32 {
        self.owner << 6 | self.group << 3 | self.other
    }

    /// Narrows the permissions for a file with another owner or group. The former owner then belongs to the group or
    /// to the others, members of the former group to the others, and others to the group. None of them gets more.
    pub(super) fn narrowed(self, kept: Kept) -> Classes {
        let Classes { owner, mut group, mut other } = self;
        if !kept.group {
            (group, other) = (group & other, group & other);
        }
        if !kept.user {
            (group, other) = (group & owner, other & owner);
        }
        Classes { owner, group, other }
    }
}

/// Properties that a new file takes over from another file.
#[derive(Clone, Copy)]
pub(super) struct Kept {
    pub(super) user: bool,
    pub(super) group: bool,
}

impl Rights {
    /// Returns the rights of the file at a path.
    pub(in crate::file::disk) fn at(path: &Path, metadata: &Metadata) -> Rights {
        Rights {
            user: metadata.uid(),
            group: metadata.gid(),
            mode: metadata.mode() & 0o7777,
            #[cfg(target_os = "linux")]
            acl: Acl::at(path),
        }
    }

    /// Returns the rights of an open file.
    pub(super) fn of(file: &File) -> Result<Rights> {
        let metadata = file.metadata()?;
        Ok(Rights {
            user: metadata.uid(),
            group: metadata.gid(),
            mode: metadata.mode() & 0o7777,
            #[cfg(target_os = "linux")]
            acl: Acl::of(file),
        })
    }

    /// Gives a private file of this process the owner, the group, the access control list and the mode, as far as the
    /// system allows. Returns descriptions of what it did not get.
    pub(in crate::file::disk) fn pass_on(&self, file: &File) -> Vec<String> {
        let mut lost = Vec::new();
        let kept = self.pass_owner_on(file);
        if !kept.user {
            lost.push(format!("the owner (user {})", self.user));
        }
        if !kept.group {
            lost.push(format!("the group ({})", self.group));
        }
        if let Err(error) = self.pass_permissions_on(file, kept, &mut lost) {
            lost.push(format!("the permissions ({error})"));
        }
        lost
    }

    fn pass_owner_on(&self, file: &File) -> Kept {
        let kept = || {
            file.metadata().map_or(Kept { user: false, group: false }, |own| Kept {
                user: own.uid() == self.user,
                group: own.gid() == self.group,
            })
        };
        let before = kept();
        if before.user && before.group {
            return before;
        }
        if fchown(file, Some(self.user), Some(self.group)).is_err() {
            // Changing the group alone may be allowed.
            let _ = fchown(file, None, Some(self.group));
        }
        kept()
    }

    fn pass_permissions_on(&self, file: &File, kept: Kept, lost: &mut Vec<String>) -> Result<()> {
        let mut special = self.mode & 0o7000;
        if !kept.user {
            special &= !SET_USER;
        }
        if !kept.group {
            special &= !SET_GROUP;
        }
        let classes = self.pass_list_on(file, kept, lost)?;
        file.set_permissions(Permissions::from_mode(special | classes.mode()))
    }

    /// Gives a file the access control list, and returns the permissions to set afterwards.
    #[cfg(target_os = "linux")]
    fn pass_list_on(&self, file: &File, kept: Kept, lost: &mut Vec<String>) -> Result<Classes> {
        let Some(acl) = &self.acl else {
            // The directory may have given the file a list.
            acl::remove(file)?;
            return Ok(Classes::of_mode(self.mode).narrowed(kept));
        };
        match acl.give(file, kept) {
            Ok(classes) => Ok(classes),
            Err(error) => {
                lost.push(format!("the access control list ({error})"));
                acl::remove(file)?;
                Ok(acl.classes_without_list().narrowed(kept))
            }
        }
    }

    #[cfg(not(target_os = "linux"))]
    #[allow(clippy::unnecessary_wraps)]
    fn pass_list_on(&self, _: &File, kept: Kept, _: &mut Vec<String>) -> Result<Classes> {
        Ok(Classes::of_mode(self.mode).narrowed(kept))
    }

    /// Returns the mode bits of group and others that a copy may have. Its owner can always read and write it.
    fn copied(&self, kept: Kept) -> u32 {
        #[cfg(target_os = "linux")]
        let classes = self.acl.as_ref().map_or(Classes::of_mode(self.mode), Acl::classes_without_list);
        #[cfg(not(target_os = "linux"))]
        let classes = Classes::of_mode(self.mode);
        0o600 | classes.narrowed(kept).mode() & 0o066
    }

    /// Takes bits from an empty copy whose owner or group is not that of the original.
    pub(super) fn narrow(&self, file: &File) -> Result<()> {
        let metadata = file.metadata()?;
        let kept = Kept { user: metadata.uid() == self.user, group: metadata.gid() == self.group };
        let (mode, most) = (metadata.mode() & 0o7777, self.copied(kept));
        if mode & !most == 0 { Ok(()) } else { file.set_permissions(Permissions::from_mode(mode & most)) }
    }
}

impl Limited {
    /// Returns the mode bits of a copy that this process makes in a directory.
    pub(super) fn of(originals: Vec<Rights>, folder: &Path) -> Limited {
        // A directory with the set-group bit gives its own group to new files.
        let of_folder = std::fs::metadata(folder).ok().filter(|metadata| metadata.mode() & SET_GROUP != 0);
        let (user, group) = process_owner();
        let group = of_folder.map_or(group, |metadata| Some(metadata.gid()));
        let modes = originals.iter().map(|original| {
            original.copied(Kept { user: user == Some(original.user), group: group == Some(original.group) })
        });
        let mode = modes.fold(0o666, |mode, of_one| mode & of_one);
        #[cfg(target_os = "linux")]
        if let Some(default) = Acl::default_of(folder) {
            let complete = Some(0o600 | mode & default.classes_of_entries().mode());
            return Limited { originals, create: 0o600, complete };
        }
        Limited { originals, create: mode, complete: None }
    }

    /// Gives a private copy its mode instead of the access control list of the directory.
    pub(super) fn complete(&self, file: &File) -> Result<()> {
        let Some(mode) = self.complete else { return Ok(()) };
        #[cfg(target_os = "linux")]
        acl::remove(file)?;
        file.set_permissions(Permissions::from_mode(mode))
    }
}

/// Returns the user and the group that own new files of this process, if they are known.
#[cfg(target_os = "linux")]
fn process_owner() -> (Option<u32>, Option<u32>) {
    (Some(rustix::process::geteuid().as_raw()), Some(rustix::process::getegid().as_raw()))
}

#[cfg(not(target_os = "linux"))]
fn process_owner() -> (Option<u32>, Option<u32>) {
    (None, None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_gets_more_with_another_owner_or_group() {
        let narrowed = |mode, user, group| Classes::of_mode(mode).narrowed(Kept { user, group }).mode();
        assert_eq!(narrowed(0o640, true, true), 0o640);
        assert_eq!(narrowed(0o640, true, false), 0o600);
        assert_eq!(narrowed(0o664, true, false), 0o644);
        // The former group may not read, the others may.
        assert_eq!(narrowed(0o604, true, false), 0o600);
        assert_eq!(narrowed(0o644, false, true), 0o644);
        assert_eq!(narrowed(0o044, false, true), 0o000);
        assert_eq!(narrowed(0o466, false, true), 0o444);
    }
}
