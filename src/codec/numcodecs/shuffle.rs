//! The filter `shuffle`: all first bytes of the elements, then all second bytes, and so on.

use crate::error::{Error, Result, Status};
use crate::source::try_zeroed;

/// Restores the order of the bytes of elements of `item` bytes. Fails with [`Status::Unsupported`] if the bytes are not
/// a whole number of elements: numcodecs leaves the rest undefined.
pub(super) fn decode(encoded: &[u8], item: usize) -> Result<Vec<u8>> {
    let item = item.max(1);
    if !encoded.len().is_multiple_of(item) {
        let message = format!("the filter 'shuffle' has elements of {item} bytes, which do not fill the chunk");
        return Err(Error::new(Status::Unsupported, message));
    }
    let mut decoded = try_zeroed(encoded.len())?;
    let count = encoded.len() / item;
    for (place, bytes) in encoded.chunks_exact(count.max(1)).enumerate() {
        for (element, byte) in decoded.chunks_exact_mut(item).zip(bytes) {
            element[place] = *byte;
        }
    }
    Ok(decoded)
}
