//! Evaluates the `x-asdf` keys of arrays, which ask for a form in the file, and collects the keys that a file cannot
//! follow.

use super::stored::{Stored, requested};
use crate::array::Datatype;
use crate::error::Result;
use crate::ndl::asdf::shared::mask::{self, DeclaredMask};
use crate::ndl::asdf::shared::names::{EXTENSION, INLINE, fact};
use crate::ndl::model::path_name;
use crate::ndl::{Content, ContentScalar, Datatype as NdlDatatype, Description, Extensions};
use crate::reserve::push;
use crate::tree::path::escape;

/// Requested form of an array in the file.
#[derive(Default)]
pub(super) struct Form {
    /// Datatype in the file.
    pub(super) stored: Option<Stored>,
    /// True to store the elements in the tree.
    pub(super) is_inline: bool,
    /// Strides in bytes, one for each dimension.
    pub(super) strides: Option<Vec<i64>>,
    /// Mask of the array.
    pub(super) mask: Option<DeclaredMask>,
    /// Keys that cannot be followed, each with the reason.
    pub(super) lost: Vec<(&'static str, String)>,
}

impl Form {
    /// Evaluates the `x-asdf` keys of an array with this datatype and character set.
    pub(super) fn of(extensions: &Extensions, datatype: &NdlDatatype, charset: Option<&str>) -> Form {
        let mut form = Form { stored: requested(extensions, datatype, charset), ..Form::default() };
        if form.stored.is_none() && fact(extensions, "datatype").is_some() {
            form.lose("datatype", format!("the datatype under {EXTENSION} does not match the declared datatype"));
        }
        form.is_inline = text(extensions, "kind") == Some(INLINE);
        if fact(extensions, "kind").is_some() && !form.is_inline {
            form.lose("kind", format!("the kind under {EXTENSION} is not a kind of arrays"));
        }
        if let Some(content) = fact(extensions, "source") {
            let source = if let Content::Scalar(scalar) = content { scalar.text.as_str() } else { "another file" };
            form.lose("source", format!("the elements are stored in this file, not in {source}"));
        }
        if fact(extensions, "offset").is_some() {
            form.lose("offset", "the array has a block of its own, so the offset is 0".to_owned());
        }
        if let Some(content) = fact(extensions, "strides") {
            form.strides = integers(content);
            if form.strides.is_none() {
                form.lose("strides", format!("the strides under {EXTENSION} are not a list of integers"));
            }
        }
        match DeclaredMask::of(extensions) {
            Ok(mask) => form.mask = mask,
            Err(error) => form.lose(mask::KEY, error.message().to_owned()),
        }
        form
    }

    fn lose(&mut self, key: &'static str, reason: String) {
        self.lost.push((key, reason));
    }

    /// Returns true if the strides are those of Fortran order without gaps, for an array of this shape and datatype.
    /// Returns false without strides, and an error message for all other strides.
    pub(super) fn is_fortran(&self, datatype: &Datatype, shape: &[i64]) -> std::result::Result<bool, &'static str> {
        let Some(strides) = &self.strides else { return Ok(false) };
        let mut next = datatype.item_size().ok().and_then(|size| i64::try_from(size).ok());
        let is_packed = strides.len() == shape.len()
            && strides.iter().zip(shape).all(|(&stride, &extent)| {
                let expected = next;
                next = expected.and_then(|stride| stride.checked_mul(extent));
                expected == Some(stride)
            });
        // In one dimension both orders agree, and the tree has no strides.
        match is_packed && shape.len() > 1 {
            true => Ok(true),
            false => Err("the strides are not kept; the array is stored in C order without gaps"),
        }
    }
}

/// Returns the text under a key of `x-asdf`.
pub(super) fn text<'a>(extensions: &'a Extensions, key: &str) -> Option<&'a str> {
    match fact(extensions, key)? {
        Content::Scalar(ContentScalar { text, .. }) => Some(text),
        _ => None,
    }
}

/// Returns the texts of the list under a key of `x-asdf`.
pub(super) fn texts<'a>(extensions: &'a Extensions, key: &str) -> impl Iterator<Item = &'a str> + use<'a> {
    let items = if let Some(Content::List(items)) = fact(extensions, key) { items.as_slice() } else { &[] };
    let texts = items.iter().filter_map(|item| if let Content::Scalar(scalar) = item { Some(scalar) } else { None });
    texts.map(|scalar| scalar.text.as_str())
}

fn integers(content: &Content) -> Option<Vec<i64>> {
    let Content::List(items) = content else { return None };
    let number = |item: &Content| if let Content::Scalar(scalar) = item { scalar.text.parse().ok() } else { None };
    items.iter().map(number).collect()
}

/// Object with `x-asdf` keys, by path name.
#[derive(Clone, Debug)]
pub(super) enum Holder {
    Group(String),
    /// An attribute of a group: path name of the group, name of the attribute.
    Attribute(String, String),
    Array(String),
}

impl Holder {
    /// Returns the JSON Pointer for notes.
    pub(super) fn path(&self) -> String {
        match self {
            Holder::Group(path) | Holder::Array(path) => path.clone(),
            Holder::Attribute(group, name) => path_name::join(group, &escape(name)),
        }
    }
}

/// Keys under `x-asdf` that a file does not follow. The description in the file must not contain them.
#[derive(Default)]
pub(super) struct LostKeys(Vec<(Holder, &'static str)>);

impl LostKeys {
    pub(super) fn add(&mut self, holder: Holder, key: &'static str) -> Result<()> {
        push(&mut self.0, (holder, key))
    }

    /// Removes these keys from a description.
    pub(super) fn take_out_of(&self, description: &mut Description) {
        for (holder, key) in &self.0 {
            let extensions = match holder {
                Holder::Group(path) => description.groups.get_mut(path).map(|group| &mut group.extensions),
                Holder::Attribute(group, name) => {
                    let group = description.groups.get_mut(group);
                    group.and_then(|group| group.attributes.get_mut(name)).map(|attribute| &mut attribute.extensions)
                }
                Holder::Array(path) if description.dimcoords.contains(path) => {
                    description.dimcoords.get_mut(path).map(|dimcoord| &mut dimcoord.extensions)
                }
                Holder::Array(path) => description.ndarrays.get_mut(path).map(|ndarray| &mut ndarray.extensions),
            };
            let Some(extensions) = extensions else { continue };
            if let Some(Content::Mapping(facts)) = extensions.get_mut(EXTENSION) {
                facts.remove(key);
                if facts.is_empty() {
                    extensions.remove(EXTENSION);
                }
            }
        }
    }
}
