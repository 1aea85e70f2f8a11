//! Walk over the nodes of a tree in document order, without recursion. Aliases and references are visited, not entered
//! a second time.

use asdfkit::file::{Node, NodeKey, NodeType};
use asdfkit::{Error, Result};
use std::collections::HashMap;

/// A visited node.
pub(crate) struct Visit {
    /// Number of parents up to the start of the walk.
    pub(crate) depth: usize,
    /// Path from the root of the walk as a JSON Pointer.
    pub(crate) path: String,
    /// Key of the node in its parent; `None` for the start and for items of sequences.
    pub(crate) key: Option<NodeKey>,
    /// Index of the node in its parent sequence.
    pub(crate) index: Option<usize>,
    /// True for a card in the header of an HDU: a list of keyword, value and comment.
    pub(crate) is_card: bool,
    /// Name of the column of a table of astropy that the node is.
    pub(crate) column: Option<String>,
    /// The node.
    pub(crate) node: Node,
    /// Type of the node; `None` if it is a reference that cannot be followed.
    pub(crate) node_type: Option<NodeType>,
    /// Path of the first visit, if the node is visited again by an alias or a reference.
    pub(crate) alias_of: Option<String>,
}

impl Visit {
    /// Returns the value of a card of FITS, with its keyword as key; `None` for any other node.
    pub(crate) fn as_card(&self) -> Result<Option<Visit>> {
        let card = if self.is_card { keyword_and_value(&self.node)? } else { None };
        let Some((keyword, node)) = card else { return Ok(None) };
        let header = self.path.rsplit_once('/').map_or("", |(header, _)| header);
        Ok(Some(Visit {
            depth: self.depth,
            path: format!("{header}/{}", escape(&keyword)),
            key: Some(NodeKey::String(keyword)),
            index: None,
            is_card: false,
            column: None,
            node_type: Some(node.node_type("")?),
            node,
            alias_of: None,
        }))
    }
}

/// Returns keyword and value of a card in the header of an HDU; `None` for a node that is no such list.
pub(crate) fn keyword_and_value(card: &Node) -> Result<Option<(String, Node)>> {
    if Error::readable(card.node_type(""))? != Some(NodeType::Sequence) {
        return Ok(None);
    }
    let keyword = Error::readable(card.string("0"))?;
    Ok(keyword.zip(Error::readable(card.at("1"))?))
}

/// A collection whose children are being visited.
struct Frame {
    node: Node,
    path: String,
    is_mapping: bool,
    next: usize,
    count: usize,
    /// True for the list of HDUs of a FITS file.
    is_hdus: bool,
    /// The names of the columns of a table, if the node is the list of them.
    names: Option<Node>,
}

/// The walk. The caller decides for each visited node whether its children are visited, too.
pub(crate) struct Walk {
    start: Option<(Node, String)>,
    frames: Vec<Frame>,
    /// Collections visited so far by identity, with their paths.
    visited: HashMap<u64, String>,
}

impl Walk {
    /// Starts a walk at a node.
    pub(crate) fn new(node: Node, path: String) -> Walk {
        Walk { start: Some((node, path)), frames: Vec::new(), visited: HashMap::new() }
    }

    /// Visits the next node.
    pub(crate) fn next(&mut self) -> Result<Option<Visit>> {
        if let Some((node, path)) = self.start.take() {
            return self.visit(node, path, None, None).map(Some);
        }
        while let Some(frame) = self.frames.last_mut() {
            if frame.next == frame.count {
                self.frames.pop();
                continue;
            }
            let index = frame.next;
            frame.next += 1;
            let key = if frame.is_mapping { Some(frame.node.key("", index)?) } else { None };
            let node = frame.node.item("", index)?;
            let path = format!("{}/{}", frame.path, escape(&key.as_ref().map_or(index.to_string(), key_text)));
            let index = if key.is_none() { Some(index) } else { None };
            let column = match (&frame.names, index) {
                (Some(names), Some(index)) => Error::readable(names.text(&index.to_string()))?,
                _ => None,
            };
            // The list of HDUs, an HDU, its header.
            let is_card =
                self.frames.len().checked_sub(3).is_some_and(|hdus| self.frames[hdus].is_hdus) && index.is_some();
            return self.visit(node, path, key, index).map(|visit| Some(Visit { column, is_card, ..visit }));
        }
        Ok(None)
    }

    fn visit(&mut self, node: Node, path: String, key: Option<NodeKey>, index: Option<usize>) -> Result<Visit> {
        let depth = self.frames.len();
        let node_type = match node.node_type("") {
            Ok(node_type) => Some(node_type),
            Err(error) if error.is_of_machine() => return Err(error),
            Err(error) => match node.reference("") {
                Ok(Some(_)) => None,
                _ => return Err(error),
            },
        };
        let mut alias_of = None;
        if matches!(node_type, Some(NodeType::Mapping | NodeType::Sequence)) {
            let identity = node.identity("")?;
            match self.visited.get(&identity) {
                Some(first) => alias_of = Some(first.clone()),
                None => {
                    self.visited.insert(identity, path.clone());
                }
            }
        }
        Ok(Visit { depth, path, key, index, column: None, is_card: false, node, node_type, alias_of })
    }

    /// Skips the siblings after the node visited last, which must not be entered. Returns their number.
    pub(crate) fn skip_siblings(&mut self) -> usize {
        let Some(frame) = self.frames.last_mut() else { return 0 };
        let skipped = frame.count - frame.next;
        frame.next = frame.count;
        skipped
    }

    /// Visits the children of a collection next. Nodes that were visited before are not entered.
    pub(crate) fn enter(&mut self, visit: &Visit) -> Result<()> {
        if visit.alias_of.is_some() || !matches!(visit.node_type, Some(NodeType::Mapping | NodeType::Sequence)) {
            return Ok(());
        }
        let count = visit.node.count("")?;
        let is_mapping = visit.node_type == Some(NodeType::Mapping);
        let is_list_of_columns = matches!(&visit.key, Some(NodeKey::String(key)) if key == "columns");
        let names = match self.frames.last() {
            Some(table) if is_list_of_columns => Error::readable(table.node.at("colnames"))?,
            _ => None,
        };
        let is_hdus = !is_mapping && visit.node.tag("")?.is_some_and(|tag| tag.contains("/fits/fits-"));
        self.frames.push(Frame {
            node: visit.node.clone(),
            path: visit.path.clone(),
            is_mapping,
            next: 0,
            count,
            is_hdus,
            names,
        });
        Ok(())
    }
}

/// Returns the text of a key.
pub(crate) fn key_text(key: &NodeKey) -> String {
    match key {
        NodeKey::String(text) | NodeKey::Other(text) => text.clone(),
        NodeKey::Integer(value) => value.to_string(),
        NodeKey::Bool(value) => value.to_string(),
    }
}

/// Returns a key as a part of a JSON Pointer.
pub(crate) fn escape(key: &str) -> String {
    if key.contains(['~', '/']) { key.replace('~', "~0").replace('/', "~1") } else { key.to_owned() }
}
