//! Bytes that the program outside provides: a file that a person chose, or one on a server.
#![allow(unsafe_code)]

use asdfkit::source::Source;
use asdfkit::{Error, Result, Status};

#[link(wasm_import_module = "asdfkit")]
unsafe extern "C" {
    fn read_at(source: u32, offset: f64, place: *mut u8, length: usize) -> i32;
}

/// Fills the start of `buffer` from an offset of a source of the program outside. Returns the number of bytes; `None` if
/// they cannot be read.
fn host_bytes(source: u32, offset: u64, buffer: &mut [u8]) -> Option<usize> {
    // SAFETY: the function writes at most `length` bytes to this place, which is ours alone during the call.
    let count = unsafe { read_at(source, offset as f64, buffer.as_mut_ptr(), buffer.len()) };
    usize::try_from(count).ok().filter(|count| *count <= buffer.len())
}

/// A file of the program outside, known by a number.
pub(crate) struct HostSource {
    pub(crate) number: u32,
    pub(crate) length: u64,
    /// Number of bytes that take as long as a request.
    pub(crate) request_cost: u64,
}

impl Source for HostSource {
    fn len(&self) -> u64 {
        self.length
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<usize> {
        let rest = self.length.saturating_sub(offset);
        let wanted = buffer.len().min(usize::try_from(rest).unwrap_or(usize::MAX));
        let mut done = 0;
        while done < wanted {
            let at = offset + done as u64;
            let rest = buffer.get_mut(done..wanted).unwrap_or_default();
            match host_bytes(self.number, at, rest) {
                None => return Err(Error::new(Status::Io, "the bytes cannot be read").at_offset(at)),
                Some(0) => {
                    let message = "the file became shorter while it was open";
                    return Err(Error::new(Status::FileChanged, message).at_offset(at));
                }
                Some(count) => done += count,
            }
        }
        Ok(done)
    }

    fn request_cost(&self) -> u64 {
        self.request_cost
    }
}
