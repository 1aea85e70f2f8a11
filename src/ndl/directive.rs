//! The storage directives one by one, in the order in which they are written.

use super::flow::Flow;
use super::{Datatype, Storage};
use crate::array::ByteOrder;
use crate::error::{Error, Result, Status};

#[derive(Clone, Copy, PartialEq)]
pub(super) enum Directive {
    Shape,
    Size,
    Chunk,
    Filter,
    Endian,
    Charset,
    Fillvalue,
}

impl Directive {
    pub(super) const ALL: [Directive; 7] = [
        Directive::Shape,
        Directive::Size,
        Directive::Chunk,
        Directive::Filter,
        Directive::Endian,
        Directive::Charset,
        Directive::Fillvalue,
    ];

    /// The key.
    pub(super) fn name(self) -> &'static str {
        match self {
            Directive::Shape => "shape",
            Directive::Size => "size",
            Directive::Chunk => "chunk",
            Directive::Filter => "filter",
            Directive::Endian => "endian",
            Directive::Charset => "charset",
            Directive::Fillvalue => "fillvalue",
        }
    }

    /// The directive of a key; fails with [`Status::InvalidArgument`] if there is none.
    pub(super) fn of_key(key: &str) -> Result<Directive> {
        Directive::ALL.into_iter().find(|directive| directive.name() == key).ok_or_else(|| {
            let message = format!("there is no storage directive '{}'", key.escape_debug());
            Error::new(Status::InvalidArgument, message)
        })
    }

    /// Takes it out.
    pub(super) fn remove_from(self, storage: &mut Storage) {
        match self {
            Directive::Shape => storage.shape = None,
            Directive::Size => storage.size = None,
            Directive::Chunk => storage.chunk = None,
            Directive::Filter => storage.filter = None,
            Directive::Endian => storage.endian = None,
            Directive::Charset => storage.charset = None,
            Directive::Fillvalue => storage.fillvalue = None,
        }
    }

    /// Whether it is given.
    pub(super) fn is_in(self, storage: &Storage) -> bool {
        match self {
            Directive::Shape => storage.shape.is_some(),
            Directive::Size => storage.size.is_some(),
            Directive::Chunk => storage.chunk.is_some(),
            Directive::Filter => storage.filter.is_some(),
            Directive::Endian => storage.endian.is_some(),
            Directive::Charset => storage.charset.is_some(),
            Directive::Fillvalue => storage.fillvalue.is_some(),
        }
    }

    /// Writes what it is, or null. Fails with [`Status::Incomplete`] for a fill value without a datatype.
    pub(super) fn write(self, flow: &mut Flow, storage: &Storage, datatype: Option<&Datatype>) -> Result<()> {
        match (self, storage) {
            (Directive::Shape, Storage { shape: Some(shape), .. }) => flow.numbers(shape),
            (Directive::Size, Storage { size: Some(size), .. }) => flow.word(&size.to_string()),
            (Directive::Chunk, Storage { chunk: Some(chunk), .. }) => flow.numbers(chunk),
            (Directive::Filter, Storage { filter: Some(filters), .. }) => flow.filters(filters),
            (Directive::Endian, Storage { endian: Some(ByteOrder::Little), .. }) => flow.plain_text("little"),
            (Directive::Endian, Storage { endian: Some(ByteOrder::Big), .. }) => flow.plain_text("big"),
            (Directive::Charset, Storage { charset: Some(charset), .. }) => flow.plain_text(charset),
            (Directive::Fillvalue, Storage { fillvalue: Some(fillvalue), .. }) => {
                let message = "the fill value has no datatype, as the description was read with errors";
                return flow.value(fillvalue, datatype.ok_or_else(|| Error::new(Status::Incomplete, message))?);
            }
            _ => flow.word("null"),
        }
        Ok(())
    }
}
