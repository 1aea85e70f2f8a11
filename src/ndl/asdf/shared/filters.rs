//! Converts filters of a description to codecs of ASDF, and codecs to filters.

use crate::codec::numcodecs::Stage;
use crate::codec::{BloscOptions, ChunkCodecs, ChunkCompressor, ChunkFilter, Codec, Compression, Label, Shuffle};
use crate::ndl::{Content, Filter};

/// Filters whose ASDF codec has another name, as pairs of filter and codec.
const RENAMED: [(&str, &str); 2] = [("deflate", "zlib"), ("bzip2", "bzp2")];

/// Returns the ASDF compression equivalent to these filters, if there is one.
pub(in crate::ndl::asdf) fn compression_of(filters: &[Filter]) -> Option<Compression> {
    let [filter] = filters else { return None };
    let lower = filter.name.to_ascii_lowercase();
    let known = filter.known_name().unwrap_or(&lower);
    let name = RENAMED.iter().find(|(name, _)| *name == known).map_or(known, |&(_, codec)| codec);
    let codec: Codec = name.parse().ok()?;
    let level = match &filter.parameters {
        Some(Content::Mapping(parameters)) => match parameters.get("level") {
            Some(Content::Scalar(level)) => level.text.parse().ok(),
            _ => None,
        },
        _ => None,
    };
    Compression::new(codec, level).or_else(|_| Compression::new(codec, None)).ok()
}

/// Returns the codecs of chunks that are equivalent to these filters, and the names of the filters that have none.
pub(in crate::ndl::asdf) fn chunk_codecs_of(filters: &[Filter]) -> (ChunkCodecs, Vec<&str>) {
    let (mut codecs, mut others) = (ChunkCodecs::default(), Vec::new());
    for filter in filters {
        let lower = filter.name.to_ascii_lowercase();
        let known = filter.known_name().unwrap_or(&lower);
        let chunk_filter = known.parse::<ChunkFilter>().ok();
        match (chunk_filter, compressor_of(known, &lower, filter)) {
            // Chunks have no filter after their compressor.
            (Some(chunk_filter), _) if codecs.compressor.is_none() => codecs.filters.push(chunk_filter),
            (None, Some(compressor)) if codecs.compressor.is_none() => codecs.compressor = Some(compressor),
            _ => others.push(filter.name.as_str()),
        }
    }
    (codecs, others)
}

fn compressor_of(known: &str, spelled: &str, filter: &Filter) -> Option<ChunkCompressor> {
    let name = match known {
        "deflate" if spelled == "gzip" => "gzip",
        "deflate" => "zlib",
        "bzip2" => "bz2",
        other => other,
    };
    let mut blosc = BloscOptions::default();
    if name == "blosc" {
        blosc.codec = parameter(filter, &["codec", "cname"]).and_then(|codec| codec.parse().ok());
        blosc.shuffle = parameter(filter, &["shuffle"]).and_then(|shuffle| {
            SHUFFLES
                .iter()
                .find(|(name, number, _)| shuffle == *name || shuffle == *number)
                .map(|(.., shuffle)| *shuffle)
        });
    }
    let level = parameter(filter, &["level", "clevel"]).and_then(|level| level.parse().ok());
    ChunkCompressor::new(name, level, blosc).or_else(|_| ChunkCompressor::new(name, None, blosc)).ok()
}

/// Filters inside of Blosc: their names, the numbers that Blosc has for them, and the filters.
const SHUFFLES: [(&str, &str, Shuffle); 3] =
    [("none", "0", Shuffle::None), ("byte", "1", Shuffle::Byte), ("bit", "2", Shuffle::Bit)];

/// Returns the first of these parameters that a filter has.
fn parameter<'a>(filter: &'a Filter, names: &[&str]) -> Option<&'a str> {
    let Some(Content::Mapping(parameters)) = &filter.parameters else { return None };
    names.iter().find_map(|name| match parameters.get(name) {
        Some(Content::Scalar(value)) => Some(value.text.as_str()),
        _ => None,
    })
}

/// Returns the filter equivalent to a codec of zarr.
pub(in crate::ndl::asdf) fn filter_of_stage(stage: &Stage) -> Filter {
    let level = |level: u32| ("level", Content::plain(level.to_string()));
    let (name, parameters) = match stage {
        Stage::Shuffle(_) => ("shuffle".to_owned(), None),
        Stage::Delta(_) => ("delta".to_owned(), None),
        Stage::Lz4 => ("lz4".to_owned(), None),
        Stage::Gzip(used) => ("gzip".to_owned(), Some(Content::mapping([level(*used)]))),
        Stage::Block(compression) => {
            let label = compression.codec().label().to_string();
            let name = match label.as_str() {
                "zlib" => "deflate",
                "bzp2" => "bzip2",
                "blsc" => "blosc",
                other => other,
            };
            let mut parameters = vec![level(compression.level())];
            if name == "blosc" {
                let blosc = compression.blosc();
                let shuffle = blosc.shuffle.unwrap_or(Shuffle::Byte);
                let spelled = SHUFFLES.iter().find(|(.., known)| *known == shuffle).map_or("byte", |(name, ..)| *name);
                parameters.push(("codec", Content::plain(blosc.codec.map_or("lz4", |codec| codec.name()))));
                parameters.push(("shuffle", Content::plain(spelled)));
            }
            (name.to_owned(), Some(Content::mapping(parameters)))
        }
    };
    Filter { name, parameters }
}

/// Returns the filter equivalent to the codec with this label.
pub(in crate::ndl::asdf) fn filter_of(label: Label) -> Filter {
    let label = label.to_string();
    let renamed = RENAMED.iter().find(|(_, codec)| *codec == label);
    let name = renamed.map_or(label.as_str(), |&(name, _)| name).to_owned();
    let parameters = (name == "deflate").then(|| Content::plain("null"));
    Filter { name, parameters }
}
