//! Reads datatypes.

use super::hints;
use super::reader::{Pair, Reader, shown};
use crate::ndl::model::scalar;
use crate::ndl::model::scalar::Core;
use crate::ndl::{
    Code, Datatype, DatatypeKind, Enumeration, Extensions, IntegerType, Named, Selection, is_extension_key,
};
use crate::reserve::{insert, push};
use crate::tree::{Kind, NodeId};
use std::collections::HashSet;

/// Keywords that need parameters.
const PARAMETRIC: [&str; 6] = ["opaque", "enum", "regref", "compound", "vlen", "array"];

/// Context of a datatype: its place in the description and its nesting depth.
#[derive(Clone, Copy)]
struct Context<'p> {
    place: &'p str,
    depth: usize,
}

/// Parameters of a datatype.
struct Parameters<'r> {
    known: Vec<Pair<'r>>,
    extensions: Extensions,
}

impl<'r> Parameters<'r> {
    fn get(&self, name: &str) -> Option<Pair<'r>> {
        self.known.iter().find(|pair| pair.name == name).copied()
    }
}

impl<'r> Reader<'r, '_> {
    /// Reads the datatype in the value of a pair.
    pub(super) fn datatype_of(&mut self, place: &str, pair: Pair<'r>) -> Option<Datatype> {
        let near = if self.is_omitted(pair.value) { pair.key } else { pair.value };
        self.datatype(Context { place, depth: 0 }, pair.value, near)
    }

    fn datatype(&mut self, context: Context, node: NodeId, near: NodeId) -> Option<Datatype> {
        let Context { place, depth } = context;
        if depth >= Datatype::MAX_DEPTH {
            let message = format!("datatypes nest at most {} levels deep", Datatype::MAX_DEPTH);
            self.report(Code::Limit, place, near, message);
            return None;
        }
        match self.kind(node) {
            Kind::Mapping => {}
            Kind::Scalar if !self.is_null(node) => return self.keyword(place, node),
            _ => {
                let message = "a datatype must be a keyword, or a mapping from one keyword to its parameters";
                self.report(Code::TypeForm, place, near, message);
                return None;
            }
        }
        let Some(pair) = self.only_pair(node) else {
            let message = format!(
                "a datatype must be a mapping from one keyword to its parameters, but this one has {} keys",
                self.pairs(node).len()
            );
            self.report(Code::TypeForm, place, node, message);
            return None;
        };
        let context = Context { place, depth: depth + 1 };
        let (kind, extensions) = match pair.name {
            "opaque" => self.opaque(place, pair)?,
            "enum" => self.enumeration(place, pair)?,
            "regref" => self.regref(place, pair)?,
            "compound" => self.compound(context, pair)?,
            "vlen" => self.vlen(context, pair)?,
            "array" => self.array(context, pair)?,
            name if Datatype::from_keyword(name).is_some() => {
                let message = format!("'{name}' has no parameters; write only the keyword");
                self.report(Code::TypeForm, place, pair.key, message);
                return None;
            }
            name => {
                self.unknown_datatype(place, name, pair.key);
                return None;
            }
        };
        let datatype = Datatype::with_extensions(kind, extensions);
        datatype.map_err(|error| self.report(Code::Limit, place, node, error.message())).ok()
    }

    fn keyword(&mut self, place: &str, node: NodeId) -> Option<Datatype> {
        let keyword = self.tree.text(node);
        if PARAMETRIC.contains(&keyword) {
            let message = format!("'{keyword}' needs parameters: {{{keyword}: …}}");
            self.report(Code::TypeForm, place, node, message);
            return None;
        }
        let datatype = Datatype::from_keyword(keyword);
        if datatype.is_none() {
            self.unknown_datatype(place, keyword, node);
        }
        datatype
    }

    fn unknown_datatype(&mut self, place: &str, name: &str, node: NodeId) {
        let hint = hints::datatype(name).map(|hint| format!("; use {hint}")).unwrap_or_default();
        self.report(Code::TypeUnknown, place, node, format!("there is no datatype '{}'{hint}", shown(name)));
    }

    fn parameters(&mut self, place: &str, pair: Pair<'r>, names: &[&str]) -> Option<Parameters<'r>> {
        if self.kind(pair.value) != Kind::Mapping {
            let message =
                format!("the parameters of '{}' must be a mapping with the keys: {}", pair.name, names.join(", "));
            self.report_value(Code::TypeParam, place, pair, message);
            return None;
        }
        let mut parameters = Parameters { known: Vec::new(), extensions: Extensions::new() };
        for parameter in self.pairs(pair.value) {
            if names.contains(&parameter.name) {
                self.held(push(&mut parameters.known, parameter))?;
            } else if is_extension_key(parameter.name) {
                self.extend(&mut parameters.extensions, parameter);
            } else {
                self.unknown_key(place, parameter, "");
            }
        }
        Some(parameters)
    }

    fn missing(&mut self, place: &str, pair: Pair, name: &str) {
        self.report_value(Code::TypeParam, place, pair, format!("'{}' needs the parameter '{name}'", pair.name));
    }

    fn opaque(&mut self, place: &str, pair: Pair<'r>) -> Option<(DatatypeKind, Extensions)> {
        let parameters = self.parameters(place, pair, &["size", "tag"])?;
        let mut size = None;
        match parameters.get("size") {
            None => self.missing(place, pair, "size"),
            Some(parameter) => {
                size = self.natural(parameter.value).filter(|&size| size > 0);
                if size.is_none() {
                    let message = "the size of opaque bytes must be an integer from 1 to 2^64-1";
                    self.report_value(Code::TypeParam, place, parameter, message);
                }
            }
        }
        let mut tag = None;
        if let Some(parameter) = parameters.get("tag") {
            match self.core(parameter.value) {
                Some(Core::Text(text)) => tag = Some(text.to_owned()),
                _ => {
                    self.report_value(Code::TypeParam, place, parameter, "the tag of opaque bytes must be text");
                    return None;
                }
            }
        }
        Some((DatatypeKind::Opaque { size: size?, tag }, parameters.extensions))
    }

    fn regref(&mut self, place: &str, pair: Pair<'r>) -> Option<(DatatypeKind, Extensions)> {
        let parameters = self.parameters(place, pair, &["selection"])?;
        let Some(parameter) = parameters.get("selection") else {
            self.missing(place, pair, "selection");
            return None;
        };
        let selection = match self.core(parameter.value) {
            Some(Core::Text("block")) => Selection::Block,
            Some(Core::Text("element")) => Selection::Element,
            _ => {
                self.report_value(Code::TypeParam, place, parameter, "the selection must be 'block' or 'element'");
                return None;
            }
        };
        Some((DatatypeKind::Regref(selection), parameters.extensions))
    }

    fn enumeration(&mut self, place: &str, pair: Pair<'r>) -> Option<(DatatypeKind, Extensions)> {
        let parameters = self.parameters(place, pair, &["base", "members"])?;
        let mut is_whole = true;
        let mut base = None;
        if let Some(parameter) = parameters.get("base") {
            base = IntegerType::from_name(self.tree.text(parameter.value));
            if base.is_none() {
                is_whole = false;
                self.report_value(Code::EnumBase, place, parameter, "the base of an enum must be an integer datatype");
            }
        }
        let mut constants = self.optional_pairs(parameters.get("members")).peekable();
        if constants.peek().is_none() {
            let pair = parameters.get("members").unwrap_or(pair);
            let message = "the 'members' of an enum must be a mapping from at least one name to an integer";
            self.report_value(Code::EnumMembers, place, pair, message);
            return None;
        }
        let mut members = Named::new();
        let mut numbers = HashSet::new();
        for constant in constants {
            let Some(number) = self.constant(place, constant, base) else {
                is_whole = false;
                continue;
            };
            if !self.held(insert(&mut numbers, number))? {
                let message = format!("another constant also has the number {number}; most libraries refuse this");
                self.report(Code::EnumDupValue, place, constant.key, message);
            }
            self.held(members.add(constant.name, number))?;
        }
        if !is_whole {
            return None;
        }
        let (least, most) = (numbers.iter().min()?, numbers.iter().max()?);
        let inferred = base.is_none();
        let Some(base) = base.or_else(|| IntegerType::narrowest(*least, *most)) else {
            let message = format!("no integer datatype can hold both {least} and {most}");
            self.report_value(Code::EnumRange, place, pair, message);
            return None;
        };
        Some((DatatypeKind::Enum(Enumeration { base, inferred, members }), parameters.extensions))
    }

    fn constant(&mut self, place: &str, constant: Pair, base: Option<IntegerType>) -> Option<i128> {
        let Some(Core::Integer(text)) = self.core(constant.value) else {
            let message = format!("the constant '{}' is not an integer", shown(constant.name));
            self.report_value(Code::EnumValue, place, constant, message);
            return None;
        };
        let widest = |number: &i128| IntegerType::Uint64.holds(*number) || IntegerType::Int64.holds(*number);
        let number = scalar::integer(text).filter(widest);
        let in_base = number.filter(|&number| base.is_none_or(|base| base.holds(number)));
        if in_base.is_none() {
            let range = base.map_or("any integer datatype", IntegerType::name);
            let message =
                format!("the constant '{}' = {} is not in the range of {range}", shown(constant.name), shown(text));
            self.report_value(Code::EnumRange, place, constant, message);
        }
        in_base
    }

    fn compound(&mut self, context: Context, pair: Pair<'r>) -> Option<(DatatypeKind, Extensions)> {
        let place = context.place;
        const FORM: &str =
            "a compound must be a list of at least one member; each member is a mapping from its name to its datatype";
        if self.kind(pair.value) != Kind::Sequence || self.tree.item_count(pair.value) == 0 {
            self.report_value(Code::CompoundForm, place, pair, FORM);
            return None;
        }
        let mut members = Named::new();
        let mut is_whole = true;
        for item in self.items(pair.value) {
            let Some(member) = self.only_pair(item) else {
                let near = if self.is_omitted(item) { pair.key } else { item };
                self.report(Code::CompoundForm, place, near, FORM);
                is_whole = false;
                continue;
            };
            let near = if self.is_omitted(member.value) { member.key } else { member.value };
            if members.contains(member.name) {
                let message = format!("two members have the name '{}'", shown(member.name));
                self.report(Code::CompoundDup, place, member.key, message);
                is_whole = false;
            }
            match self.datatype(context, member.value, near) {
                Some(datatype) => {
                    self.held(members.add(member.name, datatype))?;
                }
                None => is_whole = false,
            }
        }
        is_whole.then_some((DatatypeKind::Compound(members), Extensions::new()))
    }

    fn base(&mut self, context: Context, parameters: &Parameters<'r>, pair: Pair<'r>) -> Option<Datatype> {
        let Some(base) = parameters.get("base") else {
            self.missing(context.place, pair, "base");
            return None;
        };
        let near = if self.is_omitted(base.value) { base.key } else { base.value };
        self.datatype(context, base.value, near)
    }

    fn vlen(&mut self, context: Context, pair: Pair<'r>) -> Option<(DatatypeKind, Extensions)> {
        let parameters = self.parameters(context.place, pair, &["base"])?;
        let base = self.base(context, &parameters, pair)?;
        Some((DatatypeKind::Vlen(base), parameters.extensions))
    }

    fn array(&mut self, context: Context, pair: Pair<'r>) -> Option<(DatatypeKind, Extensions)> {
        let parameters = self.parameters(context.place, pair, &["base", "shape"])?;
        let base = self.base(context, &parameters, pair);
        let Some(parameter) = parameters.get("shape") else {
            self.missing(context.place, pair, "shape");
            return None;
        };
        let shape = self.naturals(parameter.value).filter(|shape| !shape.is_empty() && !shape.contains(&0));
        if shape.is_none() {
            let message = "the shape of an array datatype must be a list of one or more integers, each at least 1";
            self.report_value(Code::TypeParam, context.place, parameter, message);
        }
        Some((DatatypeKind::Array { base: base?, shape: shape? }, parameters.extensions))
    }
}
