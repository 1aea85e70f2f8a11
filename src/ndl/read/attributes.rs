//! Reads attributes, in their short and their long form.

use super::objects::{NormalForms, Objects};
use super::reader::{Pair, Reader, shown};
use super::storage::StorageOf;
use super::values::Extent;
use crate::ndl::model::{path_name, scalar};
use crate::ndl::{Attribute, Code, Datatype, DatatypeKind, Extensions, Named, Storage, is_extension_key};
use crate::reserve::{collected, extend};
use crate::tree::{Kind, NodeId};

/// The keys of the long form.
#[derive(Default)]
struct LongForm<'r> {
    shape: Option<Pair<'r>>,
    datatype: Option<Pair<'r>>,
    value: Option<Pair<'r>>,
    storage: Option<Pair<'r>>,
    extensions: Extensions,
}

impl<'r> Reader<'r, '_> {
    /// Reads the attributes of the object with the path name `owner`.
    pub(super) fn attributes(&mut self, section: Option<Pair<'r>>, owner: &str, objects: &Objects) -> Named<Attribute> {
        let mut names = NormalForms::default();
        let mut attributes = Named::new();
        // One buffer serves all attributes, because the path name may be long.
        let mut place = format!("{owner}@");
        let start = place.len();
        for pair in self.section(section, owner) {
            place.truncate(start);
            place.push_str(pair.name);
            let is_name = path_name::is_attribute_name(pair.name);
            if !is_name {
                self.report(
                    Code::Name,
                    &place,
                    pair.key,
                    "the name of an attribute needs at least one character and must not contain NUL",
                );
            }
            self.check_yaml_versions(&place, pair.key);
            if let Some(twin) = self.held(names.twin("", pair.name)).flatten() {
                self.report_twin(&place, &twin, pair);
            }
            if let Some(attribute) = self.attribute(&place, pair, objects).filter(|_| is_name) {
                self.held(attributes.add(pair.name, attribute));
            }
        }
        attributes
    }

    fn attribute(&mut self, place: &str, pair: Pair<'r>, objects: &Objects) -> Option<Attribute> {
        match self.kind(pair.value) {
            Kind::Mapping => Some(self.long_form(place, pair, objects)),
            Kind::Sequence => {
                let message = "a list needs the long form {shape: …, type: …, value: …}";
                self.report_value(Code::AttrShortList, place, pair, message);
                None
            }
            _ if self.is_null(pair.value) => {
                self.report_value(
                    Code::AttrNull,
                    place,
                    pair,
                    "an attribute cannot be null, because NDL has no datatype for null",
                );
                None
            }
            _ => {
                self.check_yaml_versions(place, pair.value);
                let datatype = self.infer_datatype(place, pair.value)?;
                let value = self.value(place, pair, Vec::new(), &datatype, objects);
                let (shape, datatype) = (Some(Vec::new()), Some(datatype));
                Some(Attribute { short: true, shape, datatype, value, ..Attribute::default() })
            }
        }
    }

    fn long_form(&mut self, place: &str, pair: Pair<'r>, objects: &Objects) -> Attribute {
        let form = self.long_form_keys(place, pair);
        let mut shape = form.shape.and_then(|pair| self.attribute_shape(place, pair));
        let mut datatype = form.datatype.and_then(|pair| self.datatype_of(place, pair));
        let value = form.value.filter(|value| !self.is_null_value(value));
        match (form.value, value) {
            (None, _) => self.report(Code::AttrNoValue, place, pair.key, "an attribute needs a 'value'"),
            (Some(given), None) => {
                self.report_value(Code::AttrNull, place, given, "the value of an attribute must not be null")
            }
            (Some(_), Some(value)) => {
                self.check_yaml_versions(place, value.value);
                if form.shape.is_none() || form.datatype.is_none() {
                    self.infer_rest(place, value, &form, &mut shape, &mut datatype);
                }
            }
        }
        let mut storage = Storage::default();
        self.storage(&mut storage, form.storage, place, StorageOf::Attribute, None, datatype.as_ref(), objects);
        let value = match (value, &shape, &datatype) {
            (Some(pair), Some(shape), Some(datatype)) => {
                let extents = collected(shape.iter().map(|&count| Ok(Extent::Fixed(count))));
                self.held(extents).and_then(|extents| self.value(place, pair, extents, datatype, objects))
            }
            _ => None,
        };
        Attribute { short: false, shape, datatype, storage, value, extensions: form.extensions }
    }

    /// Warns of the first scalar in a name or value that YAML 1.1 and YAML 1.2 read differently.
    fn check_yaml_versions(&mut self, place: &str, node: NodeId) {
        let mut open = vec![node];
        while let Some(node) = open.pop() {
            if self.kind(node) == Kind::Sequence {
                let added = extend(&mut open, self.items(node).rev());
                self.held(added);
                continue;
            }
            let Some(text) = self.plain(node) else { continue };
            let Some((newer, older)) = scalar::yaml_versions(text) else { continue };
            let message = format!(
                "YAML 1.2 reads {} as {newer}, YAML 1.1 reads it as {older}; put a text in quotes, and write a number \
                 as 10 or 1.0e-3",
                shown(text)
            );
            self.report(Code::YamlVersion, place, node, message);
            return;
        }
    }

    fn is_null_value(&self, pair: &Pair) -> bool {
        self.is_null(pair.value)
    }

    fn long_form_keys(&mut self, place: &str, pair: Pair<'r>) -> LongForm<'r> {
        let mut form = LongForm::default();
        for pair in self.pairs(pair.value) {
            match pair.name {
                "shape" => form.shape = Some(pair),
                "type" => form.datatype = Some(pair),
                "value" => form.value = Some(pair),
                "storage" => form.storage = Some(pair),
                "attributes" => self.unknown_key(place, pair, "; an attribute cannot have attributes"),
                "size" => self.unknown_key(place, pair, "; use 'shape' for an attribute"),
                name if is_extension_key(name) => self.extend(&mut form.extensions, pair),
                _ => self.unknown_key(place, pair, ""),
            }
        }
        form
    }

    /// Infers the missing shape and datatype from the value.
    fn infer_rest(
        &mut self,
        place: &str,
        value: Pair<'r>,
        form: &LongForm,
        shape: &mut Option<Vec<u64>>,
        datatype: &mut Option<Datatype>,
    ) {
        let is_nested = |datatype: &Datatype| {
            matches!(datatype.kind(), DatatypeKind::Vlen(_) | DatatypeKind::Array { .. } | DatatypeKind::Compound(_))
        };
        let is_list = self.kind(value.value) == Kind::Sequence;
        if form.shape.is_none() && is_list && datatype.as_ref().is_some_and(is_nested) {
            let message = "the elements of this datatype are lists too, so the shape must be given";
            self.report_value(Code::ShapeMissing, place, value, message);
            return;
        }
        if form.shape.is_none() {
            let lengths = self.infer_shape(value.value);
            *shape = self.held(lengths);
        }
        if form.datatype.is_none() {
            *datatype = self.infer_datatype(place, value.value);
        }
        if form.datatype.is_some() || datatype.is_some() {
            let message = "the shape or the datatype is missing and is inferred from the value";
            self.report_value(Code::AttrInferred, place, value, message);
        }
    }
}
