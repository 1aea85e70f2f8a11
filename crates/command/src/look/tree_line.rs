//! One line or JSON object about a node of a tree: its type, and the facts of its kind.

use crate::core::elements::datatype_text;
use crate::core::failure::Result;
use crate::core::output::{Style, printable};
use crate::core::size::{count, of_bytes};
use crate::core::value;
use crate::core::walk::{Visit, key_text};
use asdfkit::array::{Array, packed_size};
use asdfkit::file::{BlockInfo, Node, NodeType, short_tag};
use asdfkit::schema::{Description, Schemas};
use asdfkit::{Error, NodeKind, array::ArraySource};
use serde_json::{Value, json};

/// Maximum number of characters of a value in a line.
const SHOWN: usize = 60;

/// Facts about a node.
pub(crate) struct Line {
    /// Number of parents that are shown.
    pub(super) depth: usize,
    key: String,
    path: String,
    kind: &'static str,
    /// Full tag.
    tag: Option<String>,
    facts: Facts,
    unit: Option<String>,
    /// Text under the key `//` of a mapping.
    note: Option<String>,
    /// Children that are not shown.
    hidden: bool,
    /// True to show the key. The start of a walk has none.
    named: bool,
    /// Meaning of the node by the schemas.
    description: Option<Description>,
}

/// Facts of a kind of node.
enum Facts {
    /// Nothing beyond the kind.
    None,
    /// The value of a scalar, as JSON and as text.
    Scalar(Value, String),
    /// The number of children.
    Collection(usize),
    /// An array.
    Array { datatype: String, shape: Vec<i64>, bytes: u64, storage: String, block: Option<BlockInfo>, masked: bool },
    /// The path of the node that an alias repeats.
    Alias(String),
    /// The URI of a reference that cannot be followed.
    Reference(String),
    /// A node that cannot be read as its tag says.
    Wrong(String),
}

/// Returns the name of a kind of node. A list of numbers is shown with its items, as any sequence.
pub(super) fn kind_name(kind: NodeKind) -> &'static str {
    match kind {
        NodeKind::NumberList => NodeKind::Sequence.name(),
        other => other.name(),
    }
}

/// Returns true for nodes whose children say no more than their line does.
fn is_closed(kind: NodeKind) -> bool {
    matches!(kind, NodeKind::Array | NodeKind::NumberList | NodeKind::Complex | NodeKind::Unit)
}

impl Line {
    /// Collects the facts about a visited node.
    pub(crate) fn of(visit: &Visit) -> Result<Line> {
        let node = &visit.node;
        let key = match (&visit.key, visit.index) {
            (None, Some(_)) if visit.column.is_some() => visit.column.clone().unwrap_or_default(),
            (Some(key), _) => key_text(key),
            (None, Some(index)) => index.to_string(),
            (None, None) => String::new(),
        };
        let mut line = Line {
            depth: visit.depth,
            key,
            path: visit.path.clone(),
            kind: "reference",
            tag: None,
            facts: Facts::None,
            unit: None,
            note: None,
            hidden: false,
            named: visit.depth > 0,
            description: None,
        };
        let Some(node_type) = visit.node_type else {
            line.facts = Facts::Reference(node.reference("")?.unwrap_or_default());
            return Ok(line);
        };
        let kind = node.kind("")?;
        line.kind = kind_name(kind);
        line.tag = node.tag("")?;
        if let Some(first) = &visit.alias_of {
            line.facts = Facts::Alias(first.clone());
            return Ok(line);
        }
        let large_integer = if kind == NodeKind::Integer { value::large_integer(node)? } else { None };
        line.facts = match (kind, node_type) {
            (NodeKind::Integer, NodeType::Mapping) if large_integer.is_some() => {
                line.hidden = true;
                let digits = large_integer.unwrap_or_default();
                Facts::Scalar(value::number(&digits), digits)
            }
            (NodeKind::Array, _) => match node.array("") {
                Ok(array) => array_facts(&array)?,
                Err(error) if error.is_of_machine() => return Err(error.into()),
                Err(error) => Facts::Wrong(error.message().to_owned()),
            },
            (NodeKind::Column, _) if node.is_array("data")? => {
                line.hidden = true;
                if let Some(name) = Error::readable(node.text("name"))?.filter(|_| visit.index.is_some()) {
                    line.key = name;
                }
                match Error::readable(node.array("data"))? {
                    Some(array) => array_facts(&array)?,
                    None => Facts::Wrong("its elements cannot be read".to_owned()),
                }
            }
            (_, NodeType::Mapping | NodeType::Sequence) => Facts::Collection(node.count("")?),
            _ => {
                let value = value::scalar(node)?;
                let text = match node_type {
                    NodeType::Binary => count(node.binary("")?.len() as u64, "byte"),
                    _ => node.text("")?,
                };
                Facts::Scalar(value, text)
            }
        };
        if matches!(kind, NodeKind::Quantity | NodeKind::Column) {
            line.unit = Error::readable(node.unit(""))?;
        }
        line.note = Error::readable(node.note(""))?.flatten();
        line.hidden |= is_closed(kind);
        Ok(line)
    }

    /// Shows the path in place of the key, without indentation.
    pub(super) fn with_path_as_key(mut self) -> Line {
        self.key = if self.path.is_empty() { "/".to_owned() } else { self.path.clone() };
        self.depth = 0;
        self.named = true;
        self
    }

    /// Adds what the schemas say about the node.
    pub(crate) fn describe(&mut self, root: &Node, schemas: &Schemas) -> Result<()> {
        let description = root.describe(&self.path, schemas, None)?;
        if self.unit.is_none() && !matches!(self.facts, Facts::Collection(_)) {
            self.unit.clone_from(&description.unit);
        }
        self.description = Some(description);
        Ok(())
    }

    /// Returns the key of the node, or the name of a column.
    pub(crate) fn key(&self) -> &str {
        &self.key
    }

    /// True if the children of the node are not shown.
    pub(crate) fn is_closed(&self) -> bool {
        self.hidden
    }

    /// Returns the facts as JSON.
    pub(crate) fn json(&self) -> Value {
        let mut out = json!({"path": self.path, "kind": self.kind});
        if let Some(tag) = &self.tag {
            out["tag"] = json!(tag);
        }
        if let Some(unit) = &self.unit {
            out["unit"] = json!(unit);
        }
        if let Some(note) = &self.note {
            out["note"] = json!(note);
        }
        if let Some(description) = self.description.as_ref().filter(|description| !description.is_empty()) {
            out["description"] = serde_json::from_str(&description.to_json()).unwrap_or_default();
        }
        match &self.facts {
            Facts::None => {}
            Facts::Scalar(value, _) => out["value"] = value.clone(),
            Facts::Collection(children) => out["children"] = json!(children),
            Facts::Array { datatype, shape, bytes, storage, block, masked } => {
                out["datatype"] = json!(datatype);
                out["shape"] = json!(shape);
                out["bytes"] = json!(bytes);
                out["storage"] = json!(storage);
                out["masked"] = json!(masked);
                if let Some(block) = block {
                    out["compression"] = json!(block.compression.to_string());
                    out["stored_bytes"] = json!(block.stored_size);
                }
            }
            Facts::Alias(path) => out["alias_of"] = json!(path),
            Facts::Reference(uri) => out["reference"] = json!(uri),
            Facts::Wrong(message) => out["error"] = json!(message),
        }
        out
    }

    /// Returns the facts as a line of text.
    pub(super) fn text(&self, style: Style) -> String {
        let mut out = "  ".repeat(self.depth);
        if self.named {
            out.push_str(&style.name(printable(&self.key)));
            out.push_str(": ");
        }
        match &self.facts {
            Facts::None => out.push_str(self.kind),
            Facts::Scalar(_, text) => {
                out.push_str(&shortened(text));
                out.push_str(&style.faint(format!(" ({})", self.kind)));
            }
            Facts::Collection(children) => {
                let noun = if self.kind == "sequence" { "item" } else { "key" };
                out.push_str(&format!("{} with {}", self.kind, count(*children as u64, noun)));
            }
            Facts::Array { datatype, shape, bytes, storage, block, masked } => {
                out.push_str(&format!("{} {datatype} {shape:?}, {}, {storage}", self.kind, of_bytes(*bytes)));
                if let Some(BlockInfo { compression, stored_size: Some(stored), decoded_size, .. }) = block
                    && *compression != asdfkit::codec::Label::NONE
                {
                    let ratio = *decoded_size as f64 / (*stored).max(1) as f64;
                    out.push_str(&format!(", {compression} {ratio:.1}:1"));
                }
                if *masked {
                    out.push_str(", masked");
                }
            }
            Facts::Alias(path) => {
                let path = if path.is_empty() { "the root" } else { path };
                out.push_str(&format!("{} as at {}", self.kind, printable(path)));
            }
            Facts::Reference(uri) => out.push_str(&format!("reference to {}", printable(uri))),
            Facts::Wrong(message) => {
                out.push_str(&format!("{}, {}", self.kind, style.bad(format!("unreadable: {}", printable(message)))));
            }
        }
        if let Some(unit) = &self.unit {
            out.push_str(&format!(", unit '{}'", printable(unit)));
        }
        let is_obvious = |tag: &str| tag.starts_with("!!") || tag.starts_with("!core/ndarray-");
        if let Some(tag) = self.tag.as_deref().map(short_tag).filter(|tag| !is_obvious(tag)) {
            out.push_str(&style.faint(format!("  !{}", printable(tag.trim_start_matches('!')))));
        }
        if let Some(note) = &self.note {
            out.push_str(&style.faint(format!("  # {}", shortened(note))));
        }
        if let Some(title) = self.description.as_ref().and_then(|description| description.title.as_deref()) {
            out.push_str(&style.faint(format!("  — {}", printable(title))));
        }
        out
    }
}

/// Collects the facts about an array. A missing file or block is not an error here.
fn array_facts(array: &Array) -> Result<Facts> {
    let bytes = packed_size(array.datatype(), array.shape()).unwrap_or_default();
    let (storage, block) = match array.source() {
        Some(ArraySource::Block(index)) => {
            let block = array.data_file().and_then(|file| file.block(*index));
            (format!("block {index}"), Error::readable(block)?)
        }
        Some(ArraySource::Uri(uri) | ArraySource::OtherFormat(uri)) => (format!("in {}", printable(uri)), None),
        Some(ArraySource::Chunks) => (chunks_text(array), None),
        Some(ArraySource::Inline(_)) | None => ("inline".to_owned(), None),
    };
    let datatype = datatype_text(array.datatype());
    Ok(Facts::Array { datatype, shape: array.shape().to_vec(), bytes, storage, block, masked: array.is_masked() })
}

/// Returns the text about the chunks of an array.
fn chunks_text(array: &Array) -> String {
    let shape: Vec<String> = array.chunk_shape().unwrap_or_default().iter().map(i64::to_string).collect();
    format!("chunks {}", shape.join("x"))
}

/// Returns text on one line, cut after some characters.
fn shortened(text: &str) -> String {
    let line = printable(text);
    match line.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}
