//! Look-up by path. Aliases and JSON references are followed as if their targets stood in their place.

use super::{Kind, NodeId, Scalar, Tree, path};
use crate::error::{Error, Result, Status};
use std::borrow::Cow;

/// Maximum number of references followed in one look-up; a longer chain is taken for endless. Files have one or two in
/// a row.
const MAX_FOLLOWED: usize = 32;
/// Maximum number of pending path tokens in one look-up. References that lengthen one another reach it.
const MAX_PENDING: usize = 1 << 12;

/// A look-up in progress. References can lead it through several documents.
pub(crate) struct Walk<'a> {
    /// Remaining tokens of the path, the next one last. Tokens of references come after the caller's own in this list.
    pending: Vec<Cow<'a, str>>,
    /// Number of tokens in `pending` that belong to the caller's path.
    own: usize,
    resolve_last: bool,
    /// True if the error for a missing key tells its place and suggests a similar key.
    explains: bool,
}

impl<'a> Walk<'a> {
    /// Starts a look-up of the node at a path; the result may be an alias or a reference.
    pub(crate) fn to_place(path: &'a str) -> Result<Walk<'a>> {
        let mut pending = path::tokens(path)?;
        pending.reverse();
        Ok(Walk { own: pending.len(), pending, resolve_last: false, explains: true })
    }

    /// Starts a look-up that also follows an alias or reference at the end of the path.
    pub(crate) fn to_node(path: &'a str) -> Result<Walk<'a>> {
        Ok(Walk { resolve_last: true, ..Walk::to_place(path)? })
    }

    /// Leaves explanations out of the error for a missing key. They cost more than the look-up, and some callers expect
    /// that a key is missing.
    pub(crate) fn without_explanations(self) -> Walk<'a> {
        Walk { explains: false, ..self }
    }

    /// Returns the number of remaining tokens.
    pub(crate) fn remaining(&self) -> usize {
        self.pending.len()
    }
}

/// The end of a look-up within one document.
pub(crate) enum Stop {
    /// The look-up is complete.
    At(NodeId),
    /// The look-up continues at the root of another document.
    Leaves {
        /// The reference node.
        reference: NodeId,
        /// URI of the reference, without the fragment.
        uri: String,
    },
}

impl Tree {
    /// Returns the URI of a JSON reference, if the node is one: a mapping whose only key is `$ref`, with a string. With
    /// another value, it is an ordinary mapping, as the draft of JSON references says.
    pub fn reference(&self, id: NodeId) -> Result<Option<&str>> {
        let id = self.dealias(id);
        let Some([key, value]) = self.two_items(id) else { return Ok(None) };
        if self.kind(id) != Kind::Mapping || self.text(key) != "$ref" {
            return Ok(None);
        }
        let value = self.dealias(value);
        if self.kind(value) != Kind::Scalar {
            return Ok(None);
        }
        match self.scalar(value)? {
            Scalar::String(uri) => Ok(Some(uri)),
            _ => Ok(None),
        }
    }

    /// Returns the node at `path` below `start`, which may be an alias or a reference.
    ///
    /// Fails with [`Status::ExternalReference`] if a reference on the path leads to another file.
    pub fn lookup(&self, start: NodeId, path: &str) -> Result<NodeId> {
        self.advance_here(start, Walk::to_place(path)?)
    }

    /// Returns the node at `path` below `start`, as [`Tree::lookup`] does, or `None` if there is none.
    pub(crate) fn find_path(&self, start: NodeId, path: &str) -> Option<NodeId> {
        self.advance_here(start, Walk::to_place(path).ok()?.without_explanations()).ok()
    }

    /// Returns the node that an alias or a reference leads to, or the node itself.
    ///
    /// Fails with [`Status::ExternalReference`] for a reference to another file.
    pub fn resolve(&self, id: NodeId) -> Result<NodeId> {
        let node = self.dealias(id);
        // Fast path: very few nodes are references.
        if self.kind(node) != Kind::Mapping || self.item_count(node) != 2 {
            return Ok(node);
        }
        self.advance_here(id, Walk::to_node("")?)
    }

    fn advance_here(&self, start: NodeId, mut walk: Walk) -> Result<NodeId> {
        match self.advance(start, &mut walk)? {
            Stop::At(id) => Ok(id),
            Stop::Leaves { reference, uri } => {
                let message = format!("the reference leads to another file, '{uri}', which is not followed here");
                Err(self.locate(Error::new(Status::ExternalReference, message), reference))
            }
        }
    }

    /// Continues a look-up from `start`, to its end or to a reference to another file. The caller must then continue it
    /// at the root of that file. An error without a path then concerns that reference.
    pub(crate) fn advance(&self, start: NodeId, walk: &mut Walk) -> Result<Stop> {
        let Walk { pending, own, resolve_last, explains } = walk;
        let mut followed: Vec<NodeId> = Vec::new();
        let mut place = start;
        loop {
            if pending.is_empty() && !*resolve_last {
                return Ok(Stop::At(place));
            }
            let node = self.dealias(place);
            if let Some(uri) = self.reference(node)? {
                if followed.len() == MAX_FOLLOWED {
                    return Err(self.endless(&followed));
                }
                followed.push(node);
                let (base, fragment) = uri.split_once('#').unwrap_or((uri, ""));
                let target = fragment_tokens(fragment).map_err(|error| self.locate(error, node))?;
                if pending.len() + target.len() > MAX_PENDING {
                    return Err(self.endless(&followed));
                }
                pending.extend(target.into_iter().rev().map(Cow::Owned));
                if !self.is_own_name(base).map_err(|error| self.locate(error, node))? {
                    return Ok(Stop::Leaves { reference: node, uri: base.to_owned() });
                }
                place = self.root;
                continue;
            }
            let Some(token) = pending.pop() else { return Ok(Stop::At(node)) };
            let is_own = pending.len() < *own;
            let child = match self.kind(node) {
                Kind::Mapping if is_own && !*explains => match self.find_token(node, &token) {
                    Some(child) => Ok(child),
                    None => return Err(Error::new(Status::NotFound, "a key of the path is missing")),
                },
                _ => self.child(node, &token),
            };
            place = match child {
                Ok(child) => child,
                Err(error) if is_own => return Err(self.locate(error, node)),
                Err(error) => return Err(self.dangling(&followed, &error)),
            };
            *own = pending.len().min(*own);
        }
    }

    /// Returns the child that one token of a path names.
    pub(super) fn child(&self, node: NodeId, token: &str) -> Result<NodeId> {
        match self.kind(node) {
            Kind::Mapping => self.find_token(node, token).ok_or_else(|| self.no_key(node, token)),
            Kind::Sequence => {
                let items = self.try_items(node)?;
                let Some(index) = path::index(token) else {
                    return self.find_in_pairs(node, token).ok_or_else(|| {
                        let message = match self.is_list_of_pairs(node) {
                            true => format!("the ordered mapping has no key '{token}'"),
                            false => format!("'{token}' is not an index into the sequence"),
                        };
                        Error::new(Status::NotFound, message)
                    });
                };
                items.get(index).copied().ok_or_else(|| {
                    let message = format!("the index {index} is out of range for a sequence of {} items", items.len());
                    Error::new(Status::NotFound, message)
                })
            }
            Kind::Scalar | Kind::Alias => {
                Err(Error::new(Status::WrongType, format!("a scalar has no child '{token}'")))
            }
        }
    }

    fn endless(&self, followed: &[NodeId]) -> Error {
        let last = followed.last().copied().unwrap_or(self.root);
        let cycle = followed.iter().filter(|&&id| id == last).count() > 1;
        let error = if cycle {
            Error::new(Status::ReferenceCycle, "the reference leads back to itself")
        } else {
            let message =
                format!("a chain of references has more than {MAX_FOLLOWED} references or {MAX_PENDING} tokens");
            Error::new(Status::Limit, message)
        };
        self.locate(error, followed.first().copied().unwrap_or(self.root))
    }

    fn dangling(&self, followed: &[NodeId], cause: &Error) -> Error {
        let message = format!("the target of the reference does not exist: {}", cause.message());
        let error = Error::new(Status::DanglingReference, message);
        match followed.last() {
            Some(&last) => self.locate(error, last),
            None => error,
        }
    }

    /// Returns whether the part of a URI before its fragment names this document.
    fn is_own_name(&self, base: &str) -> Result<bool> {
        if base.is_empty() {
            return Ok(true);
        }
        let base = percent_decode(base)?;
        Ok(self.uri.as_deref().is_some_and(|own| own == base || base.strip_prefix("./") == Some(own)))
    }
}

/// Returns the path tokens in the fragment of a URI.
fn fragment_tokens(fragment: &str) -> Result<Vec<String>> {
    let pointer = percent_decode(fragment)?;
    if pointer.bytes().filter(|&byte| byte == b'/').count() > MAX_PENDING {
        let message = format!("the fragment of a reference has more than {MAX_PENDING} path tokens");
        return Err(Error::new(Status::Limit, message));
    }
    Ok(path::tokens(&pointer)?.into_iter().map(Cow::into_owned).collect())
}

/// Decodes each `%xx` to its byte. Other characters, raw non-ASCII ones included, are kept.
pub(crate) fn percent_decode(text: &str) -> Result<Cow<'_, str>> {
    if !text.contains('%') {
        return Ok(Cow::Borrowed(text));
    }
    let malformed = || Error::new(Status::Path, format!("malformed percent escape in '{text}'"));
    let mut out = Vec::with_capacity(text.len());
    let mut bytes = text.bytes();
    while let Some(byte) = bytes.next() {
        if byte != b'%' {
            out.push(byte);
            continue;
        }
        let mut digit = || bytes.next().and_then(|byte| (byte as char).to_digit(16)).ok_or_else(malformed);
        out.push((digit()? * 16 + digit()?) as u8);
    }
    String::from_utf8(out).map(Cow::Owned).map_err(|_| malformed())
}

/// Returns a path as the fragment of a URI. Characters that RFC 3986 does not allow there are escaped.
pub(crate) fn fragment_of(path: &str) -> String {
    let mut out = String::from("#");
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~!$&'()*+,;=:@/?".contains(&byte) {
            out.push(byte as char);
        } else {
            out.push_str(&format!("%{byte:02X}"));
        }
    }
    out
}
