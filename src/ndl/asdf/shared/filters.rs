//! Converts filters of a description to codecs of ASDF, and codecs to filters.

use crate::codec::{Codec, Compression, Label};
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

/// Returns the filter equivalent to the codec with this label.
pub(in crate::ndl::asdf) fn filter_of(label: Label) -> Filter {
    let label = label.to_string();
    let renamed = RENAMED.iter().find(|(_, codec)| *codec == label);
    let name = renamed.map_or(label.as_str(), |&(name, _)| name).to_owned();
    let parameters = (name == "deflate").then(|| Content::plain("null"));
    Filter { name, parameters }
}
