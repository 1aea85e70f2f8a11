//! The BloscLZ format, a relative of FastLZ: runs of literals and matches up to 73,728 bytes back.

/// Match distances from this value on take two more bytes.
const FAR: usize = 8191;

/// Decodes into `out` and returns the number of bytes written. Returns `None` if the data are damaged or decode to more
/// bytes than `out` holds.
pub(super) fn decode(data: &[u8], out: &mut [u8]) -> Option<usize> {
    let mut input = Input(data);
    let mut done = 0;
    // The upper 3 bits of the first byte are the format version.
    let mut control = usize::from(input.next()? & 31);
    loop {
        if control < 32 {
            let literals = input.take(control + 1)?;
            out.get_mut(done..)?.get_mut(..literals.len())?.copy_from_slice(literals);
            done += literals.len();
        } else {
            let mut length = (control >> 5) + 2;
            let mut distance = (control & 31) << 8;
            if length == 9 {
                loop {
                    let more = input.next()?;
                    length += usize::from(more);
                    if more != 255 {
                        break;
                    }
                }
            }
            distance += usize::from(input.next()?);
            if distance == FAR {
                distance = FAR + (usize::from(input.next()?) << 8);
                distance += usize::from(input.next()?);
            }
            repeat(out, done, distance + 1, length)?;
            done += length;
        }
        match input.next() {
            Some(next) => control = usize::from(next),
            None => return Some(done),
        }
    }
}

/// Appends `length` bytes that begin `distance` before the end of the first `done` bytes of `out`.
fn repeat(out: &mut [u8], done: usize, distance: usize, length: usize) -> Option<()> {
    let start = done.checked_sub(distance)?;
    let area = out.get_mut(start..)?.get_mut(..distance.checked_add(length)?)?;
    if distance == 1 {
        let value = *area.first()?;
        area.fill(value);
        return Some(());
    }
    // Copy the bytes already there behind themselves, and so double their number each time.
    let mut there = distance;
    while there < area.len() {
        let count = there.min(area.len() - there);
        area.copy_within(..count, there);
        there += count;
    }
    Some(())
}

struct Input<'a>(&'a [u8]);

impl<'a> Input<'a> {
    fn next(&mut self) -> Option<u8> {
        let (&first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(first)
    }

    fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(taken)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Copies five bytes from each distance, of bytes that differ from place to place.
    #[test]
    fn matches_come_from_their_distance() {
        let bytes: Vec<u8> = (0..80_000_u32).map(|place| (place.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
        let literals: Vec<u8> = bytes.chunks(32).flat_map(|run| [&[run.len() as u8 - 1], run].concat()).collect();
        for distance in [1, 2, 255, 256, 257, 515, 4096, 8191, 8192, 8193, 8447, 8448, 20_000, 73_727] {
            let control = [3 << 5 | (distance - 1).min(FAR) >> 8, (distance - 1).min(FAR) & 255];
            let far = [distance.saturating_sub(FAR + 1) >> 8, distance.saturating_sub(FAR + 1) & 255];
            let operation = [&control[..], if distance > FAR { &far[..] } else { &[] }].concat();
            let data = [&literals[..], &operation.iter().map(|&byte| byte as u8).collect::<Vec<_>>()].concat();
            let mut out = vec![0; bytes.len() + 5];
            assert_eq!(decode(&data, &mut out), Some(bytes.len() + 5), "{distance}");
            let mut expected = bytes.clone();
            (0..5).for_each(|_| expected.push(expected[expected.len() - distance]));
            assert!(out == expected, "{distance}");
        }
    }

    #[test]
    fn literals_runs_and_matches() {
        let decoded = |data: &[u8], size: usize| {
            let mut out = vec![0; size];
            decode(data, &mut out).map(|count| out[..count].to_vec())
        };
        assert_eq!(decoded(b"\x22abc", 9).unwrap(), b"abc");
        // Three bytes from one before; ten from two before; more from three before.
        assert_eq!(decoded(b"\x20a\x20\x00", 9).unwrap(), b"aaaa");
        assert_eq!(decoded(b"\x21ab\xE0\x01\x01", 12).unwrap(), b"abababababab");
        assert_eq!(decoded(b"\x22abc\xE0\xFF\x00\x02", 300).unwrap().len(), 3 + 9 + 255);
        // Far matches.
        let mut data = vec![0x20, 7, 0xE0];
        data.extend([255; 40]);
        data.extend([9, 0, 0x3F, 255, 0x04, 0x00]);
        let out = decoded(&data, 20_000).unwrap();
        assert_eq!(out.len(), 1 + 9 + 40 * 255 + 9 + 3);
        for bad in
            [&b""[..], b"\x22ab", b"\x20a\x20", b"\x20a\x20\x01", b"\x20a\xE0", b"\x20a\x3F\xFF\x00", b"\x28abcdefghi"]
        {
            assert_eq!(decoded(bad, 5), None, "{bad:?}");
        }
    }
}
