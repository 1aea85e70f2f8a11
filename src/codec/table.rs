//! The table of compression formats, and [`Codec`], which has one variant for each.
//!
//! A new format needs its own module and one entry in the table.

use super::format::Format;
use super::label::Label;
use crate::error::{Error, Result, Status};
use crate::hint::similar;
use std::fmt::{self, Display, Formatter};
use std::ops::RangeInclusive;
use std::str::FromStr;

/// Defines [`Codec`] from entries that consist of a variant, the cargo feature that it needs (if any), and its format.
///
/// The name of the feature is the name of the format, so that labels of formats outside this build are recognized too.
macro_rules! formats {
    ($($(#[doc = $doc:literal])* $(#[cfg(feature = $feature:literal)])? $variant:ident => $format:expr,)*) => {
        /// A compression format that this library reads and writes.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        #[non_exhaustive]
        pub enum Codec {
            $($(#[doc = $doc])* $(#[cfg(feature = $feature)])? $variant,)*
        }

        impl Codec {
            /// All codecs in this build.
            pub const ALL: &'static [Codec] = &[$($(#[cfg(feature = $feature)])? Codec::$variant,)*];

            pub(super) fn format(self) -> &'static dyn Format {
                match self {
                    $($(#[cfg(feature = $feature)])? Codec::$variant => &$format,)*
                }
            }
        }

        /// Names of the codecs that are not in this build; each needs the cargo feature of the same name.
        const MISSING: &[&str] = &[$($(#[cfg(not(feature = $feature))] $feature,)?)*];
    };
}

formats! {
    /// One zlib stream (RFC 1950), label `zlib`.
    Zlib => super::zlib::Zlib,
    /// One bzip2 stream, label `bzp2`.
    Bzp2 => super::bzip2::Bzip2,
    /// LZ4 blocks after size fields, label `lz4`. An LZ4 frame under this label is read too.
    ///
    /// A single chunk, as common LZ4 decoders expect it, is an LZ4 block after its decoded size in bytes, a
    /// little-endian u32.
    Lz4 => super::lz4::Lz4,
    /// One LZ4 frame, label `lz4f`.
    Lz4f => super::lz4::Lz4f,
    /// One Zstandard frame, label `zstd`; needs the cargo feature `zstd`.
    #[cfg(feature = "zstd")]
    Zstd => super::zstd::Zstd,
    /// One Blosc chunk, label `blsc`; needs the cargo feature `blsc`.
    #[cfg(feature = "blsc")]
    Blosc => super::blosc::Blosc::<1>,
    /// One Blosc chunk of format 2, label `bls2`; needs the cargo feature `bls2`.
    #[cfg(feature = "bls2")]
    Blosc2 => super::blosc::Blosc::<2>,
    /// One .xz stream, label `xz`; needs the cargo feature `xz`.
    #[cfg(feature = "xz")]
    Xz => super::xz::Xz,
}

/// Other labels that writers gave to the formats.
const OTHER_LABELS: [(&[u8; 4], &str); 1] = [(b"bsc2", "bls2")];

impl Codec {
    /// Returns the codec with this label, or `None` for an uncompressed payload.
    ///
    /// Fails with [`Status::UnknownCodec`] for another label. The message contains the cargo feature if one would help.
    pub(crate) fn from_label(label: Label) -> Result<Option<Codec>> {
        if label == Label::NONE {
            return Ok(None);
        }
        let usual = OTHER_LABELS.iter().find(|(bytes, _)| **bytes == label.0);
        let wanted = usual.map_or(label, |(_, name)| Label::of_name(name));
        if let Some(codec) = Codec::ALL.iter().find(|codec| codec.label() == wanted) {
            return Ok(Some(*codec));
        }
        if let Some(name) = MISSING.iter().find(|name| Label::of_name(name) == wanted) {
            return Err(missing(name));
        }
        Err(Error::new(Status::UnknownCodec, format!("the compression label '{label}' is unknown")))
    }

    /// Returns the name of the codec: its label without the padding.
    pub fn name(self) -> &'static str {
        self.format().name()
    }

    /// Returns the label to store in the block header.
    pub fn label(self) -> Label {
        Label::of_name(self.name())
    }

    /// Returns the compression levels and the default level; `None` if the codec has no levels.
    pub fn levels(self) -> Option<(RangeInclusive<u32>, u32)> {
        self.format().levels().map(|levels| (levels.range, levels.default))
    }

    /// Returns whether the codec has the options of Blosc: inner codec, shuffling, type size.
    pub fn takes_blosc_options(self) -> bool {
        self.format().takes_blosc_options()
    }
}

impl FromStr for Codec {
    type Err = Error;

    /// Returns the codec with this name. Fails with [`Status::UnknownCodec`] if the codec is not in this build, and
    /// with [`Status::InvalidArgument`] for an unknown name.
    fn from_str(name: &str) -> Result<Codec> {
        if let Some(codec) = Codec::ALL.iter().find(|codec| codec.name() == name) {
            return Ok(*codec);
        }
        if MISSING.contains(&name) {
            return Err(missing(name));
        }
        let names: Vec<&str> = Codec::ALL.iter().map(|codec| codec.name()).collect();
        let other_name = OTHER_NAMES.iter().find(|(other, _)| name.eq_ignore_ascii_case(other));
        let meant = match other_name {
            Some((_, meant)) => format!("; did you mean '{meant}'?"),
            None => similar(name, names.iter()),
        };
        let message = match meant.is_empty() {
            true if name == "none" => format!("there is no codec {name:?}; an empty name stands for no compression"),
            true => format!("there is no codec {name:?}; the codecs are {}", names.join(", ")),
            false => format!("there is no codec {name:?}{meant} The codecs are {}", names.join(", ")),
        };
        Err(Error::new(Status::InvalidArgument, message))
    }
}

impl Display for Codec {
    fn fmt(&self, formatter: &mut Formatter) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

/// Names that other programs give to the formats of the codecs.
const OTHER_NAMES: [(&str, &str); 10] = [
    ("gzip", "zlib"),
    ("gz", "zlib"),
    ("deflate", "zlib"),
    ("bzip2", "bzp2"),
    ("bz2", "bzp2"),
    ("blosc", "blsc"),
    ("blosc2", "bls2"),
    ("zstandard", "zstd"),
    ("lzma", "xz"),
    ("lz4hc", "lz4"),
];

fn missing(name: &str) -> Error {
    let message = format!("the codec '{name}' is not in this build: it needs the cargo feature '{name}'");
    Error::new(Status::UnknownCodec, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_and_names_lead_to_their_codecs() {
        assert_eq!(Codec::from_label(Label::NONE).unwrap(), None);
        for &codec in Codec::ALL {
            assert_eq!(Codec::from_label(codec.label()).unwrap(), Some(codec));
            assert_eq!(codec.to_string().parse::<Codec>().unwrap(), codec);
            assert_eq!(codec.label().to_string(), codec.name());
        }
        if let Ok(codec) = Codec::from_str("bls2") {
            assert_eq!(Codec::from_label(Label(*b"bsc2")).unwrap(), Some(codec));
        }
        let message = |name: &str| {
            let error = Codec::from_str(name).unwrap_err();
            assert_eq!(error.status(), Status::InvalidArgument);
            error.message().to_owned()
        };
        assert!(message("ZLIB").contains("'zlib'"));
        assert_eq!(message("none"), "there is no codec \"none\"; an empty name stands for no compression");
        assert!(message("q").starts_with("there is no codec \"q\"; the codecs are "));
    }

    #[test]
    fn other_labels_are_named_in_the_error() {
        let message = |label: &[u8; 4]| {
            let error = Codec::from_label(Label(*label)).unwrap_err();
            assert_eq!(error.status(), Status::UnknownCodec);
            error.message().to_owned()
        };
        assert_eq!(message(b"abcd"), "the compression label 'abcd' is unknown");
        assert_eq!(message(b"    "), "the compression label '    ' is unknown");
        assert_eq!(message(b"\0a\xffb"), "the compression label '\\x00a\\xffb' is unknown");
        assert_eq!(message(b"lz4 "), "the compression label 'lz4 ' is unknown");
        for name in MISSING {
            assert!(message(&Label::of_name(name).0).contains(&format!("cargo feature '{name}'")));
            assert_eq!(Codec::from_str(name).unwrap_err().status(), Status::UnknownCodec);
        }
    }

    #[test]
    fn sizes_that_no_stream_has_are_refused() {
        for codec in Codec::ALL {
            assert_eq!(codec.format().check_sizes(80, 1 << 40).unwrap_err().status(), Status::DecodedSize);
            codec.format().check_sizes(u64::MAX, i32::MAX as u64).unwrap();
            codec.format().check_sizes(0, 0).unwrap();
        }
    }
}
