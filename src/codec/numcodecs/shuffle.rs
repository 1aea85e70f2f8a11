//! The filter `shuffle`: all first bytes of the elements, then all second bytes, and so on.

use crate::error::{Error, Result, Status};
use crate::source::try_zeroed;

/// Sorts the bytes of elements of `item` bytes. Fails like [`decode`].
pub(super) fn encode(decoded: &[u8], item: usize) -> Result<Vec<u8>> {
    let (item, count) = (item.max(1), check(decoded, item)?);
    let mut encoded = try_zeroed(decoded.len())?;
    for (place, bytes) in encoded.chunks_exact_mut(count.max(1)).enumerate() {
        for (byte, element) in bytes.iter_mut().zip(decoded.chunks_exact(item)) {
            *byte = element[place];
        }
    }
    Ok(encoded)
}

/// Returns the number of elements.
fn check(bytes: &[u8], item: usize) -> Result<usize> {
    let item = item.max(1);
    if !bytes.len().is_multiple_of(item) {
        let message = format!("the filter 'shuffle' has elements of {item} bytes, which do not fill the chunk");
        return Err(Error::new(Status::Unsupported, message));
    }
    Ok(bytes.len() / item)
}

/// Restores the order of the bytes of elements of `item` bytes. Fails with [`Status::Unsupported`] if the bytes are not
/// a whole number of elements: numcodecs leaves the rest undefined.
pub(super) fn decode(encoded: &[u8], item: usize) -> Result<Vec<u8>> {
    let (item, count) = (item.max(1), check(encoded, item)?);
    let mut decoded = try_zeroed(encoded.len())?;
    for (place, bytes) in encoded.chunks_exact(count.max(1)).enumerate() {
        for (element, byte) in decoded.chunks_exact_mut(item).zip(bytes) {
            element[place] = *byte;
        }
    }
    Ok(decoded)
}
