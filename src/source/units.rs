//! Reads of any length from data that are computed in units of fixed size.

use super::try_zeroed;
use crate::error::Result;

/// Reads at `offset` from data of `length` bytes that are computed in units of `unit` bytes. Fills the start of
/// `buffer` and returns the number of bytes written. `fill` gets the offset of a unit and a buffer for one or more
/// whole units.
pub(crate) fn read_in_units(
    length: u64,
    unit: usize,
    offset: u64,
    buffer: &mut [u8],
    fill: impl Fn(u64, &mut [u8]) -> Result<()>,
) -> Result<usize> {
    let available = usize::try_from(length.saturating_sub(offset)).unwrap_or(usize::MAX);
    let wanted = available.min(buffer.len());
    let mut done = 0;
    while done < wanted && unit > 0 {
        let at = offset + done as u64;
        let within = (at % unit as u64) as usize;
        let whole = (wanted - done) / unit * unit;
        if within == 0 && whole > 0 {
            fill(at, &mut buffer[done..done + whole])?;
            done += whole;
            continue;
        }
        let mut element = try_zeroed(unit)?;
        fill(at - within as u64, &mut element)?;
        let part = &element[within..unit.min(within + wanted - done)];
        buffer[done..done + part.len()].copy_from_slice(part);
        done += part.len();
    }
    Ok(done)
}
