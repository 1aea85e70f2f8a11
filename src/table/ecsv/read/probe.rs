//! Detects ECSV files by their first line.

use super::lines::{LineReader, version_line};
use crate::error::{Result, Status};
use crate::table::ecsv::Input;

/// Returns the ECSV version in the first line, or `None` if the input is not an ECSV table. The input may be
/// compressed. At most a few KiB are read, and neither the rest of the header nor the records are checked.
///
/// Fails if the input cannot be read.
pub fn probe(input: &mut Input) -> Result<Option<String>> {
    let version = LineReader::new(input, u64::MAX).and_then(|mut reader| version_line(&mut reader, false));
    match version {
        Ok(version) => Ok(Some(version)),
        Err(error) if matches!(error.status(), Status::NotEcsv | Status::Corrupt | Status::Truncated) => Ok(None),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;
    use std::sync::Arc;

    fn probe_bytes(bytes: Vec<u8>) -> Option<String> {
        probe(&mut Input::of_memory(Arc::new(bytes)).unwrap()).unwrap()
    }

    #[test]
    fn the_first_line_identifies_a_table() {
        let text = b"\n # %ECSV 1.0\nwhatever";
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
        encoder.write_all(text).unwrap();
        for bytes in [text.to_vec(), encoder.finish().unwrap()] {
            assert_eq!(probe_bytes(bytes).as_deref(), Some("1.0"));
        }
        for other in [&b""[..], b"#ASDF 1.0.0\n", b"a,b\n", &[0x1F, 0x8B, 1], &[0; 100_000]] {
            assert_eq!(probe_bytes(other.to_vec()), None);
        }
    }
}
