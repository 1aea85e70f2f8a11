//! Compares a tree with a manifest in typed JSON, which the key `encoding` of the manifest explains.

use crate::arrays;
use crate::timestamp;
use crate::verdict::Findings;
use crate::walk::is_core;
use asdfkit::Error;
use asdfkit::file::StandardVersion;
use asdfkit::file::{Node, NodeKey, NodeType};
use serde_json::Value;
use std::collections::HashMap;

const YAML_TAG: &str = "tag:yaml.org,2002:";

/// State of a comparison.
pub(crate) struct Comparison<'a> {
    pub(crate) findings: &'a mut Findings,
    /// Path at which each collection was seen first, by its identity.
    seen: HashMap<u64, String>,
}

/// Path to the current node: state that affects its comparison.
#[derive(Clone, Copy)]
struct Way {
    /// Through a reference. The manifest repeats its target and does not call it an alias.
    referred: bool,
    /// True if the manifest contains the tag and it was compared.
    tag_known: bool,
}

impl<'a> Comparison<'a> {
    pub(crate) fn new(findings: &'a mut Findings) -> Comparison<'a> {
        Comparison { findings, seen: HashMap::new() }
    }

    /// Compares the whole tree. A manifest does not contain the entries about the creation of the file.
    pub(crate) fn root(&mut self, expected: &Value, root: &Node) {
        // The tag of the root is not in the manifest either.
        let way = Way { referred: false, tag_known: true };
        match expected.get("map").and_then(Value::as_array) {
            Some(pairs) => {
                let result = self.identify(root, "", way).and_then(|()| {
                    self.mapping(pairs, root, "", way, |key| !matches!(key, "asdf_library" | "history"))
                });
                self.note("", result);
            }
            None => self.node(expected, root, "", way),
        }
    }

    fn node(&mut self, expected: &Value, node: &Node, at: &str, way: Way) {
        let result = self.try_node(expected, node, at, way);
        if let Some(("error", _)) = kind(expected) {
            if result.is_ok() {
                self.findings.differ(at, "is readable, but must not be");
            }
        } else {
            self.note(at, result);
        }
    }

    fn note(&mut self, at: &str, result: Result<(), Error>) {
        if let Err(error) = result {
            self.findings.error(at, &error);
        }
    }

    fn try_node(&mut self, expected: &Value, node: &Node, at: &str, mut way: Way) -> Result<(), Error> {
        let Some((kind, value)) = kind(expected) else {
            self.findings.differ(at, format_args!("the manifest is malformed here: {expected}"));
            return Ok(());
        };
        if let Some(uri) = node.reference("")? {
            if kind == "ref" {
                let expected = value["$ref"].as_str();
                self.findings.same(at, "the reference", Some(uri.as_str()), expected);
                return Ok(());
            }
            way.referred = true;
        }
        match kind {
            "tagged" => return self.tagged(value, node, at, way),
            "alias_of" => return self.alias(value, node, at),
            "ndarray" => return arrays::compare(self, value, node, at),
            "error" => return self.access(node),
            "complex" => return self.complex(value, node, at),
            "integer" => {
                self.findings.same(at, "being a core/integer", is_core(node, "integer")?, true);
                self.findings.same(at, "the value", Some(node.integer("")?.as_str()), value.as_str());
                return Ok(());
            }
            "constant" => {
                self.findings.same(at, "being a core/constant", is_core(node, "constant")?, true);
                way.tag_known = true;
                return self.try_node(value, node, at, way);
            }
            _ => {}
        }
        if !way.tag_known {
            let tag = node.tag("")?.filter(|tag| !tag.starts_with(YAML_TAG));
            self.findings.same(at, "the tag", tag, None);
        }
        self.plain(kind, value, node, at, way)
    }

    /// Compares a value of a type that YAML itself has.
    fn plain(&mut self, kind: &str, value: &Value, node: &Node, at: &str, way: Way) -> Result<(), Error> {
        let below = Way { tag_known: false, ..way };
        let wanted = match kind {
            "null" => NodeType::Null,
            "bool" => NodeType::Bool,
            "int" => NodeType::Integer,
            "float" => NodeType::Float,
            "str" => NodeType::String,
            "binary" => NodeType::Binary,
            "date" | "timestamp" => NodeType::Timestamp,
            "seq" | "omap" => NodeType::Sequence,
            "map" | "set" => NodeType::Mapping,
            other => {
                self.findings.differ(at, format_args!("the manifest says '{other}', which is not known"));
                return Ok(());
            }
        };
        let found = node.node_type("")?;
        if found != wanted {
            self.findings.differ(at, format_args!("the type is {found:?}, expected {wanted:?}"));
            return Ok(());
        }
        let items = value.as_array().map(Vec::as_slice).unwrap_or_default();
        match kind {
            "bool" => self.findings.same(at, "the value", Some(node.bool("")?), value.as_bool()),
            "int" => self.findings.same(at, "the value", Some(node.integer("")?.as_str()), value.as_str()),
            "str" => self.findings.same(at, "the text", Some(node.string("")?.as_str()), value.as_str()),
            "float" => self.float(node.f64("")?, value, at),
            "binary" => {
                let digits: String = node.binary("")?.iter().map(|byte| format!("{byte:02x}")).collect();
                self.findings.same(at, "the bytes", Some(digits.as_str()), value.as_str());
            }
            "date" | "timestamp" => {
                let iso = timestamp::iso(&node.string("")?);
                self.findings.same(at, "the time", iso.as_deref(), value.as_str());
                self.findings.same(at, "having a clock time", iso.is_some_and(|iso| iso.len() > 10), kind != "date");
            }
            "seq" => {
                self.identify(node, at, way)?;
                self.findings.same(at, "the number of items", node.count("")?, items.len());
                for (index, expected) in items.iter().enumerate().take(node.count("")?) {
                    self.node(expected, &node.item("", index)?, &format!("{at}/{index}"), below);
                }
            }
            "map" => {
                self.identify(node, at, way)?;
                self.mapping(items, node, at, below, |_| true)?;
            }
            "omap" => {
                self.findings.same(at, "the number of items", node.count("")?, items.len());
                for (index, pair) in items.iter().enumerate().take(node.count("")?) {
                    self.mapping(std::slice::from_ref(pair), &node.item("", index)?, at, below, |_| true)?;
                }
            }
            "set" => {
                self.findings.same(at, "the number of members", node.count("")?, items.len());
                for (index, expected) in items.iter().enumerate().take(node.count("")?) {
                    self.key(expected, &node.key("", index)?, at);
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// Compares pairs in file order. Pairs with a string key for which `counts` is false are not in the manifest.
    fn mapping(
        &mut self,
        pairs: &[Value],
        node: &Node,
        at: &str,
        way: Way,
        counts: impl Fn(&str) -> bool,
    ) -> Result<(), Error> {
        let keys = keys_as_in_python(node, counts)?;
        let filled_in =
            |pair: &&Value| is_legacy_default(node, pair) && !keys.iter().any(|(key, _)| is_key(&pair[0], key));
        let pairs: Vec<_> = pairs.iter().filter(|pair| !filled_in(pair)).collect();
        if keys.len() != pairs.len() {
            let shown: Vec<_> = keys.iter().map(|(key, _)| text_of(key)).collect();
            self.findings.differ(at, format_args!("the keys are {shown:?}, expected {} pairs", pairs.len()));
        }
        for (pair, (key, index)) in pairs.iter().zip(&keys) {
            let below = format!("{at}/{}", text_of(key).replace('~', "~0").replace('/', "~1"));
            self.key(&pair[0], key, &below);
            self.node(&pair[1], &node.item("", *index)?, &below, Way { tag_known: false, ..way });
        }
        Ok(())
    }

    fn key(&mut self, expected: &Value, key: &NodeKey, at: &str) {
        if !is_key(expected, key) {
            self.findings.differ(at, format_args!("the key is {key:?}, expected {expected}"));
        }
    }

    fn tagged(&mut self, expected: &Value, node: &Node, at: &str, way: Way) -> Result<(), Error> {
        let tag = match node.tag("")? {
            // The plain scalar `=` has its own tag in YAML 1.1, which no other spelling of the text has.
            None if node.text("").is_ok_and(|text| text == "=") => Some(format!("{YAML_TAG}value")),
            tag => tag,
        };
        self.findings.same(at, "the tag", tag.as_deref(), expected["tag"].as_str());
        self.try_node(&expected["value"], node, at, Way { tag_known: true, ..way })
    }

    fn alias(&mut self, expected: &Value, node: &Node, at: &str) -> Result<(), Error> {
        let seen = self.seen.get(&node.identity("")?).map(String::as_str);
        self.findings.same(at, "the node it is an alias of", seen, expected.as_str());
        Ok(())
    }

    /// Records a collection that is seen for the first time, and checks that the manifest expects that.
    fn identify(&mut self, node: &Node, at: &str, way: Way) -> Result<(), Error> {
        if !way.referred
            && let Some(before) = self.seen.insert(node.identity("")?, at.to_owned())
        {
            self.findings.differ(at, format_args!("is the same node as {before}, but must not be"));
        }
        Ok(())
    }

    fn complex(&mut self, expected: &Value, node: &Node, at: &str) -> Result<(), Error> {
        self.findings.same(at, "being a core/complex", is_core(node, "complex")?, true);
        let (real, imaginary) = node.complex("")?;
        self.float(real, &expected[0], at);
        self.float(imaginary, &expected[1], at);
        Ok(())
    }

    fn float(&mut self, value: f64, expected: &Value, at: &str) {
        if !expected.as_str().and_then(hex_float).is_some_and(|expected| same_float(value, expected)) {
            self.findings.differ(at, format_args!("the value is {value:?}, expected {expected}"));
        }
    }

    /// Reads a value that the manifest expects to be unreadable.
    fn access(&self, node: &Node) -> Result<(), Error> {
        if is_core(node, "complex")? {
            return node.complex("").map(drop);
        }
        if is_core(node, "integer")? {
            return node.integer("").map(drop);
        }
        crate::walk::read(&node.array("")?).map(drop)
    }
}

/// Returns the only key of a typed value, and its content.
pub(crate) fn kind(value: &Value) -> Option<(&str, &Value)> {
    let object = value.as_object().filter(|object| object.len() == 1)?;
    object.iter().next().map(|(kind, value)| (kind.as_str(), value))
}

/// Returns whether a key is the one in the manifest.
fn is_key(expected: &Value, key: &NodeKey) -> bool {
    match (kind(expected), key) {
        (Some(("str", value)), NodeKey::String(key)) => value.as_str() == Some(key),
        (Some(("int", value)), NodeKey::Integer(key)) => value.as_str() == Some(&key.to_string()),
        (Some(("bool", value)), NodeKey::Bool(key)) => value.as_bool() == Some(*key),
        (Some(("null", _)), NodeKey::Other(key)) => matches!(key.as_str(), "" | "~" | "null" | "Null" | "NULL"),
        (Some(("float", value)), NodeKey::Other(key)) => {
            key.parse().is_ok_and(|key| value.as_str().and_then(hex_float).is_some_and(|value| same_float(value, key)))
        }
        (Some((_, value)), NodeKey::Other(key)) => value.as_str() == Some(key),
        _ => false,
    }
}

/// Returns the relevant keys, each with the position of its value.
///
/// The values of a manifest come from Python, in which `1` and `true` are the same key. Python keeps the first key with
/// the last value. The library distinguishes the keys, so they are joined here.
fn keys_as_in_python(node: &Node, counts: impl Fn(&str) -> bool) -> Result<Vec<(NodeKey, usize)>, Error> {
    let number = |key: &NodeKey| match key {
        NodeKey::Integer(value) => Some(*value),
        NodeKey::Bool(value) => Some(i64::from(*value)),
        _ => None,
    };
    let mut keys: Vec<(NodeKey, usize)> = Vec::new();
    for index in 0..node.count("")? {
        let key = node.key("", index)?;
        if matches!(&key, NodeKey::String(text) if !counts(text)) {
            continue;
        }
        match keys.iter_mut().find(|(other, _)| number(&key).is_some() && number(&key) == number(other)) {
            Some((_, position)) => *position = index,
            None => keys.push((key, index)),
        }
    }
    Ok(keys)
}

/// Returns whether Python adds a pair that a table of standard 1.5.0 or earlier omits. The library does not change
/// trees.
fn is_legacy_default(node: &Node, pair: &Value) -> bool {
    let filled = |name, keys: &[&str]| {
        is_core(node, name).unwrap_or(false) && pair[0]["str"].as_str().is_some_and(|key| keys.contains(&key))
    };
    let standard_fills = node.file().standard().effective < StandardVersion::V1_6_0;
    let is_default = pair[1] == serde_json::json!({"str": ""}) || pair[1] == serde_json::json!({"map": []});
    standard_fills && is_default && (filled("column", &["description", "meta"]) || filled("table", &["meta"]))
}

/// Returns the text of a key of any type.
pub(crate) fn text_of(key: &NodeKey) -> String {
    match key {
        NodeKey::String(text) | NodeKey::Other(text) => text.clone(),
        NodeKey::Integer(value) => value.to_string(),
        NodeKey::Bool(value) => value.to_string(),
    }
}

/// Returns whether two floats have the same bits or are both NaN.
pub(crate) fn same_float(a: f64, b: f64) -> bool {
    a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan())
}

/// Parses a float in the form of Python's `float.hex`.
pub(crate) fn hex_float(text: &str) -> Option<f64> {
    let (negative, text) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    let value = match text {
        "inf" => f64::INFINITY,
        "nan" => f64::NAN,
        _ => {
            let (mantissa, exponent) = text.strip_prefix("0x")?.split_once('p')?;
            let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
            let digits = u64::from_str_radix(&format!("{whole}{fraction}"), 16).ok()?;
            let exponent = exponent.parse::<i32>().ok()? - 4 * fraction.len() as i32;
            // In two steps, because the power of two alone may be too small for a float.
            digits as f64 * 2f64.powi(exponent / 2) * 2f64.powi(exponent - exponent / 2)
        }
    };
    Some(if negative { -value } else { value })
}
