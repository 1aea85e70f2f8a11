//! Reads single elements of values and checks them against their datatype.

use super::reader::shown;
use super::values::ValueReader;
use crate::ndl::model::path_name;
use crate::ndl::model::scalar;
use crate::ndl::model::scalar::Core;
use crate::ndl::{Blobs, Code, Datatype, DatatypeKind, Elements, Enumeration, IntegerType, Named, Texts};
use crate::reserve::{insert, push, text_of};
use crate::tags;
use crate::tree::scalar::decode_base64;
use crate::tree::{Kind, NodeId};
use std::collections::HashSet;

impl ValueReader<'_, '_, '_> {
    /// Reads one element. `depth` is the number of lists around it.
    pub(super) fn element(&mut self, node: NodeId, depth: usize, datatype: &Datatype, elements: &mut Elements) {
        match (datatype.kind(), elements) {
            (DatatypeKind::Compound(members), Elements::Compound(columns)) => {
                self.compound(node, depth, members, columns);
            }
            (DatatypeKind::Vlen(base), Elements::Lists(lists)) => {
                if self.reader.kind(node) != Kind::Sequence {
                    return self.fail(Code::ValueType, node, "an element of a vlen must be a list");
                }
                if self.is_too_deep(node, depth) {
                    return;
                }
                let added = lists.push_list(|elements| {
                    for item in self.reader.items(node) {
                        self.element(item, depth + 1, base, elements);
                    }
                    Ok(())
                });
                self.hold(added);
            }
            (DatatypeKind::Array { base, shape }, Elements::Arrays { base: elements, .. }) => {
                self.array(node, depth, shape, base, elements);
            }
            (DatatypeKind::Regref(selection), Elements::Regions(regions)) => {
                let region = self.region(node, *selection);
                self.hold(push(regions, region));
            }
            (_, elements) => match self.reader.core(node) {
                Some(core) => self.scalar(node, core, datatype, elements),
                None if self.reader.kind(node) == Kind::Sequence => {
                    let message = format!("a list cannot be an element of the datatype {}", datatype.keyword());
                    self.fail(Code::ValueShape, node, message);
                }
                None => {
                    let message = format!("a mapping cannot be an element of the datatype {}", datatype.keyword());
                    self.fail(Code::ValueType, node, message);
                }
            },
        }
    }

    fn scalar(&mut self, node: NodeId, core: Core, datatype: &Datatype, elements: &mut Elements) {
        match (datatype.kind(), elements) {
            (DatatypeKind::String, Elements::Texts(texts)) => self.push_text(node, core, texts),
            (DatatypeKind::Integer(integer), Elements::Integers(numbers)) => {
                let number = self.integer(node, core, *integer).and_then(|number| i64::try_from(number).ok());
                self.add(numbers, number);
            }
            (DatatypeKind::Integer(integer), Elements::Unsigned(numbers)) => {
                let number = self.integer(node, core, *integer).and_then(|number| u64::try_from(number).ok());
                self.add(numbers, number);
            }
            (DatatypeKind::Float(_), Elements::Float32(numbers)) => {
                let narrow = |number: f64| number as f32;
                let number = self.float(node, core, scalar::float32, f32::is_infinite, narrow, "float32");
                self.add(numbers, number);
            }
            (DatatypeKind::Float(_), Elements::Float64(numbers)) => {
                let number = self.float(node, core, scalar::float64, f64::is_infinite, |number| number, "float64");
                self.add(numbers, number);
            }
            (DatatypeKind::Enum(enumeration), Elements::Constants(positions)) => {
                let position = self.constant(node, core, enumeration);
                self.add(positions, position);
            }
            (DatatypeKind::Opaque { size, .. }, Elements::Opaque(blobs)) => self.opaque(node, core, *size, blobs),
            (DatatypeKind::Objref, Elements::Objects(paths)) => {
                let path = self.object(node, core);
                self.hold(push(paths, path));
            }
            // Unreachable: [`Elements::none_of`] makes the elements for their datatype.
            _ => self.fail(Code::ValueType, node, "the element does not fit the datatype"),
        }
    }

    /// Adds an element, if it was read.
    fn add<T>(&mut self, elements: &mut Vec<T>, element: Option<T>) {
        if let Some(element) = element {
            self.hold(push(elements, element));
        }
    }

    fn shown(&self, node: NodeId) -> String {
        shown(self.reader.tree.text(node))
    }

    fn null(&mut self, node: NodeId, datatype: &str) {
        self.fail(Code::ValueNull, node, format!("null cannot be an element of the datatype {datatype}"));
    }

    fn push_text(&mut self, node: NodeId, core: Core, texts: &mut Texts) {
        let tag = self.reader.tree.tag(node).and_then(|tag| tag.strip_prefix(tags::YAML));
        match tag {
            _ if core == Core::Null => self.null(node, "string"),
            None | Some("str") => self.hold(texts.try_push(self.reader.tree.text(node))),
            Some(tag) => self.fail(
                Code::ValueType,
                node,
                format!("a string is expected, but the tag !!{tag} makes this another kind of scalar"),
            ),
        }
    }

    fn integer(&mut self, node: NodeId, core: Core, integer: IntegerType) -> Option<i128> {
        let text = match core {
            Core::Integer(text) => text,
            Core::Null => {
                self.null(node, integer.name());
                return None;
            }
            _ => {
                let message =
                    format!("'{}' is not an integer, but the datatype is {}", self.shown(node), integer.name());
                self.fail(Code::ValueType, node, message);
                return None;
            }
        };
        let number = scalar::integer(text).filter(|&number| integer.holds(number));
        if number.is_none() {
            self.fail(Code::ValueRange, node, format!("{} is not in the range of {}", shown(text), integer.name()));
        }
        number
    }

    fn float<T: Copy>(
        &mut self,
        node: NodeId,
        core: Core,
        parse: fn(&str) -> Option<T>,
        is_infinite: fn(T) -> bool,
        of_word: fn(f64) -> T,
        name: &str,
    ) -> Option<T> {
        let text = match core {
            Core::Integer(text) | Core::Float(text) => text,
            Core::Null => {
                self.null(node, name);
                return None;
            }
            Core::Text(text) if self.reader.tree.plain_text(node).is_some() => match scalar::foreign_float(text) {
                Some(number) => {
                    let message =
                        format!("'{text}' is text in YAML; it is read as the number that YAML writes with a dot");
                    self.report(Code::FloatSpelling, node, message);
                    return Some(of_word(number));
                }
                None => text,
            },
            Core::Text(_) | Core::Bool(_) => "",
        };
        let is_number = matches!(core, Core::Integer(_) | Core::Float(_));
        if !is_number {
            self.fail(
                Code::ValueType,
                node,
                format!("'{}' is not a number, but the datatype is {name}", self.shown(node)),
            );
            return None;
        }
        let is_word = text.contains(['n', 'N']);
        let number = parse(text).filter(|&number| is_word || !is_infinite(number));
        if number.is_none() {
            self.fail(Code::ValueRange, node, format!("{} is not in the range of {name}", shown(text)));
        }
        number
    }

    fn constant(&mut self, node: NodeId, core: Core, enumeration: &Enumeration) -> Option<u32> {
        let members = &enumeration.members;
        let named = |name| members.position(name).and_then(|position| u32::try_from(position).ok());
        let position = named(self.reader.tree.text(node)).or_else(|| match core {
            Core::Integer(text) => {
                let position = self.constants.position(scalar::integer(text)?, enumeration);
                self.reader.held(position).flatten()
            }
            Core::Bool(true) => named("TRUE"),
            Core::Bool(false) => named("FALSE"),
            _ => None,
        });
        if position.is_none() {
            let names = members.iter().take(5).map(|(name, _)| shown(name)).collect::<Vec<_>>().join(", ");
            let more = if members.len() > 5 { ", …" } else { "" };
            let message = format!("'{}' is not one of the constants {names}{more}", self.shown(node));
            self.fail(Code::EnumUnknown, node, message);
        }
        position
    }

    fn opaque(&mut self, node: NodeId, core: Core, size: u64, blobs: &mut Blobs) {
        if core == Core::Null {
            return self.null(node, "opaque");
        }
        match decode_base64(self.reader.tree.text(node)) {
            None => self.fail(Code::OpaqueValue, node, format!("'{}' is not valid base64", self.shown(node))),
            Some(bytes) if bytes.len() as u64 > size => {
                let message = format!("the element has {} bytes, but the datatype allows {size}", bytes.len());
                self.fail(Code::OpaqueValue, node, message);
            }
            Some(bytes) => self.hold(blobs.try_push(&bytes)),
        }
    }

    fn object(&mut self, node: NodeId, core: Core) -> Option<String> {
        let path = match core {
            Core::Null => return None,
            Core::Text(text) if path_name::is_group_path(text) => text,
            _ => {
                let message = format!(
                    "'{}' is not a valid path name of an object: '/', or names that each follow a slash",
                    self.shown(node)
                );
                self.fail(Code::RefSyntax, node, message);
                return None;
            }
        };
        if self.objects.get(path).is_none() {
            self.report(
                Code::RefDangling,
                node,
                format!("the description has no object with the path name '{}'", shown(path)),
            );
        }
        self.reader.held(text_of(path)).map(<str>::into_string)
    }

    fn compound(&mut self, node: NodeId, depth: usize, members: &Named<Datatype>, columns: &mut [Elements]) {
        if self.reader.kind(node) == Kind::Scalar {
            return self.fail(
                Code::ValueType,
                node,
                "an element of a compound must be a list, or a mapping from member names",
            );
        }
        if self.is_too_deep(node, depth) {
            return;
        }
        if self.reader.kind(node) == Kind::Sequence {
            let items = self.reader.items(node);
            if items.len() != members.len() {
                let message =
                    format!("the list has {} items, but the compound has {} members", items.len(), members.len());
                return self.fail(Code::ValueType, node, message);
            }
            for ((item, (_, member)), column) in items.zip(members.iter()).zip(columns) {
                self.element(item, depth + 1, member, column);
            }
            return;
        }
        let pairs = self.reader.pairs(node);
        if let Some(pair) = self.reader.pairs(node).find(|pair| !members.contains(pair.name)) {
            let message = format!("the compound has no member '{}'", shown(pair.name));
            return self.fail(Code::ValueType, pair.key, message);
        }
        if pairs.len() < members.len() {
            let mut given = HashSet::new();
            for pair in pairs {
                let added = insert(&mut given, pair.name);
                self.hold(added.map(drop));
            }
            let missing = members.iter().map(|(name, _)| name).find(|name| !given.contains(name)).unwrap_or_default();
            return self.fail(Code::ValueType, node, format!("the member '{}' is missing", shown(missing)));
        }
        for pair in pairs {
            let position = members.position(pair.name).unwrap_or_default();
            if let (Some((_, member)), Some(column)) = (members.at(position), columns.get_mut(position)) {
                self.element(pair.value, depth + 1, member, column);
            }
        }
    }
}
