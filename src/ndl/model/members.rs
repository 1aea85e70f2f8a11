//! What is in each group of a description.

use super::path_name;
use crate::error::{Error, Result, Status};
use crate::ndl::{Attribute, Description, DimCoord, Group, Named, Ndarray, ROOT};
use std::collections::HashMap;

/// All groups, the root first.
pub(crate) struct Members<'a> {
    pub(crate) groups: Vec<GroupMembers<'a>>,
}

/// A group with what is directly in it, by name.
pub(crate) struct GroupMembers<'a> {
    pub(crate) path: &'a str,
    /// Missing if something is in a group that the description does not have.
    pub(crate) group: Option<&'a Group>,
    pub(crate) dimcoords: Vec<(&'a str, &'a DimCoord)>,
    pub(crate) ndarrays: Vec<(&'a str, &'a Ndarray)>,
}

impl<'a> Members<'a> {
    /// Shares out arrays and dimension coordinates to their groups. Fails with [`Status::Path`] if one, or a
    /// group, has no path name.
    pub(crate) fn of(description: &'a Description) -> Result<Members<'a>> {
        let mut members = Members { groups: Vec::new() };
        let mut positions = HashMap::new();
        members.position(&mut positions, ROOT, description.groups.get(ROOT));
        for (path, group) in description.groups.iter() {
            if !path_name::is_group_path(path) {
                return Err(Error::new(Status::Path, format!("'{path}' is not the path name of a group")));
            }
            members.position(&mut positions, path, Some(group));
        }
        for (path, dimcoord) in description.dimcoords.iter() {
            let (group, name) = taken_apart(path)?;
            let position = members.position(&mut positions, group, None);
            if let Some(group) = members.groups.get_mut(position) {
                group.dimcoords.push((name, dimcoord));
            }
        }
        for (path, ndarray) in description.ndarrays.iter() {
            let (group, name) = taken_apart(path)?;
            let position = members.position(&mut positions, group, None);
            if let Some(group) = members.groups.get_mut(position) {
                group.ndarrays.push((name, ndarray));
            }
        }
        Ok(members)
    }

    /// Where the group of this path is, which is put at the end if it is new.
    fn position(&mut self, positions: &mut HashMap<&'a str, usize>, path: &'a str, group: Option<&'a Group>) -> usize {
        *positions.entry(path).or_insert_with(|| {
            self.groups.push(GroupMembers { group, ..GroupMembers::none(path) });
            self.groups.len() - 1
        })
    }

    /// Puts groups, and what is in them, in the order of their path names.
    pub(crate) fn sort(&mut self) {
        // The root is less than all that begins with it.
        self.groups.sort_by_key(|group| group.path);
        for group in &mut self.groups {
            group.dimcoords.sort_by_key(|(name, _)| *name);
            group.ndarrays.sort_by_key(|(name, _)| *name);
        }
    }

    /// Whether they can be written without groups: only the root needs to be written, and has no extensions, which would
    /// be taken for those of the description.
    pub(crate) fn fit_flat(&self) -> bool {
        let (mut roots, mut others) = (self.groups.iter().filter(|group| group.path == ROOT), self.groups.iter());
        roots.all(|root| root.group.is_none_or(|group| group.extensions.is_empty()))
            && !others.any(|group| group.path != ROOT && group.is_written())
    }
}

fn taken_apart(path: &str) -> Result<(&str, &str)> {
    let parts = path_name::split(path).filter(|_| path.starts_with('/'));
    parts.ok_or_else(|| Error::new(Status::Path, format!("'{path}' is not the path name of an array")))
}

impl<'a> GroupMembers<'a> {
    /// A group with nothing in it.
    pub(crate) fn none(path: &'a str) -> GroupMembers<'a> {
        GroupMembers { path, group: None, dimcoords: Vec::new(), ndarrays: Vec::new() }
    }

    /// The attributes of the group itself.
    pub(crate) fn attributes(&self) -> Option<&'a Named<Attribute>> {
        self.group.map(|group| &group.attributes).filter(|attributes| !attributes.is_empty())
    }

    /// Whether a description has to list the group, since it is listed or something is in it.
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
