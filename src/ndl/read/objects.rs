//! What has a path name: groups, dimension coordinates and arrays share one space of names.

use crate::ndl::{ROOT, Size, path_name};
use std::collections::HashMap;
use unicode_normalization::{UnicodeNormalization, is_nfc};

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
    /// Path names with characters beyond ASCII, by their normal form.
    by_normal_form: HashMap<String, String>,
    /// What any other path name may be.
    other: Option<Object>,
}

impl Objects {
    /// Where it is not known yet what has which path name: each may be that of an array.
    pub(super) fn unknown() -> Objects {
        Objects { other: Some(Object::Ndarray { limits: None }), ..Objects::default() }
    }

    /// Adds a group and those that it is in.
    pub(super) fn add_group(&mut self, path: &str) {
        for group in std::iter::once(path).chain(path_name::ancestors(path)) {
            if self.by_path.insert(group.to_owned(), Object::Group).is_some() && group != ROOT {
                break;
            }
        }
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

    /// An earlier path name that differs from this one by Unicode normalisation alone.
    pub(super) fn normalised_twin(&mut self, path: &str) -> Option<String> {
        normalised_twin(&mut self.by_normal_form, path)
    }
}

/// An earlier name that differs from this one by Unicode normalisation alone; the name is noted.
pub(super) fn normalised_twin(by_normal_form: &mut HashMap<String, String>, name: &str) -> Option<String> {
    if name.is_ascii() {
        return None;
    }
    let normal_form = if is_nfc(name) { name.to_owned() } else { name.nfc().collect() };
    let earlier = by_normal_form.entry(normal_form).or_insert_with(|| name.to_owned());
    (earlier != name).then(|| earlier.clone())
}
