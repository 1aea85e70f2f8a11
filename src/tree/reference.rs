//! Look-up by path, through aliases and JSON references as if their targets stood in their place.

use super::{Kind, NodeId, Scalar, Tree, path};
use crate::error::{Error, Result, Status};
use std::borrow::Cow;

/// References followed in one look-up before it counts as endless. Files have one or two in a row.
const MAX_FOLLOWED: usize = 32;
/// Path tokens that wait to be followed in one look-up; references that lengthen each other reach it.
const MAX_PENDING: usize = 1 << 12;

/// A look-up under way, which references may lead through several documents.
pub(crate) struct Walk<'a> {
    /// Tokens of the path that are still to come, the next one last: those of references above the caller's own.
    pending: Vec<Cow<'a, str>>,
    /// How many of them are the caller's own.
    own: usize,
    resolve_last: bool,
}

impl<'a> Walk<'a> {
    /// To the place at a path, which may be an alias or a reference.
    pub(crate) fn to_place(path: &'a str) -> Result<Walk<'a>> {
        let mut pending = path::tokens(path)?;
        pending.reverse();
        Ok(Walk { own: pending.len(), pending, resolve_last: false })
    }

    /// To what stands at a path once aliases and references are followed.
    pub(crate) fn to_node(path: &'a str) -> Result<Walk<'a>> {
        Ok(Walk { resolve_last: true, ..Walk::to_place(path)? })
    }

    /// How many tokens are still to come.
    pub(crate) fn remaining(&self) -> usize {
        self.pending.len()
    }
}

/// Where a walk through one document ends.
pub(crate) enum Stop {
    /// It is done.
    At(NodeId),
    /// It goes on at the root of another document.
    Leaves {
        /// The node that leads there.
        reference: NodeId,
        /// Its URI without the fragment.
        uri: String,
    },
}

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
    ///
    /// A reference on the way into another file is [`Status::ExternalReference`].
    pub fn lookup(&self, start: NodeId, path: &str) -> Result<NodeId> {
        self.advance_here(start, Walk::to_place(path)?)
    }

    /// The node that stands at a place once aliases and references are followed.
    ///
    /// A reference into another file is [`Status::ExternalReference`].
    pub fn resolve(&self, id: NodeId) -> Result<NodeId> {
        let node = self.dealias(id);
        // Nearly nothing is a reference, for which this is asked nevertheless.
        if self.kind(node) != Kind::Mapping || self.item_count(node) != 2 {
            return Ok(node);
        }
        self.advance_here(id, Walk::to_node("")?)
    }

    fn advance_here(&self, start: NodeId, mut walk: Walk) -> Result<NodeId> {
        match self.advance(start, &mut walk)? {
            Stop::At(id) => Ok(id),
            Stop::Leaves { reference, uri } => {
                let message = format!("'{uri}' leads into another file, which is not followed");
                Err(self.locate(Error::new(Status::ExternalReference, message), reference))
            }
        }
    }

    /// Goes on with a walk from `start`, to its end or to a reference that leads into another file. There it is to be
    /// gone on with from the root; an error that names no path then means that reference.
    pub(crate) fn advance(&self, start: NodeId, walk: &mut Walk) -> Result<Stop> {
        let Walk { pending, own, resolve_last } = walk;
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
            place = match self.child(node, &token) {
                Ok(child) => child,
                Err(error) if pending.len() < *own => return Err(self.locate(error, node)),
                Err(error) => return Err(self.dangling(&followed, &error)),
            };
            *own = pending.len().min(*own);
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
        let message = format!("the reference leads nowhere: {}", cause.message());
        let error = Error::new(Status::DanglingReference, message);
        match followed.last() {
            Some(&last) => self.locate(error, last),
            None => error,
        }
    }

    /// Whether the part of a URI before its fragment is known to mean this document.
    fn is_own_name(&self, base: &str) -> Result<bool> {
        if base.is_empty() {
            return Ok(true);
        }
        let base = percent_decode(base)?;
        Ok(self.uri.as_deref().is_some_and(|own| own == base || base.strip_prefix("./") == Some(own)))
    }
}

/// The tokens that the fragment of a URI names.
fn fragment_tokens(fragment: &str) -> Result<Vec<String>> {
    let pointer = percent_decode(fragment)?;
    if pointer.bytes().filter(|&byte| byte == b'/').count() > MAX_PENDING {
        let message = format!("a reference leads through more than {MAX_PENDING} nodes");
        return Err(Error::new(Status::Limit, message));
    }
    Ok(path::tokens(&pointer)?.into_iter().map(Cow::into_owned).collect())
}

/// Replaces each `%xx` by its byte. Other characters, raw non-ASCII ones included, stay.
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

/// A path as the fragment of a URI: what RFC 3986 does not allow there is escaped.
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
