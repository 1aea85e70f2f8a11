//! Members of each group of a description.

use super::path_name;
use crate::error::{Error, Result, Status};
use crate::ndl::{Attribute, Description, DimCoord, Group, Named, Ndarray, ROOT};
use crate::reserve::{push, room_for, room_in};
use std::collections::HashMap;

/// All groups with their members, the root first.
pub(crate) struct Members<'a> {
    pub(crate) groups: Vec<GroupMembers<'a>>,
}

/// A group and its direct members, by name.
pub(crate) struct GroupMembers<'a> {
    pub(crate) path: &'a str,
    /// `None` if the description has members in this group, but not the group itself.
    pub(crate) group: Option<&'a Group>,
    pub(crate) dimcoords: Vec<(&'a str, &'a DimCoord)>,
    pub(crate) ndarrays: Vec<(&'a str, &'a Ndarray)>,
}

impl<'a> Members<'a> {
    /// Sorts arrays and dimension coordinates into their groups. Fails with [`Status::Path`] if one of them, or a
    /// group, has an invalid path name.
    pub(crate) fn of(description: &'a Description) -> Result<Members<'a>> {
        let mut members = Members { groups: Vec::new() };
        let mut positions = HashMap::new();
        members.position(&mut positions, ROOT, description.groups.get(ROOT))?;
        for (path, group) in description.groups.iter() {
            if !path_name::is_group_path(path) {
                return Err(Error::new(Status::Path, format!("'{path}' is not a valid path name of a group")));
            }
            members.position(&mut positions, path, Some(group))?;
        }
        for (path, dimcoord) in description.dimcoords.iter() {
            let (group, name) = split_path(path)?;
            let position = members.position(&mut positions, group, None)?;
            if let Some(group) = members.groups.get_mut(position) {
                push(&mut group.dimcoords, (name, dimcoord))?;
            }
        }
        for (path, ndarray) in description.ndarrays.iter() {
            let (group, name) = split_path(path)?;
            let position = members.position(&mut positions, group, None)?;
            if let Some(group) = members.groups.get_mut(position) {
                push(&mut group.ndarrays, (name, ndarray))?;
            }
        }
        Ok(members)
    }

    /// Returns the position of the group with this path name. Appends the group if it is new.
    fn position(
        &mut self,
        positions: &mut HashMap<&'a str, usize>,
        path: &'a str,
        group: Option<&'a Group>,
    ) -> Result<usize> {
        room_in(positions, 1)?;
        room_for(&mut self.groups, 1)?;
        Ok(*positions.entry(path).or_insert_with(|| {
            self.groups.push(GroupMembers { group, ..GroupMembers::none(path) });
            self.groups.len() - 1
        }))
    }

    /// Sorts groups and their members by path name.
    pub(crate) fn sort(&mut self) {
        // The root sorts first, because it is a prefix of all path names. Names are distinct, and a sort that need not
        // be stable needs no memory.
        self.groups.sort_unstable_by_key(|group| group.path);
        for group in &mut self.groups {
            group.dimcoords.sort_unstable_by_key(|(name, _)| *name);
            group.ndarrays.sort_unstable_by_key(|(name, _)| *name);
        }
    }

    /// Returns true if the flat form can express the description: only the root has content, and it has no extensions.
    /// In the flat form these would look like extensions of the description.
    pub(crate) fn fit_flat(&self) -> bool {
        let (mut roots, mut others) = (self.groups.iter().filter(|group| group.path == ROOT), self.groups.iter());
        roots.all(|root| root.group.is_none_or(|group| group.extensions.is_empty()))
            && !others.any(|group| group.path != ROOT && group.is_written())
    }
}

fn split_path(path: &str) -> Result<(&str, &str)> {
    let parts = path_name::split(path).filter(|_| path.starts_with('/'));
    parts.ok_or_else(|| {
        Error::new(Status::Path, format!("'{path}' is not a valid path name of an array or a dimension coordinate"))
    })
}

impl<'a> GroupMembers<'a> {
    /// Returns a group without members.
    pub(crate) fn none(path: &'a str) -> GroupMembers<'a> {
        GroupMembers { path, group: None, dimcoords: Vec::new(), ndarrays: Vec::new() }
    }

    /// Returns the attributes of the group, or `None` if it has none.
    pub(crate) fn attributes(&self) -> Option<&'a Named<Attribute>> {
        self.group.map(|group| &group.attributes).filter(|attributes| !attributes.is_empty())
    }

    /// Returns true if the text must list the group: it was listed, or it has members, attributes or extensions.
    pub(crate) fn is_written(&self) -> bool {
        self.group.is_some_and(|group| group.listed || !group.extensions.is_empty() || !group.attributes.is_empty())
            || !self.dimcoords.is_empty()
            || !self.ndarrays.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_are_in_the_group_of_their_path() {
        let mut description = Description::new();
        for path in ["/b", "/a/y", "/a/x", "/c"] {
            description.ndarrays.insert(path, Ndarray::default());
        }
        description.groups.insert("/z", Group::default());
        let mut members = Members::of(&description).unwrap();
        assert!(!members.fit_flat());
        let paths = |members: &Members| members.groups.iter().map(|group| group.path.to_owned()).collect::<Vec<_>>();
        assert_eq!(paths(&members), ["/", "/z", "/a"]);
        members.sort();
        assert_eq!(paths(&members), ["/", "/a", "/z"]);
        assert!(members.groups[1].ndarrays.iter().map(|(name, _)| *name).eq(["x", "y"]));
        assert!(!members.groups[2].is_written());
        description.ndarrays.insert("c", Ndarray::default());
        assert_eq!(Members::of(&description).err().map(|error| error.status()), Some(Status::Path));
        let mut description = Description::new();
        description.groups.insert("x-a", Group::default());
        assert_eq!(Members::of(&description).err().map(|error| error.status()), Some(Status::Path));
    }
}
