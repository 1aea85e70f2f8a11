//! Objects by path name: groups, dimension coordinates and arrays share one name space.

use crate::error::Result;
use crate::ndl::Size;
use crate::ndl::model::path_name;
use crate::reserve::{GrowingText, room_in, text_of};
use std::collections::HashMap;
use std::fmt::Write;
use unicode_normalization::UnicodeNormalization;

/// Known properties of an object, after all sizes and shapes have been read.
#[derive(Clone, Debug)]
pub(super) enum Object {
    Group,
    DimCoord {
        size: Size,
        stored: Option<u64>,
    },
    /// An array with the number of elements along each dimension that a region may refer to; `None` where it is
    /// unknown.
    Ndarray {
        limits: Option<Vec<Option<u64>>>,
    },
}

/// All objects by path name.
#[derive(Default)]
pub(super) struct Objects {
    by_path: HashMap<String, Object>,
    /// Names with characters beyond ASCII.
    names: NormalForms,
    /// Object for any other path name.
    other: Option<Object>,
}

impl Objects {
    /// Returns a table for a part of a description, where every path name may belong to an array.
    pub(super) fn unknown() -> Objects {
        Objects { other: Some(Object::Ndarray { limits: None }), ..Objects::default() }
    }

    /// Adds an object. Returns false if its path name is taken.
    pub(super) fn add(&mut self, path: &str, object: Object) -> Result<bool> {
        let is_free = !self.by_path.contains_key(path);
        if is_free {
            room_in(&mut self.by_path, 1)?;
            self.by_path.insert(text_of(path)?.into_string(), object);
        }
        Ok(is_free)
    }

    /// Replaces the properties of an object that was added.
    pub(super) fn update(&mut self, path: &str, object: Object) {
        if let Some(known) = self.by_path.get_mut(path) {
            *known = object;
        }
    }

    pub(super) fn get(&self, path: &str) -> Option<&Object> {
        self.by_path.get(path).or(self.other.as_ref())
    }

    /// Returns an earlier name in the same group that differs only by Unicode normalisation from the name of this path.
    pub(super) fn normalised_twin(&mut self, path: &str) -> Result<Option<String>> {
        match path_name::split(path) {
            Some((group, name)) => self.names.twin(group, name),
            None => Ok(None),
        }
    }
}

/// Names with characters beyond ASCII, by place and normal form.
#[derive(Default)]
pub(super) struct NormalForms(HashMap<String, String>);

impl NormalForms {
    /// Records the name. Returns an earlier name in the same place that differs only by Unicode normalisation.
    pub(super) fn twin(&mut self, within: &str, name: &str) -> Result<Option<String>> {
        if name.is_ascii() {
            return Ok(None);
        }
        let mut normal_form = GrowingText::default();
        let _ = write!(normal_form, "{within}/{}", name.nfc());
        room_in(&mut self.0, 1)?;
        let given = text_of(name)?.into_string();
        let earlier = self.0.entry(normal_form.finish()?).or_insert(given);
        Ok((earlier != name).then(|| earlier.clone()))
    }
}
