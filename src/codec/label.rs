//! The four-byte compression label of a block header and the codec it stands for.
//!
//! Which labels exist is said here, how their payloads are laid out in the files beside this one.

use crate::error::{Error, Result, Status};
use std::fmt;

/// The compression field of a block header: four bytes, padded with NUL on the right.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Label(pub [u8; 4]);

impl Label {
    /// The label of a payload that is stored as it is.
    pub const NONE: Label = Label([0; 4]);
}

/// The text without the padding; bytes that are not printable ASCII appear as escapes such as `\xff`.
impl fmt::Display for Label {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let length = self.0.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
        self.0.iter().take(length).try_for_each(|&byte| write!(f, "{}", std::ascii::escape_default(byte)))
    }
}

/// Labels that other ASDF libraries write and this one does not decode, with the format behind each.
const KNOWN_BUT_NOT_DECODED: [(&[u8; 4], &str); 1] = [(b"xz\0\0", "xz")];

/// Codecs that a build without the cargo feature of the same name does not have.
const MISSING: &[&str] = &[
    #[cfg(not(feature = "blsc"))]
    "blsc",
    #[cfg(not(feature = "bls2"))]
    "bls2",
    #[cfg(not(feature = "zstd"))]
    "zstd",
];

/// A way of compressing payloads that this library reads and writes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Codec {
    /// One zlib stream (RFC 1950), label `zlib`.
    Zlib,
    /// One bzip2 stream, label `bzp2`.
    Bzp2,
    /// LZ4 blocks behind size prefixes, label `lz4`; an LZ4 frame under this label is read, too.
    Lz4,
    /// One LZ4 frame, label `lz4f`.
    Lz4f,
    /// One Zstandard frame, label `zstd`; needs the cargo feature `zstd`.
    #[cfg(feature = "zstd")]
    Zstd,
    /// One Blosc chunk, label `blsc`; needs the cargo feature `blsc`.
    #[cfg(feature = "blsc")]
    Blosc,
    /// One Blosc chunk of format 2, label `bls2`; needs the cargo feature `bls2`.
    #[cfg(feature = "bls2")]
    Blosc2,
}

impl Codec {
    /// Every codec that this build has.
    pub const ALL: &'static [Codec] = &[
        Codec::Zlib,
        Codec::Bzp2,
        Codec::Lz4,
        Codec::Lz4f,
        #[cfg(feature = "zstd")]
        Codec::Zstd,
        #[cfg(feature = "blsc")]
        Codec::Blosc,
        #[cfg(feature = "bls2")]
        Codec::Blosc2,
    ];

    /// The codec behind a label, or nothing for an uncompressed payload.
    ///
    /// Any other label is [`Status::UnknownCodec`]; the message names the cargo feature if one would help.
    pub fn from_label(label: Label) -> Result<Option<Codec>> {
        if label == Label::NONE {
            return Ok(None);
        }
        if let Some(codec) = Codec::ALL.iter().find(|codec| codec.label() == label) {
            return Ok(Some(*codec));
        }
        if let Some(name) = MISSING.iter().find(|name| name.as_bytes() == label.0) {
            return Err(missing(name));
        }
        let message = match KNOWN_BUT_NOT_DECODED.iter().find(|(bytes, _)| **bytes == label.0) {
            Some((_, format)) => format!("this version does not decode the compression '{label}' ({format})"),
            None => format!("the compression label '{label}' is unknown"),
        };
        Err(Error::new(Status::UnknownCodec, message))
    }

    /// The codec called `zlib`, `bzp2`, `lz4`, `lz4f`, `zstd`, `blsc` or `bls2`; another name is [`Status::InvalidArgument`], that
    /// of a codec which this build lacks [`Status::UnknownCodec`].
    pub fn from_name(name: &str) -> Result<Codec> {
        if let Some(codec) = Codec::ALL.iter().find(|codec| codec.name() == name) {
            return Ok(*codec);
        }
        if MISSING.contains(&name) {
            return Err(missing(name));
        }
        let names: Vec<&str> = Codec::ALL.iter().map(|codec| codec.name()).collect();
        let message = format!("no codec is called {name:?}; there are {}", names.join(", "));
        Err(Error::new(Status::InvalidArgument, message))
    }

    /// The codec's name, which is its label without the padding.
    pub fn name(self) -> &'static str {
        match self {
            Codec::Zlib => "zlib",
            Codec::Bzp2 => "bzp2",
            Codec::Lz4 => "lz4",
            Codec::Lz4f => "lz4f",
            #[cfg(feature = "zstd")]
            Codec::Zstd => "zstd",
            #[cfg(feature = "blsc")]
            Codec::Blosc => "blsc",
            #[cfg(feature = "bls2")]
            Codec::Blosc2 => "bls2",
        }
    }

    /// The label to store in the block header.
    pub fn label(self) -> Label {
        Label(match self {
            Codec::Zlib => *b"zlib",
            Codec::Bzp2 => *b"bzp2",
            Codec::Lz4 => *b"lz4\0",
            Codec::Lz4f => *b"lz4f",
            #[cfg(feature = "zstd")]
            Codec::Zstd => *b"zstd",
            #[cfg(feature = "blsc")]
            Codec::Blosc => *b"blsc",
            #[cfg(feature = "bls2")]
            Codec::Blosc2 => *b"bls2",
        })
    }

    /// Fails with [`Status::DecodedSize`] if no payload of `used_size` stored bytes can decode to `data_size`
    /// bytes, so that a false size is seen before memory is taken for it.
    ///
    /// The bounds follow from the formats, so an honest payload always passes; one that passes may still lie.
    pub fn check_sizes(self, used_size: u64, data_size: u64) -> Result<()> {
        let most = match self {
            // At best two bits stand for a match of 258 bytes.
            Codec::Zlib => used_size.saturating_mul(258 * 4),
            // A block holds at most 900,000 bytes of runs, each 5 bytes for at most 259, and takes more than 16.
            Codec::Bzp2 => (used_size / 16).saturating_add(1).saturating_mul(900_000 / 5 * 259),
            // Beyond the first few, each byte of a match's length stands for at most 255 bytes.
            Codec::Lz4 | Codec::Lz4f => used_size.saturating_mul(255),
            // At best the four bytes of a block stand for 128 KiB of one value.
            #[cfg(feature = "zstd")]
            Codec::Zstd => used_size.saturating_mul((128 << 10) / 4),
            // A header alone may stand for all that a chunk can hold.
            #[cfg(feature = "blsc")]
            Codec::Blosc => super::blosc::largest(used_size),
            #[cfg(feature = "bls2")]
            Codec::Blosc2 => super::blosc::largest(used_size),
        };
        if data_size > most {
            return Err(Error::new(
                Status::DecodedSize,
                format!("{used_size} bytes of {} cannot decode to the {data_size} bytes declared", self.name()),
            ));
        }
        Ok(())
    }
}

fn missing(name: &str) -> Error {
    let message = format!("this build lacks the cargo feature '{name}', without which there is no codec of that name");
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
            assert_eq!(Codec::from_name(codec.name()).unwrap(), codec);
            assert_eq!(codec.label().to_string(), codec.name());
        }
        assert_eq!(Codec::from_name("ZLIB").unwrap_err().status(), Status::InvalidArgument);
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
        assert!(message(b"xz\0\0").starts_with("this version does not decode"));
        for name in MISSING {
            assert!(message(name.as_bytes().first_chunk().unwrap()).contains(&format!("cargo feature '{name}'")));
            assert_eq!(Codec::from_name(name).unwrap_err().status(), Status::UnknownCodec);
        }
    }

    #[test]
    fn sizes_that_no_stream_has_are_refused() {
        for codec in Codec::ALL {
            assert_eq!(codec.check_sizes(1000, 1 << 40).unwrap_err().status(), Status::DecodedSize);
            codec.check_sizes(u64::MAX, i32::MAX as u64).unwrap();
            codec.check_sizes(0, 0).unwrap();
        }
    }
}
