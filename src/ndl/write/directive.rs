//! Storage directives as an enumeration, in the order in which they are written.

use super::flow::{Dialect, Flow};
use crate::array::ByteOrder;
use crate::error::{Error, Result, Status};
use crate::ndl::{Datatype, Storage, is_extension_key};

#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Directive {
    Shape,
    Size,
    Chunk,
    Filter,
    Endian,
    Charset,
    Fillvalue,
}

impl Directive {
    pub(crate) const ALL: [Directive; 7] = [
        Directive::Shape,
        Directive::Size,
        Directive::Chunk,
        Directive::Filter,
        Directive::Endian,
        Directive::Charset,
        Directive::Fillvalue,
    ];

    /// Returns the key.
    pub(crate) fn name(self) -> &'static str {
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

    /// Returns the directive with this key. Fails with [`Status::InvalidArgument`] if there is none.
    pub(crate) fn of_key(key: &str) -> Result<Directive> {
        Directive::ALL.into_iter().find(|directive| directive.name() == key).ok_or_else(|| {
            let message = format!("there is no storage directive '{}'", key.escape_debug());
            Error::new(Status::InvalidArgument, message)
        })
    }

    /// Removes the directive from a storage.
    pub(crate) fn remove_from(self, storage: &mut Storage) {
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

    /// Returns true if a storage has the directive.
    pub(crate) fn is_in(self, storage: &Storage) -> bool {
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

    /// Writes the content of the directive, or null. Fails with [`Status::Incomplete`] for a fill value without a
    /// datatype.
    pub(crate) fn write(self, flow: &mut Flow, storage: &Storage, datatype: Option<&Datatype>) -> Result<()> {
        match (self, storage) {
            (Directive::Shape, Storage { shape: Some(shape), .. }) => flow.numbers(shape),
            (Directive::Size, Storage { size: Some(size), .. }) => flow.word(&size.to_string()),
            (Directive::Chunk, Storage { chunk: Some(chunk), .. }) => flow.numbers(chunk),
            (Directive::Filter, Storage { filter: Some(filters), .. }) => flow.filters(filters),
            (Directive::Endian, Storage { endian: Some(ByteOrder::Little), .. }) => flow.plain_text("little"),
            (Directive::Endian, Storage { endian: Some(ByteOrder::Big), .. }) => flow.plain_text("big"),
            (Directive::Charset, Storage { charset: Some(charset), .. }) => flow.plain_text(charset),
            (Directive::Fillvalue, Storage { fillvalue: Some(fillvalue), .. }) => {
                let message = "the fill value has no datatype, because the description was read with errors";
                return flow.value(fillvalue, datatype.ok_or_else(|| Error::new(Status::Incomplete, message))?);
            }
            _ => flow.word("null"),
        }
        Ok(())
    }
}

impl Storage {
    /// Returns the directive with this key in NDL notation on one line, or `None` if it is not set. `datatype` is that
    /// of the fill value.
    ///
    /// Fails with [`Status::InvalidArgument`](crate::Status::InvalidArgument) if the key is not a directive, and with
    /// [`Status::Incomplete`](crate::Status::Incomplete) for a fill value without a datatype.
    pub fn directive(&self, key: &str, datatype: Option<&Datatype>) -> Result<Option<String>> {
        let directive = Directive::of_key(key)?;
        if !directive.is_in(self) {
            return Ok(None);
        }
        let mut flow = Flow::new(Dialect::Yaml);
        directive.write(&mut flow, self, datatype)?;
        flow.into_text().map(Some)
    }

    /// Removes the directive or extension with this key. Fails with
    /// [`Status::InvalidArgument`](crate::Status::InvalidArgument) if the key is neither a directive nor an extension.
    pub fn remove(&mut self, key: &str) -> Result<()> {
        if is_extension_key(key) {
            self.extensions.remove(key);
        } else {
            Directive::of_key(key)?.remove_from(self);
        }
        Ok(())
    }
}
