//! Schemas in a zip archive, such as a wheel: members that are stored or deflated.

use super::collect::{MAX_TEXT, Texts, is_schema_name};
use super::folder::bytes_of;
use crate::error::{Error, Result, Status};
use std::io::Read;
use std::path::Path;

/// Maximum number of bytes of an archive.
const MAX_ARCHIVE: u64 = 512 << 20;
/// Maximum length of the comment at the end of an archive.
const MAX_COMMENT: usize = u16::MAX as usize;

const END: u32 = 0x0605_4b50;
const END_SIZE: usize = 22;
const ENTRY: u32 = 0x0201_4b50;
const ENTRY_SIZE: usize = 46;
const MEMBER: u32 = 0x0403_4b50;
const MEMBER_SIZE: usize = 30;

/// Reads the schemas of an archive.
pub(super) fn read(path: &Path, texts: &mut Texts) -> Result<()> {
    let name = path.to_string_lossy();
    let archive = Archive { bytes: &bytes_of(path, MAX_ARCHIVE)?, name: &name };
    for entry in archive.entries()? {
        if is_schema_name(&entry.name) && !entry.name.split('/').any(|part| matches!(part, "tests" | "_tests")) {
            texts.add(format!("{name}/{}", entry.name), archive.content(&entry)?)?;
        }
    }
    Ok(())
}

struct Archive<'a> {
    bytes: &'a [u8],
    name: &'a str,
}

/// A member, as the directory at the end of the archive describes it.
struct Entry {
    name: String,
    method: u16,
    checksum: u32,
    stored: usize,
    offset: usize,
}

impl Archive<'_> {
    fn damaged(&self, what: &str) -> Error {
        Error::new(Status::Corrupt, format!("'{}' is not a readable zip archive: {what}", self.name))
    }

    fn slice(&self, start: usize, length: usize) -> Result<&[u8]> {
        let slice = start.checked_add(length).and_then(|end| self.bytes.get(start..end));
        slice.ok_or_else(|| self.damaged("it ends too early"))
    }

    fn u16(&self, offset: usize) -> Result<u16> {
        Ok(self.slice(offset, 2)?.iter().rev().fold(0, |number, byte| number << 8 | u16::from(*byte)))
    }

    fn u32(&self, offset: usize) -> Result<u32> {
        Ok(self.slice(offset, 4)?.iter().rev().fold(0, |number, byte| number << 8 | u32::from(*byte)))
    }

    fn size(&self, offset: usize) -> Result<usize> {
        match self.u32(offset)? {
            u32::MAX => Err(self.damaged("it is of the format zip64")),
            size => usize::try_from(size).map_err(|_| self.damaged("it is too large")),
        }
    }

    /// Returns the members.
    fn entries(&self) -> Result<Vec<Entry>> {
        let last = self.bytes.len().checked_sub(END_SIZE).ok_or_else(|| self.damaged("it is too short"))?;
        let mut places = (last.saturating_sub(MAX_COMMENT)..=last).rev();
        let end = places.find(|place| self.u32(*place).is_ok_and(|found| found == END));
        let end = end.ok_or_else(|| self.damaged("it has no directory"))?;
        let (count, mut at) = (self.u16(end + 10)?, self.size(end + 16)?);
        let mut entries = Vec::new();
        for _ in 0..count {
            if self.u32(at)? != ENTRY {
                return Err(self.damaged("its directory is damaged"));
            }
            let [name, extra, comment] = [self.u16(at + 28)?, self.u16(at + 30)?, self.u16(at + 32)?].map(usize::from);
            entries.push(Entry {
                name: String::from_utf8_lossy(self.slice(at + ENTRY_SIZE, name)?).into_owned(),
                method: self.u16(at + 10)?,
                checksum: self.u32(at + 16)?,
                stored: self.size(at + 20)?,
                offset: self.size(at + 42)?,
            });
            at += ENTRY_SIZE + name + extra + comment;
        }
        Ok(entries)
    }

    /// Returns the content of a member.
    fn content(&self, entry: &Entry) -> Result<Vec<u8>> {
        let at = entry.offset;
        if self.u32(at)? != MEMBER {
            return Err(self.damaged("a member is missing"));
        }
        let names = usize::from(self.u16(at + 26)?) + usize::from(self.u16(at + 28)?);
        let stored = self.slice(at + MEMBER_SIZE + names, entry.stored)?;
        let mut bytes = Vec::new();
        let read = match entry.method {
            0 => stored.take(MAX_TEXT + 1).read_to_end(&mut bytes),
            8 => flate2::bufread::DeflateDecoder::new(stored).take(MAX_TEXT + 1).read_to_end(&mut bytes),
            method => return Err(self.damaged(&format!("the compression method {method} is not known here"))),
        };
        read.map_err(|_| self.damaged(&format!("the member '{}' is damaged", entry.name)))?;
        if bytes.len() as u64 > MAX_TEXT {
            return Err(Error::limit(&format!("the bytes of '{}/{}'", self.name, entry.name), MAX_TEXT));
        }
        let mut checksum = flate2::Crc::new();
        checksum.update(&bytes);
        if checksum.sum() != entry.checksum {
            return Err(self.damaged(&format!("the checksum of the member '{}' differs", entry.name)));
        }
        Ok(bytes)
    }
}
