//! What the name of a dimension coordinate in a shape means.

use super::objects::{Object, Objects};
use super::reader::{Reader, shown};
use crate::ndl::model::path_name;
use crate::ndl::{Code, Dimension};
use crate::tree::NodeId;

impl Reader<'_, '_> {
    /// The dimension of an array in `group` that refers to a dimension coordinate.
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
            let message = "the name of a dimension coordinate has no empty parts, and none that are '.' or '..'";
            self.report(Code::DimSyntax, place, item, message);
            return unresolved;
        }
        let (is_absolute, is_path) = (reference.starts_with('/'), reference.contains('/'));
        let groups = std::iter::once(group).chain(path_name::ancestors(group));
        let mut is_taken = false;
        // Absolute paths mean themselves, relative ones are those of the group alone, names are searched for up to the
        // root.
        for group in groups.take(if is_path { 1 } else { usize::MAX }) {
            let path = if is_absolute { reference.to_owned() } else { path_name::join(group, reference) };
            if !self.budget.search(path.len()) {
                let message = "too long a search: there are many references, or groups within groups";
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
            let message = format!("there is no dimension coordinate '{shown}' in this group or those that it is in");
            self.report(Code::DimUnresolved, place, item, message);
        }
        unresolved
    }
}
