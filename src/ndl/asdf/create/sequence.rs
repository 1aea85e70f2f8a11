//! Groups that are lists in ASDF files, marked by `x-asdf` keys. Their members are named `0`, `1` and so on.

use super::form;
use crate::ndl::asdf::shared::mask::MasksInArrays;
use crate::ndl::model::path_name;
use crate::ndl::{Description, Group};
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
    pub(super) fn of(description: &'a Description, masks: &MasksInArrays) -> ListLengths<'a> {
        let lists = description.groups.iter().filter(|(path, group)| *path != path_name::ROOT && is_list(group));
        let mut names: HashMap<&str, Vec<&str>> = lists.map(|(path, group)| (path, names_in(group))).collect();
        if names.is_empty() {
            return ListLengths(HashMap::new());
        }
        let groups = description.groups.iter().map(|(path, _)| path);
        let dimcoords = description.dimcoords.iter().map(|(path, _)| path);
        let ndarrays = description.ndarrays.iter().map(|(path, _)| path);
        let items = groups.chain(dimcoords).chain(ndarrays).filter(|path| !masks.contains(path));
        for (group, name) in items.filter_map(path_name::split) {
            if let Some(names) = names.get_mut(group) {
                names.push(name);
            }
        }
        ListLengths(names.into_iter().map(|(path, names)| (path, length(&names))).collect())
    }

    pub(super) fn get(&self, path: &str) -> ListLength {
        self.0.get(path).copied().unwrap_or_default()
    }
}

fn is_list(group: &Group) -> bool {
    form::text(&group.extensions, "kind") == Some("sequence")
}

/// Returns the names of the attributes and the null values of a group.
fn names_in(group: &Group) -> Vec<&str> {
    let nulls = form::texts(&group.extensions, "null");
    group.attributes.iter().map(|(name, _)| name).chain(nulls).collect()
}

/// Returns the length of the list whose items have these names.
fn length(names: &[&str]) -> ListLength {
    let mut is_used = vec![false; names.len()];
    for name in names {
        match path::index(name).and_then(|index| is_used.get_mut(index)) {
            Some(item) if !*item => *item = true,
            _ => return ListLength::Unknown,
        }
    }
    ListLength::Items(names.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_are_numbered_without_gaps() {
        for names in [&[][..], &["0"], &["1", "0"], &["2", "0", "1"]] {
            assert_eq!(length(names), ListLength::Items(names.len()));
        }
        for names in [&["1"][..], &["0", "2"], &["0", "a"], &["0", "00"], &["0", "0"], &["18446744073709551615"]] {
            assert_eq!(length(names), ListLength::Unknown);
        }
    }
}
