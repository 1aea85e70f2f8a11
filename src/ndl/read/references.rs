//! Resolves references from the dimensions of an array to dimension coordinates.

use super::objects::{Object, Objects};
use super::reader::{Reader, shown};
use crate::ndl::model::path_name;
use crate::ndl::{Code, Dimension};
use crate::tree::NodeId;

impl Reader<'_, '_> {
    /// Returns the dimension of an array in `group` that refers to a dimension coordinate.
    pub(super) fn reference(
        &mut self,
        place: &str,
        group: &str,
        item: NodeId,
        reference: &str,
        objects: &Objects,
    ) -> Dimension {
        let spelling = Some(reference.to_owned());
        let unresolved = Dimension { spelling: spelling.clone(), ..Dimension::default() };
        let names = reference.strip_prefix('/').unwrap_or(reference);
        if !names.split('/').all(path_name::is_name) {
            let message = "the path name of a dimension coordinate must not have empty parts, '.' or '..'";
            self.report(Code::DimSyntax, place, item, message);
            return unresolved;
        }
        let (is_absolute, is_path) = (reference.starts_with('/'), reference.contains('/'));
        let groups = std::iter::once(group).chain(path_name::ancestors(group));
        let mut is_taken = false;
        // An absolute path is used as it is, a relative path only in the group of the array. A name is searched for in
        // the group and all its parents.
        for group in groups.take(if is_path { 1 } else { usize::MAX }) {
            let path = if is_absolute { reference.to_owned() } else { path_name::join(group, reference) };
            if !self.budget.search(path.len()) {
                let message = "too many references to dimension coordinates, or too many nested groups";
                self.report(Code::Limit, place, item, message);
                return unresolved;
            }
            match objects.get(&path) {
                Some(&Object::DimCoord { size, .. }) => {
                    return Dimension { extent: size, coordinate: Some(path), spelling };
                }
                other => is_taken |= other.is_some(),
            }
        }
        let shown = shown(reference);
        if is_taken {
            let message = format!("'{shown}' is an ndarray or a group, not a dimension coordinate");
            self.report(Code::DimNotDimcoord, place, item, message);
        } else {
            let message = format!("there is no dimension coordinate '{shown}' in this group or its parent groups");
            self.report(Code::DimUnresolved, place, item, message);
        }
        unresolved
    }
}
