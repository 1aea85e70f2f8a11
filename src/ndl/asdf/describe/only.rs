//! Restricts a description to one group, array or dimension coordinate.

use crate::error::{Error, Result, Status};
use crate::file::Node;
use crate::ndl::asdf::shared::choice::Choice;
use crate::ndl::asdf::shared::mask;
use crate::ndl::asdf::shared::options::Described;
use crate::ndl::model::path_name;
use crate::ndl::{Description, Group, Named};
use crate::reserve::insert;
use std::collections::HashSet;

/// Keeps only the object with this path name, its members, and the masks and dimension coordinates of its arrays.
///
/// Fails with [`Status::NotFound`] if there is no such object.
pub(super) fn restrict(described: &mut Described, path: &str, choice: &Choice, root: &Node) -> Result<()> {
    let Described { description, notes } = described;
    if !description.contains(path) {
        let message = "there is no group, array or dimension coordinate with this path name";
        return Err(Error::new(Status::NotFound, message).at_path(path));
    }
    notes.retain(|note| choice.includes(&note.path));
    // The path name of a mask is next to that of its array, not inside it.
    let mut masks = HashSet::new();
    for (path, _) in description.ndarrays.iter() {
        if mask::array_of(path).is_some_and(|array| choice.includes(array)) && mask::is_in_array(root, path)? {
            insert(&mut masks, path.to_owned())?;
        }
    }
    description.ndarrays = taken(&mut description.ndarrays, |path| choice.includes(path) || masks.contains(path))?;
    let shapes = description.ndarrays.iter().filter_map(|(_, ndarray)| ndarray.shape.as_ref());
    let mut coordinates = HashSet::new();
    for coordinate in shapes.flatten().filter_map(|dimension| dimension.coordinate.as_deref()) {
        insert(&mut coordinates, coordinate)?;
    }
    description.dimcoords =
        taken(&mut description.dimcoords, |path| choice.includes(path) || coordinates.contains(path))?;
    description.groups = groups(description, choice)?;
    description.flat = description.groups.len() == 1;
    Ok(())
}

/// Moves the entries with wanted path names to a new map.
fn taken<T: Default>(named: &mut Named<T>, is_wanted: impl Fn(&str) -> bool) -> Result<Named<T>> {
    let wanted = named.iter_mut().filter(|(path, _)| is_wanted(path));
    Named::collected(wanted.map(|(path, thing)| Ok((path, std::mem::take(thing)))))
}

/// Returns the wanted groups, and all parent groups without their content.
fn groups(description: &mut Description, choice: &Choice) -> Result<Named<Group>> {
    let wanted = description.groups.iter().map(|(path, _)| path).filter(|path| choice.includes(path));
    let arrays = description.dimcoords.iter().map(|(path, _)| path);
    let arrays = arrays.chain(description.ndarrays.iter().map(|(path, _)| path));
    let mut around = HashSet::from([path_name::ROOT.to_owned()]);
    for group in wanted.chain(arrays).flat_map(path_name::ancestors) {
        insert(&mut around, group.to_owned())?;
    }
    let mut groups = taken(&mut description.groups, |path| choice.includes(path) || around.contains(path))?;
    for (path, group) in groups.iter_mut() {
        if !choice.includes(path) {
            *group = Group::default();
        }
    }
    Ok(groups)
}
