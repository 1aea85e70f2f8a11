//! The codecs of zarr that a new array gets.

use super::stage::Settings;
use super::{Delta, Number, Pipeline, Stage};
use crate::codec::any_codec::AnyCodec;
use crate::codec::blosc_options::BloscOptions;
use crate::codec::compression::Compression;
use crate::codec::table::Codec;
use crate::error::{Error, Result, Status};
use crate::hint::similar;
use std::str::FromStr;

/// Codecs of zarr for the chunks of an array: filters, then a compressor. They stand in the metadata of the array, so
/// that every reader of zarr decodes the chunks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ChunkCodecs {
    /// Filters, in the order in which they are applied.
    pub filters: Vec<ChunkFilter>,
    /// Compressor after the filters.
    pub compressor: Option<ChunkCompressor>,
}

/// A filter of zarr.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ChunkFilter {
    /// Differences of consecutive integers.
    Delta,
    /// The first bytes of all elements come first, then all second bytes, and so on.
    Shuffle,
}

impl ChunkFilter {
    /// All filters.
    pub const ALL: [ChunkFilter; 2] = [ChunkFilter::Delta, ChunkFilter::Shuffle];

    /// Returns the name that numcodecs has for the filter.
    pub fn name(self) -> &'static str {
        match self {
            ChunkFilter::Delta => "delta",
            ChunkFilter::Shuffle => "shuffle",
        }
    }
}

impl FromStr for ChunkFilter {
    type Err = Error;

    /// Returns the filter with this name. Fails with [`Status::InvalidArgument`] for another name.
    fn from_str(name: &str) -> Result<ChunkFilter> {
        ChunkFilter::ALL.into_iter().find(|filter| filter.name() == name).ok_or_else(|| {
            let names = ChunkFilter::ALL.map(ChunkFilter::name);
            let meant = similar(name, names.iter());
            let message = format!("chunks have no filter {name:?}{meant}; the filters are {}", names.join(", "));
            Error::new(Status::InvalidArgument, message)
        })
    }
}

/// A compressor of zarr with its settings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChunkCompressor(Stage);

impl ChunkCompressor {
    /// Names of the compressors, as numcodecs has them.
    pub const NAMES: [&'static str; 6] = ["zlib", "gzip", "bz2", "lz4", "zstd", "blosc"];

    /// Creates a compressor. The levels are those of [`Compression::new`], and of gzip those of zlib; `None` stands for
    /// the default. `blosc` holds options of Blosc.
    ///
    /// Fails with [`Status::InvalidArgument`] for another name, for another level, and for options of Blosc with another
    /// compressor. Fails with [`Status::UnknownCodec`] for a compressor that is not in this build.
    pub fn new(name: &str, level: Option<u32>, blosc: BloscOptions) -> Result<ChunkCompressor> {
        if !ChunkCompressor::NAMES.contains(&name) {
            let meant = similar(name, ChunkCompressor::NAMES.iter());
            let names = ChunkCompressor::NAMES.join(", ");
            let message = format!("zarr has no compressor {name:?} here{meant}; the compressors are {names}");
            return Err(Error::new(Status::InvalidArgument, message));
        }
        let of = |codec: Codec| Compression::new(codec, level)?.with_blosc(blosc);
        Ok(ChunkCompressor(match Stage::compressor(name, &Settings::default())? {
            Stage::Block(usual) => match usual.codec() {
                AnyCodec::BuiltIn(codec) => Stage::Block(of(*codec)?),
                AnyCodec::Custom(_) => Stage::Block(usual),
            },
            Stage::Gzip(_) => Stage::Gzip(of(Codec::Zlib)?.level()),
            Stage::Lz4 => of(Codec::Lz4).map(|_| Stage::Lz4)?,
            other => other,
        }))
    }
}

impl ChunkCodecs {
    /// Returns the pipeline for elements of `item_size` bytes, whose datatype has the name `dtype` in numpy.
    ///
    /// Fails with [`Status::InvalidArgument`] for a filter that cannot keep such elements.
    pub(crate) fn pipeline(&self, dtype: &str, item_size: usize) -> Result<Pipeline> {
        let invalid = |message: String| Err(Error::new(Status::InvalidArgument, message));
        if item_size == 0 && *self != ChunkCodecs::default() {
            return invalid("chunks of elements without bytes cannot have codecs".to_owned());
        }
        let mut stages = Vec::new();
        for (place, filter) in self.filters.iter().enumerate() {
            stages.push(match filter {
                ChunkFilter::Shuffle => Stage::Shuffle(item_size),
                ChunkFilter::Delta if place > 0 => {
                    return invalid("the filter 'delta' must be the first one: it needs the elements".to_owned());
                }
                ChunkFilter::Delta => match Number::parse(dtype).filter(|number| number.is_integer()) {
                    Some(number) => Stage::Delta(Delta::new(number, number)?),
                    None => return invalid(format!("the filter 'delta' is only for integers, not for '{dtype}'")),
                },
            });
        }
        stages.extend(self.compressor.iter().map(|compressor| match &compressor.0 {
            Stage::Block(compression) => Stage::Block(compression.clone().of_items(item_size)),
            other => other.clone(),
        }));
        Pipeline::new(stages)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codecs_fit_the_elements() {
        let codecs = |filters: &[ChunkFilter]| ChunkCodecs { filters: filters.to_vec(), compressor: None };
        let both = codecs(&[ChunkFilter::Delta, ChunkFilter::Shuffle]);
        assert_eq!(both.pipeline("<i4", 4).unwrap().stages().len(), 2);
        for (filters, dtype, size) in [
            (&[ChunkFilter::Delta][..], "<f4", 4),
            (&[ChunkFilter::Shuffle, ChunkFilter::Delta], "<i4", 4),
            (&[ChunkFilter::Shuffle], "|S0", 0),
        ] {
            let error = codecs(filters).pipeline(dtype, size).unwrap_err();
            assert_eq!(error.status(), Status::InvalidArgument, "{error}");
        }
        let status = |name: &str, level, blosc| ChunkCompressor::new(name, level, blosc).unwrap_err().status();
        let shuffled = BloscOptions { type_size: Some(4), ..BloscOptions::default() };
        assert_eq!(status("bzp2", None, BloscOptions::default()), Status::InvalidArgument);
        assert_eq!(status("lz4", Some(1), BloscOptions::default()), Status::InvalidArgument);
        assert_eq!(status("gzip", Some(10), BloscOptions::default()), Status::InvalidArgument);
        assert_eq!(status("gzip", None, shuffled), Status::InvalidArgument);
        assert_eq!("shuffle".parse::<ChunkFilter>().unwrap(), ChunkFilter::Shuffle);
        assert_eq!("shufle".parse::<ChunkFilter>().unwrap_err().status(), Status::InvalidArgument);
    }
}
