//! Compares metadata of tables with a manifest. The manifest uses JSON, in which objects with a key such as `$tag`
//! represent values that JSON lacks.

use crate::tables::float;
use crate::timestamp;
use crate::verdict::Findings;
use asdfkit::Error;
use asdfkit::file::{Node, NodeKey, NodeType};
use serde_json::Value;

const YAML_TAG: &str = "tag:yaml.org,2002:";
/// Tags of YAML itself, which only give the type of a value.
const TYPES: [&str; 10] = ["binary", "bool", "float", "int", "map", "null", "omap", "seq", "set", "str"];

/// Compares the metadata at a place; `node` is `None` if there are none.
pub(crate) fn compare(at: &str, expected: &Value, node: Option<&Node>, findings: &mut Findings) {
    let Some(node) = node else {
        return findings.same(at, "the metadata", &Value::Null, expected);
    };
    match is(node) {
        Ok(is) if is == *expected => {}
        Ok(is) => findings.differ(at, format_args!("is {is}, expected {expected}")),
        Err(error) => findings.error(at, &error),
    }
}

/// Returns the value of a node in the form of the manifest.
fn is(node: &Node) -> Result<Value, Error> {
    let value = untagged(node)?;
    let tag = node.tag("")?.filter(|tag| {
        let own = tag.strip_prefix(YAML_TAG);
        tag != "!" && !own.is_some_and(|name| TYPES.contains(&name) || name == "timestamp")
    });
    Ok(match tag {
        Some(tag) => serde_json::json!({ "$tag": tag, "$value": value }),
        None => value,
    })
}

fn untagged(node: &Node) -> Result<Value, Error> {
    Ok(match node.node_type("")? {
        NodeType::Null => Value::Null,
        NodeType::Bool => node.bool("")?.into(),
        NodeType::Integer => serde_json::from_str(&node.integer("")?).unwrap_or_default(),
        NodeType::Float => match float(node.f64("")?) {
            Value::String(text) => serde_json::json!({ "$float": text }),
            number => number,
        },
        NodeType::String => node.string("")?.into(),
        NodeType::Timestamp => serde_json::json!({ "$timestamp": timestamp::iso(&node.string("")?) }),
        NodeType::Binary => serde_json::json!({ "$binary": base64(&node.text("")?) }),
        NodeType::Sequence => (0..node.count("")?).map(|index| is(&node.item("", index)?)).collect::<Result<_, _>>()?,
        NodeType::Mapping if node.tag("")?.is_some_and(|tag| tag == format!("{YAML_TAG}set")) => {
            let keys = (0..node.count("")?).map(|index| Ok(key_of(node.key("", index)?)));
            serde_json::json!({ "$set": keys.collect::<Result<Vec<_>, Error>>()? })
        }
        NodeType::Mapping => {
            let mut pairs = serde_json::Map::new();
            for index in 0..node.count("")? {
                let key = match key_of(node.key("", index)?) {
                    Value::String(text) => text,
                    other => other.to_string(),
                };
                pairs.insert(key, is(&node.item("", index)?)?);
            }
            pairs.into()
        }
        other => format!("a node of the unknown type {other:?}").into(),
    })
}

fn key_of(key: NodeKey) -> Value {
    match key {
        NodeKey::String(text) | NodeKey::Other(text) => text.into(),
        NodeKey::Integer(number) => number.into(),
        NodeKey::Bool(value) => value.into(),
    }
}

/// Returns base64 digits without line breaks.
fn base64(text: &str) -> String {
    text.split_ascii_whitespace().collect()
}
