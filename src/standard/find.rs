//! Looking for nodes by key, tag and kind.

use super::NodeKind;
use crate::error::{Result, Status};
use crate::file::{Node, descendants};
use crate::tags;

/// Properties of a wanted node. A part that is `None` matches all nodes.
#[derive(Clone, Copy, Debug, Default)]
pub struct NodeSearch<'a> {
    /// Key under which the node stands, as text.
    pub key: Option<&'a str>,
    /// Tag: `!core/ndarray-1.1.0`, or without a version, which then can be any.
    pub tag: Option<&'a str>,
    /// Kind.
    pub kind: Option<NodeKind>,
}

impl NodeSearch<'_> {
    /// Returns the first node, in the order of the file, that fits: `from` itself or one below it. Aliases and references
    /// are not followed. Returns `None` if there is none.
    ///
    /// `accept` is called with each node that fits, and ends the search by `true`. No lock is held meanwhile.
    pub fn first_in(&self, from: &Node, mut accept: impl FnMut(&Node) -> Result<bool>) -> Result<Option<Node>> {
        let tag = self.tag.map(|tag| tags::short_tag(tag).into_owned());
        let fits = |found: &str, wanted: &str| {
            let found = tags::short_tag(found);
            found == wanted || found.rsplit_once('-').is_some_and(|(name, _)| name == wanted)
        };
        let candidates = descendants(from, |key, found| {
            self.key.is_none_or(|wanted| key == Some(wanted))
                && tag.as_deref().is_none_or(|wanted| found.is_some_and(|found| fits(found, wanted)))
        })?;
        for node in candidates {
            if let Some(wanted) = self.kind {
                match node.kind("") {
                    Ok(kind) if kind == wanted => {}
                    // The callback can have removed it.
                    Err(error) if error.status() != Status::Stale => return Err(error),
                    _ => continue,
                }
            }
            if accept(&node)? {
                return Ok(Some(node));
            }
        }
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::file::{File, NewOptions};

    #[test]
    fn nodes_are_found_by_key_tag_and_kind_in_order() {
        let root = File::new(&NewOptions::default()).root().unwrap();
        root.set_i64("a/time", 1).unwrap();
        root.set_array::<f32>("b/data", &[1.0], [1]).unwrap();
        root.set_quantity("b/time", Some("s")).unwrap();
        root.set_f64("b/time/value", 2.0).unwrap();
        root.set_reference_to("c", "a").unwrap();
        let all = |search: NodeSearch| {
            let mut paths = Vec::new();
            let none = search.first_in(&root, |node| {
                paths.push(node.path()?);
                Ok(false)
            });
            assert!(none.unwrap().is_none());
            paths.join(" ")
        };
        let any = NodeSearch::default();
        assert_eq!(all(NodeSearch { key: Some("time"), ..any }), "/a/time /b/time");
        assert_eq!(all(NodeSearch { kind: Some(NodeKind::Quantity), ..any }), "/b/time");
        assert_eq!(all(NodeSearch { kind: Some(NodeKind::Array), ..any }), "/b/data");
        for tag in ["!core/ndarray", "!core/ndarray-1.1.0", "tag:stsci.edu:asdf/core/ndarray"] {
            assert_eq!(all(NodeSearch { tag: Some(tag), ..any }), "/b/data");
        }
        assert_eq!(all(NodeSearch { tag: Some("!core/ndarray-1.0.0"), ..any }), "");
        assert!(all(any).contains(" /a /a/time /b /b/data "));
        let below = root.at("b").unwrap();
        let found = NodeSearch { key: Some("time"), ..any }.first_in(&below, |_| Ok(true)).unwrap().unwrap();
        assert_eq!(found.path().unwrap(), "/b/time");
    }
}
