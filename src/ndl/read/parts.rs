//! Reads single parts of a description by the same rules as the whole. References to the rest of the description are
//! assumed to be valid: path names of other objects, and their extents.

use super::diagnostics::Diagnostics;
use super::entities::value_extents;
use super::objects::Objects;
use super::reader::{Pair, Reader};
use super::values::misfit;
use super::{ReadOptions, StorageOf, unmerged, yaml_rules};
use crate::error::{Error, Result, Status};
use crate::ndl::{Content, Datatype, Description, Diagnostic, Dimension, Severity, Storage, Value};
use crate::reserve::text_of;

/// Reads a text as the value of a key.
fn part<T>(key: &str, text: &str, read: impl for<'r> FnOnce(&mut Reader<'r, '_>, Pair<'r>) -> Option<T>) -> Result<T> {
    let options = ReadOptions::default();
    let mut diagnostics = Diagnostics::new(&options);
    let found = unmerged(text_of(text)?.into_string(), &options.limits, &mut diagnostics).and_then(|unmerged| {
        let mut reader = Reader::new(&unmerged.tree, &options, &mut diagnostics);
        let root = unmerged.tree.root();
        let is_kept = yaml_rules::follows_rules(&mut reader);
        if is_kept { read(&mut reader, Pair { name: key, key: root, value: root }) } else { None }
    });
    let parsed = diagnostics.finish(Description::new());
    if parsed.is_refused {
        return Err(Error::out_of_memory(text.len() as u64));
    }
    let error = parsed.diagnostics.iter().find(|diagnostic| diagnostic.severity == Severity::Error);
    match (error.map(Diagnostic::to_error), found) {
        (Some(error), _) => Err(error),
        (None, Some(found)) => Ok(found),
        (None, None) => Err(Error::new(Status::Internal, "a part of a description gave neither a result nor an error")),
    }
}

/// Reads a datatype, the value of `type`.
pub(in crate::ndl) fn datatype(text: &str) -> Result<Datatype> {
    part("type", text, |reader, pair| reader.datatype_of("", pair))
}

/// Reads the value of an `x-` key.
pub(in crate::ndl) fn content(text: &str) -> Result<Content> {
    part("x-", text, |reader, pair| {
        let content = reader.content(pair.value);
        reader.held(content)
    })
}

/// Reads the value of an array or attribute with this shape and storage.
pub(in crate::ndl) fn value(
    text: &str,
    shape: Option<&[Dimension]>,
    storage: &Storage,
    datatype: &Datatype,
) -> Result<Value> {
    let extents = value_extents(shape, storage)?.ok_or_else(without_shape)?;
    part("value", text, |reader, pair| reader.value("", pair, extents, datatype, &Objects::unknown()))
}

/// Fails with [`Status::InvalidArgument`] if the shape of the value does not suit this shape and storage.
pub(in crate::ndl) fn check_extents(value: &Value, shape: Option<&[Dimension]>, storage: &Storage) -> Result<()> {
    let extents = value_extents(shape, storage)?.ok_or_else(without_shape)?;
    misfit(value.shape(), &extents).map_or(Ok(()), |message| Err(Error::new(Status::InvalidArgument, message)))
}

fn without_shape() -> Error {
    Error::new(Status::Incomplete, "the shape is missing, but a value needs one")
}

/// Reads one directive or `x-` key into the storage of an array or attribute with this shape and datatype.
pub(in crate::ndl) fn directive(
    storage: &mut Storage,
    (key, text): (&str, &str),
    of: StorageOf,
    shape: Option<&[Dimension]>,
    datatype: Option<&Datatype>,
) -> Result<()> {
    let mut changed = storage.copied()?;
    *storage = part(key, text, |reader, pair| {
        reader.single_directive(&mut changed, pair, of, shape, datatype, &Objects::unknown());
        Some(changed)
    })?;
    Ok(())
}
