//! Reading any bytes of what can only be made in units.

use super::try_zeroed;
use crate::error::Result;

/// Fills the start of `buffer` with what stands at `offset` in `length` bytes that are made in units of `unit` bytes, and
/// tells how many that were. `fill` is given the byte at which a unit begins and room for whole units.
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
