//! What has a path name: groups, dimension coordinates and arrays share one space of names.

use crate::ndl::Size;
use crate::ndl::model::path_name;
use std::collections::HashMap;
use unicode_normalization::UnicodeNormalization;

/// What is known of a thing once all sizes and shapes have been read.
#[derive(Clone, Debug)]
pub(super) enum Object {
    Group,
    DimCoord {
        size: Size,
        stored: Option<u64>,
    },
    /// How many elements there are to be pointed at along each dimension, where that is known.
    Ndarray {
        limits: Option<Vec<Option<u64>>>,
    },
}

/// All things by their path names.
#[derive(Default)]
pub(super) struct Objects {
    by_path: HashMap<String, Object>,
    /// Names with characters beyond ASCII.
    names: NormalForms,
    /// What any other path name may be.
    other: Option<Object>,
}

impl Objects {
    /// Where it is not known yet what has which path name: each may be that of an array.
    pub(super) fn unknown() -> Objects {
        Objects { other: Some(Object::Ndarray { limits: None }), ..Objects::default() }
    }

    /// Adds a thing, or tells that its path name is taken.
    pub(super) fn add(&mut self, path: &str, object: Object) -> bool {
        let is_free = !self.by_path.contains_key(path);
        if is_free {
            self.by_path.insert(path.to_owned(), object);
        }
        is_free
    }

    /// Puts what is known in the place of what was known.
    pub(super) fn update(&mut self, path: &str, object: Object) {
        self.by_path.insert(path.to_owned(), object);
    }

    pub(super) fn get(&self, path: &str) -> Option<&Object> {
        self.by_path.get(path).or(self.other.as_ref())
    }

    /// An earlier name in the same group that differs from that of this path by Unicode normalisation alone.
    pub(super) fn normalised_twin(&mut self, path: &str) -> Option<String> {
        let (group, name) = path_name::split(path)?;
        self.names.twin(group, name)
    }
}

/// Names with characters beyond ASCII, by their normal form and where they are.
#[derive(Default)]
pub(super) struct NormalForms(HashMap<String, String>);

impl NormalForms {
    /// An earlier name in the same place that differs from this one by Unicode normalisation alone; the name is noted.
    pub(super) fn twin(&mut self, within: &str, name: &str) -> Option<String> {
        if name.is_ascii() {
            return None;
        }
        let normal_form = format!("{within}/{}", name.nfc());
        let earlier = self.0.entry(normal_form).or_insert_with(|| name.to_owned());
        (earlier != name).then(|| earlier.clone())
    }
}
