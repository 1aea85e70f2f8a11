//! zlib: streams decoded and encoded.

pub(super) mod deflate;
#[cfg(feature = "libdeflate")]
pub(super) mod inflate;
