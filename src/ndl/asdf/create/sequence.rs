//! Groups that are lists in ASDF files, marked by `x-asdf` keys. Their members are named `0`, `1` and so on.

use super::form;
use crate::error::Result;
use crate::ndl::asdf::shared::mask::MasksInArrays;
use crate::ndl::model::path_name;
use crate::ndl::{Description, Group};
use crate::reserve::{collected, push, room_in};
use crate::tree::path;
use std::collections::HashMap;

/// Number of list items of a group.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum ListLength {
    /// The group is a mapping.
    #[default]
    None,
    Items(usize),
    /// The group is marked as a list, but the names of its members are not consecutive indices.
    Unknown,
}

/// Lengths of all groups that are marked as lists.
pub(super) struct ListLengths<'a>(HashMap<&'a str, ListLength>);

impl<'a> ListLengths<'a> {
    /// Masks inside arrays do not count as items.
    pub(super) fn of(description: &'a Description, masks: &MasksInArrays) -> Result<ListLengths<'a>> {
        let lists = description.groups.iter().filter(|(path, group)| *path != path_name::ROOT && is_list(group));
        let mut names: HashMap<&str, Vec<&str>> = HashMap::new();
        for (path, group) in lists {
            room_in(&mut names, 1)?;
            names.insert(path, names_in(group)?);
        }
        if names.is_empty() {
            return Ok(ListLengths(HashMap::new()));
        }
        let groups = description.groups.iter().map(|(path, _)| path);
        let dimcoords = description.dimcoords.iter().map(|(path, _)| path);
        let ndarrays = description.ndarrays.iter().map(|(path, _)| path);
        let items = groups.chain(dimcoords).chain(ndarrays).filter(|path| !masks.contains(path));
        for (group, name) in items.filter_map(path_name::split) {
            if let Some(names) = names.get_mut(group) {
                push(names, name)?;
            }
        }
        let mut lengths = HashMap::new();
        room_in(&mut lengths, names.len())?;
        for (path, names) in names {
            lengths.insert(path, length(&names)?);
        }
        Ok(ListLengths(lengths))
    }

    pub(super) fn get(&self, path: &str) -> ListLength {
        self.0.get(path).copied().unwrap_or_default()
    }
}

fn is_list(group: &Group) -> bool {
    form::text(&group.extensions, "kind") == Some("sequence")
}

/// Returns the names of the attributes and the null values of a group.
fn names_in(group: &Group) -> Result<Vec<&str>> {
    let nulls = form::texts(&group.extensions, "null");
    collected(group.attributes.iter().map(|(name, _)| name).chain(nulls).map(Ok))
}

/// Returns the length of the list whose items have these names.
fn length(names: &[&str]) -> Result<ListLength> {
    let mut is_used = collected(names.iter().map(|_| Ok(false)))?;
    for name in names {
        match path::index(name).and_then(|index| is_used.get_mut(index)) {
            Some(item) if !*item => *item = true,
            _ => return Ok(ListLength::Unknown),
        }
    }
    Ok(ListLength::Items(names.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_are_numbered_without_gaps() {
        for names in [&[][..], &["0"], &["1", "0"], &["2", "0", "1"]] {
            assert_eq!(length(names).unwrap(), ListLength::Items(names.len()));
        }
        for names in [&["1"][..], &["0", "2"], &["0", "a"], &["0", "00"], &["0", "0"], &["18446744073709551615"]] {
            assert_eq!(length(names).unwrap(), ListLength::Unknown);
        }
    }
}
