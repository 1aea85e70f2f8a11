//! Records in the room before the first block: two lines of text of one size, each with its hash, that are used in turns.

use crate::source::write_all_at;
use std::fs::File;
use std::io;
use twox_hash::XxHash64;

/// Records begin at multiples of this.
const SECTOR: u64 = 512;
/// Number of digits of a hash.
pub(super) const HASH: usize = 16;

/// Returns a line of `size` bytes: a text that fits, its XXH64, and blanks.
pub(super) fn encode(mut text: String, size: usize) -> Vec<u8> {
    text.push_str(&format!("{:016x}", XxHash64::oneshot(0, text.as_bytes())));
    end_line(text.into_bytes(), size)
}

/// Returns the text of a line without trailing blanks; `None` if it does not have its hash.
pub(super) fn decode(bytes: &[u8], size: usize) -> Option<&str> {
    let text = std::str::from_utf8(bytes.get(..size)?).ok()?.strip_suffix('\n')?.trim_end_matches(' ');
    let (content, hash) = text.split_at_checked(text.len().checked_sub(HASH)?)?;
    let is_whole = u64::from_str_radix(hash, 16).ok()? == XxHash64::oneshot(0, content.as_bytes());
    is_whole.then(|| content.trim_end_matches(' '))
}

/// Returns the line in the place of a record that was removed.
pub(super) fn blank(size: usize) -> Vec<u8> {
    end_line(Vec::new(), size)
}

/// Fills a line with blanks, and ends it.
fn end_line(mut line: Vec<u8>, size: usize) -> Vec<u8> {
    line.resize(size, b' ');
    if let Some(last) = line.last_mut() {
        *last = b'\n';
    }
    line
}

/// Returns the place of a record, after that of the first one.
pub(super) fn place_of(sequence: u64, size: usize) -> u64 {
    sequence % 2 * size as u64
}

/// Returns the offset of two records before a first block; 0 if there is no room for them.
pub(super) fn offset_before(first_block: u64, size: usize) -> u64 {
    (first_block - first_block % SECTOR).saturating_sub(2 * size as u64)
}

/// Removes both records, of which the newer one has this number, and waits for the disk: a journal that begins later keeps
/// what is there. Without the newer record, the older one would count, so it is removed first.
pub(super) fn remove(file: &File, offset: u64, newer: u64, size: usize) -> io::Result<()> {
    for sequence in [newer.wrapping_add(1), newer] {
        write_all_at(file, offset + place_of(sequence, size), &blank(size))?;
        file.sync_data()?;
    }
    Ok(())
}
