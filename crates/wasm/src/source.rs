//! Bytes that the program outside provides: a file that a person chose, or one on a server.

use crate::boundary;
use asdfkit::source::Source;
use asdfkit::{Error, Result, Status};

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
            match boundary::read_at(self.number, at, rest) {
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
