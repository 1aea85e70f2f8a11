//! Bytes of standard input and of pipes: kept in memory, and in a temporary file if there are many.

use super::call::check_interrupt;
use super::descriptors;
use super::failure::{Failure, Result};
use asdfkit::source::{FileSource, MemorySource, Source};
use asdfkit::{Error, Limit, Limits};
use std::io::{self, Read, Write};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Number of bytes that are read at a time.
const PIECE: usize = 1 << 20;

static INPUT_READ: AtomicBool = AtomicBool::new(false);

/// Reads standard input to its end. Fails for a second reader, who would find nothing.
pub(crate) fn of_standard_input(limits: &Limits) -> Result<Arc<dyn Source>> {
    if INPUT_READ.swap(true, Ordering::Relaxed) {
        return Err(Failure::usage("'-' is given twice, but standard input can be read only once"));
    }
    let failed = |error| Failure::System("cannot read standard input".to_owned(), error);
    if descriptors::is_input_closed() {
        return Err(failed(io::Error::other("it is closed")));
    }
    read(&mut io::stdin().lock(), limits, failed)
}

/// Reads a pipe to its end.
pub(crate) fn of_pipe(path: &Path, limits: &Limits) -> Result<Arc<dyn Source>> {
    let name = path.to_string_lossy().into();
    let failed = |error| Failure::Library(Error::io("cannot read the pipe", &error).in_file(&name));
    let mut pipe = std::fs::File::open(path).map_err(failed)?;
    read(&mut pipe, limits, failed)
}

/// Reads to the end. At most `limits.decoded_bytes` stay in memory; the temporary file has at most
/// `limits.temporary_bytes`.
fn read(input: &mut dyn Read, limits: &Limits, failed: impl Fn(io::Error) -> Failure) -> Result<Arc<dyn Source>> {
    let mut piece = vec![0; PIECE];
    let mut kept = Vec::new();
    let mut file: Option<std::fs::File> = None;
    let mut total = 0_u64;
    loop {
        check_interrupt()?;
        let length = match input.read(&mut piece) {
            Ok(0) => break,
            Ok(length) => length,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(failed(error)),
        };
        let bytes = &piece[..length];
        total += length as u64;
        if file.is_none() && (total > limits.decoded_bytes || kept.try_reserve(length).is_err()) {
            file = Some(spilled(&kept)?);
            kept = Vec::new();
        }
        match &mut file {
            None => kept.extend_from_slice(bytes),
            Some(_) if total > limits.temporary_bytes => {
                return Err(Limit::TemporaryBytes
                    .exceeded("the bytes of a temporary file", limits.temporary_bytes)
                    .into());
            }
            Some(file) => file.write_all(bytes).map_err(unwritten)?,
        }
    }
    Ok(match file {
        None => Arc::new(MemorySource::of_vec(kept)),
        Some(file) => Arc::new(FileSource::from_file(file)?),
    })
}

/// Returns a temporary file without a name that begins with these bytes.
fn spilled(bytes: &[u8]) -> Result<std::fs::File> {
    let mut file = tempfile::tempfile().map_err(unwritten)?;
    file.write_all(bytes).map_err(unwritten)?;
    Ok(file)
}

fn unwritten(error: io::Error) -> Failure {
    Failure::Library(Error::io("cannot write a temporary file", &error))
}

#[cfg(test)]
mod tests {
    use super::*;
    use asdfkit::Status;

    fn all(limits: &Limits, bytes: &[u8]) -> Result<Vec<u8>> {
        let mut input = bytes;
        let source = read(&mut input, limits, |error| Failure::System("failed".to_owned(), error))?;
        let mut out = vec![0; source.len() as usize];
        assert_eq!(source.read_at(0, &mut out)?, out.len());
        Ok(out)
    }

    #[test]
    fn many_bytes_go_to_a_temporary_file_and_more_are_refused() {
        let bytes: Vec<u8> = (0..5 * PIECE).map(|place| (place % 251) as u8).collect();
        for decoded_bytes in [1, PIECE as u64, 3 * PIECE as u64, u64::MAX] {
            let limits = Limits { decoded_bytes, temporary_bytes: bytes.len() as u64, ..Limits::default() };
            assert!(all(&limits, &bytes).unwrap() == bytes, "{decoded_bytes}");
        }
        let limits = Limits { decoded_bytes: 1, temporary_bytes: bytes.len() as u64 - 1, ..Limits::default() };
        let Err(Failure::Library(error)) = all(&limits, &bytes) else { panic!("too many bytes were read") };
        assert_eq!(error.status(), Status::Limit);
    }
}
