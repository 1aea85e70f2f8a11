//! Writes metadata as JSON, which every reader of Arrow can parse.
//!
//! Values that JSON cannot express become objects with a tag and a value. Only comments, styles and the identity of
//! aliased nodes are lost. The stack depth does not depend on the depth of the metadata.

use crate::error::{Error, Result, Status};
use crate::file::{Node, NodeKey, NodeType};
use crate::float;
use crate::json::{Escapes, Style, Writer};
use crate::tags;
use std::collections::HashSet;

/// Keys of an object that represents a tagged value.
pub(super) const TAG: &str = "__tag__";
pub(super) const VALUE: &str = "__value__";

/// Tag of a scalar without a tag that is read as plain text.
pub(super) const PLAIN: &str = "!";

/// Maximum depth of metadata: that of a tree, whose flow and block styles have a limit each.
pub(super) const MAX_DEPTH: usize = 510;

/// Maximum length of the JSON text in bytes. Without it, nested aliases could exceed any memory.
const MAX_LENGTH: usize = 256 << 20;

/// Maximum number of nodes written. A node counts again each time that an alias repeats it.
const MAX_NODES: usize = 1_000_000;

/// Compact style: no blanks, and only the escapes that JSON requires.
const STYLE: Style = Style { comma: ",", colon: ":", escapes: Escapes { letters: "", more: &[] } };

type Json = Writer<String>;

/// A collection whose end has not been written yet.
struct OpenCollection {
    node: Node,
    form: Form,
    next: usize,
    count: usize,
    /// True if an object with the tag encloses it.
    is_tagged: bool,
}

/// Syntax of the children of a collection.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    /// Items of an array.
    Items,
    /// Entries of an object.
    Entries,
    /// Entries of an object, each from a mapping of one pair.
    Ordered,
    /// Arrays of key and value, for a mapping with a key that is not text or equals `__tag__`.
    Pairs,
}

/// Returns the JSON text of a node.
///
/// Fails with [`Status::Limit`] if the text, with aliases written out, is too long or too deep.
pub(super) fn write(node: &Node) -> Result<String> {
    write_bounded(node, MAX_NODES)
}

fn write_bounded(node: &Node, max_nodes: usize) -> Result<String> {
    let mut json = Json::new(String::new(), &STYLE);
    let mut open = Vec::new();
    let mut nodes = 1;
    begin(&mut json, node, &mut open)?;
    while let Some(collection) = open.last_mut() {
        if collection.next == collection.count {
            match collection.form {
                Form::Items => json.close("]"),
                Form::Entries | Form::Ordered => json.close("}"),
                Form::Pairs => ["]", "]", "}"].iter().for_each(|bracket| json.close(bracket)),
            }
            if collection.is_tagged {
                json.close("}");
            }
            open.pop();
            continue;
        }
        let child = next_child(&mut json, collection)?;
        begin(&mut json, &child, &mut open)?;
        nodes += 1;
        if open.len() > MAX_DEPTH || nodes > max_nodes || json.text().len() > MAX_LENGTH {
            let message = "the metadata are too long or too deep for Arrow when aliases are written out";
            return Err(Error::new(Status::Limit, message));
        }
    }
    Ok(json.into_text())
}

/// Writes a scalar, or opens a collection.
fn begin(json: &mut Json, node: &Node, open: &mut Vec<OpenCollection>) -> Result<()> {
    if let Some(uri) = node.reference("")? {
        json.open("{");
        json.key("$ref");
        json.string(&uri);
        json.close("}");
        return Ok(());
    }
    let tag = node.tag("")?;
    let node_type = match node.node_type("") {
        Ok(node_type) => node_type,
        // The text is not valid for its tag. Both are written unchanged.
        Err(error) if error.status() == Status::TagContent => NodeType::Timestamp,
        Err(error) => return Err(error),
    };
    if !matches!(node_type, NodeType::Sequence | NodeType::Mapping) {
        return scalar(json, node, node_type, tag.as_deref());
    }
    let count = node.count("")?;
    let yaml_name = tag.as_deref().and_then(|tag| tag.strip_prefix(tags::YAML));
    let (form, is_plain) = match (node_type, yaml_name) {
        (NodeType::Sequence, Some("omap")) if is_ordered(node, count) => (Form::Ordered, true),
        (NodeType::Sequence, name) => (Form::Items, name == Some("seq")),
        (_, name) => {
            let form = if has_text_keys(node, count)? { Form::Entries } else { Form::Pairs };
            (form, matches!(name, Some("map" | "omap")))
        }
    };
    let written_tag = tag.filter(|tag| !is_plain && tag != PLAIN);
    if let Some(tag) = &written_tag {
        begin_tagged(json, tag);
    }
    match form {
        Form::Items => json.open("["),
        Form::Entries | Form::Ordered => json.open("{"),
        Form::Pairs => {
            begin_tagged(json, &[tags::YAML, "map"].concat());
            json.open("[");
        }
    }
    open.push(OpenCollection { node: node.clone(), form, next: 0, count, is_tagged: written_tag.is_some() });
    Ok(())
}

/// Writes the text before the next child, and returns that child.
fn next_child(json: &mut Json, collection: &mut OpenCollection) -> Result<Node> {
    let OpenCollection { node, form, next, .. } = collection;
    let index = *next;
    *next += 1;
    let item = node.item("", index)?;
    match form {
        Form::Items => {}
        Form::Entries | Form::Ordered => {
            let key = if *form == Form::Ordered { item.key("", 0)? } else { node.key("", index)? };
            if let NodeKey::String(key) = key {
                json.key(&key);
            }
        }
        Form::Pairs => {
            if index > 0 {
                json.close("]");
            }
            json.open("[");
            write_key(json, &node.key("", index)?);
        }
    }
    if *form == Form::Ordered { item.item("", 0) } else { Ok(item) }
}

fn write_key(json: &mut Json, key: &NodeKey) {
    match key {
        NodeKey::String(text) => json.string(text),
        NodeKey::Integer(value) => json.item().push_str(&value.to_string()),
        NodeKey::Bool(value) => json.item().push_str(&value.to_string()),
        NodeKey::Other(text) => write_tagged(json, PLAIN, text),
    }
}

/// Returns whether all keys are text and none is `__tag__`.
fn has_text_keys(node: &Node, count: usize) -> Result<bool> {
    for index in 0..count {
        if !matches!(node.key("", index)?, NodeKey::String(key) if key != TAG) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Returns whether a sequence is a valid ordered mapping: mappings of one pair whose keys are text and unique.
fn is_ordered(node: &Node, count: usize) -> bool {
    let mut keys = HashSet::new();
    (0..count).all(|index| {
        let pair = node.item("", index).ok().filter(|item| item.count("").is_ok_and(|count| count == 1));
        match pair.and_then(|item| item.key("", 0).ok()) {
            Some(NodeKey::String(key)) => key != TAG && keys.insert(key),
            _ => false,
        }
    })
}

fn scalar(json: &mut Json, node: &Node, node_type: NodeType, tag: Option<&str>) -> Result<()> {
    let yaml_name = tag.and_then(|tag| tag.strip_prefix(tags::YAML));
    match node_type {
        NodeType::Null => json.item().push_str("null"),
        NodeType::Bool => json.item().push_str(if node.bool("")? { "true" } else { "false" }),
        NodeType::Integer => json.item().push_str(&node.integer("")?),
        NodeType::Float => {
            let value = node.f64("")?;
            let mut text = String::new();
            float::Notation::YAML.write(&mut text, value);
            if value.is_finite() {
                json.item().push_str(&text);
            } else {
                write_tagged(json, &[tags::YAML, "float"].concat(), &text);
            }
        }
        NodeType::String if matches!(tag, None | Some(PLAIN)) || yaml_name == Some("str") => {
            json.string(&node.text("")?);
        }
        NodeType::Binary => write_tagged(json, &[tags::YAML, "binary"].concat(), &node.text("")?),
        _ => {
            let timestamp = [tags::YAML, "timestamp"].concat();
            write_tagged(json, tag.filter(|tag| *tag != PLAIN).unwrap_or(&timestamp), &node.text("")?);
        }
    }
    Ok(())
}

fn write_tagged(json: &mut Json, tag: &str, text: &str) {
    begin_tagged(json, tag);
    json.string(text);
    json.close("}");
}

fn begin_tagged(json: &mut Json, tag: &str) {
    json.open("{");
    json.key(TAG);
    json.string(tag);
    json.key(VALUE);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::file::{File, OpenOptions};
    use std::sync::Arc;

    fn node(yaml: &str) -> Node {
        let text = format!("#ASDF 1.0.0\n#ASDF_STANDARD 1.6.0\n%YAML 1.1\n---\n{yaml}\n...\n");
        let file = File::open_memory(Arc::new(text.into_bytes()), &OpenOptions::default()).unwrap();
        file.root().unwrap().at("m").unwrap()
    }

    #[test]
    fn values_of_json_types_are_written_plainly() {
        let cases = [
            (
                "m: {a: 1, b: [yes, ~, 1.5, 1.0e+20], c: \"x\\n\\\"\\x01é\"}",
                r#"{"a":1,"b":[true,null,1.5,1.0e+20],"c":"x\n\"\u0001é"}"#,
            ),
            ("m: !!omap [{b: 1}, {a: {c: 2}}]", r#"{"b":1,"a":{"c":2}}"#),
            ("m: [&x {a: 1}, *x, [], {}]", r#"[{"a":1},{"a":1},[],{}]"#),
            ("m: 123456789012345678901234567890", "123456789012345678901234567890"),
            ("m: !!str 5", "\"5\""),
        ];
        for (yaml, json) in cases {
            assert_eq!(write(&node(yaml)).unwrap(), json);
        }
    }

    #[test]
    fn other_values_are_written_with_tags() {
        let cases = [
            ("m: .nan", r#"{"__tag__":"tag:yaml.org,2002:float","__value__":".nan"}"#),
            ("m: 2027-01-31", r#"{"__tag__":"tag:yaml.org,2002:timestamp","__value__":"2027-01-31"}"#),
            ("m: !!binary AQI=", r#"{"__tag__":"tag:yaml.org,2002:binary","__value__":"AQI="}"#),
            ("m: !<x> {unit: m}", r#"{"__tag__":"x","__value__":{"unit":"m"}}"#),
            ("m: !!python/tuple [1]", r#"{"__tag__":"tag:yaml.org,2002:python/tuple","__value__":[1]}"#),
            ("m: !!int abc", r#"{"__tag__":"tag:yaml.org,2002:int","__value__":"abc"}"#),
            ("m: {1: a}", r#"{"__tag__":"tag:yaml.org,2002:map","__value__":[[1,"a"]]}"#),
            ("m: {__tag__: a}", r#"{"__tag__":"tag:yaml.org,2002:map","__value__":[["__tag__","a"]]}"#),
            ("m: !!omap [{b: 1}, 2]", r#"{"__tag__":"tag:yaml.org,2002:omap","__value__":[{"b":1},2]}"#),
            ("m: !!omap [{b: 1}, {b: 2}]", r#"{"__tag__":"tag:yaml.org,2002:omap","__value__":[{"b":1},{"b":2}]}"#),
        ];
        for (yaml, json) in cases {
            assert_eq!(write(&node(yaml)).unwrap(), json);
        }
    }

    #[test]
    fn aliases_of_aliases_are_bounded() {
        let mut yaml = "x0: &x0 [a, a, a, a, a, a, a, a, a, a]\n".to_owned();
        for level in 1..12 {
            let alias = format!("*x{}", level - 1);
            let items = vec![alias; 10].join(", ");
            yaml.push_str(&format!("x{level}: &x{level} [{items}]\n"));
        }
        let aliases = node(&format!("{yaml}m: *x11"));
        assert_eq!(write_bounded(&aliases, 1000).unwrap_err().status(), Status::Limit);
        assert_eq!(write(&node("m: &m [*m]")).unwrap_err().status(), Status::Limit);
    }
}
