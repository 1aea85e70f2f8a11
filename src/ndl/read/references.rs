//! What the name of a dimension coordinate in a shape means.

use super::objects::{Object, Objects};
use super::reader::{Reader, shown};
use crate::ndl::{Code, Dimension, ROOT, Size, path_name};
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
        let candidates = candidates(group, reference);
        for path in &candidates {
            if let Some(Object::DimCoord { size, .. }) = objects.get(path) {
                let extent: Size = *size;
                return Dimension { extent, coordinate: Some(path.clone()), spelling };
            }
        }
        let shown = shown(reference);
        if candidates.iter().any(|path| objects.get(path).is_some()) {
            let message = format!("'{shown}' is an ndarray or a group, not a dimension coordinate");
            self.report(Code::DimNotDimcoord, place, item, message);
        } else {
            let message = format!("there is no dimension coordinate '{shown}' in this group or those that it is in");
            self.report(Code::DimUnresolved, place, item, message);
        }
        unresolved
    }
}

/// The path names that a reference may mean, the likeliest first: absolute ones mean themselves, names are searched
/// for from the group to the root, paths are those of the group alone.
fn candidates(group: &str, reference: &str) -> Vec<String> {
    if reference.starts_with('/') {
        return vec![reference.to_owned()];
    }
    let mut candidates = vec![path_name::join(group, reference)];
    if !reference.contains('/') && group != ROOT {
        candidates.extend(path_name::ancestors(group).map(|ancestor| path_name::join(ancestor, reference)));
    }
    candidates
}
