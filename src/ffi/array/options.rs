//! Conversion of options into those of arrays, and their constants.
//!
//! # Storage and order
//!
//! These are the constants for ASDF_OPTION_STORAGE, ASDF_OPTION_ORDER, ASDF_OPTION_STORED_ORDER and
//! ASDF_OPTION_SHUFFLE.

use super::datatype::{ASDF_ASCII, ASDF_BYTE_ORDER_BIG, ASDF_BYTE_ORDER_LITTLE, ASDF_RECORD, ASDF_UCS4, scalar_of};
use crate::array::{ByteOrder, Datatype, Order, ReadOptions};
use crate::codec::{BloscOptions, ChunkCodecs, ChunkCompressor, ChunkFilter, Codec, Compression, Shuffle};
use crate::error::{Error, Result, Status};
use crate::ffi::boundary::arguments::unknown_number;
use crate::ffi::options::choice::{Choice, choice};
use crate::ffi::options::keys::*;
use crate::ffi::options::table::in_words;
use crate::ffi::options::taken::{Taken, both};
use crate::ffi::unit::equivalencies;
use crate::file::{ArrayOptions, ExternalNames, Storage};
use crate::units::{Conversion, Equivalency, Spelling, Unit};
use std::borrow::Cow;

/// The elements have a block of their own.
pub const ASDF_STORAGE_INTERNAL: i32 = 0;
/// The elements are text in the tree.
pub const ASDF_STORAGE_INLINE: i32 = 1;
/// The elements are the only block of another file (the exploded form). That file is beside the main file. It is
/// written when the main file is written under a name, and never replaces an existing file.
pub const ASDF_STORAGE_EXTERNAL: i32 = 2;
/// The elements are the last block, which extends to the end of the file, so that rows can be appended. It is not
/// compressed and has no checksum. Only one array of a file can be streamed.
pub const ASDF_STORAGE_STREAMED: i32 = 3;

/// The last index runs fastest, as in C.
pub const ASDF_ORDER_C: i32 = 0;
/// The first index runs fastest, as in Fortran.
pub const ASDF_ORDER_FORTRAN: i32 = 1;

/// The elements are compressed without a filter.
pub const ASDF_SHUFFLE_NONE: i32 = 0;
/// The first bytes of all elements come first, then all second bytes, and so on.
pub const ASDF_SHUFFLE_BYTE: i32 = 1;
/// The first bits of all elements come first, then all second bits, and so on.
pub const ASDF_SHUFFLE_BIT: i32 = 2;

pub(crate) const SHUFFLES: Choice<Shuffle> = choice![
    ASDF_SHUFFLE_NONE => Shuffle::None,
    ASDF_SHUFFLE_BYTE => Shuffle::Byte,
    ASDF_SHUFFLE_BIT => Shuffle::Bit,
];

pub(crate) const STORAGES: Choice<Storage> = choice![
    ASDF_STORAGE_INTERNAL => Storage::Internal,
    ASDF_STORAGE_INLINE => Storage::Inline,
    ASDF_STORAGE_EXTERNAL => Storage::External,
    ASDF_STORAGE_STREAMED => Storage::Streamed,
];

pub(crate) const ORDERS: Choice<Order> = choice![
    ASDF_ORDER_C => Order::C,
    ASDF_ORDER_FORTRAN => Order::Fortran,
];

const BYTE_ORDERS: Choice<ByteOrder> = choice![
    ASDF_BYTE_ORDER_LITTLE => ByteOrder::Little,
    ASDF_BYTE_ORDER_BIG => ByteOrder::Big,
];

/// The datatype of elements in memory that a code stands for. For 0 it is the datatype of the options, and without one
/// that of the array itself.
pub(crate) fn memory_type<'a>(
    code: i32,
    options: &'a Taken,
    own: impl FnOnce() -> Result<Cow<'a, Datatype>>,
) -> Result<Cow<'a, Datatype>> {
    match (code, options.datatype()) {
        (0, Some(datatype)) => Ok(Cow::Borrowed(datatype)),
        (0, None) => own(),
        (ASDF_ASCII | ASDF_UCS4 | ASDF_RECORD, _) => Err(Error::new(
            Status::InvalidArgument,
            format!("the datatype code {code} has no length or fields; pass 0 and use asdf_options_set_datatype()"),
        )),
        _ => Ok(Cow::Owned(scalar_of(code)?.into())),
    }
}

/// The datatype of elements of a new array or column, which has no datatype of its own yet.
pub(crate) fn new_type(code: i32, options: &Taken) -> Result<Cow<'_, Datatype>> {
    memory_type(code, options, || Err(no_datatype()))
}

/// The error for a code 0 that stands for no datatype.
pub(crate) fn no_datatype() -> Error {
    Error::new(
        Status::InvalidArgument,
        "the datatype code is 0, but the options have no datatype; set one with asdf_options_set_datatype()",
    )
}

/// Options of reading elements.
pub(crate) fn read_options(options: &Taken) -> Result<ReadOptions> {
    let usual = ReadOptions::default();
    Ok(ReadOptions {
        clamp: options.flag(ASDF_OPTION_CLAMP, usual.clamp),
        order: memory_order(options)?,
        fill: options.fill(),
        conversion: None,
        blank_padded: blank_padded(options),
        threads: options.threads(),
    })
}

/// Options of reading elements that have a unit. `conversion` returns the conversion of these elements to a unit.
pub(crate) fn read_options_in_unit(
    options: &Taken,
    conversion: impl FnOnce(&Unit, &[Equivalency]) -> Result<Conversion>,
) -> Result<ReadOptions> {
    Ok(ReadOptions { conversion: conversion_of(options, conversion)?, ..read_options(options)? })
}

/// Conversion to the unit of the options; `None` without one.
pub(crate) fn conversion_of(
    options: &Taken,
    conversion: impl FnOnce(&Unit, &[Equivalency]) -> Result<Conversion>,
) -> Result<Option<Conversion>> {
    let Some(unit) = options.text(ASDF_OPTION_UNIT) else { return Ok(None) };
    conversion(&Unit::read(unit, Spelling::Generic), &equivalencies(options)?).map(Some)
}

/// True if strings in memory are padded with blanks.
pub(crate) fn blank_padded(options: &Taken) -> bool {
    options.flag(ASDF_OPTION_BLANK_PADDED, ReadOptions::default().blank_padded)
}

/// Order or strides of elements in memory.
pub(crate) fn memory_order(options: &Taken) -> Result<Order> {
    match (options.strides(), ORDERS.taken(options, ASDF_OPTION_ORDER)) {
        (Some(_), Some(_)) => Err(both("ASDF_OPTION_ORDER", "ASDF_OPTION_STRIDES")),
        (Some(strides), None) => Ok(Order::Strided(strides.to_vec())),
        (None, order) => Ok(order.cloned().unwrap_or(ReadOptions::default().order)),
    }
}

/// Options of storing a new array.
pub(crate) fn array_options(options: &Taken) -> Result<ArrayOptions> {
    let usual = ArrayOptions::default();
    let external_name = match options.file_name(ASDF_OPTION_EXTERNAL_NAME) {
        None => None,
        Some(name) => {
            ExternalNames::check(name.as_os_str())?;
            Some(name.as_os_str().to_owned())
        }
    };
    Ok(ArrayOptions {
        storage: STORAGES.taken(options, ASDF_OPTION_STORAGE).copied().unwrap_or(usual.storage),
        external_name,
        byteorder: BYTE_ORDERS.taken(options, ASDF_OPTION_BYTE_ORDER).copied().unwrap_or(usual.byteorder),
        stored_order: ORDERS.taken(options, ASDF_OPTION_STORED_ORDER).cloned().unwrap_or(usual.stored_order),
        compression: compression(options)?,
        slack: options.count(ASDF_OPTION_BLOCK_SLACK).unwrap_or(usual.slack),
        checksum: options.int(ASDF_OPTION_BLOCK_CHECKSUM).map(|checksum| checksum != 0),
        chunks: options.ints(ASDF_OPTION_CHUNKS).map(<[i64]>::to_vec),
        chunk_codecs: chunk_codecs(options)?,
        threads: options.threads(),
        keep: options.flag(ASDF_OPTION_KEEP, usual.keep),
    })
}

/// Codecs of zarr for chunks.
fn chunk_codecs(options: &Taken) -> Result<ChunkCodecs> {
    let filters = options.texts(ASDF_OPTION_CHUNK_FILTERS).unwrap_or_default();
    let filters = filters.iter().map(|name| name.parse()).collect::<Result<Vec<ChunkFilter>>>()?;
    let compressor = match options.text(ASDF_OPTION_CHUNK_CODEC).filter(|name| !name.is_empty()) {
        Some(name) => Some(ChunkCompressor::new(name, level(options), blosc(options)?)?),
        None => None,
    };
    let codecs = ChunkCodecs { filters, compressor };
    if codecs != ChunkCodecs::default() && options.ints(ASDF_OPTION_CHUNKS).is_none() {
        let key = if codecs.compressor.is_some() { "ASDF_OPTION_CHUNK_CODEC" } else { "ASDF_OPTION_CHUNK_FILTERS" };
        let (key, chunks) = (in_words(key), in_words("ASDF_OPTION_CHUNKS"));
        let message = format!("{key} is set without {chunks}; set the shape of the chunks, too");
        return Err(Error::new(Status::InvalidArgument, message));
    }
    Ok(codecs)
}

fn level(options: &Taken) -> Option<u32> {
    options.count(ASDF_OPTION_LEVEL).and_then(|level| u32::try_from(level).ok())
}

fn blosc(options: &Taken) -> Result<BloscOptions> {
    Ok(BloscOptions {
        codec: options.text(ASDF_OPTION_BLOSC_CODEC).map(str::parse).transpose()?,
        shuffle: SHUFFLES.taken(options, ASDF_OPTION_SHUFFLE).copied(),
        type_size: options.count(ASDF_OPTION_TYPE_SIZE).and_then(|size| u8::try_from(size).ok()),
    })
}

/// Compression of a block: a codec of the program, one of the library, or `None`.
pub(crate) fn compression(options: &Taken) -> Result<Option<Compression>> {
    if let Some(codec) = options.codecs().last() {
        return Ok(Some(Compression::custom(codec.clone())));
    }
    let (level, blosc) = (level(options), blosc(options)?);
    let alone = [
        ("ASDF_OPTION_LEVEL", level.is_some()),
        ("ASDF_OPTION_BLOSC_CODEC", blosc.codec.is_some()),
        ("ASDF_OPTION_SHUFFLE", blosc.shuffle.is_some()),
        ("ASDF_OPTION_TYPE_SIZE", blosc.type_size.is_some()),
    ];
    let is_of_chunks = options.text(ASDF_OPTION_CHUNK_CODEC).is_some_and(|name| !name.is_empty());
    match (options.text(ASDF_OPTION_CODEC), alone.iter().find(|(_, is_set)| *is_set && !is_of_chunks)) {
        (Some(name), _) if !name.is_empty() => {
            // With a compressor of zarr, the level is that of the compressor; both together are an error later.
            let (level, blosc) = if is_of_chunks { (None, BloscOptions::default()) } else { (level, blosc) };
            Compression::new(name.parse::<Codec>()?, level)?.with_blosc(blosc).map(Some)
        }
        (_, Some((name, _))) => Err(Error::new(
            Status::InvalidArgument,
            format!("{} is set without {}; set the codec, too", in_words(name), in_words("ASDF_OPTION_CODEC")),
        )),
        _ => Ok(None),
    }
}

pub(crate) fn storage_of(storage: i32) -> Result<Storage> {
    STORAGES.value(storage).copied().ok_or_else(|| unknown_number("ASDF_STORAGE_", storage))
}
