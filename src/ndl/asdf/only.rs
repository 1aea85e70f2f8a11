//! Part of what is described: one group, array or dimension coordinate.

use super::choice::Choice;
use super::describe::Described;
use super::mask;
use crate::error::{Error, Result, Status};
use crate::file::Node;
use crate::ndl::model::path_name;
use crate::ndl::{Description, Group, Named};
use std::collections::HashSet;

/// Leaves what has this path name, what is in it, and the masks and dimension coordinates of its arrays.
///
/// Fails with [`Status::NotFound`] if nothing has the path name.
pub(super) fn restrict(described: &mut Described, path: &str, choice: &Choice, root: &Node) -> Result<()> {
    let Described { description, notes } = described;
    if !description.contains(path) {
        let message = "there is no group, array or dimension coordinate of this path name";
        return Err(Error::new(Status::NotFound, message).at_path(path));
    }
    notes.retain(|note| choice.has(&note.path));
    // The mask of an array has a path name beside that of the array.
    let is_mask =
        |path: &str| mask::array_of(path).is_some_and(|array| choice.has(array)) && mask::is_in_array(root, path);
    description.ndarrays = taken(&mut description.ndarrays, |path| choice.has(path) || is_mask(path));
    let shapes = description.ndarrays.iter().filter_map(|(_, ndarray)| ndarray.shape.as_ref());
    let coordinates: HashSet<&str> = shapes.flatten().filter_map(|dimension| dimension.coordinate.as_deref()).collect();
    description.dimcoords = taken(&mut description.dimcoords, |path| choice.has(path) || coordinates.contains(path));
    description.groups = groups(description, choice);
    description.flat = description.groups.len() == 1;
    Ok(())
}

/// Takes those whose path names are wanted out of all.
fn taken<T: Default>(named: &mut Named<T>, is_wanted: impl Fn(&str) -> bool) -> Named<T> {
    let wanted = named.iter_mut().filter(|(path, _)| is_wanted(path));
    wanted.map(|(path, thing)| (path, std::mem::take(thing))).collect()
}

/// The groups that are wanted, and without their content those around anything.
fn groups(description: &mut Description, choice: &Choice) -> Named<Group> {
    let wanted = description.groups.iter().map(|(path, _)| path).filter(|path| choice.has(path));
    let arrays = description.dimcoords.iter().map(|(path, _)| path);
    let arrays = arrays.chain(description.ndarrays.iter().map(|(path, _)| path));
    let around: HashSet<String> = wanted
        .chain(arrays)
        .flat_map(path_name::ancestors)
        .map(str::to_owned)
        .chain([path_name::ROOT.to_owned()])
        .collect();
    let mut groups = taken(&mut description.groups, |path| choice.has(path) || around.contains(path));
    for (path, group) in groups.iter_mut() {
        if !choice.has(path) {
            *group = Group::default();
        }
    }
    groups
}
