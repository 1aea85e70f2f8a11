//! Filters of a description as codecs of ASDF, and codecs as filters.

use crate::codec::{Codec, Compression, Label};
use crate::ndl::{Content, Filter};

/// Names of filters that are not those of the codecs which do the same, with the names of these.
const RENAMED: [(&str, &str); 2] = [("deflate", "zlib"), ("bzip2", "bzp2")];

/// Compression that does the same as these filters, if ASDF has one.
pub(super) fn compression_of(filters: &[Filter]) -> Option<Compression> {
    let [filter] = filters else { return None };
    let lower = filter.name.to_ascii_lowercase();
    let known = filter.known_name().unwrap_or(&lower);
    let name = RENAMED.iter().find(|(name, _)| *name == known).map_or(known, |&(_, codec)| codec);
    let codec = Codec::from_name(name).ok()?;
    let level = match &filter.parameters {
        Some(Content::Mapping(parameters)) => match parameters.get("level") {
            Some(Content::Scalar(level)) => level.text.parse().ok(),
            _ => None,
        },
        _ => None,
    };
    Compression::new(codec, level).or_else(|_| Compression::new(codec, None)).ok()
}

/// The filter that does the same as the codec with this label.
pub(super) fn filter_of(label: Label) -> Filter {
    let label = label.to_string();
    let renamed = RENAMED.iter().find(|(_, codec)| *codec == label);
    let name = renamed.map_or(label.as_str(), |&(name, _)| name).to_owned();
    let parameters = (name == "deflate").then(|| Content::plain("null"));
    Filter { name, parameters }
}
