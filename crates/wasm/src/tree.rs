//! A node and its children, so that a tree is shown step by step, however large or deep it is.

use crate::answer::Answer;
use crate::opened::Opened;
use crate::region::{array_of, datatype_text};
use crate::request::Request;
use asdfkit::array::{Array, ArraySource, Datatype};
use asdfkit::file::{Node, NodeKey, NodeType, short_tag};
use asdfkit::{Error, NodeKind, Result};
use serde_json::{Map, Value, json};

/// Characters of a value that are sent.
const SHOWN: usize = 4000;
/// Most fields of a record that are named.
const FIELDS: usize = 1000;

/// Tells the facts of a node, and of its children from `start` on, at most `count`.
pub(crate) fn node(opened: &Opened, request: &Request) -> Result<Answer> {
    let path = request.text("path")?;
    let (start, count) = (request.index("start")?, request.index("count")?);
    let node = opened.file()?.root()?.at(path)?;
    let mut own = facts(&node)?;
    own.insert("path".to_owned(), json!(path));
    let mut children = Vec::new();
    let node_type = match Error::readable(node.node_type(""))? {
        Some(node_type @ (NodeType::Mapping | NodeType::Sequence)) => node_type,
        _ => return Ok(json!({"node": own, "children": children}).into()),
    };
    let end = start.saturating_add(count).min(node.count("")? as u64);
    for index in start as usize..end as usize {
        let key = match node_type {
            NodeType::Mapping => key_text(&node.key("", index)?),
            _ => index.to_string(),
        };
        let mut child = facts(&node.item("", index)?)?;
        child.insert("path".to_owned(), json!(format!("{path}/{}", step(&key))));
        child.insert("key".to_owned(), json!(key));
        children.push(Value::from(child));
    }
    Ok(json!({"node": own, "children": children}).into())
}

/// Returns a key as a part of a path.
pub(crate) fn step(key: &str) -> String {
    key.replace('~', "~0").replace('/', "~1")
}

pub(crate) fn key_text(key: &NodeKey) -> String {
    match key {
        NodeKey::String(text) | NodeKey::Other(text) => text.clone(),
        NodeKey::Integer(value) => value.to_string(),
        NodeKey::Bool(value) => value.to_string(),
    }
}

/// Returns the facts of a node. A node that cannot be read says why.
pub(crate) fn facts(node: &Node) -> Result<Map<String, Value>> {
    let mut out = Map::new();
    let mut set = |key: &str, value: Value| drop(out.insert(key.to_owned(), value));
    let kind = match node.kind("") {
        Ok(kind) => kind,
        Err(error) if error.is_of_machine() => return Err(error),
        Err(error) => {
            match Error::readable(node.reference(""))?.flatten() {
                Some(uri) => {
                    set("kind", json!("reference"));
                    set("value", json!(shortened(&uri)));
                }
                None => set("kind", json!("node")),
            }
            set("error", json!(error.message()));
            return Ok(out);
        }
    };
    set("kind", json!(kind_name(kind)));
    if let Some(tag) = node.tag("")? {
        set("tag", json!(short_tag(&tag)));
    }
    if matches!(kind, NodeKind::Quantity | NodeKind::Column)
        && let Some(unit) = Error::readable(node.unit(""))?
    {
        set("unit", json!(unit));
    }
    match array_of(node) {
        Ok(Some(array)) => array_facts(&array, &mut set)?,
        Ok(None) => {}
        Err(error) if error.is_of_machine() => return Err(error),
        Err(error) => set("error", json!(error.message())),
    }
    match node.node_type("")? {
        NodeType::Mapping | NodeType::Sequence => set("count", json!(node.count("")?)),
        NodeType::Binary => set("value", json!(format!("{} bytes", node.binary("")?.len()))),
        _ => set("value", json!(shortened(&node.text("")?))),
    }
    Ok(out)
}

fn array_facts(array: &Array, set: &mut impl FnMut(&str, Value)) -> Result<()> {
    set("datatype", json!(datatype_text(array.datatype())));
    set("shape", json!(array.shape()));
    set("masked", json!(array.is_masked()));
    if let Datatype::Record(fields) = array.datatype() {
        let names = fields.iter().take(FIELDS).filter_map(|field| field.name.as_deref());
        set("fields", json!(names.collect::<Vec<_>>()));
    }
    match array.source() {
        Some(ArraySource::Block(index)) => {
            set("storage", json!(format!("block {index}")));
            if let Some(block) = Error::readable(array.file().map(|file| file.block(*index)).transpose())?.flatten() {
                set("compression", json!(block.compression.to_string()));
            }
        }
        Some(ArraySource::Uri(uri)) => set("storage", json!(shortened(uri))),
        Some(ArraySource::Chunks) => set("storage", json!("chunks")),
        _ => set("storage", json!("tree")),
    }
    Ok(())
}

fn shortened(text: &str) -> String {
    let mut short: String = text.chars().take(SHOWN).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short
}

fn kind_name(kind: NodeKind) -> &'static str {
    match kind {
        NodeKind::NumberList => NodeKind::Sequence.name(),
        other => other.name(),
    }
}
