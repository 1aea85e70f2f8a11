//! Look-up by path, through aliases and JSON references as if their targets stood in their place.

use super::{Kind, NodeId, Scalar, Tree, path};
use crate::error::{Error, Result, Status};
use std::borrow::Cow;

/// References followed in one look-up before it counts as endless.
const MAX_FOLLOWED: usize = 64;
/// Path tokens that wait to be followed in one look-up; references that lengthen each other reach it.
const MAX_PENDING: usize = 1 << 12;

impl Tree {
    /// The text of a JSON reference, if the node is one: a mapping whose only key is `$ref`.
    ///
    /// A reference whose value is not a string is an error.
    pub fn reference(&self, id: NodeId) -> Result<Option<&str>> {
        let id = self.dealias(id);
        let &[key, value] = self.items(id) else { return Ok(None) };
        if self.kind(id) != Kind::Mapping || self.text(key) != "$ref" {
            return Ok(None);
        }
        let value = self.dealias(value);
        if self.kind(value) == Kind::Scalar
            && let Scalar::String(uri) = self.scalar(value)?
        {
            return Ok(Some(uri));
        }
        Err(self.locate(Error::new(Status::WrongType, "the value of $ref must be a string"), value))
    }

    /// The node at `path` below `start`: the place itself, which may be an alias or a reference.
    pub fn lookup(&self, start: NodeId, path: &str) -> Result<NodeId> {
        self.walk(start, path::tokens(path)?, false)
    }

    /// The node that stands at a place once aliases and references are followed.
    pub fn resolve(&self, id: NodeId) -> Result<NodeId> {
        self.walk(id, Vec::new(), true)
    }

    fn walk<'a>(&'a self, start: NodeId, mut pending: Vec<Cow<'a, str>>, resolve_last: bool) -> Result<NodeId> {
        pending.reverse();
        // Tokens of the caller's own path are at the bottom of the stack, those of references above.
        let mut own = pending.len();
        let mut followed: Vec<NodeId> = Vec::new();
        let mut place = start;
        loop {
            if pending.is_empty() && !resolve_last {
                return Ok(place);
            }
            let node = self.dealias(place);
            if let Some(uri) = self.reference(node)? {
                if followed.len() == MAX_FOLLOWED {
                    return Err(self.endless(&followed));
                }
                followed.push(node);
                let target = self.local_target(uri).map_err(|error| self.locate(error, node))?;
                if pending.len() + target.len() > MAX_PENDING {
                    return Err(self.endless(&followed));
                }
                pending.extend(target.into_iter().rev().map(Cow::Owned));
                place = self.root;
                continue;
            }
            let Some(token) = pending.pop() else { return Ok(node) };
            place = match self.child(node, &token) {
                Ok(child) => child,
                Err(error) if pending.len() < own => return Err(self.locate(error, node)),
                Err(error) => return Err(self.dangling(&followed, &error)),
            };
            own = own.min(pending.len());
        }
    }

    /// The child under one token of a path.
    pub(super) fn child(&self, node: NodeId, token: &str) -> Result<NodeId> {
        match self.kind(node) {
            Kind::Mapping => self
                .find_token(node, token)
                .ok_or_else(|| Error::new(Status::NotFound, format!("the mapping has no key '{token}'"))),
            Kind::Sequence => {
                let items = self.items(node);
                let index = path::index(token).ok_or_else(|| {
                    Error::new(Status::NotFound, format!("'{token}' is not an index into the sequence"))
                })?;
                items.get(index).copied().ok_or_else(|| {
                    let message = format!("there is no item {index} in a sequence of {}", items.len());
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
            Error::new(Status::Limit, format!("more than {MAX_FOLLOWED} references follow one another"))
        };
        self.locate(error, followed.first().copied().unwrap_or(self.root))
    }

    fn dangling(&self, followed: &[NodeId], cause: &Error) -> Error {
        let last = followed.last().copied().unwrap_or(self.root);
        let message = format!("the reference leads nowhere: {}", cause.message());
        self.locate(Error::new(Status::DanglingReference, message), last)
    }

    /// The tokens that a URI names in this document.
    fn local_target(&self, uri: &str) -> Result<Vec<String>> {
        let (base, fragment) = uri.split_once('#').unwrap_or((uri, ""));
        if !base.is_empty() {
            let base = percent_decode(base)?;
            let own = self.uri.as_deref().is_some_and(|own| own == base || base.strip_prefix("./") == Some(own));
            if !own {
                let message = format!("'{uri}' leads into another file, which is not followed");
                return Err(Error::new(Status::ExternalReference, message));
            }
        }
        let pointer = percent_decode(fragment)?;
        if pointer.bytes().filter(|&byte| byte == b'/').count() > MAX_PENDING {
            let message = format!("a reference leads through more than {MAX_PENDING} nodes");
            return Err(Error::new(Status::Limit, message));
        }
        Ok(path::tokens(&pointer)?.into_iter().map(Cow::into_owned).collect())
    }
}

/// Replaces each `%xx` by its byte. Other characters, raw non-ASCII ones included, stay.
pub fn percent_decode(text: &str) -> Result<Cow<'_, str>> {
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

/// A path as the fragment of a URI: what RFC 3986 does not allow there is escaped.
pub fn fragment_of(path: &str) -> String {
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
