//! POSIX access control lists, in the form in which Linux passes them.

use super::attributes::LARGEST_ATTRIBUTE;
use super::unix::{Classes, Kept};
use rustix::fs::{XattrFlags, fgetxattr, fremovexattr, fsetxattr, getxattr};
use rustix::io::Errno;
use std::fs::File;
use std::io::Result;
use std::path::Path;

const ACCESS: &str = "system.posix_acl_access";
const DEFAULT: &str = "system.posix_acl_default";
const VERSION: u32 = 2;
const ENTRY: usize = 8;

const USER_OBJECT: u16 = 1;
const USER: u16 = 2;
const GROUP_OBJECT: u16 = 4;
const GROUP: u16 = 8;
const MASK: u16 = 16;
const OTHER: u16 = 32;

/// An access control list.
pub(super) struct Acl(Vec<Entry>);

#[derive(Clone, Copy)]
struct Entry {
    tag: u16,
    permissions: u16,
    id: u32,
}

impl Acl {
    /// Returns the list of the file at a path; `None` if it has only mode bits.
    pub(super) fn at(path: &Path) -> Option<Acl> {
        read(|buffer| getxattr(path, ACCESS, buffer))
    }

    /// Returns the list of an open file; `None` if it has only mode bits.
    pub(super) fn of(file: &File) -> Option<Acl> {
        read(|buffer| fgetxattr(file, ACCESS, buffer))
    }

    /// Returns the list that a directory gives to new files.
    pub(super) fn default_of(folder: &Path) -> Option<Acl> {
        read(|buffer| getxattr(folder, DEFAULT, buffer))
    }

    /// A list that is not understood becomes an empty one, which grants nothing.
    fn parse(bytes: &[u8]) -> Acl {
        let Some((version, entries)) = bytes.split_first_chunk() else { return Acl(Vec::new()) };
        if u32::from_le_bytes(*version) != VERSION {
            return Acl(Vec::new());
        }
        let entry = |entry: &[u8]| {
            let (tag, rest) = entry.split_first_chunk()?;
            let (permissions, id) = rest.split_first_chunk()?;
            let [tag, permissions] = [tag, permissions].map(|number| u16::from_le_bytes(*number));
            Some(Entry { tag, permissions, id: u32::from_le_bytes(id.try_into().ok()?) })
        };
        Acl(entries.chunks_exact(ENTRY).filter_map(entry).collect())
    }

    fn encode(&self) -> Vec<u8> {
        let mut bytes = VERSION.to_le_bytes().to_vec();
        for entry in &self.0 {
            bytes.extend(entry.tag.to_le_bytes());
            bytes.extend(entry.permissions.to_le_bytes());
            bytes.extend(entry.id.to_le_bytes());
        }
        bytes
    }

    fn permissions(&self, tag: u16) -> Option<u32> {
        self.0.iter().find(|entry| entry.tag == tag).map(|entry| u32::from(entry.permissions & 7))
    }

    /// Returns the permissions of owner, owning group and others.
    pub(super) fn classes_of_entries(&self) -> Classes {
        let of = |tag| self.permissions(tag).unwrap_or(0);
        let group = of(GROUP_OBJECT) & self.permissions(MASK).unwrap_or(7);
        Classes { owner: of(USER_OBJECT), group, other: of(OTHER) }
    }

    /// Returns permissions that grant nobody more than the list, for a file without it. Named users and groups then
    /// belong to the owning group or to the others.
    pub(super) fn classes_without_list(&self) -> Classes {
        let Classes { owner, mut group, mut other } = self.classes_of_entries();
        let mask = self.permissions(MASK).unwrap_or(7);
        for entry in &self.0 {
            let permissions = u32::from(entry.permissions) & mask;
            match entry.tag {
                USER => (group, other) = (group & permissions, other & permissions),
                // A member of both groups has the permissions of both.
                GROUP => other &= permissions,
                _ => {}
            }
        }
        Classes { owner, group, other }
    }

    /// Gives a file the list, narrowed if the file has another owner or group. Returns the permissions that the mode
    /// bits then show.
    pub(super) fn give(&self, file: &File, kept: Kept) -> Result<Classes> {
        let Classes { owner, group, other } = self.classes_of_entries().narrowed(kept);
        let narrowed = self.0.iter().map(|entry| match entry.tag {
            GROUP_OBJECT if !(kept.user && kept.group) => Entry { permissions: group as u16, ..*entry },
            OTHER => Entry { permissions: other as u16, ..*entry },
            _ => *entry,
        });
        let list = Acl(narrowed.collect());
        fsetxattr(file, ACCESS, &list.encode(), XattrFlags::empty())?;
        Ok(Classes { owner, group: list.permissions(MASK).unwrap_or(group), other })
    }
}

/// Removes the list of a file. The mode bits of a private file stay private.
pub(super) fn remove(file: &File) -> Result<()> {
    match fremovexattr(file, ACCESS) {
        Ok(()) | Err(Errno::NODATA | Errno::NOTSUP) => Ok(()),
        // The file system may refuse every change. What counts is that there is no list.
        Err(error) => match fgetxattr(file, ACCESS, &mut [0; 0]) {
            Ok(_) => Err(error.into()),
            Err(_) => Ok(()),
        },
    }
}

fn read(get: impl Fn(&mut [u8]) -> rustix::io::Result<usize>) -> Option<Acl> {
    // Most files have no list, and most lists are short.
    let mut short = [0; 4 + 32 * ENTRY];
    match get(&mut short) {
        Ok(length) => short.get(..length).map(Acl::parse),
        Err(Errno::RANGE) => {
            let mut long = vec![0; LARGEST_ATTRIBUTE];
            let length = get(&mut long).unwrap_or(0);
            Some(Acl::parse(long.get(..length).unwrap_or_default()))
        }
        Err(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn acl(entries: &[(u16, u16)]) -> Acl {
        Acl(entries.iter().map(|&(tag, permissions)| Entry { tag, permissions, id: 1 }).collect())
    }

    #[test]
    fn without_the_list_nobody_gets_more() {
        let without = |entries: &[(u16, u16)]| {
            let Classes { owner, group, other } = acl(entries).classes_without_list();
            (owner, group, other)
        };
        assert_eq!(without(&[(1, 6), (4, 4), (32, 0)]), (6, 4, 0));
        assert_eq!(without(&[(1, 6), (2, 6), (4, 4), (16, 6), (32, 0)]), (6, 4, 0));
        assert_eq!(without(&[(1, 6), (4, 6), (16, 4), (32, 4)]), (6, 4, 4));
        // A user and a group who may not read.
        assert_eq!(without(&[(1, 6), (2, 0), (4, 4), (16, 6), (32, 4)]), (6, 0, 0));
        assert_eq!(without(&[(1, 6), (4, 4), (8, 0), (16, 6), (32, 4)]), (6, 4, 0));
        assert_eq!(without(&[]), (0, 0, 0));
    }

    #[test]
    fn lists_are_read_as_they_are_written() {
        let bytes = acl(&[(1, 6), (2, 5), (4, 4), (16, 7), (32, 0)]).encode();
        assert_eq!(Acl::parse(&bytes).encode(), bytes);
        assert_eq!(Acl::parse(b"").0.len() + Acl::parse(&[1; 12]).0.len(), 0);
    }
}
