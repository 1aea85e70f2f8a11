//! Plain metadata: copies of ASDF metadata without arrays, ASDF tags and references, which any YAML reader accepts.

use super::tagged_meta::YamlObject;
use crate::error::{Error, Result, Status};
use crate::file::{ArrayOptions, Node, NodeKey, NodeType, Storage};
use crate::table::{Header, Table, check_metadata};
use crate::tags;
use crate::tree::Integer;
use crate::tree::path::escape;
use std::collections::HashSet;
use std::sync::Arc;

/// Maximum number of references followed in one copy.
const MAX_REFERENCES: usize = 1 << 12;
/// Maximum number of array elements converted to lists in one copy.
const MAX_ELEMENTS: i64 = 1 << 20;
/// Prefixes of the tags that astropy writes into tables; these tags are kept.
const KEPT_TAG_PREFIXES: [&str; 2] = ["!astropy.", "!numpy."];
/// Key in the metadata under which tags are recorded.
const KEY: &str = "__asdf__";

impl Table {
    /// Returns the table with plain metadata, as [`Metadata::Plain`](super::Metadata::Plain) makes them, if a text header
    /// could not hold its metadata. The metadata of a table from an ASDF file can have its arrays, tags and references.
    ///
    /// Fails as [`Node::table`] does with plain metadata.
    pub fn with_plain_metadata(&self) -> Result<Table> {
        let of_columns = self.header().columns.iter().filter_map(|column| column.meta.as_ref());
        let mut metas = self.header().meta.iter().chain(of_columns);
        if metas.all(|meta| meta.in_tree(check_metadata).and_then(|result| result).is_ok()) {
            return Ok(self.clone());
        }
        let mut header = Header::clone(self.header());
        header.meta = header.meta.as_ref().map(copy).transpose()?;
        for column in &mut header.columns {
            column.meta = column.meta.as_ref().map(copy).transpose()?;
        }
        Table::new(Arc::new(header), self.columns().to_vec(), self.row_count())
            .map(|table| table.with_warnings(self.warnings().to_vec()))
    }
}

/// Makes a plain copy of a subtree, in a file of its own.
pub(super) fn copy(node: &Node) -> Result<Node> {
    let root = node.file().for_copies().root()?;
    root.copy_from("meta", node, None)?;
    let mut copying = Copying {
        root: root.clone(),
        above: Vec::new(),
        seen: HashSet::new(),
        tags: Vec::new(),
        references: 0,
        elements: 0,
    };
    let mut pending = vec![Step::Enter(node.clone(), "meta".to_owned())];
    while let Some(step) = pending.pop() {
        match step {
            Step::Enter(from, path) => copying.enter(&from, path, &mut pending)?,
            Step::Leave => {
                copying.above.pop();
            }
        }
    }
    copying.note_tags(node)?;
    root.at("meta")
}

enum Step {
    /// Process this node and its copy at this path.
    Enter(Node, String),
    /// End of a collection, after all its children.
    Leave,
}

struct Copying {
    root: Node,
    /// Identities of the collections around the current node, to find cycles.
    above: Vec<u64>,
    /// Nodes of the copy that were processed; aliases lead to some of them again.
    seen: HashSet<u64>,
    /// Tags of scalars that are text in the copy: path from the top of the copy, tag.
    tags: Vec<(String, String)>,
    references: usize,
    elements: i64,
}

impl Copying {
    fn enter(&mut self, from: &Node, path: String, pending: &mut Vec<Step>) -> Result<()> {
        let identity = from.identity("")?;
        if self.above.contains(&identity) {
            let message = "the metadata contain themselves; such a cycle can be stored only in an ASDF file";
            return Err(from.locate(Error::new(Status::ReferenceCycle, message)));
        }
        if from.reference("")?.is_some() {
            self.references += 1;
            if self.references > MAX_REFERENCES {
                return Err(from.locate(Error::limit("references in metadata", MAX_REFERENCES as u64)));
            }
            self.root.copy_from(&path, from, None)?;
        }
        if !self.seen.insert(self.root.identity(&path)?) {
            return Ok(());
        }
        let tag = from.foreign_tag("")?.filter(|tag| !KEPT_TAG_PREFIXES.iter().any(|prefix| tag.starts_with(prefix)));
        let name = tag.as_deref().and_then(tags::name_of);
        if name == Some(tags::NDARRAY) {
            return self.array(from, &path);
        }
        if name == Some(tags::INTEGER) {
            return match from.any_integer("")? {
                Integer::Small(value) => self.root.set_i64(&path, value),
                Integer::Large(digits) => self.root.set_string(&path, &digits),
            };
        }
        if let Some(tag) = &tag
            && let Some(object) = YamlObject::of_asdf(from, tag)?
        {
            return object.set(&self.root.at(&path)?);
        }
        let node_type = from.node_type("")?;
        match node_type {
            NodeType::Mapping | NodeType::Sequence => {
                if tag.is_some() {
                    self.root.set_tag(&path, None)?;
                }
                self.above.push(identity);
                pending.push(Step::Leave);
                for index in (0..from.count("")?).rev() {
                    let token = match node_type {
                        NodeType::Mapping => escape(&key_text(from, index)?),
                        _ => index.to_string(),
                    };
                    pending.push(Step::Enter(from.item("", index)?, format!("{path}/{token}")));
                }
                Ok(())
            }
            _ => {
                // A scalar with a tag that YAML does not define becomes text.
                if let Some(tag) = tag {
                    self.root.set_string(&path, &from.text("")?)?;
                    self.tags.push((path.strip_prefix("meta").unwrap_or(&path).to_owned(), tag));
                }
                Ok(())
            }
        }
    }

    /// Records the tags of texts in the copy, so that their meaning is not lost.
    fn note_tags(&self, from: &Node) -> Result<()> {
        if self.tags.is_empty() {
            return Ok(());
        }
        if self.root.node_type("meta")? != NodeType::Mapping {
            let message = "metadata with tagged texts can become plain only if they are a mapping";
            return Err(from.locate(Error::new(Status::Unsupported, message)));
        }
        for (path, tag) in &self.tags {
            self.root.set_string(&format!("meta/{KEY}/tags/{}", escape(path)), tag)?;
        }
        Ok(())
    }

    /// Replaces an array by lists.
    fn array(&mut self, from: &Node, path: &str) -> Result<()> {
        let array = from.array("")?;
        self.elements = self.elements.saturating_add(array.element_count());
        if self.elements > MAX_ELEMENTS {
            return Err(from.locate(Error::limit("elements of arrays in metadata", MAX_ELEMENTS as u64)));
        }
        if array.is_masked() {
            let message = "an array with missing elements cannot become a list in plain metadata";
            return Err(from.locate(Error::new(Status::Masked, message)));
        }
        self.root.set_storage(path, &ArrayOptions { storage: Storage::Inline, ..ArrayOptions::default() })?;
        let part = self.root.file().for_copies().root()?;
        part.copy_from("data", &self.root.at(&format!("{path}/data"))?, None)?;
        replace_tagged_by_text(&part.at("data")?)?;
        self.root.copy_from(path, &part.at("data")?, None)
    }
}

/// Replaces tagged items of lists, such as complex numbers, by their texts.
fn replace_tagged_by_text(list: &Node) -> Result<()> {
    let mut pending = vec![list.clone()];
    while let Some(node) = pending.pop() {
        if node.node_type("")? == NodeType::Sequence {
            for index in 0..node.count("")? {
                pending.push(node.item("", index)?);
            }
        } else if node.tag("")?.is_some() {
            let text = node.text("")?;
            node.set_string("", &text)?;
        }
    }
    Ok(())
}

/// Returns the key of a pair as text.
fn key_text(mapping: &Node, index: usize) -> Result<String> {
    Ok(match mapping.key("", index)? {
        NodeKey::String(text) | NodeKey::Other(text) => text,
        NodeKey::Integer(value) => value.to_string(),
        NodeKey::Bool(value) => value.to_string(),
    })
}
